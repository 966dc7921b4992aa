// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/noise.c: what is not believed, since it may be others' queue, and what losses
 * refute.
 */
#include "noise_set.h"
#include "suites.h"

/* 24 samples, or nothing: a queue, noise of 20 us, or none. */
static void noise_look(struct lapsmp_noise *z, char what)
{
	noise_take(z, what == '-' ? 0 : 24, what == 'q' ? 30 : 0,
		   what == 'q' ? 40 : what == 'n' ? 20 : 0);
	lapsmp_noise_end(z, 3 * US, MS);
}

/**
 * struct doubt_case - looks, and what is believed after them
 * @looks: each 'q', a queue, 'n', noise of 20 us, '0', none, '-', not one sample
 * @noise: is there any?
 * @wants: it is looked for at the next tick by who does not need it
 */
struct doubt_case {
	const char *looks;
	bool noise;
	bool known;
	bool wants;
};

static const struct doubt_case doubt_cases[] = {
	{ "n", true, true, false },
	{ "q", false, false, false },
	{ "qn", true, false, true },
	{ "qnn", true, false, true },
	{ "qnnn", true, false, false },
	{ "qnnnn", true, true, false },
	{ "qn0", false, true, false },
	{ "qnq", true, false, true },
	{ "qnqq", false, false, false },
	{ "qnqn", true, false, false },
	{ "qnqqn", true, false, true },
	{ "qnnq", false, false, false },
	{ "qnq-", false, false, false },
	{ "qn--n", true, false, true },
	{ "qqn", true, false, true },
	{ "q0", false, true, false },
	{ "q0n", true, true, false },
	{ "nq", true, true, false },
	{ "nqn", true, true, false },
};

KUNIT_ARRAY_PARAM_DESC(doubt, doubt_cases, looks);

static void noise_doubt_case(struct kunit *test)
{
	const struct doubt_case *c = test->param_value;
	struct lapsmp_noise z = {};
	const char *look;

	for (look = c->looks; *look; look++)
		noise_look(&z, *look);
	KUNIT_EXPECT_EQ(test, z.ns, c->noise ? 30 * US : 0);
	KUNIT_EXPECT_EQ(test, z.known, c->known);
	KUNIT_EXPECT_EQ(test, lapsmp_noise_wants(&z, 24, 100 * GBPS, MS), c->wants);
}

/* 31 of Cubic's queue, of which one met nothing. */
static void noise_is_no_queue_with_a_gap(struct kunit *test)
{
	struct lapsmp_noise z = {};
	u32 i;

	lapsmp_noise_begin(&z, MS);
	KUNIT_ASSERT_TRUE(test, lapsmp_noise_go_on(&z, 4 * US, 24));
	for (i = 0; i < 31; i++)
		lapsmp_noise_sample(&z, i == 19 ? 92 : (6 + i * 7 % 6) * US, 0, MS + SPAN / 4 + i);
	lapsmp_noise_end(&z, 3 * US, MS);
	KUNIT_EXPECT_EQ(test, z.ns, 0);
	KUNIT_EXPECT_FALSE(test, z.known);
	KUNIT_EXPECT_GT(test, z.doubt, 0);
}

/* After a queue few samples tell nothing, but that there is none. */
static void noise_of_few_is_doubted_after_a_queue(struct kunit *test)
{
	struct lapsmp_noise z = {};

	noise_look(&z, 'q');
	noise_take(&z, 23, 0, 20);
	lapsmp_noise_end(&z, 3 * US, MS);
	KUNIT_EXPECT_EQ(test, z.ns, 0);
	KUNIT_EXPECT_EQ(test, z.more, 1);
	KUNIT_EXPECT_EQ(test, z.shift, 0);
	KUNIT_EXPECT_GT(test, z.doubt, 0);
	/* Unless it cannot take any longer. */
	z.more = 3;
	noise_take(&z, 15, 0, 20);
	lapsmp_noise_end(&z, 3 * US, MS);
	KUNIT_EXPECT_EQ(test, z.ns, 30 * US);
	noise_take(&z, 4, 0, 2);
	lapsmp_noise_end(&z, 3 * US, MS);
	KUNIT_EXPECT_TRUE(test, z.known);
}

/* Queues, and what is doubted and forgotten between, are looked for less and less often. */
static void noise_doubted_backs_off(struct kunit *test)
{
	static const u8 shifts[] = { 26, 28, 30, 31 };
	struct lapsmp_noise z = {};
	const char *look;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shifts); i++) {
		for (look = i ? "nqq" : "q"; *look; look++)
			noise_look(&z, *look);
		KUNIT_EXPECT_EQ(test, z.ns, 0);
		KUNIT_EXPECT_EQ(test, z.shift, shifts[i]);
	}
}

/* A tick in which enough was heard, and nothing lost. */
static void noise_before(struct lapsmp_noise *z)
{
	u32 i;

	for (i = 0; i < 64; i++)
		lapsmp_noise_lost(z, false, MS);
	lapsmp_noise_wants(z, 24, 100 * GBPS, MS);
}

/* More is lost since it is believed: it is forgotten at once, and looked for again much later. */
static void noise_is_refuted_by_losses(struct kunit *test)
{
	struct lapsmp_noise z = {};
	u32 i;

	noise_before(&z);
	noise_look(&z, 'n');
	KUNIT_ASSERT_EQ(test, z.ns, 30 * US);
	for (i = 0; i < 63; i++)
		lapsmp_noise_lost(&z, i % 16 == 0, 2 * MS);
	KUNIT_EXPECT_EQ(test, z.ns, 30 * US);
	lapsmp_noise_lost(&z, false, 2 * MS);
	KUNIT_EXPECT_EQ(test, z.ns, 0);
	KUNIT_EXPECT_FALSE(test, z.known);
	KUNIT_EXPECT_EQ(test, z.shift, 26);
	/* What is found then is a doubt. */
	noise_look(&z, 'n');
	KUNIT_EXPECT_EQ(test, z.ns, 30 * US);
	KUNIT_EXPECT_FALSE(test, z.known);
}

/* Who finds again what he knew is not put to the test for it, nor who has stood one. */
static void noise_is_tried_once(struct kunit *test)
{
	struct lapsmp_noise z = {};
	u32 i;

	noise_before(&z);
	noise_look(&z, 'n');
	for (i = 0; i < 64; i++)
		lapsmp_noise_lost(&z, false, 2 * MS);
	lapsmp_noise_wants(&z, 24, 100 * GBPS, 17 * MS);
	noise_take(&z, 24, 0, 40);
	lapsmp_noise_end(&z, 3 * US, MS);
	for (i = 0; i < 1000; i++)
		lapsmp_noise_lost(&z, true, 18 * MS);
	KUNIT_EXPECT_EQ(test, z.ns, 60 * US);
	/* But who finds more than twice that is. */
	z.trial.was_lost = 0;
	noise_take(&z, 24, 0, 81);
	lapsmp_noise_end(&z, 3 * US, MS);
	KUNIT_EXPECT_GT(test, z.ns, 120 * US);
	for (i = 0; i < 64; i++)
		lapsmp_noise_lost(&z, true, 18 * MS);
	KUNIT_EXPECT_EQ(test, z.ns, 0);
}

/* That there is none is not put to the test, nor what a later look found to be none. */
static void noise_of_none_is_not_refuted(struct kunit *test)
{
	struct lapsmp_noise z = {};
	u32 i, found;

	for (found = 0; found < 2; found++) {
		z = (struct lapsmp_noise){};
		noise_before(&z);
		if (found)
			noise_look(&z, 'n');
		noise_look(&z, '0');
		for (i = 0; i < 1000; i++)
			lapsmp_noise_lost(&z, true, 2 * MS);
		KUNIT_EXPECT_TRUE(test, z.known);
		KUNIT_EXPECT_EQ(test, z.doubt, 0);
		KUNIT_EXPECT_EQ(test, z.shift, 0);
	}
}

static struct kunit_case noise_doubt_test_cases[] = {
	KUNIT_CASE_PARAM(noise_doubt_case, doubt_gen_params),
	KUNIT_CASE(noise_doubted_backs_off),
	KUNIT_CASE(noise_is_no_queue_with_a_gap),
	KUNIT_CASE(noise_of_few_is_doubted_after_a_queue),
	KUNIT_CASE(noise_is_refuted_by_losses),
	KUNIT_CASE(noise_is_tried_once),
	KUNIT_CASE(noise_of_none_is_not_refuted),
	{}
};

struct kunit_suite lapsmp_noise_doubt_suite = {
	.name = "lapsmp_noise_doubt",
	.test_cases = noise_doubt_test_cases,
};
