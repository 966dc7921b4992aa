// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/gap.c: the shortest of what was seen, in any order, for a while. */
#include <kunit/test.h>

#include "../alg/gap.h"
#include "../alg/owd.h"

#define WINDOW	LAPSMP_OWD_WINDOW_NS

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
	{ "for a window",
	  { { 1, 0, 0 }, { 2, 100, 100 }, { WINDOW + 2, 1100, 100 },
	    { WINDOW + 3, 2100, 1000 }, { WINDOW + 4, 2200, 100 } } },
	{ "seen again begins anew",
	  { { 1, 0, 0 }, { 2, 100, 100 }, { WINDOW, 200, 100 }, { 2 * WINDOW, 1200, 100 },
	    { 2 * WINDOW + 1, 2200, 1000 } } },
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
