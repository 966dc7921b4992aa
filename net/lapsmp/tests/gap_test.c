// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/gap.c: the shortest of what was seen, in any order, for a while. */
#include <kunit/test.h>

#include "../alg/gap.h"
#include "../alg/owd.h"

#define HALF	(LAPSMP_OWD_WINDOW_NS / 2)

/* An arrival, and the shortest gap after it. */
struct gap_step {
	u64 now_ns;
	u32 arr_ns;
	u64 ns;
};

struct gap_case {
	const char *name;
	struct gap_step step[6];
};

static const struct gap_case gap_cases[] = {
	{ "one says nothing", { { 1, 1000, 0 } } },
	{ "nor does the first at 0", { { 1, 0, 0 }, { 2, 500, 500 } } },
	{ "the shorter one counts",
	  { { 1, 1000, 0 }, { 2, 1500, 500 }, { 3, 1800, 300 }, { 4, 2800, 300 } } },
	{ "in any order", { { 1, 1000, 0 }, { 2, 600, 400 }, { 3, 700, 100 } } },
	{ "at the same time", { { 1, 1000, 0 }, { 2, 1000, 1 }, { 3, 2000, 1 } } },
	{ "over 2^32", { { 1, 0xfffffff0, 0 }, { 2, 0x10, 0x20 }, { 3, 0xfffffff8, 0x18 } } },
	{ "as far as can be", { { 1, 0, 0 }, { 2, 0x80000000, 0x80000000 } } },
	{ "for a half of the window and the next",
	  { { 1, 0, 0 }, { 2, 100, 100 }, { HALF + 1, 1100, 100 }, { HALF + 2, 2100, 100 },
	    { 2 * HALF + 2, 3100, 100 }, { 2 * HALF + 3, 5100, 1000 } } },
	{ "its last moment counts for as long as its first",
	  { { 1, 0, 0 }, { 2, 500, 500 }, { HALF + 1, 600, 100 }, { HALF + 2, 1600, 100 },
	    { 2 * HALF + 2, 2600, 100 }, { 2 * HALF + 3, 3600, 1000 } } },
	{ "what was seen in both halves goes on",
	  { { 1, 0, 0 }, { 2, 100, 100 }, { HALF + 2, 300, 100 }, { HALF + 3, 600, 100 },
	    { 2 * HALF + 3, 1600, 200 } } },
	{ "after a long silence the last half is still known",
	  { { 1, 0, 0 }, { 2, 100, 100 }, { 9 * HALF, 1100, 100 },
	    { 10 * HALF + 1, 2100, 1000 } } },
	{ "a clock that goes back forgets nothing",
	  { { HALF, 0, 0 }, { HALF + 1, 100, 100 }, { 1, 1100, 100 } } },
};

KUNIT_ARRAY_PARAM_DESC(gap, gap_cases, name);

static void gap_case(struct kunit *test)
{
	const struct gap_case *c = test->param_value;
	struct lapsmp_gap g = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(c->step) && c->step[i].now_ns; i++) {
		lapsmp_gap_update(&g, c->step[i].arr_ns, c->step[i].now_ns);
		KUNIT_EXPECT_EQ_MSG(test, g.ns, c->step[i].ns, "step %zu", i);
	}
}

static struct kunit_case gap_test_cases[] = {
	KUNIT_CASE_PARAM(gap_case, gap_gen_params),
	{}
};

struct kunit_suite lapsmp_gap_suite = {
	.name = "lapsmp_gap",
	.test_cases = gap_test_cases,
};
