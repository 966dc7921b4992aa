// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/pmtu.c: single events by table, and searches against networks
 * that let packets up to a size pass.
 */
#include <kunit/test.h>

#include "../alg/pmtu.h"

#define NOW	1000000000ULL

struct icmp_case {
	const char *name;
	u32 route;
	u32 mtu;
	bool changed;
	u32 cur;
};

static const struct icmp_case icmp_cases[] = {
	{ "smaller is believed", 9000, 1500, true, 1500 },
	{ "the same is no news", 9000, 9000, false, 9000 },
	{ "larger is a lie", 1500, 9000, false, 1500 },
	{ "least that is believed", 1500, LAPSMP_PMTU_MIN, true,
	  LAPSMP_PMTU_MIN },
	{ "too small is a lie", 1500, LAPSMP_PMTU_MIN - 1, false, 1500 },
	{ "zero is a lie", 1500, 0, false, 1500 },
	{ "everything is a lie", 1500, U32_MAX, false, 1500 },
};

KUNIT_ARRAY_PARAM_DESC(icmp, icmp_cases, name);

static void pmtu_icmp_case(struct kunit *test)
{
	const struct icmp_case *c = test->param_value;
	struct lapsmp_pmtu p;

	lapsmp_pmtu_init(&p, c->route);
	KUNIT_EXPECT_EQ(test, lapsmp_pmtu_icmp(&p, c->mtu, NOW), c->changed);
	KUNIT_EXPECT_EQ(test, p.cur, c->cur);
	/* It named the size: nothing to search before the raise timer. */
	KUNIT_EXPECT_EQ(test, lapsmp_pmtu_probe(&p, NOW), 0);
}

struct route_case {
	const char *name;
	u32 first;
	u32 second;
	u32 cur;
	u32 probe;
};

static const struct route_case route_cases[] = {
	{ "no change", 1500, 1500, 1500, 0 },
	{ "smaller holds at once", 9000, 1500, 1500, 0 },
	{ "larger is tried first", 1500, 9000, 1500, 9000 },
	{ "never below the least", 1500, 100, LAPSMP_PMTU_MIN, 0 },
	{ "from below the base", LAPSMP_PMTU_MIN, 1500, LAPSMP_PMTU_MIN,
	  1500 },
};

KUNIT_ARRAY_PARAM_DESC(route, route_cases, name);

static void pmtu_route_case(struct kunit *test)
{
	const struct route_case *c = test->param_value;
	struct lapsmp_pmtu p;

	lapsmp_pmtu_init(&p, c->first);
	KUNIT_EXPECT_EQ(test, p.cur, c->first);
	KUNIT_EXPECT_EQ(test, lapsmp_pmtu_probe(&p, U64_MAX), 0);
	lapsmp_pmtu_route(&p, c->second, NOW);
	KUNIT_EXPECT_EQ(test, p.cur, c->cur);
	KUNIT_EXPECT_EQ(test, lapsmp_pmtu_probe(&p, NOW), c->probe);
}

/**
 * struct loss_case - losses one after the other
 * @name: of the case
 * @route: MTU
 * @size: of the packets
 * @age_ns: of each when it timed out, 0: it did not
 * @n: how many
 * @gap_ns: between them
 * @cur: path MTU at the end
 */
struct loss_case {
	const char *name;
	u32 route;
	u32 size;
	u64 age_ns;
	u32 n;
	u64 gap_ns;
	u32 cur;
};

static const struct loss_case loss_cases[] = {
	{ "one timeout", 1500, 1500, 1, 1, 1, 1500 },
	{ "two timeouts are a black hole", 1500, 1500, 1, 2, 1,
	  LAPSMP_PMTU_BASE },
	{ "one timeout of many packets", 1500, 1500, 1, 100, 0, 1500 },
	{ "one silence of many flows", 1500, 1500, 100, 100, 1, 1500 },
	{ "two silences of many flows", 1500, 1500, 100, 101, 1,
	  LAPSMP_PMTU_BASE },
	{ "losses among others that arrive", 1500, 1500, 0, 100, 1, 1500 },
	{ "small packets", 1500, 1000, 1, 100, 1, 1500 },
	{ "packets of the base", 1500, LAPSMP_PMTU_BASE, 1, 100, 1, 1500 },
	{ "nearly full-sized", 1500, 1490, 1, 2, 1, LAPSMP_PMTU_BASE },
	{ "already at the base", LAPSMP_PMTU_BASE, LAPSMP_PMTU_BASE, 1, 100,
	  1, LAPSMP_PMTU_BASE },
	{ "route below the base", 800, 800, 1, 100, 1, 800 },
	{ "larger than anything sent", 1500, 9000, 1, 2, 1, 1500 },
};

KUNIT_ARRAY_PARAM_DESC(loss, loss_cases, name);

static void pmtu_loss_case(struct kunit *test)
{
	const struct loss_case *c = test->param_value;
	struct lapsmp_pmtu p;
	u32 i, changes = 0;
	u64 now;

	lapsmp_pmtu_init(&p, c->route);
	for (i = 0; i < c->n; i++) {
		now = NOW + i * c->gap_ns;
		changes += lapsmp_pmtu_lost(&p, c->size,
					    c->age_ns ? now - c->age_ns : 0, now);
	}
	KUNIT_EXPECT_EQ(test, p.cur, c->cur);
	KUNIT_EXPECT_EQ(test, changes, c->cur != c->route);
}

static void pmtu_one_that_passes_ends_the_suspicion(struct kunit *test)
{
	struct lapsmp_pmtu p;
	int i;

	lapsmp_pmtu_init(&p, 1500);
	for (i = 0; i < 100; i++) {
		lapsmp_pmtu_lost(&p, 1500, NOW + i - 1, NOW + i);
		lapsmp_pmtu_acked(&p, 1500, NOW + i);
	}
	KUNIT_EXPECT_EQ(test, p.cur, 1500);
	/* A small one that passes does not. */
	lapsmp_pmtu_lost(&p, 1500, NOW + i - 1, NOW + i);
	lapsmp_pmtu_acked(&p, 1200, NOW + i);
	KUNIT_EXPECT_TRUE(test, lapsmp_pmtu_lost(&p, 1500, NOW + i,
						 NOW + i + 1));
}

static void pmtu_late_proof_undoes_a_fall(struct kunit *test)
{
	struct lapsmp_pmtu p;

	lapsmp_pmtu_init(&p, 1500);
	lapsmp_pmtu_lost(&p, 1500, NOW - 1, NOW);
	KUNIT_EXPECT_TRUE(test, lapsmp_pmtu_lost(&p, 1500, NOW, NOW + 1));
	KUNIT_EXPECT_TRUE(test, lapsmp_pmtu_acked(&p, 1500, NOW + 2));
	KUNIT_EXPECT_EQ(test, p.cur, 1500);
	KUNIT_EXPECT_EQ(test, lapsmp_pmtu_probe(&p, U64_MAX), 0);
}

static void pmtu_probe_is_repeated_before_it_counts(struct kunit *test)
{
	struct lapsmp_pmtu p;
	u32 i, size;

	lapsmp_pmtu_init(&p, 1500);
	lapsmp_pmtu_route(&p, 9000, NOW);
	for (i = 0; i < LAPSMP_PMTU_MAX_PROBES; i++) {
		size = lapsmp_pmtu_probe(&p, NOW);
		KUNIT_EXPECT_EQ(test, size, 9000);
		/* Only one at a time. */
		KUNIT_EXPECT_EQ(test, lapsmp_pmtu_probe(&p, NOW), 0);
		KUNIT_EXPECT_FALSE(test, lapsmp_pmtu_lost(&p, size, 0, NOW));
	}
	KUNIT_EXPECT_EQ(test, lapsmp_pmtu_probe(&p, NOW), 5250);
}

struct search_case {
	const char *name;
	u32 route;
	u32 passes;	/* what the network lets pass */
	u32 later;	/* and after the raise timer */
};

static const struct search_case search_cases[] = {
	{ "jumbo route over Ethernet", 9000, 1500, 1500 },
	{ "tunnel", 1500, 1420, 1420 },
	{ "base only", 1500, LAPSMP_PMTU_BASE, LAPSMP_PMTU_BASE },
	{ "little less than the route", 9000, 8990, 8990 },
	{ "new route", 9000, 1500, 9000 },
	{ "somewhat better route", 9000, 1500, 4000 },
	{ "largest", 65535, 1280, 65535 },
};

KUNIT_ARRAY_PARAM_DESC(search, search_cases, name);

/* Probe until nothing is left to do. Return: how many it took. */
static u32 search(struct lapsmp_pmtu *p, u32 passes, u64 now)
{
	u32 n = 0, size;

	while ((size = lapsmp_pmtu_probe(p, now)) && n++ < 1000) {
		if (size <= passes)
			lapsmp_pmtu_acked(p, size, now);
		else
			lapsmp_pmtu_lost(p, size, now - 1, now);
	}
	return n;
}

static void pmtu_search_case(struct kunit *test)
{
	const struct search_case *c = test->param_value;
	struct lapsmp_pmtu p;

	lapsmp_pmtu_init(&p, c->route);
	lapsmp_pmtu_lost(&p, c->route, NOW - 1, NOW);
	KUNIT_EXPECT_TRUE(test, lapsmp_pmtu_lost(&p, c->route, NOW, NOW + 1));
	KUNIT_EXPECT_EQ(test, p.cur, LAPSMP_PMTU_BASE);

	KUNIT_EXPECT_LE(test, search(&p, c->passes, NOW + 2), 40);
	KUNIT_EXPECT_LE(test, p.cur, c->passes);
	KUNIT_EXPECT_GE(test, p.cur + LAPSMP_PMTU_STEP, c->passes);

	/* Nothing until the raise timer, then all of it again. */
	KUNIT_EXPECT_EQ(test, lapsmp_pmtu_probe(&p, NOW +
						LAPSMP_PMTU_RAISE_NS), 0);
	KUNIT_EXPECT_LE(test, search(&p, c->later, NOW + 3 +
				     LAPSMP_PMTU_RAISE_NS), 40);
	KUNIT_EXPECT_LE(test, p.cur, c->later);
	KUNIT_EXPECT_GE(test, p.cur + LAPSMP_PMTU_STEP, c->later);
}

static struct kunit_case pmtu_test_cases[] = {
	KUNIT_CASE_PARAM(pmtu_icmp_case, icmp_gen_params),
	KUNIT_CASE_PARAM(pmtu_route_case, route_gen_params),
	KUNIT_CASE_PARAM(pmtu_loss_case, loss_gen_params),
	KUNIT_CASE(pmtu_one_that_passes_ends_the_suspicion),
	KUNIT_CASE(pmtu_late_proof_undoes_a_fall),
	KUNIT_CASE(pmtu_probe_is_repeated_before_it_counts),
	KUNIT_CASE_PARAM(pmtu_search_case, search_gen_params),
	{}
};

struct kunit_suite lapsmp_pmtu_suite = {
	.name = "lapsmp_pmtu",
	.test_cases = pmtu_test_cases,
};
