/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers that look random and are the same in each run, so that a failure can
 * be repeated. The multiplier is Knuth's for MMIX; the upper half is returned,
 * since the lower bits of such a generator have short periods.
 */
#ifndef _LAPSMP_TESTS_LCG_H
#define _LAPSMP_TESTS_LCG_H

#include <linux/types.h>

static inline u32 lcg_next(u64 *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 32;
}

/* Uniform in [0, @n). */
static inline u32 lcg_below(u64 *state, u32 n)
{
	return (u64)lcg_next(state) * n >> 32;
}

#endif /* _LAPSMP_TESTS_LCG_H */
