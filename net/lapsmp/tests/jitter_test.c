// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/jitter.c: that it is not measured from queues, and what is believed of a path
 * that is seldom heard.
 */
#include <kunit/test.h>

#include "../alg/jitter.h"
#include "lcg.h"

#define US	1000LL
#define MS	(1000 * US)
#define RTT_NS	(10 * US)

/* A path's jitter by its delays instead of what they change by. */
struct jitter_path {
	struct lapsmp_jitter j;
	s64 delay_ns;
};

static void jitter_take(struct jitter_path *p, s64 delay_ns, u64 now_ns)
{
	lapsmp_jitter_update(&p->j, p->j.at_ns ? delay_ns - p->delay_ns : 0, RTT_NS, now_ns);
	p->delay_ns = delay_ns;
}

/* Delays of @n samples: a queue between 0 and @queue_ns, noise of @noise_ns. */
static u32 jitter_of(u32 n, s64 queue_ns, u32 noise_ns)
{
	struct jitter_path p = {};
	u64 seed = 3;
	u32 i, phase;

	for (i = 0; i < n; i++) {
		phase = i % 200 < 100 ? i % 200 : 200 - i % 200;
		jitter_take(&p, phase * queue_ns / 100 + lcg_below(&seed, noise_ns + 1), i + 1);
	}
	return p.j.own_ns;
}

static void jitter_is_no_queue(struct kunit *test)
{
	KUNIT_EXPECT_LE(test, jitter_of(5000, MS, 0), 1000);
}

static void jitter_of_a_constant_delay_is_none(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, jitter_of(5000, 0, 0), 0);
}

static void jitter_is_noise(struct kunit *test)
{
	u32 jitter = jitter_of(5000, 0, 10 * US);

	/* Four times it must cover the noise, without being several times it. */
	KUNIT_EXPECT_GE(test, 4 * jitter, 8 * US);
	KUNIT_EXPECT_LE(test, 4 * jitter, 25 * US);
}

static void jitter_is_noise_on_a_queue(struct kunit *test)
{
	u32 jitter = jitter_of(5000, MS / 10, 10 * US);

	KUNIT_EXPECT_GE(test, 4 * jitter, 8 * US);
	KUNIT_EXPECT_LE(test, 4 * jitter, 25 * US);
}

static void jitter_is_forgotten(struct kunit *test)
{
	struct jitter_path p = {};
	int i;

	for (i = 0; i < 200; i++)
		jitter_take(&p, i % 2 * 50 * US, i + 1);
	KUNIT_EXPECT_EQ(test, p.j.own_ns, 50 * US);
	for (i = 0; i < 400; i++)
		jitter_take(&p, i % 2, i + 201);
	KUNIT_EXPECT_LE(test, p.j.own_ns, 2);
}

static void jitter_is_not_one_long_freeze(struct kunit *test)
{
	struct jitter_path p = {};

	jitter_take(&p, 0, 1);
	jitter_take(&p, 3000 * MS, 2);
	jitter_take(&p, 0, 3);
	/* A sixteenth of the limit of 10 ms. */
	KUNIT_EXPECT_LE(test, p.j.own_ns, 10 * MS / 16 + 1);
}

struct apart_case {
	const char *name;
	u64 others_ns;	/* what an often heard path wavers by, 0: there is none */
	u32 before;	/* samples 1 us apart; the round trip is 10 us, */
	s64 before_ns;	/* delays go up and down by this; */
	u32 samples;	/* then as many that do so by 4 us, */
	u64 apart_ns;	/* and are so far from each other */
	u32 again;	/* and as many, 1 us apart, */
	u32 ago;	/* so many round trips after the other was heard last */
	u32 least_ns;	/* is believed, in the end, */
	u32 most_ns;
};

static const struct apart_case apart_cases[] = {
	{ "often", 100, 0, 0, 400, 5 * US, 0, 0, 3900, 4000 },
	{ "once in four round trips", 100, 0, 0, 400, 40 * US, 0, 0, 3900, 4000 },
	{ "once in five", 100, 0, 0, 400, 50 * US, 0, 0, 90, 100 },
	{ "beside others that waver more", 100 * US, 0, 0, 400, 50 * US, 0, 0, 3900, 4000 },
	{ "without others", 0, 0, 0, 400, 50 * US, 0, 0, 3900, 4000 },
	{ "soon after others", 100, 0, 0, 400, 50 * US, 0, 63, 90, 100 },
	{ "after others have gone", 100, 0, 0, 400, 50 * US, 0, 64, 3900, 4000 },
	{ "that was heard often, and wavered less", 100, 400, 2 * US, 400, 50 * US, 0, 0,
	  1800, 2400 },
	{ "that was heard often, and did not", 100, 400, 0, 400, 50 * US, 0, 0, 90, 400 },
	{ "that was heard often, without others", 0, 400, 2 * US, 400, 50 * US, 0, 0,
	  3900, 4000 },
	{ "soon after one pause", 100, 400, 0, 1, 9600 * US, 8, 0, 700, 900 },
	{ "after pauses", 100, 400, 0, 40, 100000 * MS, 0, 0, 90, 400 },
	{ "until it is heard again", 100, 400, 0, 40, 100000 * MS, 100, 0, 3900, 4000 },
};

KUNIT_ARRAY_PARAM_DESC(apart, apart_cases, name);

static void jitter_noise(struct jitter_path *p, s64 by_ns, u32 samples, u64 apart_ns, u64 *now_ns)
{
	while (samples--) {
		*now_ns += apart_ns;
		jitter_take(p, 10 * US + (samples & 1 ? by_ns : 0), *now_ns);
	}
}

/* A queue that rose and fell between samples is no jitter, where others tell. */
static void jitter_of_who_is_seldom_heard(struct kunit *test)
{
	const struct apart_case *c = test->param_value;
	struct lapsmp_jitter_usual usual = {};
	struct jitter_path p = {}, other = {};
	u64 now_ns = 10 * MS;
	u32 jitter_ns;

	jitter_noise(&p, c->before_ns, c->before, US, &now_ns);
	jitter_noise(&p, 4 * US, c->samples, c->apart_ns, &now_ns);
	jitter_noise(&p, 4 * US, c->again, US, &now_ns);
	now_ns -= c->ago * RTT_NS + 4000 * US;
	if (c->others_ns)
		jitter_noise(&other, c->others_ns, 4000, US, &now_ns);
	lapsmp_jitter_usual_update(&usual, &other.j, RTT_NS);
	jitter_ns = lapsmp_jitter_ns(&p.j, &usual, RTT_NS);
	KUNIT_EXPECT_GE(test, jitter_ns, c->least_ns);
	KUNIT_EXPECT_LE(test, jitter_ns, c->most_ns);
}

/* Gaps that are drawn are short now and then, several in a row, too. */
static void jitter_of_drawn_gaps(struct kunit *test)
{
	static const u64 gap_ns[] = { 10 * US, 20 * US, 70 * US, 180 * US };
	struct lapsmp_jitter_usual usual = { .q8 = 300 << 8 };
	struct jitter_path p = {};
	u64 now_ns = US, seed = 4;
	int i;

	for (i = 0; i < 10000; i++) {
		now_ns += gap_ns[lcg_below(&seed, ARRAY_SIZE(gap_ns))];
		jitter_take(&p, (i & 1) * 4 * US, now_ns);
		usual.at_ns = now_ns;
		if (i > 100 && p.j.apart_ns > 4 * RTT_NS)
			KUNIT_ASSERT_LE(test, lapsmp_jitter_ns(&p.j, &usual, RTT_NS), 300);
	}
	KUNIT_EXPECT_GT(test, p.j.own_ns, 3900);
}

/* It follows those that are heard often, and only those. */
static void jitter_usual_is_a_mean(struct kunit *test)
{
	struct lapsmp_jitter_usual usual = {};
	struct jitter_path often = {}, seldom = {};
	u64 now_ns = US;
	int i;

	jitter_noise(&seldom, 4 * US, 400, 50 * US, &now_ns);
	lapsmp_jitter_usual_update(&usual, &seldom.j, RTT_NS);
	KUNIT_EXPECT_FALSE(test, usual.at_ns);
	jitter_noise(&often, 2 * US, 400, US, &now_ns);
	lapsmp_jitter_usual_update(&usual, &often.j, RTT_NS);
	KUNIT_EXPECT_EQ(test, usual.at_ns, now_ns);
	KUNIT_EXPECT_EQ(test, usual.q8 >> 8, often.j.own_ns);
	lapsmp_jitter_usual_update(&usual, &seldom.j, RTT_NS);
	KUNIT_EXPECT_EQ(test, usual.q8 >> 8, often.j.own_ns);
	often.j.own_ns = 0;
	for (i = 0; i < 32; i++)
		lapsmp_jitter_usual_update(&usual, &often.j, RTT_NS);
	KUNIT_EXPECT_GT(test, usual.q8 >> 8, 2 * US * 35 / 100);
	KUNIT_EXPECT_LT(test, usual.q8 >> 8, 2 * US * 39 / 100);
	/* After a pause it begins anew. */
	often.j.own_ns = 5000;
	often.j.at_ns += 64 * RTT_NS;
	lapsmp_jitter_usual_update(&usual, &often.j, RTT_NS);
	KUNIT_EXPECT_EQ(test, usual.q8 >> 8, 5000);
}

static void jitter_extremes_do_not_wrap(struct kunit *test)
{
	static const s64 delta[] = { 0, S64_MAX, -S64_MAX, S64_MAX, -1, -S64_MAX };
	static const u64 v[] = { 0, 1, U64_MAX, 1ULL << 63, U64_MAX / 64 };
	struct lapsmp_jitter_usual usual = {};
	struct lapsmp_jitter j = {};
	u64 seed = 1, rtt_ns;
	int i;

	for (i = 0; i < 2000; i++) {
		rtt_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		lapsmp_jitter_update(&j, delta[lcg_below(&seed, ARRAY_SIZE(delta))], rtt_ns,
				     v[lcg_below(&seed, ARRAY_SIZE(v))]);
		lapsmp_jitter_usual_update(&usual, &j, rtt_ns);
		KUNIT_ASSERT_LE(test, j.own_ns, 10 * MS);
		KUNIT_ASSERT_LE(test, usual.q8, 256 * 10 * MS);
		KUNIT_ASSERT_LE(test, lapsmp_jitter_ns(&j, &usual, rtt_ns), j.own_ns);
	}
}

static struct kunit_case jitter_cases[] = {
	KUNIT_CASE(jitter_is_no_queue),
	KUNIT_CASE(jitter_of_a_constant_delay_is_none),
	KUNIT_CASE(jitter_is_noise),
	KUNIT_CASE(jitter_is_noise_on_a_queue),
	KUNIT_CASE(jitter_is_forgotten),
	KUNIT_CASE(jitter_is_not_one_long_freeze),
	KUNIT_CASE_PARAM(jitter_of_who_is_seldom_heard, apart_gen_params),
	KUNIT_CASE(jitter_of_drawn_gaps),
	KUNIT_CASE(jitter_usual_is_a_mean),
	KUNIT_CASE(jitter_extremes_do_not_wrap),
	{}
};

struct kunit_suite lapsmp_jitter_suite = {
	.name = "lapsmp_jitter",
	.test_cases = jitter_cases,
};
