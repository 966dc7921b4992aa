/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Paths of unlike lengths and rates, and how soon whole segments can all arrive over them: each
 * where it arrives first, which is best where all may be sent at once.
 */
#ifndef _LAPSMP_TESTS_DEAL_SET_H
#define _LAPSMP_TESTS_DEAL_SET_H

#include "sched_set.h"

#define DEAL_MS		1000000LL
#define DEAL_LENGTHS	21

/* Up to 6 paths of 2 to 200 Mbit/s and up to 20 ms, with up to 300 segments to send. */
static inline void deal_any(struct sched_set *s, u64 *seed)
{
	static const u64 rates[] = { 250000, 2500000, 6250000, 25000000 };
	u16 i;

	sched_set_init(s);
	s->pick.n = 1 + lcg_below(seed, 6);
	s->pick.left_segs = 1 + lcg_below(seed, 300);
	/* The tail is up to its end. */
	s->pick.t_ns = 1000000 * DEAL_MS;
	for (i = 0; i < s->pick.n; i++) {
		s->path[i].base_ns = lcg_below(seed, DEAL_LENGTHS) * DEAL_MS;
		s->path[i].owd_ns = s->path[i].base_ns;
		s->path[i].pipe_ns = 2 * s->path[i].base_ns + 1;
		s->path[i].margin_ns = DEAL_MS;
		s->path[i].clear_ns = s->pick.now_ns;
		sched_set_rate(s, i, rates[lcg_below(seed, ARRAY_SIZE(rates))]);
	}
}

static inline u64 deal_seg_ns(const struct sched_set *s, u16 i)
{
	return s->path[i].seg_ns_q8 >> 8;
}

/* Return: when the last has arrived. */
static inline u64 deal_best(const struct sched_set *s)
{
	u64 busy_ns[SET_PATHS] = {}, end_ns = 0, ns;
	u32 left = s->pick.left_segs;
	u16 i, best;

	while (left--) {
		best = 0;
		for (i = 1; i < s->pick.n; i++)
			if (s->path[i].base_ns + busy_ns[i] + deal_seg_ns(s, i) <
			    s->path[best].base_ns + busy_ns[best] + deal_seg_ns(s, best))
				best = i;
		busy_ns[best] += deal_seg_ns(s, best);
		ns = s->path[best].base_ns + busy_ns[best];
		end_ns = max(end_ns, ns);
	}
	return end_ns;
}

#endif /* _LAPSMP_TESTS_DEAL_SET_H */
