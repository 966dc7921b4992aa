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

/* A path, and another one of the same peer. */
struct jitter_pair {
	struct jitter_path path;
	struct jitter_path other;
	struct lapsmp_jitter_usual usual;
	u64 now_ns;
};

struct part {
	u32 samples;	/* of the path, */
	u64 apart_ns;	/* so far from each other; the round trip is 10 us; */
	s64 by_ns;	/* delays go up and down by this, */
	u32 others;	/* and between two of them there are so many of the other one, */
	s64 other_ns;	/* whose delays do so by that */
};

static void jitter_run(struct jitter_pair *j, const struct part *r)
{
	u32 i, k;

	for (i = 0; i < r->samples; i++) {
		for (k = 0; k < r->others; k++) {
			j->now_ns += r->apart_ns / (r->others + 1);
			jitter_take(&j->other, k & 1 ? r->other_ns : 0, j->now_ns);
			lapsmp_jitter_usual_update(&j->usual, &j->other.j, RTT_NS);
		}
		j->now_ns += r->apart_ns / (r->others + 1);
		jitter_take(&j->path, 10 * US + (i & 1 ? r->by_ns : 0), j->now_ns);
		lapsmp_jitter_usual_update(&j->usual, &j->path.j, RTT_NS);
	}
}

struct apart_case {
	const char *name;
	struct part part[2];
	u32 least_ns;	/* is believed in the end */
	u32 most_ns;
};

static const struct apart_case apart_cases[] = {
	{ "of often", { { 400, 8 * US, 4 * US, 7, 100 } }, 3900, 4000 },
	{ "of once in two round trips", { { 400, 20 * US, 4 * US, 7, 100 } }, 3900, 4000 },
	{ "of once in three", { { 400, 30 * US, 4 * US, 7, 100 } }, 500, 700 },
	{ "of once in a hundred", { { 400, 1000 * US, 4 * US, 7, 100 } }, 500, 700 },
	{ "beside one that wavers more", { { 400, 30 * US, 4 * US, 7, 50 * US } }, 3900, 4000 },
	{ "of a fifth of what is heard", { { 400, 30 * US, 4 * US, 4, 100 } }, 700, 1000 },
	{ "of a third of it", { { 400, 30 * US, 4 * US, 2, 100 } }, 3900, 4000 },
	{ "alone", { { 400, 30 * US, 4 * US, 0, 0 } }, 3900, 4000 },
	{ "alone, long after the last", { { 400, 100 * MS, 4 * US, 0, 0 } }, 3900, 4000 },
	{ "that was heard often, and wavered less",
	  { { 400, 8 * US, 2 * US, 7, 100 }, { 400, 30 * US, 4 * US, 7, 100 } }, 1900, 2100 },
	{ "that was heard often, and did not",
	  { { 400, 8 * US, 0, 7, 100 }, { 400, 30 * US, 4 * US, 7, 100 } }, 500, 700 },
	{ "that was seldom heard",
	  { { 400, 30 * US, 0, 7, 100 }, { 400, 8 * US, 4 * US, 7, 100 } }, 3900, 4000 },
	{ "that the other has left to itself",
	  { { 400, 8 * US, 0, 7, 100 }, { 400, 30 * US, 4 * US, 0, 0 } }, 3900, 4000 },
	{ "soon after a pause of all",
	  { { 1, 10 * MS, 0, 0, 0 }, { 12, US, 4 * US, 7, 100 } }, 1000, 4000 },
};

KUNIT_ARRAY_PARAM_DESC(apart, apart_cases, name);

/* A queue that rose and fell between samples is no jitter, where others tell. */
static void jitter_of_who_is_seldom_heard(struct kunit *test)
{
	const struct apart_case *c = test->param_value;
	struct jitter_pair j = { .now_ns = MS };
	u32 jitter_ns;

	jitter_run(&j, &c->part[0]);
	jitter_run(&j, &c->part[1]);
	jitter_ns = lapsmp_jitter_ns(&j.path.j, &j.usual, RTT_NS);
	KUNIT_EXPECT_GE(test, jitter_ns, c->least_ns);
	KUNIT_EXPECT_LE(test, jitter_ns, c->most_ns);
}

/* Gaps that are drawn are short now and then, several in a row, too. */
static void jitter_of_drawn_gaps(struct kunit *test)
{
	static const u64 gap_ns[] = { 5 * US, 10 * US, 40 * US, 105 * US };
	struct jitter_pair j = { .now_ns = MS };
	struct part r = { .samples = 2, .by_ns = 4 * US, .others = 9, .other_ns = 100 };
	u32 i, own = 0, believed = 0;
	u64 seed = 4;

	for (i = 0; i < 10000; i++) {
		r.apart_ns = gap_ns[lcg_below(&seed, ARRAY_SIZE(gap_ns))];
		jitter_run(&j, &r);
		own += j.path.j.own_ns > 2 * US;
		believed += lapsmp_jitter_ns(&j.path.j, &j.usual, RTT_NS) > 2 * US;
	}
	KUNIT_EXPECT_GT(test, own, 9900);
	KUNIT_EXPECT_LT(test, believed, 500);
}

/* Over 32 samples, of whatever path. */
static void jitter_usual_is_a_mean(struct kunit *test)
{
	struct lapsmp_jitter j = { .own_ns = 2000, .at_ns = US };
	struct lapsmp_jitter_usual usual = {};
	int i;

	for (i = 0; i < 400; i++)
		lapsmp_jitter_usual_update(&usual, &j, RTT_NS);
	KUNIT_EXPECT_GE(test, usual.q8 >> 8, 1990);
	KUNIT_EXPECT_LE(test, usual.q8 >> 8, 2000);
	j.own_ns = 0;
	for (i = 0; i < 32; i++)
		lapsmp_jitter_usual_update(&usual, &j, RTT_NS);
	KUNIT_EXPECT_GT(test, usual.q8 >> 8, 2000 * 35 / 100);
	KUNIT_EXPECT_LT(test, usual.q8 >> 8, 2000 * 39 / 100);
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
