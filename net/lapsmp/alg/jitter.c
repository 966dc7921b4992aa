// SPDX-License-Identifier: GPL-2.0
/*
 * What a path's delay wavers by when nobody's queue changes.
 *
 *	up and down:	spike = the smaller of both steps
 *			all += (min(spike, 10 ms, 4 (all + 250 ns)) - all) / 16
 *	else:		all -= all / 64
 *	low:		likewise, but only of what is once within 3 (all + 250 ns) of the base
 *	own = min(all, max(low, rtt / 32))
 *
 * It must be told from queueing, since it widens the margin below which a delay counts as no
 * congestion. A queue that grows or drains moves one way for many samples, which is taken as a
 * weak sign that there is little noise, so that its turning points do not add up.
 *
 * For who has few samples of it, it does not: of 32 senders to a tenth of their rate by drawn
 * ports, each port found 1 to 3 us in a queue between 20 and 50. Who found more had the longer
 * margins, with which the queue swung more, and so on, until some had thirteen times their
 * part. But such a queue is seldom near the base, where a host that wavers has some packet soon
 * after another one. So what rises from there, and comes back, is believed.
 *
 * Near is measured by all that wavers, and not by what is believed: noise that is longer than
 * the round trip would never begin to be believed, and who takes that for a queue yields to it
 * for ever. By three times of it, the sum of three noises that are evenly distributed is noise;
 * by four, the queue of those senders was, after 80 ms. What is normally distributed is not, so
 * whatever it is, a 32nd of a round trip is believed, by which a margin is longer by an eighth
 * of the pipe, for all who stand in a queue alike.
 *
 * But between samples that are several round trips apart a queue rises and falls unseen, and
 * all of it looks like noise. Who sends a twentieth of a small window by each of six detours
 * found jitter of 1.5 us there, and of 0.3 us on the two ways that have the rest. By margins
 * of 5 to 7 us he took from those who had one way only: of 63 senders to one on a Rail seven
 * ended a ninth later than the others. So
 *
 *	heard less than once in two round trips, and a quarter of what is heard of the peer:
 *		min(own, max(own when it was heard often, usual))
 *
 * with usual the mean over what is heard of the peer by any path. Who has little of a link that
 * he shares, and seldom hears of all of his paths, is not bound by what was usual when he had
 * more: he would yield to those who have most, whose paths waver by that link's queue. Of 32
 * senders to a tenth of their rate some got half of what they do now.
 *
 * Reference: RFC 3550 section 6.4.1 for the filter. This file does not know what a margin is,
 * and reads no clock.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "jitter.h"

/* RFC 3550's gain of 1/16. */
#define LAPSMP_JITTER_SHIFT	4
/* A quarter of that for forgetting: of pure noise a third is no turn either. */
#define LAPSMP_JITTER_CALM_SHIFT	6
/* A larger spike is an event (a frozen guest, a new route), not noise. */
#define LAPSMP_JITTER_SPIKE_MAX_NS	(10 * 1000 * 1000)
/*
 * And no spike counts for more than so many times what is usual, and a quarter of a
 * microsecond: what passes others in the switches (express.c) holds them up for as long as
 * it lasts. What is noise after all is believed within some tens of samples.
 */
#define LAPSMP_JITTER_SPIKE_RATIO	4
#define LAPSMP_JITTER_SPIKE_LEAST_NS	250
/* How far samples are apart: over 16 of them, where a pause counts for so many round trips. */
#define LAPSMP_JITTER_APART_SHIFT	4
#define LAPSMP_JITTER_APART_RTTS	64
/* Of no more than this, the path is heard often. */
#define LAPSMP_JITTER_OFTEN_RTTS	2
/*
 * And so many in a row say what it wavers by then: there is not much left of what was measured
 * before, and where gaps are drawn there are always some short ones in a row.
 */
#define LAPSMP_JITTER_SURE	64
/* Nearer to the base than so many times all that wavers, and that least, it is no queue. */
#define LAPSMP_JITTER_LOW_RATIO	3
/* Of what may as well be one, a 32nd of a round trip is believed. */
#define LAPSMP_JITTER_QUEUE_SHIFT	5
/* Of so many times what any path's are, it is one of several that tell more. */
#define LAPSMP_JITTER_PART	4
/* Of what is usual, one sample counts for 1/32. */
#define LAPSMP_JITTER_USUAL_SHIFT	5

/* One sample: a spike, or if that is not above 0, none. */
static u32 lapsmp_jitter_smooth(u32 jitter_ns, s64 spike_ns)
{
	s64 step;

	if (spike_ns <= 0)
		return jitter_ns - (jitter_ns >> LAPSMP_JITTER_CALM_SHIFT);
	step = min3(spike_ns, (s64)LAPSMP_JITTER_SPIKE_MAX_NS,
		    LAPSMP_JITTER_SPIKE_RATIO * ((s64)jitter_ns + LAPSMP_JITTER_SPIKE_LEAST_NS)) -
	       jitter_ns;
	/*
	 * Rounded away from zero, or the estimate would stop up to 15 ns short
	 * of where the samples are.
	 */
	step += step > 0 ? (1 << LAPSMP_JITTER_SHIFT) - 1 : 0;
	return jitter_ns + (step >> LAPSMP_JITTER_SHIFT);
}

static void lapsmp_jitter_spike(struct lapsmp_jitter *j, s64 delta_ns, s64 above_ns)
{
	/* Of a spike, the lower one of those beside it; of a dip, what it dips to. */
	s64 lowest_ns = delta_ns < 0 ? min(above_ns, j->before_ns) : j->above_ns;
	s64 up_ns = max(delta_ns, j->delta_ns), down_ns = -min(delta_ns, j->delta_ns);
	s64 spike_ns = min(up_ns, down_ns);

	j->all_ns = lapsmp_jitter_smooth(j->all_ns, spike_ns);
	if (lowest_ns >
	    LAPSMP_JITTER_LOW_RATIO * ((s64)j->all_ns + LAPSMP_JITTER_SPIKE_LEAST_NS))
		spike_ns = 0;
	j->low_ns = lapsmp_jitter_smooth(j->low_ns, spike_ns);
	j->delta_ns = delta_ns;
	j->before_ns = j->above_ns;
	j->above_ns = above_ns;
}

/* As far as the path alone tells. */
static u32 lapsmp_jitter_own(const struct lapsmp_jitter *j, u64 rtt_ns)
{
	return min_t(u64, j->all_ns, max_t(u64, j->low_ns, rtt_ns >> LAPSMP_JITTER_QUEUE_SHIFT));
}

/* Smoothed, of what is zeroed in the beginning. Return: how long it was this time. */
static u64 lapsmp_jitter_apart(u64 *apart_ns, u64 at_ns, u64 rtt_ns, u64 now_ns)
{
	u64 now_apart_ns = now_ns > at_ns ? now_ns - at_ns : 0;
	u64 most_ns = min(now_apart_ns, LAPSMP_JITTER_APART_RTTS * rtt_ns);

	if (!*apart_ns)
		*apart_ns = most_ns;
	*apart_ns += (most_ns >> LAPSMP_JITTER_APART_SHIFT) -
		     (*apart_ns >> LAPSMP_JITTER_APART_SHIFT);
	return now_apart_ns;
}

void lapsmp_jitter_update(struct lapsmp_jitter *j, const struct lapsmp_jitter_sample *s)
{
	u64 often_ns = LAPSMP_JITTER_OFTEN_RTTS * s->rtt_ns;
	bool near = j->at_ns && lapsmp_jitter_apart(&j->apart_ns, j->at_ns, s->rtt_ns,
						    s->now_ns) <= often_ns;

	lapsmp_jitter_spike(j, s->delta_ns, s->above_ns);
	j->near = near ? min(j->near + 1, LAPSMP_JITTER_SURE) : 0;
	if (j->near == LAPSMP_JITTER_SURE)
		j->often_ns = lapsmp_jitter_own(j, s->rtt_ns);
	j->at_ns = max(j->at_ns, s->now_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_jitter_update);

void lapsmp_jitter_usual_update(struct lapsmp_jitter_usual *u, const struct lapsmp_jitter *j,
				u64 rtt_ns)
{
	/* Up to 10 ms, 24 bits, and 8 more. */
	u32 own_q8 = lapsmp_jitter_own(j, rtt_ns) << 8;

	if (u->at_ns)
		lapsmp_jitter_apart(&u->apart_ns, u->at_ns, rtt_ns, j->at_ns);
	u->at_ns = max(u->at_ns, j->at_ns);
	u->q8 += (own_q8 >> LAPSMP_JITTER_USUAL_SHIFT) - (u->q8 >> LAPSMP_JITTER_USUAL_SHIFT);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_jitter_usual_update);

u32 lapsmp_jitter_ns(const struct lapsmp_jitter *j, const struct lapsmp_jitter_usual *u,
		     u64 rtt_ns)
{
	u32 own_ns = lapsmp_jitter_own(j, rtt_ns);

	if (j->apart_ns <= LAPSMP_JITTER_OFTEN_RTTS * rtt_ns ||
	    j->apart_ns / LAPSMP_JITTER_PART <= u->apart_ns)
		return own_ns;
	return min(own_ns, max(j->often_ns, u->q8 >> 8));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_jitter_ns);
