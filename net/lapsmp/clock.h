/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two clocks. lapsmp_clock_now() is for everything local: timers, round
 * trips, ages. lapsmp_clock_stamp() is what a peer gets to see; it differs by
 * an offset and a drift that tests set, to prove that neither matters.
 */
#ifndef _LAPSMP_CLOCK_H
#define _LAPSMP_CLOCK_H

#include <linux/ktime.h>
#include <linux/math64.h>
#include "netns.h"

static inline u64 lapsmp_clock_now(void)
{
	return ktime_get_ns();
}

/*
 * Is @at_ns more than @age_ns ago? It may also be later than @now_ns: another
 * CPU, or a softirq, looked at the clock after us.
 */
static inline bool lapsmp_clock_older(u64 at_ns, u64 now_ns, u64 age_ns)
{
	return (s64)(now_ns - at_ns) > (s64)age_ns;
}

/* @now_ns: of lapsmp_clock_now(). */
static inline u64 lapsmp_clock_stamp(const struct lapsmp_net *ln, u64 now_ns)
{
	s32 ppb = READ_ONCE(ln->conf.clock_ppb);
	u64 stamp = now_ns + READ_ONCE(ln->conf.clock_offset_ns);

	if (ppb)
		stamp += div_s64((s64)(now_ns >> 10) * ppb, 1000000000 >> 10);
	return stamp;
}

#endif /* _LAPSMP_CLOCK_H */
