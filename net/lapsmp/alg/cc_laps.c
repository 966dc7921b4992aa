// SPDX-License-Identifier: GPL-2.0
/*
 * How much a flow may have under way, over all its paths together.
 *
 * Each path says by its own acknowledgments whether it is full. With base_i its
 * empty delay, margin_i the queue that it may have, T_i = base_i + margin_i and
 * over_i = owd_i - T_i, an acknowledgment on path i moves the window up if over_i <= 0, and
 * if it is more, up for being one of several and down for the queue, by what step.c says; but
 * not down if another path has room:
 *
 *	over_j < -margin_j / 4, now and on the average
 *
 * Where queues swing and are long on the average, both ways, there is no such room, and none to
 * move up by (swing.c). And each mark takes a quarter of a segment. Beside others that do not
 * yield (stand.c), over_i counts for 1/8 of what it is at first, and at most once per hold time a
 * loss takes 0.3 of the window, if that is more. Beside others that fill deep buffers (deep.c) it
 * counts for nothing, and at most once per round trip a loss takes as much; in a test of whether
 * they are still there the window is a sixteenth, from 1/4 to 1 segment, and nothing moves it.
 *
 * In slow start, instead:
 *
 *	calm:		cwnd += n, but n / 4 once the path was full
 *	over_i <= 0:	cwnd += n / 4, but as above once the path was full
 *	over_i > 0:	cwnd -= as above, whatever room others have, and the
 *			path was full
 *
 * where n segments were acknowledged and calm is over_i < -margin_i / 2. It ends when all
 * paths are full at once. And at most once per hold time of 2 T, T the largest T_i:
 *
 *	a burst of losses:	cwnd /= 2, slow start ends, stage = 0
 *	else, after slow start:	cwnd -= min(2 p cwnd, n, cwnd / 2), p the share that was lost
 *				and not by timeouts, if that is more than 1/20, as of a
 *				burst, and n how many they are
 *	an over_i > 0:		stage = 0
 *	else:			stage++, and if > 2 and there was a calm
 *				acknowledgment: cwnd *= 1 + min(stage - 2, 8) / 16
 *
 * where the burst that ends slow start is not held up. A window that was not used
 * does not grow. The pacing rate is 1.25 cwnd per round trip (segpace.c).
 *
 * Why not the paper's t > T, t the smallest delay and T the largest base: with
 * paths of 5 and of 500 us it would let a queue of 495 us grow on the short one
 * before it saw congestion, and would see the long one full while it is empty.
 *
 * Why by each acknowledgment, and not once per T for all: while a long path takes
 * up what it holds, the window that the short one needs is gone within that one's
 * round trip, a hundredth of T, and must be back as soon. Which path gets the
 * increase is the scheduler's business: it sends where there is room. In steady
 * flow, the path's own acknowledgments of one round trip add up to the change
 * that its delay calls for, and no round trip knows more than that.
 *
 * Why no path's room excuses another's queue in slow start: a path that was not
 * heard of yet, or only when it was full already, looks empty, and a window that
 * doubles on its account meets the others' buffers. Afterwards it does: what is
 * too much on one path belongs on the one with room, and not off the window. The
 * short one's acknowledgments are many, and would keep the long one empty.
 *
 * Why less is yielded for some time, and not none until something is lost, as TCP does: so
 * there is one rest as before, of longer queues. Where flows of this kind are left alone they
 * find it below what buffers hold, lose nothing, and know then that nobody else is there;
 * and beside TCP it bounds what they take. The segment per round trip is what TCP adds, and
 * 0.3 what Cubic takes off: where losses did not count, 16 flows kept the buffer full, and
 * as many of Cubic waited for their timeouts.
 *
 * Why a quarter for a mark: DCTCP takes half of the share that is marked (RFC 8257), once in
 * round trips that have marks. They come in bursts, and half of the round trips has none.
 *
 * Why a loss takes a segment, which is what that share of the window is: many that share a buffer
 * of a few packets for each rest where it is nearly full, and what their windows are made equal
 * by keeps them there. Of 63 whose buffer holds 16 packets a quarter was lost where losses took
 * nothing, and a tenth is now. Not where they are fewer than one in twenty, which a way that loses
 * packets by itself may have: of two large windows that is much more than a segment, so a loss is
 * none there, and of a window of less than ten it is.
 *
 * Slow start doubles once more before its last doubling
 * is seen; that can be more than queues hold, so it becomes slower as they fill,
 * as HyStart++ does (RFC 9406), and does not wait when segments are lost.
 *
 * Where all had stopped for a moment (drain.c), their queues have room until they are what they
 * were: that moves nothing, or all who send to one host would grow at once. And they begin to
 * yield at times of their own, or all of them would stand up at once (stand.c).
 *
 * A burst of losses may turn out to be none: then the window is what it was before (undo.c).
 *
 * Reference: LAPS section III-F; RFC 7661 for windows that are not used. This
 * file knows of one window and of a path no more than whether it was full.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>

#include "../compat.h"
#include "arith.h"
#include "deep.h"
#include "policy.h"
#include "segpace.h"
#include "stand.h"
#include "step.h"
#include "swing.h"
#include "undo.h"

/* 0.05 segments: one in 20 round trips, the share in an incast of hundreds. */
#define LAPSMP_CC_LAPS_CWND_MIN		(LAPSMP_SEG_Q16 / 20)
/* In 1/256, what a loss takes there of the window: Cubic's 0.3 (RFC 9438). */
#define LAPSMP_CC_LAPS_CUT_STAND_Q8	77
/* Of a segment, for each that was marked. */
#define LAPSMP_CC_LAPS_MARK_SHIFT	2
/* Beside those who fill deep buffers a queue counts for nothing, from 4 segments on. */
#define LAPSMP_CC_LAPS_DEEP_SHIFT	62
#define LAPSMP_CC_LAPS_DEEP_CWND	(4 * LAPSMP_SEG_Q16)
/* In a test of deep.c: a sixteenth of the window, but from 1/4 segment to one. */
#define LAPSMP_CC_LAPS_TEST_SHIFT	4
#define LAPSMP_CC_LAPS_TEST_MIN		(LAPSMP_SEG_Q16 / 4)
#define LAPSMP_CC_LAPS_TEST_MAX		LAPSMP_SEG_Q16
/* Hold times without congestion before the increase becomes exponential, */
#define LAPSMP_CC_LAPS_CALM		2
/* the most that counts of those after, and their unit: up to 8/16 a step. */
#define LAPSMP_CC_LAPS_FAST_MAX		8
#define LAPSMP_CC_LAPS_FAST_SHIFT	4
/*
 * Losses since the last decision that are congestion, not a fault of a link: more than one in
 * this many; and a burst, if they are this many as well.
 */
#define LAPSMP_CC_LAPS_BURST_SEGS	4
#define LAPSMP_CC_LAPS_BURST_SHARE	20
/*
 * Those that are none take as many times their share of the window: hold times may be two round
 * trips; and no more than themselves.
 */
#define LAPSMP_CC_LAPS_LOSS_TIMES	2
/* The part of slow start that is left when delays rise: 1/4 (RFC 9406). */
#define LAPSMP_CC_LAPS_CSS_SHIFT	2
/* Shorter hold times are an error of measurement; a wire has more. */
#define LAPSMP_CC_LAPS_HOLD_MIN_NS	2000
/* Segments, beyond any memory: so that sums of windows fit. */
#define LAPSMP_CC_LAPS_CWND_MAX		((u64)U32_MAX << 16)

/**
 * struct lapsmp_cc_laps - what is remembered between acknowledgments
 * @hold_until_ns: no decision before
 * @pace: how fast the window is sent
 * @acked: segments acknowledged since the last one
 * @lost: segments lost since then
 * @overtaken: of those, the ones that later ones of their path have overtaken, by ACKs
 * @used: most segments that were under way at once since then
 * @undo: what the window was before bursts that may have been none
 * @full: a bit for each path, by its id modulo 64: its queue was above its margin
 * @swing: how long the queues are that it meets
 * @stand: whether others yield
 * @deep: whether others fill a deep buffer
 * @test_cwnd_q16: window before a test of @deep
 * @stage: decisions since one had seen a queue above its margin, or a burst; saturating
 * @slow_start: not all paths were full at once yet, and there was no burst
 * @calm: an acknowledgment since the last decision found its path calm
 * @late: likewise, above its margin
 */
struct lapsmp_cc_laps {
	u64	hold_until_ns;
	struct lapsmp_segpace pace;
	u32	acked;
	u32	lost;
	u32	overtaken;
	u32	used;
	struct lapsmp_undo undo;
	u64	full;
	struct lapsmp_swing swing;
	struct lapsmp_stand stand;
	struct lapsmp_deep deep;
	u64	test_cwnd_q16;
	u8	stage;
	bool	slow_start;
	bool	calm;
	bool	late;
};

static_assert(sizeof(struct lapsmp_cc_laps) <=
	      sizeof_field(struct lapsmp_cc, priv));

static struct lapsmp_cc_laps *lapsmp_cc_laps_priv(struct lapsmp_cc *cc)
{
	return (struct lapsmp_cc_laps *)cc->priv;
}

static u64 lapsmp_cc_laps_initcwnd(const struct lapsmp_cc_cfg *cfg)
{
	return max_t(u64, cfg->initcwnd, 1) * LAPSMP_SEG_Q16;
}

static void lapsmp_cc_laps_init(struct lapsmp_cc *cc,
				const struct lapsmp_cc_cfg *cfg)
{
	*lapsmp_cc_laps_priv(cc) = (struct lapsmp_cc_laps){
		.slow_start = true,
	};
	cc->cwnd_q16 = lapsmp_cc_laps_initcwnd(cfg);
	cc->pacing_rate = cfg->line_rate;
}

/* Whether others are there that do not yield, and what a queue counts for then. */
static u8 lapsmp_cc_laps_shift(const struct lapsmp_cc_laps *m)
{
	return m->deep.state ? LAPSMP_CC_LAPS_DEEP_SHIFT : m->stand.shift;
}

/*
 * Within [0.05, 2 T C]: more than that cannot be under way on paths whose queues
 * are to stay within their margin. The initial window is allowed at any T, lest
 * one that was measured too small locks the flow. Who does not yield to the queue needs
 * what is under way in that.
 */
static void lapsmp_cc_laps_bound(struct lapsmp_cc *cc,
				 const struct lapsmp_cc_cfg *cfg,
				 const struct lapsmp_ack_sample *s)
{
	s64 pipe_ns = lapsmp_cc_laps_priv(cc)->deep.state ? max(s->t_ns, s->T_ns) : s->T_ns;
	u64 top = lapsmp_cc_laps_initcwnd(cfg);

	if (pipe_ns > 0)
		top = max(top, lapsmp_arith_segs_q16(cfg->line_rate, 2 * (u64)pipe_ns,
						     cfg->seg_bytes));
	top = min(top, LAPSMP_CC_LAPS_CWND_MAX);
	cc->cwnd_q16 = clamp_t(u64, cc->cwnd_q16, LAPSMP_CC_LAPS_CWND_MIN, top);
}

/*
 * RFC 7661's idea: a window that was not used says nothing about the network, so
 * it must not grow, whether the application, the receiver or the host was the
 * limit. It is the use that counts, not app_limited: a flow may run dry at each
 * end of a message and still have filled its window between. The peak since the
 * last decision is taken, since acknowledgments come in batches during which
 * nothing is sent.
 */
static bool lapsmp_cc_laps_is_used(struct lapsmp_cc *cc)
{
	return lapsmp_cc_laps_priv(cc)->used * LAPSMP_SEG_Q16 >=
	       cc->cwnd_q16 / 2;
}

static bool lapsmp_cc_laps_is_much(const struct lapsmp_cc_laps *m, u32 lost)
{
	return (u64)lost * LAPSMP_CC_LAPS_BURST_SHARE > (u64)lost + m->acked;
}

static bool lapsmp_cc_laps_is_burst(const struct lapsmp_cc_laps *m)
{
	return m->lost >= LAPSMP_CC_LAPS_BURST_SEGS && lapsmp_cc_laps_is_much(m, m->lost);
}

/* There is a path whose queue may still grow by a quarter of what is allowed. */
static bool lapsmp_cc_laps_has_room(const struct lapsmp_ack_sample *s)
{
	return s->over_ns < -(s->margin_ns / 4);
}

/*
 * It would be that of a queue that swings: nothing grows by it, and a queue elsewhere is not
 * excused. But who has less than a segment must find out whether there is one, and who stands
 * up to others meets theirs.
 */
static bool lapsmp_cc_laps_no_room(struct lapsmp_cc *cc)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);

	return cc->cwnd_q16 >= LAPSMP_SEG_Q16 && !lapsmp_cc_laps_shift(m) &&
	       lapsmp_swing_is_long(&m->swing);
}

static void lapsmp_cc_laps_down(struct lapsmp_cc *cc,
				const struct lapsmp_ack_sample *s, s64 over_ns)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);

	m->late = true;
	m->full |= BIT_ULL(s->path_id % 64);
	if (s->over_ns > 0)
		m->slow_start = false;
	if (!m->slow_start && lapsmp_cc_laps_is_used(cc))
		cc->cwnd_q16 += lapsmp_step_add(cc->cwnd_q16, s, over_ns, lapsmp_cc_laps_shift(m));
	if (m->slow_start || !lapsmp_cc_laps_has_room(s) || lapsmp_cc_laps_no_room(cc))
		cc->cwnd_q16 -= lapsmp_step_cut(cc->cwnd_q16, s, over_ns);
}

static void lapsmp_cc_laps_up(struct lapsmp_cc *cc,
			      const struct lapsmp_ack_sample *s, s64 over_ns)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);
	bool full = m->full & BIT_ULL(s->path_id % 64);
	bool calm = over_ns < -(s->here_margin_ns / 2);
	u64 inc = lapsmp_step_share(s->acked_segs, cc->cwnd_q16);

	if (lapsmp_cc_laps_no_room(cc))
		return;
	m->calm |= calm;
	if (!lapsmp_cc_laps_is_used(cc))
		return;
	if (!m->slow_start || (full && !calm))
		inc = lapsmp_step_up(cc->cwnd_q16, s, over_ns, lapsmp_cc_laps_shift(m));
	else if (full || !calm)
		inc >>= LAPSMP_CC_LAPS_CSS_SHIFT;
	cc->cwnd_q16 += inc;
}

static void lapsmp_cc_laps_move(struct lapsmp_cc *cc,
				const struct lapsmp_ack_sample *s)
{
	s64 over_ns = lapsmp_step_over(s);

	if (!s->acked_segs)
		return;
	lapsmp_swing_update(&lapsmp_cc_laps_priv(cc)->swing, over_ns, s->here_back_ns,
			    max(s->T_ns, s->here_T_ns),
			    lapsmp_arith_muldiv(s->acked_segs * LAPSMP_SEG_Q16, LAPSMP_SEG_Q16,
						cc->cwnd_q16));
	if (over_ns > 0)
		lapsmp_cc_laps_down(cc, s,
				    over_ns >> lapsmp_cc_laps_shift(lapsmp_cc_laps_priv(cc)));
	else
		lapsmp_cc_laps_up(cc, s, over_ns);
}

static void lapsmp_cc_laps_mark(struct lapsmp_cc *cc,
				const struct lapsmp_ack_sample *s)
{
	u64 cut = lapsmp_step_share(s->marked_segs, cc->cwnd_q16);

	cc->cwnd_q16 -= min(cut >> LAPSMP_CC_LAPS_MARK_SHIFT, cc->cwnd_q16 / 2);
}

/*
 * Who has half of what the device carries is not kept from his part. Alone on a link he rests above
 * his margin, as if he yielded; when others of his kind begin he loses something, and took them
 * for TCP by that: the first of eight had 68 of 100 Gbit/s again after two milliseconds, and
 * Jain's index of the second one was 0.25.
 */
static bool lapsmp_cc_laps_has_most(const struct lapsmp_cc *cc,
				    const struct lapsmp_cc_cfg *cfg,
				    const struct lapsmp_ack_sample *s)
{
	return s->rtt_ns && cc->cwnd_q16 >= lapsmp_arith_segs_q16(cfg->line_rate, s->rtt_ns,
								  cfg->seg_bytes) / 2;
}

static void lapsmp_cc_laps_stand(struct lapsmp_cc *cc,
				 const struct lapsmp_cc_cfg *cfg,
				 const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);
	struct lapsmp_stand_sample stand = {
		.now_ns = s->now_ns,
		.T_ns = s->T_ns,
		.full = s->over_ns > 0 && !m->slow_start &&
			!lapsmp_cc_laps_has_most(cc, cfg, s),
		.pressed = s->lost_segs || s->marked_segs,
		.acked_segs = s->acked_segs,
		.rtt_ns = s->rtt_ns,
		.refill = s->refill,
		.rnd = s->rnd,
	};

	lapsmp_stand_update(&m->stand, &stand);
}

/* Return: true in a test, when nothing that is heard moves the window. */
static bool lapsmp_cc_laps_deep(struct lapsmp_cc *cc,
				const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);
	struct lapsmp_deep_sample deep = {
		.now_ns = s->now_ns,
		.t_ns = s->t_ns,
		.base_ns = s->base0_ns,
		.margin_ns = m->slow_start || s->T_ns <= 0 ? 0 : s->margin_ns,
		.rtt_ns = s->rtt_ns,
		.acked_segs = s->acked_segs,
		.n_paths = s->n_paths,
		.full = s->over_ns > 0,
		.used = lapsmp_cc_laps_is_used(cc),
	};
	u8 was = m->deep.state;

	/* A timeout is no delay; without a path there is none, or while all are in back-off. */
	if (s->timeout || (s->margin_ns <= 0 && !m->slow_start))
		return was == LAPSMP_DEEP_TEST;
	if (lapsmp_deep_update(&m->deep, &deep) == was)
		return was == LAPSMP_DEEP_TEST;
	switch (m->deep.state) {
	case LAPSMP_DEEP_OFF:
		/* Paced by what a queue took that is gone, it would learn that late. */
		lapsmp_segpace_forget(&m->pace);
		break;
	case LAPSMP_DEEP_ON:
		cc->cwnd_q16 = was == LAPSMP_DEEP_TEST ? m->test_cwnd_q16 :
			       max(cc->cwnd_q16, LAPSMP_CC_LAPS_DEEP_CWND);
		break;
	case LAPSMP_DEEP_TEST:
		m->test_cwnd_q16 = cc->cwnd_q16;
		cc->cwnd_q16 = clamp_t(u64, cc->cwnd_q16 >> LAPSMP_CC_LAPS_TEST_SHIFT,
				       LAPSMP_CC_LAPS_TEST_MIN, LAPSMP_CC_LAPS_TEST_MAX);
		break;
	}
	return m->deep.state == LAPSMP_DEEP_TEST;
}

static void lapsmp_cc_laps_halve(struct lapsmp_cc *cc)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);

	lapsmp_undo_burst(&m->undo, cc->cwnd_q16, m->lost);
	cc->cwnd_q16 /= 2;
	m->slow_start = false;
	m->stage = 0;
}

static void lapsmp_cc_laps_grow(struct lapsmp_cc *cc)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);

	if (m->late || (m->lost && lapsmp_cc_laps_shift(m))) {
		m->stage = 0;
		return;
	}
	/* A calm that was not put to the test does not count either. */
	if (m->slow_start || !lapsmp_cc_laps_is_used(cc))
		return;
	m->stage = min_t(u32, m->stage + 1,
			 LAPSMP_CC_LAPS_CALM + LAPSMP_CC_LAPS_FAST_MAX);
	if (m->stage > LAPSMP_CC_LAPS_CALM && m->calm)
		cc->cwnd_q16 += (cc->cwnd_q16 >> LAPSMP_CC_LAPS_FAST_SHIFT) *
				(m->stage - LAPSMP_CC_LAPS_CALM);
}

static void lapsmp_cc_laps_undo(struct lapsmp_cc *cc,
				const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);

	cc->cwnd_q16 = max(cc->cwnd_q16, lapsmp_undo_spurious(&m->undo, s->spurious_segs));
}

/*
 * Not in slow start, which a single loss does not end either. Nor of what has timed out: each
 * port of a link that has died loses its own few, one after the other.
 */
static void lapsmp_cc_laps_cut_lost(struct lapsmp_cc *cc)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);
	u64 cut = 0;

	if (!m->lost)
		return;
	if (!m->slow_start && lapsmp_cc_laps_is_much(m, m->overtaken))
		cut = min(lapsmp_arith_muldiv(cc->cwnd_q16,
					      LAPSMP_CC_LAPS_LOSS_TIMES * (u64)m->overtaken,
					      (u64)m->overtaken + m->acked),
			  m->overtaken * LAPSMP_SEG_Q16);
	if (lapsmp_cc_laps_shift(m))
		cut = max(cut, (cc->cwnd_q16 >> 8) * LAPSMP_CC_LAPS_CUT_STAND_Q8);
	cc->cwnd_q16 -= min(cut, cc->cwnd_q16 / 2);
}

static void lapsmp_cc_laps_decide(struct lapsmp_cc *cc,
				  const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);
	u64 hold_ns = max(2 * (u64)max_t(s64, s->T_ns, 0), m->deep.state ? s->rtt_ns : 0);

	lapsmp_undo_decision(&m->undo);
	if (lapsmp_cc_laps_is_burst(m)) {
		lapsmp_cc_laps_halve(cc);
	} else {
		lapsmp_cc_laps_cut_lost(cc);
		lapsmp_cc_laps_grow(cc);
	}
	m->hold_until_ns = s->now_ns +
			   max_t(u64, hold_ns, LAPSMP_CC_LAPS_HOLD_MIN_NS);
	m->acked = 0;
	m->lost = 0;
	m->overtaken = 0;
	m->calm = false;
	m->late = false;
	m->used = s->inflight_segs;
}

/* Delays tell nothing. Losses wait for the next decision. */
static void lapsmp_cc_laps_refill(struct lapsmp_cc *cc, const struct lapsmp_ack_sample *s)
{
	if (lapsmp_cc_laps_priv(cc)->deep.state == LAPSMP_DEEP_TEST)
		return;
	lapsmp_cc_laps_undo(cc, s);
	lapsmp_cc_laps_mark(cc, s);
}

static void lapsmp_cc_laps_on_ack(struct lapsmp_cc *cc,
				  const struct lapsmp_cc_cfg *cfg,
				  const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);

	m->acked += s->acked_segs;
	m->lost += s->lost_segs;
	if (!s->timeout)
		m->overtaken += s->lost_segs;
	m->used = max(m->used, s->inflight_segs + s->acked_segs + s->lost_segs);
	lapsmp_cc_laps_stand(cc, cfg, s);
	if (s->refill) {
		lapsmp_cc_laps_refill(cc, s);
		return;
	}
	if (!lapsmp_cc_laps_deep(cc, s)) {
		lapsmp_cc_laps_undo(cc, s);
		lapsmp_cc_laps_mark(cc, s);
		lapsmp_cc_laps_move(cc, s);
		if (s->now_ns >= m->hold_until_ns ||
		    (m->slow_start && lapsmp_cc_laps_is_burst(m)))
			lapsmp_cc_laps_decide(cc, s);
		lapsmp_cc_laps_bound(cc, cfg, s);
	}
	lapsmp_segpace_sample(&m->pace, s->acked_segs, s->rtt_ns);
	cc->pacing_rate = lapsmp_segpace_rate(&m->pace, cc->cwnd_q16, cfg->seg_bytes,
					      cfg->line_rate) ?: cc->pacing_rate;
	cc->pace_ns = m->pace.srtt_ns;
}

struct lapsmp_cc_ops lapsmp_cc_laps = {
	.name = "laps",
	.owner = THIS_MODULE,
	.ecn = true,
	.init = lapsmp_cc_laps_init,
	.on_ack = lapsmp_cc_laps_on_ack,
};

LAPSMP_EXPORT_FOR_TEST(lapsmp_cc_laps);
