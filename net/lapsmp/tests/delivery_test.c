// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/delivery.c: arrivals at a constant distance with a constant
 * queue, and what rate comes of them.
 */
#include <kunit/test.h>

#include "../alg/delivery.h"

#define GBPS		125000000ULL	/* bytes/s */
#define SEG		1250		/* 10 us at 1 Gbit/s */
#define QUEUED		1000
#define NOT_QUEUED	LAPSMP_DELIVERY_QUEUE_NS

/**
 * struct train_case - a train of equal arrivals
 * @name: of the case
 * @init: rate before, bytes/s
 * @line: bound
 * @gap_ns: between arrivals
 * @segs: each of them acknowledges
 * @qdelay_ns: of each of them
 * @n: how many
 * @windows: closed by them, at least; a first rate needs fewer segments
 * @rate: after
 */
struct train_case {
	const char *name;
	u64 init;
	u64 line;
	s64 gap_ns;
	u32 segs;
	s64 qdelay_ns;
	u32 n;
	u32 windows;
	u64 rate;
};

static const struct train_case train_cases[] = {
	{ "one arrival is no rate", GBPS, 10 * GBPS, 10000, 1, QUEUED, 1, 0,
	  GBPS },
	{ "window is not full", GBPS, 10 * GBPS, 10000, 1, NOT_QUEUED, 16, 0,
	  GBPS },
	{ "no queue doubles", GBPS, 10 * GBPS, 10000, 1, NOT_QUEUED, 17, 1,
	  2 * GBPS },
	{ "slower than the guess and no queue keeps it", 4 * GBPS, 10 * GBPS,
	  10000, 1, NOT_QUEUED, 33, 2, 4 * GBPS },
	{ "queue at the guess confirms it", GBPS, 10 * GBPS, 10000, 1,
	  10 * QUEUED, 17, 1, GBPS },
	{ "queue below the guess replaces it", 3 * GBPS, 10 * GBPS, 10000, 1,
	  10 * QUEUED, 17, 1, GBPS },
	{ "queue above the guess replaces it", GBPS, 10 * GBPS, 3333, 1,
	  10 * QUEUED, 17, 1, 3 * GBPS + 37503 },
	{ "delay that is no queue since nothing came before it", 3 * GBPS,
	  10 * GBPS, 10000, 1, QUEUED, 17, 1, 3 * GBPS },
	{ "line rate is the limit", GBPS, 3 * GBPS, 5000, 1, NOT_QUEUED, 17, 1,
	  3 * GBPS },
	{ "guess above the line rate comes down", 10 * GBPS, 3 * GBPS, 10000,
	  1, NOT_QUEUED, 17, 1, 3 * GBPS },
	{ "aggregated acknowledgments", GBPS, 10 * GBPS, 80000, 8,
	  80 * QUEUED, 3, 1, GBPS },
	{ "one stamp for all is no rate", GBPS, 10 * GBPS, 0, 1, QUEUED, 1000,
	  0, GBPS },
	{ "clock that runs backwards is no rate", GBPS, 10 * GBPS, -10, 1,
	  QUEUED, 1000, 0, GBPS },
	{ "too fast to measure needs more segments", GBPS, 100 * GBPS, 100, 1,
	  NOT_QUEUED, 101, 1, 100 * GBPS },
	{ "rate is never zero", 1, 1, 1000000000, 1, S64_MAX, 17, 1, 1 },
	{ "initial zero is none", 0, 0, 10000, 1, NOT_QUEUED, 17, 1, 1 },
	{ "unlimited line", 1, U64_MAX, 10000, 1, NOT_QUEUED, 17, 1,
	  2 * GBPS },
};

KUNIT_ARRAY_PARAM_DESC(train, train_cases, name);

static void delivery_train_case(struct kunit *test)
{
	const struct train_case *c = test->param_value;
	struct lapsmp_delivery d;
	u32 i, windows = 0;
	s64 arr = -5000;

	lapsmp_delivery_init(&d, c->init);
	for (i = 0; i < c->n; i++, arr += c->gap_ns)
		windows += lapsmp_delivery_update(&d, arr, c->segs * SEG,
						  c->segs, c->qdelay_ns,
						  c->line);
	KUNIT_EXPECT_GE(test, windows, c->windows);
	if (!c->windows)
		KUNIT_EXPECT_EQ(test, windows, 0);
	/* 0.1 %: whole nanoseconds make no exact rates */
	KUNIT_EXPECT_GE(test, d.rate, c->rate - c->rate / 1000);
	KUNIT_EXPECT_LE(test, d.rate, c->rate + c->rate / 1000);
}

/* A path that becomes faster or slower: within a few windows. */
static void delivery_follows_a_change(struct kunit *test)
{
	static const s64 gap_ns[] = { 10000, 5000, 20000 };
	struct lapsmp_delivery d;
	u64 rate, before;
	s64 arr = 0;
	size_t k;
	int i;

	lapsmp_delivery_init(&d, 10 * GBPS);
	for (k = 0; k < ARRAY_SIZE(gap_ns); k++) {
		rate = SEG * 1000000000ULL / gap_ns[k];
		before = d.rate;
		for (i = 0; i < 40; i++, arr += gap_ns[k])
			lapsmp_delivery_update(&d, arr, SEG, 1, 100000,
					       100 * GBPS);
		KUNIT_EXPECT_LE(test, abs_diff(d.rate, rate),
				abs_diff(before, rate) / 2);
		for (i = 0; i < 400; i++, arr += gap_ns[k])
			lapsmp_delivery_update(&d, arr, SEG, 1, 100000,
					       100 * GBPS);
		KUNIT_EXPECT_LE(test, abs_diff(d.rate, rate), rate / 100);
	}
}

/* What was seen of a guess: none of it, or twice what came, whatever the guess was. */
static void delivery_says_what_was_tried(struct kunit *test)
{
	static const struct {
		u64 init;
		s64 qdelay_ns;
		u64 tried;
	} cases[] = {
		{ GBPS / 4, NOT_QUEUED, 2 * GBPS },
		{ 8 * GBPS, NOT_QUEUED, 2 * GBPS },
		{ 8 * GBPS, 10 * QUEUED, 0 },
	};
	struct lapsmp_delivery d;
	size_t k;
	int i;

	for (k = 0; k < ARRAY_SIZE(cases); k++) {
		lapsmp_delivery_init(&d, cases[k].init);
		KUNIT_EXPECT_EQ(test, d.tried, 0);
		for (i = 0; i <= LAPSMP_DELIVERY_SEGS; i++)
			lapsmp_delivery_update(&d, i * 10000, SEG, 1, cases[k].qdelay_ns,
					       10 * GBPS);
		KUNIT_EXPECT_EQ(test, d.tried, cases[k].tried);
	}
}

/* Once a rate was learned, what was tried before is over: it came down, and stays there. */
static void delivery_forgets_what_was_tried(struct kunit *test)
{
	struct lapsmp_delivery d;
	s64 arr = 0;
	int i;

	lapsmp_delivery_init(&d, GBPS);
	for (i = 0; i <= LAPSMP_DELIVERY_SEGS; i++, arr += 2500)
		lapsmp_delivery_update(&d, arr, SEG, 1, NOT_QUEUED, 100 * GBPS);
	KUNIT_EXPECT_EQ(test, d.rate, 8 * GBPS);
	for (i = 0; i < 400; i++, arr += 10000)
		lapsmp_delivery_update(&d, arr, SEG, 1, 10 * QUEUED, 100 * GBPS);
	for (i = 0; i < 400; i++, arr += 100000)
		lapsmp_delivery_update(&d, arr, SEG, 1, NOT_QUEUED, 100 * GBPS);
	KUNIT_EXPECT_GE(test, d.rate, GBPS - GBPS / 100);
	KUNIT_EXPECT_LE(test, d.rate, GBPS + GBPS / 100);
}

/* A queue before the first few of a window: a low guess is better replaced, a known rate is not. */
static void delivery_knows_an_accident(struct kunit *test)
{
	static const struct {
		u64 init;
		bool learned;
		u64 rate;
	} cases[] = {
		{ 5 * GBPS, true, GBPS },
		{ 10 * GBPS - 1, true, GBPS },
		{ 10 * GBPS, false, 10 * GBPS },
	};
	struct lapsmp_delivery d;
	size_t k;
	int i;

	for (k = 0; k < ARRAY_SIZE(cases); k++) {
		lapsmp_delivery_init(&d, cases[k].init);
		for (i = 0; i <= LAPSMP_DELIVERY_SEGS; i++)
			lapsmp_delivery_update(&d, i * 10000, SEG, 1,
					       i <= LAPSMP_DELIVERY_FIRST_SEGS ? 10 * QUEUED :
									       NOT_QUEUED,
					       10 * GBPS);
		KUNIT_EXPECT_EQ(test, d.learned, cases[k].learned);
		KUNIT_EXPECT_EQ(test, d.rate, cases[k].rate);
	}
}

/* A guess in a bound, but no less than what was seen of it; what was learned has none. */
static void delivery_is_believed_in_a_bound(struct kunit *test)
{
	static const struct {
		struct lapsmp_delivery d;
		u64 most;
		u64 rate;
	} cases[] = {
		{ { .rate = 10 * GBPS }, U64_MAX, 10 * GBPS },
		{ { .rate = 10 * GBPS }, GBPS, GBPS },
		{ { .rate = GBPS / 2 }, GBPS, GBPS / 2 },
		{ { .rate = 10 * GBPS, .tried = 2 * GBPS }, GBPS, 2 * GBPS },
		{ { .rate = 2 * GBPS, .tried = 2 * GBPS }, 0, 2 * GBPS },
		{ { .rate = 10 * GBPS, .tried = 2 * GBPS, .learned = true }, GBPS, 10 * GBPS },
		{ { .rate = 10 * GBPS }, 0, 1 },
	};
	size_t k;

	for (k = 0; k < ARRAY_SIZE(cases); k++)
		KUNIT_EXPECT_EQ_MSG(test, lapsmp_delivery_believed(&cases[k].d, cases[k].most),
				    cases[k].rate, "case %zu", k);
}

/* One of them after a long pause, and a pair after another: no window is busy, but pairs tell. */
static void delivery_tells_what_was_pushed(struct kunit *test)
{
	struct lapsmp_delivery d;
	s64 arr = 0;
	int i;

	lapsmp_delivery_init(&d, 2 * GBPS);
	for (i = 0; i < 100; i++) {
		arr += 10000000;
		lapsmp_delivery_update(&d, arr, SEG, 1, 0, 10 * GBPS);
		arr += 10000000;
		lapsmp_delivery_update(&d, arr, SEG, 1, 0, 10 * GBPS);
		KUNIT_EXPECT_EQ(test, d.pushed_top, i > 1 ? GBPS / 100 : 0);
		/* Every tenth one has somebody else's between them. */
		arr += i % 10 == 3 ? 2000000 : 1000000;
		lapsmp_delivery_update(&d, arr, SEG, 1, 1000000 + QUEUED, 10 * GBPS);
	}
	KUNIT_EXPECT_FALSE(test, d.learned);
	KUNIT_EXPECT_EQ(test, d.rate, 2 * GBPS);
	/* Two that the receiver has taken at once. */
	lapsmp_delivery_update(&d, arr + 100, SEG, 1, 2000000, 10 * GBPS);
	KUNIT_EXPECT_EQ(test, d.pushed_top, GBPS / 100);
	/* A delay that was there before is nothing that they have pushed. */
	lapsmp_delivery_init(&d, 2 * GBPS);
	for (i = 0; i < 100; i++)
		lapsmp_delivery_update(&d, i * 1000000, SEG, 1, 20000000, 10 * GBPS);
	KUNIT_EXPECT_EQ(test, d.pushed_top, 0);
}

static void delivery_finds_a_slow_path_from_above(struct kunit *test)
{
	struct lapsmp_delivery d;
	s64 arr = 0;
	int i;

	lapsmp_delivery_init(&d, 100 * GBPS);
	for (i = 0; i < 400; i++, arr += 10000)
		lapsmp_delivery_update(&d, arr, SEG, 1, 20000, 100 * GBPS);
	KUNIT_EXPECT_GE(test, d.rate, GBPS);
	KUNIT_EXPECT_LE(test, d.rate, GBPS + GBPS / 100);
}

static void delivery_ignores_pauses_of_the_sender(struct kunit *test)
{
	struct lapsmp_delivery d;
	s64 arr = 0;
	int i;

	/* Now and then a segment, with jitter above the base. */
	lapsmp_delivery_init(&d, 10 * GBPS);
	for (i = 0; i < 400; i++, arr += 200000)
		lapsmp_delivery_update(&d, arr, SEG, 1, 10000, 100 * GBPS);
	KUNIT_EXPECT_EQ(test, d.rate, 10 * GBPS);
}

static void delivery_counts_what_was_overtaken(struct kunit *test)
{
	struct lapsmp_delivery d;
	s64 arr = 0;
	int i;

	/* Pairs of acknowledgments come in the wrong order. */
	lapsmp_delivery_init(&d, GBPS / 4);
	for (i = 0; i < 64; i++, arr += 20000) {
		lapsmp_delivery_update(&d, arr + 10000, SEG, 1, 0, 100 * GBPS);
		lapsmp_delivery_update(&d, arr, SEG, 1, 0, 100 * GBPS);
	}
	KUNIT_EXPECT_GE(test, d.rate, 2 * GBPS - GBPS / 4);
	KUNIT_EXPECT_LE(test, d.rate, 2 * GBPS + GBPS / 4);
}

/**
 * struct link_part - segments in pairs behind a queue
 * @near_ns: from the first of a pair to its second
 * @far_ns: from there to the next pair
 * @push_ns: by what the delay grows from each segment to the next,
 * @rise: so many times of 16; then it falls back
 * @n: how many
 */
struct link_part {
	s64 near_ns;
	s64 far_ns;
	s64 push_ns;
	int rise;
	int n;
};

/**
 * struct link_case - what is found out about the link
 * @name: of the case
 * @part: one after the other
 * @rate: of the link at the end, bytes/s, 0 for unknown
 * @shown: and whether anything came that fast
 */
struct link_case {
	const char *name;
	struct link_part part[3];
	u64 rate;
	bool shown;
};

#define LINK_LINE	(100 * GBPS)

static const struct link_case link_cases[] = {
	{ "alone on it", { { 10000, 10000, 9000, 15, 160 } }, GBPS, true },
	{ "half of the gap is enough", { { 10000, 10000, 5000, 15, 160 } }, GBPS, true },
	{ "less is not", { { 10000, 10000, 4999, 15, 1600 } }, 0, false },
	{ "a quarter of the segments is enough",
	  { { 10000, 10000, 9000, 4, 160 } }, GBPS, true },
	{ "fewer are not", { { 10000, 10000, 9000, 3, 1600 } }, 0, false },
	{ "even, but at the sender's own pace", { { 10000, 10000, 0, 0, 1600 } },
	  0, false },
	{ "others between, at the sender's own pace",
	  { { 10000, 70000, 0, 0, 1600 } }, LINK_LINE, false },
	{ "the same, twice as fast as the sender's link",
	  { { 50, 70000, 0, 0, 1600 } }, LINK_LINE, true },
	{ "others between, one window", { { 10000, 70000, 63000, 15, 12 } },
	  LINK_LINE / 8 * 7, false },
	{ "others between, many windows", { { 10000, 70000, 63000, 15, 3200 } },
	  GBPS, true },
	{ "a low share later is none of it",
	  { { 10000, 10000, 9000, 15, 160 }, { 500000, 500000, 0, 0, 1600 } },
	  GBPS, true },
	{ "a slower link is",
	  { { 10000, 10000, 9000, 15, 160 }, { 40000, 40000, 36000, 15, 160 } },
	  GBPS / 4, true },
	{ "a faster one needs no push",
	  { { 10000, 10000, 9000, 15, 160 }, { 5000, 5000, 0, 0, 160 } },
	  2 * GBPS, true },
	{ "one fast pair is an accident",
	  { { 10000, 10000, 9000, 15, 160 }, { 1000, 1000, 0, 0, 1 },
	    { 10000, 10000, 0, 0, 160 } }, GBPS, true },
};

KUNIT_ARRAY_PARAM_DESC(link, link_cases, name);

static void delivery_link_case(struct kunit *test)
{
	const struct link_case *c = test->param_value;
	struct lapsmp_delivery d;
	s64 arr = 0, qdelay, step;
	int i, k;

	lapsmp_delivery_init(&d, GBPS);
	for (k = 0; k < ARRAY_SIZE(c->part); k++)
		for (i = 0; i < c->part[k].n; i++) {
			arr += i % 2 ? c->part[k].near_ns : c->part[k].far_ns;
			step = max_t(s64, i % 16 - (15 - c->part[k].rise), 0);
			qdelay = 1000000 + step * c->part[k].push_ns;
			lapsmp_delivery_update(&d, arr, SEG, 1, qdelay,
					       LINK_LINE);
		}
	KUNIT_EXPECT_GE(test, d.link_rate, c->rate - c->rate / 100);
	KUNIT_EXPECT_LE(test, d.link_rate, c->rate + c->rate / 100);
	KUNIT_EXPECT_EQ(test, d.link_shown, c->shown);
}

static struct kunit_case delivery_test_cases[] = {
	KUNIT_CASE_PARAM(delivery_train_case, train_gen_params),
	KUNIT_CASE(delivery_follows_a_change),
	KUNIT_CASE(delivery_says_what_was_tried),
	KUNIT_CASE(delivery_forgets_what_was_tried),
	KUNIT_CASE(delivery_knows_an_accident),
	KUNIT_CASE(delivery_is_believed_in_a_bound),
	KUNIT_CASE(delivery_tells_what_was_pushed),
	KUNIT_CASE(delivery_finds_a_slow_path_from_above),
	KUNIT_CASE(delivery_ignores_pauses_of_the_sender),
	KUNIT_CASE(delivery_counts_what_was_overtaken),
	KUNIT_CASE_PARAM(delivery_link_case, link_gen_params),
	{}
};

struct kunit_suite lapsmp_delivery_suite = {
	.name = "lapsmp_delivery",
	.test_cases = delivery_test_cases,
};
