// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/express.c: what passes, for how long, and how many segments of it. */
#include <linux/time64.h>
#include <kunit/test.h>

#include "../alg/express.h"
#include "lcg.h"

/* 10 Gbit/s. */
#define LINE		1250000000ULL
#define SEGS		16
#define FIRST_BYTES	24000
#define BYTES		200000
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
static void express_start(struct express_set *c)
{
	*c = (struct express_set){
		.cfg = {
			.first_bytes = FIRST_BYTES,
			.bytes = BYTES,
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
static u8 express_send(struct express_set *c, u32 len, bool idle)
{
	lapsmp_express_begin(&c->e, &c->cfg, len, idle, c->now_ns);
	return c->e.level;
}

/* Some were acknowledged, @queue_ns above the base. Return: the window. */
static u32 express_ack(struct express_set *c, u32 segs, s64 queue_ns)
{
	c->s.segs = segs;
	c->s.queue_ns = queue_ns;
	lapsmp_express_acked(&c->e, &c->s);
	return lapsmp_express_window(&c->e);
}

/* The first answer, to a flow that passes with a first window of @segs. */
static void express_heard(struct express_set *c, u32 segs)
{
	express_start(c);
	c->cfg.segs = segs;
	express_send(c, BYTES, true);
	c->s.timed = false;
	express_ack(c, 1, 0);
	c->s.timed = true;
}

struct level_case {
	const char *name;
	u32 first_bytes;
	u32 bytes;
	u32 len;
	u8 level;
};

static const struct level_case level_cases[] = {
	{ "nothing", FIRST_BYTES, BYTES, 0, LAPSMP_EXPRESS_FIRST },
	{ "a byte", FIRST_BYTES, BYTES, 1, LAPSMP_EXPRESS_FIRST },
	{ "what may leave at once", FIRST_BYTES, BYTES, FIRST_BYTES, LAPSMP_EXPRESS_FIRST },
	{ "a byte more", FIRST_BYTES, BYTES, FIRST_BYTES + 1, LAPSMP_EXPRESS_SHORT },
	{ "what may pass", FIRST_BYTES, BYTES, BYTES, LAPSMP_EXPRESS_SHORT },
	{ "a byte more than that", FIRST_BYTES, BYTES, BYTES + 1, LAPSMP_EXPRESS_NONE },
	{ "the longest", FIRST_BYTES, BYTES, U32_MAX, LAPSMP_EXPRESS_NONE },
	{ "nothing, and none may pass", FIRST_BYTES, 0, 0, LAPSMP_EXPRESS_NONE },
	{ "a byte, and none may pass", FIRST_BYTES, 0, 1, LAPSMP_EXPRESS_NONE },
	{ "short, and none may pass", FIRST_BYTES, 0, BYTES, LAPSMP_EXPRESS_NONE },
	{ "a byte, and none may leave at once", 0, BYTES, 1, LAPSMP_EXPRESS_SHORT },
	{ "more may leave at once than may pass", 2 * BYTES, BYTES, BYTES,
	  LAPSMP_EXPRESS_FIRST },
	{ "longer than may pass, though it may leave at once", 2 * BYTES, BYTES, BYTES + 1,
	  LAPSMP_EXPRESS_NONE },
	{ "the longest, and all may pass", U32_MAX, U32_MAX, U32_MAX, LAPSMP_EXPRESS_FIRST },
};

KUNIT_ARRAY_PARAM_DESC(level, level_cases, name);

static void express_level_case(struct kunit *test)
{
	const struct level_case *l = test->param_value;
	struct express_set c;

	express_start(&c);
	c.cfg.first_bytes = l->first_bytes;
	c.cfg.bytes = l->bytes;
	KUNIT_EXPECT_EQ(test, express_send(&c, l->len, true), l->level);
	KUNIT_EXPECT_EQ(test, !lapsmp_express_window(&c.e), l->level == LAPSMP_EXPRESS_NONE);
	/* Two of these are too much: also if 32 bits cannot tell. */
	if (l->len > l->bytes / 2)
		KUNIT_EXPECT_EQ(test, express_send(&c, l->len, true), LAPSMP_EXPRESS_NONE);
}

struct busy_case {
	const char *name;
	u32 len[2];
	u8 level;		/* of the second, while the first is under way */
};

static const struct busy_case busy_cases[] = {
	{ "two that are first", { 1000, 1000 }, LAPSMP_EXPRESS_FIRST },
	{ "a longer one falls", { 1000, FIRST_BYTES + 1 }, LAPSMP_EXPRESS_SHORT },
	{ "behind it a shorter one does not rise", { FIRST_BYTES + 1, 1000 },
	  LAPSMP_EXPRESS_SHORT },
	{ "a long one stops", { 1000, BYTES + 1 }, LAPSMP_EXPRESS_NONE },
	{ "behind it a short one waits", { BYTES + 1, 1000 }, LAPSMP_EXPRESS_NONE },
};

KUNIT_ARRAY_PARAM_DESC(busy, busy_cases, name);

static void express_busy_case(struct kunit *test)
{
	const struct busy_case *b = test->param_value;
	struct express_set c;

	express_start(&c);
	express_send(&c, b->len[0], true);
	KUNIT_EXPECT_EQ(test, express_send(&c, b->len[1], false), b->level);
	/* Time is no reason to rise, but an idle flow is. */
	c.now_ns += ALL_GOOD_NS;
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, false), b->level);
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, true), LAPSMP_EXPRESS_FIRST);
}

static void express_begins_when_idle(struct kunit *test)
{
	struct express_set c;

	express_start(&c);
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, false), LAPSMP_EXPRESS_NONE);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), 0);
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, true), LAPSMP_EXPRESS_FIRST);
}

/* Messages in a row, until one does not pass. Return: how many did. */
static u32 express_row(struct express_set *c, u32 len, bool idle)
{
	u32 n;

	for (n = 0; n < BYTES; n++)
		if (!express_send(c, len, idle || !n))
			break;
	return n;
}

struct row_case {
	const char *name;
	u32 len;
	u32 low;
	u32 high;
};

static const struct row_case row_cases[] = {
	{ "one as long as may pass", BYTES, 1, 1 },
	{ "of a quarter", BYTES / 4, 3, 4 },
	{ "of a hundredth", BYTES / 100, 90, 100 },
	{ "of a byte", 1, BYTES / 1000, BYTES / 10 },
	{ "of nothing", 0, BYTES / 1000, BYTES / 10 },
};

KUNIT_ARRAY_PARAM_DESC(row, row_cases, name);

/* They are short together, whether each waits for the one before or not. */
static void express_row_case(struct kunit *test)
{
	const struct row_case *r = test->param_value;
	struct express_set c;
	u32 n;

	express_start(&c);
	n = express_row(&c, r->len, true);
	KUNIT_EXPECT_GE(test, n, r->low);
	KUNIT_EXPECT_LE(test, n, r->high);
	express_start(&c);
	KUNIT_EXPECT_EQ(test, express_row(&c, r->len, false), n);
}

struct good_case {
	const char *name;
	u64 line_rate;
	s64 ns[2];		/* one after the other */
	u32 low;		/* per cent of what passed at first */
	u32 high;
};

static const struct good_case good_cases[] = {
	{ "at once", LINE, { 0, 0 }, 0, 0 },
	{ "by a quarter", LINE, { GOOD_NS / 4, 0 }, 23, 27 },
	{ "by a quarter, and again", LINE, { GOOD_NS / 4, GOOD_NS / 4 }, 48, 52 },
	{ "all of it", LINE, { GOOD_NS, 0 }, 98, 100 },
	{ "no more than that", LINE, { GOOD_NS, NSEC_PER_SEC }, 100, 100 },
	{ "by half of a line of half the rate", LINE / 2, { GOOD_NS, 0 }, 48, 52 },
	{ "by a line of all the rate there is", U64_MAX, { 1, 0 }, 100, 100 },
	{ "by none", 0, { NSEC_PER_SEC, 0 }, 0, 0 },
	{ "as long as a clock can go on", LINE, { S64_MAX, 0 }, 100, 100 },
	{ "not by a clock that goes back", LINE, { -(s64)GOOD_NS / 4, 0 }, 0, 0 },
	{ "but it counts from there", LINE, { -(s64)GOOD_NS / 4, GOOD_NS / 4 }, 23, 27 },
};

KUNIT_ARRAY_PARAM_DESC(good, good_cases, name);

static void express_good_case(struct kunit *test)
{
	const struct good_case *g = test->param_value;
	struct express_set c;
	u32 before, n;
	int i;

	express_start(&c);
	c.cfg.line_rate = g->line_rate;
	before = express_row(&c, BYTES / 100, true);
	for (i = 0; i < 2; i++) {
		c.now_ns += g->ns[i];
		/* What is long does not pass, but looks at the clock. */
		express_send(&c, U32_MAX, true);
	}
	n = 100 * express_row(&c, BYTES / 100, true);
	KUNIT_EXPECT_GE(test, n, g->low * before);
	KUNIT_EXPECT_LE(test, n, g->high * before);
}

struct behind_case {
	const char *name;
	u32 len;
	u64 behind;		/* bytes */
	u8 level;
};

static const struct behind_case behind_cases[] = {
	{ "nothing", 1000, 0, LAPSMP_EXPRESS_FIRST },
	{ "what is short together", 1000, BYTES - 1000, LAPSMP_EXPRESS_FIRST },
	{ "a byte more", 1000, BYTES - 999, LAPSMP_EXPRESS_NONE },
	{ "what is short behind one that is longer", BYTES / 2, BYTES / 2,
	  LAPSMP_EXPRESS_SHORT },
	{ "a byte more behind that", BYTES / 2, BYTES / 2 + 1, LAPSMP_EXPRESS_NONE },
	{ "nothing behind the longest", BYTES, 0, LAPSMP_EXPRESS_SHORT },
	{ "a byte behind the longest", BYTES, 1, LAPSMP_EXPRESS_NONE },
	{ "what may pass, behind nothing", 0, BYTES, LAPSMP_EXPRESS_FIRST },
	{ "more than may pass", 0, BYTES + 1, LAPSMP_EXPRESS_NONE },
	{ "more than 32 bits hold", 0, 1ULL << 32, LAPSMP_EXPRESS_NONE },
	{ "as much as 64 bits hold", 1000, U64_MAX, LAPSMP_EXPRESS_NONE },
	{ "behind what waits itself", BYTES + 1, 0, LAPSMP_EXPRESS_NONE },
};

KUNIT_ARRAY_PARAM_DESC(behind, behind_cases, name);

static void express_behind_case(struct kunit *test)
{
	const struct behind_case *b = test->param_value;
	struct express_set c;

	express_start(&c);
	express_send(&c, b->len, true);
	lapsmp_express_queued(&c.e, BYTES, b->behind);
	KUNIT_EXPECT_EQ(test, c.e.level, b->level);
	KUNIT_EXPECT_EQ(test, !lapsmp_express_window(&c.e), b->level == LAPSMP_EXPRESS_NONE);
	/* However little there is later. */
	lapsmp_express_queued(&c.e, BYTES, 0);
	KUNIT_EXPECT_EQ(test, c.e.level, b->level);
}

/* A message in @n pieces of 10000 bytes, all queued at once. Return: how many passed. */
static u32 express_pieces(struct express_set *c, u32 n)
{
	u32 passed = 0, i;

	for (i = 0; i < n; i++) {
		express_send(c, 10000, !i);
		lapsmp_express_queued(&c->e, BYTES, (n - 1 - i) * 10000);
		passed += c->e.level != LAPSMP_EXPRESS_NONE;
	}
	return passed;
}

static void express_pieces_are_one_message(struct kunit *test)
{
	struct express_set c;

	express_start(&c);
	KUNIT_EXPECT_EQ(test, express_pieces(&c, 10), 10);
	express_start(&c);
	KUNIT_EXPECT_EQ(test, express_pieces(&c, BYTES / 10000 + 1), 0);
}

struct window_case {
	const char *name;
	u32 first_segs;		/* configured */
	u32 segs;		/* that the first answer acknowledges */
	u32 inflight_segs;	/* others then */
	u32 unheard;		/* to be the window before, */
	u32 heard;		/* and after it */
};

static const struct window_case window_cases[] = {
	{ "few are under way", SEGS, 1, 4, 3 * SEGS, SEGS },
	{ "a first window", SEGS, 1, SEGS - 1, 3 * SEGS, SEGS },
	{ "one more", SEGS, 1, SEGS, 3 * SEGS, SEGS + 1 },
	{ "many, and many arrived", SEGS, 10, 30, 3 * SEGS, 40 },
	{ "all, and all arrived", SEGS, 3 * SEGS, 0, 3 * SEGS, 3 * SEGS },
	{ "fewer than later are enough", LEAST_SEGS - 1, 1, 0, 3 * LEAST_SEGS - 3,
	  LEAST_SEGS - 1 },
	{ "one", 1, 1, 0, 3, 1 },
	{ "none is one", 0, 1, 0, 3, 1 },
	{ "three times are too many", 1U << 31, 1, 0, U32_MAX, 1U << 31 },
	{ "as many as 32 bits hold", U32_MAX, U32_MAX, 0, U32_MAX, U32_MAX },
	{ "and as many others", SEGS, U32_MAX, U32_MAX, 3 * SEGS, U32_MAX },
};

KUNIT_ARRAY_PARAM_DESC(window, window_cases, name);

/* What was under way is the window from then on; what comes later does not add to it. */
static void express_window_case(struct kunit *test)
{
	const struct window_case *w = test->param_value;
	struct express_set c;

	express_start(&c);
	c.cfg.segs = w->first_segs;
	express_send(&c, BYTES, true);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), w->unheard);
	c.s.timed = false;
	c.s.inflight_segs = w->inflight_segs;
	KUNIT_EXPECT_EQ(test, express_ack(&c, w->segs, 0), w->heard);
	c.s.inflight_segs = 1000;
	KUNIT_EXPECT_EQ(test, express_ack(&c, 1, 0), w->heard);
}

struct rate_case {
	const char *name;
	u64 line_rate;
	u32 inflight_segs;
	bool heard;
	u64 rate;
};

static const struct rate_case rate_cases[] = {
	{ "nothing is under way", LINE, 0, false, LINE },
	{ "the last of the first window", LINE, SEGS - 1, false, LINE },
	{ "behind it", LINE, SEGS, false, LINE / 8 },
	{ "far behind it", LINE, U32_MAX, false, LINE / 8 },
	{ "after an answer", LINE, U32_MAX, true, LINE },
	{ "of the slowest line", 1, SEGS, false, 1 },
	{ "of the fastest line", U64_MAX, SEGS, false, U64_MAX / 8 },
};

KUNIT_ARRAY_PARAM_DESC(rate, rate_cases, name);

static void express_rate_case(struct kunit *test)
{
	const struct rate_case *r = test->param_value;
	struct express_set c;

	express_start(&c);
	express_send(&c, BYTES, true);
	if (r->heard)
		express_ack(&c, 1, 0);
	KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c.e, r->line_rate, r->inflight_segs),
			r->rate);
}

struct acked_case {
	const char *name;
	u32 segs;
	bool timed;
	bool marked;
	s64 queue_ns;
	u32 window;		/* to be, after one of 100 */
};

static const struct acked_case acked_cases[] = {
	{ "no queue", 32, true, false, 0, 132 },
	{ "less than the base", 32, true, false, -BASE_NS, 132 },
	{ "far less", 32, true, false, S64_MIN, 132 },
	{ "nearly half a margin", 32, true, false, MARGIN_NS / 2 - 1, 132 },
	{ "half a margin", 32, true, false, MARGIN_NS / 2, 108 },
	{ "a margin", 32, true, false, MARGIN_NS, 108 },
	/* 99 and a large part of one. */
	{ "little more", 32, true, false, MARGIN_NS + 100, 99 },
	{ "over it as much as base and margin", 32, true, false, BASE_NS + 2 * MARGIN_NS, 96 },
	{ "three times as much", 32, true, false, 3 * BASE_NS + 4 * MARGIN_NS, 94 },
	{ "far more", 32, true, false, S64_MAX, 92 },
	{ "none of them", 0, true, false, 0, 100 },
	{ "none of them, and far more", 0, true, false, S64_MAX, 100 },
	{ "no queue, but not timed", 32, false, false, 0, 100 },
	{ "far more, but not timed", 32, false, false, S64_MAX, 100 },
	{ "no queue, but marked", 32, true, true, 0, 92 },
	{ "far more, and marked", 32, true, true, S64_MAX, 92 },
};

KUNIT_ARRAY_PARAM_DESC(acked, acked_cases, name);

static void express_acked_case(struct kunit *test)
{
	const struct acked_case *a = test->param_value;
	struct express_set c;

	express_heard(&c, 100);
	c.s.timed = a->timed;
	c.s.marked = a->marked;
	KUNIT_EXPECT_EQ(test, express_ack(&c, a->segs, a->queue_ns), a->window);
	KUNIT_EXPECT_EQ(test, c.e.level, LAPSMP_EXPRESS_SHORT);
}

static void express_more_above_the_margin_takes_off_more(struct kunit *test)
{
	u32 window, last = 1000;
	struct express_set c;
	s64 over_ns;

	for (over_ns = 1000; over_ns < 1000000; over_ns *= 2) {
		express_heard(&c, 1000);
		window = express_ack(&c, 1000, MARGIN_NS + over_ns);
		KUNIT_EXPECT_LT(test, window, last);
		last = window;
	}
	/* Of those that are acknowledged a quarter at most. */
	KUNIT_EXPECT_GE(test, last, 750);
}

struct absurd_case {
	const char *name;
	s64 queue_ns;
	s64 base_ns;
	s64 margin_ns;
};

static const struct absurd_case absurd_cases[] = {
	{ "a base", S64_MAX, S64_MAX, MARGIN_NS },
	{ "a base and a margin", S64_MAX, S64_MAX, S64_MAX - 1 },
	{ "a margin below 0", S64_MAX, 0, S64_MIN },
	{ "a margin far below the base", S64_MAX, S64_MAX, S64_MIN },
	{ "a base and a margin below 0", S64_MAX, S64_MIN, S64_MIN },
};

KUNIT_ARRAY_PARAM_DESC(absurd, absurd_cases, name);

static void express_absurd_case(struct kunit *test)
{
	const struct absurd_case *a = test->param_value;
	struct express_set c;
	u32 window;

	express_heard(&c, 1000);
	c.s.base_ns = a->base_ns;
	c.s.margin_ns = a->margin_ns;
	window = express_ack(&c, 1000, a->queue_ns);
	KUNIT_EXPECT_GE(test, window, 750);
	KUNIT_EXPECT_LE(test, window, 1000);
}

/* The same queue is less of a long path, and of one that may have more. */
static void express_longer_pipe_loses_less(struct kunit *test)
{
	struct express_set c;
	u32 usual, window;

	express_heard(&c, 1000);
	usual = express_ack(&c, 1000, 5 * MARGIN_NS);
	express_heard(&c, 1000);
	c.s.base_ns = 4 * BASE_NS;
	KUNIT_EXPECT_GT(test, express_ack(&c, 1000, 5 * MARGIN_NS), usual);
	express_heard(&c, 1000);
	c.s.margin_ns = 2 * MARGIN_NS;
	window = express_ack(&c, 1000, 6 * MARGIN_NS);
	KUNIT_EXPECT_GT(test, window, usual);
	KUNIT_EXPECT_LT(test, window, 1000);
}

struct lost_case {
	const char *name;
	u32 segs;
	int times;
	u32 window;		/* to be; 0: it passes no longer */
};

static const struct lost_case lost_cases[] = {
	{ "half", 40, 1, 20 },
	{ "half of an odd window", 33, 1, 16 },
	{ "half again", 40, 2, 10 },
	{ "to what is just enough", 2 * LEAST_SEGS, 1, LEAST_SEGS },
	{ "to less", 2 * LEAST_SEGS - 1, 1, 0 },
	{ "to less, at last", 40, 3, 0 },
	{ "of what was little before", 4, 1, 0 },
	{ "of one", 1, 1, 0 },
	{ "as many as 32 bits hold", U32_MAX, 1, U32_MAX / 2 },
};

KUNIT_ARRAY_PARAM_DESC(lost, lost_cases, name);

/* Whether it has heard before or not: a loss is an answer. */
static void express_lost_case(struct kunit *test)
{
	const struct lost_case *l = test->param_value;
	struct express_set c;
	int heard, i;

	for (heard = 0; heard < 2; heard++) {
		express_heard(&c, l->segs);
		if (!heard) {
			c.now_ns += ALL_GOOD_NS;
			express_send(&c, BYTES, true);
		}
		for (i = 0; i < l->times; i++)
			lapsmp_express_lost(&c.e);
		KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), l->window);
		KUNIT_EXPECT_EQ(test, c.e.level,
				l->window ? LAPSMP_EXPRESS_SHORT : LAPSMP_EXPRESS_NONE);
		KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c.e, LINE, U32_MAX), LINE);
	}
}

static void express_full_class_is_left(struct kunit *test)
{
	u32 window = SEGS, last = SEGS;
	struct express_set c;
	int n;

	express_heard(&c, SEGS);
	for (n = 0; window && n < 1000; n++) {
		last = window;
		window = express_ack(&c, 1, 3 * MARGIN_NS);
	}
	KUNIT_EXPECT_EQ(test, c.e.level, LAPSMP_EXPRESS_NONE);
	KUNIT_EXPECT_EQ(test, last, LEAST_SEGS);
}

/* A network of short pipes may need no more. */
static void express_little_window_is_enough_until_it_shrinks(struct kunit *test)
{
	struct express_set c;
	u32 segs;

	for (segs = 1; segs < LEAST_SEGS; segs++) {
		express_heard(&c, segs);
		KUNIT_EXPECT_EQ(test, express_ack(&c, 4, MARGIN_NS), segs + 1);
		KUNIT_EXPECT_EQ(test, express_ack(&c, 1, 0), segs + 2);
		KUNIT_EXPECT_EQ(test, c.e.level, LAPSMP_EXPRESS_SHORT);
	}
	/* By now it has grown to more than the least. */
	KUNIT_EXPECT_EQ(test, express_ack(&c, 1, 3 * MARGIN_NS), LEAST_SEGS);
	express_heard(&c, LEAST_SEGS - 1);
	KUNIT_EXPECT_EQ(test, express_ack(&c, 1, 3 * MARGIN_NS), 0);
	KUNIT_EXPECT_EQ(test, c.e.level, LAPSMP_EXPRESS_NONE);
}

/* Back to what it is at the very first. */
static void express_expect_anew(struct kunit *test, struct express_set *c)
{
	c->now_ns += ALL_GOOD_NS;
	KUNIT_EXPECT_EQ(test, express_send(c, BYTES, true), LAPSMP_EXPRESS_SHORT);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c->e), 3 * SEGS);
	KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c->e, LINE, SEGS - 1), LINE);
	KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c->e, LINE, SEGS), LINE / 8);
}

static void express_what_is_left_is_left_until_idle(struct kunit *test)
{
	struct express_set c;

	express_heard(&c, SEGS);
	lapsmp_express_lost(&c.e);
	lapsmp_express_lost(&c.e);
	c.now_ns += ALL_GOOD_NS;
	KUNIT_EXPECT_EQ(test, express_ack(&c, 100, 0), 0);
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, false), LAPSMP_EXPRESS_NONE);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), 0);
	express_expect_anew(test, &c);
}

static void express_window_is_kept_until_idle(struct kunit *test)
{
	struct express_set c;

	express_heard(&c, SEGS);
	c.now_ns += ALL_GOOD_NS;
	KUNIT_EXPECT_EQ(test, express_ack(&c, 10, 0), SEGS + 10);
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, false), LAPSMP_EXPRESS_SHORT);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), SEGS + 10);
	KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c.e, LINE, SEGS), LINE);
	express_expect_anew(test, &c);
}

static void express_window_ends_where_32_bits_do(struct kunit *test)
{
	struct express_set c;
	int i;

	express_heard(&c, SEGS);
	for (i = 0; i < 1 << 16; i++)
		KUNIT_ASSERT_GE(test, express_ack(&c, U32_MAX, 0), U32_MAX - SEGS);
	/* 2^48 segments, and the rest of 64 bits. */
	KUNIT_EXPECT_EQ(test, express_ack(&c, 1 << 16, 0), U32_MAX);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), U32_MAX);
	lapsmp_express_lost(&c.e);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), U32_MAX / 2);
	c.s.inflight_segs = U32_MAX;
	express_expect_anew(test, &c);
	KUNIT_EXPECT_GE(test, express_ack(&c, U32_MAX, S64_MIN), 3 * SEGS);
}

static u64 express_extreme(u64 *seed)
{
	static const u64 v[] = { 0, 1, SEGS, FIRST_BYTES, BYTES, LINE, U32_MAX, S64_MAX,
				 1ULL << 63, U64_MAX };

	return v[lcg_below(seed, ARRAY_SIZE(v))];
}

static void express_garbage_read(struct express_set *c, u64 *seed)
{
	c->cfg = (struct lapsmp_express_cfg){
		.first_bytes = express_extreme(seed),
		.bytes = express_extreme(seed),
		.segs = express_extreme(seed),
		.line_rate = express_extreme(seed),
	};
	c->s = (struct lapsmp_express_sample){
		.segs = express_extreme(seed),
		.inflight_segs = express_extreme(seed),
		.timed = lcg_below(seed, 4),
		.queue_ns = express_extreme(seed),
		.base_ns = express_extreme(seed),
		.margin_ns = express_extreme(seed),
		.marked = !lcg_below(seed, 4),
	};
	c->now_ns = express_extreme(seed);
}

/* Return: it may rise by what happened. */
static bool express_garbage_step(struct express_set *c, u64 *seed)
{
	bool idle = !lcg_below(seed, 4);

	switch (lcg_below(seed, 6)) {
	case 0:
		lapsmp_express_lost(&c->e);
		return false;
	case 1:
		lapsmp_express_queued(&c->e, c->cfg.bytes, express_extreme(seed));
		return false;
	case 2:
		express_send(c, express_extreme(seed), idle);
		return idle;
	default:
		lapsmp_express_acked(&c->e, &c->s);
		return false;
	}
}

static void express_survives_garbage(struct kunit *test)
{
	struct express_set c;
	u64 seed = 3, rate;
	bool may_rise;
	u8 was;
	int i;

	express_start(&c);
	for (i = 0; i < 50000; i++) {
		was = c.e.level;
		express_garbage_read(&c, &seed);
		may_rise = express_garbage_step(&c, &seed);
		KUNIT_ASSERT_LE(test, c.e.level, may_rise ? LAPSMP_EXPRESS_FIRST : was);
		KUNIT_ASSERT_EQ(test, !lapsmp_express_window(&c.e), !c.e.level);
		rate = lapsmp_express_rate(&c.e, c.cfg.line_rate, c.s.inflight_segs);
		KUNIT_ASSERT_LE(test, rate, max_t(u64, c.cfg.line_rate, 1));
		KUNIT_ASSERT_GE(test, rate, c.cfg.line_rate / 8);
	}
}

static struct kunit_case express_test_cases[] = {
	KUNIT_CASE_PARAM(express_level_case, level_gen_params),
	KUNIT_CASE_PARAM(express_busy_case, busy_gen_params),
	KUNIT_CASE(express_begins_when_idle),
	KUNIT_CASE_PARAM(express_row_case, row_gen_params),
	KUNIT_CASE_PARAM(express_good_case, good_gen_params),
	KUNIT_CASE_PARAM(express_behind_case, behind_gen_params),
	KUNIT_CASE(express_pieces_are_one_message),
	KUNIT_CASE_PARAM(express_window_case, window_gen_params),
	KUNIT_CASE_PARAM(express_rate_case, rate_gen_params),
	KUNIT_CASE_PARAM(express_acked_case, acked_gen_params),
	KUNIT_CASE(express_more_above_the_margin_takes_off_more),
	KUNIT_CASE_PARAM(express_absurd_case, absurd_gen_params),
	KUNIT_CASE(express_longer_pipe_loses_less),
	KUNIT_CASE_PARAM(express_lost_case, lost_gen_params),
	KUNIT_CASE(express_full_class_is_left),
	KUNIT_CASE(express_little_window_is_enough_until_it_shrinks),
	KUNIT_CASE(express_what_is_left_is_left_until_idle),
	KUNIT_CASE(express_window_is_kept_until_idle),
	KUNIT_CASE(express_window_ends_where_32_bits_do),
	KUNIT_CASE(express_survives_garbage),
	{}
};

struct kunit_suite lapsmp_express_suite = {
	.name = "lapsmp_express",
	.test_cases = express_test_cases,
};
