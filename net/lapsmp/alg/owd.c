// SPDX-License-Identifier: GPL-2.0
/*
 * One-way delays of one path: the newest, the base and the jitter.
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
 * Jitter must be told from queueing too, since it widens the margin below which
 * a delay counts as no congestion. It is measured from spikes: when a delay went
 * one way and the next sample came back, the smaller of both steps is noise. A
 * queue that grows or drains moves one way for many samples, which is taken as a
 * weak sign that there is little noise, so that its turning points do not add up.
 *
 * But between samples that are several round trips apart a queue rises and falls unseen, and
 * all of it looks like noise. Who sends a twentieth of a small window by each of six detours
 * found jitter of 1.5 us there, and of 0.3 us on the two ways that have the rest. By margins
 * of 9 us he took from those who had one way only: of 63 senders to one on a Rail seven ended
 * an eighth later than the others. So a path that is heard less than once in two round trips
 * is believed what it had when it was heard often, or what is usual of those that are. Where
 * none is, as between requests and answers, there is nothing else to believe.
 *
 * Reference: LAPS section III-D and III-F; RFC 6817 section 3.1.1 for base
 * delays, RFC 3550 section 6.4.1 for the filter. This file does not know what a
 * margin is, and reads no clock.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "arith.h"
#include "owd.h"

/* RFC 3550's gain of 1/16. */
#define LAPSMP_OWD_JITTER_SHIFT	4
/* A quarter of that for forgetting: of pure noise a third is no turn either. */
#define LAPSMP_OWD_CALM_SHIFT	6
/* A larger spike is an event (a frozen guest, a new route), not noise. */
#define LAPSMP_OWD_SPIKE_MAX_NS	(10 * 1000 * 1000)
/*
 * And no spike counts for more than so many times what is usual, and a quarter of a
 * microsecond: what passes others in the switches (express.c) holds them up for as long as
 * it lasts. What is noise after all is believed within some tens of samples.
 */
#define LAPSMP_OWD_SPIKE_RATIO		4
#define LAPSMP_OWD_SPIKE_LEAST_NS	250

/* How far samples are apart: over 16 of them, where a pause counts for so many round trips. */
#define LAPSMP_OWD_APART_SHIFT		4
#define LAPSMP_OWD_APART_RTTS		64
/* Of no more than this, it is heard often. */
#define LAPSMP_OWD_OFTEN_RTTS		2
/* Of what is usual, one sample counts for 1/32. */
#define LAPSMP_OWD_USUAL_SHIFT		5

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

static void lapsmp_owd_jitter(struct lapsmp_owd *o, s64 delta_ns)
{
	s64 up_ns, down_ns, step;

	up_ns = max(delta_ns, o->delta_ns);
	down_ns = -min(delta_ns, o->delta_ns);
	if (up_ns <= 0 || down_ns <= 0) {
		o->jitter_ns -= o->jitter_ns >> LAPSMP_OWD_CALM_SHIFT;
		return;
	}
	step = min(up_ns, down_ns);
	step = min3(step, (s64)LAPSMP_OWD_SPIKE_MAX_NS,
		    LAPSMP_OWD_SPIKE_RATIO * (o->jitter_ns + LAPSMP_OWD_SPIKE_LEAST_NS)) -
	       o->jitter_ns;
	/*
	 * Rounded away from zero, or the estimate would stop up to 15 ns short
	 * of where the samples are.
	 */
	step += step > 0 ? (1 << LAPSMP_OWD_JITTER_SHIFT) - 1 : 0;
	o->jitter_ns += step >> LAPSMP_OWD_JITTER_SHIFT;
}

/* Return: whether the sample is near to the one before. */
static bool lapsmp_owd_apart(struct lapsmp_owd *o, u64 now_ns)
{
	u64 apart_ns = now_ns > o->at_ns ? now_ns - o->at_ns : 0;
	bool near = apart_ns <= LAPSMP_OWD_OFTEN_RTTS * o->min_rtt_ns;

	apart_ns = min(apart_ns, LAPSMP_OWD_APART_RTTS * o->min_rtt_ns);
	if (!o->apart_ns)
		o->apart_ns = apart_ns;
	o->apart_ns += (apart_ns >> LAPSMP_OWD_APART_SHIFT) -
		       (o->apart_ns >> LAPSMP_OWD_APART_SHIFT);
	o->at_ns = max(o->at_ns, now_ns);
	return near;
}

static bool lapsmp_owd_is_often(const struct lapsmp_owd *o)
{
	return o->apart_ns && o->apart_ns <= LAPSMP_OWD_OFTEN_RTTS * o->min_rtt_ns;
}

void lapsmp_owd_usual_update(struct lapsmp_owd_usual *u, const struct lapsmp_owd *o)
{
	/* Up to 10 ms, 24 bits, and 8 more. */
	u32 jitter_q8 = o->jitter_ns << 8;

	if (!lapsmp_owd_is_often(o))
		return;
	if (!u->known)
		u->jitter_q8 = jitter_q8;
	u->known = true;
	u->jitter_q8 += (jitter_q8 >> LAPSMP_OWD_USUAL_SHIFT) -
			(u->jitter_q8 >> LAPSMP_OWD_USUAL_SHIFT);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_owd_usual_update);

u32 lapsmp_owd_jitter_ns(const struct lapsmp_owd *o, const struct lapsmp_owd_usual *u)
{
	if (!u->known || lapsmp_owd_is_often(o))
		return o->jitter_ns;
	return min(o->jitter_ns, max(o->often_jitter_ns, u->jitter_q8 >> 8));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_owd_jitter_ns);

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

void lapsmp_owd_update(struct lapsmp_owd *o, const struct lapsmp_owd_sample *s)
{
	s64 delta_ns;
	bool near;

	lapsmp_owd_min_rtt(o, s);
	lapsmp_owd_full(o, s);
	if (!o->valid) {
		o->valid = true;
		o->raw_ns = s->raw_ns;
		o->base_raw_ns = s->raw_ns;
		o->base_at_ns = s->now_ns;
		o->at_ns = s->now_ns;
		return;
	}
	near = lapsmp_owd_apart(o, s->now_ns);
	delta_ns = lapsmp_owd_diff(s->raw_ns, o->raw_ns);
	lapsmp_owd_jitter(o, delta_ns);
	if (near && lapsmp_owd_is_often(o))
		o->often_jitter_ns = o->jitter_ns;
	lapsmp_owd_any(o, s);
	o->delta_ns = delta_ns;
	o->raw_ns = s->raw_ns;
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
