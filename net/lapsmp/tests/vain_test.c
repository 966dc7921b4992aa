// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/vain.c: when a flow waits, and for how long. */
#include <kunit/test.h>

#include "../alg/vain.h"

#define RTO_NS		400000ULL
#define START_NS	1000000000ULL

/* @rounds of one timeout each, as soon as may be. Return: when the last was missed. */
static u64 vain_rounds(struct lapsmp_vain *v, int rounds, u64 rto_ns, bool heard)
{
	u64 sent_ns = START_NS, now_ns = START_NS;

	while (rounds--) {
		now_ns = sent_ns + rto_ns;
		lapsmp_vain_missed(v, sent_ns, heard ? now_ns : START_NS, rto_ns, now_ns);
		sent_ns = max(v->until_ns, now_ns);
	}
	return now_ns;
}

struct vain_case {
	const char *name;
	int rounds;
	u64 rto_ns;
	bool heard;
	u64 wait_ns;	/* after the last of them */
};

static const struct vain_case vain_cases[] = {
	{ "one", 1, RTO_NS, true, 0 },
	{ "the last that is free", LAPSMP_VAIN_FREE, RTO_NS, true, 0 },
	{ "the first that is not", LAPSMP_VAIN_FREE + 1, RTO_NS, true, 2 * RTO_NS },
	{ "the next one", LAPSMP_VAIN_FREE + 2, RTO_NS, true, 4 * RTO_NS },
	{ "the last doubling", LAPSMP_VAIN_FREE + 7, RTO_NS, true, 128 * RTO_NS },
	{ "the longest", LAPSMP_VAIN_FREE + 8, RTO_NS, true, LAPSMP_VAIN_MAX_NS },
	{ "for ever", 1000, RTO_NS, true, LAPSMP_VAIN_MAX_NS },
	{ "nobody answers", 1000, RTO_NS, false, 0 },
	{ "a slow path", LAPSMP_VAIN_FREE + 1, 60000000, true, LAPSMP_VAIN_MAX_NS },
	{ "slower than the longest", LAPSMP_VAIN_FREE + 1, 5000000000ULL, true,
	  LAPSMP_VAIN_MAX_NS },
};

KUNIT_ARRAY_PARAM_DESC(vain, vain_cases, name);

static void vain_case(struct kunit *test)
{
	const struct vain_case *c = test->param_value;
	struct lapsmp_vain v = {};
	u64 now_ns = vain_rounds(&v, c->rounds, c->rto_ns, c->heard);

	KUNIT_EXPECT_EQ(test, v.until_ns, c->wait_ns ? now_ns + c->wait_ns : 0);
}

/* Eight paths that time out one after the other, with what had left at once. */
static void vain_one_round(struct kunit *test)
{
	struct lapsmp_vain v = {};
	int i;

	for (i = 0; i < 8; i++)
		lapsmp_vain_missed(&v, START_NS + i, U64_MAX, RTO_NS, START_NS + RTO_NS + i);
	KUNIT_EXPECT_EQ(test, v.rounds, 1);
	/* One of them was sent again by a path whose others are older, and that times out next. */
	lapsmp_vain_missed(&v, START_NS + 100, U64_MAX, RTO_NS, START_NS + RTO_NS + 100);
	KUNIT_EXPECT_EQ(test, v.rounds, 1);
	/* What had left when it was missed is of the next one. */
	lapsmp_vain_missed(&v, v.round_ns, U64_MAX, RTO_NS, START_NS + 2 * RTO_NS);
	KUNIT_EXPECT_EQ(test, v.rounds, 2);
}

static void vain_forgotten(struct kunit *test)
{
	struct lapsmp_vain v = {};

	vain_rounds(&v, 100, RTO_NS, true);
	KUNIT_EXPECT_NE(test, v.until_ns, 0);
	lapsmp_vain_over(&v);
	KUNIT_EXPECT_EQ(test, v.until_ns, 0);
	vain_rounds(&v, LAPSMP_VAIN_FREE, RTO_NS, true);
	KUNIT_EXPECT_EQ(test, v.until_ns, 0);
}

/*
 * What was heard before the first round was missed may have been the last of a host. Those of its
 * silence do not count when it is back.
 */
static void vain_silence_does_not_count(struct kunit *test)
{
	u64 heard_ns = START_NS + RTO_NS, now_ns = START_NS;
	struct lapsmp_vain v = {};
	int i;

	for (i = 0; i < 20; i++, now_ns += RTO_NS)
		lapsmp_vain_missed(&v, now_ns, heard_ns, RTO_NS, now_ns + RTO_NS);
	KUNIT_EXPECT_EQ(test, v.until_ns, 0);
	for (i = 1; i < LAPSMP_VAIN_FREE; i++, now_ns += RTO_NS)
		lapsmp_vain_missed(&v, now_ns, heard_ns + 1, RTO_NS, now_ns + RTO_NS);
	KUNIT_EXPECT_EQ(test, v.until_ns, 0);
	lapsmp_vain_missed(&v, now_ns, heard_ns + 1, RTO_NS, now_ns + RTO_NS);
	KUNIT_EXPECT_EQ(test, v.until_ns, now_ns + 3 * RTO_NS);
}

static struct kunit_case vain_test_cases[] = {
	KUNIT_CASE_PARAM(vain_case, vain_gen_params),
	KUNIT_CASE(vain_one_round),
	KUNIT_CASE(vain_forgotten),
	KUNIT_CASE(vain_silence_does_not_count),
	{}
};

struct kunit_suite lapsmp_vain_suite = {
	.name = "lapsmp_vain",
	.test_cases = vain_test_cases,
};
