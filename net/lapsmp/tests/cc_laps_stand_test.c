// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/cc_laps.c beside others that do not yield (alg/stand.c), and who is none of them. */
#include <kunit/test.h>

#include "cc_laps_set.h"

/* Return: the window in segments that it comes to at a delay that others hold. */
static u32 laps_beside(struct cc_set *c, bool marks, bool losses)
{
	u32 rounds;

	for (rounds = 0; rounds < 200; rounds++) {
		cc_set_round(c);
		/* One of each round is marked, or one of 16 rounds lost. */
		c->s.marked_segs = marks;
		c->s.lost_segs = losses && rounds % 16 == 0;
		cc_set_ack(c);
		c->s.marked_segs = 0;
		c->s.lost_segs = 0;
	}
	return cc_set_cwnd(c);
}

static void laps_stands_up_to_who_does_not_yield(struct kunit *test)
{
	struct cc_set c;
	int losses;

	for (losses = 0; losses < 2; losses++) {
		laps_start_with(&c, 20, CC_T_NS + CC_T_NS);
		KUNIT_EXPECT_EQ(test, laps_beside(&c, false, false), 0);
		KUNIT_EXPECT_GE(test, laps_beside(&c, !losses, losses), 3);
		/* They went, and others of its kind came. */
		laps_beside(&c, false, false);
		KUNIT_EXPECT_EQ(test, laps_beside(&c, false, false), 0);
	}
}

static void laps_loss_is_congestion_beside_others(struct kunit *test)
{
	struct cc_set c;
	u64 before;

	laps_start_with(&c, 20, CC_T_NS + CC_T_NS);
	laps_beside(&c, false, false);
	laps_beside(&c, true, false);
	before = c.cc.cwnd_q16;
	c.s.now_ns += 10 * CC_T_NS;
	c.s.lost_segs = 1;
	cc_set_ack(&c);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, before * 4 / 5);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before / 2);
}

/* Return: what twelve calm hold times leave of 64 segments, with @lost in each. */
static u32 laps_calm_losing(struct cc_set *c, u32 lost)
{
	int i;

	c->cc.cwnd_q16 = 64 * LAPSMP_SEG_Q16;
	cc_set_delay(c, CC_BASE_NS);
	for (i = 0; i < 12; i++) {
		c->s.now_ns += 10 * CC_T_NS;
		c->s.inflight_segs = cc_set_cwnd(c);
		c->s.lost_segs = lost;
		cc_set_ack(c);
	}
	return cc_set_cwnd(c);
}

/* While it stands up a loss ends the calm, though delays are calm: it does not grow by leaps. */
static void laps_loss_beside_others_is_no_calm(struct kunit *test)
{
	struct cc_set c;
	int i;

	laps_start_with(&c, 20, CC_T_NS + CC_T_NS / 8);
	for (i = 0; i < 300; i++) {
		c.cc.cwnd_q16 = 20 * LAPSMP_SEG_Q16;
		cc_set_round(&c);
	}
	c.s.lost_segs = 1;
	cc_set_ack(&c);
	KUNIT_EXPECT_LT(test, laps_calm_losing(&c, 1), 8);
	/* What it is compared with: without losses there are leaps. */
	KUNIT_EXPECT_GT(test, laps_calm_losing(&c, 0), 64);
}

/* Return: what it yields in a round trip at others' queue, 1/1000 of the window. */
static u64 laps_yields_after(u32 segs)
{
	struct cc_set c;
	u64 before;
	int i;

	laps_start_with(&c, segs, CC_T_NS + CC_T_NS / 8);
	for (i = 0; i < 300; i++) {
		c.cc.cwnd_q16 = (u64)segs * LAPSMP_SEG_Q16;
		cc_set_round(&c);
	}
	/* Others begin, and of each round one is lost. */
	for (i = 0; i < 4; i++) {
		c.s.lost_segs = 1;
		cc_set_ack(&c);
		c.s.lost_segs = 0;
		c.cc.cwnd_q16 = (u64)segs * LAPSMP_SEG_Q16;
		cc_set_round(&c);
	}
	c.cc.cwnd_q16 = (u64)segs * LAPSMP_SEG_Q16;
	cc_set_delay(&c, 2 * CC_T_NS);
	before = c.cc.cwnd_q16;
	cc_set_round(&c);
	return before > c.cc.cwnd_q16 ? (before - c.cc.cwnd_q16) * 1000 / before : 0;
}

/* Who has most of a link rests above his margin by himself: that is no yielding. */
static void laps_who_has_most_stands_up_to_nobody(struct kunit *test)
{
	KUNIT_EXPECT_GT(test, laps_yields_after(CC_BDP), 3 * laps_yields_after(CC_BDP / 4));
}

static void laps_room_elsewhere_is_nobody_to_stand_up_to(struct kunit *test)
{
	struct cc_set c;
	u64 before;

	laps_start_with(&c, 20, CC_T_NS + CC_T_NS);
	laps_other_path(&c, true);
	laps_beside(&c, false, true);
	laps_other_path(&c, false);
	before = c.cc.cwnd_q16;
	cc_set_round(&c);
	KUNIT_EXPECT_LT(test, c.cc.cwnd_q16, before - before / 32);
}

/* Some time later one is lost, and that is decided on. Return: what the next ACK leaves of 20. */
static u64 laps_left_of_20(struct cc_set *c)
{
	c->s.now_ns += 4 * CC_T_NS;
	c->s.lost_segs = 1;
	cc_set_ack(c);
	c->s.lost_segs = 0;
	c->cc.cwnd_q16 = 20 * LAPSMP_SEG_Q16;
	cc_set_ack(c);
	return c->cc.cwnd_q16;
}

/* Return: how long after a look it yields less than before, in 4 T. */
static u32 laps_stands_after_a_look(u32 rnd)
{
	struct cc_set c;
	u64 yielding;
	u32 n;

	laps_start_with(&c, 20, CC_T_NS + CC_T_NS);
	yielding = laps_left_of_20(&c);
	c.s.refill = true;
	c.s.rnd = rnd;
	cc_set_ack(&c);
	c.s.refill = false;
	c.s.rnd = 0;
	for (n = 0; n < 5000; n++)
		if (laps_left_of_20(&c) > yielding)
			break;
	return n;
}

/* All who send to a host look at once, and are not to stand up at once. */
static void laps_stand_up_apart_after_a_look(struct kunit *test)
{
	u32 first = laps_stands_after_a_look(0), last = laps_stands_after_a_look(U32_MAX);

	KUNIT_EXPECT_GT(test, first, 0);
	KUNIT_EXPECT_GE(test, last, 8 * first);
	KUNIT_EXPECT_LE(test, last, 10 * first);
}

static struct kunit_case cc_laps_stand_test_cases[] = {
	KUNIT_CASE(laps_stands_up_to_who_does_not_yield),
	KUNIT_CASE(laps_loss_is_congestion_beside_others),
	KUNIT_CASE(laps_loss_beside_others_is_no_calm),
	KUNIT_CASE(laps_who_has_most_stands_up_to_nobody),
	KUNIT_CASE(laps_room_elsewhere_is_nobody_to_stand_up_to),
	KUNIT_CASE(laps_stand_up_apart_after_a_look),
	{}
};

struct kunit_suite lapsmp_cc_laps_stand_suite = {
	.name = "lapsmp_cc_laps_stand",
	.test_cases = cc_laps_stand_test_cases,
};
