// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/express.c: which messages pass, before which others, and for how long. */
#include <kunit/test.h>

#include "express_set.h"

struct level_case {
	const char *name;
	u32 bytes[LAPSMP_EXPRESS_CLASSES];
	u32 len;
	u8 level;
};

static const struct level_case level_cases[] = {
	{ "nothing", USUAL, 0, LEVEL(0) },
	{ "a byte", USUAL, 1, LEVEL(0) },
	{ "the longest of the best class", USUAL, BYTES_0, LEVEL(0) },
	{ "a byte more", USUAL, BYTES_0 + 1, LEVEL(1) },
	{ "the longest of the second", USUAL, BYTES_1, LEVEL(1) },
	{ "a byte more than that", USUAL, BYTES_1 + 1, LEVEL(2) },
	{ "the longest of the third", USUAL, BYTES_2, LEVEL(2) },
	{ "a byte longer than that", USUAL, BYTES_2 + 1, LEVEL(3) },
	{ "what may pass", USUAL, BYTES, LEVEL(3) },
	{ "a byte longer than may pass", USUAL, BYTES + 1, LAPSMP_EXPRESS_NONE },
	{ "the longest of all", USUAL, U32_MAX, LAPSMP_EXPRESS_NONE },

	{ "nothing, without classes", {}, 0, LAPSMP_EXPRESS_NONE },
	{ "a byte, without classes", {}, 1, LAPSMP_EXPRESS_NONE },
	{ "the longest, without classes", {}, U32_MAX, LAPSMP_EXPRESS_NONE },

	{ "nothing, without the best class", { 0, 1000, 2000, 3000 }, 0, LEVEL(1) },
	{ "a byte, without the best class", { 0, 1000, 2000, 3000 }, 1, LEVEL(1) },
	{ "the longest before a class that is not", { 1000, 0, 2000, 3000 }, 1000, LEVEL(0) },
	{ "the shortest behind it", { 1000, 0, 2000, 3000 }, 1001, LEVEL(2) },
	{ "the longest before two that are not", { 1000, 0, 0, 3000 }, 1000, LEVEL(0) },
	{ "the shortest behind both", { 1000, 0, 0, 3000 }, 1001, LEVEL(3) },
	{ "the longest where the last is not", { 1000, 2000, 3000, 0 }, 3000, LEVEL(2) },
	{ "a byte more where the last is not", { 1000, 2000, 3000, 0 }, 3001,
	  LAPSMP_EXPRESS_NONE },
	{ "before every other one", { 0, 1000, 0, 3000 }, 1000, LEVEL(1) },
	{ "behind every other one", { 0, 1000, 0, 3000 }, 1001, LEVEL(3) },

	{ "nothing, only the best", { 1000 }, 0, LEVEL(0) },
	{ "the longest, only the best", { 1000 }, 1000, LEVEL(0) },
	{ "a byte more, only the best", { 1000 }, 1001, LAPSMP_EXPRESS_NONE },
	{ "the longest, only the second", { 0, 1000 }, 1000, LEVEL(1) },
	{ "a byte more, only the second", { 0, 1000 }, 1001, LAPSMP_EXPRESS_NONE },
	{ "the longest, only the third", { 0, 0, 1000 }, 1000, LEVEL(2) },
	{ "a byte more, only the third", { 0, 0, 1000 }, 1001, LAPSMP_EXPRESS_NONE },
	{ "nothing, only the last", { 0, 0, 0, 1000 }, 0, LEVEL(3) },
	{ "the longest, only the last", { 0, 0, 0, 1000 }, 1000, LEVEL(3) },
	{ "a byte more, only the last", { 0, 0, 0, 1000 }, 1001, LAPSMP_EXPRESS_NONE },

	{ "of two alike the better", { 0, 1000, 1000, 2000 }, 1000, LEVEL(1) },
	{ "behind two alike", { 0, 1000, 1000, 2000 }, 1001, LEVEL(3) },
	{ "of all alike the best", { 1000, 1000, 1000, 1000 }, 1000, LEVEL(0) },
	{ "a byte more than all alike", { 1000, 1000, 1000, 1000 }, 1001,
	  LAPSMP_EXPRESS_NONE },
	{ "a worse class of shorter ones is empty", { 3000, 1000, 2000, 500 }, 800, LEVEL(0) },
	{ "the longest is that of the best", { 3000, 1000, 2000, 500 }, 3000, LEVEL(0) },
	{ "a byte longer than the best's", { 3000, 1000, 2000, 500 }, 3001,
	  LAPSMP_EXPRESS_NONE },
	{ "the longest is that of the second", { 1000, 3000, 500, 2000 }, 3000, LEVEL(1) },
	{ "short beside a shorter third", { 1000, 3000, 500, 2000 }, 1001, LEVEL(1) },
	{ "a byte longer than the second's", { 1000, 3000, 500, 2000 }, 3001,
	  LAPSMP_EXPRESS_NONE },

	{ "the longest, and all may pass", { U32_MAX, U32_MAX, U32_MAX, U32_MAX }, U32_MAX,
	  LEVEL(0) },
	{ "the longest, in the last class", { 1, 2, 3, U32_MAX }, U32_MAX, LEVEL(3) },
	{ "one less is as much as may pass", { 1, 2, 3, U32_MAX - 1 }, U32_MAX - 1, LEVEL(3) },
	{ "the longest is one more", { 1, 2, 3, U32_MAX - 1 }, U32_MAX, LAPSMP_EXPRESS_NONE },
	{ "by a byte each", { 1, 2, 3, U32_MAX }, 3, LEVEL(2) },
};

KUNIT_ARRAY_PARAM_DESC(level, level_cases, name);

static void express_level_case(struct kunit *test)
{
	const struct level_case *l = test->param_value;
	struct express_set c;
	u32 most = 0;
	int i;

	express_start(&c);
	for (i = 0; i < LAPSMP_EXPRESS_CLASSES; i++) {
		c.cfg.bytes[i] = l->bytes[i];
		most = max(most, l->bytes[i]);
	}
	KUNIT_EXPECT_EQ(test, express_send(&c, l->len, true), l->level);
	KUNIT_EXPECT_EQ(test, !lapsmp_express_window(&c.e), l->level == LAPSMP_EXPRESS_NONE);
	if (l->level)
		KUNIT_EXPECT_LE(test, l->len, l->bytes[lapsmp_express_class(l->level)]);
	/* Two of these are too much: also if 32 bits cannot tell. */
	if (l->len > most / 2)
		KUNIT_EXPECT_EQ(test, express_send(&c, l->len, true), LAPSMP_EXPRESS_NONE);
}

struct busy_case {
	const char *name;
	u32 len[2];
	u8 level;		/* of the second, while the first is under way */
};

static const struct busy_case busy_cases[] = {
	{ "two that are best", { 1000, 1000 }, LEVEL(0) },
	{ "a longer one falls", { 1000, BYTES_0 + 1 }, LEVEL(1) },
	{ "behind it a shorter one does not rise", { BYTES_0 + 1, 1000 }, LEVEL(1) },
	{ "a long one falls far", { 1000, BYTES_2 + 1 }, LEVEL(3) },
	{ "behind it a short one does not rise", { BYTES_2 + 1, 1000 }, LEVEL(3) },
	{ "nor one that is a little shorter", { BYTES_2 + 1, BYTES_2 }, LEVEL(3) },
	{ "what is too long stops", { 1000, BYTES + 1 }, LAPSMP_EXPRESS_NONE },
	{ "behind it all wait", { BYTES + 1, 1000 }, LAPSMP_EXPRESS_NONE },
	{ "what is too much together stops", { BYTES_2, BYTES - BYTES_2 },
	  LAPSMP_EXPRESS_NONE },
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
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, true), LEVEL(0));
}

/* The shortest of a class. */
static u32 express_shortest(const struct express_set *c, int class)
{
	return class ? c->cfg.bytes[class - 1] + 1 : 0;
}

static void express_levels_only_fall_until_idle(struct kunit *test)
{
	struct express_set c;
	int i, j;

	for (i = 0; i < LAPSMP_EXPRESS_CLASSES; i++)
		for (j = 0; j < LAPSMP_EXPRESS_CLASSES; j++) {
			express_start(&c);
			KUNIT_EXPECT_EQ(test, express_send(&c, express_shortest(&c, i), true),
					LEVEL(i));
			KUNIT_EXPECT_EQ(test, express_send(&c, express_shortest(&c, j), false),
					LEVEL(max(i, j)));
			KUNIT_EXPECT_EQ(test, express_send(&c, 0, false), LEVEL(max(i, j)));
			c.now_ns += ALL_GOOD_NS;
			KUNIT_EXPECT_EQ(test, express_send(&c, express_shortest(&c, j), true),
					LEVEL(j));
		}
}

static void express_begins_when_idle(struct kunit *test)
{
	struct express_set c;

	express_start(&c);
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, false), LAPSMP_EXPRESS_NONE);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), 0);
	KUNIT_EXPECT_EQ(test, express_send(&c, 1000, true), LEVEL(0));
}

/* Who begins meanwhile shares it: also what is sent behind what is not answered yet. */
static void express_first_window_shrinks_until_heard(struct kunit *test)
{
	struct express_set c;

	express_start(&c);
	c.cfg.segs = 32;
	express_send(&c, 1000, true);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), 3 * 32);
	c.cfg.segs = 16;
	express_send(&c, 1000, false);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), 3 * 16);
	/* But does not grow, */
	c.cfg.segs = 32;
	express_send(&c, 1000, false);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), 3 * 16);
	/* nor is anything else than a window what is left after an answer. */
	express_ack(&c, 16, 0);
	c.cfg.segs = 1;
	express_send(&c, 1000, false);
	KUNIT_EXPECT_EQ(test, lapsmp_express_window(&c.e), 2 * 16);
}

struct spent_case {
	const char *name;
	u32 len[2];		/* one behind the other, the flow idle before each */
	u8 level;		/* of the second */
};

static const struct spent_case spent_cases[] = {
	{ "all that is left", { 1000, BYTES - 1064 }, LEVEL(3) },
	{ "a byte more", { 1000, BYTES - 1063 }, LAPSMP_EXPRESS_NONE },
	{ "nothing, where nothing is left", { BYTES - 64, 0 }, LEVEL(0) },
	{ "a byte, where nothing is left", { BYTES - 64, 1 }, LAPSMP_EXPRESS_NONE },
	{ "nothing, where less is left", { BYTES - 63, 0 }, LAPSMP_EXPRESS_NONE },
	{ "nothing behind the longest", { BYTES, 0 }, LAPSMP_EXPRESS_NONE },
	{ "a class is that of the length", { BYTES - 2 * BYTES_0, BYTES_0 }, LEVEL(0) },
	{ "so is the next", { BYTES - 2 * BYTES_0, BYTES_0 + 1 }, LEVEL(1) },
	{ "what does not pass costs nothing", { BYTES + 1, BYTES }, LEVEL(3) },
	{ "however long it is", { U32_MAX, BYTES }, LEVEL(3) },
};

KUNIT_ARRAY_PARAM_DESC(spent, spent_cases, name);

static void express_spent_case(struct kunit *test)
{
	const struct spent_case *s = test->param_value;
	struct express_set c;

	express_start(&c);
	express_send(&c, s->len[0], true);
	KUNIT_EXPECT_EQ(test, express_send(&c, s->len[1], true), s->level);
	c.now_ns += ALL_GOOD_NS;
	KUNIT_EXPECT_EQ(test, express_send(&c, BYTES, true), LEVEL(3));
}

/* More than 32 bits are spent, too. */
static void express_longest_is_spent(struct kunit *test)
{
	struct express_set c;

	express_start(&c);
	c.cfg.bytes[3] = U32_MAX;
	KUNIT_EXPECT_EQ(test, express_send(&c, U32_MAX, true), LEVEL(3));
	KUNIT_EXPECT_EQ(test, express_send(&c, 0, true), LAPSMP_EXPRESS_NONE);
}

/* What waits costs nothing, though it is short: it did not pass. */
static void express_waiting_costs_nothing(struct kunit *test)
{
	struct express_set c;
	int i;

	express_start(&c);
	express_send(&c, U32_MAX, true);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, express_send(&c, BYTES, false), LAPSMP_EXPRESS_NONE);
	KUNIT_EXPECT_EQ(test, express_send(&c, BYTES, true), LEVEL(3));
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

/* Of the largest class, whichever it is. */
static void express_row_is_that_of_the_largest(struct kunit *test)
{
	struct express_set c;
	int i;

	for (i = 0; i < LAPSMP_EXPRESS_CLASSES; i++) {
		express_start(&c);
		memset(c.cfg.bytes, 0, sizeof(c.cfg.bytes));
		c.cfg.bytes[3] = BYTES / 4;
		c.cfg.bytes[i] = BYTES;
		KUNIT_EXPECT_EQ(test, express_row(&c, BYTES / 4, true), 3);
	}
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
	u32 bytes[LAPSMP_EXPRESS_CLASSES];	/* when it is looked at */
	u32 len;
	u64 behind;		/* bytes */
	u8 level;
};

static const struct behind_case behind_cases[] = {
	{ "nothing", USUAL, 1000, 0, LEVEL(0) },
	{ "the best class takes both", USUAL, 1000, BYTES_0 - 1000, LEVEL(0) },
	{ "a byte more is of the next", USUAL, 1000, BYTES_0 - 999, LEVEL(1) },
	{ "much is of one that is worse", USUAL, 1000, BYTES_1, LEVEL(2) },
	{ "what is short together", USUAL, 1000, BYTES - 1000, LEVEL(3) },
	{ "a byte more", USUAL, 1000, BYTES - 999, LAPSMP_EXPRESS_NONE },
	{ "what is short behind one that is longer", USUAL, BYTES / 2, BYTES / 2, LEVEL(3) },
	{ "a byte more behind that", USUAL, BYTES / 2, BYTES / 2 + 1, LAPSMP_EXPRESS_NONE },
	{ "nothing behind the longest", USUAL, BYTES, 0, LEVEL(3) },
	{ "a byte behind the longest", USUAL, BYTES, 1, LAPSMP_EXPRESS_NONE },
	{ "what may pass, behind nothing", USUAL, 0, BYTES, LEVEL(3) },
	{ "more than may pass", USUAL, 0, BYTES + 1, LAPSMP_EXPRESS_NONE },
	{ "more than 32 bits hold", USUAL, 0, 1ULL << 32, LAPSMP_EXPRESS_NONE },
	{ "as much as 64 bits hold", USUAL, 1000, U64_MAX, LAPSMP_EXPRESS_NONE },
	{ "behind what waits itself", USUAL, BYTES + 1, 0, LAPSMP_EXPRESS_NONE },

	{ "nothing, where none may pass now", {}, 0, 0, LAPSMP_EXPRESS_NONE },
	{ "a byte, where none may pass now", {}, 0, 1, LAPSMP_EXPRESS_NONE },
	{ "where only the best is", { BYTES }, 1000, BYTES - 1000, LEVEL(0) },
	{ "a byte more where only the best is", { BYTES }, 1000, BYTES - 999,
	  LAPSMP_EXPRESS_NONE },
	{ "where the third is the largest", { 500, 0, BYTES, 1000 }, 1000, BYTES - 1000,
	  LEVEL(2) },
	{ "a byte more where the third is it", { 500, 0, BYTES, 1000 }, 1000, BYTES - 999,
	  LAPSMP_EXPRESS_NONE },
	{ "less may pass now than did", { BYTES_0, BYTES_1 }, BYTES_1 + 1, 0,
	  LAPSMP_EXPRESS_NONE },
	{ "as much may pass now as did", { BYTES_0, BYTES_1 }, BYTES_1, 0, LEVEL(1) },
	{ "all may pass", { 0, 0, 0, U32_MAX }, 1000, U32_MAX - 1000, LEVEL(3) },
	{ "a byte more than all", { 0, 0, 0, U32_MAX }, 1000, U32_MAX - 999,
	  LAPSMP_EXPRESS_NONE },
	{ "more than 32 bits, and all may pass", { 0, 0, 0, U32_MAX }, 0, 1ULL << 32,
	  LAPSMP_EXPRESS_NONE },
};

KUNIT_ARRAY_PARAM_DESC(behind, behind_cases, name);

static void express_behind_case(struct kunit *test)
{
	const struct behind_case *b = test->param_value;
	struct express_set c;

	express_start(&c);
	express_send(&c, b->len, true);
	memcpy(c.cfg.bytes, b->bytes, sizeof(c.cfg.bytes));
	lapsmp_express_queued(&c.e, &c.cfg, b->len, b->behind);
	KUNIT_EXPECT_EQ(test, c.e.level, b->level);
	KUNIT_EXPECT_EQ(test, !lapsmp_express_window(&c.e), b->level == LAPSMP_EXPRESS_NONE);
	/* However little there is later. */
	lapsmp_express_queued(&c.e, &c.cfg, b->len, 0);
	KUNIT_EXPECT_EQ(test, c.e.level, b->level);
}

/* A flow that is in a class which is taken away must not go to a better one, nor stay. */
static void express_class_is_taken_away(struct kunit *test)
{
	struct express_set c;

	express_start(&c);
	express_send(&c, BYTES, true);
	KUNIT_ASSERT_EQ(test, c.e.level, LAST);
	c.now_ns += ALL_GOOD_NS;
	express_send(&c, 1000, false);
	KUNIT_ASSERT_EQ(test, c.e.level, LAST);
	c.cfg.bytes[LAPSMP_EXPRESS_CLASSES - 1] = 0;
	lapsmp_express_queued(&c.e, &c.cfg, 1000, 0);
	KUNIT_EXPECT_EQ(test, c.e.level, LAPSMP_EXPRESS_NONE);
}

/* A message in @n pieces of 10000 bytes, all queued at once. Return: how many passed. */
static u32 express_pieces(struct express_set *c, u32 n)
{
	u32 passed = 0, i;

	for (i = 0; i < n; i++) {
		express_send(c, 10000, !i);
		lapsmp_express_queued(&c->e, &c->cfg, 10000, (n - 1 - i) * 10000);
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

static struct kunit_case express_test_cases[] = {
	KUNIT_CASE_PARAM(express_level_case, level_gen_params),
	KUNIT_CASE_PARAM(express_busy_case, busy_gen_params),
	KUNIT_CASE(express_levels_only_fall_until_idle),
	KUNIT_CASE(express_begins_when_idle),
	KUNIT_CASE(express_first_window_shrinks_until_heard),
	KUNIT_CASE_PARAM(express_spent_case, spent_gen_params),
	KUNIT_CASE(express_longest_is_spent),
	KUNIT_CASE(express_waiting_costs_nothing),
	KUNIT_CASE_PARAM(express_row_case, row_gen_params),
	KUNIT_CASE(express_row_is_that_of_the_largest),
	KUNIT_CASE_PARAM(express_good_case, good_gen_params),
	KUNIT_CASE_PARAM(express_behind_case, behind_gen_params),
	KUNIT_CASE(express_class_is_taken_away),
	KUNIT_CASE(express_pieces_are_one_message),
	{}
};

struct kunit_suite lapsmp_express_suite = {
	.name = "lapsmp_express",
	.test_cases = express_test_cases,
};
