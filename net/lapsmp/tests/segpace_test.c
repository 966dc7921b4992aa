// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/segpace.c: whose round trip counts, for how long, and the pace by it. */
#include <kunit/test.h>

#include "../alg/arith.h"
#include "../alg/segpace.h"
#include "suites.h"

#define US	1000ULL
#define LINE	1250000000ULL

/* Segments of two paths, and the mean of all. */
struct mean_case {
	const char *name;
	u32 segs[2];
	u64 rtt_ns[2];
	u64 least_ns;
	u64 most_ns;
};

static const struct mean_case mean_cases[] = {
	{ "nothing", { 0, 0 }, { 100 * US, 100 * US }, 0, 0 },
	{ "no round trip is known", { 8, 8 }, { 0, 0 }, 0, 0 },
	{ "one path", { 1, 0 }, { 100 * US, 0 }, 100 * US, 100 * US },
	{ "by segments, not by paths", { 9, 1 }, { 100 * US, 1100 * US }, 200 * US, 200 * US },
	{ "what is long ago counts less", { 512, 256 }, { 100 * US, 300 * US }, 200 * US,
	  200 * US },
	{ "and then nothing", { 1, 512 }, { 100 * US, 300 * US }, 300 * US, 300 * US },
	{ "more are as many as that", { 512, U32_MAX }, { 100 * US, 300 * US }, 300 * US,
	  300 * US },
	{ "garbage", { U32_MAX, U32_MAX }, { U64_MAX, U64_MAX }, 100000000 * US,
	  100000000 * US },
};

KUNIT_ARRAY_PARAM_DESC(mean, mean_cases, name);

static void segpace_mean_case(struct kunit *test)
{
	const struct mean_case *c = test->param_value;
	struct lapsmp_segpace p = {};
	int i;

	for (i = 0; i < 2; i++)
		lapsmp_segpace_sample(&p, c->segs[i], c->rtt_ns[i]);
	KUNIT_EXPECT_GE(test, p.srtt_ns, c->least_ns);
	KUNIT_EXPECT_LE(test, p.srtt_ns, c->most_ns);
}

static void segpace_forgets(struct kunit *test)
{
	struct lapsmp_segpace p = {};

	lapsmp_segpace_sample(&p, 512, 100 * US);
	lapsmp_segpace_forget(&p);
	KUNIT_EXPECT_EQ(test, p.srtt_ns, 100 * US);
	lapsmp_segpace_sample(&p, 1, 300 * US);
	KUNIT_EXPECT_EQ(test, p.srtt_ns, 300 * US);
}

struct rate_case {
	const char *name;
	u64 srtt_ns;
	u64 cwnd_q16;
	u32 seg_bytes;
	u64 rate;
};

static const struct rate_case rate_cases[] = {
	{ "not known yet", 0, LAPSMP_SEG_Q16, 1500, 0 },
	{ "1.25 per round trip", 100 * US, 10 * LAPSMP_SEG_Q16, 1500, 187500000 },
	{ "half of a segment", 100 * US, LAPSMP_SEG_Q16 / 2, 1500, 9375000 },
	{ "no more than the line", 100 * US, 1000 * LAPSMP_SEG_Q16, 1500, LINE },
	{ "never none", U64_MAX, 1, 1, 1 },
	{ "garbage", 1, U64_MAX, U32_MAX, LINE },
};

KUNIT_ARRAY_PARAM_DESC(rate, rate_cases, name);

static void segpace_rate_case(struct kunit *test)
{
	const struct rate_case *c = test->param_value;
	struct lapsmp_segpace p = { .srtt_ns = c->srtt_ns, .segs = 1 };

	KUNIT_EXPECT_EQ(test, lapsmp_segpace_rate(&p, c->cwnd_q16, c->seg_bytes, LINE), c->rate);
}

struct short_case {
	const char *name;
	u64 rate;
	u64 mean_ns;
	u64 rtt_ns;
	u64 short_rate;
};

static const struct short_case short_cases[] = {
	{ "as the mean", 1000, 100 * US, 100 * US, 1000 },
	{ "longer", 1000, 100 * US, 100000 * US, 1000 },
	{ "half of it", 1000, 100 * US, 50 * US, 1000 },
	{ "a tenth", 1000, 100 * US, 10 * US, 10000 },
	{ "no more than the line", LINE / 2, 100 * US, 10 * US, LINE },
	{ "nor less than the pace", 2 * LINE, 100 * US, 10 * US, 2 * LINE },
	{ "none", 0, 100 * US, 10 * US, 0 },
	{ "garbage", U64_MAX, U64_MAX, 0, U64_MAX },
};

KUNIT_ARRAY_PARAM_DESC(short, short_cases, name);

static void segpace_short_case(struct kunit *test)
{
	const struct short_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_segpace_short(c->rate, c->mean_ns, c->rtt_ns, LINE),
			c->short_rate);
}

static struct kunit_case segpace_test_cases[] = {
	KUNIT_CASE_PARAM(segpace_mean_case, mean_gen_params),
	KUNIT_CASE(segpace_forgets),
	KUNIT_CASE_PARAM(segpace_rate_case, rate_gen_params),
	KUNIT_CASE_PARAM(segpace_short_case, short_gen_params),
	{}
};

struct kunit_suite lapsmp_segpace_suite = {
	.name = "lapsmp_segpace",
	.test_cases = segpace_test_cases,
};
