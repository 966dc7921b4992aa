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
 * seven things, each because of what was measured:
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
 * Towards the end of what there is to send ("tail") the last arrival decides, not the
 * balance, and a random draw that puts a packet on a long path costs its length.
 * There the path is taken by which it is expected to arrive first, after what stands before
 * it there (ahead.c):
 *
 *	arrival_i = base_i + ahead_i + seg_bytes / rate_i + price_i sqrt(min s * max s)
 *
 * where price_i is that part of lean_i that is for what the path costs the network.
 *
 * That is best for who may send all that is left at once. Of a window of 20 segments each
 * arrives first on a path of 0.1 ms, whose queue they cannot make as long as one of 10 ms;
 * that one is never used, and so the window never learns that it might be larger. Where
 * it is the window that holds back what is left, and lengths differ by more than queues make up
 * for ("short of window"), the path is drawn of those by which a packet arrives no later
 * than all that is left could have (level.c).
 *
 * And it matters there how long a segment of the window is away: on a path of 10 ms it
 * carries one in the time that it carries a hundred on one of 0.1 ms. So paths that are idle
 * come first there, and of these short ones, also long before the end; in proportion to rates
 * they would stand still while most of the window is on its way on a long one.
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
#include "ahead.h"
#include "arith.h"
#include "level.h"
#include "policy.h"
#include "softmax.h"

#define LAPSMP_SCHED_BETA_ONE	256	/* 8 fractional bits */
/* Rates count with so many bits; with a weight's 20 they make 32. */
#define LAPSMP_SCHED_RATE_BITS	24
#define LAPSMP_SCHED_SHARE_SHIFT	13
/* By how much of its rate a path may seem better or worse than its likes by chance: 9/32. */
#define LAPSMP_SCHED_CHANCE_NUM		9
#define LAPSMP_SCHED_CHANCE_DEN		32
/* Segments under way on a path that has not answered yet: one may be lost. */
#define LAPSMP_SCHED_UNHEARD_SEGS	2

/*
 * The queue that packets met, or that own packets must meet, if the rate is right.
 * Beyond four seconds they are all the same.
 */
static u32 lapsmp_sched_laps_queue(const struct lapsmp_pick *p, u16 i)
{
	const struct lapsmp_path_view *v = &p->paths[i];
	u64 own_ns = lapsmp_ahead_drain(v, v->inflight_segs);
	/* Unsigned: garbage may wrap, and is no larger than the end says. */
	s64 seen_ns = v->pipe_ns ? (u64)v->owd_ns - (u64)v->base_ns : 0;
	u64 queue_ns = own_ns > v->pipe_ns ? own_ns - v->pipe_ns : 0;

	if (seen_ns > 0 && !p->passes)
		queue_ns = max_t(u64, queue_ns, seen_ns);
	return min_t(u64, queue_ns, U32_MAX);
}

/*
 * The same in units of the path's and the longest path's swing, 16 bits. Per
 * packet and path: nothing is divided here.
 */
static u32 lapsmp_sched_laps_fill(const struct lapsmp_pick *p, u16 i)
{
	u64 queue_ns = lapsmp_sched_laps_queue(p, i);
	u64 own_q8 = min_t(u64, (queue_ns * p->paths[i].swing_inv) >> 24, U32_MAX);

	return min_t(u64, (own_q8 * p->sum->top_inv) >> 24, U32_MAX);
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
	return lapsmp_ahead_sane(p->sum->high_ns) - lapsmp_ahead_sane(p->sum->low_ns) +
	       min_t(u64, queue_ns, LAPSMP_AHEAD_NS_MAX);
}

/*
 * Is the end near enough for the last arrival to matter? A draw makes a packet
 * late by at most about the difference of the paths' lengths plus T / beta, up
 * to which the softmax lets the queues differ. What the paths carry in that time
 * can still be placed so that all ends together; what was sent before arrives in
 * time anyway.
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
 * How much longer a queue on the cheapest path must be for this one to be as good: what the
 * exponent says of a path that costs the network more, in ns, for a beta of 1. Without, whoever
 * comes to the end of what he has, which over eight paths is up to a megabyte, takes a way of
 * twice the cost as soon as that is a packet earlier. Who is short does not pay: what passes
 * others, and what may leave at once. Where the cheapest way is one link for many he would be late
 * without the longer ones, and he has little to take from others.
 */
static u64 lapsmp_sched_laps_price(const struct lapsmp_pick *p, u16 i)
{
	if (p->passes || p->left_segs <= p->room_segs)
		return 0;
	/* Of 40 bits, and 19. */
	return (p->sum->price_ns * p->paths[i].price_q16) >> 16;
}

/*
 * When a packet sent now would begin to arrive, from the shortest path's empty delay on; as much
 * later as its path costs.
 */
static u32 lapsmp_sched_laps_floor(const struct lapsmp_pick *p, u16 i)
{
	const struct lapsmp_path_view *v = &p->paths[i];
	u64 longer_ns = lapsmp_ahead_sane(v->base_ns) - lapsmp_ahead_sane(p->sum->low_ns);

	longer_ns += lapsmp_ahead(v, p->passes, p->now_ns) + lapsmp_sched_laps_price(p, i);
	return min_t(u64, longer_ns, LAPSMP_LEVEL_NONE - 1);
}

/* When it would have arrived; @p->w: floors. */
static u64 lapsmp_sched_laps_arrival(const struct lapsmp_pick *p, u16 i)
{
	return p->w[i] + lapsmp_ahead_drain(&p->paths[i], 1);
}

/*
 * Of what @p->w allows, take off where a packet would arrive later than it should: than the
 * first one can, or, where that would not do, than all that is left could have (level.c).
 */
static void lapsmp_sched_laps_in_time(const struct lapsmp_pick *p, bool first)
{
	u64 end_ns = U64_MAX;
	u16 i;

	for (i = 0; i < p->n; i++) {
		p->w[i] = p->w[i] ? lapsmp_sched_laps_floor(p, i) : LAPSMP_LEVEL_NONE;
		if (p->w[i] != LAPSMP_LEVEL_NONE)
			end_ns = min(end_ns, lapsmp_sched_laps_arrival(p, i));
	}
	if (!first)
		end_ns = max(end_ns, lapsmp_level(p, p->w));
	for (i = 0; i < p->n; i++)
		p->w[i] = p->w[i] != LAPSMP_LEVEL_NONE &&
			  lapsmp_sched_laps_arrival(p, i) <= end_ns;
}

/* It has answered, and nobody's packets can stand there that half of its margin would not hold. */
static bool lapsmp_sched_laps_is_idle(const struct lapsmp_pick *p, u16 i)
{
	const struct lapsmp_path_view *v = &p->paths[i];

	return v->pipe_ns && v->margin_ns > 0 &&
	       lapsmp_ahead_most(v, p->passes, p->now_ns) < (u64)v->margin_ns / 2;
}

/* Is it the window that holds back what is left, and does it matter where it is? */
static bool lapsmp_sched_laps_is_short_of_window(const struct lapsmp_pick *p)
{
	return p->beta_q8 && p->left_segs > p->room_segs && p->sum->unlike;
}

/* Of those that @p->w allows and that are not left to others: the shortest that is idle. */
static const struct lapsmp_path_view *lapsmp_sched_laps_shortest(const struct lapsmp_pick *p)
{
	const struct lapsmp_path_view *v, *top = NULL;
	u16 i;

	for (i = 0; i < p->n; i++) {
		v = &p->paths[i];
		if (p->w[i] && (!top || v->base_ns < top->base_ns) &&
		    !lapsmp_path_is_left(v, p->sum) && lapsmp_sched_laps_is_idle(p, i))
			top = v;
	}
	return top;
}

/*
 * Of what @p->w allows, take off all that is not idle, and what is longer than the shortest
 * that is. One that has not answered is asked all the same.
 */
static void lapsmp_sched_laps_short_first(const struct lapsmp_pick *p)
{
	const struct lapsmp_path_view *v, *top = lapsmp_sched_laps_shortest(p);
	u16 i;

	if (!top)
		return;
	for (i = 0; i < p->n; i++) {
		v = &p->paths[i];
		if (v->pipe_ns && (lapsmp_path_is_longer(v, top) ||
				   !lapsmp_sched_laps_is_idle(p, i)))
			p->w[i] = 0;
	}
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
	fill_q24 = (u64)lapsmp_sched_laps_fill(p, i) * p->beta_q8;
	return min_t(u64, (fill_q24 >> 8) + v->lean_q16, U32_MAX);
}

/* Among those that @p->w allows. */
static int lapsmp_sched_laps_draw(const struct lapsmp_pick *p)
{
	u8 shift = max(fls64(p->sum->top_rate), LAPSMP_SCHED_RATE_BITS) -
		   LAPSMP_SCHED_RATE_BITS;
	u32 low = U32_MAX, weight;
	u16 i;

	for (i = 0; i < p->n; i++) {
		if (!p->w[i])
			continue;
		/* 0 is that of those that are not allowed. */
		p->w[i] = min(lapsmp_sched_laps_exponent(p, i), U32_MAX - 1) + 1;
		low = min(low, p->w[i]);
	}
	for (i = 0; i < p->n; i++) {
		if (!p->w[i])
			continue;
		weight = lapsmp_softmax_exp(p->w[i] - low);
		p->w[i] = lapsmp_sched_laps_share(weight, lapsmp_sched_laps_rate(p, i),
						  shift);
	}
	return lapsmp_softmax_draw(p->w, p->n, p->sum->alike_rate ? p->even : p->rnd);
}

static int lapsmp_sched_laps_pick(void *priv, const struct lapsmp_pick *p)
{
	bool short_of_window = lapsmp_sched_laps_is_short_of_window(p);
	u16 i;

	if (!p->sum->n)
		return -1;
	for (i = 0; i < p->n; i++)
		p->w[i] = lapsmp_sched_laps_may(p, i);
	if (lapsmp_sched_laps_is_tail(p))
		lapsmp_sched_laps_in_time(p, !short_of_window);
	if (short_of_window)
		lapsmp_sched_laps_short_first(p);
	return lapsmp_sched_laps_draw(p);
}

/* LAPS's latency. */
static s64 lapsmp_sched_laps_owd(const struct lapsmp_path_view *v)
{
	return lapsmp_ahead_sane(v->owd_ns);
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
