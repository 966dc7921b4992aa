// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/sched_laps.c: which path gets more, what is avoided, and what the
 * end of a message is for. Laws and bounds, not the constants of the day.
 */
#include <kunit/test.h>

#include "sched_laps_set.h"

#define E1_SHARE	2689	/* of DRAWS: exp(-1) / (1 + exp(-1)) */

static const struct lapsmp_sched_ops *const both[] = {
	&lapsmp_sched_laps, &lapsmp_sched_laps_paper,
};

static void laps_ops_desc(const struct lapsmp_sched_ops *const *ops, char *desc)
{
	strscpy(desc, (*ops)->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(both, both, laps_ops_desc);

static void laps_equal_paths_get_equal_shares(struct kunit *test)
{
	const struct lapsmp_sched_ops *ops =
		*(const struct lapsmp_sched_ops *const *)test->param_value;
	u32 hits[SET_PATHS];
	struct sched_set s;
	int i;

	sched_set_init(&s);
	KUNIT_EXPECT_EQ(test, sched_set_hits(&s, ops, SET_PATHS * 1000, hits), 0);
	for (i = 0; i < SET_PATHS; i++)
		KUNIT_EXPECT_LE(test, abs((int)hits[i] - 1000), 2);
}

static void laps_share_falls_with_the_delay(struct kunit *test)
{
	const struct lapsmp_sched_ops *ops =
		*(const struct lapsmp_sched_ops *const *)test->param_value;
	u32 share, last = DRAWS / 2 + 1;
	struct sched_set s;
	s64 behind;

	for (behind = 0; behind < 16 * SET_T_NS; behind += SET_T_NS / 4) {
		laps_two_paths(&s);
		s.path[1].owd_ns += behind;
		share = laps_second(test, &s, ops);
		KUNIT_EXPECT_LE(test, share, last);
		last = share;
	}
	KUNIT_EXPECT_LE(test, last, 1);
}

static void laps_paper_share_is_that_of_equation_1(struct kunit *test)
{
	struct sched_set s;

	laps_two_paths(&s);
	s.path[1].owd_ns += SET_T_NS;
	KUNIT_EXPECT_LE(test, abs((int)laps_second(test, &s,
						   &lapsmp_sched_laps_paper) -
				  E1_SHARE), 5);
}

static void laps_slow_path_gets_less(struct kunit *test)
{
	struct sched_set s;
	u32 share;

	laps_two_paths(&s);
	sched_set_rate(&s, 1, SET_RATE / 4);
	s.path[0].inflight_segs = 10;
	s.path[1].inflight_segs = 10;
	share = laps_second(test, &s, &lapsmp_sched_laps);
	KUNIT_EXPECT_LT(test, share, DRAWS / 2);
	KUNIT_EXPECT_GT(test, share, 0);
}

/* Of paths that are alike, what differs by little is chance, and what differs by much is not. */
static void laps_alike_paths_get_equal_shares_of_little(struct kunit *test)
{
	static const struct { u64 first, second; u32 share; } c[] = {
		{ SET_RATE, SET_RATE, 5000 }, { SET_RATE, 9ULL * SET_RATE / 10, 5000 },
		{ SET_RATE, 3ULL * SET_RATE / 4, 5000 }, { 3ULL * SET_RATE / 4, SET_RATE, 5000 },
		/* 23/32 and 41/128 */
		{ SET_RATE, SET_RATE / 4, 3083 }, { SET_RATE / 4, SET_RATE, 6917 },
	};
	struct sched_set s;

	for (size_t i = 0; i < ARRAY_SIZE(c); i++) {
		laps_two_paths(&s);
		s.path[0].alike = true;
		s.path[1].alike = true;
		sched_set_rate(&s, 0, c[i].first);
		sched_set_rate(&s, 1, c[i].second);
		KUNIT_EXPECT_LE(test, abs((int)(laps_second(test, &s, &lapsmp_sched_laps) -
						c[i].share)), 5);
	}
}

/* Even draws are for flows that have such a path. */
static void laps_alike_paths_have_even_draws(struct kunit *test)
{
	struct sched_set s;

	laps_two_paths(&s);
	s.pick.rnd = 0;
	s.pick.even = U32_MAX;
	lapsmp_path_sum(&s.sum, s.path, s.pick.n);
	KUNIT_EXPECT_EQ(test, lapsmp_sched_laps.pick(s.priv, &s.pick), 0);
	s.path[0].alike = true;
	s.path[1].alike = true;
	lapsmp_path_sum(&s.sum, s.path, s.pick.n);
	KUNIT_EXPECT_EQ(test, lapsmp_sched_laps.pick(s.priv, &s.pick), 1);
	s.path[1].alike = false;
	lapsmp_path_sum(&s.sum, s.path, s.pick.n);
	KUNIT_EXPECT_EQ(test, lapsmp_sched_laps.pick(s.priv, &s.pick), 1);
}

/* What was configured has the rate that was measured, whatever there is beside it. */
static void laps_others_are_as_they_are(struct kunit *test)
{
	struct sched_set s;

	laps_two_paths(&s);
	s.path[0].alike = true;
	sched_set_rate(&s, 1, 9ULL * SET_RATE / 10);
	KUNIT_EXPECT_LE(test, abs((int)laps_second(test, &s, &lapsmp_sched_laps) - 4737), 5);
}

/* However slow: the only one without a queue must not round to nothing. */
static void laps_slowest_path_is_better_than_none(struct kunit *test)
{
	struct sched_set s;

	laps_two_paths(&s);
	sched_set_rate(&s, 1, 1);
	s.path[0].owd_ns += 1000 * SET_T_NS;
	KUNIT_EXPECT_GT(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
}

/* Only differences count: an offset of the clocks is in all delays alike. */
static void laps_common_offset_changes_nothing(struct kunit *test)
{
	const struct lapsmp_sched_ops *ops =
		*(const struct lapsmp_sched_ops *const *)test->param_value;
	static const s64 offset[] = { -1000000000000LL, -15000, 1000000000000LL };
	struct sched_set s;
	u32 share;
	size_t k;

	laps_two_paths(&s);
	s.path[1].owd_ns += SET_T_NS / 2;
	share = laps_second(test, &s, ops);
	for (k = 0; k < ARRAY_SIZE(offset); k++) {
		laps_two_paths(&s);
		s.path[0].owd_ns += offset[k];
		s.path[0].base_ns += offset[k];
		s.path[1].owd_ns += offset[k] + SET_T_NS / 2;
		s.path[1].base_ns += offset[k];
		KUNIT_EXPECT_EQ(test, laps_second(test, &s, ops), share);
	}
}

static void laps_beta_of_zero_is_random_spraying(struct kunit *test)
{
	const struct lapsmp_sched_ops *ops =
		*(const struct lapsmp_sched_ops *const *)test->param_value;
	struct sched_set s;

	laps_two_paths(&s);
	s.pick.beta_q8 = 0;
	s.pick.left_segs = 1;
	s.path[1].owd_ns += 1000 * SET_T_NS;
	KUNIT_EXPECT_LE(test, abs((int)laps_second(test, &s, ops) - DRAWS / 2), 1);
}

static void laps_unusable_path_is_never_picked(struct kunit *test)
{
	const struct lapsmp_sched_ops *ops =
		*(const struct lapsmp_sched_ops *const *)test->param_value;
	u32 hits[SET_PATHS];
	struct sched_set s;
	int i;

	sched_set_init(&s);
	/* Even if it is by far the best. */
	s.path[0].owd_ns = -1000 * SET_T_NS;
	s.path[0].usable = false;
	KUNIT_EXPECT_EQ(test, sched_set_hits(&s, ops, DRAWS, hits), 0);
	KUNIT_EXPECT_GE(test, hits[1], DRAWS / SET_PATHS);
	for (i = 0; i < SET_PATHS; i++)
		s.path[i].usable = false;
	KUNIT_EXPECT_EQ(test, sched_set_pick(&s, ops, 77), -1);
	s.pick.left_segs = 1;
	KUNIT_EXPECT_EQ(test, sched_set_pick(&s, ops, 77), -1);
}

static void laps_survives_garbage(struct kunit *test)
{
	const struct lapsmp_sched_ops *ops =
		*(const struct lapsmp_sched_ops *const *)test->param_value;
	struct sched_set s;

	sched_set_init(&s);
	KUNIT_EXPECT_EQ(test, sched_set_garbage_run(&s, ops, 20000), 0);
}

/* What LAPS lacks: own packets under way are known before they are measured. */
static void laps_own_packets_repel(struct kunit *test)
{
	u32 share, last = DRAWS / 2 + 1, segs;
	struct sched_set s;

	for (segs = 0; segs < 200; segs += 20) {
		laps_two_paths(&s);
		s.path[1].inflight_segs = segs;
		share = laps_second(test, &s, &lapsmp_sched_laps);
		KUNIT_EXPECT_LE(test, share, last);
		last = share;
	}
	KUNIT_EXPECT_LE(test, last, DRAWS / 100);
}

static void laps_own_packets_repel_less_from_a_fast_path(struct kunit *test)
{
	struct sched_set s;
	u32 slow, fast;

	laps_two_paths(&s);
	s.path[1].inflight_segs = 20;
	slow = laps_second(test, &s, &lapsmp_sched_laps);
	sched_set_rate(&s, 1, 10ULL * SET_RATE);
	fast = laps_second(test, &s, &lapsmp_sched_laps);
	KUNIT_EXPECT_GT(test, fast, slow);
}

static void laps_paper_ignores_own_packets_and_backoff(struct kunit *test)
{
	struct sched_set s;

	laps_two_paths(&s);
	s.path[1].inflight_segs = U32_MAX;
	s.path[1].backoff = 3;
	s.pick.left_segs = 1;
	KUNIT_EXPECT_LE(test, abs((int)laps_second(test, &s,
						   &lapsmp_sched_laps_paper) -
				  DRAWS / 2), 1);
}

struct backoff_case {
	const char *name;
	u8 backoff[2];
	u32 left_segs;
	u32 low;
	u32 high;
};

static const struct backoff_case backoff_cases[] = {
	{ "none", { 0, 0 }, U32_MAX, DRAWS / 2 - 1, DRAWS / 2 + 1 },
	{ "second", { 0, 1 }, U32_MAX, 0, 0 },
	{ "second, at the end", { 0, 1 }, 1, 0, 0 },
	{ "first", { 255, 0 }, U32_MAX, DRAWS, DRAWS },
	{ "first, at the end", { 255, 0 }, 1, DRAWS, DRAWS },
	{ "both", { 1, 1 }, U32_MAX, DRAWS / 2 - 1, DRAWS / 2 + 1 },
	{ "both, at the end", { 1, 1 }, 1, DRAWS / 2 - 1, DRAWS / 2 + 1 },
};

KUNIT_ARRAY_PARAM_DESC(backoff, backoff_cases, name);

static void laps_backoff_case(struct kunit *test)
{
	const struct backoff_case *c = test->param_value;
	struct sched_set s;
	u32 share;

	laps_two_paths(&s);
	s.path[0].backoff = c->backoff[0];
	s.path[1].backoff = c->backoff[1];
	s.pick.left_segs = c->left_segs;
	share = laps_second(test, &s, &lapsmp_sched_laps);
	KUNIT_EXPECT_GE(test, share, c->low);
	KUNIT_EXPECT_LE(test, share, c->high);
}

struct unheard_case {
	const char *name;
	bool heard[2];
	u32 inflight[2];
	bool first;
	u32 left_segs;
	u32 low;
	u32 high;
};

static const struct unheard_case unheard_cases[] = {
	{ "neither", { false, false }, { 9, 9 }, false, U32_MAX, DRAWS / 2 - 1,
	  DRAWS / 2 + 1 },
	{ "neither, but it is waited for", { false, false }, { 9, 9 }, true,
	  U32_MAX, DRAWS / 2 - 1, DRAWS / 2 + 1 },
	{ "second, not asked", { true, false }, { 9, 0 }, false, U32_MAX, 1,
	  DRAWS },
	{ "second, asked once", { true, false }, { 9, 1 }, false, U32_MAX, 1,
	  DRAWS },
	{ "second, asked", { true, false }, { 9, 2 }, false, U32_MAX, 0, 0 },
	{ "second, near the end", { true, false }, { 9, 0 }, false, 3, 1, DRAWS },
	{ "second, at the end", { true, false }, { 9, 0 }, false, 2, 0, 0 },
	{ "second, asked, at the end", { true, false }, { 9, 2 }, false, 1, 0,
	  0 },
	{ "second, for what is waited for", { true, false }, { 9, 0 }, true,
	  U32_MAX, 0, 0 },
	{ "first, asked", { false, true }, { 2, 9 }, false, U32_MAX, DRAWS,
	  DRAWS },
	{ "both answered", { true, true }, { 9, 9 }, true, U32_MAX,
	  DRAWS / 2 - 1, DRAWS / 2 + 1 },
};

KUNIT_ARRAY_PARAM_DESC(unheard, unheard_cases, name);

/* A path that has not answered yet may be a long one. */
static void laps_unheard_case(struct kunit *test)
{
	const struct unheard_case *c = test->param_value;
	struct sched_set s;
	u32 share;
	int i;

	laps_two_paths(&s);
	for (i = 0; i < 2; i++) {
		if (!c->heard[i])
			s.path[i].pipe_ns = 0;
		s.path[i].inflight_segs = c->inflight[i];
	}
	s.pick.first = c->first;
	s.pick.left_segs = c->left_segs;
	share = laps_second(test, &s, &lapsmp_sched_laps);
	KUNIT_EXPECT_GE(test, share, c->low);
	KUNIT_EXPECT_LE(test, share, c->high);
}

/* Before an answer no delay is known, and none is a queue. */
static void laps_unheard_path_has_no_queue(struct kunit *test)
{
	struct sched_set s;

	laps_two_paths(&s);
	s.path[0].pipe_ns = 0;
	s.path[1].pipe_ns = 0;
	s.path[1].owd_ns += 16 * SET_T_NS;
	KUNIT_EXPECT_LE(test, abs((int)laps_second(test, &s, &lapsmp_sched_laps) - DRAWS / 2),
			1);
}

struct tail_case {
	const char *name;
	s64 behind_ns;		/* of the second path, base and delay */
	u32 inflight[2];
	u64 rate[2];		/* 0: as it is */
	bool second;
};

static const struct tail_case tail_cases[] = {
	{ "the shorter path", 1000, { 0, 0 }, {}, false },
	{ "the longer one if the shorter has a queue of ours", 1000, { 40, 0 },
	  {}, true },
	{ "not for a queue that is shorter than the way around", 50000,
	  { 20, 0 }, {}, false },
	{ "the faster of equally long ones", 0, { 0, 0 }, { 0, 12500000000ULL },
	  true },
	{ "a slow path whose one segment takes long", 1000, { 0, 0 },
	  { 1250000, 0 }, true },
};

KUNIT_ARRAY_PARAM_DESC(tail, tail_cases, name);

/* The last segment goes where it arrives first, whatever is drawn. */
static void laps_tail_case(struct kunit *test)
{
	const struct tail_case *c = test->param_value;
	struct sched_set s;
	int i;

	laps_two_paths(&s);
	s.path[1].base_ns += c->behind_ns;
	s.path[1].owd_ns += c->behind_ns;
	for (i = 0; i < 2; i++) {
		s.path[i].inflight_segs = c->inflight[i];
		if (c->rate[i])
			sched_set_rate(&s, i, c->rate[i]);
	}
	s.pick.left_segs = 1;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps),
			c->second ? DRAWS : 0);
}

/* Hosts that all prefer the first of equals would meet there. */
static void laps_tail_on_equal_paths_is_spread(struct kunit *test)
{
	u32 hits[SET_PATHS];
	struct sched_set s;
	int i;

	sched_set_init(&s);
	s.pick.left_segs = 1;
	sched_set_hits(&s, &lapsmp_sched_laps, SET_PATHS * 100, hits);
	for (i = 0; i < SET_PATHS; i++)
		KUNIT_EXPECT_LE(test, abs((int)hits[i] - 100), 1);
}

/*
 * A message on a long and a short path: while there is much to send both are
 * used, and its end never goes over the long one.
 */
static void laps_long_path_is_for_the_beginning(struct kunit *test)
{
	struct sched_set s;

	laps_two_paths(&s);
	s.path[1].base_ns += SET_T_NS;
	s.path[1].owd_ns += SET_T_NS;
	s.pick.left_segs = 1000000;
	KUNIT_EXPECT_GT(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
	s.pick.left_segs = 2;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
	/* The end is not known: more may come. */
	s.pick.left_segs = U32_MAX;
	KUNIT_EXPECT_GT(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
}

static struct kunit_case sched_laps_test_cases[] = {
	KUNIT_CASE_PARAM(laps_equal_paths_get_equal_shares, both_gen_params),
	KUNIT_CASE_PARAM(laps_share_falls_with_the_delay, both_gen_params),
	KUNIT_CASE_PARAM(laps_common_offset_changes_nothing, both_gen_params),
	KUNIT_CASE_PARAM(laps_beta_of_zero_is_random_spraying, both_gen_params),
	KUNIT_CASE_PARAM(laps_unusable_path_is_never_picked, both_gen_params),
	KUNIT_CASE_PARAM(laps_survives_garbage, both_gen_params),
	KUNIT_CASE(laps_paper_share_is_that_of_equation_1),
	KUNIT_CASE(laps_slow_path_gets_less),
	KUNIT_CASE(laps_alike_paths_get_equal_shares_of_little),
	KUNIT_CASE(laps_alike_paths_have_even_draws),
	KUNIT_CASE(laps_others_are_as_they_are),
	KUNIT_CASE(laps_slowest_path_is_better_than_none),
	KUNIT_CASE(laps_own_packets_repel),
	KUNIT_CASE(laps_own_packets_repel_less_from_a_fast_path),
	KUNIT_CASE(laps_paper_ignores_own_packets_and_backoff),
	KUNIT_CASE_PARAM(laps_backoff_case, backoff_gen_params),
	KUNIT_CASE_PARAM(laps_unheard_case, unheard_gen_params),
	KUNIT_CASE(laps_unheard_path_has_no_queue),
	KUNIT_CASE_PARAM(laps_tail_case, tail_gen_params),
	KUNIT_CASE(laps_tail_on_equal_paths_is_spread),
	KUNIT_CASE(laps_long_path_is_for_the_beginning),
	{}
};

struct kunit_suite lapsmp_sched_laps_suite = {
	.name = "lapsmp_sched_laps",
	.test_cases = sched_laps_test_cases,
};
