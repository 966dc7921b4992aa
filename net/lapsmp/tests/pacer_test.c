// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/pacer.c: the rate comes out right, early and late. */
#include <kunit/test.h>

#include "../alg/pacer.h"

#define NOW	1000000000ULL
#define GBPS	125000000ULL	/* bytes/s */

struct ready_case {
	const char *name;
	u64 next_ns;
	u64 now_ns;
	bool ready;
};

static const struct ready_case ready_cases[] = {
	{ "new", 0, NOW, true },
	{ "new, at time zero", 0, 0, true },
	{ "past", NOW - 1, NOW, true },
	{ "just due", NOW, NOW, true },
	{ "as early as allowed", NOW + LAPSMP_PACER_AHEAD_NS, NOW, true },
	{ "too early", NOW + LAPSMP_PACER_AHEAD_NS + 1, NOW, false },
	{ "never", U64_MAX, NOW, false },
};

KUNIT_ARRAY_PARAM_DESC(ready, ready_cases, name);

static void pacer_ready_case(struct kunit *test)
{
	const struct ready_case *c = test->param_value;
	struct lapsmp_pacer p = { .next_ns = c->next_ns };

	KUNIT_EXPECT_EQ(test, lapsmp_pacer_ready(&p, c->now_ns), c->ready);
}

struct sent_case {
	const char *name;
	u64 next_ns;
	u32 bytes;
	u64 rate;
	u64 now_ns;
	u64 expected_ns;
};

static const struct sent_case sent_cases[] = {
	{ "on time", NOW, 1250, GBPS, NOW, NOW + 10000 },
	{ "early departures do not add up", NOW + 2000, 1250, GBPS, NOW,
	  NOW + 12000 },
	{ "late timer is made up for", NOW - 5000, 1250, GBPS, NOW,
	  NOW + 5000 },
	{ "idle time is not saved", 0, 1250, GBPS, NOW,
	  NOW - LAPSMP_PACER_BEHIND_NS + 10000 },
	{ "near time zero", 0, 1250, GBPS, 1, 10000 },
	{ "not paced", NOW + 5000, 1250, 0, NOW, 0 },
	{ "slowest", NOW, 1, 1, NOW, NOW + 1000000000ULL },
	{ "fastest", NOW, 1, U64_MAX, NOW, NOW },
	{ "largest packet", NOW, U32_MAX, 1, NOW,
	  NOW + U32_MAX * 1000000000ULL },
	{ "empty packet", NOW, 0, GBPS, NOW, NOW },
};

KUNIT_ARRAY_PARAM_DESC(sent, sent_cases, name);

static void pacer_sent_case(struct kunit *test)
{
	const struct sent_case *c = test->param_value;
	struct lapsmp_pacer p = { .next_ns = c->next_ns };

	lapsmp_pacer_sent(&p, c->bytes, c->rate, c->now_ns);
	KUNIT_EXPECT_EQ(test, p.next_ns, c->expected_ns);
}

/* A timer that always fires some microseconds late must not cost rate. */
static void pacer_keeps_the_rate_with_late_timers(struct kunit *test)
{
	struct lapsmp_pacer p = {};
	u64 now = NOW, sent = 0;

	while (now < NOW + 100000000) {
		while (lapsmp_pacer_ready(&p, now)) {
			lapsmp_pacer_sent(&p, 1250, GBPS, now);
			sent += 1250;
		}
		now = p.next_ns - LAPSMP_PACER_AHEAD_NS + 7000;
	}
	/* 100 ms of 1 Gbit/s, within a few packets */
	KUNIT_EXPECT_GE(test, sent, 12500000 - 2 * 1250);
	KUNIT_EXPECT_LE(test, sent, 12500000 + 4 * 1250);
}

static struct kunit_case pacer_test_cases[] = {
	KUNIT_CASE_PARAM(pacer_ready_case, ready_gen_params),
	KUNIT_CASE_PARAM(pacer_sent_case, sent_gen_params),
	KUNIT_CASE(pacer_keeps_the_rate_with_late_timers),
	{}
};

struct kunit_suite lapsmp_pacer_suite = {
	.name = "lapsmp_pacer",
	.test_cases = pacer_test_cases,
};
