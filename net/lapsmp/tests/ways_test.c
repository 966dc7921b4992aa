// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/ways.c: queues on the way back, and round trips never seen as a whole. */
#include <kunit/test.h>
#include <linux/bits.h>

#include "../alg/ways.h"
#include "suites.h"

#define US	1000LL
#define MS	(1000 * US)
#define SEC	(1000 * MS)
/* Of the clocks. */
#define OFFSET	(-7 * MS)

/* A sample, the queue that it met on its way back, and what a round trip is then. */
struct ways_step {
	u64 now_ns;
	s64 there_ns;
	s64 back_ns;
	u64 queue_ns;
	u64 rtt_ns;
};

struct ways_case {
	const char *name;
	struct ways_step step[4];
};

static const struct ways_case ways_cases[] = {
	{ "as seen", { { MS, MS, MS, 0, 2 * MS } } },
	{ "each at another time",
	  { { 1, MS, 9 * MS, 0, 10 * MS }, { 2, 9 * MS, MS, 0, 2 * MS },
	    { 3, 5 * MS, 5 * MS, 4 * MS, 2 * MS } } },
	{ "what may be drift is in it",
	  { { MS, 9 * MS, MS, 0, 10 * MS }, { MS + BIT(20), MS, 9 * MS, 8 * MS - BIT(10),
					      2 * MS + BIT(10) } } },
	{ "also the other way",
	  { { MS, MS, 9 * MS, 0, 10 * MS }, { MS + BIT(20), 9 * MS, MS, 0, 2 * MS + BIT(10) } } },
	{ "and is no queue",
	  { { MS, MS, MS, 0, 2 * MS }, { MS + BIT(20), MS, MS + BIT(10), 0, 2 * MS + BIT(10) } } },
	{ "but what is more than that",
	  { { MS, MS, MS, 0, 2 * MS },
	    { MS + BIT(20), MS, MS + BIT(10) + 5, 5, 2 * MS + BIT(10) } } },
	{ "a longer way back is known by and by",
	  { { MS, MS, MS, 0, 2 * MS },
	    { MS + SEC, MS, 6 * MS, 5 * MS - (SEC >> 10), 2 * MS + (SEC >> 10) },
	    { MS + 6 * SEC, MS, 6 * MS, 0, 7 * MS } } },
	{ "who is late is no queue either",
	  { { MS + BIT(20), MS, MS, 0, 2 * MS }, { MS, MS, MS + 5, 0, 2 * MS + 5 } } },
	{ "less than nothing is garbage", { { MS, MS, -2 * MS, 0, 0 } } },
};

KUNIT_ARRAY_PARAM_DESC(ways, ways_cases, name);

static void ways_case(struct kunit *test)
{
	const struct ways_case *c = test->param_value;
	struct lapsmp_ways w = {};
	const struct ways_step *s;

	KUNIT_EXPECT_EQ(test, lapsmp_ways_rtt(&w), 0);
	for (s = c->step; s < c->step + ARRAY_SIZE(c->step) && s->now_ns; s++) {
		KUNIT_EXPECT_EQ_MSG(test, lapsmp_ways_update(&w, s->there_ns + OFFSET,
							     s->there_ns + s->back_ns,
							     s->now_ns),
				    s->queue_ns, "step %td", s - c->step);
		KUNIT_EXPECT_EQ_MSG(test, lapsmp_ways_rtt(&w), s->rtt_ns, "step %td",
				    s - c->step);
	}
}

static struct kunit_case ways_test_cases[] = {
	KUNIT_CASE_PARAM(ways_case, ways_gen_params),
	{}
};

struct kunit_suite lapsmp_ways_suite = {
	.name = "lapsmp_ways",
	.test_cases = ways_test_cases,
};
