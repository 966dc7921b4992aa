/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of paths and a question, for the tests of schedulers: eight equal paths
 * of 10 Gbit/s and 10 us, of which a test changes what it is about.
 */
#ifndef _LAPSMP_TESTS_SCHED_SET_H
#define _LAPSMP_TESTS_SCHED_SET_H

#include <linux/kernel.h>
#include <linux/string.h>

#include "../alg/arith.h"
#include "../alg/policy.h"
#include "lcg.h"

#define SET_PATHS	8
#define SET_BASE_NS	10000
#define SET_T_NS	20000
#define SET_BETA_Q8	256
#define SET_SWING_ROOT	122	/* root of margin_ns + pipe_ns / 4 */
#define SET_RATE	1250000000
#define SET_SEG_BYTES	1514

/**
 * struct sched_set - what a scheduler is asked
 * @path: the paths; ids are 100, 101...
 * @sum: of these, made for each question
 * @w: scratch for the scheduler
 * @pick: the question; @pick.n may be lowered
 * @priv: the scheduler's own memory
 */
struct sched_set {
	struct lapsmp_path_view path[SET_PATHS];
	struct lapsmp_path_sum sum;
	u32 w[SET_PATHS];
	struct lapsmp_pick pick;
	u64 priv[LAPSMP_SCHED_PRIV / 8];
};

static inline void sched_set_init(struct sched_set *s)
{
	u16 i;

	memset(s, 0, sizeof(*s));
	for (i = 0; i < SET_PATHS; i++)
		s->path[i] = (struct lapsmp_path_view){
			.id = 100 + i,
			.usable = true,
			.owd_ns = SET_BASE_NS,
			.base_ns = SET_BASE_NS,
			.margin_ns = SET_T_NS - SET_BASE_NS,
			.pipe_ns = 2 * SET_BASE_NS,
			.swing_root = SET_SWING_ROOT,
			.swing_inv = lapsmp_arith_inverse(SET_SWING_ROOT),
			.rate = SET_RATE,
			.seg_bytes = SET_SEG_BYTES,
			/* All that is under way stands in its queue. */
			.clear_ns = S64_MAX,
			.seg_ns_q8 = lapsmp_arith_seg_ns_q8(SET_SEG_BYTES, SET_RATE),
		};
	s->pick = (struct lapsmp_pick){
		.paths = s->path,
		.sum = &s->sum,
		.n = SET_PATHS,
		.t_ns = SET_T_NS,
		.left_segs = U32_MAX,
		.room_segs = U32_MAX,
		.beta_q8 = SET_BETA_Q8,
		.now_ns = 1,
		.w = s->w,
	};
}

/* A path's rate, and what follows from it. */
static inline void sched_set_rate(struct sched_set *s, u16 i, u64 rate)
{
	s->path[i].rate = rate;
	s->path[i].seg_ns_q8 = lapsmp_arith_seg_ns_q8(SET_SEG_BYTES, rate);
}

/* What @ops picks for this random number. */
static inline int sched_set_pick(struct sched_set *s,
				 const struct lapsmp_sched_ops *ops, u32 rnd)
{
	s->pick.rnd = rnd;
	s->pick.even = rnd;
	lapsmp_path_sum(&s->sum, s->path, s->pick.n);
	return ops->pick(s->priv, &s->pick);
}

/*
 * Picks with @n random numbers that cover all evenly, so that shares come out
 * exact. Return: how many picks were no usable path.
 */
static inline u32 sched_set_hits(struct sched_set *s,
				 const struct lapsmp_sched_ops *ops, u32 n,
				 u32 *hits)
{
	u32 k, wrong = 0;
	int i;

	memset(hits, 0, SET_PATHS * sizeof(*hits));
	for (k = 0; k < n; k++) {
		i = sched_set_pick(s, ops, ((u64)k << 32) / n);
		if (i < 0 || i >= s->pick.n || !s->path[i].usable)
			wrong++;
		else
			hits[i]++;
	}
	return wrong;
}

/* One of the values that break things. */
static inline u64 sched_set_extreme(u64 *seed)
{
	static const u64 v[] = { 0, 1, S64_MAX, 1ULL << 63, U64_MAX, 1000,
				 1ULL << 32, U32_MAX, S64_MAX / 2, 1ULL << 62 };

	return v[lcg_below(seed, ARRAY_SIZE(v))];
}

/* Paths and a question of which nothing makes sense, except that one is usable. */
static inline void sched_set_garbage(struct sched_set *s, u64 *seed)
{
	u16 i;

	s->pick.n = 1 + lcg_below(seed, SET_PATHS);
	s->pick.t_ns = sched_set_extreme(seed);
	s->pick.beta_q8 = sched_set_extreme(seed);
	s->pick.left_segs = sched_set_extreme(seed);
	s->pick.room_segs = sched_set_extreme(seed);
	s->pick.passes = lcg_below(seed, 2);
	s->pick.first = lcg_below(seed, 2);
	s->pick.now_ns = sched_set_extreme(seed);
	s->pick.flow_hash = sched_set_extreme(seed);
	for (i = 0; i < s->pick.n; i++)
		s->path[i] = (struct lapsmp_path_view){
			.id = sched_set_extreme(seed),
			.usable = lcg_below(seed, 2),
			.backoff = lcg_below(seed, 3) * 127,
			.owd_ns = sched_set_extreme(seed),
			.base_ns = sched_set_extreme(seed),
			.margin_ns = sched_set_extreme(seed),
			.pipe_ns = sched_set_extreme(seed),
			.swing_root = sched_set_extreme(seed),
			.swing_inv = sched_set_extreme(seed),
			.inflight_segs = sched_set_extreme(seed),
			.rate = sched_set_extreme(seed) | 1,
			.seg_bytes = (u32)sched_set_extreme(seed) | 1,
			.seg_ns_q8 = sched_set_extreme(seed),
			.weight = sched_set_extreme(seed),
			.lean_q16 = sched_set_extreme(seed),
			.price_q16 = sched_set_extreme(seed),
			.alike = lcg_below(seed, 2),
			.heard_ns = sched_set_extreme(seed),
			.clear_ns = sched_set_extreme(seed),
		};
	s->path[lcg_below(seed, s->pick.n)].usable = true;
}

/* Return: how many of @n questions of garbage got no usable path. */
static inline u32 sched_set_garbage_run(struct sched_set *s,
					const struct lapsmp_sched_ops *ops,
					u32 n)
{
	u32 wrong = 0;
	u64 seed = 7;
	int i;

	while (n--) {
		sched_set_garbage(s, &seed);
		i = sched_set_pick(s, ops, lcg_next(&seed));
		wrong += i < 0 || i >= s->pick.n || !s->path[i].usable;
	}
	return wrong;
}

#endif /* _LAPSMP_TESTS_SCHED_SET_H */
