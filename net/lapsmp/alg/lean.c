// SPDX-License-Identifier: GPL-2.0
/*
 * Which paths to leave to others. With q_i the queue of path i, q its mean over what was
 * sent, and u_i = margin_i + min(max rtt, 4 rtt_i) / 4 what queues of such paths swing by,
 *
 *	d lean_i / dt = g (gain e (q_i - q) / u_i - (lean_i - rest_i) / 1024) / rtt_i
 *	g = max(64 / (64 + n), 1/8)
 *	e = min(1, 4 min rtt / max rtt)
 *	rest_i = min(detour (cost_i / min cost - 1), 4),	detour = 8
 *
 * within 0 and 6, where differences below 1/128 are none, round trips are those of
 * empty paths, and n of the longest have gone by without a pause. The scheduler takes a
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
 * this law, d log p_i / dt ~ -(q_i - q), is the replicator equation, which converges to
 * it in spite of delayed measurements if its gain is small enough (Fischer, Raecke and
 * Voecking, STOC 2006). So a longer way round through a busy network is left alone,
 * since every link of it adds to its queue, and is taken while it is empty.
 *
 * The first steps are far, and right; later ones are mostly noise, of queues that come and
 * go, and shares swing by what they are too large. Steps that fall with 1/n have neither
 * fault (Robbins and Monro, Ann. Math. Stat. 1951), but only where nothing changes: so they
 * stay at an eighth, and after a pause the load is another one. Of fifteen senders on a Rail
 * shares swing by 7 to 10 % with it, by 12 to 14 without, and a quarter from the beginning
 * learns too slowly what a load of short flows is.
 *
 * And what is forgotten falls as the steps do, while there are queues, or else the rest is
 * not where queues are equal, but where a step makes up for it: with sixty-three senders
 * to one, whose paths are heard of once in several round trips, where one of two last
 * links had a tenth more of a queue.
 *
 * One unit for all whose lengths are alike: in the softmax a queue counts by what its own
 * path swings by, too, or short paths would not be controlled. But what both compare is at
 * rest where that is equal; in such units longer ways rested with longer queues, and drew
 * to them who had a shorter one. Of 19 senders to one on a Dragonfly shares swung by 10.4
 * % of themselves for that, and do by 5. (One path of 10 ms must not make 20 us no
 * difference to two of 100 us, though.)
 *
 * Where round trips differ by much, q_i and q are not of the same time: a path of 2 us is
 * full long before one of 200 us is known to be empty, and what was integrated of that has
 * to be undone. Both carried 2 % less, hence e. And q_i is averaged as q is, or else a
 * path that fills would seem fuller than itself a moment ago.
 *
 * It begins at rest_i, and comes back to it. A way that costs the network more than the
 * cheapest is as empty as that while nobody is there, and each packet that is drawn to it
 * takes from others what they have no other way for: on a fat tree whose hosts had
 * four ways of six links and as many of eight, a permutation ended at 1.71 of the
 * limit, and ends at 1.27. It is a beginning only: what is learned outweighs it within some
 * tens of round trips, where the cheapest are full. For that the long way must be heard of,
 * hence no more than 4. Costs are the network's own, such as its routing has for
 * links; a path without one rests at 0.
 *
 * Samples of a path that is hardly used are rare: at e^-4 of the others who has fifty packets
 * under way hears one in a round trip, and who shares a link with six has less. Each stands for
 * the time since the last step, but for four round trips at most, so that one accident is not
 * taken for a state. With one at most who needs his long ways learns it too late where they rest
 * lower than at e^-3. After a pause there is no mean, since that of the last burst says nothing of
 * this one. The decay lets what was learned from a load that has gone be forgotten: on
 * an empty network all are equally full, whatever they lean.
 *
 * This file does not know who draws, and reads no clock.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "lean.h"

#define LAPSMP_LEAN_MAX_Q28	((u64)LAPSMP_LEAN_MAX << 12)
/* A sample counts for a difference of two swings at most, */
#define LAPSMP_LEAN_DIFF_MAX	(2 * LAPSMP_LEAN_ONE)
/* not if it is less than this part of one, a third of a packet at 100 Gbit/s and 10 us, */
#define LAPSMP_LEAN_DIFF_MIN	(LAPSMP_LEAN_ONE / 128)
/* and for 1/32 of an average, which is of no use after so many round trips. */
#define LAPSMP_LEAN_MEAN_SHIFT	5
#define LAPSMP_LEAN_MEAN_RTTS	4
/* A step is half of what it was after so many round trips without a pause, */
#define LAPSMP_LEAN_FIRST_RTTS	64
/* and no less than one of so many parts of it. */
#define LAPSMP_LEAN_GAIN_FALL	8
/* Round trips in which all but 1/e is forgotten: 1024, up to 8192 while a load lasts; */
#define LAPSMP_LEAN_DECAY_SHIFT	10
/* acknowledgments, of the longest and the shortest round trip. */
#define LAPSMP_LEAN_RANGE_SHIFT	10
/* A step is taken once such a part of a round trip is over: less is cut off to nothing. */
#define LAPSMP_LEAN_STEP_SHIFT	8
/* Round trips that a sample stands for at most. */
#define LAPSMP_LEAN_WORTH_RTTS	4ULL
/* Round trips that differ by no more than this are alike. */
#define LAPSMP_LEAN_ALIKE	4
/* Queues beyond four seconds, and round trips beyond eight, are all the same. */
#define LAPSMP_LEAN_QUEUE_MAX	((u64)U32_MAX)
#define LAPSMP_LEAN_RTT_MAX	BIT_ULL(33)
#define LAPSMP_LEAN_GAIN_MAX	0x10000U

/* Outwards at once, inwards slowly: what is not seen any more is forgotten. */
static void lapsmp_lean_range(struct lapsmp_lean_mean *mean, u64 rtt_ns)
{
	if (!mean->at_ns || rtt_ns > mean->long_ns)
		mean->long_ns = rtt_ns;
	if (!mean->at_ns || rtt_ns < mean->short_ns)
		mean->short_ns = rtt_ns;
	mean->long_ns -= (mean->long_ns - rtt_ns) >> LAPSMP_LEAN_RANGE_SHIFT;
	mean->short_ns += (rtt_ns - mean->short_ns) >> LAPSMP_LEAN_RANGE_SHIFT;
}

/* @at_ns: of the sample before, @rtt_ns: what it gets old in. */
static bool lapsmp_lean_is_new(u64 at_ns, u64 rtt_ns, u64 now_ns)
{
	return !at_ns || (now_ns > at_ns && now_ns - at_ns > LAPSMP_LEAN_MEAN_RTTS * rtt_ns);
}

/* Likewise. Return: the average. */
static u64 lapsmp_lean_average(u64 average_q16, u64 queue_q16, u64 at_ns, u64 rtt_ns,
			       u64 now_ns)
{
	if (lapsmp_lean_is_new(at_ns, rtt_ns, now_ns))
		return queue_q16;
	if (queue_q16 > average_q16)
		return average_q16 +
		       ((queue_q16 - average_q16) >> LAPSMP_LEAN_MEAN_SHIFT);
	return average_q16 - ((average_q16 - queue_q16) >> LAPSMP_LEAN_MEAN_SHIFT);
}

/* Swings between the path and the mean that count, 16 bits. */
static u64 lapsmp_lean_diff(u64 queue_q16, u64 mean_q16, u64 swing_ns)
{
	u64 diff = queue_q16 > mean_q16 ? queue_q16 - mean_q16 : mean_q16 - queue_q16;

	diff = div64_u64(diff, swing_ns);
	if (diff < LAPSMP_LEAN_DIFF_MIN)
		return 0;
	return min_t(u64, diff - LAPSMP_LEAN_DIFF_MIN, LAPSMP_LEAN_DIFF_MAX);
}

u32 lapsmp_lean_rest(u32 cost, u32 least, u32 detour_q8)
{
	u64 more_q8;

	if (!least || cost <= least)
		return 0;
	/* 32 bits times 16. */
	more_q8 = div_u64((u64)(cost - least) * min(detour_q8, LAPSMP_LEAN_GAIN_MAX),
			  least);
	return min_t(u64, more_q8, LAPSMP_LEAN_REST_MAX >> 8) << 20;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_lean_rest);

static void lapsmp_lean_decay(struct lapsmp_lean *l, u32 rest_q28, u64 rtts_q20)
{
	u64 off_q28 = l->q28 > rest_q28 ? l->q28 - rest_q28 : rest_q28 - l->q28;
	/* 31 bits times 30. */
	u32 back_q28 = (off_q28 * rtts_q20) >> (20 + LAPSMP_LEAN_DECAY_SHIFT);

	if (l->q28 > rest_q28)
		l->q28 -= back_q28;
	else
		l->q28 += back_q28;
}

/* What queues of such a path swing by, not 0. */
static u64 lapsmp_lean_swing(const struct lapsmp_lean_mean *mean, u64 margin_ns, u64 rtt_ns)
{
	u64 long_ns = min(mean->long_ns, LAPSMP_LEAN_ALIKE * rtt_ns);

	return min(margin_ns, LAPSMP_LEAN_RTT_MAX) + long_ns / 4 + 1;
}

/* Round trips since the last step, 20 bits, 0: too few for one. */
static u64 lapsmp_lean_since_step(struct lapsmp_lean *l, u64 rtt_ns, u64 now_ns)
{
	u64 age_ns = l->step_ns && now_ns > l->step_ns ? now_ns - l->step_ns : 0;

	if (l->step_ns && age_ns < rtt_ns >> LAPSMP_LEAN_STEP_SHIFT)
		return 0;
	l->step_ns = max(l->step_ns, now_ns);
	/* 43 bits, and 20 more. */
	age_ns = min(age_ns, rtt_ns << LAPSMP_LEAN_DECAY_SHIFT);
	return div64_u64(age_ns << 20, rtt_ns);
}

/* How many round trips the sample stands for, 20 bits; fewer where they differ. */
static u64 lapsmp_lean_worth(const struct lapsmp_lean_mean *mean, u64 rtts_q20)
{
	rtts_q20 = min(rtts_q20, LAPSMP_LEAN_WORTH_RTTS << 20);
	/* 35 bits times 23. */
	return min(rtts_q20, div64_u64(LAPSMP_LEAN_ALIKE * mean->short_ns * rtts_q20,
				       mean->long_ns));
}

/* What is left of a step, 16 bits, after so long without a pause. */
static u64 lapsmp_lean_left(const struct lapsmp_lean_mean *mean, u64 now_ns)
{
	u64 first_ns = LAPSMP_LEAN_FIRST_RTTS * mean->long_ns;
	u64 busy_ns = now_ns > mean->since_ns ? now_ns - mean->since_ns : 0;

	busy_ns = min(busy_ns, (LAPSMP_LEAN_GAIN_FALL - 1) * first_ns);
	/* 39 bits, and 16 more. */
	return div64_u64(first_ns << 16, max(first_ns + busy_ns, 1ULL));
}

void lapsmp_lean_update(struct lapsmp_lean *l, struct lapsmp_lean_mean *mean,
			const struct lapsmp_lean_sample *s)
{
	u64 queue_q16 = min(s->queue_ns, LAPSMP_LEAN_QUEUE_MAX) << 16;
	u64 rtt_ns = clamp_t(u64, s->rtt_ns, 1, LAPSMP_LEAN_RTT_MAX);
	u64 gain_q8 = min(s->gain_q8, LAPSMP_LEAN_GAIN_MAX);
	u64 rtts_q20, left_q16, swing_ns, step_q28;
	bool empty;

	lapsmp_lean_range(mean, rtt_ns);
	if (lapsmp_lean_is_new(mean->at_ns, mean->long_ns, s->now_ns))
		mean->since_ns = s->now_ns;
	mean->queue_q16 = lapsmp_lean_average(mean->queue_q16, queue_q16, mean->at_ns,
					      mean->long_ns, s->now_ns);
	l->queue_q16 = lapsmp_lean_average(l->queue_q16, queue_q16, l->at_ns, rtt_ns,
					   s->now_ns);
	l->at_ns = max(l->at_ns, s->now_ns);
	mean->at_ns = max(mean->at_ns, s->now_ns);
	if (!gain_q8) {
		l->q28 = s->rest_q28;
		return;
	}
	rtts_q20 = lapsmp_lean_since_step(l, rtt_ns, s->now_ns);
	if (!rtts_q20)
		return;
	/* A ratio of 10 and 20 bits, and 16 more. */
	left_q16 = lapsmp_lean_left(mean, s->now_ns);
	swing_ns = lapsmp_lean_swing(mean, s->margin_ns, rtt_ns);
	/* An empty network teaches nothing, and what one that was not has taught is old. */
	empty = mean->queue_q16 < swing_ns * LAPSMP_LEAN_DIFF_MIN;
	lapsmp_lean_decay(l, s->rest_q28, empty ? rtts_q20 : rtts_q20 * left_q16 >> 16);
	/* At most 2^17, 2^22 and 2^24; of these bits 16, 20 and 16 are fractional, 28 stay. */
	step_q28 = (lapsmp_lean_diff(l->queue_q16, mean->queue_q16, swing_ns) *
		    lapsmp_lean_worth(mean, rtts_q20) *
		    (gain_q8 * left_q16 >> 8)) >> 24;
	if (l->queue_q16 > mean->queue_q16)
		l->q28 = min(l->q28 + step_q28, LAPSMP_LEAN_MAX_Q28);
	else
		l->q28 -= min_t(u64, step_q28, l->q28);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_lean_update);
