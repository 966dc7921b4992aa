// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/express.c: how many segments of what passes, how fast, and what garbage does. */
#include <kunit/test.h>

#include "express_set.h"
#include "lcg.h"

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

struct first_case {
	const char *name;
	u32 segs;
	u32 least;
	u32 unheard;
	u32 first;
};

static const struct first_case first_cases[] = {
	{ "alone", 32, 8, 1, 32 },
	{ "nobody, not even itself", 32, 8, 0, 32 },
	{ "a few", 32, 8, 4, 32 },
	{ "one more than a few", 100, 8, 5, 20 },
	{ "a part, and a rest", 32, 2, 9, 3 },
	{ "as many as leave what any may", 40, 8, 5, 8 },
	{ "one more", 40, 8, 6, 8 },
	{ "as many as there can be", 32, 8, U32_MAX, 8 },
	{ "no more than what any may", 8, 8, 1, 8 },
	{ "less than what any may", 4, 8, 1, 4 },
	{ "less than what any may, and many", 4, 8, 100, 4 },
	{ "one", 1, 8, 100, 1 },
	{ "nothing is left for any", 32, 0, 100, 0 },
	{ "the largest", U32_MAX, U32_MAX, U32_MAX, U32_MAX },
	{ "the largest, of five", U32_MAX, 8, 5, U32_MAX / 5 },
};

KUNIT_ARRAY_PARAM_DESC(first, first_cases, name);

static void express_first_case(struct kunit *test)
{
	const struct first_case *f = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_express_first(f->segs, f->least, f->unheard), f->first);
}

struct rate_case {
	const char *name;
	u64 line_rate;
	u32 unheard;
	u32 inflight_segs;
	bool heard;
	u64 rate;
};

static const struct rate_case rate_cases[] = {
	{ "nothing is under way", LINE, 1, 0, false, LINE },
	{ "the last of the first window", LINE, 1, SEGS - 1, false, LINE },
	{ "behind it", LINE, 1, SEGS, false, LINE / 8 },
	{ "far behind it", LINE, 1, U32_MAX, false, LINE / 8 },
	{ "after an answer", LINE, 1, U32_MAX, true, LINE },
	{ "of the slowest line", 1, 1, SEGS, false, 1 },
	{ "of the fastest line", U64_MAX, 1, SEGS, false, U64_MAX / 8 },
	{ "behind it, of a few", LINE, 4, SEGS, false, LINE / 8 },
	{ "behind it, of one more", LINE, 5, SEGS, false, LINE / 8 / 5 },
	{ "the first window, of fifteen", LINE, 15, SEGS - 1, false, LINE },
	{ "behind it, of fifteen", LINE, 15, SEGS, false, LINE / 8 / 15 },
	{ "after an answer, of fifteen", LINE, 15, SEGS, true, LINE },
	{ "behind it, of nobody", LINE, 0, SEGS, false, LINE / 8 },
	{ "of more than there are bytes", 80, U32_MAX, SEGS, false, 1 },
	{ "of no line at all", 0, 1, 0, false, 1 },
	{ "of no line at all, after an answer", 0, 1, SEGS, true, 1 },
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
	KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c.e, r->line_rate, r->unheard,
						  r->inflight_segs), r->rate);
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
	{ "marked, but not timed", 32, false, true, 0, 92 },
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
	KUNIT_EXPECT_EQ(test, c.e.level, LAST);
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

struct pipe_case {
	const char *name;
	s64 queue_ns;
	s64 base_ns;
	s64 margin_ns;
	u32 window;		/* to be, of 1000 that are acknowledged */
};

/* What is taken off a quarter is as large a part as of the pipe is too much. */
static const struct pipe_case pipe_cases[] = {
	{ "half", BASE_NS + 2 * MARGIN_NS, BASE_NS, MARGIN_NS, 875 },
	{ "half, all of it margin", 2 * MARGIN_NS, 0, MARGIN_NS, 875 },
	{ "no base is below 0", 2 * MARGIN_NS, -BASE_NS, MARGIN_NS, 875 },
	{ "however far", 2 * MARGIN_NS, S64_MIN, MARGIN_NS, 875 },
	{ "half, all but 1 of it base", BASE_NS, BASE_NS, 0, 875 },
	{ "no margin is below 0", 0, BASE_NS, -BASE_NS, 875 },
	{ "neither is there", BASE_NS, 0, 0, 750 },
	{ "both below 0", 0, -BASE_NS, -MARGIN_NS, 750 },
	{ "half of the longest", S64_MAX, 0, S64_MAX / 2, 875 },
};

KUNIT_ARRAY_PARAM_DESC(pipe, pipe_cases, name);

static void express_pipe_case(struct kunit *test)
{
	const struct pipe_case *p = test->param_value;
	struct express_set c;
	u32 window;

	express_heard(&c, 1000);
	c.s.base_ns = p->base_ns;
	c.s.margin_ns = p->margin_ns;
	window = express_ack(&c, 1000, p->queue_ns);
	KUNIT_EXPECT_GE(test, window, p->window);
	KUNIT_EXPECT_LE(test, window, p->window + 1);
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
		KUNIT_EXPECT_EQ(test, c.e.level, LAST);
	}
	/* By now it has grown to more than the least. */
	KUNIT_EXPECT_EQ(test, express_ack(&c, 1, 3 * MARGIN_NS), LEAST_SEGS);
	express_heard(&c, LEAST_SEGS - 1);
	KUNIT_EXPECT_EQ(test, express_ack(&c, 1, 3 * MARGIN_NS), 0);
	KUNIT_EXPECT_EQ(test, c.e.level, LAPSMP_EXPRESS_NONE);
}

static void express_window_is_kept_until_idle(struct kunit *test)
{
	struct express_set c;

	express_heard(&c, SEGS);
	c.now_ns += ALL_GOOD_NS;
	KUNIT_EXPECT_EQ(test, express_ack(&c, 10, 0), SEGS + 10);
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, false), LAST);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), SEGS + 10);
	KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c.e, LINE, 1, SEGS), LINE);
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
	KUNIT_EXPECT_EQ(test, express_lose_next(&c, 0), U32_MAX / 2);
	c.s.inflight_segs = U32_MAX;
	express_expect_anew(test, &c);
	KUNIT_EXPECT_GE(test, express_ack(&c, U32_MAX, S64_MIN), 3 * SEGS);
}

static u64 express_extreme(u64 *seed)
{
	static const u64 v[] = { 0, 1, SEGS, BYTES_0, BYTES, LINE, U32_MAX, S64_MAX,
				 1ULL << 63, U64_MAX };

	return v[lcg_below(seed, ARRAY_SIZE(v))];
}

static void express_garbage_read(struct express_set *c, u64 *seed)
{
	c->cfg = (struct lapsmp_express_cfg){
		.bytes = { express_extreme(seed), express_extreme(seed),
			   express_extreme(seed), express_extreme(seed) },
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
		express_lose(c, express_extreme(seed), express_extreme(seed));
		return false;
	case 1:
		lapsmp_express_queued(&c->e, &c->cfg, express_extreme(seed),
				      express_extreme(seed));
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
		KUNIT_ASSERT_LE(test, c.e.level, may_rise ? BEST : was);
		KUNIT_ASSERT_EQ(test, !lapsmp_express_window(&c.e), !c.e.level);
		rate = lapsmp_express_rate(&c.e, c.cfg.line_rate, 1, c.s.inflight_segs);
		KUNIT_ASSERT_LE(test, rate, max_t(u64, c.cfg.line_rate, 1));
		KUNIT_ASSERT_GE(test, rate, c.cfg.line_rate / 8);
	}
}

static struct kunit_case express_window_test_cases[] = {
	KUNIT_CASE_PARAM(express_window_case, window_gen_params),
	KUNIT_CASE_PARAM(express_first_case, first_gen_params),
	KUNIT_CASE_PARAM(express_rate_case, rate_gen_params),
	KUNIT_CASE_PARAM(express_acked_case, acked_gen_params),
	KUNIT_CASE(express_more_above_the_margin_takes_off_more),
	KUNIT_CASE_PARAM(express_pipe_case, pipe_gen_params),
	KUNIT_CASE_PARAM(express_absurd_case, absurd_gen_params),
	KUNIT_CASE(express_longer_pipe_loses_less),
	KUNIT_CASE(express_full_class_is_left),
	KUNIT_CASE(express_little_window_is_enough_until_it_shrinks),
	KUNIT_CASE(express_window_is_kept_until_idle),
	KUNIT_CASE(express_window_ends_where_32_bits_do),
	KUNIT_CASE(express_survives_garbage),
	{}
};

struct kunit_suite lapsmp_express_window_suite = {
	.name = "lapsmp_express_window",
	.test_cases = express_window_test_cases,
};
