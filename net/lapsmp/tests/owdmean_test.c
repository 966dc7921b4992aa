// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/owdmean.h: the mean of delays modulo 2^32, each time anew. */
#include <kunit/test.h>

#include "../alg/owdmean.h"

/**
 * struct owdmean_case - what one acknowledgment is for
 * @n: delays
 * @newest: of a packet, if there are none
 */
struct owdmean_case {
	const char *name;
	u32 n, owd[4], newest, mean;
};

static const struct owdmean_case owdmean_cases[] = {
	{ "none: the newest", 0, {}, 7, 7 },
	{ "one", 1, { 1000 }, 7, 1000 },
	{ "0 counts", 2, { 0, 100 }, 100, 50 },
	{ "longer and shorter", 3, { 1000, 4000, 1000 }, 1000, 2000 },
	{ "towards the first, if it is between", 3, { 10, 11, 11 }, 11, 10 },
	{ "over 2^32", 2, { 0xfffffff0, 0x10 }, 0x10, 0 },
	{ "and back", 2, { 0x10, 0xffffffd0 }, 0xffffffd0, 0xfffffff0 },
	{ "as far as can be", 2, { 0, 0x80000000 }, 0, 0xc0000000 },
};

KUNIT_ARRAY_PARAM_DESC(owdmean, owdmean_cases, name);

static void owdmean_case(struct kunit *test)
{
	const struct owdmean_case *c = test->param_value;
	struct lapsmp_owdmean m = {};
	u32 i, turn;

	for (turn = 0; turn < 2; turn++) {
		for (i = 0; i < c->n; i++)
			lapsmp_owdmean_add(&m, c->owd[i]);
		KUNIT_EXPECT_EQ(test, lapsmp_owdmean_take(&m, c->newest), c->mean);
	}
}

static struct kunit_case owdmean_test_cases[] = {
	KUNIT_CASE_PARAM(owdmean_case, owdmean_gen_params),
	{}
};

struct kunit_suite lapsmp_owdmean_suite = {
	.name = "lapsmp_owdmean",
	.test_cases = owdmean_test_cases,
};
