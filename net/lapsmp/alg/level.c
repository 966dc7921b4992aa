// SPDX-License-Identifier: GPL-2.0
/*
 * Water in vessels: paths are as wide as their rates, their floors are at when a packet sent
 * now would begin to arrive, and what is left is poured in. The level is
 *
 *	t = (left + sum rate_i * floor_i) / sum rate_i		over all floor_i < t
 *
 * which is found from above: of those whose floor is higher than the level of all, none is
 * below the level of the others either.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "arith.h"
#include "level.h"

/*
 * Bits that all rates together count with: with 32 of a floor, and what is left, they fit.
 * Where rates are configured that have no sum in 64 bits the level is garbage, too.
 */
#define LAPSMP_LEVEL_RATE_BITS	28
/* Each lowers it. After so many it may be too high, where there are more paths. */
#define LAPSMP_LEVEL_ROUNDS	16

/* The level of those whose floor is below @top. */
static u64 lapsmp_level_below(const struct lapsmp_pick *p, const u32 *floor_ns, u64 top,
			      u64 left, u8 shift)
{
	u64 area = left, width = 0, rate;
	u16 i;

	for (i = 0; i < p->n; i++) {
		if (floor_ns[i] >= top)
			continue;
		rate = max_t(u64, p->paths[i].rate >> shift, 1);
		width += rate;
		area += rate * floor_ns[i];
	}
	return width ? min(div64_u64(area, width), top) : top;
}

u64 lapsmp_level(const struct lapsmp_pick *p, const u32 *floor_ns)
{
	u8 shift = max(fls64(p->sum->rate), LAPSMP_LEVEL_RATE_BITS) - LAPSMP_LEVEL_RATE_BITS;
	u64 left = lapsmp_arith_muldiv((u64)p->left_segs * p->paths[0].seg_bytes,
				       NSEC_PER_SEC, BIT_ULL(shift));
	u64 level = LAPSMP_LEVEL_NONE, top;
	int rounds = LAPSMP_LEVEL_ROUNDS;

	left = min_t(u64, left, S64_MAX);
	do {
		top = level;
		level = lapsmp_level_below(p, floor_ns, top, left, shift);
	} while (level < top && --rounds);
	return level;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_level);
