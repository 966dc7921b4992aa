// SPDX-License-Identifier: GPL-2.0
/*
 * One-way delays of one path: the newest and the base.
 *
 *	raw = receiver's stamp - sender's stamp = delay + offset of the clocks
 *
 * The offset is unknown, but the same in every sample, so what a path has above
 * its base is known without it. The base is a windowed minimum with a rule for
 * its end:
 *
 *	sample <= base:			base = sample
 *	base older than the window:	base = its successor
 *
 * The successor is the smallest sample meanwhile of packets that left when nothing of ours was
 * under way, on no path. A plain windowed minimum would, after one window at full load, take our
 * own standing queue for the length of the path. So it would that of our other paths, which may
 * share links with this one: two flows by eight drawn ports let the queue on a link of
 * 100 Mbit/s grow from 14 packets to 121 in 95 s, each window by what stood there in the one
 * before. Where there is no such packet by itself, drain.c sees to it.
 *
 * A small packet is sooner there than a full one, by what the slowest link needs for the
 * rest: at 200 Mbit/s 57 us, more than the margin of a link that nobody has seen. Against a
 * base of small ones a single full one would look like a queue, its flow would send one at a
 * time from then on, and never see how fast the link is. So full ones have a base of their
 * own beside that of all:
 *
 *	d = full - base
 *	what data takes = base			if d <= margin
 *			  full			else, if no two full packets were nearer than d
 *			  base			else, if the slowest link is not known,
 *						or one takes it no longer than the margin
 *			  base + min(d, full / link)	else
 *
 * Where a full packet takes d longer than a small one, the next one by that link is no sooner
 * than that behind it. If some were, they may have come by another link; but d may as well be a
 * queue that was there for full ones and not for small ones, for example because others began
 * at the same time: it must not become the base. What the slowest link itself takes for a full
 * one is none. Nor is it worth it while d fits into the margin: what has few samples would have
 * a longer base than what has many.
 *
 * Reference: LAPS section III-D and III-F; RFC 6817 section 3.1.1 for base
 * delays. This file does not know what a margin is, and reads no clock.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "arith.h"
#include "owd.h"

s64 lapsmp_owd_unwrap(s64 last_ns, u32 raw32)
{
	s32 step = (s32)(raw32 - (u32)last_ns);

	/* Unsigned, since a hostile sequence may walk it around. */
	return (s64)((u64)last_ns + (u64)(s64)step);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_owd_unwrap);

/* a - b, or the nearest that fits: garbage in must not be undefined behaviour. */
static s64 lapsmp_owd_diff(s64 a, s64 b)
{
	s64 d = (s64)((u64)a - (u64)b);

	/*
	 * The wrapped result has the wrong sign if it did not fit. S64_MIN is
	 * avoided, so that the caller may negate what it gets.
	 */
	if (a < b)
		return d < 0 ? max(d, -S64_MAX) : -S64_MAX;
	return d >= 0 ? d : S64_MAX;
}

/*
 * Signed, since samples of several CPUs may be out of order by a little: one
 * from before the base was seen must not look infinitely late.
 */
static bool lapsmp_owd_is_old(u64 at_ns, u64 now_ns)
{
	return (s64)(now_ns - at_ns) > (s64)LAPSMP_OWD_WINDOW_NS;
}

bool lapsmp_owd_is_due(const struct lapsmp_owd *o, u64 within_ns, u64 now_ns)
{
	return !o->next_at_ns && lapsmp_owd_is_old(o->base_at_ns, now_ns + within_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_owd_is_due);

static bool lapsmp_owd_is_next(const struct lapsmp_owd *o, const struct lapsmp_owd_sample *s)
{
	return s->alone && (!o->next_at_ns || s->raw_ns <= o->next_raw_ns);
}

/* The way is longer: so it is for full packets, of which none was seen since. */
static void lapsmp_owd_full_longer(struct lapsmp_owd *o, s64 by_ns)
{
	if (o->full_at_ns && (s64)(o->next_at_ns - o->full_at_ns) > 0)
		o->full_raw_ns = lapsmp_owd_diff(o->full_raw_ns, -by_ns);
}

static void lapsmp_owd_take_next(struct lapsmp_owd *o, const struct lapsmp_owd_sample *s)
{
	s64 old_ns = o->base_raw_ns;

	/* Not above what was just seen, be it alone or not. */
	o->base_raw_ns = min(o->next_raw_ns, s->raw_ns);
	o->base_at_ns = s->raw_ns < o->next_raw_ns ? s->now_ns : o->next_at_ns;
	lapsmp_owd_full_longer(o, lapsmp_owd_diff(o->base_raw_ns, old_ns));
	if (!s->small)
		o->full_raw_ns = min(o->full_raw_ns, s->raw_ns);
	if (o->next_rtt_ns && lapsmp_owd_is_old(o->min_rtt_at_ns, s->now_ns)) {
		o->min_rtt_ns = s->rtt_ns ? min(o->next_rtt_ns, s->rtt_ns) : o->next_rtt_ns;
		o->min_rtt_at_ns = o->next_at_ns;
	}
	o->next_at_ns = 0;
}

static void lapsmp_owd_any(struct lapsmp_owd *o, const struct lapsmp_owd_sample *s)
{
	if (s->raw_ns <= o->base_raw_ns) {
		o->base_raw_ns = s->raw_ns;
		o->base_at_ns = s->now_ns;
		/* Seen while this base was not yet known: no successor of it. */
		o->next_at_ns = 0;
		return;
	}
	if (lapsmp_owd_is_next(o, s)) {
		o->next_raw_ns = s->raw_ns;
		o->next_at_ns = s->now_ns;
		o->next_rtt_ns = s->rtt_ns;
	}
	if (lapsmp_owd_is_old(o->base_at_ns, s->now_ns) && o->next_at_ns)
		lapsmp_owd_take_next(o, s);
}

/* As above, but without a successor: an old one ends with a sample that was alone. */
static void lapsmp_owd_full(struct lapsmp_owd *o, const struct lapsmp_owd_sample *s)
{
	bool old = lapsmp_owd_is_old(o->full_at_ns, s->now_ns);

	if (s->small)
		return;
	if (!o->full_at_ns || s->raw_ns <= o->full_raw_ns ||
	    (old && s->alone)) {
		o->full_raw_ns = s->raw_ns;
		o->full_at_ns = max_t(u64, s->now_ns, 1);
	}
}

/* Likewise. */
static void lapsmp_owd_min_rtt(struct lapsmp_owd *o, const struct lapsmp_owd_sample *s)
{
	bool old = lapsmp_owd_is_old(o->min_rtt_at_ns, s->now_ns);

	if (!s->rtt_ns)
		return;
	if (!o->min_rtt_ns || s->rtt_ns <= o->min_rtt_ns ||
	    (old && s->alone)) {
		o->min_rtt_ns = s->rtt_ns;
		o->min_rtt_at_ns = s->now_ns;
	}
	/* It need not have been seen as a whole. */
	if (s->both_ns)
		o->min_rtt_ns = min(o->min_rtt_ns, s->both_ns);
}

s64 lapsmp_owd_update(struct lapsmp_owd *o, const struct lapsmp_owd_sample *s)
{
	s64 more_ns = o->valid ? lapsmp_owd_diff(s->raw_ns, o->raw_ns) : 0;

	lapsmp_owd_min_rtt(o, s);
	lapsmp_owd_full(o, s);
	o->raw_ns = s->raw_ns;
	if (o->valid) {
		lapsmp_owd_any(o, s);
		return more_ns;
	}
	o->valid = true;
	o->base_raw_ns = s->raw_ns;
	o->base_at_ns = s->now_ns;
	return more_ns;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_owd_update);

/* What the link takes for a full packet, where that is more than the margin. */
static s64 lapsmp_owd_link_ns(const struct lapsmp_owd_link *l)
{
	s64 link_ns = l->rate ? lapsmp_arith_drain_ns(l->bytes, l->rate) : 0;

	return link_ns > l->margin_ns ? link_ns : 0;
}

s64 lapsmp_owd_base(const struct lapsmp_owd *o, const struct lapsmp_owd_link *l)
{
	s64 d_ns = o->full_at_ns ? lapsmp_owd_diff(o->full_raw_ns, o->base_raw_ns) : 0;

	if (d_ns <= max_t(s64, l->margin_ns, 0))
		return o->base_raw_ns;
	if (l->gap_ns >= (u64)d_ns)
		return o->full_raw_ns;
	return o->base_raw_ns + min(d_ns, lapsmp_owd_link_ns(l));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_owd_base);

s64 lapsmp_owd_unseen_ns(const struct lapsmp_owd *o, const struct lapsmp_owd_link *l)
{
	return o->full_at_ns ? 0 : lapsmp_owd_link_ns(l);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_owd_unseen_ns);

s64 lapsmp_owd_anchor(const struct lapsmp_owd *o)
{
	return lapsmp_owd_diff(o->base_raw_ns, o->min_rtt_ns / 2);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_owd_anchor);
