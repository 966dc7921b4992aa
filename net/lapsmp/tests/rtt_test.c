// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/rtt.c: RFC 6298's filter and what the timeout makes of it. */
#include <kunit/test.h>

#include "../alg/rtt.h"

#define US	1000ULL
#define MS	(1000 * US)
#define SEC	(1000 * MS)

struct filter_case {
	const char *name;
	u64 sample_ns[4];
	u64 srtt_ns;
	u64 rttvar_ns;
};

static const struct filter_case filter_cases[] = {
	{ "no sample", { 0 }, 0, 0 },
	{ "first sample counts in full", { 800 }, 800, 400 },
	{ "steady samples shrink the deviation", { 800, 800 }, 800, 300 },
	{ "longer sample", { 800, 1600 }, 900, 500 },
	{ "shorter sample", { 1600, 800 }, 1500, 800 },
	{ "smallest samples never look like none", { 1, 1, 1, 1 }, 1, 0 },
	{ "absurd sample is limited", { U64_MAX }, 60 * SEC, 30 * SEC },
	{ "absurd samples do not wrap", { U64_MAX, 1, U64_MAX }, 0, 0 },
};

KUNIT_ARRAY_PARAM_DESC(filter, filter_cases, name);

static void rtt_filter_case(struct kunit *test)
{
	const struct filter_case *c = test->param_value;
	struct lapsmp_rtt r = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(c->sample_ns) && c->sample_ns[i]; i++)
		lapsmp_rtt_update(&r, c->sample_ns[i]);
	if (c->srtt_ns || !i) {
		KUNIT_EXPECT_EQ(test, r.srtt_ns, c->srtt_ns);
		KUNIT_EXPECT_EQ(test, r.rttvar_ns, c->rttvar_ns);
	}
	KUNIT_EXPECT_LE(test, r.srtt_ns, 60 * SEC);
	KUNIT_EXPECT_LE(test, r.rttvar_ns, 60 * SEC);
}

static void rtt_sample_of_zero_counts_as_one(struct kunit *test)
{
	struct lapsmp_rtt r = {};

	lapsmp_rtt_update(&r, 0);
	KUNIT_EXPECT_EQ(test, r.srtt_ns, 1);
}

static void rtt_filter_arrives_where_samples_are(struct kunit *test)
{
	struct lapsmp_rtt r = {};
	int i;

	lapsmp_rtt_update(&r, 10 * MS);
	for (i = 0; i < 200; i++)
		lapsmp_rtt_update(&r, 20 * US);
	KUNIT_EXPECT_LE(test, r.srtt_ns, 20 * US + 8);
	KUNIT_EXPECT_GE(test, r.srtt_ns, 20 * US - 8);
	KUNIT_EXPECT_LE(test, r.rttvar_ns, 16);
}

struct rto_case {
	const char *name;
	struct lapsmp_rtt rtt;
	unsigned int backoff;
	u64 rto_ns;
};

static const struct rto_case rto_cases[] = {
	{ "before the first sample", {}, 0, LAPSMP_RTO_INIT_NS },
	{ "before the first sample, doubled", {}, 1, 2 * LAPSMP_RTO_INIT_NS },
	{ "before the first sample, at the limit", {}, 6, LAPSMP_RTO_MAX_NS },
	{ "short path has the floor", { 20 * US, US }, 0, LAPSMP_RTO_MIN_NS },
	{ "floor is doubled too", { 20 * US, US }, 3, 8 * LAPSMP_RTO_MIN_NS },
	{ "steady path has twice its round trip", { MS, 0 }, 0, 2 * MS },
	{ "unsteady path has four deviations", { MS, MS }, 0, 5 * MS },
	{ "doubling ends", { MS, 0 }, 6, 128 * MS },
	{ "doubling has ended", { MS, 0 }, 7, 128 * MS },
	{ "any back-off", { MS, 0 }, UINT_MAX, 128 * MS },
	{ "limit", { 60 * SEC, 60 * SEC }, UINT_MAX, LAPSMP_RTO_MAX_NS },
};

KUNIT_ARRAY_PARAM_DESC(rto, rto_cases, name);

static void rtt_rto_case(struct kunit *test)
{
	const struct rto_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_rtt_rto(&c->rtt, c->backoff), c->rto_ns);
}

struct pto_case {
	const char *name;
	struct lapsmp_rtt rtt;
	u64 pto_ns;
};

static const struct pto_case pto_cases[] = {
	{ "before the first sample", {}, LAPSMP_RTO_INIT_NS },
	{ "shortest path has the floor", { US, 0 }, LAPSMP_PTO_MIN_NS },
	{ "short path has twice its round trip", { 20 * US, US }, 40 * US },
	{ "unsteady path has four deviations", { 20 * US, 20 * US }, 100 * US },
	{ "longer than the least timeout, it is one", { MS, 0 }, 2 * MS },
	{ "limit", { 60 * SEC, 60 * SEC }, LAPSMP_RTO_MAX_NS },
};

KUNIT_ARRAY_PARAM_DESC(pto, pto_cases, name);

static void rtt_pto_case(struct kunit *test)
{
	const struct pto_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_rtt_pto(&c->rtt), c->pto_ns);
	KUNIT_EXPECT_LE(test, lapsmp_rtt_pto(&c->rtt), lapsmp_rtt_rto(&c->rtt, 0));
}

static struct kunit_case rtt_test_cases[] = {
	KUNIT_CASE_PARAM(rtt_filter_case, filter_gen_params),
	KUNIT_CASE(rtt_sample_of_zero_counts_as_one),
	KUNIT_CASE(rtt_filter_arrives_where_samples_are),
	KUNIT_CASE_PARAM(rtt_rto_case, rto_gen_params),
	KUNIT_CASE_PARAM(rtt_pto_case, pto_gen_params),
	{}
};

struct kunit_suite lapsmp_rtt_suite = {
	.name = "lapsmp_rtt",
	.test_cases = rtt_test_cases,
};
