// SPDX-License-Identifier: GPL-2.0
/*
 * The shortest round trip of a path whose ways are never empty at once.
 *
 *	rtt = there + back,	raw = there + offset,	rtt - raw = back - offset
 *
 * so the least raw and the least (rtt - raw), each from when it was seen, add up to the least
 * there and the least back. Of two hosts that send to each other one way is empty when the
 * other is full, and round trips as short as that are never seen: on two ways of 10 Mbit/s and
 * 1 ms the least in 40 s was 27 ms. Half of what was too much became the path's base, and all
 * that follows from that.
 *
 * Clocks drift between the two, by what is not known of it: that is added, 61 ppm of the time
 * between, so that on short paths the round trips that are seen count.
 *
 * Reference: RFC 5905 section 8 for the sum. This file reads no clock.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "owd.h"
#include "wayback.h"

/* What clocks may drift by, beyond what is known, of the time between two samples. */
#define LAPSMP_WAYBACK_DRIFT_SHIFT	14

/* Unsigned: garbage may wrap. */
static s64 lapsmp_wayback_sum(s64 a, s64 b)
{
	return (s64)((u64)a + (u64)b);
}

void lapsmp_wayback_update(struct lapsmp_wayback *w, s64 raw_ns, u64 rtt_ns, u64 now_ns)
{
	s64 back_ns = (s64)(rtt_ns - (u64)raw_ns);

	/* A window is never forgotten before the next one knows as well. */
	if ((s64)(now_ns - w->since_ns) > (s64)LAPSMP_OWD_WINDOW_NS) {
		w->before = w->now;
		w->now.at_ns = 0;
		w->since_ns = now_ns;
	}
	if (w->now.at_ns && back_ns > w->now.raw_ns)
		return;
	w->now.raw_ns = back_ns;
	w->now.at_ns = max_t(u64, now_ns, 1);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_wayback_update);

static u64 lapsmp_wayback_both(const struct lapsmp_wayback_low *low, s64 there_ns, u64 there_at_ns)
{
	s64 apart_ns = there_at_ns - low->at_ns;
	s64 rtt_ns = lapsmp_wayback_sum(there_ns, low->raw_ns);

	/* One that is not longer than nothing is garbage. */
	if (!low->at_ns || rtt_ns <= 0)
		return U64_MAX;
	return (u64)rtt_ns + ((apart_ns < 0 ? -(u64)apart_ns : (u64)apart_ns) >>
			      LAPSMP_WAYBACK_DRIFT_SHIFT);
}

u64 lapsmp_wayback_rtt(const struct lapsmp_wayback *w, s64 there_ns, u64 there_at_ns)
{
	return min(lapsmp_wayback_both(&w->now, there_ns, there_at_ns),
		   lapsmp_wayback_both(&w->before, there_ns, there_at_ns));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_wayback_rtt);
