/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_SOFTMAX_H
#define _LAPSMP_ALG_SOFTMAX_H

#include <linux/types.h>

/* A weight of one, that of the fastest path. */
#define LAPSMP_SOFTMAX_ONE	0x100000

/**
 * lapsmp_softmax_exp() - exp(-x) in fixed point
 * @x_q16: x >= 0, 16 fractional bits
 *
 * Return: exp(-x) * LAPSMP_SOFTMAX_ONE; absolute error below 4 of 2^20 (stated
 * and tested over the whole range), never increasing in x, 0 from x = 15 on.
 */
u32 lapsmp_softmax_exp(u64 x_q16);

/**
 * lapsmp_softmax_weight() - weight of a path that is @dx_ns behind the fastest
 * @dx_ns: at least 0
 * @t_ns: the delay scale T; not above 0 counts as 1
 * @beta_q8: beta in units of 1/T, 8 fractional bits
 *
 * Return: exp(-beta * dx / T) * LAPSMP_SOFTMAX_ONE.
 */
u32 lapsmp_softmax_weight(s64 dx_ns, s64 t_ns, u32 beta_q8);

/**
 * lapsmp_softmax_draw() - draw an index in proportion to its weight
 * @w: weights, their sum below 2^32
 * @n: how many
 * @rnd: 32 uniform random bits
 *
 * Return: the index, or -1 if all weights are 0.
 */
int lapsmp_softmax_draw(const u32 *w, unsigned int n, u32 rnd);

#endif /* _LAPSMP_ALG_SOFTMAX_H */
