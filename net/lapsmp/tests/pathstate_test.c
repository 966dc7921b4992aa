// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/pathstate.c: every state with every event. */
#include <kunit/test.h>

#include "../alg/pathstate.h"

#define S(s)	LAPSMP_PATH_##s
#define EV(e)	LAPSMP_PATH_EV_##e

struct step_case {
	const char *name;
	enum lapsmp_path_state from;
	enum lapsmp_path_event ev;
	unsigned int timeouts;
	enum lapsmp_path_state to;
};

static const struct step_case step_cases[] = {
	{ "first packet", S(UNKNOWN), EV(SENT), 0, S(PROBING) },
	{ "packet while probing", S(PROBING), EV(SENT), 0, S(PROBING) },
	{ "packet while up", S(UP), EV(SENT), 0, S(UP) },
	{ "packet while degraded", S(DEGRADED), EV(SENT), 1, S(DEGRADED) },
	{ "packet while down", S(DOWN), EV(SENT), 3, S(DOWN) },
	{ "answer unasked", S(UNKNOWN), EV(ACKED), 0, S(UP) },
	{ "first answer", S(PROBING), EV(ACKED), 0, S(UP) },
	{ "answer while up", S(UP), EV(ACKED), 0, S(UP) },
	{ "answer while degraded", S(DEGRADED), EV(ACKED), 2, S(UP) },
	{ "answer while down", S(DOWN), EV(ACKED), 9, S(UP) },
	{ "timeout unasked", S(UNKNOWN), EV(TIMEOUT), 1, S(PROBING) },
	{ "first timeout of a new path", S(PROBING), EV(TIMEOUT), 1,
	  S(PROBING) },
	{ "last timeout of a new path", S(PROBING), EV(TIMEOUT), 3, S(DOWN) },
	{ "first timeout", S(UP), EV(TIMEOUT), 1, S(DEGRADED) },
	{ "third timeout at once", S(UP), EV(TIMEOUT), 3, S(DOWN) },
	{ "second timeout", S(DEGRADED), EV(TIMEOUT), 2, S(DEGRADED) },
	{ "third timeout", S(DEGRADED), EV(TIMEOUT), 3, S(DOWN) },
	{ "any timeout after", S(DEGRADED), EV(TIMEOUT), UINT_MAX, S(DOWN) },
	{ "timeout while down", S(DOWN), EV(TIMEOUT), 1, S(DOWN) },
	{ "cut, new", S(UNKNOWN), EV(CUT), 0, S(DOWN) },
	{ "cut, probing", S(PROBING), EV(CUT), 0, S(DOWN) },
	{ "cut, up", S(UP), EV(CUT), 0, S(DOWN) },
	{ "cut, degraded", S(DEGRADED), EV(CUT), 1, S(DOWN) },
	{ "cut, down", S(DOWN), EV(CUT), 3, S(DOWN) },
	{ "back, down", S(DOWN), EV(BACK), 0, S(UNKNOWN) },
	{ "back, down for two reasons", S(DOWN), EV(BACK), 3, S(UNKNOWN) },
	{ "no event", S(UP), EV(MAX), 7, S(UP) },
};

KUNIT_ARRAY_PARAM_DESC(step, step_cases, name);

static void pathstate_step_case(struct kunit *test)
{
	const struct step_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_pathstate_next(c->from, c->ev,
						    c->timeouts), c->to);
}

static void pathstate_only_down_is_unusable(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, lapsmp_pathstate_usable(S(UNKNOWN)));
	KUNIT_EXPECT_TRUE(test, lapsmp_pathstate_usable(S(PROBING)));
	KUNIT_EXPECT_TRUE(test, lapsmp_pathstate_usable(S(UP)));
	KUNIT_EXPECT_TRUE(test, lapsmp_pathstate_usable(S(DEGRADED)));
	KUNIT_EXPECT_FALSE(test, lapsmp_pathstate_usable(S(DOWN)));
}

static void pathstate_has_names(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, lapsmp_pathstate_name(S(UNKNOWN)), "unknown");
	KUNIT_EXPECT_STREQ(test, lapsmp_pathstate_name(S(PROBING)), "probing");
	KUNIT_EXPECT_STREQ(test, lapsmp_pathstate_name(S(UP)), "up");
	KUNIT_EXPECT_STREQ(test, lapsmp_pathstate_name(S(DEGRADED)),
			   "degraded");
	KUNIT_EXPECT_STREQ(test, lapsmp_pathstate_name(S(DOWN)), "down");
	KUNIT_EXPECT_STREQ(test, lapsmp_pathstate_name(5), "invalid");
}

static struct kunit_case pathstate_test_cases[] = {
	KUNIT_CASE_PARAM(pathstate_step_case, step_gen_params),
	KUNIT_CASE(pathstate_only_down_is_unusable),
	KUNIT_CASE(pathstate_has_names),
	{}
};

struct kunit_suite lapsmp_pathstate_suite = {
	.name = "lapsmp_pathstate",
	.test_cases = pathstate_test_cases,
};
