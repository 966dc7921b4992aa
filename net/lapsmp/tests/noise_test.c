// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/noise.c: who looks for it and when, how long that takes, which samples count and
 * what they tell.
 */
#include "noise_set.h"
#include "suites.h"

struct wants_case {
	const char *name;
	struct lapsmp_noise z;
	u8 shift;
	bool wants;
};

/* 16 ms after the last tick, by a link of 100 Gbit/s, which carries 200 MB meanwhile. */
#define WANTS_NOISE(n, above, mb, ...)	{ .since_ns = MS, .heard = (n), .full = (above), \
	.bytes = (mb) * 1000000ULL, ##__VA_ARGS__ }

static const struct wants_case wants_cases[] = {
	{ "who is starved", WANTS_NOISE(100, 50, 20), 24, true },
	{ "the first time there is nothing to go by", { .heard = 100, .full = 100 }, 24, false },
	{ "who hears of few is not busy", WANTS_NOISE(7, 7, 0), 24, false },
	{ "not even at a longer tick", WANTS_NOISE(7, 7, 0), 31, false },
	{ "nor if it is known", WANTS_NOISE(100, 50, 20, .known = true), 31, false },
	{ "whose delays are below the margin needs it not", WANTS_NOISE(100, 37, 20), 24, false },
	{ "three of eight are enough", WANTS_NOISE(8, 3, 20), 24, true },
	{ "nor does who has half of the link", WANTS_NOISE(100, 100, 100), 24, false },
	{ "nor at a tick before 67 ms", WANTS_NOISE(100, 100, 100), 25, false },
	{ "but then, of 7/8, with one of eight", WANTS_NOISE(80, 10, 170), 26, true },
	{ "and not with fewer", WANTS_NOISE(80, 9, 170), 31, false },
	{ "nor of more", WANTS_NOISE(80, 80, 180), 31, false },
	{ "known lately", WANTS_NOISE(100, 50, 20, .known = true, .at_ns = 1), 24, false },
	{ "before it may", WANTS_NOISE(100, 50, 20, .shift = 27), 26, false },
	{ "when it may", WANTS_NOISE(100, 50, 20, .shift = 27), 27, true },
};

KUNIT_ARRAY_PARAM_DESC(wants, wants_cases, name);

static void noise_wants_case(struct kunit *test)
{
	const struct wants_case *c = test->param_value;
	struct lapsmp_noise z = c->z;

	KUNIT_EXPECT_EQ(test, lapsmp_noise_wants(&z, c->shift, 100 * GBPS, 17 * MS), c->wants);
	KUNIT_EXPECT_EQ(test, z.heard, 0);
	KUNIT_EXPECT_EQ(test, z.bytes, 0);
	KUNIT_EXPECT_EQ(test, z.since_ns, 17 * MS);
}

/* For 30 s. */
static void noise_is_known_for_some_time(struct kunit *test)
{
	struct lapsmp_noise z = { .known = true, .at_ns = MS, .shift = 31, .ns = 1 };

	z.since_ns = 1;
	lapsmp_noise_heard(&z, 1500, true);
	z.heard = 8;
	z.full = 8;
	KUNIT_EXPECT_FALSE(test, lapsmp_noise_wants(&z, 24, 100 * GBPS, 30000 * MS));
	z.heard = 8;
	z.full = 8;
	z.bytes = 100;
	KUNIT_EXPECT_TRUE(test, lapsmp_noise_wants(&z, 24, 100 * GBPS, 30001 * MS));
	KUNIT_EXPECT_EQ(test, z.ns, 1);
}

/* Who begins after a pause does not have little because of noise. */
static void noise_is_not_for_who_was_idle(struct kunit *test)
{
	struct lapsmp_noise busy = { .since_ns = MS, .heard = 100, .full = 100 }, idle = busy;

	KUNIT_EXPECT_TRUE(test, lapsmp_noise_wants(&busy, 26, 100 * GBPS, MS + BIT(25)));
	KUNIT_EXPECT_FALSE(test, lapsmp_noise_wants(&idle, 26, 100 * GBPS, MS + BIT(25) + 1));
	KUNIT_EXPECT_EQ(test, idle.since_ns, MS + BIT(25) + 1);
}

static void noise_counts_what_is_heard(struct kunit *test)
{
	struct lapsmp_noise z = {};
	u32 i;

	for (i = 0; i < 70000; i++)
		lapsmp_noise_heard(&z, 1500, i % 2);
	KUNIT_EXPECT_EQ(test, z.heard, U16_MAX);
	KUNIT_EXPECT_EQ(test, z.full, 35000);
	KUNIT_EXPECT_EQ(test, z.bytes, 70000 * 1500);
}

struct plan_case {
	const char *name;
	u64 rtt_ns;
	u64 for_ns;
	u8 more;
	u8 shift;
	u64 span_ns;
};

static const struct plan_case plan_cases[] = {
	{ "not known", 0, 100 * US, 0, 24, BIT(18) },
	{ "within a rack", 4 * US, 100 * US, 0, 24, BIT(18) },
	{ "32 of them", BIT(13), 100 * US, 0, 24, BIT(18) },
	{ "a little longer", BIT(13) + 1, 100 * US, 0, 24, BIT(19) },
	{ "twice as long at the next time", 10 * US, 100 * US, 1, 24, BIT(20) },
	{ "an eighth of a tick", BIT(16), 100 * US, 0, 24, BIT(21) },
	{ "but no more", BIT(16) + 1, 100 * US, 0, 24, 0 },
	{ "at a longer one", BIT(16) + 1, 100 * US, 0, 25, BIT(22) },
	{ "nor may they be waited for any longer", 4 * US, BIT(21) + 1, 0, 24, 0 },
	{ "up to an eighth", 4 * US, BIT(21), 0, 24, BIT(18) },
	{ "and whatever the tick for 8.4 ms", 4 * US, BIT(23) + 1, 0, 32, 0 },
	{ "that is as long as it takes", BIT(18), BIT(23), 0, 32, BIT(23) },
	{ "which does not become longer", BIT(18), 100 * US, 3, 32, BIT(23) },
	{ "longer ways have none", BIT(18) + 1, 100 * US, 0, 32, 0 },
	{ "nor has garbage", U64_MAX, U64_MAX, 3, 32, 0 },
};

KUNIT_ARRAY_PARAM_DESC(plan, plan_cases, name);

static void noise_plan_case(struct kunit *test)
{
	const struct plan_case *c = test->param_value;
	struct lapsmp_noise z = { .more = c->more };

	KUNIT_EXPECT_EQ(test, lapsmp_noise_plan_ns(&z, c->rtt_ns, c->for_ns, c->shift),
			c->span_ns);
}

/* 100 us have 4.2 ms, which is an eighth of 2^25 ns. */
static void noise_takes_an_eighth_of_a_tick(struct kunit *test)
{
	struct lapsmp_noise z = {};

	lapsmp_noise_begin(&z, MS);
	KUNIT_EXPECT_FALSE(test, lapsmp_noise_go_on(&z, 100 * US, 24));
	KUNIT_EXPECT_EQ(test, z.span_ns, 0);
	KUNIT_EXPECT_TRUE(test, lapsmp_noise_go_on(&z, 100 * US, 25));
	KUNIT_EXPECT_EQ(test, z.span_ns, BIT(22));
}

struct sample_case {
	const char *name;
	u64 sent_ns;
	u16 n;
};

static const struct sample_case sample_cases[] = {
	{ "before it began", MS - 1, 0 },
	{ "others' queue may still be there", MS + SPAN / 4 - 1, 0 },
	{ "from the second quarter on", MS + SPAN / 4, 1 },
	{ "up to 7/16", MS + SPAN / 16 * 7 - 1, 1 },
	{ "others may send again soon", MS + SPAN / 16 * 7, 0 },
	{ "long after it", 1000 * MS, 0 },
};

KUNIT_ARRAY_PARAM_DESC(sample, sample_cases, name);

static void noise_sample_case(struct kunit *test)
{
	const struct sample_case *c = test->param_value;
	struct lapsmp_noise z = {};

	lapsmp_noise_begin(&z, MS);
	KUNIT_EXPECT_TRUE(test, lapsmp_noise_go_on(&z, 4 * US, 24));
	lapsmp_noise_sample(&z, 5, 5, c->sent_ns);
	KUNIT_EXPECT_EQ(test, z.n, c->n);
	KUNIT_EXPECT_EQ(test, lapsmp_noise_is_early(&z, c->sent_ns),
			c->sent_ns < MS + SPAN / 4);
	lapsmp_noise_anew(&z);
	KUNIT_EXPECT_EQ(test, z.n, 0);
	lapsmp_noise_sample(&z, 7, 7, c->sent_ns);
	KUNIT_EXPECT_EQ(test, z.n, c->n);
	KUNIT_EXPECT_EQ(test, z.lo_ns, c->n ? 7 : 0);
	/* What comes late is nobody's: by then the next one may have begun. */
	lapsmp_noise_begin(&z, MS);
	lapsmp_noise_sample(&z, 5, 5, c->sent_ns);
	KUNIT_EXPECT_EQ(test, z.n, 0);
}

/* One event is none, whenever it comes. */
static void noise_is_not_one_event(struct kunit *test)
{
	struct lapsmp_noise z;
	u32 i, k;

	for (k = 0; k < 16; k++) {
		z = (struct lapsmp_noise){};
		lapsmp_noise_begin(&z, MS);
		KUNIT_ASSERT_TRUE(test, lapsmp_noise_go_on(&z, 4 * US, 24));
		for (i = 0; i < 16; i++)
			lapsmp_noise_sample(&z, i == k ? 9 * MS : (i * 7 % 16) * US, 0,
					    MS + SPAN / 4 + i);
		lapsmp_noise_end(&z, 3 * US, 0);
		KUNIT_EXPECT_GE(test, z.ns, 14 * US * 3 / 2);
		KUNIT_EXPECT_LE(test, z.ns, 15 * US * 3 / 2);
		KUNIT_EXPECT_TRUE(test, z.known);
	}
}

/* @n samples, evenly from @lo_us to @hi_us above the base, the last one twice. */
struct end_case {
	const char *name;
	u32 n;
	u32 lo_us;
	u32 hi_us;
	u8 more;
	u64 ns;
	bool known;
	u8 then_more;
	u8 shift;
};

static const struct end_case end_cases[] = {
	{ "no noise", 16, 0, 0, 0, 0, true, 0, 0 },
	{ "of four it is known", 4, 0, 1, 0, 0, true, 0, 0 },
	{ "the next time it takes no longer than at first", 4, 0, 1, 2, 0, true, 0, 0 },
	{ "but not of three", 3, 0, 1, 0, 0, false, 1, 25 },
	{ "nor of none: longer paths may have been in the way", 0, 0, 0, 0, 0, false, 1, 26 },
	{ "so much is within a margin", 16, 1, 3, 0, 0, true, 0, 0 },
	{ "even if it never is less", 16, 3, 3, 0, 0, true, 0, 0 },
	{ "a little more", 16, 0, 4, 0, 6 * US, true, 0, 0 },
	{ "noise, and half as much again", 16, 0, 20, 0, 30 * US, true, 0, 0 },
	{ "whose least is not the base", 16, 6, 20, 0, 30 * US, true, 0, 0 },
	{ "by no more than what it wavers by", 16, 15, 30, 0, 45 * US, true, 0, 0 },
	{ "of more the mean is not to be near the most", 24, 12, 30, 0, 45 * US, true, 0, 0 },
	{ "that is a queue with gaps", 24, 14, 30, 0, 0, false, 0, 26 },
	{ "a queue", 16, 16, 30, 0, 0, false, 0, 26 },
	{ "likewise of seven", 7, 15, 30, 0, 45 * US, false, 1, 0 },
	{ "of which it may be one", 7, 16, 30, 0, 0, false, 1, 26 },
	{ "of six by no more than half", 6, 10, 30, 0, 45 * US, false, 1, 0 },
	{ "it is sooner looked for again", 6, 11, 30, 0, 0, false, 1, 25 },
	{ "one that stands", 16, 20, 21, 0, 0, false, 0, 26 },
	{ "of few it may not be one: it takes longer", 15, 20, 21, 0, 0, false, 1, 26 },
	{ "but not for ever", 15, 20, 21, 3, 0, false, 3, 26 },
	{ "noise, of few: it takes longer", 15, 0, 20, 0, 30 * US, false, 1, 0 },
	{ "and still longer", 8, 0, 20, 2, 30 * US, false, 3, 0 },
	{ "until it is believed", 8, 0, 20, 3, 30 * US, true, 3, 0 },
	{ "10 ms at most", 16, 0, 20000, 0, 15 * MS, true, 0, 0 },
};

KUNIT_ARRAY_PARAM_DESC(end, end_cases, name);

static void noise_end_case(struct kunit *test)
{
	const struct end_case *c = test->param_value;
	struct lapsmp_noise z = { .more = c->more };

	noise_take(&z, c->n, c->lo_us, c->hi_us);
	/* Whatever the margin is set to, less than 3 us is no noise. */
	lapsmp_noise_end(&z, 0, 7);
	KUNIT_EXPECT_EQ(test, z.ns, c->ns);
	KUNIT_EXPECT_EQ(test, z.known, c->known);
	KUNIT_EXPECT_EQ(test, z.more, c->then_more);
	KUNIT_EXPECT_EQ(test, z.shift, c->shift);
}

static void noise_is_measured_anew(struct kunit *test)
{
	struct lapsmp_noise z = {};

	noise_take(&z, 16, 0, 20);
	lapsmp_noise_end(&z, 3 * US, 7);
	KUNIT_EXPECT_EQ(test, z.ns, 30 * US);
	/* A queue tells nothing. */
	noise_take(&z, 16, 90, 90);
	lapsmp_noise_end(&z, 3 * US, 8);
	KUNIT_EXPECT_EQ(test, z.ns, 30 * US);
	KUNIT_EXPECT_TRUE(test, z.known);
	KUNIT_EXPECT_EQ(test, z.at_ns, 7);
	/* Less, of few: some more are wanted. */
	noise_take(&z, 8, 0, 10);
	lapsmp_noise_end(&z, 3 * US, 9);
	KUNIT_EXPECT_EQ(test, z.ns, 15 * US);
	KUNIT_EXPECT_FALSE(test, z.known);
	/* And none. */
	noise_take(&z, 4, 0, 0);
	lapsmp_noise_end(&z, 3 * US, 10);
	KUNIT_EXPECT_EQ(test, z.ns, 0);
	KUNIT_EXPECT_TRUE(test, z.known);
	KUNIT_EXPECT_EQ(test, z.at_ns, 10);
	/* A margin that is set to more than it wavers by. */
	noise_take(&z, 16, 0, 20);
	lapsmp_noise_end(&z, 20 * US, 11);
	KUNIT_EXPECT_EQ(test, z.ns, 0);
}

/* They were never empty, or their way is too long for this tick: later, and then not any more. */
static void noise_backs_off(struct kunit *test)
{
	static const u8 shifts[] = { 26, 28, 30, 31 };
	struct lapsmp_noise z = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shifts); i++) {
		lapsmp_noise_begin(&z, MS);
		KUNIT_EXPECT_FALSE(test, lapsmp_noise_go_on(&z, 100 * US, 24));
		lapsmp_noise_end(&z, 3 * US, MS);
		KUNIT_EXPECT_EQ(test, z.shift, shifts[i]);
		KUNIT_EXPECT_EQ(test, z.more, 0);
		KUNIT_EXPECT_FALSE(test, z.known);
	}
	lapsmp_noise_begin(&z, MS);
	lapsmp_noise_end(&z, 3 * US, MS);
	KUNIT_EXPECT_TRUE(test, z.known);
	KUNIT_EXPECT_EQ(test, z.at_ns, MS);
	KUNIT_EXPECT_EQ(test, z.ns, 0);
}

/* Its way turns out to be shorter: until samples count it takes less long. */
static void noise_takes_what_is_known_by_then(struct kunit *test)
{
	struct lapsmp_noise z = {};

	lapsmp_noise_begin(&z, MS);
	KUNIT_ASSERT_TRUE(test, lapsmp_noise_go_on(&z, 32 * US, 24));
	KUNIT_EXPECT_TRUE(test, lapsmp_noise_is_early(&z, MS + SPAN / 2));
	KUNIT_ASSERT_TRUE(test, lapsmp_noise_go_on(&z, 4 * US, 24));
	KUNIT_EXPECT_EQ(test, z.span_ns, SPAN);
	KUNIT_EXPECT_FALSE(test, lapsmp_noise_is_early(&z, MS + SPAN / 4));
	KUNIT_EXPECT_FALSE(test, lapsmp_noise_asks(&z, MS + SPAN / 2));
}

static void noise_survives_garbage(struct kunit *test)
{
	struct lapsmp_noise z = {};
	u32 i;

	lapsmp_noise_begin(&z, 0);
	KUNIT_ASSERT_TRUE(test, lapsmp_noise_go_on(&z, 4 * US, 24));
	for (i = 0; i < 70000; i++)
		lapsmp_noise_sample(&z, i % 2 ? S64_MAX : S64_MIN, S64_MIN, SPAN / 4);
	KUNIT_EXPECT_EQ(test, z.n, U16_MAX);
	lapsmp_noise_end(&z, 3 * US, U64_MAX);
	KUNIT_EXPECT_EQ(test, z.ns, 15 * MS);
	/* A base above all of them. */
	z.base_ns = S64_MAX;
	lapsmp_noise_end(&z, U64_MAX, 0);
	KUNIT_EXPECT_EQ(test, z.ns, 0);
}

static struct kunit_case noise_test_cases[] = {
	KUNIT_CASE_PARAM(noise_wants_case, wants_gen_params),
	KUNIT_CASE(noise_is_known_for_some_time),
	KUNIT_CASE(noise_is_not_for_who_was_idle),
	KUNIT_CASE(noise_counts_what_is_heard),
	KUNIT_CASE_PARAM(noise_plan_case, plan_gen_params),
	KUNIT_CASE(noise_takes_an_eighth_of_a_tick),
	KUNIT_CASE_PARAM(noise_sample_case, sample_gen_params),
	KUNIT_CASE(noise_is_not_one_event),
	KUNIT_CASE_PARAM(noise_end_case, end_gen_params),
	KUNIT_CASE(noise_is_measured_anew),
	KUNIT_CASE(noise_backs_off),
	KUNIT_CASE(noise_takes_what_is_known_by_then),
	KUNIT_CASE(noise_survives_garbage),
	{}
};

struct kunit_suite lapsmp_noise_suite = {
	.name = "lapsmp_noise",
	.test_cases = noise_test_cases,
};
