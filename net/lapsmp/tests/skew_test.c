// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/skew.c on synthetic traces: two clocks that run apart, queues on
 * both ways, noise of the hosts.
 */
#include <kunit/test.h>
#include <linux/math64.h>

#include "../alg/skew.h"
#include "../alg/ways.h"
#include "lcg.h"

#define US	1000ULL
#define MS	(1000 * US)
#define WAY_NS	(20 * US)	/* each way without a queue */
#define MIN_RTT	(2 * WAY_NS)

/**
 * struct trace - what a path does to its packets
 * @name: of the case
 * @ppm: the peer's clock gains this much
 * @fwd_swing_ns: queue on the way there: 0 to this, up and down
 * @rev_swing_ns: on the way back
 * @swing_ns: time from one empty queue to the next
 * @noise_ns: of stamps and interrupts, on each way, uniform
 * @gap_ns: mean distance of samples
 */
struct trace {
	const char *name;
	s32 ppm;
	u32 fwd_swing_ns;
	u32 rev_swing_ns;
	u32 swing_ns;
	u32 noise_ns;
	u32 gap_ns;
};

static u64 trace_queue(u64 now, u32 high, u32 period, u32 shift)
{
	u32 phase;

	if (!high)
		return 0;
	div_u64_rem(now + shift, period, &phase);
	/* Empty for a fifth of the time, as a queue that drains has to be. */
	if (phase < period / 5)
		return 0;
	phase -= period / 5;
	return div_u64((u64)high * (phase < period * 2 / 5 ? phase :
				    period * 4 / 5 - phase), period * 2 / 5);
}

/**
 * struct traced - what is learned from a trace
 * @skew: drift
 * @ways: of its path, by which queues on the way back are told from that
 */
struct traced {
	struct lapsmp_skew skew;
	struct lapsmp_ways ways;
};

/* One sample at about @now. Return: the raw delay corrected for its drift. */
static s64 trace_sample(struct traced *t, const struct trace *c, u64 now,
			u64 *seed)
{
	u64 fwd = WAY_NS + lcg_below(seed, c->noise_ns + 1) +
		  trace_queue(now, c->fwd_swing_ns, c->swing_ns, 0);
	u64 rev = WAY_NS + lcg_below(seed, c->noise_ns + 1) +
		  trace_queue(now, c->rev_swing_ns, c->swing_ns,
			      c->swing_ns / 3);
	u64 arrived = now + fwd + rev;
	s64 raw = (s64)fwd - 123456789 + div_s64((s64)(now + fwd) * c->ppm,
						 1000000);

	u64 back = lapsmp_ways_update(&t->ways,
					 lapsmp_skew_correct(&t->skew, raw, arrived),
					 fwd + rev, arrived);

	lapsmp_skew_update(&t->skew, 1, raw, fwd + rev, MIN_RTT, back, arrived);
	return lapsmp_skew_correct(&t->skew, raw, arrived);
}

static u64 trace_run(struct traced *t, const struct trace *c, u64 now,
		     u64 len, u64 *seed)
{
	u64 end = now + len;

	while (now < end) {
		trace_sample(t, c, now, seed);
		now += lcg_below(seed, 2 * c->gap_ns) + 1;
	}
	return now;
}

static const struct trace drifting[] = {
	{ "200 ppm, noise", 200, 0, 0, 1, 5 * US, 10 * US },
	{ "-200 ppm, noise", -200, 0, 0, 1, 5 * US, 10 * US },
	{ "50 ppm, noise", 50, 0, 0, 1, 3 * US, 10 * US },
	{ "200 ppm, queue there", 200, 100 * US, 0, 3 * MS, 5 * US, 10 * US },
	{ "-100 ppm, long queue there", -100, 5 * MS, 0, 40 * MS, 5 * US,
	  10 * US },
	{ "100 ppm, queues both ways", 100, 100 * US, 30 * US, 3 * MS, 3 * US,
	  10 * US },
	{ "200 ppm, few samples", 200, 0, 0, 1, 3 * US, 500 * US },
};

KUNIT_ARRAY_PARAM_DESC(drifting, drifting, name);

static void skew_is_followed_within_100_ms(struct kunit *test)
{
	const struct trace *c = test->param_value;
	struct traced t = {};
	u64 seed = 11, now = MS;
	s64 before, after;

	now = trace_run(&t, c, now, 100 * MS, &seed);
	KUNIT_EXPECT_LE_MSG(test, abs(t.skew.ppb - c->ppm * 1000LL), 30000,
			    "%lld ppb after 100 ms", t.skew.ppb);
	now = trace_run(&t, c, now, 1000 * MS, &seed);
	KUNIT_EXPECT_LE_MSG(test, abs(t.skew.ppb - c->ppm * 1000LL), 3000,
			    "%lld ppb after 1.1 s", t.skew.ppb);

	/* What is left of it in a delay: 200 ppm of 100 ms would be 20 us. */
	before = trace_sample(&t, c, now, &seed);
	now = trace_run(&t, c, now, 30 * c->swing_ns + 100 * MS, &seed);
	now += c->swing_ns - do_div(now, c->swing_ns);
	after = trace_sample(&t, c, now, &seed);
	if (!c->fwd_swing_ns)
		KUNIT_EXPECT_LE(test, abs(after - before), 7 * (s64)US);
}

static const struct trace steady[] = {
	{ "no noise", 0, 0, 0, 1, 0, 10 * US },
	{ "noise", 0, 0, 0, 1, 5 * US, 10 * US },
	{ "much noise, few samples", 0, 0, 0, 1, 20 * US, 1000 * US },
	{ "queue there", 0, 100 * US, 0, 3 * MS, 2 * US, 10 * US },
	{ "queue back", 0, 0, 100 * US, 3 * MS, 2 * US, 10 * US },
	{ "queues both ways", 0, 100 * US, 100 * US, 5 * MS, 2 * US, 10 * US },
	{ "slow queue there", 0, 100 * US, 0, 50 * MS, 2 * US, 10 * US },
	{ "slow queue back", 0, 0, 5 * MS, 400 * MS, 2 * US, 100 * US },
	{ "slow and long queues both ways", 0, 10 * MS, 10 * MS, 2000 * MS, 5 * US, 600 * US },
};

KUNIT_ARRAY_PARAM_DESC(steady, steady, name);

static void skew_of_equal_clocks_stays_near_zero(struct kunit *test)
{
	const struct trace *c = test->param_value;
	struct traced t = {};
	u64 seed = 5, now = MS;
	s64 worst = 0;
	int i;

	for (i = 0; i < 200; i++) {
		now = trace_run(&t, c, now, 10 * MS, &seed);
		worst = max_t(s64, worst, abs(t.skew.ppb));
	}
	KUNIT_EXPECT_LE(test, worst, 20000);
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb), 1000);
}

static void skew_follows_a_change(struct kunit *test)
{
	static const struct trace a = { "", 20, 0, 0, 1, 2 * US, 20 * US };
	static const struct trace b = { "", -20, 0, 0, 1, 2 * US, 20 * US };
	struct traced t = {};
	u64 seed = 5, now = MS;

	now = trace_run(&t, &a, now, 2000 * MS, &seed);
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb - 20000), 1000);
	now = trace_run(&t, &b, now, 6000 * MS, &seed);
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb + 20000), 1000);
}

/* What was learned holds while samples only have noise, and fades where they tell nothing. */
static void skew_fades_in_long_queues_back(struct kunit *test)
{
	static const struct trace a = { "", 50, 0, 0, 1, 2 * US, 20 * US };
	static const struct trace noise = { "", 50, 0, 0, 1, 20 * US, 20 * US };
	static const struct trace queues = { "", 50, 0, 20 * MS, 100 * MS, 2 * US, 200 * US };
	struct traced t = {};
	u64 seed = 5, now = MS;

	now = trace_run(&t, &a, now, 2000 * MS, &seed);
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb - 50000), 1000);
	now = trace_run(&t, &noise, now, 8000 * MS, &seed);
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb - 50000), 5000);
	/* One that is wrong by all that clocks do. */
	t.skew.ppb = LAPSMP_SKEW_MAX_PPB;
	now = trace_run(&t, &queues, now, 60000ULL * MS, &seed);
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb), 60000);
	/* And is learned again. */
	now = trace_run(&t, &a, now, 8000 * MS, &seed);
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb - 50000), 1000);
}

static void skew_survives_a_clock_that_is_set(struct kunit *test)
{
	static const struct trace c = { "", 50, 0, 0, 1, 2 * US, 20 * US };
	struct traced t = {};
	u64 seed = 5, now = MS, end;
	u64 rtt = 2 * MIN_RTT;

	now = trace_run(&t, &c, now, 1000 * MS, &seed);
	/* Ten milliseconds ahead, from one moment to the next. */
	for (end = now + 3000 * MS; now < end; now += 20 * US) {
		s64 raw = WAY_NS + 10 * MS + div_s64(now * c.ppm, 1000000) -
			  123456789 + lcg_below(&seed, 2 * US);

		lapsmp_skew_update(&t.skew, 1, raw, rtt, MIN_RTT, 0, now);
		if (abs(t.skew.ppb - 50000) > 20000) {
			KUNIT_FAIL(test, "%lld ppb", t.skew.ppb);
			return;
		}
	}
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb - 50000), 1000);
}

static void skew_listens_to_one_path(struct kunit *test)
{
	static const struct trace c = { "", 0, 0, 0, 1, 2 * US, 20 * US };
	struct traced t = {};
	u64 seed = 5, now = MS, end = 1000 * MS;

	while (now < end) {
		trace_sample(&t, &c, now, &seed);
		/* Another path, whose way back grows. */
		lapsmp_skew_update(&t.skew, 2, WAY_NS, MIN_RTT + now / 1000, MIN_RTT, 0,
				   now + 1);
		now += 20 * US;
	}
	KUNIT_EXPECT_EQ(test, t.skew.anchor_id, 1);
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb), 1000);
}

static void skew_replaces_a_silent_anchor(struct kunit *test)
{
	static const struct trace c = { "", 100, 0, 0, 1, 2 * US, 20 * US };
	struct traced t = {};
	u64 seed = 5, now = MS;

	lapsmp_skew_update(&t.skew, 2, 500 * MS, 10 * MS, 10 * MS, 0, now);
	KUNIT_EXPECT_EQ(test, t.skew.anchor_id, 2);
	now = trace_run(&t, &c, now, 900 * MS, &seed);
	KUNIT_EXPECT_EQ(test, t.skew.anchor_id, 2);
	now = trace_run(&t, &c, now, 300 * MS, &seed);
	KUNIT_EXPECT_EQ(test, t.skew.anchor_id, 1);
	KUNIT_EXPECT_LE(test, abs(t.skew.ppb - 100000), 20000);
}

static void skew_ignores_samples_that_were_stuck(struct kunit *test)
{
	struct lapsmp_skew s = {};

	lapsmp_skew_update(&s, 1, 0, 100 * MS, MIN_RTT, 0, MS);
	KUNIT_EXPECT_FALSE(test, s.has_best);
	lapsmp_skew_update(&s, 1, 0, MIN_RTT, MIN_RTT, 0, 2 * MS);
	KUNIT_EXPECT_TRUE(test, s.has_best);
}

static void skew_correction_has_no_jumps(struct kunit *test)
{
	struct lapsmp_skew s = { .ppb = 100000 };
	u64 now = MS;
	s64 last = lapsmp_skew_correct(&s, 0, now), is;
	int i;

	KUNIT_EXPECT_EQ(test, last, 0);
	for (i = 0; i < 10000; i++) {
		now += 100 * US;
		is = lapsmp_skew_correct(&s, 0, now);
		if (last - is < 9 || last - is > 11) {
			KUNIT_FAIL(test, "step %d: %lld", i, is - last);
			return;
		}
		last = is;
	}
	/* 100 ppm of one second */
	KUNIT_EXPECT_LE(test, abs(last + 100000), 20);
}

/* What is taken off can be asked for, at any time, and nothing is changed by that. */
static void skew_tells_what_it_corrects(struct kunit *test)
{
	struct lapsmp_skew s = {}, before;
	u64 now = MS;

	KUNIT_EXPECT_EQ(test, lapsmp_skew_corrected(&s, now), 0);
	s.ppb = 100000;
	KUNIT_EXPECT_EQ(test, lapsmp_skew_corrected(&s, now), 0);
	for (; now < 1000 * MS; now += 7 * MS) {
		KUNIT_EXPECT_EQ(test, lapsmp_skew_correct(&s, 5, now),
				5 - lapsmp_skew_corrected(&s, now));
		before = s;
		lapsmp_skew_corrected(&s, now + 5000 * MS);
		KUNIT_EXPECT_EQ(test, memcmp(&s, &before, sizeof(s)), 0);
	}
	KUNIT_EXPECT_EQ(test, lapsmp_skew_corrected(&s, 0), s.corr_ns);
	now = s.corr_at_ns + 1000 * MS;
	KUNIT_EXPECT_EQ(test, lapsmp_skew_corrected(&s, now) - s.corr_ns, 100000);
}

static void skew_correction_of_a_long_sleep(struct kunit *test)
{
	struct lapsmp_skew s = { .ppb = -LAPSMP_SKEW_MAX_PPB };
	u64 day = 86400ULL * 1000 * MS;

	lapsmp_skew_correct(&s, 0, MS);
	KUNIT_EXPECT_EQ(test, lapsmp_skew_correct(&s, 0, MS + 1000 * day),
			(s64)day);
}

static void skew_is_bounded_by_what_clocks_do(struct kunit *test)
{
	struct lapsmp_skew s = {};
	u64 now;

	/* Drifts of 10 %. */
	for (now = MS; now < 500 * MS; now += 20 * US) {
		lapsmp_skew_update(&s, 1, now / 10, MIN_RTT, MIN_RTT, 0, now);
		if (abs(s.ppb) > LAPSMP_SKEW_MAX_PPB) {
			KUNIT_FAIL(test, "%lld ppb", s.ppb);
			return;
		}
	}
}

static struct kunit_case skew_test_cases[] = {
	KUNIT_CASE_PARAM(skew_is_followed_within_100_ms, drifting_gen_params),
	KUNIT_CASE_PARAM(skew_of_equal_clocks_stays_near_zero,
			 steady_gen_params),
	KUNIT_CASE(skew_follows_a_change),
	KUNIT_CASE(skew_fades_in_long_queues_back),
	KUNIT_CASE(skew_survives_a_clock_that_is_set),
	KUNIT_CASE(skew_listens_to_one_path),
	KUNIT_CASE(skew_replaces_a_silent_anchor),
	KUNIT_CASE(skew_ignores_samples_that_were_stuck),
	KUNIT_CASE(skew_correction_has_no_jumps),
	KUNIT_CASE(skew_tells_what_it_corrects),
	KUNIT_CASE(skew_correction_of_a_long_sleep),
	KUNIT_CASE(skew_is_bounded_by_what_clocks_do),
	{}
};

struct kunit_suite lapsmp_skew_suite = {
	.name = "lapsmp_skew",
	.test_cases = skew_test_cases,
};
