// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/lean.c: how long paths are, of each other and of what is between two samples, and
 * what their queues swing by.
 */
#include <kunit/test.h>

#include "lean_set.h"

/* However small a part of a round trip a sample stands for, it all adds up. */
static void lean_length_is_not_how_many_samples(struct kunit *test)
{
	static const u64 full[][PATHS] = { { SWING_NS, 0, 0 }, { 1000 * SWING_NS, 0, 0 } };
	static const u64 idle[PATHS] = { 0, 0, 0 };
	u32 many_q16, few_q16, i;
	struct lean_set l;

	for (i = 0; i < 2; i++) {
		lean_init(&l);
		l.s.rtt_ns = i ? 1000 * RTT_NS : RTT_NS;
		lean_run(&l, full[i], 30);
		few_q16 = lapsmp_lean_q16(&l.path[0]);
		l.mean.since_ns = l.s.now_ns;
		lean_run(&l, full[i], i ? 4000 : 4);
		many_q16 = lapsmp_lean_q16(&l.path[0]) - few_q16;
		/* Four round trips of 2/3 of a swing, less what does not count, and slower. */
		KUNIT_EXPECT_GT(test, many_q16, LAPSMP_LEAN_ONE * 52 / 100);
		KUNIT_EXPECT_LT(test, many_q16, LAPSMP_LEAN_ONE * 66 / 100);
	}
	/* It forgets, too, when a thousandth of a round trip is a sample. */
	l.path[0].q28 = LAPSMP_LEAN_ONE << 12;
	l.mean.queue_q16 = 0;
	lean_run(&l, idle, 100000);
	KUNIT_EXPECT_LT(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_ONE * 97 / 100);
	KUNIT_EXPECT_GT(test, lapsmp_lean_q16(&l.path[0]), LAPSMP_LEAN_ONE * 85 / 100);
}

struct long_case {
	const char *name;
	u64 queue_ns;	/* more than the mean's */
	u32 begin_q28;
	u32 least_q28;	/* after four round trips of steps that are an eighth */
	u32 most_q28;
};

/*
 * 28 fractional bits: four parts of 8192 are forgotten, or what 31/32 of a hundredth of
 * a swing are more than a 128th is learned, times 4 * 1/4 * 1/8.
 */
static const struct long_case long_cases[] = {
	{ "a tenth is forgotten", 0, 26843546, 26829500, 26831500 },
	{ "a hundredth, too", 0, 2684355, 2682900, 2683400 },
	{ "a hundredth of a swing is learned", 250 * US, 0, 60000, 65000 },
};

KUNIT_ARRAY_PARAM_DESC(long, long_cases, name);

/* Little is cut off where a hundred thousand samples are a round trip of 100 ms. */
static void lean_length_of_a_long_fat_path(struct kunit *test)
{
	const struct long_case *c = test->param_value;
	struct lean_set l;
	u32 k;

	lean_init(&l);
	l.s.rtt_ns = 10000 * RTT_NS;
	l.s.now_ns = 1000 * l.s.rtt_ns;
	l.path[0].q28 = c->begin_q28;
	for (k = 0; k < 400000; k++) {
		l.s.now_ns += US;
		l.s.queue_ns = 1000 * US + c->queue_ns;
		l.mean.queue_q16 = 1000 * US << 16;
		l.mean.since_ns = US;
		l.mean.at_ns = l.s.now_ns;
		lapsmp_lean_update(&l.path[0], &l.mean, &l.s);
	}
	KUNIT_EXPECT_GE(test, l.path[0].q28, c->least_q28);
	KUNIT_EXPECT_LE(test, l.path[0].q28, c->most_q28);
}

/* As much more than the mean is as much a reason, be it on a longer way or on a shorter one. */
static void lean_length_is_no_unit(struct kunit *test)
{
	static const u64 queue_ns[PATHS] = { SWING_NS, SWING_NS, 0 };
	struct lean_set l;
	u32 k, i;

	lean_init(&l);
	for (k = 0; k < 4; k++) {
		l.s.now_ns += 3 * RTT_NS;
		for (i = 0; i < PATHS; i++) {
			l.s.rtt_ns = (3 - i) * RTT_NS;
			l.s.queue_ns = queue_ns[i];
			lapsmp_lean_update(&l.path[i], &l.mean, &l.s);
		}
	}
	KUNIT_EXPECT_GT(test, l.path[0].q28, 0);
	/*
	 * Of the second half as many round trips again have gone by; the first one met the mean
	 * before it had risen.
	 */
	KUNIT_EXPECT_LT(test, abs((s32)(l.path[0].q28 / 2 * 3 - l.path[1].q28)),
			l.path[1].q28 / 16);
}

struct rare_case {
	const char *name;
	u32 rtts;	/* since the sample before */
	u32 worth;
};

static const struct rare_case rare_cases[] = {
	{ "one round trip", 1, 1 },
	{ "two", 2, 2 },
	{ "four", 4, 4 },
	{ "five", 5, 4 },
	{ "a thousand", 1000, 4 },
};

KUNIT_ARRAY_PARAM_DESC(rare, rare_cases, name);

/* A sample stands for as many round trips as it is the only one of, up to four. */
static void lean_length_of_a_pause(struct kunit *test)
{
	const struct rare_case *c = test->param_value;
	u32 once_q28, rest_q28 = LAPSMP_LEAN_REST_MAX << 12;
	struct lean_set l;
	u32 k;

	lean_init(&l);
	/* So that steps are as large as at the end, and are not less by the time that passes. */
	l.mean.since_ns = 1;
	l.s.now_ns = RTT_NS * 100000;
	l.s.rest_q28 = rest_q28;
	for (k = 0; k < 2; k++) {
		l.path[0] = (struct lapsmp_lean){
			.q28 = rest_q28,
			.step_ns = l.s.now_ns - (k ? c->rtts : 1) * RTT_NS,
		};
		/* Of others, just now. */
		l.mean.queue_q16 = SWING_NS << 16;
		l.mean.at_ns = l.s.now_ns;
		l.mean.long_ns = RTT_NS;
		l.mean.short_ns = RTT_NS;
		l.s.queue_ns = 0;
		lapsmp_lean_update(&l.path[0], &l.mean, &l.s);
		if (!k)
			once_q28 = rest_q28 - l.path[0].q28;
	}
	KUNIT_EXPECT_GT(test, once_q28, 0);
	KUNIT_EXPECT_EQ(test, (rest_q28 - l.path[0].q28 + once_q28 / 2) / once_q28, c->worth);
}

/* What a path may have is no difference either: with a margin of a swing it is half of one. */
static void lean_length_has_the_margin(struct kunit *test)
{
	static const u64 queue_ns[PATHS] = { SWING_NS, 0, 0 };
	struct lean_set l;
	u32 without_q28;

	lean_init(&l);
	lean_run(&l, queue_ns, 10);
	without_q28 = l.path[0].q28;
	lean_init(&l);
	l.s.margin_ns = SWING_NS;
	lean_run(&l, queue_ns, 10);
	KUNIT_EXPECT_GT(test, l.path[0].q28, without_q28 / 100 * 47);
	KUNIT_EXPECT_LT(test, l.path[0].q28, without_q28 / 100 * 51);
}

/* What is known of paths of 1 and of 100 round trips is not of the same time. */
static void lean_length_differs_by_much(struct kunit *test)
{
	static const u64 full[PATHS] = { SWING_NS, 0, 0 };
	static const u64 longer[PATHS] = { 4 * SWING_NS, 0, 0 };
	static const u64 idle[PATHS] = { 0, 0, 0 };
	u32 alike_q16, i;
	struct lean_set l;

	lean_init(&l);
	lean_run(&l, full, 50);
	alike_q16 = lapsmp_lean_q16(&l.path[0]);
	lean_init(&l);
	l.s.rtt_ns = 100 * RTT_NS;
	lean_run(&l, idle, 1);
	for (i = 0; i < PATHS; i++)
		l.path[i] = (struct lapsmp_lean){};
	l.s.rtt_ns = RTT_NS;
	lean_run(&l, longer, 50);
	KUNIT_EXPECT_LT(test, lapsmp_lean_q16(&l.path[0]), alike_q16 / 8);
	KUNIT_EXPECT_GT(test, lapsmp_lean_q16(&l.path[0]), 0);
	/* The longer one is not seen any more, and forgotten. */
	lean_run(&l, idle, 4000);
	KUNIT_EXPECT_LT(test, l.mean.long_ns, 2 * RTT_NS);
	KUNIT_EXPECT_EQ(test, l.mean.short_ns, RTT_NS);
}

static struct kunit_case lean_length_cases[] = {
	KUNIT_CASE(lean_length_is_not_how_many_samples),
	KUNIT_CASE_PARAM(lean_length_of_a_long_fat_path, long_gen_params),
	KUNIT_CASE(lean_length_is_no_unit),
	KUNIT_CASE_PARAM(lean_length_of_a_pause, rare_gen_params),
	KUNIT_CASE(lean_length_has_the_margin),
	KUNIT_CASE(lean_length_differs_by_much),
	{}
};

struct kunit_suite lapsmp_lean_length_suite = {
	.name = "lapsmp_lean_length",
	.test_cases = lean_length_cases,
};
