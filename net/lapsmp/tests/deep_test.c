// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/deep.c: who takes a queue for others', when he looks, and what he finds. By what
 * base and margin he does is in deep_base_test.c.
 */
#include "deep_set.h"
#include "lcg.h"

struct quiet_case {
	const char *name;
	s64 t_ns;
	s64 margin_ns;
};

static const struct quiet_case quiet_cases[] = {
	{ "no queue", BASE_NS, MARGIN_NS },
	{ "the queue of its kind", T_NS, MARGIN_NS },
	{ "of a crowd of its kind", 5 * T_NS, MARGIN_NS },
	{ "nothing known", DEEP_NS, 0 },
	{ "nothing that makes sense", DEEP_NS, S64_MIN },
	{ "a queue that it may have", DEEP_NS, DEEP_NS },
};

KUNIT_ARRAY_PARAM_DESC(quiet, quiet_cases, name);

static void deep_quiet_case(struct kunit *test)
{
	const struct quiet_case *q = test->param_value;
	struct deep_set c;

	deep_start(&c);
	c.d = (struct lapsmp_deep){};
	c.s.t_ns = q->t_ns;
	c.s.margin_ns = q->margin_ns;
	lapsmp_deep_update(&c.d, &c.s);
	deep_expect_about(test, deep_go_on(&c, LONG_NS), LONG_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
}

static void deep_takes_a_period(struct kunit *test)
{
	struct deep_set c;

	deep_start(&c);
	deep_expect_about(test, deep_go_on(&c, LONG_NS), PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
	deep_expect_about(test, deep_go_on(&c, LONG_NS), PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_TEST);
	deep_expect_about(test, deep_go_on(&c, LONG_NS), TEST_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
}

/* 256 T are more than 64 round trips then. */
static void deep_takes_longer_than_its_kind_needs(struct kunit *test)
{
	struct deep_set c;

	deep_start(&c);
	c.d = (struct lapsmp_deep){};
	c.s.margin_ns = DEEP_NS / 5 - 1 - BASE_NS;
	c.s.rtt_ns = 1;
	lapsmp_deep_update(&c.d, &c.s);
	deep_expect_about(test, deep_go_on(&c, LONG_NS), PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
}

static void deep_one_short_queue_begins_anew(struct kunit *test)
{
	struct deep_set c;
	int i;

	deep_start(&c);
	for (i = 0; i < 10; i++) {
		c.s.t_ns = DEEP_NS;
		deep_go_on(&c, PERIOD_NS / 2);
		c.s.t_ns = 5 * T_NS;
		deep_step(&c);
		KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
	}
}

struct test_case {
	const char *name;
	s64 t_ns;
	enum lapsmp_deep_state then;
};

/* Of 50 ms that were there before. */
static const struct test_case test_cases[] = {
	{ "all of it", DEEP_NS, LAPSMP_DEEP_ON },
	{ "more", 2 * DEEP_NS, LAPSMP_DEEP_ON },
	{ "an eighth", BASE_NS + 50000000 / 8, LAPSMP_DEEP_ON },
	{ "less", BASE_NS + 50000000 / 8 - 1, LAPSMP_DEEP_OFF },
	{ "none", BASE_NS, LAPSMP_DEEP_OFF },
	{ "a shorter path", -DEEP_NS, LAPSMP_DEEP_OFF },
};

KUNIT_ARRAY_PARAM_DESC(test, test_cases, name);

static void deep_test_case(struct kunit *test)
{
	const struct test_case *t = test->param_value;
	struct deep_set c;

	deep_start(&c);
	deep_go_to_test(&c);
	c.s.t_ns = t->t_ns;
	deep_expect_about(test, deep_go_on(&c, LONG_NS), TEST_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, t->then);
}

/* TCP lost much, and comes back. */
static void deep_queue_that_comes_back_is_not_gone(struct kunit *test)
{
	struct deep_set c;

	deep_start(&c);
	deep_go_to_test(&c);
	c.s.t_ns = BASE_NS;
	deep_go_on(&c, TEST_NS / 2);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_TEST);
	c.s.t_ns = DEEP_NS / 4;
	deep_go_on(&c, LONG_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
}

/* Of the time since the last test, in quarters of a period: when it was shortest. */
static void deep_next_test_counts_from_the_shortest(struct kunit *test)
{
	struct deep_set c;
	u64 low_ns, end_ns;
	int quarter;

	for (quarter = 0; quarter < 4; quarter++) {
		deep_start(&c);
		deep_go_to_test(&c);
		deep_go_on(&c, LONG_NS);
		deep_go_on(&c, (1 + quarter) * PERIOD_NS / 5);
		KUNIT_ASSERT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
		c.s.t_ns = DEEP_NS / 2;
		deep_step(&c);
		low_ns = c.s.now_ns;
		c.s.t_ns = DEEP_NS;
		deep_go_to_test(&c);
		deep_go_on(&c, LONG_NS);
		end_ns = c.s.now_ns;
		deep_go_to_test(&c);
		KUNIT_EXPECT_GE(test, c.s.now_ns, end_ns + PERIOD_NS / 4);
		KUNIT_EXPECT_LE(test, (c.s.now_ns - low_ns) % PERIOD_NS, STEP_NS);
	}
}

/* Who came back too early has the next one when it would have had it. */
static void deep_who_comes_back_keeps_the_time_of_tests(struct kunit *test)
{
	struct deep_set c;
	u64 low_ns;

	deep_start(&c);
	deep_go_to_test(&c);
	c.s.t_ns = BASE_NS;
	deep_step(&c);
	low_ns = c.s.now_ns;
	deep_go_on(&c, TEST_NS);
	KUNIT_ASSERT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
	c.s.t_ns = DEEP_NS;
	deep_go_to_test(&c);
	KUNIT_EXPECT_GE(test, c.s.now_ns, low_ns + PERIOD_NS);
	KUNIT_EXPECT_LE(test, c.s.now_ns, low_ns + PERIOD_NS + STEP_NS);
}

static void deep_crowd_pauses(struct kunit *test)
{
	struct deep_set c;
	u64 end_ns;

	deep_start(&c);
	deep_go_on(&c, LONG_NS);
	KUNIT_ASSERT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
	/* Two per round trip. */
	c.s.acked_segs = 0;
	end_ns = c.s.now_ns + LONG_NS;
	while (c.d.state == LAPSMP_DEEP_ON && c.s.now_ns < end_ns) {
		c.s.acked_segs = c.s.now_ns / STEP_NS % 4 == 0;
		deep_step(&c);
	}
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
	deep_expect_about(test, deep_go_on(&c, LONG_NS), 9 * PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
}

/* But nobody is one of a crowd who has no more to send. */
static void deep_few_segments_are_no_crowd(struct kunit *test)
{
	struct deep_set c;

	deep_start(&c);
	deep_go_on(&c, LONG_NS);
	c.s.acked_segs = 0;
	c.s.used = false;
	deep_expect_about(test, deep_go_on(&c, LONG_NS), PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_TEST);
}

/* Of a long way, or one of several that is empty. */
static void deep_room_is_not_deep(struct kunit *test)
{
	struct deep_set c;

	deep_start(&c);
	c.s.full = false;
	deep_expect_about(test, deep_go_on(&c, LONG_NS), LONG_NS);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
}

/* Room now and then is what a base of the others' queue has. */
static void deep_room_now_and_then_takes_longer(struct kunit *test)
{
	struct deep_set c;
	int i;

	deep_start(&c);
	for (i = 0; c.d.state == LAPSMP_DEEP_OFF && i < 10000; i++) {
		c.s.full = i % 10;
		deep_step(&c);
	}
	KUNIT_EXPECT_GE(test, (u64)i * STEP_NS, PERIOD_NS / 5 * 6);
	KUNIT_EXPECT_LE(test, (u64)i * STEP_NS, PERIOD_NS / 5 * 8);
}

static void deep_other_paths_begin_anew(struct kunit *test)
{
	struct deep_set c;

	deep_start(&c);
	deep_go_on(&c, LONG_NS);
	c.s.n_paths = 2;
	c.s.base_ns = DEEP_NS;
	deep_step(&c);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
	deep_expect_about(test, deep_go_on(&c, LONG_NS), LONG_NS);
}

struct back_case {
	const char *name;
	s64 began_ns;
	u64 after_ns;
	s64 t_ns;
	/* 0: it stays off */
	u64 on_ns;
};

/* After a test that found nobody. */
static const struct back_case back_cases[] = {
	{ "at once, all of it", DEEP_NS, 0, DEEP_NS, PERIOD_NS / 8 },
	{ "at once, more than half", DEEP_NS, 0, BASE_NS + 25000001, PERIOD_NS / 8 },
	{ "at once, half, which is deep when the doubt is over", DEEP_NS, 0, BASE_NS + 25000000,
	  3 * PERIOD_NS - STEP_NS },
	{ "at once, what is not deep", DEEP_NS, 0, 5 * T_NS, 0 },
	{ "the queue of its kind", DEEP_NS, 0, T_NS, 0 },
	{ "half of what is not deep", 3 * T_NS, 0, 5 * T_NS / 2, 0 },
	{ "more than that", 3 * T_NS, 0, 5 * T_NS / 2 + 1, PERIOD_NS / 8 },
	{ "later, all of it", DEEP_NS, PERIOD_NS * 7 / 4, DEEP_NS, PERIOD_NS / 8 },
	{ "later, more than half", DEEP_NS, PERIOD_NS * 7 / 4, BASE_NS + 25000001, PERIOD_NS / 8 },
	{ "too late, all of it", DEEP_NS, 2 * PERIOD_NS, DEEP_NS, PERIOD_NS },
	{ "as all doubt ends", DEEP_NS, PERIOD_NS * 31 / 16, DEEP_NS, PERIOD_NS },
	{ "too late, half", DEEP_NS, 2 * PERIOD_NS, BASE_NS + 25000000, PERIOD_NS },
	{ "too late, what is not deep", DEEP_NS, 2 * PERIOD_NS, 5 * T_NS, 0 },
};

KUNIT_ARRAY_PARAM_DESC(back, back_cases, name);

/* TCP had lost nearly all, and was not seen. */
static void deep_back_case(struct kunit *test)
{
	const struct back_case *b = test->param_value;
	struct deep_set c;
	u64 on_ns;

	deep_start(&c);
	deep_go_on(&c, LONG_NS);
	c.s.t_ns = b->began_ns;
	deep_go_to_test(&c);
	c.s.t_ns = BASE_NS;
	deep_go_on(&c, TEST_NS);
	KUNIT_ASSERT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
	deep_go_on(&c, b->after_ns);
	c.s.t_ns = b->t_ns;
	on_ns = deep_go_on(&c, LONG_NS);
	if (b->on_ns) {
		KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
		deep_expect_about(test, on_ns, b->on_ns);
	} else {
		KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
	}
}

static void deep_silence_begins_anew(struct kunit *test)
{
	struct deep_set c;

	deep_start(&c);
	deep_go_on(&c, LONG_NS);
	KUNIT_ASSERT_EQ(test, c.d.state, LAPSMP_DEEP_ON);
	c.s.now_ns += 2 * PERIOD_NS;
	c.s.base_ns *= 2;
	deep_step(&c);
	KUNIT_EXPECT_EQ(test, c.d.state, LAPSMP_DEEP_OFF);
	KUNIT_EXPECT_EQ(test, c.d.base_ns, 2 * BASE_NS);
}

static void deep_survives_garbage(struct kunit *test)
{
	static const u64 v[] = { 0, 1, T_NS, U32_MAX, S64_MAX, 1ULL << 63, U64_MAX };
	struct deep_set c;
	u64 seed = 5;
	int i;

	deep_start(&c);
	for (i = 0; i < 20000; i++) {
		c.s.now_ns = lcg_below(&seed, 4) ? c.s.now_ns + PERIOD_NS / 4 :
			     v[lcg_below(&seed, ARRAY_SIZE(v))];
		c.s.t_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		c.s.margin_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		c.s.base_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		c.s.rtt_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		c.s.n_paths = lcg_below(&seed, 2);
		c.s.full = lcg_below(&seed, 2);
		c.s.used = lcg_below(&seed, 2);
		c.s.acked_segs = v[lcg_below(&seed, ARRAY_SIZE(v))];
		KUNIT_ASSERT_LE(test, lapsmp_deep_update(&c.d, &c.s), LAPSMP_DEEP_TEST);
	}
}

static struct kunit_case deep_test_cases[] = {
	KUNIT_CASE_PARAM(deep_quiet_case, quiet_gen_params),
	KUNIT_CASE(deep_takes_a_period),
	KUNIT_CASE(deep_takes_longer_than_its_kind_needs),
	KUNIT_CASE(deep_one_short_queue_begins_anew),
	KUNIT_CASE_PARAM(deep_test_case, test_gen_params),
	KUNIT_CASE(deep_queue_that_comes_back_is_not_gone),
	KUNIT_CASE(deep_next_test_counts_from_the_shortest),
	KUNIT_CASE(deep_who_comes_back_keeps_the_time_of_tests),
	KUNIT_CASE(deep_crowd_pauses),
	KUNIT_CASE(deep_few_segments_are_no_crowd),
	KUNIT_CASE(deep_room_is_not_deep),
	KUNIT_CASE(deep_room_now_and_then_takes_longer),
	KUNIT_CASE(deep_other_paths_begin_anew),
	KUNIT_CASE_PARAM(deep_back_case, back_gen_params),
	KUNIT_CASE(deep_silence_begins_anew),
	KUNIT_CASE(deep_survives_garbage),
	{}
};

struct kunit_suite lapsmp_deep_suite = {
	.name = "lapsmp_deep",
	.test_cases = deep_test_cases,
};
