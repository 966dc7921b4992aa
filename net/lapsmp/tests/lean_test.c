// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/lean.c: who is left alone, how fast, and that it is forgotten. */
#include <kunit/test.h>

#include "../alg/softmax.h"
#include "lcg.h"
#include "lean_set.h"

static void lean_leaves_the_fuller_path(struct kunit *test)
{
	static const u64 queue_ns[PATHS] = { SWING_NS, 0, 0 };
	struct lean_set l;

	lean_init(&l);
	lean_run(&l, queue_ns, 400);
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_MAX);
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[1]), 0);
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[2]), 0);
}

struct gain_case {
	const char *name;
	u32 gain_q8;
	u32 rtts;	/* without a pause, until then */
	u32 pause;	/* round trips, after as many */
	u32 most;	/* in one round trip, in 1/100 of what the gain says */
	u32 least;
};

static const struct gain_case gain_cases[] = {
	{ "two thirds of it after 32 round trips", 16, 32, 0, 69, 62 },
	{ "half after 64", 16, 64, 0, 52, 46 },
	{ "a third after 128", 16, 128, 0, 35, 31 },
	{ "a quarter after 192", 16, 192, 0, 26, 23 },
	{ "an eighth after 448", 16, 448, 0, 13, 11 },
	{ "and no less", 16, 900, 0, 13, 11 },
	{ "however small it is", 1, 900, 0, 13, 11 },
	{ "nor after a pause that is none", 16, 900, 3, 13, 11 },
	{ "a pause makes it new", 16, 900, 5, 69, 62 },
};

KUNIT_ARRAY_PARAM_DESC(gain, gain_cases, name);

/* Two thirds of a swing more than the mean, the gain's part of that in a round trip. */
static void lean_moves_as_its_gain_says(struct kunit *test)
{
	static const u64 queue_ns[PATHS] = { SWING_NS, 0, 0 };
	const struct gain_case *c = test->param_value;
	u32 full_q28 = (c->gain_q8 * (2 * LAPSMP_LEAN_ONE / 3 - LAPSMP_LEAN_ONE / 128)) << 4;
	struct lean_set l;

	lean_init(&l);
	l.s.gain_q8 = c->gain_q8;
	lean_run(&l, queue_ns, c->rtts);
	if (c->pause) {
		l.s.now_ns += (c->pause - 1) * RTT_NS;
		lean_run(&l, queue_ns, 32);
	}
	/* Far from the most, and there is nothing to forget. */
	l.path[0].q28 = 0;
	lean_run(&l, queue_ns, 1);
	KUNIT_EXPECT_LE(test, l.path[0].q28, full_q28 / 100 * c->most);
	KUNIT_EXPECT_GE(test, l.path[0].q28, full_q28 / 100 * c->least);
}

struct rest_case {
	const char *name;
	u32 cost;
	u32 least;
	u32 detour_q8;
	u32 rest_q28;
};

static const struct rest_case rest_cases[] = {
	{ "the cheapest", 4, 4, 2048, 0 },
	{ "of no known cost", 0, 4, 2048, 0 },
	{ "nobody has a cost", 7, 0, 2048, 0 },
	{ "a quarter more", 5, 4, 2048, 2 << 28 },
	{ "an eighth more, in other units", 9000, 8000, 2048, 1 << 28 },
	{ "at most four", 8, 4, 2048, 4ULL << 28 },
	{ "never", 8, 4, 0, 0 },
	{ "the largest", U32_MAX, 1, U32_MAX, 4ULL << 28 },
	{ "hardly more", U32_MAX, U32_MAX - 1, 2048, 0 },
};

KUNIT_ARRAY_PARAM_DESC(rest, rest_cases, name);

static void lean_rest_case(struct kunit *test)
{
	const struct rest_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_lean_rest(c->cost, c->least, c->detour_q8),
			c->rest_q28);
}

/* A detour is left from the beginning, taken when it is needed, and left again. */
static void lean_comes_back_to_its_rest(struct kunit *test)
{
	static const u64 full[PATHS] = { 0, SWING_NS, SWING_NS };
	static const u64 idle[PATHS] = { 0, 0, 0 };
	u32 rest_q28 = lapsmp_lean_rest(5, 4, 2048);
	struct lean_set l;

	lean_init(&l);
	l.path[0].q28 = rest_q28;
	l.s.rest_q28 = rest_q28;
	lean_run(&l, idle, 100);
	KUNIT_EXPECT_EQ(test, l.path[0].q28, rest_q28);
	lean_run(&l, full, 100);
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[0]), 0);
	lean_run(&l, idle, 8 * 1024);
	KUNIT_EXPECT_GT(test, lapsmp_lean_q16(&l.path[0]), 2 * LAPSMP_LEAN_ONE * 99 / 100);
	KUNIT_EXPECT_LE(test, l.path[0].q28, rest_q28);
}

/* However much there is: what all paths have is no reason to prefer one. */
static void lean_rests_where_all_are_equally_full(struct kunit *test)
{
	static const u64 queue_ns[PATHS] = { 20 * SWING_NS, 20 * SWING_NS,
					     20 * SWING_NS };
	struct lean_set l;
	int i;

	lean_init(&l);
	lean_run(&l, queue_ns, 1000);
	for (i = 0; i < PATHS; i++)
		KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[i]), 0);
}

static void lean_comes_back_to_an_emptier_path(struct kunit *test)
{
	static const u64 full[PATHS] = { SWING_NS, 0, 0 };
	static const u64 empty[PATHS] = { 0, SWING_NS, SWING_NS };
	struct lean_set l;

	lean_init(&l);
	lean_run(&l, full, 400);
	lean_run(&l, empty, 400);
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[0]), 0);
	KUNIT_EXPECT_GT(test, lapsmp_lean_q16(&l.path[1]), LAPSMP_LEAN_ONE);
}

/* 1024 round trips of empty paths leave 1/e, eight times as many where all have a queue. */
static void lean_forgets(struct kunit *test)
{
	static const u64 full[PATHS] = { SWING_NS, 0, 0 };
	static const u64 idle[PATHS] = { 0, 0, 0 };
	static const u64 even[PATHS] = { SWING_NS, SWING_NS, SWING_NS };
	struct lean_set l;

	lean_init(&l);
	lean_run(&l, even, 800);
	l.path[0].q28 = LAPSMP_LEAN_MAX << 12;
	lean_run(&l, even, 1024);
	KUNIT_EXPECT_GT(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_MAX * 86 / 100);
	lean_run(&l, even, 7 * 1024);
	KUNIT_EXPECT_GT(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_MAX * 35 / 100);
	KUNIT_EXPECT_LT(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_MAX * 39 / 100);

	lean_init(&l);
	lean_run(&l, full, 400);
	/* Until the mean has followed. */
	lean_run(&l, idle, 200);
	l.path[0].q28 = LAPSMP_LEAN_MAX << 12;
	l.mean.queue_q16 = 0;
	lean_run(&l, idle, 1024);
	KUNIT_EXPECT_GT(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_MAX * 35 / 100);
	KUNIT_EXPECT_LT(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_MAX * 39 / 100);
	/* All at once, if nothing was sent for as long. */
	l.s.now_ns += 1024 * RTT_NS;
	lean_run(&l, idle, 1);
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[0]), 0);
}

/* A sample after a pause is not taken for all of the pause. */
static void lean_does_not_believe_one_sample_for_long(struct kunit *test)
{
	static const u64 idle[PATHS] = { 0, 0, 0 };
	static const u64 full[PATHS] = { 1000 * SWING_NS, 0, 0 };
	struct lean_set l;

	lean_init(&l);
	lean_run(&l, idle, 10);
	l.s.now_ns += 500 * RTT_NS;
	lean_run(&l, full, 1);
	/* Of a mean that begins with it, it differs by nothing; then by one round trip's. */
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[0]), 0);
	lean_run(&l, full, 1);
	KUNIT_EXPECT_LE(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_ONE / 2);
	KUNIT_EXPECT_GT(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_ONE * 48 / 100);
}

static void lean_without_gain_is_none(struct kunit *test)
{
	static const u64 full[PATHS] = { SWING_NS, 0, 0 };
	struct lean_set l;

	lean_init(&l);
	lean_run(&l, full, 400);
	l.s.gain_q8 = 0;
	lean_run(&l, full, 1);
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[0]), 0);
}

static u32 lean_weight(const struct lapsmp_lean *l, u64 queue_ns)
{
	return lapsmp_softmax_exp(lapsmp_lean_q16(l) +
				  div_u64(queue_ns * LAPSMP_LEAN_ONE, SWING_NS));
}

/*
 * As the scheduler has it: shares follow queues and lean, queues follow shares. Two
 * flows, one of which has both links and the other the first one only; a link carries
 * 1, the flow with both sends 1, the other 0.6: 0.4 is left on the first link. Return:
 * the longest queue there is to keep it at that.
 */
static s64 lean_queue_of_sharing(struct kunit *test, struct lean_set *l, u32 gain_q8)
{
	s64 queue_ns[2] = { 0, 0 }, share_q16, high_ns = 0;
	u32 round, i;

	lean_init(l);
	l->s.gain_q8 = gain_q8;
	for (round = 0; round < 4000; round++) {
		u32 w0 = lean_weight(&l->path[0], queue_ns[0]);
		u32 w1 = lean_weight(&l->path[1], queue_ns[1]);

		share_q16 = div_u64((u64)w0 << 16, w0 + w1);
		/* What comes beyond the rate in a quarter of a round trip. */
		queue_ns[0] += (((s64)RTT_NS / 4) * (share_q16 + 39322 - 65536)) >> 16;
		queue_ns[1] += (((s64)RTT_NS / 4) * (-share_q16)) >> 16;
		l->s.now_ns += RTT_NS / 4;
		for (i = 0; i < 2; i++) {
			queue_ns[i] = clamp_t(s64, queue_ns[i], 0, 4 * SWING_NS);
			l->s.queue_ns = queue_ns[i];
			lapsmp_lean_update(&l->path[i], &l->mean, &l->s);
		}
		if (round < 3000)
			continue;
		high_ns = max(high_ns, queue_ns[0]);
		KUNIT_EXPECT_GT(test, share_q16, 65536 * 35 / 100);
		KUNIT_EXPECT_LT(test, share_q16, 65536 * 45 / 100);
	}
	return high_ns;
}

static void lean_shares_with_who_has_no_choice(struct kunit *test)
{
	struct lean_set l;

	/* 0.4 of a swing, ln(0.6 / 0.4), without it. */
	KUNIT_EXPECT_GT(test, lean_queue_of_sharing(test, &l, 0), SWING_NS * 35 / 100);
	KUNIT_EXPECT_LT(test, lean_queue_of_sharing(test, &l, 64), SWING_NS * 15 / 100);
}

/* A path that fills is no fuller than it was, if there is no other. */
static void lean_of_a_path_alone_is_none(struct kunit *test)
{
	struct lean_set l;
	u32 k;

	lean_init(&l);
	for (k = 0; k < 1000; k++) {
		l.s.now_ns += RTT_NS / 10;
		l.s.queue_ns = k * SWING_NS / 50;
		lapsmp_lean_update(&l.path[0], &l.mean, &l.s);
	}
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[0]), 0);
}

/* A part of a packet is no difference. */
static void lean_ignores_what_is_noise(struct kunit *test)
{
	static const u64 noise[PATHS] = { SWING_NS / 100, 0, 0 };
	static const u64 queue_ns[PATHS] = { SWING_NS / 40, 0, 0 };
	struct lean_set l;

	lean_init(&l);
	lean_run(&l, noise, 2000);
	KUNIT_EXPECT_EQ(test, lapsmp_lean_q16(&l.path[0]), 0);
	lean_run(&l, queue_ns, 2000);
	KUNIT_EXPECT_GT(test, lapsmp_lean_q16(&l.path[0]), 0);
}

static void lean_of_garbage_stays_in_range(struct kunit *test)
{
	static const u64 v[] = { 0, 1, U64_MAX, S64_MAX, 1ULL << 63, U32_MAX,
				 1ULL << 32, 1000, 1ULL << 36 };
	struct lean_set l;
	u64 seed = 5;
	int k;

	lean_init(&l);
	for (k = 0; k < 20000; k++) {
		l.s.now_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		l.s.queue_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		l.s.margin_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		l.s.rtt_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		l.s.rest_q28 = min_t(u64, v[lcg_below(&seed, ARRAY_SIZE(v))],
				     LAPSMP_LEAN_REST_MAX << 12);
		l.s.gain_q8 = v[lcg_below(&seed, ARRAY_SIZE(v))];
		/* Or there were no step any more after the latest time. */
		l.path[0].step_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		lapsmp_lean_update(&l.path[0], &l.mean, &l.s);
		KUNIT_ASSERT_LE(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_MAX);
	}
}

static struct kunit_case lean_cases[] = {
	KUNIT_CASE(lean_leaves_the_fuller_path),
	KUNIT_CASE_PARAM(lean_moves_as_its_gain_says, gain_gen_params),
	KUNIT_CASE_PARAM(lean_rest_case, rest_gen_params),
	KUNIT_CASE(lean_comes_back_to_its_rest),
	KUNIT_CASE(lean_rests_where_all_are_equally_full),
	KUNIT_CASE(lean_comes_back_to_an_emptier_path),
	KUNIT_CASE(lean_forgets),
	KUNIT_CASE(lean_does_not_believe_one_sample_for_long),
	KUNIT_CASE(lean_without_gain_is_none),
	KUNIT_CASE(lean_shares_with_who_has_no_choice),
	KUNIT_CASE(lean_of_a_path_alone_is_none),
	KUNIT_CASE(lean_ignores_what_is_noise),
	KUNIT_CASE(lean_of_garbage_stays_in_range),
	{}
};

struct kunit_suite lapsmp_lean_suite = {
	.name = "lapsmp_lean",
	.test_cases = lean_cases,
};
