// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/seqmap.c: each distance from the highest at which it decides. */
#include <kunit/test.h>

#include "../alg/seqmap.h"

#define TOP	BIT_ULL(63)

/* After @high arrived, and @map below it. */
struct add_case {
	const char *name;
	u32 high;
	u64 map;
	u32 seq;
	u32 new_high;
	u64 new_map;
};

static const struct add_case add_cases[] = {
	{ "the same", 100, 5, 100, 100, 5 },
	{ "next", 100, 5, 101, 101, 11 },
	{ "skips one", 100, 5, 102, 102, 22 },
	{ "63 ahead", 100, 3, 163, 163, TOP | BIT_ULL(62) },
	{ "64 ahead", 100, 3, 164, 164, TOP },
	{ "65 ahead", 100, 3, 165, 165, 0 },
	{ "far ahead", 100, ~0ULL, 100000, 100000, 0 },
	{ "as far ahead as can be", 100, ~0ULL, 99 + BIT(31), 99 + BIT(31), 0 },
	{ "half of all numbers away", 100, 5, 100 + BIT(31), 100, 5 },
	{ "half of all numbers away, from 0", 0, 5, BIT(31), 0, 5 },
	{ "half of all numbers away, from there", BIT(31), 5, 0, BIT(31), 5 },
	{ "one more, so behind", 100, 5, 101 + BIT(31), 100, 5 },
	{ "one behind", 100, 4, 99, 100, 5 },
	{ "one behind, again", 100, 5, 99, 100, 5 },
	{ "two behind", 100, 5, 98, 100, 7 },
	{ "63 behind", 100, 5, 37, 100, BIT_ULL(62) | 5 },
	{ "64 behind", 100, 5, 36, 100, TOP | 5 },
	{ "64 behind, again", 100, TOP | 5, 36, 100, TOP | 5 },
	{ "65 behind", 100, 5, 35, 100, 5 },
	{ "far behind", 100000, 5, 1, 100000, 5 },
	{ "last number", U32_MAX - 1, 0, U32_MAX, U32_MAX, 1 },
	{ "wraps", U32_MAX, 1, 0, 0, 3 },
	{ "wraps and skips", U32_MAX, 1, 2, 2, 12 },
	{ "wraps, 64 ahead", U32_MAX, 1, 63, 63, TOP },
	{ "behind the wrap", 0, 0, U32_MAX, 0, 1 },
	{ "behind the wrap, 64", 10, 0, U32_MAX - 53, 10, TOP },
	{ "behind the wrap, 65", 10, 0, U32_MAX - 54, 10, 0 },
};

KUNIT_ARRAY_PARAM_DESC(add, add_cases, name);

static void seqmap_add_case(struct kunit *test)
{
	const struct add_case *c = test->param_value;
	struct lapsmp_seqmap s = { .high = c->high, .map = c->map, .any = true };

	KUNIT_EXPECT_EQ(test, lapsmp_seqmap_add(&s, c->seq),
			c->new_high != c->high);
	KUNIT_EXPECT_EQ(test, s.high, c->new_high);
	KUNIT_EXPECT_EQ(test, s.map, c->new_map);
	/* Another one changes nothing. */
	KUNIT_EXPECT_FALSE(test, lapsmp_seqmap_add(&s, c->seq));
	KUNIT_EXPECT_EQ(test, s.high, c->new_high);
	KUNIT_EXPECT_EQ(test, s.map, c->new_map);
}

static void seqmap_first_may_be_any(struct kunit *test)
{
	static const u32 firsts[] = { 0, 1, 64, BIT(31), BIT(31) + 1, U32_MAX };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(firsts); i++) {
		struct lapsmp_seqmap s = {};

		KUNIT_EXPECT_TRUE(test, lapsmp_seqmap_add(&s, firsts[i]));
		KUNIT_EXPECT_EQ(test, s.high, firsts[i]);
		KUNIT_EXPECT_EQ(test, s.map, 0);
	}
}

static struct kunit_case seqmap_test_cases[] = {
	KUNIT_CASE_PARAM(seqmap_add_case, add_gen_params),
	KUNIT_CASE(seqmap_first_may_be_any),
	{}
};

struct kunit_suite lapsmp_seqmap_suite = {
	.name = "lapsmp_seqmap",
	.test_cases = seqmap_test_cases,
};
