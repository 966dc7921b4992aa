// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/sched_laps.c: what passes others in their queues (alg/express.h) sees only its
 * own, and takes paths that have not answered yet even for the last of a message.
 */
#include <kunit/test.h>

#include "sched_laps_set.h"

struct passes_case {
	const char *name;
	u32 left_segs;		/* 1: the last one, in the tail; U32_MAX: sprayed */
	u32 queue[2];		/* what others have there, segments */
	u32 inflight[2];	/* and what is ours */
	u32 low;		/* picks of the second, by what passes */
	u32 high;
};

static const struct passes_case passes_cases[] = {
	{ "others on the second", U32_MAX, { 0, 80 }, { 0, 0 }, DRAWS / 2 - 1, DRAWS / 2 + 1 },
	{ "others on the first", U32_MAX, { 80, 0 }, { 0, 0 }, DRAWS / 2 - 1, DRAWS / 2 + 1 },
	{ "ours on the second", U32_MAX, { 0, 0 }, { 0, 80 }, 0, DRAWS / 10 },
	{ "ours on the second, others on the first", U32_MAX, { 200, 0 }, { 0, 80 },
	  0, DRAWS / 10 },
	{ "others on the second, at the end", 1, { 0, 80 }, { 0, 0 },
	  DRAWS / 2 - 1, DRAWS / 2 + 1 },
	{ "others on the first, at the end", 1, { 80, 0 }, { 0, 0 },
	  DRAWS / 2 - 1, DRAWS / 2 + 1 },
	{ "others on the second, that we use, at the end", 1, { 0, 80 }, { 10, 10 },
	  DRAWS / 2 - 1, DRAWS / 2 + 1 },
	{ "ours on the second, at the end", 1, { 0, 0 }, { 0, 80 }, 0, 0 },
	{ "ours on the second, others on the first, at the end", 1, { 200, 0 }, { 0, 80 },
	  0, 0 },
	{ "a few more of ours, and many others, at the end", 1, { 0, 200 }, { 11, 10 },
	  DRAWS, DRAWS },
};

KUNIT_ARRAY_PARAM_DESC(passes, passes_cases, name);

/* Picks of the second path, with what others have there or without. */
static u32 laps_second_beside(struct kunit *test, const struct passes_case *c, bool passes,
			      bool others)
{
	struct sched_set s;
	int i;

	laps_two_paths(&s);
	s.pick.passes = passes;
	s.pick.left_segs = c->left_segs;
	for (i = 0; i < 2; i++) {
		s.path[i].inflight_segs = c->inflight[i];
		if (others)
			s.path[i].owd_ns += c->queue[i] * s.path[i].seg_ns_q8 >> 8;
	}
	return laps_second(test, &s, &lapsmp_sched_laps);
}

/* What passes meets its own only; to what does not, the others matter. */
static void laps_passes_case(struct kunit *test)
{
	const struct passes_case *c = test->param_value;
	u32 share = laps_second_beside(test, c, true, true);

	KUNIT_EXPECT_GE(test, share, c->low);
	KUNIT_EXPECT_LE(test, share, c->high);
	KUNIT_EXPECT_EQ(test, laps_second_beside(test, c, true, false), share);
	KUNIT_EXPECT_EQ(test, laps_second_beside(test, c, false, true) == share,
			!c->queue[0] && !c->queue[1]);
}

#define ANY	U32_MAX		/* no end is known: sprayed */
#define ALL	{ DRAWS, DRAWS }
#define SOME	{ 1, DRAWS - 1 }
#define NO	{ 0, 0 }

struct unheard_case {
	const char *name;
	bool heard;		/* the second has answered; the first has */
	s64 ahead_ns;		/* by which the second is planned shorter */
	u32 inflight[2];
	bool first;
	u32 left_segs;
	u32 passes[2];		/* picks of the second by what passes, from and to */
	u32 waits[2];		/* and by what does not */
};

static const struct unheard_case unheard_cases[] = {
	{ "shorter, the last", false, 5000, { 0, 0 }, false, 1, ALL, NO },
	{ "shorter, the last but one", false, 5000, { 0, 0 }, false, 2, ALL, NO },
	{ "shorter, of some", false, 5000, { 0, 0 }, false, 3, ALL, ALL },
	{ "shorter, of many", false, 5000, { 0, 0 }, false, ANY, SOME, SOME },
	{ "shorter, one under way", false, 5000, { 0, 1 }, false, 1, ALL, NO },
	{ "shorter, two under way", false, 5000, { 0, 2 }, false, 1, NO, NO },
	{ "shorter, two under way, of some", false, 5000, { 0, 2 }, false, 3, NO, NO },
	{ "shorter, two under way, of many", false, 5000, { 0, 2 }, false, ANY, NO, NO },
	{ "shorter, as many as can be", false, 5000, { 0, 1 << 22 }, false, 1, NO, NO },
	{ "beside a full one, two under way", false, 5000, { 100, 2 }, false, 1, NO, NO },
	{ "shorter, waited for", false, 5000, { 0, 0 }, true, 1, NO, NO },
	{ "shorter, waited for, of some", false, 5000, { 0, 0 }, true, 3, NO, NO },
	{ "shorter, waited for, of many", false, 5000, { 0, 0 }, true, ANY, NO, NO },
	{ "longer, the last", false, -5000, { 0, 0 }, false, 1, NO, NO },
	{ "longer beside a full one, the last", false, -5000, { 20, 0 }, false, 1, ALL, NO },
	{ "as long, the last", false, 0, { 0, 0 }, false, 1, SOME, NO },
	{ "as long, of many", false, 0, { 0, 0 }, false, ANY, SOME, SOME },
	{ "heard, the last", true, 5000, { 0, 0 }, false, 1, ALL, ALL },
	{ "heard, two under way", true, 5000, { 0, 2 }, false, 1, ALL, ALL },
	{ "heard, waited for", true, 5000, { 0, 2 }, true, 1, ALL, ALL },
};

KUNIT_ARRAY_PARAM_DESC(unheard, unheard_cases, name);

static void laps_passes_unheard_case(struct kunit *test)
{
	const struct unheard_case *c = test->param_value;
	const u32 *range;
	struct sched_set s;
	int passes, i;
	u32 share;

	for (passes = 0; passes < 2; passes++) {
		laps_two_paths(&s);
		s.path[1].base_ns -= c->ahead_ns;
		s.path[1].owd_ns -= c->ahead_ns;
		if (!c->heard)
			s.path[1].pipe_ns = 0;
		for (i = 0; i < 2; i++)
			s.path[i].inflight_segs = c->inflight[i];
		s.pick.passes = passes;
		s.pick.first = c->first;
		s.pick.left_segs = c->left_segs;
		share = laps_second(test, &s, &lapsmp_sched_laps);
		range = passes ? c->passes : c->waits;
		KUNIT_EXPECT_GE(test, share, range[0]);
		KUNIT_EXPECT_LE(test, share, range[1]);
	}
}

/* Each of them takes two, and then what has answered has the rest. */
static void laps_passes_two_on_each_unheard(struct kunit *test)
{
	u32 sent[SET_PATHS] = {}, left;
	struct sched_set s;
	int i;

	sched_set_init(&s);
	for (i = 1; i < SET_PATHS; i++) {
		s.path[i].pipe_ns = 0;
		s.path[i].base_ns -= 5000;
		s.path[i].owd_ns -= 5000;
	}
	s.pick.passes = true;
	for (left = 3 * SET_PATHS; left; left--) {
		s.pick.left_segs = left;
		i = sched_set_pick(&s, &lapsmp_sched_laps, left << 27);
		KUNIT_ASSERT_GE(test, i, 0);
		s.path[i].inflight_segs++;
		sent[i]++;
	}
	for (i = 1; i < SET_PATHS; i++)
		KUNIT_EXPECT_EQ(test, sent[i], 2);
	KUNIT_EXPECT_EQ(test, sent[0], SET_PATHS + 2);
}

/* Where none has answered, or all that have are in back-off, there is no choice. */
static void laps_passes_where_none_has_answered(struct kunit *test)
{
	struct sched_set s;

	laps_two_paths(&s);
	s.pick.passes = true;
	s.pick.first = true;
	s.pick.left_segs = 1;
	s.path[0].backoff = 1;
	s.path[1].pipe_ns = 0;
	s.path[1].inflight_segs = 9;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), DRAWS);
	s.path[0].backoff = 0;
	s.path[0].pipe_ns = 0;
	s.path[0].inflight_segs = 9;
	KUNIT_EXPECT_LE(test, abs((int)laps_second(test, &s, &lapsmp_sched_laps) - DRAWS / 2),
			1);
}

/* It is in no class of its own on a path in back-off. */
static void laps_passes_no_backoff(struct kunit *test)
{
	struct sched_set s;

	laps_two_paths(&s);
	s.pick.passes = true;
	s.path[1].backoff = 1;
	s.path[1].pipe_ns = 0;
	s.path[1].base_ns -= 5000;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
	s.pick.left_segs = 1;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
}

/* Of garbage: the same path whatever is seen, and the unheard only as they may be. */
static void laps_passes_survives_garbage(struct kunit *test)
{
	struct sched_set s;
	u64 seed = 11;
	int i, k, n;
	u32 rnd;

	sched_set_init(&s);
	for (n = 0; n < 20000; n++) {
		sched_set_garbage(&s, &seed);
		s.pick.passes = true;
		rnd = lcg_next(&seed);
		i = sched_set_pick(&s, &lapsmp_sched_laps, rnd);
		KUNIT_ASSERT_GE(test, i, 0);
		KUNIT_ASSERT_LT(test, i, s.pick.n);
		if (s.sum.heard && !s.path[i].pipe_ns) {
			KUNIT_ASSERT_FALSE(test, s.pick.first);
			KUNIT_ASSERT_LT(test, s.path[i].inflight_segs, 2);
		}
		for (k = 0; k < s.pick.n; k++)
			s.path[k].owd_ns = sched_set_extreme(&seed);
		KUNIT_ASSERT_EQ(test, sched_set_pick(&s, &lapsmp_sched_laps, rnd), i);
	}
}

static struct kunit_case sched_laps_passes_test_cases[] = {
	KUNIT_CASE_PARAM(laps_passes_case, passes_gen_params),
	KUNIT_CASE_PARAM(laps_passes_unheard_case, unheard_gen_params),
	KUNIT_CASE(laps_passes_two_on_each_unheard),
	KUNIT_CASE(laps_passes_where_none_has_answered),
	KUNIT_CASE(laps_passes_no_backoff),
	KUNIT_CASE(laps_passes_survives_garbage),
	{}
};

struct kunit_suite lapsmp_sched_laps_passes_suite = {
	.name = "lapsmp_sched_laps_passes",
	.test_cases = sched_laps_passes_test_cases,
};
