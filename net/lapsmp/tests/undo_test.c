// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/undo.c: when losses were none, and until when that counts. */
#include <kunit/test.h>

#include "../alg/undo.h"
#include "suites.h"

#define SEG	BIT_ULL(16)

/* Two bursts at most, then decisions, then answers to what was deemed lost. */
struct undo_case {
	const char *name;
	u32 lost[2];
	u32 decisions;
	u32 spurious;
	bool undone;
};

static const struct undo_case undo_cases[] = {
	{ "no burst", { 0, 0 }, 0, 8, false },
	{ "none of it came", { 8, 0 }, 0, 0, false },
	{ "less than half", { 8, 0 }, 0, 3, false },
	{ "half", { 8, 0 }, 0, 4, true },
	{ "less than half of an odd number", { 9, 0 }, 0, 4, false },
	{ "more than half of an odd number", { 9, 0 }, 0, 5, true },
	{ "all of the second of two", { 8, 7 }, 0, 7, false },
	{ "and one of the first", { 8, 7 }, 0, 8, true },
	{ "after three decisions", { 8, 0 }, 3, 8, true },
	{ "after four", { 8, 0 }, 4, 8, false },
	{ "garbage", { U32_MAX, 0 }, 0, U32_MAX, true },
};

KUNIT_ARRAY_PARAM_DESC(undo, undo_cases, name);

static void undo_case(struct kunit *test)
{
	const struct undo_case *c = test->param_value;
	struct lapsmp_undo u = {};
	u32 i;

	for (i = 0; i < 2; i++)
		if (c->lost[i])
			lapsmp_undo_burst(&u, (20 - i) * SEG, c->lost[i]);
	for (i = 0; i < c->decisions; i++)
		lapsmp_undo_decision(&u);
	KUNIT_EXPECT_EQ(test, lapsmp_undo_spurious(&u, c->spurious), c->undone ? 20 * SEG : 0);
	/* What was undone is over. */
	if (c->undone)
		KUNIT_EXPECT_EQ(test, lapsmp_undo_spurious(&u, 100), 0);
}

/* Answers of several ACKs add up; a burst meanwhile puts the end off. */
static void undo_adds_up(struct kunit *test)
{
	struct lapsmp_undo u = {};

	lapsmp_undo_burst(&u, 20 * SEG, 4);
	lapsmp_undo_decision(&u);
	lapsmp_undo_decision(&u);
	lapsmp_undo_burst(&u, 10 * SEG, 4);
	lapsmp_undo_decision(&u);
	lapsmp_undo_decision(&u);
	lapsmp_undo_decision(&u);
	KUNIT_EXPECT_EQ(test, lapsmp_undo_spurious(&u, 3), 0);
	KUNIT_EXPECT_EQ(test, lapsmp_undo_spurious(&u, 1), 20 * SEG);
}

static struct kunit_case undo_test_cases[] = {
	KUNIT_CASE_PARAM(undo_case, undo_gen_params),
	KUNIT_CASE(undo_adds_up),
	{}
};

struct kunit_suite lapsmp_undo_suite = {
	.name = "lapsmp_undo",
	.test_cases = undo_test_cases,
};
