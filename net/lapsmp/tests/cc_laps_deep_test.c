// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/cc_laps.c: the window beside others who fill a deep buffer. */
#include <kunit/test.h>

#include "cc_set.h"

/* A window beside others who fill a deep buffer, when it has come to so many segments. */
static void laps_start_deep(struct cc_set *c, u32 segs)
{
	u32 rounds;

	cc_set_init(c, &lapsmp_cc_laps);
	cc_set_delay(c, 20 * CC_T_NS);
	for (rounds = 0; rounds < 1000 && cc_set_cwnd(c) >= 2; rounds++)
		cc_set_round(c);
	for (rounds = 0; rounds < 1000 && cc_set_cwnd(c) < segs; rounds++)
		cc_set_round(c);
}

static void laps_fills_deep_buffers_beside_others(struct kunit *test)
{
	struct cc_set c;
	u64 before;

	laps_start_deep(&c, 20);
	KUNIT_ASSERT_EQ(test, cc_set_cwnd(&c), 20);
	before = c.cc.cwnd_q16;
	cc_set_round(&c);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before + LAPSMP_SEG_Q16 * 9 / 10);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, before + LAPSMP_SEG_Q16);
}

static void laps_loss_is_congestion_in_deep_buffers(struct kunit *test)
{
	struct cc_set c;
	u64 before;

	laps_start_deep(&c, 20);
	before = c.cc.cwnd_q16;
	c.s.now_ns += 2 * c.s.rtt_ns;
	c.s.lost_segs = 1;
	cc_set_ack(&c);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, before * 3 / 4);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before * 2 / 3);
	/* Once in a round trip. */
	before = c.cc.cwnd_q16;
	c.s.now_ns += c.s.rtt_ns / 2;
	cc_set_ack(&c);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before);
}

static void laps_leaves_deep_buffers_to_see_who_is_there(struct kunit *test)
{
	struct cc_set c;
	u64 before = 0;
	u32 rounds;

	laps_start_deep(&c, 20);
	for (rounds = 0; rounds < 1000 && cc_set_cwnd(&c) >= 20; rounds++) {
		before = c.cc.cwnd_q16;
		cc_set_round(&c);
	}
	KUNIT_ASSERT_GT(test, before, 20 * LAPSMP_SEG_Q16);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, LAPSMP_SEG_Q16);
	/* A timeout says nothing of the delay. */
	c.s.timeout = true;
	cc_set_round(&c);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, LAPSMP_SEG_Q16);
	c.s.timeout = false;
	/* They are still there. */
	for (rounds = 0; rounds < 10 && cc_set_cwnd(&c) < 20; rounds++)
		cc_set_round(&c);
	KUNIT_EXPECT_GE(test, rounds, 2);
	KUNIT_EXPECT_LE(test, rounds, 5);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before - LAPSMP_SEG_Q16);
}

static struct kunit_case cc_laps_deep_test_cases[] = {
	KUNIT_CASE(laps_fills_deep_buffers_beside_others),
	KUNIT_CASE(laps_loss_is_congestion_in_deep_buffers),
	KUNIT_CASE(laps_leaves_deep_buffers_to_see_who_is_there),
	{}
};

struct kunit_suite lapsmp_cc_laps_deep_suite = {
	.name = "lapsmp_cc_laps_deep",
	.test_cases = cc_laps_deep_test_cases,
};
