/* SPDX-License-Identifier: GPL-2.0 */
/* What one acknowledgment does to a window, by the queue on the path that it came by. */
#ifndef _LAPSMP_ALG_STEP_H
#define _LAPSMP_ALG_STEP_H

#include <linux/minmax.h>
#include <linux/types.h>

#include "arith.h"
#include "policy.h"

/* An acknowledgment names no more segments. */
#define LAPSMP_STEP_SEGS_MAX	65

/* Of @n segments acknowledged, marked, ...: what that is of @cwnd_q16, 16 fractional bits. */
static inline u64 lapsmp_step_share(u32 n, u64 cwnd_q16)
{
	/* Less than a segment is all that there is per round trip. */
	return min_t(u32, n, LAPSMP_STEP_SEGS_MAX) * min_t(u64, cwnd_q16, LAPSMP_SEG_Q16);
}

/**
 * lapsmp_step_over() - how much longer the path's queue is than its margin
 * @s: acknowledgment
 *
 * Return: ns, below 0 if there is room; -S64_MAX if the path's delays are not known.
 */
s64 lapsmp_step_over(const struct lapsmp_ack_sample *s);

/**
 * lapsmp_step_up() - what a window gains by a path with room
 * @cwnd_q16: window, segments with 16 fractional bits, not 0
 * @s: acknowledgment
 * @over_ns: of lapsmp_step_over(), up to 0
 * @stands: it is beside others that do not yield (stand.c)
 *
 * Return: segments, 16 fractional bits.
 */
u64 lapsmp_step_up(u64 cwnd_q16, const struct lapsmp_ack_sample *s, s64 over_ns, bool stands);

/**
 * lapsmp_step_add() - what a window gains for being one of several, whatever its size
 * @cwnd_q16: as above
 * @s: acknowledgment
 * @over_ns: from 0 on, as far as it counts
 * @stands: as above
 *
 * Return: segments, 16 fractional bits; it is a part of lapsmp_step_up().
 */
u64 lapsmp_step_add(u64 cwnd_q16, const struct lapsmp_ack_sample *s, u64 over_ns, bool stands);

/**
 * lapsmp_step_cut() - what a full path takes of a window
 * @cwnd_q16: as above
 * @s: acknowledgment, with a T and a round trip of its path
 * @over_ns: above 0, as far as it counts
 *
 * Return: segments, 16 fractional bits, at most half of the window.
 */
u64 lapsmp_step_cut(u64 cwnd_q16, const struct lapsmp_ack_sample *s, u64 over_ns);

#endif /* _LAPSMP_ALG_STEP_H */
