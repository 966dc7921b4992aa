// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/replay.c: single steps, and long random walks against a plain
 * list of what was used.
 */
#include <kunit/test.h>

#include "../alg/replay.h"
#include "lcg.h"

/* How far below the highest a number is certainly told apart. */
#define REACH	(LAPSMP_REPLAY_BITS - BITS_PER_LONG)

struct use_case {
	const char *name;
	u64 before[3];
	u64 number;
	bool fresh;
};

static const struct use_case use_cases[] = {
	{ "zero is never new", {}, 0, false },
	{ "first", {}, 1, true },
	{ "first, far away", {}, U64_MAX, true },
	{ "twice", { 1 }, 1, false },
	{ "next", { 1 }, 2, true },
	{ "skipped one", { 1, 3 }, 2, true },
	{ "skipped one, twice", { 1, 3, 2 }, 2, false },
	{ "oldest that is known", { REACH }, 1, true },
	{ "one older than known", { REACH + 1 }, 1, false },
	{ "same bit one window later", { 5, 5 + LAPSMP_REPLAY_BITS },
	  5 + LAPSMP_REPLAY_BITS - BITS_PER_LONG + 1, true },
	{ "used one survives a small step", { 64, 64 + REACH - 1 }, 64, false },
	{ "all is new after a jump", { 4000, 4001, 1ULL << 40 },
	  (1ULL << 40) - 96, true },
	{ "last number", { U64_MAX - 1 }, U64_MAX, true },
	{ "last number twice", { U64_MAX }, U64_MAX, false },
	{ "before the last", { U64_MAX }, U64_MAX - 1, true },
};

KUNIT_ARRAY_PARAM_DESC(use, use_cases, name);

static void replay_use_case(struct kunit *test)
{
	const struct use_case *c = test->param_value;
	struct lapsmp_replay *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	size_t i;

	KUNIT_ASSERT_NOT_NULL(test, r);
	for (i = 0; i < ARRAY_SIZE(c->before) && c->before[i]; i++)
		KUNIT_EXPECT_TRUE(test, lapsmp_replay_use(r, c->before[i]));
	KUNIT_EXPECT_EQ(test, lapsmp_replay_is_new(r, c->number), c->fresh);
	KUNIT_EXPECT_EQ(test, lapsmp_replay_use(r, c->number), c->fresh);
	KUNIT_EXPECT_FALSE(test, lapsmp_replay_use(r, c->number));
}

struct far_case {
	const char *name;
	u64 high;
	u64 number;
	bool far;
};

static const struct far_case far_cases[] = {
	{ "the same", 7, 7, false },
	{ "below", U64_MAX, 1, false },
	{ "next", 7, 8, false },
	{ "next is the oldest that is known", 7, 7 + REACH, false },
	{ "next is one older than known", 7, 7 + REACH + 1, true },
	{ "first ever", 0, REACH + 1, true },
	{ "last number", 1, U64_MAX, true },
};

KUNIT_ARRAY_PARAM_DESC(far, far_cases, name);

static void replay_far_case(struct kunit *test)
{
	const struct far_case *c = test->param_value;
	struct lapsmp_replay *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, r);
	if (c->high)
		KUNIT_EXPECT_TRUE(test, lapsmp_replay_use(r, c->high));
	KUNIT_EXPECT_EQ(test, lapsmp_replay_is_far(r, c->number), c->far);
	if (c->number <= c->high)
		return;
	/* What it is about: the next one must stay usable. */
	KUNIT_EXPECT_TRUE(test, lapsmp_replay_use(r, c->number));
	if (c->high + 1 != c->number)
		KUNIT_EXPECT_EQ(test, lapsmp_replay_use(r, c->high + 1),
				!c->far);
}

#define WALK_STEPS	40000
#define WALK_RANGE	(64 * 1024)

/* Mostly near the top, some steps ahead, now and then far behind. */
static u32 walk_number(u64 *seed, u32 high)
{
	u32 what = lcg_below(seed, 16);

	if (what < 6)
		return high + lcg_below(seed, 4);
	if (what == 6)
		return high + lcg_below(seed, 200);
	return high - min(high, lcg_below(seed, what < 14 ? 100 : 6000));
}

static void replay_walk_agrees_with_a_list(struct kunit *test)
{
	struct lapsmp_replay *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	bool *used = kunit_kzalloc(test, WALK_RANGE, GFP_KERNEL);
	u64 seed = 1;
	u32 high = 0, number, i;
	bool want;

	KUNIT_ASSERT_NOT_NULL(test, r);
	KUNIT_ASSERT_NOT_NULL(test, used);
	for (i = 0; i < WALK_STEPS; i++) {
		number = walk_number(&seed, high);
		if (number >= WALK_RANGE)
			break;
		want = number && !used[number] &&
		       (number > high || high - number < REACH);
		if (lapsmp_replay_use(r, number) != want) {
			KUNIT_FAIL(test, "step %u: %u with high %u", i, number,
				   high);
			return;
		}
		used[number] = true;
		high = max(high, number);
	}
	KUNIT_EXPECT_GT(test, high, LAPSMP_REPLAY_BITS * 4);
}

static struct kunit_case replay_test_cases[] = {
	KUNIT_CASE_PARAM(replay_use_case, use_gen_params),
	KUNIT_CASE_PARAM(replay_far_case, far_gen_params),
	KUNIT_CASE(replay_walk_agrees_with_a_list),
	{}
};

struct kunit_suite lapsmp_replay_suite = {
	.name = "lapsmp_replay",
	.test_cases = replay_test_cases,
};
