// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/arith.h: products beyond 64 bits are right, quotients saturate. */
#include <kunit/test.h>

#include "../alg/arith.h"

struct muldiv_case {
	const char *name;
	u64 a;
	u64 b;
	u64 c;
	u64 expected;
};

static const struct muldiv_case muldiv_cases[] = {
	{ "zero", 0, U64_MAX, 1, 0 },
	{ "zero by the largest", 0, 0, U64_MAX, 0 },
	{ "rounds down", 7, 3, 4, 5 },
	{ "one", U64_MAX, U64_MAX, U64_MAX, U64_MAX },
	{ "product beyond 64 bits", 1ULL << 63, 6, 1ULL << 62, 12 },
	{ "largest product that fits", U64_MAX, 1, 1, U64_MAX },
	{ "quotient just fits", 1ULL << 63, 2, 2, 1ULL << 63 },
	{ "quotient of 2^64", 1ULL << 63, 2, 1, U64_MAX },
	{ "largest quotient", U64_MAX, U64_MAX, 1, U64_MAX },
	{ "by zero", 1, 1, 0, U64_MAX },
	{ "nothing by zero", 0, 0, 0, U64_MAX },
};

KUNIT_ARRAY_PARAM_DESC(muldiv, muldiv_cases, name);

static void arith_muldiv_case(struct kunit *test)
{
	const struct muldiv_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_arith_muldiv(c->a, c->b, c->c),
			c->expected);
	KUNIT_EXPECT_EQ(test, lapsmp_arith_muldiv(c->b, c->a, c->c),
			c->expected);
}

struct drain_case {
	const char *name;
	u64 bytes;
	u64 rate;
	u64 expected_ns;
};

/* The last for which bytes * 10^9 fits 64 bits: the two ways must agree. */
#define DRAIN_PLAIN_MAX	(U64_MAX / NSEC_PER_SEC)

static const struct drain_case drain_cases[] = {
	{ "nothing", 0, 1, 0 },
	{ "nothing at no rate", 0, 0, S64_MAX },
	{ "a frame at 10 Gbit/s", 1514, 1250000000, 1211 },
	{ "a frame at 400 Gbit/s", 1514, 50000000000ULL, 30 },
	{ "a byte at one byte a second", 1, 1, NSEC_PER_SEC },
	{ "no rate", 1514, 0, S64_MAX },
	{ "largest rate", 1514, U64_MAX, 0 },
	{ "last plain division", DRAIN_PLAIN_MAX, 1000, 18446744073000000ULL },
	{ "first wide division", DRAIN_PLAIN_MAX + 1, 1000,
	  18446744074000000ULL },
	{ "does not fit", U64_MAX, 1, S64_MAX },
	{ "all at the largest rate", U64_MAX, U64_MAX, NSEC_PER_SEC },
};

KUNIT_ARRAY_PARAM_DESC(drain, drain_cases, name);

static void arith_drain_case(struct kunit *test)
{
	const struct drain_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_arith_drain_ns(c->bytes, c->rate),
			c->expected_ns);
}

struct segs_case {
	const char *name;
	u64 rate;
	u64 ns;
	u32 seg_bytes;
	u64 expected_q16;
};

static const struct segs_case segs_cases[] = {
	{ "no rate", 0, NSEC_PER_SEC, 1500, 0 },
	{ "no time", U64_MAX, 0, 1500, 0 },
	{ "one", 1500, NSEC_PER_SEC, 1500, LAPSMP_SEG_Q16 },
	{ "a half", 750, NSEC_PER_SEC, 1500, LAPSMP_SEG_Q16 / 2 },
	{ "100 Gbit/s in 12 us", 12500000000ULL, 12000, 1500,
	  100 * LAPSMP_SEG_Q16 },
	{ "segments of no size", 1500, NSEC_PER_SEC, 0, U64_MAX },
	{ "does not fit", U64_MAX, U64_MAX, 1, U64_MAX },
};

KUNIT_ARRAY_PARAM_DESC(segs, segs_cases, name);

static void arith_segs_case(struct kunit *test)
{
	const struct segs_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_arith_segs_q16(c->rate, c->ns, c->seg_bytes),
			c->expected_q16);
}

struct seg_case {
	const char *name;
	u32 seg_bytes;
	u64 rate;
	u64 expected_q8;
};

static const struct seg_case seg_cases[] = {
	{ "a frame at 10 Gbit/s", 1514, 1250000000, 310067 },
	{ "a frame at 400 Gbit/s", 1514, 50000000000ULL, 7751 },
	{ "largest at one byte a second", U32_MAX, 1, U64_MAX },
	{ "a frame at one byte a second", 1514, 1, 387584000000000ULL },
	{ "no rate", 1514, 0, U64_MAX },
	{ "largest rate", 1514, U64_MAX, 0 },
};

KUNIT_ARRAY_PARAM_DESC(seg, seg_cases, name);

static void arith_seg_case(struct kunit *test)
{
	const struct seg_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_arith_seg_ns_q8(c->seg_bytes, c->rate),
			c->expected_q8);
}

/* Dividing by multiplication is off by less than what 32 bits can say. */
static void arith_inverse_divides(struct kunit *test)
{
	static const u32 root[] = { 1, 2, 3, 7, 122, 1000, 65535, 65537, 31622776 };
	u64 x = 1000000007;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(root); i++) {
		u64 q = (x * lapsmp_arith_inverse(root[i])) >> 32;

		KUNIT_EXPECT_LE(test, q, x / root[i]);
		KUNIT_EXPECT_GE(test, q + 1 + (x >> 32) + 1, x / root[i]);
	}
	KUNIT_EXPECT_EQ(test, lapsmp_arith_inverse(0), U32_MAX);
	KUNIT_EXPECT_EQ(test, lapsmp_arith_inverse(U32_MAX), 1);
}

static struct kunit_case arith_test_cases[] = {
	KUNIT_CASE_PARAM(arith_muldiv_case, muldiv_gen_params),
	KUNIT_CASE_PARAM(arith_drain_case, drain_gen_params),
	KUNIT_CASE_PARAM(arith_segs_case, segs_gen_params),
	KUNIT_CASE_PARAM(arith_seg_case, seg_gen_params),
	KUNIT_CASE(arith_inverse_divides),
	{}
};

struct kunit_suite lapsmp_arith_suite = {
	.name = "lapsmp_arith",
	.test_cases = arith_test_cases,
};
