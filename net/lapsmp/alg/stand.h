/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_STAND_H
#define _LAPSMP_ALG_STAND_H

#include <linux/types.h>

/* A queue counts for 1/8 of what it is at most. */
#define LAPSMP_STAND_MAX	3

/**
 * struct lapsmp_stand - how much of a flow's yielding is left beside others that do not yield
 * @since_ns: when @shift was changed, or a path had room last; in a pause, or after all were
 *	silent together, when it begins to count
 * @heard_ns: newest sample
 * @shift: a queue counts for 1 / 2^this of what it is, up to LAPSMP_STAND_MAX
 * @pressed: all paths were full, and something was lost or marked, since @since_ns
 * @way: round trips of the data segments acknowledged since then, together; of 256 ns,
 *	and at U32_MAX at least
 */
struct lapsmp_stand {
	u64	since_ns;
	u64	heard_ns;
	u8	shift;
	bool	pressed;
	u32	way;
};

/**
 * struct lapsmp_stand_sample - what an acknowledgment or a timeout says
 * @now_ns: monotonic
 * @T_ns: base and margin of the flow's longest path; below 0 is 0
 * @full: all of the flow's paths have more than their margin
 * @pressed: something was lost or marked
 * @acked_segs: data segments newly acknowledged
 * @rtt_ns: their round-trip time
 * @refill: all who send there were silent together, and queues are only coming back
 * @rnd: then 32 uniform random bits, new for each
 */
struct lapsmp_stand_sample {
	u64	now_ns;
	s64	T_ns;
	bool	full;
	bool	pressed;
	u32	acked_segs;
	u64	rtt_ns;
	bool	refill;
	u32	rnd;
};

/* Context: whoever owns @st. */
void lapsmp_stand_update(struct lapsmp_stand *st, const struct lapsmp_stand_sample *s);

#endif /* _LAPSMP_ALG_STAND_H */
