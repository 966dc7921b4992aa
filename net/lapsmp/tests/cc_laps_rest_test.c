// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/step.c, by the control that uses it: at which window it rests in a queue that
 * others hold, and how fast it takes up what a path has room for. These are the law's own
 * figures.
 */
#include <kunit/test.h>

#include "../alg/step.h"
#include "cc_set.h"

#define MARGIN_NS	(CC_T_NS - CC_BASE_NS)

/* A window of @segs that has left slow start, and a delay from now on. */
static void rest_start(struct cc_set *c, u32 segs, s64 t_ns)
{
	cc_set_init(c, &lapsmp_cc_laps);
	cc_set_delay(c, CC_T_NS + CC_T_NS / 2);
	cc_set_ack(c);
	c->cc.cwnd_q16 = (u64)segs * LAPSMP_SEG_Q16;
	cc_set_delay(c, t_ns);
}

/**
 * struct rest_case - a queue, and where windows rest in it
 * @margin_ns: that the path of acknowledgments may have, within T
 * @over_ns: above the margin
 * @least, @most: segments
 */
struct rest_case {
	const char *name;
	s64 margin_ns;
	s64 over_ns;
	u32 least, most;
};

/* cwnd = 3 (1 - over / E) rtt / over, E = min(max(2 margin, T / 64), T). */
static const struct rest_case rest_cases[] = {
	{ "two fifths of a margin: 68", MARGIN_NS, MARGIN_NS * 2 / 5, 65, 71 },
	{ "two thirds of a margin: 35", MARGIN_NS, MARGIN_NS * 2 / 3, 33, 37 },
	{ "one and a half: 6", MARGIN_NS, MARGIN_NS * 3 / 2, 5, 7 },
	{ "two: nothing is added", MARGIN_NS, MARGIN_NS * 2, 0, 0 },
	{ "ten", MARGIN_NS, MARGIN_NS * 10, 0, 0 },
	{ "a margin of nearly T, and T / 4: 26", CC_T_NS - 1, CC_T_NS / 4, 25, 27 },
	{ "the same, and T", CC_T_NS - 1, CC_T_NS, 0, 0 },
	{ "no margin, and 7 T / 512: 46", 0, CC_T_NS * 7 / 512, 43, 49 },
	{ "no margin, and T / 64", 0, CC_T_NS / 64, 0, 0 },
};

KUNIT_ARRAY_PARAM_DESC(rest, rest_cases, name);

static void rest_case(struct kunit *test)
{
	const struct rest_case *p = test->param_value;
	struct cc_set small, large;
	int i;

	rest_start(&small, 2, CC_T_NS + p->over_ns);
	rest_start(&large, 90, CC_T_NS + p->over_ns);
	small.s.here_margin_ns = p->margin_ns;
	large.s.here_margin_ns = p->margin_ns;
	for (i = 0; i < 12000; i++) {
		cc_set_round(&small);
		cc_set_round(&large);
	}
	KUNIT_EXPECT_GE(test, cc_set_cwnd(&small), p->least);
	KUNIT_EXPECT_LE(test, cc_set_cwnd(&small), p->most);
	KUNIT_EXPECT_GE(test, cc_set_cwnd(&large), p->least);
	KUNIT_EXPECT_LE(test, cc_set_cwnd(&large), p->most);
}

/**
 * struct room_case - a queue below its margin, and what a round trip adds
 * @queue_ns: of MARGIN_NS
 * @least, @most: of the window, in 1/1000
 */
struct room_case {
	const char *name;
	s64 queue_ns;
	u32 least, most;
};

/* 0.2 of the room in T, 1/16 of the first half's in that half, and 3/8 of a segment. */
static const struct room_case room_cases[] = {
	{ "full: 9 of 1000", MARGIN_NS, 7, 11 },
	{ "half: 17 and 9", MARGIN_NS / 2, 23, 29 },
	{ "a quarter: 25, 31 and 9", MARGIN_NS / 4, 61, 73 },
	{ "empty: 33, 63 and 9", 0, 101, 115 },
	{ "shorter than ever: no more than 200, 63 and 9", -10 * CC_T_NS, 200, 320 },
};

KUNIT_ARRAY_PARAM_DESC(room, room_cases, name);

static void room_case(struct kunit *test)
{
	const struct room_case *p = test->param_value;
	struct cc_set c;
	u64 before, more;

	rest_start(&c, 40, CC_BASE_NS + p->queue_ns);
	before = c.cc.cwnd_q16;
	cc_set_round(&c);
	more = c.cc.cwnd_q16 - before;
	KUNIT_EXPECT_GE(test, 1000 * more, p->least * before);
	KUNIT_EXPECT_LE(test, 1000 * more, p->most * before);
}

/* A long path: the margin is a hundredth of T, and still it is taken up soon. */
static void rest_long_path_is_taken_up(struct kunit *test)
{
	struct cc_set c;
	int i;

	rest_start(&c, 40, CC_BASE_NS);
	c.s.here_margin_ns = CC_T_NS / 100;
	for (i = 0; i < 10; i++) {
		cc_set_delay(&c, CC_T_NS - c.s.here_margin_ns);
		/* No decision, which could be exponential growth. */
		c.s.now_ns = 0;
		cc_set_round(&c);
	}
	KUNIT_EXPECT_GE(test, cc_set_cwnd(&c), 40 * 3 / 2);
}

/* Of four flows in one queue, each by a way twice as long, all have the same rate. */
static void rest_rate_has_no_length(struct kunit *test)
{
	u64 rate[4], least = U64_MAX, most = 0;
	struct cc_set c;
	int i, k;

	for (k = 0; k < ARRAY_SIZE(rate); k++) {
		rest_start(&c, 20, CC_T_NS + MARGIN_NS);
		c.s.here_T_ns = MARGIN_NS + (10000 << k);
		c.s.owd_ns = c.s.here_T_ns + MARGIN_NS;
		c.s.here_pipe_ns = 20000 << k;
		c.s.rtt_ns = c.s.here_pipe_ns + 2 * MARGIN_NS;
		for (i = 0; i < 4000; i++)
			cc_set_round(&c);
		rate[k] = div64_u64(c.cc.cwnd_q16 * 1000, c.s.rtt_ns);
		least = min(least, rate[k]);
		most = max(most, rate[k]);
	}
	KUNIT_EXPECT_GE(test, 20 * least, 19 * most);
}

/**
 * struct cut_case - a queue, and what an acknowledgment takes of 40 segments
 * @cut: of a segment, in 1/1024
 */
struct cut_case {
	const char *name;
	s64 T_ns, margin_ns;
	u64 pipe_ns, over_ns;
	u32 cut;
};

static const struct cut_case cut_cases[] = {
	{ "none", CC_T_NS, MARGIN_NS, CC_RTT_NS, 0, 0 },
	{ "a quarter of the round trip: 1/32", CC_T_NS, MARGIN_NS, CC_RTT_NS, 110000 / 3 + 1, 32 },
	{ "half of it: 1/16", CC_T_NS, MARGIN_NS, CC_RTT_NS, 110000, 64 },
	{ "nearly all of it: an eighth", CC_T_NS, MARGIN_NS, CC_RTT_NS, 110000000, 128 },
	{ "no way back is known", CC_T_NS, MARGIN_NS, 0, CC_T_NS, 64 },
	{ "none, and nothing is known", 0, 0, 0, 0, 0 },
	{ "some, and nothing is known", 0, 0, 0, 1, 64 },
	{ "as far as can be", S64_MAX, S64_MAX, U64_MAX, S64_MAX, 64 },
	{ "a margin that is none", CC_T_NS, S64_MIN, 2 * CC_T_NS, 2 * CC_T_NS, 64 },
};

KUNIT_ARRAY_PARAM_DESC(cut, cut_cases, name);

static void cut_case(struct kunit *test)
{
	const struct cut_case *p = test->param_value;
	struct cc_set c;
	u64 cut;

	rest_start(&c, 40, CC_T_NS);
	c.s.here_T_ns = p->T_ns;
	c.s.here_margin_ns = p->margin_ns;
	c.s.here_pipe_ns = p->pipe_ns;
	cut = lapsmp_step_cut(c.cc.cwnd_q16, &c.s, p->over_ns);
	/* In 1/1024, and a thousandth for the rest of a division. */
	KUNIT_EXPECT_LE(test, cut, p->cut * LAPSMP_SEG_Q16 / 1023);
	KUNIT_EXPECT_GE(test, 1000 * (cut + 1), 999 * p->cut * LAPSMP_SEG_Q16 / 1024);
}

/* Queues are only coming back: nothing moves, and what was lost meanwhile counts then. */
static void rest_refill_moves_nothing(struct kunit *test)
{
	static const s64 delays[] = { CC_BASE_NS, CC_T_NS - 1, CC_T_NS + 1, 10 * CC_T_NS };
	struct cc_set c;
	u64 cwnd_q16;
	size_t i;

	rest_start(&c, 40, CC_BASE_NS);
	cwnd_q16 = c.cc.cwnd_q16;
	c.s.refill = true;
	for (i = 0; i < ARRAY_SIZE(delays); i++) {
		cc_set_delay(&c, delays[i]);
		cc_set_round(&c);
		KUNIT_EXPECT_EQ(test, c.cc.cwnd_q16, cwnd_q16);
	}
	c.s.lost_segs = 20;
	cc_set_ack(&c);
	KUNIT_EXPECT_EQ(test, c.cc.cwnd_q16, cwnd_q16);
	c.s.refill = false;
	c.s.lost_segs = 0;
	c.s.now_ns += CC_RTT_NS;
	cc_set_delay(&c, CC_T_NS + 1);
	cc_set_ack(&c);
	/* Halved; and the ACK itself adds a little. */
	KUNIT_EXPECT_LT(test, c.cc.cwnd_q16, cwnd_q16 / 2 + cwnd_q16 / 16);
}

static struct kunit_case cc_laps_rest_test_cases[] = {
	KUNIT_CASE_PARAM(rest_case, rest_gen_params),
	KUNIT_CASE_PARAM(room_case, room_gen_params),
	KUNIT_CASE(rest_long_path_is_taken_up),
	KUNIT_CASE(rest_rate_has_no_length),
	KUNIT_CASE_PARAM(cut_case, cut_gen_params),
	KUNIT_CASE(rest_refill_moves_nothing),
	{}
};

struct kunit_suite lapsmp_cc_laps_rest_suite = {
	.name = "lapsmp_cc_laps_rest",
	.test_cases = cc_laps_rest_test_cases,
};
