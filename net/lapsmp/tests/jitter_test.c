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
	s64 base_ns;
};

static void jitter_take(struct jitter_path *p, s64 delay_ns, u64 now_ns)
{
	p->base_ns = p->j.at_ns ? min(p->base_ns, delay_ns) : delay_ns;
	lapsmp_jitter_update(&p->j, &(struct lapsmp_jitter_sample){
		.delta_ns = p->j.at_ns ? delay_ns - p->delay_ns : 0,
		.above_ns = delay_ns - p->base_ns,
		.rtt_ns = RTT_NS,
		.now_ns = now_ns,
	});
	p->delay_ns = delay_ns;
}

/* What is believed of a path of which nobody else tells. */
static u32 jitter_believed(const struct jitter_path *p)
{
	static const struct lapsmp_jitter_usual none;

	return lapsmp_jitter_ns(&p->j, &none, RTT_NS);
}

/* Delays of 5000 samples, above what they have at least, */
struct noise_case {
	const char *name;
	s64 slow_ns;	/* rising to this and falling again, in 200 of them, */
	u64 seed;	/* drawn by this, */
	s64 least_ns;	/* from this on, after the first one, */
	u32 noise_ns;	/* up to so much more, */
	u32 parts;	/* by the sum of so many */
	u32 low_ns;	/* of which this is believed, */
	u32 high_ns;	/* or up to that */
};

/* Four times it must cover the noise, without being several times it. */
static const struct noise_case noise_cases[] = {
	{ "none", .parts = 1 },
	{ "a queue that grows and drains", MS, .parts = 1, .high_ns = 1000 },
	{ "noise", 0, 3, 0, 10 * US, 1, 2 * US, 6 * US },
	{ "noise of two parts", 0, 3, 0, 5 * US, 2, US, 3 * US },
	{ "longer than the round trip", 0, 3, 0, 30 * US, 2, 8 * US, 14 * US },
	{ "of three", 0, 3, 0, 30 * US, 3, 9 * US, 16 * US },
	{ "noise on a small queue", 5 * US, 3, 0, 10 * US, 1, 1900, 6 * US },
	{ "a queue far above the base", 0, 3, 20 * US, 10 * US, 1, 300, RTT_NS / 32 },
	{ "one that swings by half", 0, 3, 40 * US, 20 * US, 1, 300, RTT_NS / 32 },
	{ "noise on a large queue", 100 * US, 3, 0, 10 * US, 1, 300, 1000 },
	{ "normally distributed", 0, 3, 0, 10 * US, 12, 300, RTT_NS / 32 },
};

KUNIT_ARRAY_PARAM_DESC(noise, noise_cases, name);

static void jitter_of_noise(struct kunit *test)
{
	const struct noise_case *c = test->param_value;
	struct jitter_path p = {};
	u64 seed = c->seed;
	u32 i, k, phase;
	s64 delay_ns;

	jitter_take(&p, 0, 1);
	for (i = 0; i < 5000; i++) {
		phase = i % 200 < 100 ? i % 200 : 200 - i % 200;
		delay_ns = c->least_ns + phase * c->slow_ns / 100;
		for (k = 0; k < c->parts; k++)
			delay_ns += lcg_below(&seed, c->noise_ns + 1);
		jitter_take(&p, delay_ns, i + 2);
	}
	KUNIT_EXPECT_GE(test, jitter_believed(&p), c->low_ns);
	KUNIT_EXPECT_LE(test, jitter_believed(&p), c->high_ns);
}

/* Where a 32nd of a round trip is more than it, normal noise is believed whole. */
static void jitter_of_normal_noise_on_a_long_path(struct kunit *test)
{
	static const struct lapsmp_jitter_usual none;
	struct jitter_path p = {};
	s64 delay_ns;
	u64 seed = 3;
	int i, k;

	for (i = 0; i < 5000; i++) {
		delay_ns = 0;
		for (k = 0; k < 12; k++)
			delay_ns += lcg_below(&seed, 10 * US);
		jitter_take(&p, delay_ns, i + 1);
	}
	/* Its standard deviation is 10 us. */
	KUNIT_EXPECT_GE(test, lapsmp_jitter_ns(&p.j, &none, 400 * US), 6 * US);
	KUNIT_EXPECT_LE(test, lapsmp_jitter_ns(&p.j, &none, 400 * US), 10 * US);
}

/* A queue hid it. */
static void jitter_is_found_when_a_queue_has_gone(struct kunit *test)
{
	struct jitter_path p = {};
	u64 seed = 3;
	int i;

	jitter_take(&p, 0, 1);
	for (i = 0; i < 500; i++)
		jitter_take(&p, 40 * US + lcg_below(&seed, 10 * US), i + 2);
	KUNIT_EXPECT_EQ(test, jitter_believed(&p), RTT_NS / 32);
	for (i = 0; i < 500; i++)
		jitter_take(&p, lcg_below(&seed, 10 * US), i + 502);
	KUNIT_EXPECT_GE(test, jitter_believed(&p), 2 * US);
	KUNIT_EXPECT_LE(test, jitter_believed(&p), 6 * US);
}

/* A packet that passed the queue is no base that the next one rises from. */
static void jitter_is_not_what_passed(struct kunit *test)
{
	struct lapsmp_jitter_sample s = { .rtt_ns = RTT_NS };
	struct lapsmp_jitter j = {};
	int i;

	for (i = 0; i < 3000; i++) {
		s.now_ns++;
		/* It passes, the next one does not and has the queue before it, and one more. */
		s.delta_ns = (i % 3 == 1) * 30 * US - (i % 3 == 2) * 5 * US;
		s.above_ns = i % 3 ? 35 * US - i % 3 * 5 * US : S64_MAX;
		lapsmp_jitter_update(&j, &s);
	}
	KUNIT_EXPECT_EQ(test, j.low_ns, 0);
}

static void jitter_is_forgotten(struct kunit *test)
{
	struct jitter_path p = {};
	int i;

	for (i = 0; i < 200; i++)
		jitter_take(&p, i % 2 * 50 * US, i + 1);
	KUNIT_EXPECT_EQ(test, jitter_believed(&p), 50 * US);
	for (i = 0; i < 400; i++)
		jitter_take(&p, i % 2, i + 201);
	KUNIT_EXPECT_LE(test, jitter_believed(&p), 2);
}

/* So it is what wavered near the base, once all samples are far from it. */
static void jitter_is_forgotten_in_a_queue(struct kunit *test)
{
	struct jitter_path p = {};
	int i;

	for (i = 0; i < 200; i++)
		jitter_take(&p, i % 2 * 50 * US, i + 1);
	for (i = 0; i < 600; i++)
		jitter_take(&p, 500 * US + i % 2 * 50 * US, i + 201);
	KUNIT_EXPECT_EQ(test, jitter_believed(&p), RTT_NS / 32);
}

static void jitter_is_not_one_long_freeze(struct kunit *test)
{
	struct jitter_path p = {};
	int i;

	jitter_take(&p, 0, 1);
	jitter_take(&p, 3000 * MS, 2);
	jitter_take(&p, 0, 3);
	/* A sixteenth of four times the least. */
	KUNIT_EXPECT_LE(test, jitter_believed(&p), 4 * 250 / 16 + 1);
	/* Nor many, for more than 10 ms each. */
	for (i = 0; i < 1000; i++)
		jitter_take(&p, i % 2 * 3000 * MS, i + 4);
	KUNIT_EXPECT_EQ(test, jitter_believed(&p), 10 * MS);
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
		own += j.path.j.low_ns > 2 * US;
		believed += lapsmp_jitter_ns(&j.path.j, &j.usual, RTT_NS) > 2 * US;
	}
	KUNIT_EXPECT_GT(test, own, 9900);
	KUNIT_EXPECT_LT(test, believed, 500);
}

/* Over 32 samples, of whatever path. */
static void jitter_usual_is_a_mean(struct kunit *test)
{
	struct lapsmp_jitter j = { .all_ns = 2000, .low_ns = 2000, .at_ns = US };
	struct lapsmp_jitter_usual usual = {};
	int i;

	for (i = 0; i < 400; i++)
		lapsmp_jitter_usual_update(&usual, &j, RTT_NS);
	KUNIT_EXPECT_GE(test, usual.q8 >> 8, 1990);
	KUNIT_EXPECT_LE(test, usual.q8 >> 8, 2000);
	j.all_ns = 0;
	for (i = 0; i < 32; i++)
		lapsmp_jitter_usual_update(&usual, &j, RTT_NS);
	KUNIT_EXPECT_GT(test, usual.q8 >> 8, 2000 * 35 / 100);
	KUNIT_EXPECT_LT(test, usual.q8 >> 8, 2000 * 39 / 100);
}

static void jitter_extremes_do_not_wrap(struct kunit *test)
{
	static const s64 delta[] = { 0, S64_MAX, -S64_MAX, S64_MAX, -1, -S64_MAX };
	static const s64 above[] = { 0, S64_MAX, S64_MIN, 1, -1 };
	static const u64 v[] = { 0, 1, U64_MAX, 1ULL << 63, U64_MAX / 64 };
	struct lapsmp_jitter_usual usual = {};
	struct lapsmp_jitter_sample s;
	struct lapsmp_jitter j = {};
	u64 seed = 1;
	int i;

	for (i = 0; i < 2000; i++) {
		s.delta_ns = delta[lcg_below(&seed, ARRAY_SIZE(delta))];
		s.above_ns = above[lcg_below(&seed, ARRAY_SIZE(above))];
		s.rtt_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		s.now_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		lapsmp_jitter_update(&j, &s);
		lapsmp_jitter_usual_update(&usual, &j, s.rtt_ns);
		KUNIT_ASSERT_LE(test, j.all_ns, 10 * MS);
		KUNIT_ASSERT_LE(test, j.low_ns, 10 * MS);
		KUNIT_ASSERT_LE(test, usual.q8, 256 * 10 * MS);
		KUNIT_ASSERT_LE(test, lapsmp_jitter_ns(&j, &usual, s.rtt_ns), j.all_ns);
	}
}

static struct kunit_case jitter_cases[] = {
	KUNIT_CASE_PARAM(jitter_of_noise, noise_gen_params),
	KUNIT_CASE(jitter_of_normal_noise_on_a_long_path),
	KUNIT_CASE(jitter_is_found_when_a_queue_has_gone),
	KUNIT_CASE(jitter_is_not_what_passed),
	KUNIT_CASE(jitter_is_forgotten),
	KUNIT_CASE(jitter_is_forgotten_in_a_queue),
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
