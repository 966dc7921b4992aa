// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/cc_fixed.c: the rate is what was asked for, whatever happens. */
#include <kunit/test.h>

#include "cc_set.h"

struct rate_case {
	const char *name;
	u64 line_rate;
	u64 fixed_rate;
	u64 expected;
};

static const struct rate_case rate_cases[] = {
	{ "line rate by default", CC_LINE, 0, CC_LINE },
	{ "as asked", CC_LINE, 1000, 1000 },
	{ "slowest", CC_LINE, 1, 1 },
	{ "beyond the line, to see what breaks", CC_LINE, 2 * CC_LINE,
	  2 * CC_LINE },
	{ "largest", CC_LINE, U64_MAX, U64_MAX },
};

KUNIT_ARRAY_PARAM_DESC(rate, rate_cases, name);

static void cc_fixed_rate_case(struct kunit *test)
{
	const struct rate_case *r = test->param_value;
	struct cc_set c;

	cc_set_init(&c, &lapsmp_cc_fixed);
	c.cfg.line_rate = r->line_rate;
	c.cfg.fixed_rate = r->fixed_rate;
	cc_set_start(&c);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, r->expected);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, LAPSMP_SEG_Q16);

	/* Nothing that happens changes it. */
	c.s.lost_segs = 1000;
	c.s.timeout = true;
	cc_set_delay(&c, 100 * CC_T_NS);
	cc_set_ack(&c);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, r->expected);
}

static void cc_fixed_window_lets_the_pacing_decide(struct kunit *test)
{
	static const s64 t_ns[] = { 1, CC_T_NS, 10 * 1000 * 1000,
				    1000 * 1000 * 1000 };
	struct cc_set c;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(t_ns); i++) {
		cc_set_init(&c, &lapsmp_cc_fixed);
		c.s.T_ns = t_ns[i];
		cc_set_ack(&c);
		KUNIT_EXPECT_GE(test, c.cc.cwnd_q16,
				lapsmp_arith_segs_q16(CC_LINE, 2 * t_ns[i],
						      CC_SEG));
	}
}

static void cc_fixed_window_without_a_delay_is_kept(struct kunit *test)
{
	static const s64 t_ns[] = { 0, -1, S64_MIN };
	struct cc_set c;
	u64 before;
	size_t i;

	cc_set_init(&c, &lapsmp_cc_fixed);
	before = c.cc.cwnd_q16;
	for (i = 0; i < ARRAY_SIZE(t_ns); i++) {
		c.s.T_ns = t_ns[i];
		cc_set_ack(&c);
		KUNIT_EXPECT_EQ(test, c.cc.cwnd_q16, before);
	}
}

static void cc_fixed_survives_garbage(struct kunit *test)
{
	struct cc_set c;

	cc_set_init(&c, &lapsmp_cc_fixed);
	KUNIT_EXPECT_EQ(test, cc_set_garbage_run(&c, 20000), 0);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, CC_LINE);
}

static struct kunit_case cc_fixed_test_cases[] = {
	KUNIT_CASE_PARAM(cc_fixed_rate_case, rate_gen_params),
	KUNIT_CASE(cc_fixed_window_lets_the_pacing_decide),
	KUNIT_CASE(cc_fixed_window_without_a_delay_is_kept),
	KUNIT_CASE(cc_fixed_survives_garbage),
	{}
};

struct kunit_suite lapsmp_cc_fixed_suite = {
	.name = "lapsmp_cc_fixed",
	.test_cases = cc_fixed_test_cases,
};
