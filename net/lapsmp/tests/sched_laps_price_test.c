// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/sched_laps.c: at the end of a message a path that costs the network more. */
#include <kunit/test.h>

#include "sched_laps_set.h"

struct price_case {
	const char *name;
	u32 price_q16;		/* of the second */
	u32 swing;		/* root of the second's, as a multiple of the first's */
	s64 queue_ns;		/* of the first */
	u32 room_segs;		/* for what is left, which is two */
	bool passes;
	bool second;
};

#define PRICE_NS(n)	((n) * SET_SWING_ROOT * SET_SWING_ROOT)

static const struct price_case price_cases[] = {
	{ "it costs no more", 0, 1, 1000, 1, false, true },
	{ "a queue that is not worth it", LAPSMP_LEAN_ONE, 1, PRICE_NS(1) - 200, 1, false, false },
	{ "one that is", LAPSMP_LEAN_ONE, 1, PRICE_NS(1) + 200, 1, false, true },
	{ "as much as is ever paid", LAPSMP_LEAN_REST_MAX, 1, PRICE_NS(4) - 200, 1, false, false },
	{ "and still", LAPSMP_LEAN_REST_MAX, 1, PRICE_NS(4) + 200, 1, false, true },
	{ "queues that swing more count for less", LAPSMP_LEAN_ONE, 4, PRICE_NS(4) - 200, 1, false,
	  false },
	{ "but they do", LAPSMP_LEAN_ONE, 4, PRICE_NS(4) + 200, 1, false, true },
	{ "what may leave at once does not mind", LAPSMP_LEAN_REST_MAX, 1, 1000, 2, false, true },
	{ "what passes others does not mind", LAPSMP_LEAN_REST_MAX, 1, 0, 1, true, true },
};

KUNIT_ARRAY_PARAM_DESC(price, price_cases, name);

/* At the end a path that costs more is left to others: for a queue that is worth it. */
static void laps_price_at_the_end(struct kunit *test)
{
	const struct price_case *c = test->param_value;
	struct sched_set s;

	laps_two_paths(&s);
	s.path[1].price_q16 = c->price_q16;
	s.path[1].swing_root *= c->swing;
	s.pick.left_segs = 2;
	s.pick.room_segs = c->room_segs;
	s.pick.passes = c->passes;
	/* The queue of what passes is its own; here less than the other path costs. */
	s.path[0].inflight_segs = c->passes ? 10 : 0;
	s.path[0].owd_ns += c->queue_ns;
	/* It was heard just now: nothing of it has faded. */
	s.path[0].heard_ns = s.pick.now_ns;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), c->second ? DRAWS : 0);
}

static struct kunit_case sched_laps_price_test_cases[] = {
	KUNIT_CASE_PARAM(laps_price_at_the_end, price_gen_params),
	{}
};

struct kunit_suite lapsmp_sched_laps_price_suite = {
	.name = "lapsmp_sched_laps_price",
	.test_cases = sched_laps_price_test_cases,
};
