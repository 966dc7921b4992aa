// SPDX-License-Identifier: GPL-2.0
/*
 * Which sequences of a path arrived: the highest, and a bit for each of the 64
 * below it, as an ACK tells them. Numbers wrap, and whoever forges packets may
 * choose any; so they are compared by their signed difference.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "../compat.h"
#include "seqmap.h"

/* The map as seen from a highest sequence that is @ahead of the one it was. */
static void lapsmp_seqmap_advance(struct lapsmp_seqmap *s, s32 ahead)
{
	s->map = ahead < LAPSMP_SEQMAP_BITS ? s->map << ahead : 0;
	if (ahead <= LAPSMP_SEQMAP_BITS)
		s->map |= BIT_ULL(ahead - 1);
	s->high += ahead;
}

bool lapsmp_seqmap_add(struct lapsmp_seqmap *s, u32 seq)
{
	s32 ahead = seq - s->high;

	if (!s->any) {
		s->any = true;
		s->high = seq;
		return true;
	}
	if (ahead > 0) {
		lapsmp_seqmap_advance(s, ahead);
		return true;
	}
	/*
	 * What is older than the map the sender has long given up. The negative
	 * of one that is half of all numbers away would be no number.
	 */
	if (ahead && ahead >= -LAPSMP_SEQMAP_BITS)
		s->map |= BIT_ULL(-ahead - 1);
	return false;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_seqmap_add);
