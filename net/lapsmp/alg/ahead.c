// SPDX-License-Identifier: GPL-2.0
/*
 * What stands before a packet that is sent on a path now:
 *
 *	ahead = max(seen, own)
 *	seen  = max(q - age, q / 2 - age / 8, 0),	q = owd - base
 *	own   = max(min(all, clear - now), all - pipe),	all = inflight * seg_bytes / rate
 *
 * as is to be expected, and at most
 *
 *	most  = max(q - age / 16, own)
 *
 * where age is how long ago q was heard, and clear is when the slowest link has passed on
 * all that this host has sent, if it does so at the path's rate.
 *
 * Neither is right alone. What was seen includes other hosts' packets, but is a round trip
 * old: a burst would run after the last good sample. What is known of our own packets is up
 * to date, but blind to others. The queue is at least what either says; the sum would
 * count our own packets twice, since what was seen was theirs, too.
 *
 * What was seen fades. If it was ours it drains, and is gone after as long as it was; if
 * others keep it up it is still there: half of it is believed, and that for no longer than
 * four times as long as it was, so that one bad sample does not repel until the path is asked
 * again. Where a window comes back in bursts a sample may be a round trip old: a shorter queue
 * of others has faded by then. So who asks whether there can be none has it fade after sixteen
 * times as long: of several ports on one link each that was not used for a while would seem to be
 * idle otherwise.
 *
 * Of our own packets not all that is under way is in the queue. On a path of 10 ms it is
 * mostly on its way: a shorter one was filled up for as long as what was on its way there
 * would have taken to leave again. The clock tells what has left; but not if the rate is
 * another one by now, or nothing leaves at all. So it is no more than all, and no less than
 * what the empty path does not hold. What passes others has its own under way, and the clock is
 * everybody's: beside others it counts all of its own.
 *
 * This file does not know how delays are measured.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "ahead.h"

/* What is believed of an old queue, a half, fades by 1/8 of its age. */
#define LAPSMP_AHEAD_OTHERS_PART	2
#define LAPSMP_AHEAD_FADE_PART		8
/* At most it is what it was, less 1/16 of its age. */
#define LAPSMP_AHEAD_MOST_PART		16

/* What packets met, and how long ago that was heard. */
static s64 lapsmp_ahead_met(const struct lapsmp_path_view *v)
{
	return v->pipe_ns ? lapsmp_ahead_sane(v->owd_ns) - lapsmp_ahead_sane(v->base_ns) : 0;
}

static s64 lapsmp_ahead_age(const struct lapsmp_path_view *v, u64 now_ns)
{
	return min_t(u64, now_ns - min(now_ns, v->heard_ns), LAPSMP_AHEAD_NS_MAX);
}

static s64 lapsmp_ahead_seen(const struct lapsmp_path_view *v, u64 now_ns)
{
	s64 met_ns = lapsmp_ahead_met(v), age_ns = lapsmp_ahead_age(v, now_ns);

	return max(met_ns - age_ns,
		   met_ns / LAPSMP_AHEAD_OTHERS_PART - age_ns / LAPSMP_AHEAD_FADE_PART);
}

static u64 lapsmp_ahead_own(const struct lapsmp_path_view *v, u64 now_ns)
{
	u64 all_ns = lapsmp_ahead_drain(v, v->inflight_segs);

	return max(min(all_ns, v->clear_ns - min(v->clear_ns, now_ns)),
		   all_ns - min(all_ns, v->pipe_ns));
}

/* Others', if they are not passed, or our own. */
static u64 lapsmp_ahead_of(const struct lapsmp_path_view *v, bool passes, s64 seen_ns, u64 now_ns)
{
	u64 ahead_ns = lapsmp_ahead_own(v, now_ns);

	if (!passes && seen_ns > 0)
		ahead_ns = max_t(u64, ahead_ns, seen_ns);
	return min_t(u64, ahead_ns, LAPSMP_AHEAD_NS_MAX);
}

u64 lapsmp_ahead(const struct lapsmp_path_view *v, bool passes, u64 now_ns)
{
	return lapsmp_ahead_of(v, passes, lapsmp_ahead_seen(v, now_ns), now_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ahead);

u64 lapsmp_ahead_most(const struct lapsmp_path_view *v, bool passes, u64 now_ns)
{
	s64 fade_ns = lapsmp_ahead_age(v, now_ns) / LAPSMP_AHEAD_MOST_PART;

	return lapsmp_ahead_of(v, passes, lapsmp_ahead_met(v) - fade_ns, now_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ahead_most);
