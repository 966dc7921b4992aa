// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/pathsum.c: which paths count, and that nothing overflows. */
#include <kunit/test.h>

#include "sched_set.h"

static struct lapsmp_path_sum pathsum_of(struct sched_set *s)
{
	struct lapsmp_path_sum sum;

	lapsmp_path_sum(&sum, s->path, s->pick.n);
	return sum;
}

static void pathsum_of_equal_paths(struct kunit *test)
{
	struct lapsmp_path_sum sum;
	struct sched_set s;

	sched_set_init(&s);
	sum = pathsum_of(&s);
	KUNIT_EXPECT_EQ(test, sum.n, SET_PATHS);
	KUNIT_EXPECT_FALSE(test, sum.backoff);
	KUNIT_EXPECT_TRUE(test, sum.heard);
	KUNIT_EXPECT_EQ(test, sum.top_rate, SET_RATE);
	KUNIT_EXPECT_EQ(test, sum.rate, SET_PATHS * (u64)SET_RATE);
	KUNIT_EXPECT_EQ(test, sum.low_ns, SET_BASE_NS);
	KUNIT_EXPECT_EQ(test, sum.high_ns, SET_BASE_NS);
	KUNIT_EXPECT_EQ(test, sum.top_inv, lapsmp_arith_inverse(SET_SWING_ROOT));
}

/* What is down, or does not answer, says nothing of the others. */
static void pathsum_leaves_out_what_cannot_be_used(struct kunit *test)
{
	struct lapsmp_path_sum sum;
	struct sched_set s;

	sched_set_init(&s);
	s.path[0].usable = false;
	s.path[0].base_ns = -1000000;
	s.path[1].backoff = 1;
	s.path[1].base_ns = 1000000;
	s.path[0].swing_root = 1;
	s.path[1].swing_root = 100000;
	sched_set_rate(&s, 1, 100ULL * SET_RATE);
	s.path[2].swing_inv /= 2;
	s.path[2].swing_root *= 2;
	sum = pathsum_of(&s);
	KUNIT_EXPECT_EQ(test, sum.n, SET_PATHS - 2);
	KUNIT_EXPECT_EQ(test, sum.top_rate, SET_RATE);
	KUNIT_EXPECT_EQ(test, sum.low_ns, SET_BASE_NS);
	KUNIT_EXPECT_EQ(test, sum.high_ns, SET_BASE_NS);
	KUNIT_EXPECT_EQ(test, sum.top_inv, s.path[2].swing_inv);
	KUNIT_EXPECT_EQ(test, sum.price_ns, 2ULL * SET_SWING_ROOT * SET_SWING_ROOT);
}

static void pathsum_of_backoff_when_there_is_no_other(struct kunit *test)
{
	struct lapsmp_path_sum sum;
	struct sched_set s;
	int i;

	sched_set_init(&s);
	for (i = 0; i < SET_PATHS; i++)
		s.path[i].backoff = 1 + i;
	s.path[3].usable = false;
	sum = pathsum_of(&s);
	KUNIT_EXPECT_EQ(test, sum.n, SET_PATHS - 1);
	KUNIT_EXPECT_TRUE(test, sum.backoff);
}

/* One that cannot be used now may well have answered. */
static void pathsum_of_unheard_paths(struct kunit *test)
{
	struct sched_set s;
	int i;

	sched_set_init(&s);
	for (i = 2; i < SET_PATHS; i++)
		s.path[i].pipe_ns = 0;
	s.path[0].usable = false;
	s.path[1].backoff = 1;
	KUNIT_EXPECT_FALSE(test, pathsum_of(&s).heard);
	s.path[SET_PATHS - 1].pipe_ns = 1;
	KUNIT_EXPECT_TRUE(test, pathsum_of(&s).heard);
}

static void pathsum_of_nothing(struct kunit *test)
{
	struct lapsmp_path_sum sum;
	struct sched_set s;
	int i;

	sched_set_init(&s);
	for (i = 0; i < SET_PATHS; i++)
		s.path[i].usable = false;
	sum = pathsum_of(&s);
	KUNIT_EXPECT_EQ(test, sum.n, 0);
	KUNIT_EXPECT_EQ(test, sum.rate, 0);
}

/* Rates may be configured, to anything. */
static void pathsum_rates_saturate(struct kunit *test)
{
	struct lapsmp_path_sum sum;
	struct sched_set s;

	sched_set_init(&s);
	s.path[0].rate = U64_MAX;
	s.path[5].rate = U64_MAX - 1;
	sum = pathsum_of(&s);
	KUNIT_EXPECT_EQ(test, sum.rate, U64_MAX);
	KUNIT_EXPECT_EQ(test, sum.top_rate, U64_MAX);
}

/* By more than a queue on the shorter one makes up for. */
static void pathsum_of_unlike_lengths(struct kunit *test)
{
	struct sched_set s;

	sched_set_init(&s);
	KUNIT_EXPECT_FALSE(test, pathsum_of(&s).unlike);
	s.path[3].base_ns += LAPSMP_PATH_LONGER_MARGINS * s.path[0].margin_ns;
	KUNIT_EXPECT_FALSE(test, pathsum_of(&s).unlike);
	s.path[3].base_ns += LAPSMP_PATH_LONGER_MARGINS;
	KUNIT_EXPECT_TRUE(test, pathsum_of(&s).unlike);
	s.path[3].lean_q16 = LAPSMP_LEAN_ONE + 1;
	KUNIT_EXPECT_FALSE(test, pathsum_of(&s).unlike);
	s.path[3].lean_q16 = 0;
	s.path[3].backoff = 1;
	KUNIT_EXPECT_FALSE(test, pathsum_of(&s).unlike);
	s.path[3].backoff = 0;
	s.path[3].pipe_ns = 0;
	KUNIT_EXPECT_FALSE(test, pathsum_of(&s).unlike);
	/* Not than the shortest, whose margin is large, but than another. */
	s.path[4].margin_ns = 1000 * s.path[0].margin_ns;
	s.path[4].base_ns--;
	s.path[3].pipe_ns = 1;
	KUNIT_EXPECT_TRUE(test, pathsum_of(&s).unlike);
	s.path[3].pipe_ns = 0;
	s.path[5].base_ns = S64_MIN;
	KUNIT_EXPECT_TRUE(test, pathsum_of(&s).unlike);
	s.path[5].margin_ns = S64_MIN;
	KUNIT_EXPECT_TRUE(test, pathsum_of(&s).unlike);
	s.path[5].usable = false;
	KUNIT_EXPECT_FALSE(test, pathsum_of(&s).unlike);
}

static void pathsum_of_those_that_are_alike(struct kunit *test)
{
	struct sched_set s;
	int i;

	sched_set_init(&s);
	KUNIT_EXPECT_EQ(test, pathsum_of(&s).alike_rate, 0);
	for (i = 0; i < 4; i++)
		s.path[i].alike = true;
	sched_set_rate(&s, 0, 3ULL * SET_RATE);
	sched_set_rate(&s, 7, 100ULL * SET_RATE);
	KUNIT_EXPECT_EQ(test, pathsum_of(&s).alike_rate, 6ULL * SET_RATE / 4);
	s.path[0].backoff = 1;
	s.path[1].usable = false;
	KUNIT_EXPECT_EQ(test, pathsum_of(&s).alike_rate, SET_RATE);
	s.path[2].rate = U64_MAX;
	KUNIT_EXPECT_EQ(test, pathsum_of(&s).alike_rate, U64_MAX / 2);
}

static struct kunit_case pathsum_test_cases[] = {
	KUNIT_CASE(pathsum_of_equal_paths),
	KUNIT_CASE(pathsum_leaves_out_what_cannot_be_used),
	KUNIT_CASE(pathsum_of_backoff_when_there_is_no_other),
	KUNIT_CASE(pathsum_of_unheard_paths),
	KUNIT_CASE(pathsum_of_nothing),
	KUNIT_CASE(pathsum_rates_saturate),
	KUNIT_CASE(pathsum_of_unlike_lengths),
	KUNIT_CASE(pathsum_of_those_that_are_alike),
	{}
};

struct kunit_suite lapsmp_pathsum_suite = {
	.name = "lapsmp_pathsum",
	.test_cases = pathsum_test_cases,
};
