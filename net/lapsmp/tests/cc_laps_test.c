// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/cc_laps.c: in which direction it moves, when, and within what
 * bounds. The constants are tuned elsewhere, so none is repeated here.
 */
#include <kunit/test.h>

#include "cc_laps_set.h"

/* A flow that has left slow start, with a window of about what the path holds. */
static void laps_start_steady(struct cc_set *c)
{
	int i;

	laps_start(c);
	for (i = 0; i < 50; i++)
		cc_set_round_on_link(c);
}

static void laps_initial_window_measures_and_does_not_flood(struct kunit *test)
{
	struct cc_set c;

	laps_start(&c);
	KUNIT_EXPECT_GE(test, cc_set_cwnd(&c), 2);
	KUNIT_EXPECT_LE(test, cc_set_cwnd(&c), 32);
	KUNIT_EXPECT_GT(test, c.cc.pacing_rate, 0);
	KUNIT_EXPECT_LE(test, c.cc.pacing_rate, CC_LINE);
}

static void laps_idle_path_is_filled_within_few_round_trips(struct kunit *test)
{
	struct cc_set c;
	u32 before;
	int i;

	laps_start(&c);
	for (i = 0; i < 4; i++) {
		before = cc_set_cwnd(&c);
		cc_set_round(&c);
		KUNIT_EXPECT_GE(test, cc_set_cwnd(&c), min(before * 3 / 2, CC_TOP));
	}
	for (; i < 10; i++)
		cc_set_round(&c);
	KUNIT_EXPECT_GE(test, cc_set_cwnd(&c), CC_BDP);
}

static void laps_window_stays_below_what_the_paths_hold(struct kunit *test)
{
	struct cc_set c;
	int i;

	laps_start(&c);
	for (i = 0; i < 200; i++)
		cc_set_round(&c);
	KUNIT_EXPECT_LE(test, cc_set_cwnd(&c), CC_TOP);
	KUNIT_EXPECT_LE(test, c.cc.pacing_rate, CC_LINE);
}

static void laps_unused_window_does_not_grow(struct kunit *test)
{
	struct cc_set c;
	u64 before;
	int i;

	laps_start(&c);
	cc_set_round(&c);
	before = c.cc.cwnd_q16;
	/* One at a time, over many hold times. */
	c.s.inflight_segs = 0;
	for (i = 0; i < 1000; i++) {
		c.s.now_ns += CC_RTT_NS;
		cc_set_ack(&c);
	}
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, before + LAPSMP_SEG_Q16);
}

static void laps_decrease_is_spread_over_the_acknowledgments(struct kunit *test)
{
	struct cc_set c;
	u64 start, last;
	int i;

	laps_start_steady(&c);
	start = c.cc.cwnd_q16;
	last = start;
	cc_set_delay(&c, LATE_NS);
	for (i = 0; i < 20; i++) {
		cc_set_ack(&c);
		KUNIT_EXPECT_LT(test, c.cc.cwnd_q16, last);
		KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, last - LAPSMP_SEG_Q16 / 2);
		last = c.cc.cwnd_q16;
	}
	cc_set_round(&c);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, start - start / 32);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, start / 2);
}

/* Return: what is left of a window, in 1/1000, after a round at delay t. */
static u32 laps_left(s64 t_ns)
{
	struct cc_set c;
	u64 before;

	laps_start_steady(&c);
	before = c.cc.cwnd_q16;
	cc_set_delay(&c, t_ns);
	cc_set_round(&c);
	return div64_u64(c.cc.cwnd_q16 * 1000, before);
}

static void laps_larger_excess_decreases_at_least_as_much(struct kunit *test)
{
	/* It rests a little above the margin: a very small excess lets it grow. */
	u32 left, last = 1020;
	s64 t_ns;

	for (t_ns = CC_T_NS + 100; t_ns < 50 * CC_T_NS; t_ns = t_ns * 5 / 4) {
		left = laps_left(t_ns);
		KUNIT_EXPECT_LE(test, left, last);
		KUNIT_EXPECT_GE(test, left, 500);
		last = left;
	}
	KUNIT_EXPECT_LE(test, last, 950);
	/* A small excess needs a small correction, or the queue swings. */
	KUNIT_EXPECT_GE(test, laps_left(CC_T_NS + CC_T_NS / 20), 950);
	KUNIT_EXPECT_GE(test, laps_left(CC_T_NS), 1000);
}

static void laps_room_elsewhere_grows_no_full_path(struct kunit *test)
{
	struct cc_set c;
	u64 before;

	laps_start(&c);
	cc_set_delay(&c, LATE_NS);
	laps_other_path(&c, true);
	before = c.cc.cwnd_q16;
	cc_set_round(&c);
	KUNIT_EXPECT_LT(test, c.cc.cwnd_q16, before);

	/* Slow start goes on where there is room, on the other path at once, */
	cc_set_delay(&c, CC_BASE_NS);
	c.s.path_id = 1;
	before = c.cc.cwnd_q16;
	cc_set_ack(&c);
	KUNIT_EXPECT_EQ(test, c.cc.cwnd_q16, before + LAPSMP_SEG_Q16);

	/* and on the one that was full with care. */
	c.s.path_id = 0;
	before = c.cc.cwnd_q16;
	cc_set_ack(&c);
	KUNIT_EXPECT_GT(test, c.cc.cwnd_q16, before);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, before + LAPSMP_SEG_Q16 / 2);
}

static void laps_room_elsewhere_excuses_a_queue_in_steady_flow(struct kunit *test)
{
	struct cc_set c;
	u64 before;

	laps_start_steady(&c);
	/* All paths full at once: slow start is over, if it was not. */
	cc_set_delay(&c, LATE_NS);
	cc_set_ack(&c);
	before = c.cc.cwnd_q16;
	laps_other_path(&c, true);
	c.s.inflight_segs = cc_set_cwnd(&c);
	cc_set_ack(&c);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, before + LAPSMP_SEG_Q16 / 10);
	laps_other_path(&c, false);
	cc_set_ack(&c);
	KUNIT_EXPECT_LT(test, c.cc.cwnd_q16, before);
}

static void laps_mark_takes_part_of_a_segment(struct kunit *test)
{
	struct cc_set c;
	u64 before;

	laps_start_with(&c, 20, CC_T_NS);
	before = c.cc.cwnd_q16;
	c.s.acked_segs = 0;
	c.s.marked_segs = 4;
	cc_set_ack(&c);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, before - LAPSMP_SEG_Q16 / 2);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before - 2 * LAPSMP_SEG_Q16);
	c.s.marked_segs = U32_MAX;
	before = c.cc.cwnd_q16;
	cc_set_ack(&c);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before / 2);
}

static void laps_burst_in_slow_start_is_not_held_up(struct kunit *test)
{
	struct cc_set c;
	u64 before;

	laps_start(&c);
	cc_set_round(&c);
	before = c.cc.cwnd_q16;
	c.s.lost_segs = 8;
	cc_set_ack(&c);
	KUNIT_EXPECT_LT(test, c.cc.cwnd_q16, before * 3 / 4);
	/* The next one is, it may be of the same cause. */
	before = c.cc.cwnd_q16;
	cc_set_ack(&c);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before);
}

static void laps_spurious_burst_is_undone_but_not_for_ever(struct kunit *test)
{
	struct cc_set c;
	u64 before;
	int late, i;

	for (late = 0; late < 2; late++) {
		laps_start(&c);
		cc_set_round(&c);
		before = c.cc.cwnd_q16;
		c.s.lost_segs = 8;
		cc_set_ack(&c);
		c.s.lost_segs = 0;
		/* Decisions of which none finds room. */
		cc_set_delay(&c, LATE_NS);
		for (i = 0; late && i < 10; i++) {
			c.s.now_ns += 10 * LATE_NS;
			cc_set_ack(&c);
		}
		c.s.spurious_segs = 8;
		cc_set_ack(&c);
		if (late)
			KUNIT_EXPECT_LT(test, c.cc.cwnd_q16, before * 3 / 4);
		else
			KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before * 9 / 10);
	}
}

static void laps_smallest_window_comes_back_soon(struct kunit *test)
{
	struct cc_set c;
	int i;

	laps_start_steady(&c);
	/* As long as those of its kind ever make it. */
	cc_set_delay(&c, 5 * CC_T_NS);
	for (i = 0; i < 200; i++)
		cc_set_round(&c);
	KUNIT_ASSERT_LE(test, c.cc.cwnd_q16, LAPSMP_SEG_Q16 / 4);
	/* Others are on the path, too: its queue is as long as it may be. */
	cc_set_delay(&c, CC_T_NS);
	for (i = 0; i < 8; i++)
		cc_set_ack(&c);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, LAPSMP_SEG_Q16 / 2);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, 4 * LAPSMP_SEG_Q16);
}

static void laps_endless_congestion_ends_above_zero(struct kunit *test)
{
	struct cc_set c;
	int i;

	laps_start_steady(&c);
	cc_set_delay(&c, 5 * CC_T_NS);
	for (i = 0; i < 500; i++) {
		cc_set_round(&c);
		KUNIT_ASSERT_GT(test, c.cc.cwnd_q16, 0);
		KUNIT_ASSERT_GT(test, c.cc.pacing_rate, 0);
	}
	/* Hundreds of hosts must be able to share one link. */
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, LAPSMP_SEG_Q16 / 4);
	KUNIT_EXPECT_LE(test, c.cc.pacing_rate, CC_LINE / 1000);

	cc_set_delay(&c, CC_BASE_NS);
	for (i = 0; i < 100; i++)
		cc_set_round(&c);
	KUNIT_EXPECT_GE(test, cc_set_cwnd(&c), CC_BDP / 2);
}

struct loss_case {
	const char *name;
	u32 acked;
	u32 lost;
	bool decreases;
};

static const struct loss_case loss_cases[] = {
	{ "none", 100, 0, false },
	{ "one is a fault of a link", 100, 1, false },
	{ "one percent", 99, 1, false },
	{ "one in a thousand of many", 100000, 100, false },
	{ "half of a window", 40, 40, true },
	{ "a whole window", 0, 80, true },
};

KUNIT_ARRAY_PARAM_DESC(loss, loss_cases, name);

static void laps_loss_case(struct kunit *test)
{
	const struct loss_case *l = test->param_value;
	struct cc_set c;
	u64 before;

	laps_start_steady(&c);
	cc_set_delay(&c, CC_BASE_NS);
	c.s.now_ns += 10 * CC_T_NS;
	before = c.cc.cwnd_q16;
	c.s.acked_segs = l->acked;
	c.s.lost_segs = l->lost;
	cc_set_ack(&c);
	if (l->decreases)
		KUNIT_EXPECT_LT(test, c.cc.cwnd_q16, before);
	else
		KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before);
}

struct cut_lost_case {
	const char *name;
	u32 segs;
	u32 acked;
	u32 lost;
	u32 left;	/* thousandths of the window, at a delay that moves nothing else much */
};

static const struct cut_lost_case cut_lost_cases[] = {
	{ "none", 40, 80, 0, 1000 },
	{ "one of two large windows", 40, 79, 1, 1000 },
	{ "one in twenty", 40, 76, 4, 1000 },
	{ "one in a thousand of many", 80, 99900, 100, 1000 },
	{ "one of twenty of small ones", 10, 19, 1, 1000 },
	{ "one of nineteen", 10, 18, 1, 895 },
	{ "three, which are no burst", 20, 37, 3, 850 },
	{ "by no more than was lost, where round trips are short", 12, 6, 3, 750 },
	{ "as many as a burst, and so it halves", 40, 75, 5, 500 },
	{ "one of a crowd, of two that left", 2, 1, 1, 500 },
	{ "nothing came", 2, 0, 1, 500 },
	{ "nor of three", 4, 0, 3, 500 },
};

KUNIT_ARRAY_PARAM_DESC(cut_lost, cut_lost_cases, name);

/* Of single losses the window yields by their share, once in two T. */
static void laps_cut_lost_case(struct kunit *test)
{
	const struct cut_lost_case *l = test->param_value;
	struct cc_set c;
	u64 before;

	/* A queue so long that nothing is added, and hardly anything taken for it. */
	laps_start_with(&c, l->segs, CC_T_NS);
	c.s.now_ns += 10 * CC_T_NS;
	/* A decision, and what it leaves behind. */
	cc_set_ack(&c);
	c.cc.cwnd_q16 = l->segs * LAPSMP_SEG_Q16;
	/* Before the next one is due it only counts. */
	c.s.acked_segs = 0;
	c.s.lost_segs = l->lost;
	cc_set_ack(&c);
	KUNIT_EXPECT_EQ(test, c.cc.cwnd_q16, l->segs * LAPSMP_SEG_Q16);
	c.s.now_ns += 10 * CC_T_NS;
	c.s.acked_segs = l->acked;
	c.s.lost_segs = 0;
	before = c.cc.cwnd_q16;
	cc_set_ack(&c);
	/* What the ACK itself adds: half a segment at most, and nothing if it is for nothing. */
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before * l->left / 1000 - LAPSMP_SEG_Q16 / 16);
	KUNIT_EXPECT_LE(test, c.cc.cwnd_q16, before * l->left / 1000 +
			LAPSMP_SEG_Q16 * (l->acked ? 9 : 1) / 16);
}

/* Each port of a link that has died loses its own few, one after the other. */
static void laps_timeouts_of_few_take_nothing(struct kunit *test)
{
	struct cc_set c;
	u64 before;
	int i;

	laps_start_with(&c, 20, CC_T_NS);
	before = c.cc.cwnd_q16;
	c.s.acked_segs = 0;
	c.s.lost_segs = 3;
	c.s.timeout = true;
	for (i = 0; i < 8; i++) {
		c.s.now_ns += 10 * CC_T_NS;
		cc_set_ack(&c);
	}
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before);
}

/* A first loss does not end slow start, nor does it take anything. */
static void laps_single_loss_takes_nothing_in_slow_start(struct kunit *test)
{
	struct cc_set c;
	u64 before;

	laps_start(&c);
	cc_set_round(&c);
	before = c.cc.cwnd_q16;
	c.s.now_ns += 10 * CC_T_NS;
	c.s.lost_segs = 3;
	cc_set_ack(&c);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before);
}

static void laps_unknown_delays_are_no_congestion(struct kunit *test)
{
	struct cc_set c;
	u64 before, rate;

	laps_start(&c);
	before = c.cc.cwnd_q16;
	rate = c.cc.pacing_rate;
	c.s.T_ns = 0;
	c.s.here_T_ns = 0;
	c.s.t_ns = 1000000;
	c.s.srtt_ns = 0;
	c.s.rtt_ns = 0;
	cc_set_ack(&c);
	KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, before);
	KUNIT_EXPECT_EQ(test, c.cc.pacing_rate, rate);
}

/* The closed loop: one link, nobody else. It stays busy, with a bounded queue. */
static void laps_link_is_kept_full_without_a_long_queue(struct kunit *test)
{
	u32 share = 0, i, rounds = 500;
	s64 queue_ns = 0, most_ns = 0;
	struct cc_set c;

	laps_start(&c);
	for (i = 0; i < 100; i++)
		cc_set_round_on_link(&c);
	for (i = 0; i < rounds; i++) {
		share += cc_set_round_on_link(&c);
		queue_ns += c.s.t_ns - CC_BASE_NS;
		most_ns = max(most_ns, c.s.t_ns - CC_BASE_NS);
	}
	KUNIT_EXPECT_GE_MSG(test, share, 95 * rounds, "%u percent", share / rounds);
	KUNIT_EXPECT_LE(test, div_s64(queue_ns, rounds), 2 * (CC_T_NS - CC_BASE_NS));
	KUNIT_EXPECT_LE(test, most_ns, CC_T_NS);
}

static void laps_pacing_does_not_hold_back_the_window(struct kunit *test)
{
	struct cc_set c;
	u64 worth;
	int i;

	laps_start(&c);
	for (i = 0; i < 50; i++) {
		cc_set_round_on_link(&c);
		/* bytes/s that the window makes in a round trip */
		worth = div64_u64((c.cc.cwnd_q16 * CC_SEG >> 16) * NSEC_PER_SEC,
				  c.s.srtt_ns);
		KUNIT_EXPECT_GE(test, c.cc.pacing_rate, min(worth, CC_LINE));
		KUNIT_EXPECT_LE(test, c.cc.pacing_rate, min(3 * worth, CC_LINE));
	}
}

static void laps_survives_garbage(struct kunit *test)
{
	struct cc_set c;

	laps_start(&c);
	KUNIT_EXPECT_EQ(test, cc_set_garbage_run(&c, 20000), 0);
	KUNIT_EXPECT_LE(test, c.cc.pacing_rate, CC_LINE);
}

static struct kunit_case cc_laps_test_cases[] = {
	KUNIT_CASE(laps_initial_window_measures_and_does_not_flood),
	KUNIT_CASE(laps_idle_path_is_filled_within_few_round_trips),
	KUNIT_CASE(laps_window_stays_below_what_the_paths_hold),
	KUNIT_CASE(laps_unused_window_does_not_grow),
	KUNIT_CASE(laps_decrease_is_spread_over_the_acknowledgments),
	KUNIT_CASE(laps_larger_excess_decreases_at_least_as_much),
	KUNIT_CASE(laps_room_elsewhere_grows_no_full_path),
	KUNIT_CASE(laps_room_elsewhere_excuses_a_queue_in_steady_flow),
	KUNIT_CASE(laps_mark_takes_part_of_a_segment),
	KUNIT_CASE(laps_burst_in_slow_start_is_not_held_up),
	KUNIT_CASE(laps_spurious_burst_is_undone_but_not_for_ever),
	KUNIT_CASE(laps_smallest_window_comes_back_soon),
	KUNIT_CASE(laps_endless_congestion_ends_above_zero),
	KUNIT_CASE_PARAM(laps_loss_case, loss_gen_params),
	KUNIT_CASE_PARAM(laps_cut_lost_case, cut_lost_gen_params),
	KUNIT_CASE(laps_timeouts_of_few_take_nothing),
	KUNIT_CASE(laps_single_loss_takes_nothing_in_slow_start),
	KUNIT_CASE(laps_unknown_delays_are_no_congestion),
	KUNIT_CASE(laps_link_is_kept_full_without_a_long_queue),
	KUNIT_CASE(laps_pacing_does_not_hold_back_the_window),
	KUNIT_CASE(laps_survives_garbage),
	{}
};

struct kunit_suite lapsmp_cc_laps_suite = {
	.name = "lapsmp_cc_laps",
	.test_cases = cc_laps_test_cases,
};
