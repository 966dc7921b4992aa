/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_SEGPACE_H
#define _LAPSMP_ALG_SEGPACE_H

#include <linux/types.h>

/**
 * struct lapsmp_segpace - how long a flow's segments take; zeroed, nothing is known
 * @srtt_ns: round-trip time of a segment, 0 before the first sample
 * @segs: segments that it is the mean of
 */
struct lapsmp_segpace {
	u64	srtt_ns;
	s32	segs;
};

/**
 * lapsmp_segpace_sample() - segments were acknowledged
 * @p: the flow's
 * @segs: how many
 * @rtt_ns: of their path, 0 if unknown
 */
void lapsmp_segpace_sample(struct lapsmp_segpace *p, u32 segs, u64 rtt_ns);

/* The next sample is worth as much as all before it. */
void lapsmp_segpace_forget(struct lapsmp_segpace *p);

/**
 * lapsmp_segpace_rate() - how fast to send a window
 * @p: the flow's
 * @cwnd_q16: segments, 16 fractional bits
 * @seg_bytes: of one on the wire
 * @line_rate: bytes/s, upper bound
 *
 * Return: bytes/s, or 0: nothing is known.
 */
u64 lapsmp_segpace_rate(const struct lapsmp_segpace *p, u64 cwnd_q16, u32 seg_bytes,
			u64 line_rate);

/**
 * lapsmp_segpace_short() - how fast to send by a path that is shorter than the mean
 * @rate: what lapsmp_segpace_rate() said, bytes/s
 * @mean_ns: the round trip that it is for
 * @rtt_ns: that of what is sent by this path
 * @line_rate: bytes/s, upper bound
 *
 * Return: bytes/s; @rate, if the path's round trip is not less than half of the mean.
 */
u64 lapsmp_segpace_short(u64 rate, u64 mean_ns, u64 rtt_ns, u64 line_rate);

#endif /* _LAPSMP_ALG_SEGPACE_H */
