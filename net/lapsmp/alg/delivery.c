// SPDX-License-Identifier: GPL-2.0
/*
 * How fast a path drains, from the receiver's time stamps. Over a window of at
 * least LAPSMP_DELIVERY_SEGS segments that arrived at rate r:
 *
 *	a queue before half of them:	the path was busy then, and r, that of
 *					these alone, is its rate:
 *					rate += (r - rate) / 2
 *	else:				the path had time to spare, r is a lower
 *					bound, and twice it is worth a try:
 *					rate = min(line_rate, max(rate, 2 r))
 *
 * Half, and these alone, because a burst that finds a long path empty is one
 * segment without a queue and a train behind it that says exactly how fast the
 * path is. Twice that would have the next burst overrun it by a whole pipe.
 *
 * A guess that starts too high fills a slow path's queue and keeps it there, so
 * the caller starts low; without a queue it doubles with each window. How much of a guess
 * was seen is told apart, so that it can be mistrusted.
 *
 * "A queue before it" takes two things: a delay above the base, and that the
 * segment followed the one before it no later than this delay and its own
 * transmission explain. A path that is used now and then has jitter above its
 * base as well, but gaps between the segments: it was not busy, and taking the
 * sender's pauses for its rate would make it look slow.
 *
 * With others on the path, r is our share. How long the queue may be depends on
 * the link: two of our segments that happen to be neighbours in the queue tell it.
 * Where all follow each other at one rate, nobody else is there and this is it;
 * where they do not, the link is believed to be as fast as the sender's until
 * many windows without a faster pair say otherwise. A share taken for the link
 * would have n hosts keep n times the queue.
 *
 * Either says that the link is slow only of segments that were pushed: sent faster
 * than they arrived, so that the delay grew from one to the next. Those that were
 * sent as far apart as they arrived show the sender's pace: where it sends little,
 * between much of others, neighbours are rare, and 16 even gaps are not. That the
 * link is fast they may say, if they say it twice: one fast pair is an accident. Until
 * one or the other was seen, what is believed of the link is nothing to tell others.
 *
 * Who allows a path no more of a queue than a fast link has never fills a slow one, and learns
 * nothing of it. So the fastest of all pairs that were pushed is told, too, though it is a
 * share where others are between them: it is what the path has shown, and the guess is not.
 * But one: a receiver that took two in one batch has told something of itself.
 *
 * Reference: packet pairs (Keshav, SIGCOMM 1991); ALGORITHMS section 7's delivery
 * rate; the idea of bounding a rate sample by what was there to send is that of
 * BBR's application limit. Only differences of the receiver's clock are used: its
 * offset does not matter.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "arith.h"
#include "delivery.h"

/*
 * A receiver that takes packets in batches stamps them within little time, and
 * a window inside one batch would measure memory. Longer than a few batches'
 * worth at 100 Gbit/s, shorter than a window of LAPSMP_DELIVERY_SEGS at 10.
 */
#define LAPSMP_DELIVERY_MIN_NS	10000
/*
 * No pair faster than 1.75 times the mean: nobody else was on the path. With
 * somebody there, neighbours come at twice our share at least; less is a clock
 * with coarse ticks.
 */
#define LAPSMP_DELIVERY_ALONE_NUM	3
#define LAPSMP_DELIVERY_ALONE_DEN	4
/* So many windows have to show a queue beyond doubt, without a first estimate. */
#define LAPSMP_DELIVERY_STRICT		4
/* By what part the link rate falls in a window that did not show it. */
#define LAPSMP_DELIVERY_DECAY_PART	8
/* Of a window that may say that the link is slow, 1/4 were pushed. */
#define LAPSMP_DELIVERY_PUSHED_PART	4

void lapsmp_delivery_init(struct lapsmp_delivery *d, u64 rate)
{
	*d = (struct lapsmp_delivery){ .rate = max_t(u64, rate, 1) };
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_delivery_init);

/* The next window begins with the arrival that ended the last, uncounted. */
static void lapsmp_delivery_restart(struct lapsmp_delivery *d, s64 arr_ns)
{
	d->first_arr_ns = arr_ns;
	d->last_arr_ns = arr_ns;
	d->bytes = 0;
	d->segs = 0;
	d->busy_bytes = 0;
	d->busy_segs = 0;
	d->busy_ns = 0;
	d->busy_top = 0;
	d->pushed_segs = 0;
	d->started = true;
}

static bool lapsmp_delivery_was_queued(const struct lapsmp_delivery *d,
				       s64 gap_ns, u32 bytes, s64 qdelay_ns,
				       u64 line_rate)
{
	/*
	 * A guess that is too low would take any gap for a transmission. But
	 * where acknowledgments stand for many segments, a queue as long as the
	 * gaps may never be: then the guess, raised by then, has to do.
	 */
	bool strict = !d->learned && d->windows < LAPSMP_DELIVERY_STRICT;
	u64 rate = strict ? line_rate : d->rate;

	if (qdelay_ns <= LAPSMP_DELIVERY_QUEUE_NS)
		return false;
	return gap_ns - qdelay_ns <= (s64)lapsmp_arith_drain_ns(bytes, rate);
}

/* @r: rate of the window's busy part. */
static void lapsmp_delivery_learn_link(struct lapsmp_delivery *d, u64 r,
				       u64 line_rate)
{
	u64 top = clamp_t(u64, d->busy_top, 1, max_t(u64, line_rate, 1));
	u64 old = d->link_rate ?: line_rate;
	bool pushed = LAPSMP_DELIVERY_PUSHED_PART * d->pushed_segs >= d->segs;
	bool alone = top <= r || top - r <= r / LAPSMP_DELIVERY_ALONE_DEN *
						LAPSMP_DELIVERY_ALONE_NUM;
	u64 twice = min(top, d->last_top);

	d->last_top = top;
	if (pushed)
		d->link_rate = alone ? min(top, r) :
			max(twice, old - old / LAPSMP_DELIVERY_DECAY_PART);
	else if (!alone || d->link_rate)
		d->link_rate = max(twice, old);
	d->link_shown = d->link_rate && (d->link_shown || (pushed && alone) ||
					 d->link_rate == twice);
}

static void lapsmp_delivery_learn(struct lapsmp_delivery *d, u64 span_ns,
				  u64 line_rate)
{
	u64 r, twice;

	if (2 * d->busy_segs >= d->segs && d->busy_ns) {
		r = lapsmp_arith_muldiv(d->busy_bytes, NSEC_PER_SEC, d->busy_ns);
		/* Half of each, so that the sum cannot wrap. */
		d->rate = d->learned ? d->rate / 2 + min(r, line_rate) / 2 : r;
		d->learned = true;
		lapsmp_delivery_learn_link(d, r, line_rate);
	} else {
		r = lapsmp_arith_muldiv(d->bytes, NSEC_PER_SEC, span_ns);
		twice = r > line_rate / 2 ? line_rate : 2 * r;
		if (!d->learned)
			d->tried = max(d->tried, twice);
		d->rate = max(d->rate, twice);
	}
	d->rate = clamp_t(u64, d->rate, 1, max_t(u64, line_rate, 1));
}

/*
 * A low guess is better replaced soon: on a long path it would be believed for a round trip
 * more than it takes to fill the queue. Where it is as high as can be, somebody knows the link,
 * or segments showed it. Then a queue before a few of them is an accident of a moment: one that
 * is taken for a rate makes a path a thirtieth of its likes, for as long as no window is busy.
 */
static bool lapsmp_delivery_is_enough(const struct lapsmp_delivery *d, u64 line_rate)
{
	return d->segs >= LAPSMP_DELIVERY_SEGS ||
	       (!d->learned && d->rate < line_rate &&
		d->busy_segs >= LAPSMP_DELIVERY_FIRST_SEGS);
}

bool lapsmp_delivery_update(struct lapsmp_delivery *d, s64 arr_ns, u32 bytes,
			    u32 segs, s64 qdelay_ns, u64 line_rate)
{
	u64 r, pushed_top = d->pushed_top;
	s64 gap_ns, span_ns;

	if (!d->started) {
		lapsmp_delivery_restart(d, arr_ns);
		d->qdelay_ns = max_t(s64, qdelay_ns, 0);
		return false;
	}

	d->bytes += bytes;
	d->segs += segs;
	/*
	 * Acknowledgments that overtook each other: what they carry counts, but
	 * the window ends with the newest arrival seen.
	 */
	gap_ns = max_t(s64, arr_ns - d->last_arr_ns, 0);
	d->last_arr_ns += gap_ns;
	if (lapsmp_delivery_was_queued(d, gap_ns, bytes, qdelay_ns, line_rate)) {
		d->busy_bytes += bytes;
		d->busy_segs += segs;
		d->busy_ns += gap_ns;
		r = lapsmp_arith_muldiv(bytes, NSEC_PER_SEC, gap_ns);
		d->busy_top = max(d->busy_top, r);
		/* The delay grew by what they were sent closer together. */
		if (gap_ns && qdelay_ns - d->qdelay_ns >= gap_ns / 2) {
			d->pushed_segs += segs;
			d->pushed_top = clamp(r, d->pushed_top, d->pushed_most);
			d->pushed_most = max(d->pushed_most, r);
		}
	}

	if (gap_ns)
		d->qdelay_ns = max_t(s64, qdelay_ns, 0);

	span_ns = d->last_arr_ns - d->first_arr_ns;
	if (!lapsmp_delivery_is_enough(d, line_rate) || span_ns < LAPSMP_DELIVERY_MIN_NS)
		return !d->learned && d->pushed_top > pushed_top;

	if (d->windows < U8_MAX)
		d->windows++;
	lapsmp_delivery_learn(d, span_ns, line_rate);
	lapsmp_delivery_restart(d, d->last_arr_ns);
	return true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_delivery_update);

u64 lapsmp_delivery_believed(const struct lapsmp_delivery *d, u64 most)
{
	if (d->learned)
		return d->rate;
	return max_t(u64, min(d->rate, max(most, d->tried)), 1);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_delivery_believed);
