// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/level.c: against cases that can be reckoned by hand, and dealing out segments. */
#include <kunit/test.h>

#include "../alg/level.h"
#include "deal_set.h"

#define RATE	1000000000ULL	/* a byte each nanosecond */
#define NONE	LAPSMP_LEVEL_NONE

struct level_case {
	const char *name;
	u32 bytes;
	u32 floor_ns[3];
	u64 rate[3];
	u32 level_ns;
};

static const struct level_case level_cases[] = {
	{ "one path", 600, { 100, NONE, NONE }, { RATE, RATE, RATE }, 700 },
	{ "equal ones", 600, { 100, 100, 100 }, { RATE, RATE, RATE }, 300 },
	{ "one is twice as fast", 600, { 0, 0, NONE }, { RATE, 2 * RATE, RATE }, 200 },
	{ "one is full", 600, { 0, 400, NONE }, { RATE, RATE, RATE }, 500 },
	{ "one is too full", 600, { 0, 700, NONE }, { RATE, RATE, RATE }, 600 },
	{ "one is just full enough", 600, { 0, 600, NONE }, { RATE, RATE, RATE }, 600 },
	{ "one is too full for two", 600, { 0, 400, 501 }, { RATE, RATE, RATE }, 500 },
	{ "none may be used", 600, { NONE, NONE, NONE }, { RATE, RATE, RATE }, NONE },
	{ "longer than anybody waits", U32_MAX, { 0, NONE, NONE }, { 1, 1, 1 }, NONE },
	{ "slow beside fast", 600, { 0, 0, NONE }, { RATE << 30, 1, RATE }, 0 },
};

KUNIT_ARRAY_PARAM_DESC(level, level_cases, name);

static void level_case(struct kunit *test)
{
	const struct level_case *c = test->param_value;
	struct sched_set s;
	int i;

	sched_set_init(&s);
	s.pick.n = ARRAY_SIZE(c->floor_ns);
	s.pick.left_segs = 1;
	for (i = 0; i < s.pick.n; i++) {
		s.path[i].rate = c->rate[i];
		s.path[i].seg_bytes = c->bytes;
	}
	lapsmp_path_sum(&s.sum, s.path, s.pick.n);
	KUNIT_EXPECT_LE(test, abs((s64)lapsmp_level(&s.pick, c->floor_ns) - c->level_ns), 1);
}

/* Water is where pieces are, but for one of each vessel. */
static void level_is_that_of_segments(struct kunit *test)
{
	u64 best, level, slowest_ns, seed = 3;
	u32 floor_ns[SET_PATHS];
	struct sched_set s;
	int k, i;

	for (k = 0; k < 1000; k++) {
		deal_any(&s, &seed);
		for (i = 0; i < s.pick.n; i++)
			floor_ns[i] = s.path[i].base_ns;
		lapsmp_path_sum(&s.sum, s.path, s.pick.n);
		best = deal_best(&s);
		level = lapsmp_level(&s.pick, floor_ns);
		slowest_ns = 0;
		for (i = 0; i < s.pick.n; i++)
			if (floor_ns[i] < level)
				slowest_ns = max(slowest_ns, deal_seg_ns(&s, i));
		/* A microsecond of rates and times that were cut off. */
		KUNIT_ASSERT_LE(test, level, best + 1000);
		KUNIT_ASSERT_GE(test, level + slowest_ns + 1000, best);
	}
}

#define MANY	24

/* Of floors in order it is the lowest that any number of the first of them has. */
static u64 level_of_sorted(const struct lapsmp_path_view *paths, const u32 *floor_ns, u64 left)
{
	u64 best = NONE, width = 0;
	u16 i;

	for (i = 0; i < MANY; i++) {
		width += paths[i].rate;
		left += paths[i].rate * floor_ns[i];
		best = min(best, div64_u64(left, width));
		/* Later ones are above it, and their products do not fit. */
		if (floor_ns[i] > best)
			break;
	}
	return best;
}

/* Each round leaves out the last one, and there are more of them than rounds. */
static void level_of_many_paths_is_an_upper_bound(struct kunit *test)
{
	static struct lapsmp_path_view paths[MANY];
	struct lapsmp_path_sum sum = {};
	struct lapsmp_pick p = {
		.paths = paths, .sum = &sum, .n = MANY, .left_segs = 1,
	};
	u32 floor_ns[MANY];
	u64 exact;
	int i;

	for (i = 0; i < MANY; i++) {
		paths[i].rate = 1ULL << (i + 20);
		paths[i].seg_bytes = 1;
		sum.rate += paths[i].rate;
		floor_ns[i] = 1U << (i + 6);
	}
	exact = level_of_sorted(paths, floor_ns, NSEC_PER_SEC);
	KUNIT_EXPECT_GE(test, lapsmp_level(&p, floor_ns), exact);
	KUNIT_EXPECT_LT(test, lapsmp_level(&p, floor_ns), floor_ns[MANY / 2]);
}

static struct kunit_case level_test_cases[] = {
	KUNIT_CASE_PARAM(level_case, level_gen_params),
	KUNIT_CASE(level_is_that_of_segments),
	KUNIT_CASE(level_of_many_paths_is_an_upper_bound),
	{}
};

struct kunit_suite lapsmp_level_suite = {
	.name = "lapsmp_level",
	.test_cases = level_test_cases,
};
