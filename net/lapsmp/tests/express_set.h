/* SPDX-License-Identifier: GPL-2.0 */
/* A flow with messages to send, what it may, and what it hears: for the tests of alg/express.c. */
#ifndef _LAPSMP_TESTS_EXPRESS_SET_H
#define _LAPSMP_TESTS_EXPRESS_SET_H

#include <linux/kernel.h>
#include <linux/time64.h>
#include <kunit/test.h>

#include "../alg/express.h"

/* 10 Gbit/s. */
#define LINE		1250000000ULL
#define SEGS		16
/* Of the classes; the last is what may pass at all, and in a row. */
#define BYTES_0		4000
#define BYTES_1		24000
#define BYTES_2		80000
#define BYTES		200000
#define USUAL		{ BYTES_0, BYTES_1, BYTES_2, BYTES }
/* At which a message of a class travels. */
#define LEVEL(class)	(LAPSMP_EXPRESS_CLASSES - (class))
#define BEST		LEVEL(0)
#define LAST		LEVEL(LAPSMP_EXPRESS_CLASSES - 1)
/* An eighth of the line's rate makes good so many in this time; and all that there is. */
#define GOOD_NS		(8ULL * BYTES * NSEC_PER_SEC / LINE)
#define ALL_GOOD_NS	(2 * GOOD_NS)
#define BASE_NS		10000
#define MARGIN_NS	10000
/* Less is no window. */
#define LEAST_SEGS	8

/**
 * struct express_set - a flow, what it may, and what it hears
 * @e: the flow's part
 * @cfg: what may pass
 * @s: the next acknowledgment
 * @now_ns: the time
 */
struct express_set {
	struct lapsmp_express e;
	struct lapsmp_express_cfg cfg;
	struct lapsmp_express_sample s;
	u64 now_ns;
};

/* It has sent nothing yet. */
static inline void express_start(struct express_set *c)
{
	*c = (struct express_set){
		.cfg = {
			.bytes = USUAL,
			.segs = SEGS,
			.line_rate = LINE,
		},
		.s = {
			.segs = 1,
			.timed = true,
			.base_ns = BASE_NS,
			.margin_ns = MARGIN_NS,
		},
		.now_ns = NSEC_PER_SEC,
	};
}

/* Return: the level at which a message travels. */
static inline u8 express_send(struct express_set *c, u32 len, bool idle)
{
	lapsmp_express_begin(&c->e, &c->cfg, len, idle, c->now_ns);
	return c->e.level;
}

/* Some were acknowledged, @queue_ns above the base. Return: the window. */
static inline u32 express_ack(struct express_set *c, u32 segs, s64 queue_ns)
{
	c->s.segs = segs;
	c->s.queue_ns = queue_ns;
	lapsmp_express_acked(&c->e, &c->s);
	return lapsmp_express_window(&c->e);
}

/* The first answer, to a flow that passes with a first window of @segs. */
static inline void express_heard(struct express_set *c, u32 segs)
{
	express_start(c);
	c->cfg.segs = segs;
	express_send(c, BYTES, true);
	c->s.timed = false;
	express_ack(c, 1, 0);
	c->s.timed = true;
}

/* Some were lost, with others under way. Return: the window. */
static inline u32 express_lose(struct express_set *c, u32 inflight_segs, u64 sent_ns)
{
	lapsmp_express_lost(&c->e, inflight_segs, sent_ns, c->now_ns);
	return lapsmp_express_window(&c->e);
}

/* What leaves now is lost, and that is known a round trip later. Return: the window. */
static inline u32 express_lose_next(struct express_set *c, u32 inflight_segs)
{
	u64 sent_ns = ++c->now_ns;

	c->now_ns += 2 * BASE_NS;
	return express_lose(c, inflight_segs, sent_ns);
}

/* Back to what it is at the very first. */
static inline void express_expect_anew(struct kunit *test, struct express_set *c)
{
	c->now_ns += ALL_GOOD_NS;
	KUNIT_EXPECT_EQ(test, express_send(c, BYTES, true), LAST);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c->e), 3 * SEGS);
	KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c->e, LINE, 1, SEGS - 1), LINE);
	KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c->e, LINE, 1, SEGS), LINE / 8);
}

#endif /* _LAPSMP_TESTS_EXPRESS_SET_H */
