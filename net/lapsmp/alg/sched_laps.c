// SPDX-License-Identifier: GPL-2.0
/*
 * Latency-weighted packet spraying. "laps" is the law to use:
 *
 *	q_i  = max(owd_i - base_i, inflight_i * seg_bytes / rate_i - pipe_i, 0)
 *	s_i  = margin_i + pipe_i / 4
 *	P(i) ~ rate_i * exp(-beta * q_i / sqrt(s_i * max s) - lean_i),	beta = 1
 *
 * with independent draws, or even ones where paths are alike (draw.c); there rate_i is nearer
 * to their mean, by up to 9/32 of itself. It departs from LAPS's exp(-beta * owd_i) in
 * five things, each because of what was measured:
 *
 * The queue q_i, not the length. With paths of 5 and of 500 us LAPS fills a queue
 * of 495 us on the short one before it uses the long one. While there is more to
 * send than the paths hold, only the rate of the whole counts; when there is not,
 * lengths do, see below.
 *
 * The scale. A queue is known, and what is done about it seen, one round trip
 * late: the longer the pipe, the larger the differences that do not matter, or
 * the load swings to and fro. With a scale of its own for each path, a queue of
 * 60 us on a short path would count for more than one of 2 ms on a long one; with
 * the longest path's for all, short paths were not controlled: the mean of both.
 *
 * Own packets under way. A delay is known one round trip late, and meanwhile
 * everybody piles onto the path that was fast. Own packets are known at once;
 * what is under way beyond what the empty pipe holds (pipe_i is its round-trip
 * time) stands in the queue. That keeps the loop stable at several times the beta.
 *
 * The rate in front. Paths of 10 and of 0.5 Gbit/s get their shares at equal
 * queues, and not by a difference of 3 T / beta between them.
 *
 * What was learned, slowly: lean_i, which grows while a path is fuller than the others,
 * and begins with what it costs the network more than they do (lean.c). It leaves paths to
 * those that have no other.
 *
 * Towards the end of what there is to send the last arrival decides, not the
 * balance, and a random draw that puts a packet on a long path costs its length.
 * There ("tail") the path with the earliest expected arrival is taken:
 *
 *	arrival_i = max(owd_i, base_i + inflight_i * seg_bytes / rate_i)
 *		    + seg_bytes / rate_i
 *
 * A path that has not answered yet looks empty and short, and with the first window
 * on a path of 500 us one of 5 us stands idle until the answer. Beside one that has,
 * it gets no more than it takes to be measured, and nothing that the flow waits for,
 * as it does for the end of a message: it may be dead, and that takes a timeout to
 * find out. What passes others is short, and all of it is waited for: it would go by the
 * paths that have answered, however long, and so that is the smaller risk.
 *
 * "laps-paper" is the paper as printed: equation 1 on realVal alone.
 *
 * Reference: LAPS section III-E, algorithm 1. This file does not know how delays
 * are measured or when a path is probed, and holds no state.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>

#include "../compat.h"
#include "arith.h"
#include "policy.h"
#include "softmax.h"

#define LAPSMP_SCHED_BETA_ONE	256	/* 8 fractional bits */
/* Delays beyond 36 years are garbage; sums of a few of these still fit. */
#define LAPSMP_SCHED_NS_MAX	(S64_MAX / 8)
/* Rates count with so many bits; with a weight's 20 they make 32. */
#define LAPSMP_SCHED_RATE_BITS	24
#define LAPSMP_SCHED_SHARE_SHIFT	13
/* By how much of its rate a path may seem better or worse than its likes by chance: 9/32. */
#define LAPSMP_SCHED_CHANCE_NUM		9
#define LAPSMP_SCHED_CHANCE_DEN		32
/* Segments under way on a path that has not answered yet: one may be lost. */
#define LAPSMP_SCHED_UNHEARD_SEGS	2

static s64 lapsmp_sched_laps_sane(s64 ns)
{
	return clamp_t(s64, ns, -LAPSMP_SCHED_NS_MAX, LAPSMP_SCHED_NS_MAX);
}

/* How long the path takes for @segs full segments. */
static u64 lapsmp_sched_laps_drain(const struct lapsmp_path_view *v, u32 segs)
{
	return segs * v->seg_ns_q8 >> 8;
}

/* LAPS's latency. */
static s64 lapsmp_sched_laps_owd(const struct lapsmp_path_view *v)
{
	return lapsmp_sched_laps_sane(v->owd_ns);
}

/*
 * The queue that packets met, or that own packets must meet, if the rate is right.
 * Beyond four seconds they are all the same.
 */
static u32 lapsmp_sched_laps_queue(const struct lapsmp_path_view *v, bool passes)
{
	u64 own_ns = lapsmp_sched_laps_drain(v, v->inflight_segs);
	/* Unsigned: garbage may wrap, and is no larger than the end says. */
	s64 seen_ns = v->pipe_ns ? (u64)v->owd_ns - (u64)v->base_ns : 0;
	u64 queue_ns = own_ns > v->pipe_ns ? own_ns - v->pipe_ns : 0;

	if (seen_ns > 0 && !passes)
		queue_ns = max_t(u64, queue_ns, seen_ns);
	return min_t(u64, queue_ns, U32_MAX);
}

/*
 * The same in units of the path's and the longest path's swing, 16 bits. Per
 * packet and path: nothing is divided here.
 */
static u32 lapsmp_sched_laps_fill(const struct lapsmp_path_view *v, u32 top_inv,
				  bool passes)
{
	u64 queue_ns = lapsmp_sched_laps_queue(v, passes);
	u64 own_q8 = min_t(u64, (queue_ns * v->swing_inv) >> 24, U32_MAX);

	return min_t(u64, (own_q8 * top_inv) >> 24, U32_MAX);
}

/*
 * How long from now until a packet sent now arrives.
 *
 * Neither the newest delay nor the base with our own queue is right alone. The
 * delay includes other hosts' packets, but is a round trip old: a burst would
 * run after the last good sample. The base with our own packets is up to date,
 * but blind to others. The queue is at least what either says; the sum would
 * count our own packets twice, since the delay has met some of them.
 *
 * With nothing of ours under way the delay may be old, and some of the queue
 * that it met was ours and has drained: half of it is believed, so that one bad
 * sample does not repel until the next probe.
 */
static s64 lapsmp_sched_laps_arrival(const struct lapsmp_path_view *v, bool passes)
{
	s64 base_ns = lapsmp_sched_laps_sane(v->base_ns);
	s64 seen_ns = lapsmp_sched_laps_sane(v->owd_ns) - base_ns;
	s64 own_ns = lapsmp_sched_laps_drain(v, v->inflight_segs);

	if (passes)
		seen_ns = 0;
	else if (!v->inflight_segs)
		seen_ns /= 2;
	return base_ns + max3(seen_ns, own_ns, (s64)0) +
	       (s64)lapsmp_sched_laps_drain(v, 1);
}

/* Paths in back-off are only for when there is no other, unheard ones a few. */
static bool lapsmp_sched_laps_may(const struct lapsmp_pick *p, u16 i)
{
	const struct lapsmp_path_view *v = &p->paths[i];

	if (!v->usable || (v->backoff && !p->sum->backoff))
		return false;
	if (v->pipe_ns || !p->sum->heard)
		return true;
	return !p->first && (p->passes || p->left_segs > LAPSMP_SCHED_UNHEARD_SEGS) &&
	       v->inflight_segs < LAPSMP_SCHED_UNHEARD_SEGS;
}

/* What the lengths of the paths differ by, plus what the queues may. */
static u64 lapsmp_sched_laps_spread(const struct lapsmp_pick *p)
{
	u64 queue_ns = 0;

	if (p->t_ns > 0)
		queue_ns = lapsmp_arith_muldiv(p->t_ns, LAPSMP_SCHED_BETA_ONE,
					       p->beta_q8);
	return lapsmp_sched_laps_sane(p->sum->high_ns) -
	       lapsmp_sched_laps_sane(p->sum->low_ns) +
	       min_t(u64, queue_ns, LAPSMP_SCHED_NS_MAX);
}

/*
 * Is the end near enough for the last arrival to matter? A draw makes a packet
 * late by at most about the difference of the paths' lengths plus T / beta, up
 * to which the softmax lets the queues differ. What the paths carry in that time
 * can still be placed so that all ends together; what was sent before arrives in
 * time anyway, and the draws that protect against lockstep with
 * other senders are kept for it.
 */
static bool lapsmp_sched_laps_is_tail(const struct lapsmp_pick *p)
{
	/* A beta of 0 asks for random spraying, up to the end. */
	if (p->left_segs == U32_MAX || !p->beta_q8)
		return false;
	return (u64)p->left_segs * p->paths[0].seg_bytes <=
	       lapsmp_arith_muldiv(p->sum->rate, lapsmp_sched_laps_spread(p),
				   NSEC_PER_SEC);
}

/*
 * Equal paths are common, and hosts that all prefer the first of equals would
 * meet there: the search begins at a random place.
 */
static int lapsmp_sched_laps_earliest(const struct lapsmp_pick *p)
{
	u32 first = (u64)p->rnd * p->n >> 32;
	s64 best_ns = 0, ns;
	int best = -1;
	u32 k, i;

	for (k = 0; k < p->n; k++) {
		i = first + k < p->n ? first + k : first + k - p->n;
		if (!lapsmp_sched_laps_may(p, i))
			continue;
		ns = lapsmp_sched_laps_arrival(&p->paths[i], p->passes);
		if (best < 0 || ns < best_ns) {
			best = i;
			best_ns = ns;
		}
	}
	return best;
}

/* The weight times the rate, in bits that leave room for the sum. */
static u32 lapsmp_sched_laps_share(u32 weight, u64 rate, u8 shift)
{
	if (!weight)
		return 0;
	/* However slow, it is better than none. */
	return max_t(u64, ((rate >> shift) * weight) >> LAPSMP_SCHED_SHARE_SHIFT,
		     1);
}

/*
 * What is in front of the exponential. rate_i is what others leave, and they leave what we
 * have left them: of ports that are alike, one that was taken more often for a while seems to
 * carry more, and is taken more often. So what differs from their mean by less than 9/32 of
 * itself is nothing, and what differs by more is nearer to it by that.
 */
static u64 lapsmp_sched_laps_rate(const struct lapsmp_pick *p, u16 i)
{
	u64 rate = p->paths[i].rate;
	u64 chance = rate / LAPSMP_SCHED_CHANCE_DEN * LAPSMP_SCHED_CHANCE_NUM;

	if (!p->paths[i].alike)
		return rate;
	return clamp(p->sum->alike_rate, rate - chance, rate + min(chance, U64_MAX - rate));
}

/* 16 bits. A beta of 0 asks for random spraying. */
static u32 lapsmp_sched_laps_exponent(const struct lapsmp_pick *p, u16 i)
{
	const struct lapsmp_path_view *v = &p->paths[i];
	u64 fill_q24;

	if (!p->beta_q8)
		return 0;
	fill_q24 = (u64)lapsmp_sched_laps_fill(v, p->sum->top_inv,
						p->passes) * p->beta_q8;
	return min_t(u64, (fill_q24 >> 8) + v->lean_q16, U32_MAX);
}

static int lapsmp_sched_laps_spray(const struct lapsmp_pick *p)
{
	u8 shift = max(fls64(p->sum->top_rate), LAPSMP_SCHED_RATE_BITS) -
		   LAPSMP_SCHED_RATE_BITS;
	u32 low = U32_MAX, weight;
	u16 i;

	for (i = 0; i < p->n; i++) {
		if (!lapsmp_sched_laps_may(p, i))
			continue;
		p->w[i] = lapsmp_sched_laps_exponent(p, i);
		low = min(low, p->w[i]);
	}
	for (i = 0; i < p->n; i++) {
		if (!lapsmp_sched_laps_may(p, i)) {
			p->w[i] = 0;
			continue;
		}
		weight = lapsmp_softmax_exp(p->w[i] - low);
		p->w[i] = lapsmp_sched_laps_share(weight, lapsmp_sched_laps_rate(p, i),
						  shift);
	}
	return lapsmp_softmax_draw(p->w, p->n, p->sum->alike_rate ? p->even : p->rnd);
}

static int lapsmp_sched_laps_pick(void *priv, const struct lapsmp_pick *p)
{
	if (!p->sum->n)
		return -1;
	if (lapsmp_sched_laps_is_tail(p))
		return lapsmp_sched_laps_earliest(p);
	return lapsmp_sched_laps_spray(p);
}

/* The paper has no back-off; its doubling of realVal is in owd_ns already. */
static int lapsmp_sched_laps_paper_pick(void *priv, const struct lapsmp_pick *p)
{
	s64 low = S64_MAX;
	u16 i;

	for (i = 0; i < p->n; i++)
		if (p->paths[i].usable)
			low = min(low, lapsmp_sched_laps_owd(&p->paths[i]));
	for (i = 0; i < p->n; i++)
		p->w[i] = !p->paths[i].usable ? 0 :
			  lapsmp_softmax_weight(lapsmp_sched_laps_owd(&p->paths[i]) -
						low, p->t_ns, p->beta_q8);
	return lapsmp_softmax_draw(p->w, p->n, p->rnd);
}

struct lapsmp_sched_ops lapsmp_sched_laps = {
	.name = "laps",
	.owner = THIS_MODULE,
	.pick = lapsmp_sched_laps_pick,
};

LAPSMP_EXPORT_FOR_TEST(lapsmp_sched_laps);

struct lapsmp_sched_ops lapsmp_sched_laps_paper = {
	.name = "laps-paper",
	.owner = THIS_MODULE,
	.pick = lapsmp_sched_laps_paper_pick,
};

LAPSMP_EXPORT_FOR_TEST(lapsmp_sched_laps_paper);
