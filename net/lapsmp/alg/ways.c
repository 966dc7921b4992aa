// SPDX-License-Identifier: GPL-2.0
/*
 * A path's two ways apart: the queue on the way back, of which only acknowledgments tell, and a
 * round trip without any queue.
 *
 *	rtt = there + back,	raw = there + offset,	rtt - raw = back - offset
 *
 * so what (rtt - raw) is above its least is queue, and the least of both, each from when it was
 * seen, add up to the least there and the least back. Of two hosts that send to each other one way
 * is empty when the other is full, and round trips as short as that are never seen. Half of what
 * was too much would become the path's base, and all that follows from that.
 *
 * Clocks drift. Beyond what is known of it by up to 977 ppm, no more than a clock that is being
 * set does; so each least is allowed to be larger by that part of the time since it was seen, and
 * whatever is no more than that takes its place. Of clocks that drift all the time that is
 * each sample, and of queues those that are as short as any of late.
 *
 * Reference: RFC 5905 section 8 for the sum, and its PHI for what is allowed for the time
 * since. This file reads no clock.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "ways.h"

/* What clocks may drift by, beyond what is known, of the time between two samples: 1/1024. */
#define LAPSMP_WAYS_DRIFT_SHIFT	10

/* Unsigned, as all sums here: garbage may wrap. */
static u64 lapsmp_ways_drift(u64 a_ns, u64 b_ns)
{
	s64 apart_ns = a_ns - b_ns;

	return (apart_ns < 0 ? -(u64)apart_ns : (u64)apart_ns) >> LAPSMP_WAYS_DRIFT_SHIFT;
}

/* Return: what it is above the least, ns. */
static u64 lapsmp_ways_low(struct lapsmp_ways_low *low, u64 raw_ns, u64 now_ns)
{
	s64 more_ns = raw_ns - (u64)low->raw_ns - lapsmp_ways_drift(now_ns, low->at_ns);

	if (low->at_ns && more_ns > 0)
		return more_ns;
	low->raw_ns = raw_ns;
	low->at_ns = max_t(u64, now_ns, 1);
	return 0;
}

u64 lapsmp_ways_update(struct lapsmp_ways *w, s64 there_ns, u64 rtt_ns, u64 now_ns)
{
	lapsmp_ways_low(&w->there, there_ns, now_ns);
	return lapsmp_ways_low(&w->back, rtt_ns - (u64)there_ns, now_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ways_update);

u64 lapsmp_ways_rtt(const struct lapsmp_ways *w)
{
	s64 rtt_ns = (u64)w->there.raw_ns + (u64)w->back.raw_ns;

	/* One that is no longer than nothing is garbage. */
	if (!w->back.at_ns || rtt_ns <= 0)
		return 0;
	return (u64)rtt_ns + lapsmp_ways_drift(w->there.at_ns, w->back.at_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ways_rtt);
