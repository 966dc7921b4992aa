// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/sched_ecmp.c: flows stay where they are, and spread evenly. */
#include <kunit/test.h>

#include "sched_set.h"

#define FLOWS	8000

static int ecmp_path(struct sched_set *s, u32 flow_hash)
{
	s->pick.flow_hash = flow_hash;
	return sched_set_pick(s, &lapsmp_sched_ecmp, 0);
}

static void ecmp_flow_stays_whatever_is_measured(struct kunit *test)
{
	struct sched_set s;
	u64 seed = 1;
	int i, first;

	sched_set_init(&s);
	first = ecmp_path(&s, 12345);
	for (i = 0; i < 1000; i++) {
		s.path[first].owd_ns = sched_set_extreme(&seed);
		s.path[first].inflight_segs = lcg_next(&seed);
		s.path[first].weight = lcg_next(&seed);
		s.pick.now_ns = lcg_next(&seed);
		s.pick.left_segs = lcg_next(&seed);
		KUNIT_ASSERT_EQ(test, sched_set_pick(&s, &lapsmp_sched_ecmp,
						     lcg_next(&seed)), first);
	}
}

static void ecmp_flows_spread_evenly(struct kunit *test)
{
	u32 hits[SET_PATHS] = {};
	struct sched_set s;
	u64 seed = 2;
	int i;

	sched_set_init(&s);
	for (i = 0; i < FLOWS; i++)
		hits[ecmp_path(&s, lcg_next(&seed))]++;
	for (i = 0; i < SET_PATHS; i++) {
		KUNIT_EXPECT_GE(test, hits[i], FLOWS / SET_PATHS * 85 / 100);
		KUNIT_EXPECT_LE(test, hits[i], FLOWS / SET_PATHS * 115 / 100);
	}
}

/* Hashes that differ in few bits are no excuse. */
static void ecmp_similar_hashes_spread_too(struct kunit *test)
{
	u32 hits[SET_PATHS] = {};
	struct sched_set s;
	int i;

	sched_set_init(&s);
	for (i = 0; i < FLOWS; i++)
		hits[ecmp_path(&s, i)]++;
	for (i = 0; i < SET_PATHS; i++)
		KUNIT_EXPECT_GE(test, hits[i], FLOWS / SET_PATHS * 3 / 4);
}

static void ecmp_path_that_goes_down_moves_only_its_flows(struct kunit *test)
{
	u32 moved[SET_PATHS] = {};
	int i, before, during;
	struct sched_set s;

	sched_set_init(&s);
	for (i = 0; i < FLOWS; i++) {
		before = ecmp_path(&s, i * 7919);
		s.path[3].usable = false;
		during = ecmp_path(&s, i * 7919);
		s.path[3].usable = true;
		KUNIT_ASSERT_NE(test, during, 3);
		if (before == 3)
			moved[during]++;
		else
			KUNIT_ASSERT_EQ(test, during, before);
	}
	/* To all of the others, not to its neighbour. */
	for (i = 0; i < SET_PATHS; i++)
		if (i != 3)
			KUNIT_EXPECT_GE(test, moved[i],
					FLOWS / SET_PATHS / SET_PATHS / 2);
}

static void ecmp_new_path_takes_only_what_it_wins(struct kunit *test)
{
	int i, before, after, taken = 0;
	struct sched_set s;

	sched_set_init(&s);
	for (i = 0; i < FLOWS; i++) {
		s.pick.n = SET_PATHS - 1;
		before = ecmp_path(&s, i * 7919);
		s.pick.n = SET_PATHS;
		after = ecmp_path(&s, i * 7919);
		if (after == SET_PATHS - 1)
			taken++;
		else
			KUNIT_ASSERT_EQ(test, after, before);
	}
	KUNIT_EXPECT_GE(test, taken, FLOWS / SET_PATHS * 3 / 4);
}

static void ecmp_place_in_the_set_does_not_matter(struct kunit *test)
{
	struct sched_set s;
	u16 id[100];
	size_t i;

	sched_set_init(&s);
	for (i = 0; i < ARRAY_SIZE(id); i++)
		id[i] = s.path[ecmp_path(&s, i)].id;
	for (i = 0; i < SET_PATHS / 2; i++)
		swap(s.path[i], s.path[SET_PATHS - 1 - i]);
	for (i = 0; i < ARRAY_SIZE(id); i++)
		KUNIT_ASSERT_EQ(test, s.path[ecmp_path(&s, i)].id, id[i]);
}

static void ecmp_only_usable_path_is_taken(struct kunit *test)
{
	struct sched_set s;
	int i, only;

	for (only = 0; only < SET_PATHS; only++) {
		sched_set_init(&s);
		for (i = 0; i < SET_PATHS; i++)
			s.path[i].usable = i == only;
		KUNIT_EXPECT_EQ(test, ecmp_path(&s, 0), only);
		KUNIT_EXPECT_EQ(test, ecmp_path(&s, U32_MAX), only);
		s.path[only].usable = false;
		KUNIT_EXPECT_EQ(test, ecmp_path(&s, 0), -1);
	}
}

static void ecmp_survives_garbage(struct kunit *test)
{
	struct sched_set s;

	sched_set_init(&s);
	KUNIT_EXPECT_EQ(test, sched_set_garbage_run(&s, &lapsmp_sched_ecmp,
						    20000), 0);
}

static struct kunit_case sched_ecmp_test_cases[] = {
	KUNIT_CASE(ecmp_flow_stays_whatever_is_measured),
	KUNIT_CASE(ecmp_flows_spread_evenly),
	KUNIT_CASE(ecmp_similar_hashes_spread_too),
	KUNIT_CASE(ecmp_path_that_goes_down_moves_only_its_flows),
	KUNIT_CASE(ecmp_new_path_takes_only_what_it_wins),
	KUNIT_CASE(ecmp_place_in_the_set_does_not_matter),
	KUNIT_CASE(ecmp_only_usable_path_is_taken),
	KUNIT_CASE(ecmp_survives_garbage),
	{}
};

struct kunit_suite lapsmp_sched_ecmp_suite = {
	.name = "lapsmp_sched_ecmp",
	.test_cases = sched_ecmp_test_cases,
};
