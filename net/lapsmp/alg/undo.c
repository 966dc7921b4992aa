// SPDX-License-Identifier: GPL-2.0
/*
 * Bursts of losses that were none: the host, or a hypervisor below it, stood still for longer than
 * a timeout. Once half of what was deemed lost was acknowledged after all, the window is what it
 * was before the first of them.
 *
 * Reference: RFC 5682's idea. This file does not know what a burst is, nor what one takes.
 */
#include <linux/kernel.h>

#include "../compat.h"
#include "undo.h"

/* Decisions without a burst after which nothing comes any more. */
#define LAPSMP_UNDO_QUIET	2

static void lapsmp_undo_forget(struct lapsmp_undo *u)
{
	u->cwnd_q16 = 0;
	u->lost = 0;
	u->spurious = 0;
}

void lapsmp_undo_burst(struct lapsmp_undo *u, u64 cwnd_q16, u32 lost)
{
	u->cwnd_q16 = u->cwnd_q16 ?: cwnd_q16;
	u->lost += lost;
	u->quiet = 0;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_undo_burst);

void lapsmp_undo_decision(struct lapsmp_undo *u)
{
	if (u->quiet++ > LAPSMP_UNDO_QUIET)
		lapsmp_undo_forget(u);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_undo_decision);

u64 lapsmp_undo_spurious(struct lapsmp_undo *u, u32 segs)
{
	u64 cwnd_q16 = u->cwnd_q16;

	if (!cwnd_q16)
		return 0;
	u->spurious += segs;
	if (u->spurious < u->lost - u->lost / 2)
		return 0;
	lapsmp_undo_forget(u);
	return cwnd_q16;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_undo_spurious);
