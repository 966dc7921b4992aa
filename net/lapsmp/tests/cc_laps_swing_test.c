// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/cc_laps.c in queues that swing (alg/swing.c): whose room is none, and whose is
 * room all the same.
 */
#include <kunit/test.h>

#include "cc_set.h"
#include "suites.h"

#define LONG_NS	(4 * CC_T_NS)

/* Many round trips with a window of @cwnd_q16 that met long queues, then an empty path. */
static void swing_start(struct cc_set *c, u64 cwnd_q16, u64 back_ns)
{
	int i;

	cc_set_init(c, &lapsmp_cc_laps);
	c->s.here_back_ns = back_ns;
	cc_set_delay(c, CC_BASE_NS + LONG_NS);
	for (i = 0; i < 100; i++) {
		c->cc.cwnd_q16 = cwnd_q16;
		cc_set_round(c);
	}
	c->cc.cwnd_q16 = cwnd_q16;
	cc_set_delay(c, CC_BASE_NS);
	c->s.here_back_ns = 0;
}

struct swing_room_case {
	const char *name;
	u64 cwnd_q16;
	u64 back_ns;
	bool room;
};

static const struct swing_room_case swing_room_cases[] = {
	{ "long queues both ways", 8 * LAPSMP_SEG_Q16, LONG_NS, false },
	{ "of one segment, too", LAPSMP_SEG_Q16, LONG_NS, false },
	{ "less must find out", LAPSMP_SEG_Q16 - 1, LONG_NS, true },
	{ "nothing on the way back", 8 * LAPSMP_SEG_Q16, 0, true },
	{ "little on the way back", 8 * LAPSMP_SEG_Q16, CC_T_NS / 2, true },
};

KUNIT_ARRAY_PARAM_DESC(swing_room, swing_room_cases, name);

static void swing_room_case(struct kunit *test)
{
	const struct swing_room_case *p = test->param_value;
	struct cc_set c;

	swing_start(&c, p->cwnd_q16, p->back_ns);
	cc_set_round(&c);
	if (p->room)
		KUNIT_EXPECT_GT(test, c.cc.cwnd_q16, p->cwnd_q16);
	else
		KUNIT_EXPECT_EQ(test, c.cc.cwnd_q16, p->cwnd_q16);
}

/* Once the queues have gone, it is room within some tens of round trips. */
static void swing_ends_in_growth(struct kunit *test)
{
	struct cc_set c;
	int i;

	swing_start(&c, 8 * LAPSMP_SEG_Q16, LONG_NS);
	for (i = 0; i < 40; i++)
		cc_set_round(&c);
	KUNIT_EXPECT_GT(test, c.cc.cwnd_q16, 16 * LAPSMP_SEG_Q16);
}

/* Another path's room is no excuse for a queue that is long on the average, both ways. */
static void swing_excuses_no_queue(struct kunit *test)
{
	struct cc_set c;
	int back;

	for (back = 0; back < 2; back++) {
		swing_start(&c, 8 * LAPSMP_SEG_Q16, back * LONG_NS);
		cc_set_delay(&c, CC_BASE_NS + LONG_NS);
		c.s.over_ns = -c.s.margin_ns;
		c.s.inflight_segs = 8;
		cc_set_ack(&c);
		if (back)
			KUNIT_EXPECT_LT(test, c.cc.cwnd_q16, 8 * LAPSMP_SEG_Q16);
		else
			KUNIT_EXPECT_GE(test, c.cc.cwnd_q16, 8 * LAPSMP_SEG_Q16);
	}
}

static struct kunit_case cc_laps_swing_test_cases[] = {
	KUNIT_CASE_PARAM(swing_room_case, swing_room_gen_params),
	KUNIT_CASE(swing_ends_in_growth),
	KUNIT_CASE(swing_excuses_no_queue),
	{}
};

struct kunit_suite lapsmp_cc_laps_swing_suite = {
	.name = "lapsmp_cc_laps_swing",
	.test_cases = cc_laps_swing_test_cases,
};
