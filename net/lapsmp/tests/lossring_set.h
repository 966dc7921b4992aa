/* SPDX-License-Identifier: GPL-2.0 */
/* From where the tests of alg/lossring.c begin to count, so that numbers wrap; and slots. */
#ifndef _LAPSMP_TESTS_LOSSRING_SET_H
#define _LAPSMP_TESTS_LOSSRING_SET_H

#include <kunit/test.h>

#include "../alg/lossring.h"

struct first_case {
	const char *name;
	u32 first;
};

static const struct first_case first_cases[] = {
	{ "from 0", 0 },
	{ "from 1", 1 },
	{ "over 2^31", 0x80000000 - 20 },
	{ "over 2^32", -20U },
	{ "odd place", 12345677 },
};

KUNIT_ARRAY_PARAM_DESC(first, first_cases, name);

static inline u32 first_of(struct kunit *test)
{
	return ((const struct first_case *)test->param_value)->first;
}

static inline struct lapsmp_slot *slots_new(struct kunit *test, u32 n)
{
	struct lapsmp_slot *slot = kunit_kcalloc(test, n, sizeof(*slot),
						 GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, slot);
	return slot;
}

#endif /* _LAPSMP_TESTS_LOSSRING_SET_H */
