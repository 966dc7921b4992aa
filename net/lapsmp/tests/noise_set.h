/* SPDX-License-Identifier: GPL-2.0 */
/* What tests of alg/noise.c share: a look. */
#ifndef _LAPSMP_TESTS_NOISE_SET_H
#define _LAPSMP_TESTS_NOISE_SET_H

#include <kunit/test.h>

#include "../alg/noise.h"

#define MS	1000000ULL
#define US	1000ULL
#define SPAN	BIT_ULL(18)
#define GBPS	125000000ULL	/* bytes/s */

/* Of @n samples that are @lo_us to @hi_us above the base. Not over yet. */
static inline void noise_take(struct lapsmp_noise *z, u32 n, u32 lo_us, u32 hi_us)
{
	u32 i, steps = max(n, 3U) - 2;

	lapsmp_noise_begin(z, MS);
	lapsmp_noise_go_on(z, 4 * US, 31);
	for (i = 0; i < n; i++)
		lapsmp_noise_sample(z, 777 + lo_us * US +
				    (hi_us - lo_us) * US * min(i, steps) / steps, 777,
				    MS + z->span_ns / 4 + i);
}

#endif /* _LAPSMP_TESTS_NOISE_SET_H */
