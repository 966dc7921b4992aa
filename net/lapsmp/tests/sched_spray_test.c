// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/sched_spray.c: shares follow the weights, and nothing else. */
#include <kunit/test.h>

#include "sched_set.h"

#define DRAWS	8400	/* a multiple of what the cases' weights add up to */

struct spray_case {
	const char *name;
	u32 weight[4];
	bool down[4];
	u32 share[4];	/* of DRAWS */
};

static const struct spray_case spray_cases[] = {
	{ "none set", { 0, 0, 0, 0 }, {}, { 2100, 2100, 2100, 2100 } },
	{ "equal", { 9, 9, 9, 9 }, {}, { 2100, 2100, 2100, 2100 } },
	{ "unequal", { 1, 2, 3, 4 }, {}, { 840, 1680, 2520, 3360 } },
	{ "not set counts as one", { 0, 2, 3, 1 }, {},
	  { 1200, 2400, 3600, 1200 } },
	{ "down path", { 1, 2, 3, 4 }, { false, true },
	  { 1050, 0, 3150, 4200 } },
	{ "first and last down", { 5, 1, 1, 5 }, { true, false, false, true },
	  { 0, 4200, 4200, 0 } },
	{ "one left", { 1, 1, 1, 1 }, { true, true, false, true },
	  { 0, 0, 8400, 0 } },
	{ "largest weights", { U32_MAX, U32_MAX, U32_MAX, U32_MAX }, {},
	  { 2100, 2100, 2100, 2100 } },
};

KUNIT_ARRAY_PARAM_DESC(spray, spray_cases, name);

static void spray_share_case(struct kunit *test)
{
	const struct spray_case *c = test->param_value;
	u32 hits[SET_PATHS];
	struct sched_set s;
	int i;

	sched_set_init(&s);
	s.pick.n = 4;
	for (i = 0; i < 4; i++) {
		s.path[i].weight = c->weight[i];
		s.path[i].usable = !c->down[i];
	}
	KUNIT_EXPECT_EQ(test, sched_set_hits(&s, &lapsmp_sched_spray, DRAWS,
					     hits), 0);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_LE_MSG(test, abs((int)hits[i] - (int)c->share[i]),
				    2, "path %d: %u", i, hits[i]);
}

static void spray_looks_at_nothing_measured(struct kunit *test)
{
	u32 plain[SET_PATHS], measured[SET_PATHS];
	struct sched_set s;
	u64 seed = 4;
	int i;

	sched_set_init(&s);
	sched_set_hits(&s, &lapsmp_sched_spray, DRAWS, plain);
	for (i = 0; i < SET_PATHS; i++) {
		s.path[i].owd_ns = sched_set_extreme(&seed);
		s.path[i].base_ns = sched_set_extreme(&seed);
		s.path[i].inflight_segs = lcg_next(&seed);
		s.path[i].rate = lcg_next(&seed) | 1;
	}
	s.pick.left_segs = 1;
	sched_set_hits(&s, &lapsmp_sched_spray, DRAWS, measured);
	for (i = 0; i < SET_PATHS; i++)
		KUNIT_EXPECT_EQ(test, plain[i], measured[i]);
}

static void spray_without_a_usable_path_is_refused(struct kunit *test)
{
	struct sched_set s;
	int i;

	sched_set_init(&s);
	for (i = 0; i < SET_PATHS; i++)
		s.path[i].usable = false;
	KUNIT_EXPECT_EQ(test, sched_set_pick(&s, &lapsmp_sched_spray, 0), -1);
	KUNIT_EXPECT_EQ(test, sched_set_pick(&s, &lapsmp_sched_spray, U32_MAX),
			-1);
}

/* As many paths as ids, all of the largest weight: the sum must not wrap. */
static void spray_sum_of_the_largest_set_fits(struct kunit *test)
{
	struct lapsmp_path_view *v;
	struct lapsmp_pick p = { .n = 16384 };
	u32 i;

	v = kunit_kcalloc(test, p.n, sizeof(*v), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, v);
	p.w = kunit_kcalloc(test, p.n, sizeof(*p.w), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p.w);
	for (i = 0; i < p.n; i++) {
		v[i].usable = true;
		v[i].weight = U32_MAX;
	}
	p.paths = v;
	for (i = 0; i < p.n; i += 1111) {
		p.rnd = ((u64)i << 32) / p.n + 5;
		KUNIT_EXPECT_EQ(test, lapsmp_sched_spray.pick(NULL, &p), i);
		KUNIT_EXPECT_LE(test, p.w[i], U32_MAX / U16_MAX);
	}
}

static void spray_survives_garbage(struct kunit *test)
{
	struct sched_set s;

	sched_set_init(&s);
	KUNIT_EXPECT_EQ(test, sched_set_garbage_run(&s, &lapsmp_sched_spray,
						    20000), 0);
}

static struct kunit_case sched_spray_test_cases[] = {
	KUNIT_CASE_PARAM(spray_share_case, spray_gen_params),
	KUNIT_CASE(spray_looks_at_nothing_measured),
	KUNIT_CASE(spray_without_a_usable_path_is_refused),
	KUNIT_CASE(spray_sum_of_the_largest_set_fits),
	KUNIT_CASE(spray_survives_garbage),
	{}
};

struct kunit_suite lapsmp_sched_spray_suite = {
	.name = "lapsmp_sched_spray",
	.test_cases = sched_spray_test_cases,
};
