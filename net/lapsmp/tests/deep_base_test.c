// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/deep.c: what base and margin a queue is measured by, and when these rise. */
#include "deep_set.h"

/* What is heard where no path is, is nothing to measure by. */
static void deep_nothing_known_is_no_base(struct kunit *test)
{
	struct deep_set c;

	deep_start(&c);
	c.s.margin_ns = 0;
	c.s.base_ns = 0;
	deep_step(&c);
	c.s.margin_ns = MARGIN_NS;
	c.s.base_ns = DEEP_NS - MARGIN_NS;
	deep_expect_about(test, deep_go_on(&c, LONG_NS), LONG_NS);
	KUNIT_EXPECT_EQ(test, c.d.base_ns, DEEP_NS - MARGIN_NS);
}

/* A base that is measured again beside them is that of their queue. */
static void deep_base_of_the_others_queue_counts_for_nothing(struct kunit *test)
{
	struct deep_set c;
	int i;

	deep_start(&c);
	deep_go_on(&c, LONG_NS);
	c.s.base_ns += DEEP_NS / 2;
	for (i = 0; i < 20; i++) {
		/* No two tests find the same. */
		c.s.t_ns = DEEP_NS;
		deep_go_to_test(&c);
		c.s.t_ns = DEEP_NS / (2 + i % 2);
		deep_expect_about(test, deep_go_on(&c, LONG_NS), TEST_NS);
		KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
	}
}

/* But that of a path that became longer counts, if the delay is always the same. */
static void deep_longer_path_is_noticed(struct kunit *test)
{
	struct deep_set c;
	int tests = 0;

	deep_start(&c);
	deep_go_on(&c, LONG_NS);
	c.s.base_ns += DEEP_NS / 2;
	while (c.d.state != LAPSMP_DEEP_OFF && tests < 100) {
		c.s.t_ns = DEEP_NS;
		deep_go_to_test(&c);
		c.s.t_ns = DEEP_NS / 2 + BASE_NS;
		deep_go_on(&c, LONG_NS);
		tests++;
	}
	KUNIT_EXPECT_EQ(test, tests, 9);
	c.s.t_ns = DEEP_NS;
	deep_go_on(&c, LONG_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
}

/* To who hears of TCP's queue now and then, all that it rises and falls by is jitter. */
static void deep_margin_of_the_others_queue_counts_for_nothing(struct kunit *test)
{
	struct deep_set c;

	deep_start(&c);
	c.s.margin_ns = DEEP_NS / 4;
	deep_expect_about(test, deep_go_on(&c, LONG_NS), PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
}

/* Both were measured too short when the flow began. */
static void deep_start_short(struct deep_set *c)
{
	deep_start(c);
	c->s.t_ns = BASE_NS;
	c->s.base_ns = 20 * BASE_NS;
	c->s.margin_ns = 20 * MARGIN_NS;
}

/* Samples of which one in ten has room. */
static void deep_hear_hardly_room(struct deep_set *c, int n, u64 step_ns)
{
	int i;

	for (i = 0; i < n; i++) {
		c->s.full = i % 10;
		c->s.now_ns += step_ns;
		lapsmp_deep_update(&c->d, &c->s);
	}
}

static void deep_expect_not_risen(struct kunit *test, const struct deep_set *c)
{
	KUNIT_EXPECT_EQ(test, c->d.base_ns, BASE_NS);
	KUNIT_EXPECT_EQ(test, c->d.margin_ns, MARGIN_NS);
}

static void deep_both_rise_where_nothing_is_deep(struct kunit *test)
{
	struct deep_set c;

	deep_start_short(&c);
	c.s.full = false;
	deep_go_on(&c, 60 * NSEC_PER_SEC);
	KUNIT_EXPECT_GT(test, c.d.base_ns, 19 * BASE_NS);
	KUNIT_EXPECT_LE(test, c.d.base_ns, 20 * BASE_NS);
	KUNIT_EXPECT_GT(test, c.d.margin_ns, 19 * MARGIN_NS);
	KUNIT_EXPECT_LE(test, c.d.margin_ns, 20 * MARGIN_NS);
}

/* Where there is hardly ever room they are those of others' queue. */
static void deep_neither_rises_without_room(struct kunit *test)
{
	struct deep_set c;

	deep_start_short(&c);
	deep_hear_hardly_room(&c, 60 * NSEC_PER_SEC / STEP_NS, STEP_NS);
	deep_expect_not_risen(test, &c);
}

/* What is room at times while it is deep does not add up, */
static void deep_room_while_deep_is_none(struct kunit *test)
{
	struct deep_set c;

	deep_start_short(&c);
	c.s.t_ns = DEEP_NS;
	deep_hear_hardly_room(&c, 400, STEP_NS);
	KUNIT_ASSERT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
	c.s.full = true;
	c.s.t_ns = BASE_NS;
	deep_go_on(&c, 2 * NSEC_PER_SEC);
	deep_expect_not_risen(test, &c);
}

/* nor is one sample news of all the time since the one before. */
static void deep_room_is_as_long_as_a_round_trip(struct kunit *test)
{
	struct deep_set c;

	deep_start_short(&c);
	deep_hear_hardly_room(&c, 200, 20 * RTT_NS);
	deep_expect_not_risen(test, &c);
}

static struct kunit_case deep_base_test_cases[] = {
	KUNIT_CASE(deep_nothing_known_is_no_base),
	KUNIT_CASE(deep_base_of_the_others_queue_counts_for_nothing),
	KUNIT_CASE(deep_longer_path_is_noticed),
	KUNIT_CASE(deep_margin_of_the_others_queue_counts_for_nothing),
	KUNIT_CASE(deep_both_rise_where_nothing_is_deep),
	KUNIT_CASE(deep_neither_rises_without_room),
	KUNIT_CASE(deep_room_while_deep_is_none),
	KUNIT_CASE(deep_room_is_as_long_as_a_round_trip),
	{}
};

struct kunit_suite lapsmp_deep_base_suite = {
	.name = "lapsmp_deep_base",
	.test_cases = deep_base_test_cases,
};
