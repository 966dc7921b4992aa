/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_DRAW_H
#define _LAPSMP_ALG_DRAW_H

#include <linux/types.h>

/* Draws of which one falls into each part: 16. */
#define LAPSMP_DRAW_BITS	4

/**
 * struct lapsmp_draw - draws that are spread evenly; zeroed, none was made
 * @order: in which this round's parts are drawn
 * @n: draws so far, wraps
 */
struct lapsmp_draw {
	u32	order;
	u32	n;
};

/**
 * lapsmp_draw_even() - the next one
 * @d: state
 * @rnd: 32 uniform random bits, new for each
 *
 * Return: 32 bits, uniform by themselves; of each 16 from the first on one is in each
 * sixteenth of what 32 bits may be.
 */
u32 lapsmp_draw_even(struct lapsmp_draw *d, u32 rnd);

#endif /* _LAPSMP_ALG_DRAW_H */
