// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/owd.c: wrapping stamps, and what may become the base and when. */
#include <kunit/test.h>

#include "../alg/owd.h"

#define US	1000LL
#define MS	(1000 * US)
#define WINDOW	LAPSMP_OWD_WINDOW_NS

static void owd_take(struct lapsmp_owd *o, s64 raw_ns, u64 rtt_ns, bool alone, u64 now_ns)
{
	lapsmp_owd_update(o, &(struct lapsmp_owd_sample){
		.raw_ns = raw_ns, .rtt_ns = rtt_ns, .now_ns = now_ns, .alone = alone,
	});
}

struct unwrap_case {
	const char *name;
	s64 last_ns;
	u32 raw32;
	s64 expected_ns;
};

static const struct unwrap_case unwrap_cases[] = {
	{ "same", 1000, 1000, 1000 },
	{ "up", 1000, 1500, 1500 },
	{ "down", 1000, 500, 500 },
	{ "below zero", 10, -10, -10 },
	{ "above zero", -10, 10, 10 },
	{ "over 2^32 upwards", 0xfffffff0LL, 0x10, 0x100000010LL },
	{ "over 2^32 downwards", 0x100000010LL, 0xfffffff0, 0xfffffff0LL },
	{ "many wraps", (7LL << 32) + 5, 6, (7LL << 32) + 6 },
	{ "many wraps below zero", -(7LL << 32) + 5, 4, -(7LL << 32) + 4 },
	{ "largest step up", 0, 0x7fffffff, 0x7fffffff },
	{ "largest step down", 0, 0x80000000, -0x80000000LL },
};

KUNIT_ARRAY_PARAM_DESC(unwrap, unwrap_cases, name);

static void owd_unwrap_case(struct kunit *test)
{
	const struct unwrap_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_owd_unwrap(c->last_ns, c->raw32),
			c->expected_ns);
}

/* A sample and what the base shall be after it. */
struct base_step {
	u64 now_ns;
	s64 raw_ns;
	bool alone;
	s64 base_ns;
};

struct base_case {
	const char *name;
	struct base_step step[6];
};

static const struct base_case base_cases[] = {
	{ "first sample", { { 1, 500, false, 500 } } },
	{ "smaller sample", { { 1, 500, true, 500 }, { 2, 400, false, 400 } } },
	{ "larger sample", { { 1, 500, true, 500 }, { 2, 600, true, 500 } } },
	{ "negative delays", { { 1, -500, true, -500 }, { 2, -600, true, -600 },
			       { 3, -400, true, -600 } } },
	{ "longer way takes over after the window",
	  { { 1, 500, true, 500 }, { 1000, 900, true, 500 },
	    { WINDOW + 1, 910, true, 500 }, { WINDOW + 2, 920, true, 900 } } },
	{ "standing queue never takes over",
	  { { 1, 500, true, 500 }, { 1000, 900, false, 500 },
	    { 2 * WINDOW, 900, false, 500 }, { 9 * WINDOW, 900, false, 500 } } },
	{ "a late one that was alone ends it",
	  { { 1, 500, true, 500 }, { 1000, 900, false, 500 },
	    { 9 * WINDOW, 950, true, 950 } } },
	{ "seen again begins anew",
	  { { 1, 500, true, 500 }, { 1000, 900, true, 500 },
	    { WINDOW - 1, 500, true, 500 }, { WINDOW + 2, 900, true, 500 },
	    { 2 * WINDOW, 900, true, 900 } } },
	{ "smallest of those meanwhile",
	  { { 1, 500, true, 500 }, { 2, 700, true, 500 },
	    { 3, 600, true, 500 }, { 4, 800, true, 500 },
	    { WINDOW + 2, 900, true, 600 } } },
	{ "successor expires too",
	  { { 1, 500, true, 500 }, { 9, 700, true, 500 },
	    { WINDOW + 2, 900, true, 700 }, { WINDOW + 9, 900, true, 700 },
	    { WINDOW + 10, 950, true, 900 } } },
};

KUNIT_ARRAY_PARAM_DESC(base, base_cases, name);

static void owd_base_case(struct kunit *test)
{
	const struct base_case *c = test->param_value;
	const struct base_step *s;
	struct lapsmp_owd o = {};

	for (s = c->step; s < c->step + ARRAY_SIZE(c->step) && s->now_ns; s++) {
		owd_take(&o, s->raw_ns, 0, s->alone, s->now_ns);
		KUNIT_EXPECT_EQ_MSG(test, o.base_raw_ns, s->base_ns, "step %td",
				    s - c->step);
		KUNIT_EXPECT_EQ(test, o.raw_ns, s->raw_ns);
	}
	KUNIT_EXPECT_TRUE(test, o.valid);
}

struct rtt_case {
	const char *name;
	u64 rtt_ns;
	bool alone;
	u64 now_ns;
	u64 min_ns;
};

/* After a sample of 1000 ns at time 1. */
static const struct rtt_case rtt_cases[] = {
	{ "unknown", 0, true, 9, 1000 },
	{ "smaller", 900, false, 9, 900 },
	{ "larger", 1100, true, 9, 1000 },
	{ "larger after the window", 1100, true, WINDOW + 2, 1100 },
	{ "larger with a queue after the window", 1100, false, WINDOW + 2,
	  1000 },
};

KUNIT_ARRAY_PARAM_DESC(rtt, rtt_cases, name);

static void owd_min_rtt_case(struct kunit *test)
{
	const struct rtt_case *c = test->param_value;
	struct lapsmp_owd o = {};

	owd_take(&o, 500, 1000, true, 1);
	owd_take(&o, 500, c->rtt_ns, c->alone, c->now_ns);
	KUNIT_EXPECT_EQ(test, o.min_rtt_ns, c->min_ns);
}

struct due_case {
	const char *name;
	u64 next_at_ns;
	u64 within_ns;
	u64 now_ns;
	bool due;
};

/* Of a base that was seen at time 1. */
static const struct due_case due_cases[] = {
	{ "young", 0, 0, 2, false },
	{ "not yet old", 0, 0, WINDOW + 1, false },
	{ "old", 0, 0, WINDOW + 2, true },
	{ "not yet old at the next occasion", 0, WINDOW / 2, WINDOW / 2 + 1, false },
	{ "old at the next occasion", 0, WINDOW / 2, WINDOW / 2 + 2, true },
	{ "has a successor", 5, WINDOW / 2, 2 * WINDOW, false },
	{ "seen later than now", 0, 0, 0, false },
};

KUNIT_ARRAY_PARAM_DESC(due, due_cases, name);

static void owd_due_case(struct kunit *test)
{
	const struct due_case *c = test->param_value;
	struct lapsmp_owd o = {};

	owd_take(&o, 500, 0, false, 1);
	if (c->next_at_ns)
		owd_take(&o, 600, 0, true, c->next_at_ns);
	KUNIT_EXPECT_EQ(test, lapsmp_owd_is_due(&o, c->within_ns, c->now_ns), c->due);
}

static void owd_take_small(struct lapsmp_owd *o, s64 raw_ns, u64 now_ns)
{
	lapsmp_owd_update(o, &(struct lapsmp_owd_sample){
		.raw_ns = raw_ns, .now_ns = now_ns, .alone = true, .small = true,
	});
}

/* A small one alone knows that the way is longer: so it is for full ones seen before. */
static void owd_longer_way_is_longer_for_full_ones(struct kunit *test)
{
	struct lapsmp_owd o = {};

	owd_take_small(&o, 500, 1);
	owd_take(&o, 800, 0, false, 2);
	owd_take_small(&o, 900, WINDOW / 2);
	owd_take_small(&o, 900, WINDOW + 2);
	KUNIT_EXPECT_EQ(test, o.base_raw_ns, 900);
	KUNIT_EXPECT_EQ(test, o.full_raw_ns, 1200);
	/* No longer than they are seen to take. */
	owd_take(&o, 1100, 0, false, WINDOW + 3);
	KUNIT_EXPECT_EQ(test, o.full_raw_ns, 1100);
}

/* But not for those that were seen since, nor for one that was just seen to take less. */
static void owd_longer_way_is_no_longer_than_seen(struct kunit *test)
{
	struct lapsmp_owd o = {};

	owd_take_small(&o, 500, 1);
	owd_take_small(&o, 900, 2);
	owd_take(&o, 1200, 0, false, 3);
	owd_take_small(&o, 950, WINDOW + 2);
	KUNIT_EXPECT_EQ(test, o.base_raw_ns, 900);
	KUNIT_EXPECT_EQ(test, o.full_raw_ns, 1200);
	o = (struct lapsmp_owd){};
	owd_take_small(&o, 500, 1);
	owd_take(&o, 800, 0, false, 2);
	owd_take_small(&o, 900, 3);
	owd_take(&o, 1000, 0, false, WINDOW + 2);
	KUNIT_EXPECT_EQ(test, o.base_raw_ns, 900);
	KUNIT_EXPECT_EQ(test, o.full_raw_ns, 1000);
}

/* The round trip of what was sent alone counts with its delay. */
static void owd_longer_way_has_its_round_trip(struct kunit *test)
{
	struct lapsmp_owd o = {};

	owd_take(&o, 500, 1000, true, 1);
	owd_take(&o, 900, 1400, true, WINDOW / 10);
	owd_take(&o, 910, 1410, false, WINDOW + 2);
	KUNIT_EXPECT_EQ(test, o.base_raw_ns, 900);
	KUNIT_EXPECT_EQ(test, o.min_rtt_ns, 1400);
	/* And is as young as that: a longer one is others' queue. */
	owd_take(&o, 1100, 1900, true, WINDOW + 3);
	KUNIT_EXPECT_EQ(test, o.min_rtt_ns, 1400);
}

/* Samples of several CPUs: what is older than the base does not end it. */
static void owd_late_sample_does_not_end_the_base(struct kunit *test)
{
	struct lapsmp_owd o = {};

	owd_take(&o, 500, 1000, true, 2000);
	owd_take(&o, 700, 1200, true, 1900);
	owd_take(&o, 800, 1300, true, 1950);
	KUNIT_EXPECT_EQ(test, o.base_raw_ns, 500);
	KUNIT_EXPECT_EQ(test, o.min_rtt_ns, 1000);
}

static void owd_new_base_is_not_above_the_newest_sample(struct kunit *test)
{
	struct lapsmp_owd o = {};

	owd_take(&o, 100, 1000, true, 1);
	owd_take(&o, 300, 1000, true, 2);
	owd_take(&o, 200, 1000, false, WINDOW + 2);
	KUNIT_EXPECT_EQ(test, o.base_raw_ns, 200);
}

static void owd_anchor_is_base_less_half_a_round_trip(struct kunit *test)
{
	struct lapsmp_owd o = {};

	owd_take(&o, -7000, 2000, true, 1);
	owd_take(&o, -6000, 1800, true, 2);
	KUNIT_EXPECT_EQ(test, lapsmp_owd_anchor(&o), -7900);
}

/* Of which it was heard that it is both ways', though none was as short. */
static void owd_round_trip_is_that_of_both_ways(struct kunit *test)
{
	struct lapsmp_owd_sample s = {
		.raw_ns = 500, .rtt_ns = 9500, .now_ns = 1,
	};
	struct lapsmp_owd o = {};

	lapsmp_owd_update(&o, &s);
	KUNIT_EXPECT_EQ(test, o.min_rtt_ns, 9500);
	s.both_ns = 1000;
	lapsmp_owd_update(&o, &s);
	KUNIT_EXPECT_EQ(test, o.min_rtt_ns, 1000);
	s.both_ns = 2000;
	lapsmp_owd_update(&o, &s);
	KUNIT_EXPECT_EQ(test, o.min_rtt_ns, 1000);
	s.both_ns = 0;
	lapsmp_owd_update(&o, &s);
	KUNIT_EXPECT_EQ(test, o.min_rtt_ns, 1000);
	/* Alone and late, it is no longer than both ways either. */
	s = (struct lapsmp_owd_sample){
		.raw_ns = 500, .rtt_ns = 9000, .now_ns = WINDOW + 2, .alone = true,
		.both_ns = 3000,
	};
	lapsmp_owd_update(&o, &s);
	KUNIT_EXPECT_EQ(test, o.min_rtt_ns, 3000);
}

/* Of a size, and what data is believed to take after it. */
struct small_step {
	u64 now_ns;
	s64 raw_ns;
	bool small;
	u64 gap_ns;
	s64 margin_ns;
	s64 base_ns;
	u64 rate;
};

struct small_case {
	const char *name;
	struct small_step step[6];
};

static const struct small_case small_cases[] = {
	{ "small ones count where there are no others",
	  { { 1, 500, true, 9999, 0, 500 }, { 2, 400, true, 9999, 0, 400 },
	    { 3, 600, true, 9999, 0, 400 } } },
	{ "full ones have a base of their own",
	  { { 1, 500, true, 9999, 0, 500 }, { 2, 900, false, 9999, 0, 900 },
	    { 3, 950, false, 9999, 0, 900 }, { 4, 850, false, 9999, 0, 850 } } },
	{ "small ones say nothing of it",
	  { { 1, 900, false, 9999, 0, 900 }, { 2, 500, true, 9999, 0, 900 },
	    { 3, 890, false, 9999, 0, 890 }, { 4, 450, true, 9999, 0, 890 } } },
	{ "not if some were nearer to each other than that",
	  { { 1, 500, true, 0, 0, 500 }, { 2, 900, false, 0, 0, 500 },
	    { 3, 900, false, 399, 0, 500 }, { 4, 900, false, 400, 0, 900 },
	    { 5, 900, false, 1, 0, 500 } } },
	{ "nor if it is within the margin",
	  { { 1, 500, true, 9999, 0, 500 }, { 2, 900, false, 9999, 400, 500 },
	    { 3, 900, false, 9999, 399, 900 }, { 4, 900, false, 9999, -1, 900 } } },
	{ "however near, no less than the slowest link needs for one of 1500 bytes",
	  { { 1, 500, true, 1, 0, 500, NSEC_PER_SEC },
	    { 2, 2900, false, 1, 0, 2000, NSEC_PER_SEC },
	    { 3, 2900, false, 1, 2400, 500, NSEC_PER_SEC },
	    { 4, 2900, false, 2400, 0, 2900, NSEC_PER_SEC },
	    { 5, 2900, false, 1, 0, 2900, 1 },
	    { 6, 1900, false, 1, 0, 1900, NSEC_PER_SEC } } },
	{ "unless that is within the margin",
	  { { 1, 500, true, 1, 0, 500, NSEC_PER_SEC },
	    { 2, 2900, false, 1, 1500, 500, NSEC_PER_SEC },
	    { 3, 2900, false, 1, 1499, 2000, NSEC_PER_SEC } } },
	{ "small ones that are later are of no use",
	  { { 1, 900, false, 9999, 0, 900 }, { 2, 950, true, 9999, 0, 900 } } },
	{ "no difference is none, whatever is known", { { 1, 900, false, 0, -1, 900 } } },
	{ "a longer way takes over after the window",
	  { { 1, 500, true, 9999, 0, 500 }, { 2, 900, false, 9999, 0, 900 },
	    { WINDOW + 2, 1500, false, 9999, 0, 900 },
	    { WINDOW + 3, 1600, false, 9999, 0, 1600 } } },
};

KUNIT_ARRAY_PARAM_DESC(small, small_cases, name);

static void owd_small(struct lapsmp_owd *o, s64 raw_ns, bool small, u64 now_ns)
{
	lapsmp_owd_update(o, &(struct lapsmp_owd_sample){
		.raw_ns = raw_ns, .now_ns = now_ns, .alone = true, .small = small,
	});
}

static void owd_small_case(struct kunit *test)
{
	const struct small_case *c = test->param_value;
	struct lapsmp_owd o = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(c->step) && c->step[i].now_ns; i++) {
		const struct small_step *s = &c->step[i];

		owd_small(&o, s->raw_ns, s->small, s->now_ns);
		KUNIT_EXPECT_EQ_MSG(test, lapsmp_owd_base(&o, &(struct lapsmp_owd_link){
			.gap_ns = s->gap_ns, .margin_ns = s->margin_ns,
			.rate = s->rate, .bytes = 1500,
		}), s->base_ns, "step %zu", i);
	}
}

static void owd_full_ones_may_take_what_the_link_needs(struct kunit *test)
{
	struct lapsmp_owd_link l = { .gap_ns = 1, .margin_ns = 1499, .bytes = 1500 };
	struct lapsmp_owd o = {};

	owd_small(&o, 500, true, 1);
	KUNIT_EXPECT_EQ(test, lapsmp_owd_unseen_ns(&o, &l), 0);
	l.rate = NSEC_PER_SEC;
	KUNIT_EXPECT_EQ(test, lapsmp_owd_unseen_ns(&o, &l), 1500);
	l.margin_ns = 1500;
	KUNIT_EXPECT_EQ(test, lapsmp_owd_unseen_ns(&o, &l), 0);
	l.margin_ns = -1;
	KUNIT_EXPECT_EQ(test, lapsmp_owd_unseen_ns(&o, &l), 1500);
	owd_small(&o, 600, false, 2);
	KUNIT_EXPECT_EQ(test, lapsmp_owd_unseen_ns(&o, &l), 0);
}

static void owd_tells_what_is_more_than_before(struct kunit *test)
{
	static const struct { s64 raw_ns, more_ns; } step[] = {
		{ MS, 0 }, { MS, 0 }, { MS + US, US }, { -MS, -2 * MS - US },
		{ S64_MAX, S64_MAX }, { S64_MIN, -S64_MAX },
	};
	struct lapsmp_owd o = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(step); i++)
		KUNIT_EXPECT_EQ(test, lapsmp_owd_update(&o, &(struct lapsmp_owd_sample){
			.raw_ns = step[i].raw_ns, .now_ns = i + 1,
		}), step[i].more_ns);
}

static void owd_extremes_do_not_wrap(struct kunit *test)
{
	static const s64 raw[] = { S64_MIN, S64_MAX, 0, S64_MIN, -1, S64_MAX };
	struct lapsmp_owd o = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(raw); i++)
		owd_take(&o, raw[i], U64_MAX, true, i * WINDOW);
	KUNIT_EXPECT_LE(test, lapsmp_owd_anchor(&o), 0);
	KUNIT_EXPECT_GE(test, lapsmp_owd_base(&o, &(struct lapsmp_owd_link){ .gap_ns = U64_MAX }),
			o.base_raw_ns);
	KUNIT_EXPECT_GE(test, lapsmp_owd_base(&o, &(struct lapsmp_owd_link){
		.rate = 1, .bytes = U32_MAX,
	}), o.base_raw_ns);
}

static struct kunit_case owd_test_cases[] = {
	KUNIT_CASE_PARAM(owd_unwrap_case, unwrap_gen_params),
	KUNIT_CASE_PARAM(owd_base_case, base_gen_params),
	KUNIT_CASE_PARAM(owd_min_rtt_case, rtt_gen_params),
	KUNIT_CASE_PARAM(owd_due_case, due_gen_params),
	KUNIT_CASE(owd_longer_way_is_longer_for_full_ones),
	KUNIT_CASE(owd_longer_way_is_no_longer_than_seen),
	KUNIT_CASE(owd_longer_way_has_its_round_trip),
	KUNIT_CASE(owd_late_sample_does_not_end_the_base),
	KUNIT_CASE(owd_new_base_is_not_above_the_newest_sample),
	KUNIT_CASE(owd_anchor_is_base_less_half_a_round_trip),
	KUNIT_CASE(owd_round_trip_is_that_of_both_ways),
	KUNIT_CASE_PARAM(owd_small_case, small_gen_params),
	KUNIT_CASE(owd_full_ones_may_take_what_the_link_needs),
	KUNIT_CASE(owd_tells_what_is_more_than_before),
	KUNIT_CASE(owd_extremes_do_not_wrap),
	{}
};

struct kunit_suite lapsmp_owd_suite = {
	.name = "lapsmp_owd",
	.test_cases = owd_test_cases,
};
