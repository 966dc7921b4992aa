/* SPDX-License-Identifier: GPL-2.0 */
/* Two of the paths of sched_set.h, and how often the second is picked: for alg/sched_laps.c. */
#ifndef _LAPSMP_TESTS_SCHED_LAPS_SET_H
#define _LAPSMP_TESTS_SCHED_LAPS_SET_H

#include <kunit/test.h>

#include "sched_set.h"

#define DRAWS	10000

/* Two paths of which a test changes the second. */
static inline void laps_two_paths(struct sched_set *s)
{
	sched_set_init(s);
	s->pick.n = 2;
}

/* Picks of the second of two paths. */
static inline u32 laps_second(struct kunit *test, struct sched_set *s,
			      const struct lapsmp_sched_ops *ops)
{
	u32 hits[SET_PATHS];

	KUNIT_EXPECT_EQ(test, sched_set_hits(s, ops, DRAWS, hits), 0);
	return hits[1];
}

#endif /* _LAPSMP_TESTS_SCHED_LAPS_SET_H */
