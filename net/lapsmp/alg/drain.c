// SPDX-License-Identifier: GPL-2.0
/*
 * When all paths of a peer run empty for a moment, so that their lengths can be seen.
 *
 * Who sends all that the network carries never meets it without a queue of his own, and after
 * a while neither knows whether a way has become longer, nor shorter. To guess what of a delay
 * is our own queue was tried: by what the peer's other paths have in common. Two links that share
 * nothing have such a thing as well, and would hide that one has become longer by as much as
 * the queue on the other is; that one has become shorter cannot be seen at all. So nothing is
 * sent until nothing is under way, and then a small packet on each path, with all that waits
 * right behind it: a round trip without data, once in two ticks. Where ways are short it is some
 * more of them, for what delays waver by without a queue (noise.c).
 *
 * What others have in the queue is still in it. So all who send to a host do that together: the
 * occasions are ticks of its clock, each 2^32 ns, that all of them see in its stamps; those of
 * noise.c are shorter ones, each of which all see. They are looked for in the last sixteenth of
 * the one before, so that all stop at once and not when each has heard of it. Who comes at the
 * others' second tick sees their queue end, below what he takes for the length of his way, and
 * is with them from then on. A tick that finds all bases seen or measured lately is none.
 *
 * A path that has just died, or is longer than is waited for, keeps the others waiting for that
 * long, and they are measured another time: after 2, 4 and then each 8 occasions, so that it is
 * no more than 2 s of 34. Probes that are sent at once wait for each other where paths share a
 * link: eight at most, and not always the same ones first.
 *
 * Reference: BBR (CACM 60-2), ProbeRTT, which lasts for 200 ms, at four packets. This file does
 * not know what is under way.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "drain.h"
#include "noise.h"
#include "owd.h"

/* In round trips, how long they are waited for: one that was measured too small is no reason. */
#define LAPSMP_DRAIN_RTTS	2
/* At least and at most. */
#define LAPSMP_DRAIN_MIN_NS	(100ULL * 1000)
#define LAPSMP_DRAIN_MAX_NS	(2ULL * NSEC_PER_SEC)
/* The last part of a tick: a sixteenth. */
#define LAPSMP_DRAIN_LAST_SHIFT	4
/* After such a silence it is not known how many there were. */
#define LAPSMP_DRAIN_SILENT_NS	((s64)NSEC_PER_SEC)
/* Occasions are skipped by powers of two up to this one. */
#define LAPSMP_DRAIN_SKIP_SHIFT	3

/* Is @arr the first in the last part of a tick? */
static bool lapsmp_drain_is_last(s64 old, s64 arr, u8 shift)
{
	s64 last = BIT(LAPSMP_DRAIN_LAST_SHIFT) - 1;
	u8 part = shift - LAPSMP_DRAIN_LAST_SHIFT;

	return arr >> part != old >> part && (arr >> part & last) == last;
}

/* The longest tick, but one, that ends with the shortest one that @arr is in. */
static u8 lapsmp_drain_longest(s64 arr)
{
	u64 next = (arr >> LAPSMP_NOISE_SHIFT_MIN) + 1;

	next |= BIT_ULL(LAPSMP_DRAIN_SHIFT - 1 - LAPSMP_NOISE_SHIFT_MIN);
	return LAPSMP_NOISE_SHIFT_MIN + __ffs64(next);
}

u8 lapsmp_drain_tick(struct lapsmp_drain *d, u32 arr_ns, u64 now_ns)
{
	s64 arr = lapsmp_owd_unwrap(d->arr_ns, arr_ns), old = d->arr_ns;
	bool silent = !d->heard_ns || (s64)(now_ns - d->heard_ns) > LAPSMP_DRAIN_SILENT_NS;

	d->heard_ns = max_t(u64, now_ns, 1);
	if (silent) {
		d->arr_ns = arr;
		return 0;
	}
	/* Acknowledgments overtake each other. */
	if (arr - old <= 0)
		return 0;
	d->arr_ns = arr;
	if (lapsmp_drain_is_last(old, arr, LAPSMP_DRAIN_SHIFT))
		return LAPSMP_DRAIN_SHIFT;
	if (lapsmp_drain_is_last(old, arr, LAPSMP_NOISE_SHIFT_MIN))
		return lapsmp_drain_longest(arr);
	return 0;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_drain_tick);

u64 lapsmp_drain_in_ns(const struct lapsmp_drain *d, u8 shift)
{
	u64 tick_ns = BIT_ULL(shift);

	return tick_ns - (d->arr_ns & (tick_ns - 1));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_drain_in_ns);

bool lapsmp_drain_may(struct lapsmp_drain *d)
{
	if (!d->skip)
		return true;
	d->skip--;
	return false;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_drain_may);

void lapsmp_drain_told(struct lapsmp_drain *d, bool failed)
{
	d->failed = failed ? min_t(u8, d->failed + 1, LAPSMP_DRAIN_SKIP_SHIFT) : 0;
	d->skip = BIT(d->failed) - 1;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_drain_told);

u64 lapsmp_drain_for_ns(u64 rtt_ns)
{
	rtt_ns = min(rtt_ns, LAPSMP_DRAIN_MAX_NS);
	return clamp(LAPSMP_DRAIN_RTTS * rtt_ns, LAPSMP_DRAIN_MIN_NS, LAPSMP_DRAIN_MAX_NS);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_drain_for_ns);

u16 lapsmp_drain_first(struct lapsmp_drain *d, u16 n)
{
	u16 first = d->first % n;

	/* So that it moves on where all are measured, too. */
	d->first = (first + min_t(u16, n - 1, LAPSMP_DRAIN_PROBES)) % n;
	return first;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_drain_first);
