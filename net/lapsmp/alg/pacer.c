// SPDX-License-Identifier: GPL-2.0
/*
 * When the next packet may leave. Each departure moves the due time on by what
 * the packet takes at the pacing rate:
 *
 *	next = max(next, now - BEHIND) + bytes / rate
 *
 * The due time runs on by itself, not from the actual departure, so that a timer
 * which fires late does not lower the rate; BEHIND bounds how much may be made
 * up for at once, or an idle period would be followed by a burst.
 *
 * Reference: the earliest departure times of net/sched/sch_fq.c. This file sets
 * no timer and reads no clock.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "arith.h"
#include "pacer.h"

bool lapsmp_pacer_ready(const struct lapsmp_pacer *p, u64 now_ns)
{
	return p->next_ns <= now_ns ||
	       p->next_ns - now_ns <= LAPSMP_PACER_AHEAD_NS;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pacer_ready);

void lapsmp_pacer_sent(struct lapsmp_pacer *p, u32 bytes, u64 rate, u64 now_ns)
{
	u64 floor_ns = 0;

	if (!rate) {
		p->next_ns = 0;
		return;
	}
	if (now_ns > LAPSMP_PACER_BEHIND_NS)
		floor_ns = now_ns - LAPSMP_PACER_BEHIND_NS;
	p->next_ns = max(p->next_ns, floor_ns) +
		     lapsmp_arith_drain_ns(bytes, rate);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pacer_sent);
