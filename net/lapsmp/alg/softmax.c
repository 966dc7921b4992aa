// SPDX-License-Identifier: GPL-2.0
/*
 * The softmax of LAPS's equation 1 in integers:
 *
 *	P(i) = exp(-beta * d_i) / sum over j of exp(-beta * d_j)
 *
 * Both sides are divided by the largest weight first, that of the smallest d,
 * so that the fastest path weighs exactly one and nothing overflows. What is
 * left is exp(-x) for x >= 0, split so that two small tables and a parabola
 * give it:
 *
 *	x = i + j/64 + r,  0 <= r < 1/64
 *	exp(-x) = exp(-i) * exp(-j/64) * (1 - r + r^2/2 - ...)
 *
 * The parabola's error is below r^3/6 = 6.4e-7, i.e. 0.67 units of 2^-20; the
 * shifts lose less than one more. All three factors fall with x and the
 * products are rounded down, so the result never rises with x, and two paths
 * are never weighed in the wrong order.
 *
 * Reference: LAPS, section III-E and equation 1. This file knows of numbers
 * only, not of paths.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "../compat.h"
#include "arith.h"
#include "softmax.h"

#define LAPSMP_SOFTMAX_X_BITS	16	/* fractional bits of x */
#define LAPSMP_SOFTMAX_J_BITS	6	/* of them in the second table */
#define LAPSMP_SOFTMAX_R_BITS	(LAPSMP_SOFTMAX_X_BITS - LAPSMP_SOFTMAX_J_BITS)
#define LAPSMP_SOFTMAX_X_MAX	15	/* exp(-15) * 2^20 = 0.32: rounds to 0 */
#define LAPSMP_SOFTMAX_F_BITS	31	/* fractional bits of the factors */
#define LAPSMP_SOFTMAX_W_BITS	20	/* and of a weight */

/* exp(-i) * 2^31 */
static const u32 lapsmp_softmax_int[LAPSMP_SOFTMAX_X_MAX] = {
	0x80000000, 0x2f16ac6c, 0x1152aaa4, 0x065f6c33, 0x02582ab7,
	0x00dcc9ff, 0x00513948, 0x001de16c, 0x000afe11, 0x00040b3d,
	0x00017cd8, 0x00008c1b, 0x0000338b, 0x000012f6, 0x000006fa,
};

/* exp(-j / 64) * 2^31 */
static const u32 lapsmp_softmax_frac[1 << LAPSMP_SOFTMAX_J_BITS] = {
	0x80000000, 0x7e03fab0, 0x7c0fd5aa, 0x7a2371ac, 0x783eafef, 0x76617227,
	0x748b9a80, 0x72bd0b9d, 0x70f5a894, 0x6f3554ee, 0x6d7bf4a8, 0x6bc96c2a,
	0x6a1da04b, 0x6878764f, 0x66d9d3e4, 0x65419f1e, 0x63afbe7b, 0x622418dc,
	0x609e9586, 0x5f1f1c22, 0x5da594b8, 0x5c31e7af, 0x5ac3fdcb, 0x595bc030,
	0x57f91858, 0x569bf018, 0x5544319f, 0x53f1c770, 0x52a49c65, 0x515c9baa,
	0x5019b0c0, 0x4edbc777, 0x4da2cbf2, 0x4c6eaa9f, 0x4b3f503e, 0x4a14a9d8,
	0x48eea4c3, 0x47cd2e9e, 0x46b03552, 0x4597a710, 0x4483724d, 0x437385c8,
	0x4267d080, 0x416041bb, 0x405cc8ff, 0x3f5d5616, 0x3e61d907, 0x3d6a421b,
	0x3c7681d8, 0x3b868902, 0x3a9a489a, 0x39b1b1db, 0x38ccb63c, 0x37eb476d,
	0x370d5758, 0x3632d81c, 0x355bbc13, 0x3487f5c9, 0x33b77804, 0x32ea35ba,
	0x32202218, 0x3159307c, 0x30955477, 0x2fd481cc,
};

/* 1 - r + r^2/2 with LAPSMP_SOFTMAX_F_BITS; @r has LAPSMP_SOFTMAX_X_BITS. */
static u32 lapsmp_softmax_parabola(u32 r)
{
	u32 one = 1U << LAPSMP_SOFTMAX_F_BITS;

	/* r has 10 bits, so r^2 has 20 and stands at 2^-32: >> 2 makes r^2/2. */
	return one - (r << (LAPSMP_SOFTMAX_F_BITS - LAPSMP_SOFTMAX_X_BITS)) +
	       (r * r >> 2);
}

u32 lapsmp_softmax_exp(u64 x_q16)
{
	u32 x, i, j, r;
	u64 e;

	if (x_q16 >= (u64)LAPSMP_SOFTMAX_X_MAX << LAPSMP_SOFTMAX_X_BITS)
		return 0;

	x = x_q16;
	i = x >> LAPSMP_SOFTMAX_X_BITS;
	j = (x >> LAPSMP_SOFTMAX_R_BITS) & ((1 << LAPSMP_SOFTMAX_J_BITS) - 1);
	r = x & ((1 << LAPSMP_SOFTMAX_R_BITS) - 1);

	/* Two factors of 2^31 leave room for the product, a third would not. */
	e = (u64)lapsmp_softmax_int[i] * lapsmp_softmax_frac[j];
	e = (e >> LAPSMP_SOFTMAX_F_BITS) * lapsmp_softmax_parabola(r);
	return e >> (2 * LAPSMP_SOFTMAX_F_BITS - LAPSMP_SOFTMAX_W_BITS);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_softmax_exp);

u32 lapsmp_softmax_weight(s64 dx_ns, s64 t_ns, u32 beta_q8)
{
	u64 beta_q16 = (u64)beta_q8 << 8;

	if (dx_ns <= 0)
		return LAPSMP_SOFTMAX_ONE;
	if (t_ns <= 0)
		t_ns = 1;
	/* A product beyond 64 bits saturates, which is far beyond 15 as well. */
	return lapsmp_softmax_exp(lapsmp_arith_muldiv(dx_ns, beta_q16, t_ns));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_softmax_weight);

int lapsmp_softmax_draw(const u32 *w, unsigned int n, u32 rnd)
{
	u64 sum = 0, target;
	unsigned int i;

	for (i = 0; i < n; i++)
		sum += w[i];
	if (!sum)
		return -1;

	/*
	 * Scaling by multiplication favours some outcomes by at most sum/2^32,
	 * which for weights of 2^20 is less than their own rounding error.
	 */
	target = mul_u64_u32_shr(sum, rnd, 32);
	for (i = 0; i < n; i++) {
		if (target < w[i])
			return i;
		target -= w[i];
	}
	return -1;	/* not reached: target < sum */
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_softmax_draw);
