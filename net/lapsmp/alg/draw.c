// SPDX-License-Identifier: GPL-2.0
/*
 * Stratified draws: of each 16 one falls into each sixteenth, in an order that is drawn
 * anew for them, and anywhere in it. So a path whose share is an eighth is taken about twice
 * in 16 times, and not now and then five times or never. Who draws and does not use it, as
 * near the end of what there is to send, has left out a part.
 *
 * What independent draws add to a path's share is noise to whoever measures that path: five
 * packets in a row are a queue of our own making, which the delays report, which the weights
 * follow a round trip later. A strict order would have no noise at all, and was tried:
 * multiples of the golden ratio. But then no two packets of a path are neighbours any more,
 * and neighbours are what rates are known by (delivery.c). Here they are half as often as in
 * independent draws. With 64 draws to a round it is as with independent ones, since it is the
 * next dozen packets that make the queue. Figures are in Documentation/algorithm.md.
 *
 * The order is a multiplication, a shift and another multiplication modulo 16, each of which
 * can be undone: so no part is drawn twice. Senders whose draws are alike would go by the same
 * paths in lockstep; each round and each part's inside are drawn, so they are not.
 *
 * Reference: stratified sampling (Cochran, Sampling Techniques, chapter 5). This file does
 * not know what is drawn for.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "../compat.h"
#include "draw.h"

#define LAPSMP_DRAW_MASK	(BIT(LAPSMP_DRAW_BITS) - 1)

static u32 lapsmp_draw_part(u32 order, u32 k)
{
	k = (k * (order | 1) + (order >> 8)) & LAPSMP_DRAW_MASK;
	k ^= k >> (LAPSMP_DRAW_BITS / 2);
	return (k * ((order >> 16) | 1) + (order >> 24)) & LAPSMP_DRAW_MASK;
}

u32 lapsmp_draw_even(struct lapsmp_draw *d, u32 rnd)
{
	u32 k = d->n++ & LAPSMP_DRAW_MASK;

	/* The upper bits of what is returned depend on it, the lower ones are this draw's own. */
	if (!k)
		d->order = rnd * 0x9e3779b1;
	return lapsmp_draw_part(d->order, k) << (32 - LAPSMP_DRAW_BITS) |
	       rnd >> LAPSMP_DRAW_BITS;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_draw_even);
