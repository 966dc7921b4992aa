// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/trial.c: when more is lost since something is believed, and when that is none. */
#include <kunit/test.h>

#include "../alg/trial.h"
#include "suites.h"

/**
 * struct trial_case - ACKs before it is believed and since
 * @was: of 1000 before so many told of losses
 * @heard: ACKs since
 * @every: of those each so manieth does, the first ones first; 0: none
 * @refuted: is it?
 */
struct trial_case {
	const char *name;
	u32 was;
	u32 heard;
	u32 every;
	bool refuted;
};

static const struct trial_case trial_cases[] = {
	{ "nothing is lost", 0, 10000, 0, false },
	{ "one of 16", 0, 64, 16, true },
	{ "of fewer one burst is too much", 0, 63, 1, false },
	{ "one of 32 is what may happen", 0, 64, 32, false },
	{ "for as long as it takes", 0, 100000, 32, false },
	{ "one of 31", 0, 124, 31, true },
	{ "beside Cubic, before and since", 10, 100, 20, true },
	{ "5 % are lost, whatever anybody does", 50, 100000, 20, false },
	{ "nor are three times as many too much", 50, 64, 7, false },
	{ "but more", 50, 66, 6, true },
	{ "all, of a way that loses a third", 334, 64, 1, false },
	{ "all, of one that loses a little less", 332, 64, 1, true },
};

KUNIT_ARRAY_PARAM_DESC(trial, trial_cases, name);

static bool trial_hear(struct lapsmp_trial *t, u32 heard, u32 every)
{
	bool refuted = false;
	u32 i;

	for (i = 0; i < heard; i++)
		refuted |= lapsmp_trial_heard(t, every && i % every == every - 1);
	return refuted;
}

static void trial_before(struct lapsmp_trial *t, u32 was)
{
	u32 i;

	for (i = 0; i < 1000; i++)
		lapsmp_trial_heard(t, i < was);
	lapsmp_trial_tick(t);
}

static void trial_case(struct kunit *test)
{
	const struct trial_case *c = test->param_value;
	struct lapsmp_trial t = {};

	trial_before(&t, c->was);
	lapsmp_trial_begin(&t);
	KUNIT_EXPECT_EQ(test, trial_hear(&t, c->heard, c->every), c->refuted);
	KUNIT_EXPECT_EQ(test, t.on, !c->refuted);
}

static void trial_of_nothing_refutes_nothing(struct kunit *test)
{
	struct lapsmp_trial t = {};

	KUNIT_EXPECT_FALSE(test, trial_hear(&t, 1000, 1));
	lapsmp_trial_tick(&t);
	KUNIT_EXPECT_FALSE(test, trial_hear(&t, 1000, 1));
}

/* What was heard before it is believed is not since, and it is refuted once. */
static void trial_begins_anew(struct kunit *test)
{
	struct lapsmp_trial t = {};

	trial_before(&t, 0);
	trial_hear(&t, 1000, 2);
	lapsmp_trial_begin(&t);
	KUNIT_EXPECT_FALSE(test, trial_hear(&t, 63, 1));
	KUNIT_EXPECT_TRUE(test, lapsmp_trial_heard(&t, true));
	KUNIT_EXPECT_FALSE(test, lapsmp_trial_heard(&t, true));
}

/* Of what was heard of before too little to know, nothing is told; but of several ticks it is. */
static void trial_needs_a_before(struct kunit *test)
{
	struct lapsmp_trial t = {};

	trial_hear(&t, 63, 0);
	lapsmp_trial_tick(&t);
	lapsmp_trial_begin(&t);
	KUNIT_EXPECT_FALSE(test, trial_hear(&t, 1000, 1));
	t = (struct lapsmp_trial){};
	trial_hear(&t, 32, 0);
	lapsmp_trial_tick(&t);
	trial_hear(&t, 32, 0);
	lapsmp_trial_tick(&t);
	lapsmp_trial_begin(&t);
	KUNIT_EXPECT_TRUE(test, trial_hear(&t, 64, 1));
}

/* A tick ends it, but not one before which hardly anything was heard. */
static void trial_ends_with_a_tick(struct kunit *test)
{
	struct lapsmp_trial t = {};

	trial_before(&t, 0);
	lapsmp_trial_begin(&t);
	trial_hear(&t, 63, 0);
	lapsmp_trial_tick(&t);
	KUNIT_EXPECT_TRUE(test, t.on);
	lapsmp_trial_heard(&t, false);
	lapsmp_trial_tick(&t);
	KUNIT_EXPECT_FALSE(test, t.on);
	KUNIT_EXPECT_FALSE(test, trial_hear(&t, 1000, 1));
}

static struct kunit_case trial_test_cases[] = {
	KUNIT_CASE_PARAM(trial_case, trial_gen_params),
	KUNIT_CASE(trial_of_nothing_refutes_nothing),
	KUNIT_CASE(trial_needs_a_before),
	KUNIT_CASE(trial_begins_anew),
	KUNIT_CASE(trial_ends_with_a_tick),
	{}
};

struct kunit_suite lapsmp_trial_suite = {
	.name = "lapsmp_trial",
	.test_cases = trial_test_cases,
};
