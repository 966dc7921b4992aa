// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/grant.c: who wants a turn, how far it goes, and who is first. */
#include <kunit/test.h>

#include "../alg/grant.h"

#define BYTES	1000

/* Credits are modulo 2^32: each case also where they wrap. */
static const u32 starts[] = { 0, U32_MAX - 999, U32_MAX - 500, 0x7fffff00 };

struct limit_case {
	const char *name;
	u32 used;
	u32 limit;
	u32 law;
	u64 rest;
	u32 granted;	/* to be the limit of one that may go on */
	bool wants;
};

static const struct limit_case limit_cases[] = {
	{ "new, nothing begun", 0, 600, 5000, 0, 1000, false },
	{ "all that is to come is covered", 100, 600, 5000, 500, 1100, false },
	{ "a byte more than is covered", 100, 600, 5000, 501, 1100, true },
	{ "a message that is larger than credits count", 100, 600, 5000, 1ULL << 40,
	  1100, true },
	{ "nothing is left of the limit", 600, 600, 5000, 1, 1600, true },
	{ "no room", 100, 600, 600, 4000, 600, false },
	{ "room was taken back", 100, 600, 300, 4000, 600, false },
	{ "room for less than a grant", 100, 600, 700, 4000, 700, true },
	{ "grants were larger before", 100, 3000, 5000, 4000, 3000, true },
	{ "exactly a grant is under way", 100, 1100, 5000, 4000, 1100, true },
	{ "an aborted message has used more than there was", 900, 600, 5000, 1,
	  1900, true },
	{ "the same, and nothing to come", 900, 600, 5000, 0, 1900, false },
};

KUNIT_ARRAY_PARAM_DESC(limit, limit_cases, name);

static void grant_limit_case(struct kunit *test)
{
	const struct limit_case *c = test->param_value;
	int i;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		struct lapsmp_grant_need need = {
			.used = starts[i] + c->used,
			.limit = starts[i] + c->limit,
			.law = starts[i] + c->law,
			.rest = c->rest,
		};

		KUNIT_EXPECT_EQ(test, lapsmp_grant_wants(&need), c->wants);
		KUNIT_EXPECT_EQ(test, lapsmp_grant_limit(&need, BYTES) - starts[i],
				c->granted);
	}
}

struct order_case {
	const char *name;
	u64 rest;
	u64 no;
	u64 other_rest;
	u64 other_no;
	bool before;
};

static const struct order_case order_cases[] = {
	{ "less to come", 1, 2, 2, 1, true },
	{ "more to come", 2, 1, 1, 2, false },
	{ "equals: who came first", 7, 1, 7, 2, true },
	{ "equals: who came later", 7, 2, 7, 1, false },
	{ "beyond 32 bits", 1, 2, 1ULL << 32, 1, true },
};

KUNIT_ARRAY_PARAM_DESC(order, order_cases, name);

static void grant_order_case(struct kunit *test)
{
	const struct order_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_grant_before(c->rest, c->no, c->other_rest,
						  c->other_no), c->before);
	/* Strict: never both. */
	KUNIT_EXPECT_EQ(test, lapsmp_grant_before(c->other_rest, c->other_no,
						  c->rest, c->no), !c->before);
}

struct slow_case {
	const char *name;
	u32 arrived;
	u32 bytes;
	bool slow;
};

static const struct slow_case slow_cases[] = {
	{ "nothing", 0, 1 << 20, true },
	{ "a byte too little", (1 << 20) / LAPSMP_GRANT_PARTS - 1, 1 << 20, true },
	{ "just enough", (1 << 20) / LAPSMP_GRANT_PARTS, 1 << 20, false },
	{ "as much as was granted", 1 << 20, 1 << 20, false },
	{ "across the wrap, as a difference", 0x80000000, 1 << 20, false },
};

KUNIT_ARRAY_PARAM_DESC(slow, slow_cases, name);

static void grant_slow_case(struct kunit *test)
{
	const struct slow_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_grant_is_slow(c->arrived, c->bytes), c->slow);
}

/*
 * One that may go on until all is covered gets there, whatever part of what is under
 * way arrives between two looks; and more than a grant is never under way.
 */
static void grant_ends_with_all_covered(struct kunit *test)
{
	struct lapsmp_grant_need need = { .used = U32_MAX - 5000, .rest = 100000 };
	u32 step, looks = 0;

	need.limit = need.used;
	need.law = need.used + 200000;
	while (lapsmp_grant_wants(&need)) {
		need.limit = lapsmp_grant_limit(&need, BYTES);
		KUNIT_EXPECT_LE(test, need.limit - need.used, BYTES);
		step = 1 + looks++ % (need.limit - need.used);
		need.used += step;
		need.rest -= step;
		KUNIT_ASSERT_LT(test, looks, 100000);
	}
	KUNIT_EXPECT_LE(test, need.rest, need.limit - need.used);
}

static struct kunit_case grant_test_cases[] = {
	KUNIT_CASE_PARAM(grant_limit_case, limit_gen_params),
	KUNIT_CASE_PARAM(grant_order_case, order_gen_params),
	KUNIT_CASE_PARAM(grant_slow_case, slow_gen_params),
	KUNIT_CASE(grant_ends_with_all_covered),
	{}
};

struct kunit_suite lapsmp_grant_suite = {
	.name = "lapsmp_grant",
	.test_cases = grant_test_cases,
};
