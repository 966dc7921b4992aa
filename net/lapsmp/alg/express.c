// SPDX-License-Identifier: GPL-2.0
/*
 * Short messages pass the others, where the network has classes for them.
 *
 * A message of less than a bandwidth-delay product is over before a control by delays
 * has heard of it. How long it takes is how long the queues are that it meets, and how
 * many round trips its window takes to open; and both are made by and for the long ones,
 * which hardly feel whether it goes first. So, by its length,
 *
 *	len <= bytes[0]		served before all others, with acknowledgments
 *	len <= bytes[1], ...	each before those that are longer
 *	else			NONE
 *
 * Why more classes than one: most messages of RPCs are of a segment or two, and one of
 * forty keeps them waiting for as long as it takes. And those of a bandwidth-delay product
 * or so, of which there are few, but with more bytes, would fill the class of all that are
 * shorter.
 *
 * @segs segments may leave before anything is heard: nothing could control these. What is
 * longer goes on at an eighth of the line's rate until there is an answer, up to three times
 * as many segments. But where more than a few flows of a host have heard nothing yet, all of
 * them share both: a host that begins with fifteen others at once is part of something in
 * which all do so, and each of sixteen would be sent what its link carries in 60 us. By chance
 * there are seldom five: at 0.8 of what a network carries nothing changes for it, and shares
 * of two or three would make each hundredth short message slower by a half. After the answer
 * it goes by the delays in its own class:
 *
 *	queue < margin / 2:	cwnd += n
 *	queue <= margin:	cwnd += n / 4
 *	queue > margin:		cwnd -= n / 4 over / (base + margin + over),
 *				over = queue - margin
 *	a mark (ECN):		cwnd -= n / 4
 *	loss:			cwnd /= 2, once for what was under way together
 *
 * for n segments acknowledged. Who is left with less than 8 segments is no longer short:
 * his class is as full as the others'.
 *
 * Nor are messages short that are sent one behind the other, or a long one in pieces. What
 * is queued behind one counts as part of it, as soon as it is there. And what passes is
 * counted:
 *
 *	spent	+= len for each message; falls by an eighth of the line's rate
 *	NONE	<=  spent and what is queued exceed the largest of bytes
 *
 * A flow begins to pass when it has nothing under way, and what it has sent is never
 * overtaken by what it sends later: levels only fall until it is idle. Losses are found
 * by the order in which acknowledgments come back on a path.
 *
 * Reference: Homa (Montazeri et al., SIGCOMM 2018) for a round trip's worth unasked, with
 * priorities by length; PIAS (Bai et al., NSDI 2015) for falling from class to class by
 * what was sent. This file does not know what a class is on the wire.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "arith.h"
#include "express.h"

/* Of the line's rate: what is made good; and what is sent behind the first segments. */
#define LAPSMP_EXPRESS_REFILL_SHIFT	3
#define LAPSMP_EXPRESS_TRICKLE_SHIFT	3
/* Times the first window, before an answer. */
#define LAPSMP_EXPRESS_UNHEARD		3
/* Flows that have heard nothing, each of which may do as if it were alone. */
#define LAPSMP_EXPRESS_FEW		4
/* A message costs more than its bytes: those of 0 bytes are not for nothing. */
#define LAPSMP_EXPRESS_MSG_BYTES	64
/* Less is no window of a short message. */
#define LAPSMP_EXPRESS_CWND_MIN		(8 * LAPSMP_SEG_Q16)
/* More is not told by lapsmp_express_window(). */
#define LAPSMP_EXPRESS_CWND_MAX		(U32_MAX * LAPSMP_SEG_Q16)
/* Growth while the margin is half full, and what a queue above it takes off. */
#define LAPSMP_EXPRESS_CSS_SHIFT	2
#define LAPSMP_EXPRESS_CUT_SHIFT	2

static void lapsmp_express_refill(struct lapsmp_express *e,
				  const struct lapsmp_express_cfg *cfg, u64 now_ns)
{
	u64 ns = now_ns > e->spent_ns ? now_ns - e->spent_ns : 0;

	e->spent -= min(e->spent,
			lapsmp_arith_muldiv(cfg->line_rate >> LAPSMP_EXPRESS_REFILL_SHIFT,
					    ns, NSEC_PER_SEC));
	e->spent_ns = now_ns;
}

/* The best class that takes so many bytes in a row, if what was @spent takes any at all. */
static u8 lapsmp_express_level(const struct lapsmp_express_cfg *cfg, u64 bytes, u64 spent)
{
	u32 most = 0;
	int i;

	for (i = 0; i < LAPSMP_EXPRESS_CLASSES; i++)
		most = max(most, cfg->bytes[i]);
	if (spent > most)
		return LAPSMP_EXPRESS_NONE;
	for (i = 0; i < LAPSMP_EXPRESS_CLASSES; i++)
		if (cfg->bytes[i] && bytes <= cfg->bytes[i])
			return LAPSMP_EXPRESS_CLASSES - i;
	return LAPSMP_EXPRESS_NONE;
}

/* Among how many the host's flows share what they may send unheard. */
static u32 lapsmp_express_sharers(u32 unheard)
{
	return unheard > LAPSMP_EXPRESS_FEW ? unheard : 1;
}

u32 lapsmp_express_first(u32 segs, u32 least, u32 unheard)
{
	return max(segs / lapsmp_express_sharers(unheard), min(segs, least));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_express_first);

void lapsmp_express_begin(struct lapsmp_express *e, const struct lapsmp_express_cfg *cfg,
			  u32 len, bool idle, u64 now_ns)
{
	u64 segs_q16;
	u8 level;

	lapsmp_express_refill(e, cfg, now_ns);
	level = lapsmp_express_level(cfg, len, e->spent + len);
	e->level = idle ? level : min(e->level, level);
	if (e->level == LAPSMP_EXPRESS_NONE)
		return;
	e->spent += (u64)len + LAPSMP_EXPRESS_MSG_BYTES;
	segs_q16 = max_t(u64, cfg->segs, 1) * LAPSMP_SEG_Q16;
	if (idle) {
		e->heard = false;
		e->cut_ns = 0;
		e->cwnd_q16 = segs_q16;
	} else if (!e->heard) {
		/* Others may have come, who share the first window. */
		e->cwnd_q16 = min(e->cwnd_q16, segs_q16);
	}
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_express_begin);

void lapsmp_express_queued(struct lapsmp_express *e, const struct lapsmp_express_cfg *cfg,
			   u32 len, u64 behind)
{
	/* The one that is being sent has cost that much more than its bytes. */
	u64 cost = e->spent - min_t(u64, e->spent, LAPSMP_EXPRESS_MSG_BYTES);

	behind = min(behind, U64_MAX - max_t(u64, cost, len));
	e->level = min(e->level, lapsmp_express_level(cfg, len + behind, cost + behind));
	/* It may be in one that there is no more, and too late for a better one. */
	if (e->level && !cfg->bytes[lapsmp_express_class(e->level)])
		e->level = LAPSMP_EXPRESS_NONE;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_express_queued);

/* An initial window may be chosen smaller than that: then what it began with is enough. */
static void lapsmp_express_check(struct lapsmp_express *e, u64 was_q16)
{
	if (e->cwnd_q16 < min(was_q16, LAPSMP_EXPRESS_CWND_MIN))
		e->level = LAPSMP_EXPRESS_NONE;
}

/* What left before there was an answer is the window that has to be justified now. */
static void lapsmp_express_hear(struct lapsmp_express *e, u64 inflight_segs)
{
	if (e->heard)
		return;
	e->heard = true;
	e->cwnd_q16 = max(e->cwnd_q16, inflight_segs * LAPSMP_SEG_Q16);
}

static u64 lapsmp_express_cut(const struct lapsmp_express_sample *s, u64 n_q16, u64 over_ns)
{
	u64 pipe_ns = (u64)max_t(s64, s->base_ns, 0) + max_t(s64, s->margin_ns, 1);

	/* Garbage must not wrap: then a part would be more than the whole. */
	pipe_ns = min(pipe_ns, U64_MAX - over_ns);

	return lapsmp_arith_muldiv(n_q16, over_ns, pipe_ns + over_ns) >>
	       LAPSMP_EXPRESS_CUT_SHIFT;
}

void lapsmp_express_acked(struct lapsmp_express *e, const struct lapsmp_express_sample *s)
{
	u64 n_q16 = s->segs * LAPSMP_SEG_Q16, was_q16;

	lapsmp_express_hear(e, (u64)s->inflight_segs + s->segs);
	if (!s->timed && !s->marked)
		return;
	was_q16 = e->cwnd_q16;
	if (s->marked)
		e->cwnd_q16 -= min(e->cwnd_q16, n_q16 >> LAPSMP_EXPRESS_CUT_SHIFT);
	else if (s->queue_ns > s->margin_ns)
		e->cwnd_q16 -= min(e->cwnd_q16,
				   lapsmp_express_cut(s, n_q16, (u64)s->queue_ns - s->margin_ns));
	else if (s->queue_ns < s->margin_ns / 2)
		e->cwnd_q16 += n_q16;
	else
		e->cwnd_q16 += n_q16 >> LAPSMP_EXPRESS_CSS_SHIFT;
	e->cwnd_q16 = min(e->cwnd_q16, LAPSMP_EXPRESS_CWND_MAX);
	lapsmp_express_check(e, was_q16);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_express_acked);

void lapsmp_express_lost(struct lapsmp_express *e, u32 inflight_segs, u64 sent_ns,
			 u64 now_ns)
{
	u64 was_q16;

	lapsmp_express_hear(e, inflight_segs);
	if (e->cut_ns && sent_ns < e->cut_ns)
		return;
	e->cut_ns = now_ns;
	was_q16 = e->cwnd_q16;
	e->cwnd_q16 /= 2;
	lapsmp_express_check(e, was_q16);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_express_lost);

u32 lapsmp_express_window(const struct lapsmp_express *e)
{
	u64 segs = e->cwnd_q16 >> 16;

	if (e->level == LAPSMP_EXPRESS_NONE)
		return 0;
	return min_t(u64, e->heard ? segs : segs * LAPSMP_EXPRESS_UNHEARD, U32_MAX);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_express_window);

u64 lapsmp_express_rate(const struct lapsmp_express *e, u64 line_rate, u32 unheard,
			u32 inflight_segs)
{
	u64 rate = line_rate;

	if (!e->heard && inflight_segs >= e->cwnd_q16 >> 16)
		rate = div_u64(line_rate >> LAPSMP_EXPRESS_TRICKLE_SHIFT,
			       lapsmp_express_sharers(unheard));
	return max_t(u64, rate, 1);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_express_rate);
