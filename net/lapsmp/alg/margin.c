// SPDX-License-Identifier: GPL-2.0
/*
 * The queue that a path may have: what its slowest link needs for some packets, and what
 * its delay wavers by.
 *
 *	r = link				if that is known
 *	    max(others, rate)			else, if those of paths like it are
 *	    rate				else, if that was measured
 *	    min(rate, pushed)			else: it is a guess, and that was seen
 *	wavers = max(4 jitter, noise)
 *	M = max(segs frame / r + wavers, least)
 *	M = min(M, max(rtt / 2 + wavers, least))	of drawn ports
 *	M = min(M, rtt / 2 + wavers)			else, if the link is not known
 *
 * Why the link's rate, and not the share of it that is measured as the path's: a queue is as
 * long for all who stand in it. Who allows it several times what the others do finds room
 * where they find none.
 *
 * Why what the others have shown: a path that carries little between much of others seldom
 * shows its link. But of its own, if that was measured, no less: the others' may be slower.
 *
 * Why what was pushed: by a guess of 2 Gbit/s the margin is 30 us. On a link of 20 Mbit/s one
 * packet behind another is above that, so that there was never a queue by which the link shows
 * how fast it is: 600 segments later it was still believed to have two gigabits.
 *
 * Why half of a round trip: of a link that nobody has seen, a share allows no more than half
 * of what the pipe holds. Of hosts that begin together, none has seen it empty.
 *
 * Why of drawn ports in any case: who uses many paths is late to know how slow a link is that
 * he shares, and some never do. Those who know it would allow themselves several times what
 * the others do, and the longest queue has all. What others have shown may be wrong of this
 * one, too. It costs a hundredth or two where five packets are more than half of what the
 * pipe holds.
 *
 * Reference: LAPS section III-F's margin of five packets; how much they are in time is ours.
 * This file remembers nothing.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "margin.h"
#include "policy.h"

/* As many times its mean is waited for in RFC 6298, too. */
#define LAPSMP_MARGIN_JITTERS	4

static u64 lapsmp_margin_rate(const struct lapsmp_margin_sample *s)
{
	if (s->link_rate)
		return s->link_rate;
	if (!s->others_rate)
		return s->learned || !s->pushed_rate ? s->rate : min(s->rate, s->pushed_rate);
	return s->learned ? max(s->others_rate, s->rate) : s->others_rate;
}

u64 lapsmp_margin_ns(const struct lapsmp_margin_sample *s)
{
	u64 wavers_ns = max(LAPSMP_MARGIN_JITTERS * s->jitter_ns, s->noise_ns);
	u64 pipe_ns, margin_ns;

	/* 16 bits times 17 times 30. */
	margin_ns = div64_u64((u64)s->segs * s->frame_bytes * NSEC_PER_SEC,
			      lapsmp_margin_rate(s)) + wavers_ns;
	margin_ns = max(margin_ns, s->least_ns);
	if (s->link_rate && !s->drawn)
		return margin_ns;
	pipe_ns = s->rtt_ns / 2 + wavers_ns;
	return min(margin_ns, s->drawn ? max(pipe_ns, s->least_ns) : pipe_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_margin_ns);
