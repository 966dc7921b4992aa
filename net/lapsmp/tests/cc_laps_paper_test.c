// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/cc_laps_paper.c: algorithm 2 as printed, so exact figures, plus
 * what keeps them in range.
 */
#include <kunit/test.h>

#include "cc_set.h"

#define LATE_NS		(2 * CC_T_NS)
#define RATE_MIN	125000		/* 1 Mbit/s */

static void paper_start(struct cc_set *c)
{
	cc_set_init(c, &lapsmp_cc_laps_paper);
}

/* The next sample, @after_ns later. */
static void paper_ack(struct cc_set *c, u64 after_ns, s64 t_ns)
{
	c->s.now_ns += after_ns;
	cc_set_delay(c, t_ns);
	cc_set_ack(c);
}

static void paper_starts_at_the_line_rate(struct kunit *test)
{
	struct cc_set c;

	paper_start(&c);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, CC_LINE);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, LAPSMP_SEG_Q16);
}

static void paper_congestion_halves_once_in_two_delays(struct kunit *test)
{
	struct cc_set c;

	paper_start(&c);
	paper_ack(&c, 0, LATE_NS);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, CC_LINE / 2);
	paper_ack(&c, 1, LATE_NS);
	paper_ack(&c, 2 * LATE_NS - 2, LATE_NS);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, CC_LINE / 2);
	paper_ack(&c, 1, LATE_NS);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, CC_LINE / 4);
}

static void paper_delay_of_just_the_limit_is_no_congestion(struct kunit *test)
{
	struct cc_set c;

	paper_start(&c);
	paper_ack(&c, 0, CC_T_NS);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, CC_LINE);
	paper_ack(&c, 0, CC_T_NS + 1);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, CC_LINE / 2);
}

/* Five steps halve the distance to where the rate was; then that doubles. */
static void paper_recovers_in_stages(struct kunit *test)
{
	u64 exp_rate, rate = CC_LINE / 2;
	struct cc_set c;
	int i;

	paper_start(&c);
	for (i = 0; i < 4; i++)
		paper_ack(&c, 3 * LATE_NS, LATE_NS);
	rate = CC_LINE / 16;
	exp_rate = CC_LINE / 8;
	KUNIT_ASSERT_EQ(test, c.cc.pacing_rate, rate);
	for (i = 1; i <= 12; i++) {
		if (i > 5)
			exp_rate = min(2 * exp_rate, CC_LINE);
		rate = (exp_rate + rate) / 2;
		paper_ack(&c, 2 * CC_BASE_NS, CC_BASE_NS);
		KUNIT_EXPECT_LE(test, abs_diff(c.cc.pacing_rate, rate), i);
	}
	KUNIT_EXPECT_GE(test, c.cc.pacing_rate, CC_LINE * 9 / 10);
}

static void paper_increase_waits_two_delays(struct kunit *test)
{
	struct cc_set c;
	u64 rate;

	paper_start(&c);
	paper_ack(&c, 0, LATE_NS);
	paper_ack(&c, 1, CC_BASE_NS);
	rate = c.cc.pacing_rate;
	paper_ack(&c, 2 * CC_BASE_NS - 1, CC_BASE_NS);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, rate);
	paper_ack(&c, 1, CC_BASE_NS);
	KUNIT_EXPECT_GT(test, c.cc.pacing_rate, rate);
}

static void paper_rate_stays_in_range(struct kunit *test)
{
	struct cc_set c;
	int i;

	paper_start(&c);
	for (i = 0; i < 200; i++)
		paper_ack(&c, 3 * LATE_NS, LATE_NS);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, RATE_MIN);
	for (i = 0; i < 200; i++)
		paper_ack(&c, 3 * LATE_NS, CC_BASE_NS);
	KUNIT_EXPECT_LE(test, c.cc.pacing_rate, CC_LINE);
	KUNIT_EXPECT_GE(test, c.cc.pacing_rate, CC_LINE - 2);
}

static void paper_slow_line_has_the_least_rate(struct kunit *test)
{
	struct cc_set c;

	paper_start(&c);
	c.cfg.line_rate = 0;
	cc_set_start(&c);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, RATE_MIN);
	paper_ack(&c, 0, LATE_NS);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, RATE_MIN);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, LAPSMP_SEG_Q16);
}

static void paper_losses_and_timeouts_change_nothing(struct kunit *test)
{
	struct lapsmp_cc before;
	struct cc_set c;

	paper_start(&c);
	c.s.lost_segs = 100;
	paper_ack(&c, 0, CC_BASE_NS);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, CC_LINE);
	before = c.cc;
	c.s.timeout = true;
	paper_ack(&c, 100 * LATE_NS, LATE_NS);
	KUNIT_EXPECT_MEMEQ(test, &c.cc, &before, sizeof(before));
}

static void paper_window_is_what_the_longest_path_holds(struct kunit *test)
{
	struct cc_set c;

	paper_start(&c);
	paper_ack(&c, 0, CC_BASE_NS);
	KUNIT_EXPECT_EQ(test, cc_set_cwnd(&c), CC_TOP);
	c.s.T_ns = 1;
	paper_ack(&c, 0, CC_BASE_NS);
	KUNIT_EXPECT_EQ(test, c.cc.cwnd_q16, LAPSMP_SEG_Q16);
}

static void paper_survives_garbage(struct kunit *test)
{
	struct cc_set c;

	paper_start(&c);
	KUNIT_EXPECT_EQ(test, cc_set_garbage_run(&c, 20000), 0);
	KUNIT_EXPECT_GE(test, c.cc.pacing_rate, RATE_MIN);
	KUNIT_EXPECT_LE(test, c.cc.pacing_rate, CC_LINE);
}

static struct kunit_case cc_laps_paper_test_cases[] = {
	KUNIT_CASE(paper_starts_at_the_line_rate),
	KUNIT_CASE(paper_congestion_halves_once_in_two_delays),
	KUNIT_CASE(paper_delay_of_just_the_limit_is_no_congestion),
	KUNIT_CASE(paper_recovers_in_stages),
	KUNIT_CASE(paper_increase_waits_two_delays),
	KUNIT_CASE(paper_rate_stays_in_range),
	KUNIT_CASE(paper_slow_line_has_the_least_rate),
	KUNIT_CASE(paper_losses_and_timeouts_change_nothing),
	KUNIT_CASE(paper_window_is_what_the_longest_path_holds),
	KUNIT_CASE(paper_survives_garbage),
	{}
};

struct kunit_suite lapsmp_cc_laps_paper_suite = {
	.name = "lapsmp_cc_laps_paper",
	.test_cases = cc_laps_paper_test_cases,
};
