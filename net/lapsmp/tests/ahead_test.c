// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/ahead.c: what an old queue is worth, and how much of our own is left of it. */
#include <kunit/test.h>

#include "../alg/ahead.h"
#include "suites.h"

#define US	1000LL
#define NOW	(1000000 * US)

struct seen_case {
	const char *name;
	s64 queue_ns;
	s64 age_ns;
	s64 ahead_ns;
	s64 most_ns;
};

static const struct seen_case seen_cases[] = {
	{ "none", 0, 0, 0, 0 },
	{ "just now", 80 * US, 0, 80 * US, 80 * US },
	{ "it drains", 80 * US, 32 * US, 48 * US, 78 * US },
	{ "but others may keep up half of it", 80 * US, 80 * US, 30 * US, 75 * US },
	{ "not for ever", 80 * US, 320 * US, 0, 60 * US },
	{ "at most for sixteen times as long", 80 * US, 1264 * US, 0, 1 * US },
	{ "nor is it less than none", 80 * US, 100000 * US, 0, 0 },
	{ "heard after now, on another CPU", 80 * US, -5 * US, 80 * US, 80 * US },
	{ "shorter than the base", -80 * US, 0, 0, 0 },
	{ "shorter than the base, and old", -80 * US, 500 * US, 0, 0 },
	{ "garbage", S64_MAX, 0, LAPSMP_AHEAD_NS_MAX, LAPSMP_AHEAD_NS_MAX },
	{ "garbage below", S64_MIN, 0, 0, 0 },
};

KUNIT_ARRAY_PARAM_DESC(seen, seen_cases, name);

static void ahead_seen_case(struct kunit *test)
{
	const struct seen_case *c = test->param_value;
	struct lapsmp_path_view v = {
		.pipe_ns = 1,
		.owd_ns = c->queue_ns,
		.heard_ns = NOW - c->age_ns,
	};

	KUNIT_EXPECT_EQ(test, lapsmp_ahead(&v, false, NOW), c->ahead_ns);
	KUNIT_EXPECT_EQ(test, lapsmp_ahead_most(&v, false, NOW), c->most_ns);
	/* Of what is passed nothing counts, and without an answer no delay is known. */
	KUNIT_EXPECT_EQ(test, lapsmp_ahead_most(&v, true, NOW), 0);
	v.pipe_ns = 0;
	KUNIT_EXPECT_EQ(test, lapsmp_ahead_most(&v, false, NOW), 0);
}

struct own_case {
	const char *name;
	u32 inflight;		/* of 10 us each */
	s64 pipe_ns;
	s64 clear_ns;		/* from now on */
	s64 seen_ns;
	bool passes;
	s64 ahead_ns;
};

static const struct own_case own_cases[] = {
	{ "nothing", 0, 900 * US, -1000 * US, 0, false, 0 },
	{ "all of it stands there", 9, 900 * US, 90 * US, 0, false, 90 * US },
	{ "most of it is on its way", 90, 900 * US, 20 * US, 0, false, 20 * US },
	{ "and all of it", 90, 900 * US, -1 * US, 0, false, 0 },
	{ "more than the empty path holds", 100, 900 * US, -1 * US, 0, false, 100 * US },
	{ "the clock knows nothing of losses", 2, 900 * US, 90 * US, 0, false, 20 * US },
	{ "nor of what was acknowledged", 0, 900 * US, 90 * US, 0, false, 0 },
	{ "others stand there, too", 9, 900 * US, 30 * US, 70 * US, false, 70 * US },
	{ "fewer than ours", 9, 900 * US, 90 * US, 70 * US, false, 90 * US },
	{ "they are passed", 9, 900 * US, 30 * US, 70 * US, true, 30 * US },
	{ "the clock has stopped", 100, 900 * US, -NOW, 0, false, 100 * US },
	{ "garbage", U32_MAX, S64_MAX, S64_MAX - NOW, S64_MAX, false, LAPSMP_AHEAD_NS_MAX },
};

KUNIT_ARRAY_PARAM_DESC(own, own_cases, name);

static void ahead_own_case(struct kunit *test)
{
	const struct own_case *c = test->param_value;
	struct lapsmp_path_view v = {
		.pipe_ns = c->pipe_ns,
		.owd_ns = c->seen_ns,
		.heard_ns = NOW,
		.inflight_segs = c->inflight,
		.clear_ns = NOW + c->clear_ns,
		.seg_ns_q8 = 10 * US << 8,
	};

	KUNIT_EXPECT_EQ(test, lapsmp_ahead(&v, c->passes, NOW), c->ahead_ns);
}

struct clear_case {
	const char *name;
	s64 clear_ns;		/* from now on */
	u64 all_ns;
	s64 with_ns;		/* with 10 us more, from now on */
};

static const struct clear_case clear_cases[] = {
	{ "the first", -NOW, 0, 10 * US },
	{ "behind others", 50 * US, 90 * US, 60 * US },
	{ "they have left", -50 * US, 90 * US, 10 * US },
	{ "it goes ahead", 50 * US, 20 * US, 30 * US },
	{ "far", S64_MAX - NOW, 0, 10 * US },
};

KUNIT_ARRAY_PARAM_DESC(clear, clear_cases, name);

static void ahead_clear_case(struct kunit *test)
{
	const struct clear_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_ahead_clear(NOW + c->clear_ns, c->all_ns, 10 * US, NOW),
			NOW + c->with_ns);
}

static struct kunit_case ahead_test_cases[] = {
	KUNIT_CASE_PARAM(ahead_seen_case, seen_gen_params),
	KUNIT_CASE_PARAM(ahead_own_case, own_gen_params),
	KUNIT_CASE_PARAM(ahead_clear_case, clear_gen_params),
	{}
};

struct kunit_suite lapsmp_ahead_suite = {
	.name = "lapsmp_ahead",
	.test_cases = ahead_test_cases,
};
