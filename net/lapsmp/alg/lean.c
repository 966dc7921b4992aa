// SPDX-License-Identifier: GPL-2.0
/*
 * Which paths to leave to others. With x_i the queue of path i in units of what it
 * swings by, and x the mean of x_i over what was sent,
 *
 *	d lean_i / dt = gain (x_i - x) / rtt_i - lean_i / (1024 rtt_i)
 *
 * within 0 and 6, where differences below 1/32 are none; and the scheduler takes a
 * path exp(-lean_i) times as often.
 *
 * The softmax alone settles where a path has as much more queue as it gets less
 * than its share: proportional control, with a lasting error. Where hosts have one
 * way only, and others have that one and a second, these never leave the first: its
 * queue is a few packets longer, which the exponent hardly feels. Fifteen senders on
 * a Rail ended at 1.30 of the limit for that. A steeper softmax does leave it, and
 * then all come back at once, a round trip after all had left.
 *
 * An integral has no lasting error, however gently it moves: it rests where all paths
 * that are used are equally full, and those that are not used are fuller. That is the
 * equilibrium which the theory of multipath congestion control aims at ("resource
 * pooling", RFC 6356 section 2; Kelly and Voice, CCR 2005), and what is found with
 * this law, d log p_i / dt ~ -(x_i - x), is the replicator equation, which converges to
 * it in spite of delayed measurements if its gain is small enough (Fischer, Raecke and
 * Voecking, STOC 2006). So a longer way round through a busy network is left alone,
 * since every link of it adds to its queue, and is taken while it is empty.
 *
 * Samples of a path that is hardly used are rare. Each stands for the time since
 * the one before, but for a round trip at most, so that one accident is not taken for a
 * state. After a pause there is no mean, since that of the last burst says nothing of
 * this one. The decay lets what was learned from a load that has gone be forgotten: on
 * an empty network all are equally full, whatever they lean.
 *
 * This file does not know who draws, and reads no clock.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "lean.h"

#define LAPSMP_LEAN_MAX_Q28	((u64)LAPSMP_LEAN_MAX << 12)
/* A sample counts for a difference of two swings at most, */
#define LAPSMP_LEAN_DIFF_MAX	(2 * LAPSMP_LEAN_ONE)
/* not if it is less than a packet or two at 100 Gbit/s, */
#define LAPSMP_LEAN_DIFF_MIN	(LAPSMP_LEAN_ONE / 32)
/* and for 1/32 of the mean, which is of no use after so many round trips. */
#define LAPSMP_LEAN_MEAN_SHIFT	5
#define LAPSMP_LEAN_MEAN_RTTS	4
/* Round trips in which all but 1/e is forgotten: 1024. */
#define LAPSMP_LEAN_DECAY_SHIFT	10
/* Queues beyond four seconds, and round trips beyond eight, are all the same. */
#define LAPSMP_LEAN_QUEUE_MAX	((u64)U32_MAX)
#define LAPSMP_LEAN_RTT_MAX	(1ULL << 33)
#define LAPSMP_LEAN_GAIN_MAX	(1U << 16)

/* queue / sqrt(swing), 8 bits: over one more sqrt(swing) it has no dimension. */
static u64 lapsmp_lean_fill(const struct lapsmp_lean_sample *s)
{
	u64 queue_ns = min(s->queue_ns, LAPSMP_LEAN_QUEUE_MAX);

	return min_t(u64, (queue_ns * s->swing_inv) >> 24, U32_MAX);
}

static void lapsmp_lean_average(struct lapsmp_lean_mean *mean, u64 fill, u64 rtt_ns,
				u64 now_ns)
{
	u64 fill_q16 = fill << 16;

	if (!mean->at_ns || (now_ns > mean->at_ns &&
			     now_ns - mean->at_ns > LAPSMP_LEAN_MEAN_RTTS * rtt_ns))
		mean->fill_q16 = fill_q16;
	mean->at_ns = max(mean->at_ns, now_ns);
	if (fill_q16 > mean->fill_q16)
		mean->fill_q16 += (fill_q16 - mean->fill_q16) >>
				  LAPSMP_LEAN_MEAN_SHIFT;
	else
		mean->fill_q16 -= (mean->fill_q16 - fill_q16) >>
				  LAPSMP_LEAN_MEAN_SHIFT;
}

/* Swings between the path and the mean that count, 16 bits. */
static u64 lapsmp_lean_diff(u64 fill, u64 mean, u32 swing_inv)
{
	u64 diff = fill > mean ? fill - mean : mean - fill;

	/* 31 bits times 32 do fit, and are far beyond the limit. */
	diff = min_t(u64, diff, S32_MAX) * swing_inv >> 24;
	if (diff < LAPSMP_LEAN_DIFF_MIN)
		return 0;
	return min_t(u64, diff - LAPSMP_LEAN_DIFF_MIN, LAPSMP_LEAN_DIFF_MAX);
}

static void lapsmp_lean_decay(struct lapsmp_lean *l, u64 rtts_q20)
{
	/* 31 bits times 30. */
	l->q28 -= (l->q28 * rtts_q20) >> (20 + LAPSMP_LEAN_DECAY_SHIFT);
}

void lapsmp_lean_update(struct lapsmp_lean *l, struct lapsmp_lean_mean *mean,
			const struct lapsmp_lean_sample *s)
{
	u64 rtt_ns = clamp_t(u64, s->srtt_ns, 1, LAPSMP_LEAN_RTT_MAX), age_ns = 0;
	u64 gain_q8 = min(s->gain_q8, LAPSMP_LEAN_GAIN_MAX), rtts_q20, step_q28;
	u64 fill = lapsmp_lean_fill(s), mean_fill;

	lapsmp_lean_average(mean, fill, rtt_ns, s->now_ns);
	if (l->at_ns && s->now_ns > l->at_ns)
		age_ns = s->now_ns - l->at_ns;
	l->at_ns = max(l->at_ns, s->now_ns);
	if (!gain_q8) {
		l->q28 = 0;
		return;
	}
	/* 43 bits, and 20 more; a ratio of 10 and 20. */
	age_ns = min(age_ns, rtt_ns << LAPSMP_LEAN_DECAY_SHIFT);
	rtts_q20 = div64_u64(age_ns << 20, rtt_ns);
	lapsmp_lean_decay(l, rtts_q20);
	mean_fill = mean->fill_q16 >> 16;
	/* 18 bits times 21 times 17; of these 16, 20 and 8 are fractional, 28 stay. */
	step_q28 = (lapsmp_lean_diff(fill, mean_fill, s->swing_inv) *
		    min(rtts_q20, 1ULL << 20) * gain_q8) >> 16;
	if (fill > mean_fill)
		l->q28 = min(l->q28 + step_q28, LAPSMP_LEAN_MAX_Q28);
	else
		l->q28 -= min_t(u64, step_q28, l->q28);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_lean_update);
