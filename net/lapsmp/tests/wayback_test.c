// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/wayback.c: round trips that were never seen as a whole. */
#include <kunit/test.h>

#include "../alg/owd.h"
#include "../alg/wayback.h"
#include "suites.h"

#define US	1000LL
#define MS	(1000 * US)
#define WINDOW	LAPSMP_OWD_WINDOW_NS
/* Of the clocks. */
#define OFFSET	(-7 * MS)

struct wayback_step {
	u64 now_ns;
	s64 there_ns;
	s64 back_ns;
};

/* What is known of a way of 1 ms there, which was seen at @there_at_ns. */
struct wayback_case {
	const char *name;
	struct wayback_step step[4];
	u64 there_at_ns;
	u64 rtt_ns;
};

static const struct wayback_case wayback_cases[] = {
	{ "nothing", { }, MS, U64_MAX },
	{ "as seen", { { MS, MS, MS } }, MS, 2 * MS },
	{ "each at another time", { { MS, MS, 9 * MS }, { 2 * MS, 9 * MS, MS } }, 2 * MS,
	  2 * MS },
	{ "the least", { { 1, MS, 3 * MS }, { 2, MS, 2 * MS }, { 3, MS, 3 * MS } }, 2, 3 * MS },
	{ "what may be drift is in it", { { MS, 9 * MS, MS } }, MS + (1 << 20),
	  2 * MS + (1 << 6) },
	{ "also before", { { MS + (1 << 20), 9 * MS, MS } }, MS, 2 * MS + (1 << 6) },
	{ "the window before counts", { { MS, 9 * MS, MS }, { WINDOW + 2 * MS, MS, 5 * MS } },
	  MS, 2 * MS },
	{ "but no other", { { MS, 9 * MS, MS }, { WINDOW + 2 * MS, MS, 5 * MS },
			    { 2 * WINDOW + 3 * MS, MS, 4 * MS } },
	  2 * WINDOW + 3 * MS, 5 * MS },
	{ "less than nothing is garbage", { { MS, 9 * MS, -2 * MS } }, MS, U64_MAX },
};

KUNIT_ARRAY_PARAM_DESC(wayback, wayback_cases, name);

static void wayback_case(struct kunit *test)
{
	const struct wayback_case *c = test->param_value;
	struct lapsmp_wayback w = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(c->step) && c->step[i].now_ns; i++) {
		const struct wayback_step *s = &c->step[i];

		lapsmp_wayback_update(&w, s->there_ns + OFFSET, s->there_ns + s->back_ns,
				      s->now_ns);
	}
	KUNIT_EXPECT_EQ(test, lapsmp_wayback_rtt(&w, MS + OFFSET, c->there_at_ns), c->rtt_ns);
}

static struct kunit_case wayback_test_cases[] = {
	KUNIT_CASE_PARAM(wayback_case, wayback_gen_params),
	{}
};

struct kunit_suite lapsmp_wayback_suite = {
	.name = "lapsmp_wayback",
	.test_cases = wayback_test_cases,
};
