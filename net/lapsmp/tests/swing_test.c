// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/swing.c: which queues are long on the average, and for how long. */
#include <kunit/test.h>

#include "../alg/swing.h"
#include "suites.h"

#define US	1000LL
/* All of a window. */
#define SEG	BIT_ULL(16)

/* Of a window of 32 segments, of which every other one met @over_ns, the others @other_ns. */
struct swing_case {
	const char *name;
	s64 over_ns;
	s64 other_ns;
	s64 T_ns;
	u32 acks;
	bool is_long;
	u64 back_ns;
};

static const struct swing_case swing_cases[] = {
	{ "room", -5 * US, -5 * US, 10 * US, 10000, false, 100 * US },
	{ "a queue of its margin and T", 10 * US, 10 * US, 10 * US, 10000, false, 100 * US },
	{ "a longer one", 11 * US, 11 * US, 10 * US, 10000, true, 100 * US },
	{ "for a short time", 11 * US, 11 * US, 10 * US, 50, false, 100 * US },
	{ "a long one is known soon", 100 * US, 100 * US, 10 * US, 200, true, 100 * US },
	{ "half of the time a long one", 100 * US, -5 * US, 10 * US, 10000, true, 100 * US },
	{ "half of the time one of T", 10 * US, -5 * US, 10 * US, 10000, false, 100 * US },
	{ "nothing on the way back", 100 * US, 100 * US, 10 * US, 10000, false, 0 },
	{ "on the way back T", 100 * US, 100 * US, 10 * US, 10000, false, 10 * US },
	{ "hardly more", 100 * US, 100 * US, 10 * US, 10000, true, 11 * US },
	{ "only on the way back", 0, 0, 10 * US, 10000, false, 100 * US },
	{ "no T", 100 * US, 100 * US, 0, 10000, true, 100 * US },
	{ "garbage", S64_MAX, S64_MIN, S64_MIN, 10000, true, U64_MAX },
};

KUNIT_ARRAY_PARAM_DESC(swing, swing_cases, name);

static void swing_case(struct kunit *test)
{
	const struct swing_case *c = test->param_value;
	struct lapsmp_swing sw = {};
	u32 i;

	for (i = 0; i < c->acks; i++)
		lapsmp_swing_update(&sw, i & 1 ? c->over_ns : c->other_ns, c->back_ns,
				    c->T_ns, SEG / 32);
	KUNIT_EXPECT_EQ(test, lapsmp_swing_is_long(&sw), c->is_long);
}

/* However long they were, some round trips with room are believed, of any window. */
struct end_case {
	const char *name;
	u64 share_q16;
	u32 least;
	u32 most;
};

static const struct end_case end_cases[] = {
	{ "one segment", SEG, 16, 32 },
	{ "less than one", 20 * SEG, 16, 32 },
	{ "four", SEG / 4, 64, 128 },
	{ "eight", SEG / 8, 128, 256 },
	{ "many: as soon as any", SEG / 1000, 500, 1000 },
	{ "garbage", U64_MAX, 16, 32 },
};

KUNIT_ARRAY_PARAM_DESC(end, end_cases, name);

static void swing_end_case(struct kunit *test)
{
	const struct end_case *c = test->param_value;
	struct lapsmp_swing sw = {};
	u32 i;

	for (i = 0; i < 10000; i++)
		lapsmp_swing_update(&sw, S64_MAX, U64_MAX, 10 * US, c->share_q16);
	for (i = 0; i < 2000 && lapsmp_swing_is_long(&sw); i++)
		lapsmp_swing_update(&sw, -US, 0, 10 * US, c->share_q16);
	KUNIT_EXPECT_GE(test, i, c->least);
	KUNIT_EXPECT_LE(test, i, c->most);
}

static struct kunit_case swing_test_cases[] = {
	KUNIT_CASE_PARAM(swing_case, swing_gen_params),
	KUNIT_CASE_PARAM(swing_end_case, end_gen_params),
	{}
};

struct kunit_suite lapsmp_swing_suite = {
	.name = "lapsmp_swing",
	.test_cases = swing_test_cases,
};
