// SPDX-License-Identifier: GPL-2.0
/* When a flow sends again what the receiver does not take; see vain.h. */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "vain.h"

/* Doublings; with the least RTO, 0.4 ms, eight of them are LAPSMP_VAIN_MAX_NS. */
#define LAPSMP_VAIN_SHIFT_MAX	8

void lapsmp_vain_missed(struct lapsmp_vain *v, u64 sent_ns, u64 heard_ns, u64 rto_ns,
			u64 now_ns)
{
	u8 shift;

	if (v->rounds && sent_ns < v->round_ns)
		return;
	if (!v->rounds)
		v->first_ns = now_ns;
	v->round_ns = now_ns;
	/* While nobody answers paths wait by themselves, each by its own timeouts. */
	if (v->rounds && heard_ns <= v->first_ns)
		return;
	if (v->rounds < U8_MAX)
		v->rounds++;
	if (v->rounds <= LAPSMP_VAIN_FREE)
		return;
	shift = min(v->rounds - LAPSMP_VAIN_FREE, LAPSMP_VAIN_SHIFT_MAX);
	v->until_ns = now_ns + (min_t(u64, rto_ns, LAPSMP_VAIN_MAX_NS >> shift) << shift);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_vain_missed);
