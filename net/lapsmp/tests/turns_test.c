// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/turns.c: how many may go on, by what arrives. */
#include <kunit/test.h>

#include "../alg/turns.h"
#include "lcg.h"

#define K		4
#define STEP_NS		10000
#define PERIODS(n)	((n) * 100)

/* What arrives in each of @steps. */
static void turns_go_on(struct lapsmp_turns *t, u64 *now_ns, u32 bytes, int steps)
{
	while (steps--) {
		*now_ns += STEP_NS;
		lapsmp_turns_update(t, K, bytes, *now_ns);
	}
}

struct turns_case {
	const char *name;
	u32 before;	/* bytes per step, for ten periods */
	u32 after;
	int periods;
	unsigned int n;	/* to be the turns then */
};

static const struct turns_case turns_cases[] = {
	{ "full as before", 1000, 1000, 20, K },
	{ "more than before", 1000, 2000, 20, K },
	{ "a little less", 1000, 900, 2, K },
	{ "half: one more each period", 1000, 500, 2, K + 1 },
	{ "for long: twice as many, and no more", 1000, 500, 20, 2 * K },
	{ "nothing", 1000, 0, 20, 2 * K },
	{ "nothing ever", 0, 0, 20, K },
	{ "half for so long that it counts as full", 1000, 500, 200, K },
	{ "as much as 32 bits hold", U32_MAX, U32_MAX, 20, K },
};

KUNIT_ARRAY_PARAM_DESC(turns, turns_cases, name);

static void turns_case(struct kunit *test)
{
	const struct turns_case *c = test->param_value;
	struct lapsmp_turns t = {};
	u64 now_ns = 1000000;

	turns_go_on(&t, &now_ns, c->before, PERIODS(10));
	KUNIT_EXPECT_EQ(test, lapsmp_turns_n(&t, K), K);
	turns_go_on(&t, &now_ns, c->after, PERIODS(c->periods));
	KUNIT_EXPECT_EQ(test, lapsmp_turns_n(&t, K), c->n);
}

/* Those that helped go one after the other, and not at once. */
static void turns_come_back(struct kunit *test)
{
	struct lapsmp_turns t = {};
	u64 now_ns = 1000000;

	turns_go_on(&t, &now_ns, 1000, PERIODS(10));
	turns_go_on(&t, &now_ns, 500, PERIODS(3));
	KUNIT_EXPECT_EQ(test, lapsmp_turns_n(&t, K), K + 2);
	turns_go_on(&t, &now_ns, 1000, PERIODS(5));
	KUNIT_EXPECT_GE(test, lapsmp_turns_n(&t, K), K + 1);
	turns_go_on(&t, &now_ns, 1000, PERIODS(40));
	KUNIT_EXPECT_EQ(test, lapsmp_turns_n(&t, K), K);
}

/* Who comes when all had gone finds as many as are configured, and the peak that was. */
static void turns_start_anew(struct kunit *test)
{
	struct lapsmp_turns t = {};
	u64 now_ns = 1000000;

	turns_go_on(&t, &now_ns, 1000, PERIODS(10));
	turns_go_on(&t, &now_ns, 500, PERIODS(20));
	lapsmp_turns_start(&t, now_ns);
	KUNIT_EXPECT_EQ(test, lapsmp_turns_n(&t, K), K);
	turns_go_on(&t, &now_ns, 500, PERIODS(2));
	KUNIT_EXPECT_EQ(test, lapsmp_turns_n(&t, K), K + 2);
}

/* Who has nothing to send does not fill a link, and is no reason for more turns. */
static void turns_silence_says_nothing(struct kunit *test)
{
	struct lapsmp_turns t = {};
	u64 now_ns = 1000000;
	int i;

	turns_go_on(&t, &now_ns, 1000, PERIODS(10));
	for (i = 0; i < 20; i++) {
		now_ns += 50000000;
		turns_go_on(&t, &now_ns, 1000, 1);
	}
	KUNIT_EXPECT_EQ(test, lapsmp_turns_n(&t, K), K);
}

static void turns_survive_garbage(struct kunit *test)
{
	static const u64 v[] = { 0, 1, 1000000, 1999999, U32_MAX, S64_MAX, U64_MAX };
	struct lapsmp_turns t = {};
	u64 seed = 1;
	u64 now_ns;
	int i;

	for (i = 0; i < 100000; i++) {
		unsigned int k = lcg_below(&seed, 17);

		now_ns = v[lcg_below(&seed, ARRAY_SIZE(v))];
		lapsmp_turns_update(&t, k, v[lcg_below(&seed, ARRAY_SIZE(v))], now_ns);
		KUNIT_ASSERT_GE(test, lapsmp_turns_n(&t, k), k);
		KUNIT_ASSERT_LE(test, lapsmp_turns_n(&t, k), 2 * k);
	}
}

static struct kunit_case turns_test_cases[] = {
	KUNIT_CASE_PARAM(turns_case, turns_gen_params),
	KUNIT_CASE(turns_come_back),
	KUNIT_CASE(turns_start_anew),
	KUNIT_CASE(turns_silence_says_nothing),
	KUNIT_CASE(turns_survive_garbage),
	{}
};

struct kunit_suite lapsmp_turns_suite = {
	.name = "lapsmp_turns",
	.test_cases = turns_test_cases,
};
