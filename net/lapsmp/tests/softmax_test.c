// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/softmax.c: the error bound over the whole range, the order of
 * weights, and that draws follow them.
 */
#include <kunit/test.h>
#include <linux/math64.h>

#include "../alg/softmax.h"

#define X_END		(15 << 16)	/* from here on the result is 0 */
#define ERROR_MAX	4		/* of 2^20, as the header promises */

/**
 * struct exp_case - a value of the exponential
 * @x_q16: argument
 * @exp_q40: exp(-x) * 2^40, computed with 50 decimal digits and rounded
 */
struct exp_case {
	u32 x_q16;
	u64 exp_q40;
};

static const struct exp_case exp_cases[] = {
	{ 0, 1099511627776ULL }, { 1, 1099494850688ULL },
	{ 2, 1099478073856ULL }, { 1023, 1082481797227ULL },
	{ 1024, 1082465279991ULL }, { 1025, 1082448763008ULL },
	{ 4096, 1032895585848ULL }, { 16384, 856300516708ULL },
	{ 32768, 666887512957ULL }, { 45426, 549756599273ULL },
	{ 65535, 404493895228ULL }, { 65536, 404487723188ULL },
	{ 65537, 404481551242ULL }, { 98304, 245334205591ULL },
	{ 100000, 239066672916ULL }, { 131072, 148802717567ULL },
	{ 150000, 111475298259ULL }, { 196608, 54741460583ULL },
	{ 200001, 51979443035ULL }, { 262144, 20138257928ULL },
	{ 300000, 11302056120ULL }, { 327680, 7408451073ULL },
	{ 393216, 2725416841ULL }, { 400007, 2457142155ULL },
	{ 458752, 1002624824ULL }, { 524288, 368845060ULL },
	{ 555555, 228898828ULL }, { 589824, 135690515ULL },
	{ 655360, 49917751ULL }, { 700000, 25260056ULL },
	{ 720896, 18363714ULL }, { 786432, 6755633ULL },
	{ 851968, 2485258ULL }, { 900001, 1194170ULL },
	{ 917504, 914275ULL }, { 950000, 556842ULL },
	{ 983039, 336348ULL },
};

/* exp(-2^-16) * 2^62: one step of the walk below */
#define EXP_STEP_Q62	4611615650220078421ULL

static u32 softmax_error(u32 x_q16, u64 exp_q40)
{
	u64 is_q40 = (u64)lapsmp_softmax_exp(x_q16) << 20;
	u64 diff = is_q40 > exp_q40 ? is_q40 - exp_q40 : exp_q40 - is_q40;

	/* Rounded up, so that "below 4" is not "below 5". */
	return (diff + (1 << 20) - 1) >> 20;
}

static void softmax_error_is_bounded_at_known_values(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(exp_cases); i++)
		KUNIT_EXPECT_LE_MSG(test,
				    softmax_error(exp_cases[i].x_q16,
						  exp_cases[i].exp_q40),
				    ERROR_MAX, "x = %u / 65536",
				    exp_cases[i].x_q16);
}

/*
 * All arguments there are: the reference is multiplied down step by step, with
 * 62 bits, and checked against the known values on its way.
 */
static void softmax_error_is_bounded_everywhere(struct kunit *test)
{
	u64 ref_q62 = 1ULL << 62;
	u32 x, worst = 0, known = 0, rises = 0, last = U32_MAX, w;

	for (x = 0; x < X_END; x++) {
		if (known < ARRAY_SIZE(exp_cases) &&
		    exp_cases[known].x_q16 == x) {
			KUNIT_EXPECT_LE(test, (ref_q62 >> 22) -
					exp_cases[known].exp_q40 + 1, 2);
			known++;
		}
		worst = max(worst, softmax_error(x, ref_q62 >> 22));
		w = lapsmp_softmax_exp(x);
		rises += w > last;
		last = w;
		ref_q62 = mul_u64_u64_shr(ref_q62, EXP_STEP_Q62, 62);
	}
	KUNIT_EXPECT_EQ(test, known, ARRAY_SIZE(exp_cases));
	KUNIT_EXPECT_LE(test, worst, ERROR_MAX);
	KUNIT_EXPECT_EQ(test, rises, 0);
}

static void softmax_exp_ends_in_zero(struct kunit *test)
{
	static const u64 x[] = { X_END, X_END + 1, U32_MAX, 1ULL << 32,
				 (1ULL << 32) + 1, U64_MAX };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(x); i++)
		KUNIT_EXPECT_EQ(test, lapsmp_softmax_exp(x[i]), 0);
}

struct weight_case {
	const char *name;
	s64 dx_ns;
	s64 t_ns;
	u32 beta_q8;
	u32 expected;
};

#define E1	385749		/* exp(-1) * 2^20 */
#define E2	141909
#define EHALF	635993

static const struct weight_case weight_cases[] = {
	{ "fastest path weighs one", 0, 1000, 256, LAPSMP_SOFTMAX_ONE },
	{ "negative distance counts as none", -5, 1000, 256,
	  LAPSMP_SOFTMAX_ONE },
	{ "one T behind", 1000, 1000, 256, E1 },
	{ "half a T behind", 500, 1000, 256, EHALF },
	{ "two T behind", 2000, 1000, 256, E2 },
	{ "beta of two", 1000, 1000, 512, E2 },
	{ "beta of a half", 1000, 1000, 128, EHALF },
	{ "beta of zero is random spraying", S64_MAX, 1000, 0,
	  LAPSMP_SOFTMAX_ONE },
	{ "T of zero counts as one", 1, 0, 256, E1 },
	{ "negative T counts as one", 1, S64_MIN, 256, E1 },
	{ "large T", S64_MAX / 2, S64_MAX - 1, 256, EHALF },
	{ "far behind", S64_MAX, 1, U32_MAX, 0 },
	{ "largest T", 1, S64_MAX, U32_MAX, LAPSMP_SOFTMAX_ONE },
};

KUNIT_ARRAY_PARAM_DESC(weight, weight_cases, name);

static void softmax_weight_case(struct kunit *test)
{
	const struct weight_case *c = test->param_value;
	u32 w = lapsmp_softmax_weight(c->dx_ns, c->t_ns, c->beta_q8);

	KUNIT_EXPECT_LE(test, abs((int)w - (int)c->expected), ERROR_MAX);
}

struct draw_case {
	const char *name;
	u32 w[4];
	u32 n;
	u32 rnd;
	int expected;
};

static const struct draw_case draw_cases[] = {
	{ "no path", { 0 }, 0, 5, -1 },
	{ "all weights zero", { 0, 0, 0 }, 3, U32_MAX, -1 },
	{ "only path, lowest draw", { 1 }, 1, 0, 0 },
	{ "only path, highest draw", { 1 }, 1, U32_MAX, 0 },
	{ "zero weights are passed over", { 0, 7, 0 }, 3, 0, 1 },
	{ "last zero weight is not hit", { 7, 7, 0 }, 3, U32_MAX, 1 },
	{ "below the border", { 1, 1 }, 2, 0x7fffffff, 0 },
	{ "at the border", { 1, 1 }, 2, 0x80000000, 1 },
	{ "sum just below 2^32", { 0x7fffffff, 0x7fffffff, 1 }, 3, U32_MAX, 2 },
};

KUNIT_ARRAY_PARAM_DESC(draw, draw_cases, name);

static void softmax_draw_case(struct kunit *test)
{
	const struct draw_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_softmax_draw(c->w, c->n, c->rnd),
			c->expected);
}

/* Draws spread evenly over all random numbers must hit in exact proportion. */
static void softmax_draws_follow_the_weights(struct kunit *test)
{
	static const u32 w[] = { 1000, 0, 3000, 1, 4095 };
	u32 hits[ARRAY_SIZE(w)] = {};
	u32 i;

	for (i = 0; i < 8096; i++)
		hits[lapsmp_softmax_draw(w, ARRAY_SIZE(w),
					 ((u64)i << 32) / 8096)]++;
	for (i = 0; i < ARRAY_SIZE(w); i++)
		KUNIT_EXPECT_LE(test, abs((int)hits[i] - (int)w[i]), 1);
}

static struct kunit_case softmax_test_cases[] = {
	KUNIT_CASE(softmax_error_is_bounded_at_known_values),
	KUNIT_CASE_SLOW(softmax_error_is_bounded_everywhere),
	KUNIT_CASE(softmax_exp_ends_in_zero),
	KUNIT_CASE_PARAM(softmax_weight_case, weight_gen_params),
	KUNIT_CASE_PARAM(softmax_draw_case, draw_gen_params),
	KUNIT_CASE(softmax_draws_follow_the_weights),
	{}
};

struct kunit_suite lapsmp_softmax_suite = {
	.name = "lapsmp_softmax",
	.test_cases = softmax_test_cases,
};
