// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/express.c: what losses do, and when they do nothing more. */
#include <kunit/test.h>

#include "express_set.h"

struct lost_case {
	const char *name;
	u32 segs;
	int times;		/* each in a round trip of its own */
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
		/* What is under way is no window once there was an answer. */
		for (i = 0; i < l->times; i++)
			express_lose_next(&c, heard || i ? U32_MAX : 0);
		KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), l->window);
		KUNIT_EXPECT_EQ(test, c.e.level, l->window ? LAST : LAPSMP_EXPRESS_NONE);
		KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c.e, LINE, 1, U32_MAX), LINE);
	}
}

#define CUT_SEGS	64
#define CUT_NS		1000

struct cut_case {
	const char *name;
	s64 sent_ns[3];		/* beside the first cut; one is known each CUT_NS after it */
	u32 window;		/* CUT_SEGS / 2 after that cut */
};

static const struct cut_case cut_cases[] = {
	{ "sent long before", { -(s64)NSEC_PER_SEC, -1, -1 }, CUT_SEGS / 2 },
	{ "sent just before", { -1, -1, -1 }, CUT_SEGS / 2 },
	{ "sent when it was", { 0, 0, 0 }, CUT_SEGS / 4 },
	{ "sent just after", { 1, 0, 0 }, CUT_SEGS / 4 },
	{ "sent before, then after", { -1, 1, 0 }, CUT_SEGS / 4 },
	{ "sent after, then before", { 1, -1, -1 }, CUT_SEGS / 4 },
	{ "twice what was sent before the second", { 1, CUT_NS - 1, 2 }, CUT_SEGS / 4 },
	{ "sent when the second was", { 1, CUT_NS, CUT_NS }, CUT_SEGS / 8 },
	{ "sent after the second", { 1, CUT_NS + 1, CUT_NS }, CUT_SEGS / 8 },
	{ "what did nothing is no cut", { -1, -1, 2 }, CUT_SEGS / 4 },
	{ "sent when the third was", { 1, CUT_NS + 1, 2 * CUT_NS }, 0 },
	{ "sent after the third", { 1, CUT_NS + 1, 2 * CUT_NS + 1 }, 0 },
};

KUNIT_ARRAY_PARAM_DESC(cut, cut_cases, name);

/* What was under way together is one reason, not many. */
static void express_cut_case(struct kunit *test)
{
	const struct cut_case *k = test->param_value;
	struct express_set c;
	u64 cut_ns;
	int i;

	express_heard(&c, CUT_SEGS);
	/* The first is a reason whenever it left. */
	KUNIT_EXPECT_EQ(test, express_lose(&c, 0, 0), CUT_SEGS / 2);
	cut_ns = c.now_ns;
	for (i = 0; i < 3; i++) {
		c.now_ns += CUT_NS;
		express_lose(&c, 0, cut_ns + k->sent_ns[i]);
	}
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), k->window);
	KUNIT_EXPECT_EQ(test, c.e.level, k->window ? LAST : LAPSMP_EXPRESS_NONE);
}

struct unheard_case {
	const char *name;
	u32 first_segs;		/* configured */
	u32 inflight_segs;	/* when one was lost */
	u32 window;		/* to be then */
};

static const struct unheard_case unheard_cases[] = {
	{ "nothing else is known", SEGS, 0, SEGS / 2 },
	{ "fewer than the first window", SEGS, SEGS - 1, SEGS / 2 },
	{ "the first window", SEGS, SEGS, SEGS / 2 },
	{ "two more", SEGS, SEGS + 2, SEGS / 2 + 1 },
	{ "three times as many", SEGS, 3 * SEGS, 3 * SEGS / 2 },
	{ "just enough for a window", 1, 2 * LEAST_SEGS, LEAST_SEGS },
	{ "one less", 1, 2 * LEAST_SEGS - 1, 0 },
	{ "one of one", 1, 1, 0 },
	{ "one of none", 0, 0, 0 },
	{ "as many as 32 bits hold", SEGS, U32_MAX, U32_MAX / 2 },
	{ "of a first window as large", U32_MAX, 1, U32_MAX / 2 },
};

KUNIT_ARRAY_PARAM_DESC(unheard, unheard_cases, name);

/* What left before an answer is the window that is halved, and that only once. */
static void express_unheard_case(struct kunit *test)
{
	const struct unheard_case *u = test->param_value;
	struct express_set c;

	express_start(&c);
	c.cfg.segs = u->first_segs;
	express_send(&c, BYTES, true);
	KUNIT_EXPECT_EQ(test, express_lose(&c, u->inflight_segs, c.now_ns), u->window);
	KUNIT_EXPECT_EQ(test, express_lose(&c, U32_MAX, c.now_ns - 1), u->window);
	KUNIT_EXPECT_EQ(test, lapsmp_express_rate(&c.e, LINE, 1, U32_MAX), LINE);
	/* Nor does the first acknowledgment know better. */
	c.s.timed = false;
	c.s.inflight_segs = U32_MAX;
	KUNIT_EXPECT_EQ(test, express_ack(&c, 1, 0), u->window);
}

static void express_cut_is_forgotten_when_it_begins_anew(struct kunit *test)
{
	struct express_set c;
	u64 cut_ns;

	express_heard(&c, SEGS);
	KUNIT_EXPECT_EQ(test, express_lose_next(&c, 0), SEGS / 2);
	cut_ns = c.now_ns;
	express_expect_anew(test, &c);
	/* Even by what cannot be under way any more. */
	KUNIT_EXPECT_EQ(test, express_lose(&c, 0, cut_ns), SEGS / 2);
}

static void express_cut_is_kept_until_idle(struct kunit *test)
{
	struct express_set c;
	u64 cut_ns;

	express_heard(&c, CUT_SEGS);
	c.now_ns += ALL_GOOD_NS;
	KUNIT_EXPECT_EQ(test, express_lose_next(&c, 0), CUT_SEGS / 2);
	cut_ns = c.now_ns++ - 1;
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, false), LAST);
	KUNIT_EXPECT_EQ(test, express_lose(&c, 0, cut_ns), CUT_SEGS / 2);
	KUNIT_EXPECT_EQ(test, express_lose(&c, 0, cut_ns + 1), CUT_SEGS / 4);
}

static void express_times_at_the_ends_of_64_bits(struct kunit *test)
{
	struct express_set c;

	express_heard(&c, CUT_SEGS);
	c.now_ns = U64_MAX;
	KUNIT_EXPECT_EQ(test, express_lose(&c, U32_MAX, U64_MAX), CUT_SEGS / 2);
	KUNIT_EXPECT_EQ(test, express_lose(&c, U32_MAX, U64_MAX - 1), CUT_SEGS / 2);
	express_heard(&c, CUT_SEGS);
	c.now_ns = 1;
	KUNIT_EXPECT_EQ(test, express_lose(&c, U32_MAX, U64_MAX), CUT_SEGS / 2);
	KUNIT_EXPECT_EQ(test, express_lose(&c, U32_MAX, 0), CUT_SEGS / 2);
	KUNIT_EXPECT_EQ(test, express_lose(&c, U32_MAX, U64_MAX), CUT_SEGS / 4);
}

static void express_what_is_left_is_left_until_idle(struct kunit *test)
{
	struct express_set c;

	express_heard(&c, SEGS);
	express_lose_next(&c, 0);
	express_lose_next(&c, 0);
	c.now_ns += ALL_GOOD_NS;
	KUNIT_EXPECT_EQ(test, express_ack(&c, 100, 0), 0);
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, false), LAPSMP_EXPRESS_NONE);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), 0);
	express_expect_anew(test, &c);
}

static struct kunit_case express_lost_test_cases[] = {
	KUNIT_CASE_PARAM(express_lost_case, lost_gen_params),
	KUNIT_CASE_PARAM(express_cut_case, cut_gen_params),
	KUNIT_CASE_PARAM(express_unheard_case, unheard_gen_params),
	KUNIT_CASE(express_cut_is_forgotten_when_it_begins_anew),
	KUNIT_CASE(express_cut_is_kept_until_idle),
	KUNIT_CASE(express_times_at_the_ends_of_64_bits),
	KUNIT_CASE(express_what_is_left_is_left_until_idle),
	{}
};

struct kunit_suite lapsmp_express_lost_suite = {
	.name = "lapsmp_express_lost",
	.test_cases = express_lost_test_cases,
};
