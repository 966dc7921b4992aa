// SPDX-License-Identifier: GPL-2.0
/*
 * What a path's delay wavers by when nobody's queue changes.
 *
 *	up and down:	spike = the smaller of both steps
 *			jitter += (min(spike, 10 ms, 4 (jitter + 250 ns)) - jitter) / 16
 *	else:		jitter -= jitter / 64
 *
 * It must be told from queueing, since it widens the margin below which a delay counts as no
 * congestion. A queue that grows or drains moves one way for many samples, which is taken as a
 * weak sign that there is little noise, so that its turning points do not add up.
 *
 * But between samples that are several round trips apart a queue rises and falls unseen, and
 * all of it looks like noise. Who sends a twentieth of a small window by each of six detours
 * found jitter of 1.5 us there, and of 0.3 us on the two ways that have the rest. By margins
 * of 5 to 7 us he took from those who had one way only: of 63 senders to one on a Rail seven
 * ended a ninth later than the others. So
 *
 *	heard less than once in two round trips, and a quarter of what is heard of the peer:
 *		min(jitter, max(jitter when it was heard often, usual))
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
/* Of so many times what any path's are, it is one of several that tell more. */
#define LAPSMP_JITTER_PART	4
/* Of what is usual, one sample counts for 1/32. */
#define LAPSMP_JITTER_USUAL_SHIFT	5

static void lapsmp_jitter_spike(struct lapsmp_jitter *j, s64 delta_ns)
{
	s64 up_ns, down_ns, step;

	up_ns = max(delta_ns, j->delta_ns);
	down_ns = -min(delta_ns, j->delta_ns);
	if (up_ns <= 0 || down_ns <= 0) {
		j->own_ns -= j->own_ns >> LAPSMP_JITTER_CALM_SHIFT;
		return;
	}
	step = min(up_ns, down_ns);
	step = min3(step, (s64)LAPSMP_JITTER_SPIKE_MAX_NS,
		    LAPSMP_JITTER_SPIKE_RATIO * (j->own_ns + LAPSMP_JITTER_SPIKE_LEAST_NS)) -
	       j->own_ns;
	/*
	 * Rounded away from zero, or the estimate would stop up to 15 ns short
	 * of where the samples are.
	 */
	step += step > 0 ? (1 << LAPSMP_JITTER_SHIFT) - 1 : 0;
	j->own_ns += step >> LAPSMP_JITTER_SHIFT;
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

void lapsmp_jitter_update(struct lapsmp_jitter *j, s64 delta_ns, u64 rtt_ns, u64 now_ns)
{
	u64 often_ns = LAPSMP_JITTER_OFTEN_RTTS * rtt_ns;
	bool near = j->at_ns && lapsmp_jitter_apart(&j->apart_ns, j->at_ns, rtt_ns,
						    now_ns) <= often_ns;

	lapsmp_jitter_spike(j, delta_ns);
	j->near = near ? min(j->near + 1, LAPSMP_JITTER_SURE) : 0;
	if (j->near == LAPSMP_JITTER_SURE)
		j->often_ns = j->own_ns;
	j->delta_ns = delta_ns;
	j->at_ns = max(j->at_ns, now_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_jitter_update);

void lapsmp_jitter_usual_update(struct lapsmp_jitter_usual *u, const struct lapsmp_jitter *j,
				u64 rtt_ns)
{
	/* Up to 10 ms, 24 bits, and 8 more. */
	u32 own_q8 = j->own_ns << 8;

	if (u->at_ns)
		lapsmp_jitter_apart(&u->apart_ns, u->at_ns, rtt_ns, j->at_ns);
	u->at_ns = max(u->at_ns, j->at_ns);
	u->q8 += (own_q8 >> LAPSMP_JITTER_USUAL_SHIFT) - (u->q8 >> LAPSMP_JITTER_USUAL_SHIFT);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_jitter_usual_update);

u32 lapsmp_jitter_ns(const struct lapsmp_jitter *j, const struct lapsmp_jitter_usual *u,
		     u64 rtt_ns)
{
	if (j->apart_ns <= LAPSMP_JITTER_OFTEN_RTTS * rtt_ns ||
	    j->apart_ns / LAPSMP_JITTER_PART <= u->apart_ns)
		return j->own_ns;
	return min(j->own_ns, max(j->often_ns, u->q8 >> 8));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_jitter_ns);
