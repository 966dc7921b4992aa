// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/stand.c: who stands up, when, and for how long. */
#include <kunit/test.h>
#include <linux/time64.h>

#include "../alg/stand.h"
#include "lcg.h"

#define T_NS		5000
/* How often something is heard. */
#define STEP_NS		T_NS
#define LONG_NS		(2000 * T_NS)

struct stand_set {
	struct lapsmp_stand st;
	struct lapsmp_stand_sample s;
};

static void stand_start(struct stand_set *c)
{
	*c = (struct stand_set){
		.s = {
			.now_ns = 1000000,
			.T_ns = T_NS,
			/* Twice as many per round trip. */
			.acked_segs = 4,
			.rtt_ns = 2 * STEP_NS,
		},
	};
	lapsmp_stand_update(&c->st, &c->s);
}

/* Samples like the last one for some time, or until something changes. Return: how long. */
static u64 stand_go_on(struct stand_set *c, u64 ns)
{
	u64 end_ns = c->s.now_ns + ns;
	u8 shift = c->st.shift;

	while (c->s.now_ns < end_ns && c->st.shift == shift) {
		c->s.now_ns += STEP_NS;
		lapsmp_stand_update(&c->st, &c->s);
	}
	return c->s.now_ns + ns - end_ns;
}

/* Full, and pressed, until it stands up. */
static void stand_up(struct stand_set *c)
{
	stand_start(c);
	c->s.full = true;
	c->s.pressed = true;
	stand_go_on(c, LONG_NS);
}

struct quiet_case {
	const char *name;
	bool full;
	bool pressed;
};

static const struct quiet_case quiet_cases[] = {
	{ "nothing", false, false },
	{ "losses of a link that is not full", false, true },
	{ "a queue of its like", true, false },
};

KUNIT_ARRAY_PARAM_DESC(quiet, quiet_cases, name);

static void stand_quiet_case(struct kunit *test)
{
	const struct quiet_case *q = test->param_value;
	struct stand_set c;

	stand_start(&c);
	c.s.full = q->full;
	c.s.pressed = q->pressed;
	stand_go_on(&c, LONG_NS);
	KUNIT_EXPECT_EQ(test, c.st.shift, 0);
}

static void stand_yields_for_long_before(struct kunit *test)
{
	struct stand_set c;

	stand_start(&c);
	c.s.full = true;
	c.s.pressed = true;
	KUNIT_EXPECT_GE(test, stand_go_on(&c, LONG_NS), 200 * T_NS);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
}

static void stand_room_in_between_begins_anew(struct kunit *test)
{
	struct stand_set c;
	int i;

	stand_start(&c);
	c.s.pressed = true;
	for (i = 0; i < 20; i++) {
		c.s.full = true;
		stand_go_on(&c, 150 * T_NS);
		KUNIT_EXPECT_EQ(test, c.st.shift, 0);
		c.s.full = false;
		stand_go_on(&c, STEP_NS);
	}
}

/* What was lost long ago, by a crowd that began, does not count. */
static void stand_is_for_what_comes_after(struct kunit *test)
{
	struct stand_set c;

	stand_start(&c);
	c.s.full = true;
	c.s.pressed = true;
	stand_go_on(&c, 150 * T_NS);
	c.s.pressed = false;
	stand_go_on(&c, LONG_NS);
	KUNIT_EXPECT_EQ(test, c.st.shift, 0);
	c.s.pressed = true;
	KUNIT_EXPECT_EQ(test, stand_go_on(&c, LONG_NS), STEP_NS);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
}

static void stand_silence_is_no_yielding(struct kunit *test)
{
	struct stand_set c;

	stand_start(&c);
	c.s.full = true;
	stand_go_on(&c, 150 * T_NS);
	c.s.now_ns += LONG_NS;
	c.s.pressed = true;
	KUNIT_EXPECT_GE(test, stand_go_on(&c, LONG_NS), 200 * T_NS);
}

static void stand_comes_down_step_by_step(struct kunit *test)
{
	struct stand_set c;
	int i;

	stand_up(&c);
	for (i = LAPSMP_STAND_MAX - 1; i >= 0; i--) {
		KUNIT_EXPECT_GE(test, stand_go_on(&c, LONG_NS), 200 * T_NS);
		KUNIT_EXPECT_EQ(test, c.st.shift, i);
	}
	/* They are still there. */
	KUNIT_EXPECT_GE(test, stand_go_on(&c, LONG_NS), 200 * T_NS);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
}

static void stand_ends_when_nobody_is_there(struct kunit *test)
{
	struct stand_set c;
	bool full;

	for (full = false; ; full = true) {
		stand_up(&c);
		c.s.full = full;
		c.s.pressed = !full;
		stand_go_on(&c, LONG_NS);
		KUNIT_EXPECT_EQ(test, c.st.shift, 0);
		if (full)
			break;
	}
}

static void stand_crowd_pauses(struct kunit *test)
{
	struct stand_set c;
	u64 wait_ns;

	stand_up(&c);
	wait_ns = stand_go_on(&c, LONG_NS);
	stand_up(&c);
	c.s.acked_segs = 1;
	KUNIT_EXPECT_EQ(test, stand_go_on(&c, LONG_NS), wait_ns);
	KUNIT_EXPECT_EQ(test, c.st.shift, 0);
	KUNIT_EXPECT_GE(test, stand_go_on(&c, 10 * LONG_NS), 5 * wait_ns);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
}

/* What counts is how long each was under way, not how long the last was. */
static void stand_crowd_by_each_round_trip(struct kunit *test)
{
	struct stand_set c;

	/* Many at first, of long round trips, and then few: ten together on the average. */
	stand_up(&c);
	c.s.acked_segs = 1;
	c.s.rtt_ns = 24 * STEP_NS;
	stand_go_on(&c, 100 * STEP_NS);
	c.s.rtt_ns = STEP_NS;
	stand_go_on(&c, LONG_NS);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX - 1);
	/* The other way round. */
	stand_up(&c);
	c.s.acked_segs = 1;
	c.s.rtt_ns = STEP_NS;
	stand_go_on(&c, 240 * STEP_NS);
	c.s.rtt_ns = 24 * STEP_NS;
	stand_go_on(&c, LONG_NS);
	KUNIT_EXPECT_EQ(test, c.st.shift, 0);
}

static void stand_silence_ends_a_pause(struct kunit *test)
{
	struct stand_set c;

	stand_up(&c);
	c.s.acked_segs = 1;
	stand_go_on(&c, LONG_NS);
	KUNIT_ASSERT_EQ(test, c.st.shift, 0);
	KUNIT_EXPECT_GT(test, c.st.since_ns, c.s.now_ns);
	c.s.now_ns += LONG_NS / 4;
	lapsmp_stand_update(&c.st, &c.s);
	KUNIT_EXPECT_EQ(test, c.st.since_ns, c.s.now_ns);
	KUNIT_EXPECT_LT(test, stand_go_on(&c, LONG_NS), 300 * T_NS);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
}

/* All were silent together, and queues come back. */
static void stand_refill(struct stand_set *c, u32 rnd)
{
	c->s.now_ns += STEP_NS;
	c->s.refill = true;
	c->s.rnd = rnd;
	lapsmp_stand_update(&c->st, &c->s);
	c->s.refill = false;
	c->s.rnd = 0;
}

/* Return: how long after all were silent it stands up, beside others that do not yield. */
static u64 stand_after_silence(struct stand_set *c, u32 rnd)
{
	u64 began_ns;

	stand_start(c);
	c->s.full = true;
	stand_go_on(c, 150 * c->s.T_ns);
	/* All come back at once, and then there is room. */
	stand_refill(c, rnd);
	began_ns = c->s.now_ns;
	c->s.full = false;
	stand_go_on(c, 3 * STEP_NS);
	c->s.full = true;
	c->s.pressed = true;
	stand_go_on(c, 2 * LONG_NS);
	return c->s.now_ns - began_ns;
}

static void stand_apart_after_a_silence(struct kunit *test)
{
	u64 first, second, last;
	struct stand_set c;

	first = stand_after_silence(&c, 0);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
	second = stand_after_silence(&c, 1U << 31);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
	last = stand_after_silence(&c, U32_MAX);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
	KUNIT_EXPECT_LT(test, first, 300 * T_NS);
	KUNIT_EXPECT_GE(test, second, first + 3 * first);
	KUNIT_EXPECT_GE(test, last, second + 3 * first);
	KUNIT_EXPECT_LE(test, last, 10 * first);
}

/* Who has been put off is not put off further by each acknowledgment. */
static void stand_is_put_off_once(struct kunit *test)
{
	struct stand_set c;
	u64 since_ns;

	stand_start(&c);
	stand_refill(&c, 1U << 30);
	since_ns = c.st.since_ns;
	KUNIT_EXPECT_GT(test, since_ns, c.s.now_ns);
	stand_refill(&c, U32_MAX);
	KUNIT_EXPECT_EQ(test, c.st.since_ns, since_ns);
}

static void stand_that_has_begun_is_not_put_off(struct kunit *test)
{
	struct stand_set c;
	u64 since_ns;

	stand_up(&c);
	since_ns = c.st.since_ns;
	stand_refill(&c, U32_MAX);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
	KUNIT_EXPECT_EQ(test, c.st.since_ns, since_ns);
}

/* Of a path of 1 ms eight waits are 2 s, which is too long: who has yielded for long has. */
static void stand_long_path_is_not_put_off(struct kunit *test)
{
	struct stand_set c;

	stand_start(&c);
	c.s.T_ns = NSEC_PER_MSEC;
	c.s.full = true;
	stand_go_on(&c, 300 * NSEC_PER_MSEC);
	c.s.pressed = true;
	stand_refill(&c, U32_MAX);
	/* What is lost while queues come back is nobody who does not yield. */
	KUNIT_EXPECT_EQ(test, c.st.shift, 0);
	KUNIT_EXPECT_EQ(test, stand_go_on(&c, LONG_NS), STEP_NS);
	KUNIT_EXPECT_EQ(test, c.st.shift, LAPSMP_STAND_MAX);
}

/* A silence that was longer than a wait is none of his that has stood up. */
static void stand_long_silence_begins_anew(struct kunit *test)
{
	struct stand_set c;

	stand_up(&c);
	c.s.now_ns += LONG_NS;
	stand_refill(&c, 1U << 31);
	KUNIT_EXPECT_EQ(test, c.st.shift, 0);
	KUNIT_EXPECT_GT(test, c.st.since_ns, c.s.now_ns + 800 * T_NS);
}

static void stand_survives_garbage(struct kunit *test)
{
	static const u64 v[] = { 0, 1, T_NS, U32_MAX, S64_MAX, 1ULL << 63, U64_MAX };
	struct stand_set c;
	u64 seed = 5;
	int i;

	stand_start(&c);
	for (i = 0; i < 20000; i++) {
		c.s.now_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		c.s.T_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		c.s.full = lcg_below(&seed, 2);
		c.s.pressed = lcg_below(&seed, 2);
		c.s.acked_segs = v[lcg_below(&seed, ARRAY_SIZE(v))];
		c.s.rtt_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		c.s.refill = lcg_below(&seed, 2);
		c.s.rnd = v[lcg_below(&seed, ARRAY_SIZE(v))];
		lapsmp_stand_update(&c.st, &c.s);
		KUNIT_ASSERT_LE(test, c.st.shift, LAPSMP_STAND_MAX);
	}
}

static struct kunit_case stand_test_cases[] = {
	KUNIT_CASE_PARAM(stand_quiet_case, quiet_gen_params),
	KUNIT_CASE(stand_yields_for_long_before),
	KUNIT_CASE(stand_room_in_between_begins_anew),
	KUNIT_CASE(stand_is_for_what_comes_after),
	KUNIT_CASE(stand_silence_is_no_yielding),
	KUNIT_CASE(stand_comes_down_step_by_step),
	KUNIT_CASE(stand_ends_when_nobody_is_there),
	KUNIT_CASE(stand_crowd_pauses),
	KUNIT_CASE(stand_crowd_by_each_round_trip),
	KUNIT_CASE(stand_silence_ends_a_pause),
	KUNIT_CASE(stand_apart_after_a_silence),
	KUNIT_CASE(stand_is_put_off_once),
	KUNIT_CASE(stand_that_has_begun_is_not_put_off),
	KUNIT_CASE(stand_long_path_is_not_put_off),
	KUNIT_CASE(stand_long_silence_begins_anew),
	KUNIT_CASE(stand_survives_garbage),
	{}
};

struct kunit_suite lapsmp_stand_suite = {
	.name = "lapsmp_stand",
	.test_cases = stand_test_cases,
};
