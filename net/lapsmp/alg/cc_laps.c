// SPDX-License-Identifier: GPL-2.0
/*
 * How much a flow may have under way, over all its paths together.
 *
 * Single congested paths are the scheduler's business: it moves the load. Only
 * when even the path with most room has none left, there is nowhere to go. With
 * q_i = owd_i - base_i, over = min(q_i - margin_i), m the margin of that path,
 * and T the largest base with margin, at most once per hold time:
 *
 *	over > 0, or a burst of losses:
 *		f = burst ? 1/2 : slow start ? 1/4 : min(1/2, 0.3 over / (T + over))
 *		cwnd *= 1 - f, stage = 0, hold 2 (T + over)
 *	else:
 *		stage++, inc = 0.1 + 0.1 cwnd min(-over, T) / T
 *		if stage > 2 and over < -m / 2:
 *			inc = max(inc, cwnd min(stage - 2, 8) / 16)
 *		cwnd += inc, hold 2 T
 *
 * but until the first decrease (slow start) one segment per acknowledged one, a
 * quarter of one where over >= -m / 2, and over > 0 is not held up. The pacing
 * rate is 1.25 cwnd per round trip.
 *
 * Why not the paper's t > T, t the smallest delay and T the largest base: with
 * paths of 5 and of 500 us it would let a queue of 495 us grow on the short one
 * before it saw congestion, and would see the long one full while it is empty.
 * Where paths are of one length, both are the same.
 *
 * Why not the paper's halving: over says how far the queue is off, and a
 * decrease in proportion to it ends where the queue is right, without swinging
 * around it. The increase is the same in reverse, weaker, and an additive part,
 * which is what makes flows equal; it is exponential where a path is far from
 * full. The hold time is what a change takes to be seen. Slow start doubles once
 * more before its last doubling is seen; that can be more than queues hold, so
 * it becomes slower as they fill, as HyStart++ does (RFC 9406).
 *
 * A burst of losses may turn out to be none: the host, or a hypervisor below it,
 * stood still for longer than a timeout. Once half of what was deemed lost was
 * acknowledged after all, the window is what it was before (RFC 5682's idea).
 *
 * Reference: LAPS section III-F; the proportional decrease is that of delay
 * based controls since TCP Vegas; RFC 7661 for windows that are not used. This
 * file knows of one window and no single path.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/time64.h>

#include "../compat.h"
#include "arith.h"
#include "policy.h"

/* Segments. Enough to measure a path, few enough for 63 hosts to start at once. */
#define LAPSMP_CC_LAPS_CWND_INIT	(8 * LAPSMP_SEG_Q16)
/* 0.05 segments: one in 20 round trips, the share in an incast of hundreds. */
#define LAPSMP_CC_LAPS_CWND_MIN		(LAPSMP_SEG_Q16 / 20)
/* 0.1 segments per hold time: the additive increase. */
#define LAPSMP_CC_LAPS_INC		(LAPSMP_SEG_Q16 / 10)
/* Hold times without congestion before the increase becomes exponential, */
#define LAPSMP_CC_LAPS_CALM		2
/* the most that counts of those after, and their unit: up to 8/16 a step. */
#define LAPSMP_CC_LAPS_FAST_MAX		8
#define LAPSMP_CC_LAPS_FAST_SHIFT	4
/* Decreases, 16 fractional bits: 0.5 at most, and 0.3 of the excess. */
#define LAPSMP_CC_LAPS_CUT_MAX		32768
#define LAPSMP_CC_LAPS_CUT_GAIN		19661
/* The end of slow start: what is left of it has added a quarter since t. */
#define LAPSMP_CC_LAPS_CUT_START	16384
/* 0.1 of the room: a third of the gain on the way down. */
#define LAPSMP_CC_LAPS_INC_GAIN		6554
/*
 * Losses since the last decision that are congestion, not a fault of a link:
 * this many, and more than one in this many.
 */
#define LAPSMP_CC_LAPS_BURST_SEGS	4
#define LAPSMP_CC_LAPS_BURST_SHARE	20
/* The part of slow start that is left when delays rise: 1/4 (RFC 9406). */
#define LAPSMP_CC_LAPS_CSS_SHIFT	2
/*
 * The last so many segments make the round-trip time that is paced by: enough
 * that one path in 20 with a hundred times the others' is met regularly;
 */
#define LAPSMP_CC_LAPS_RTT_SEGS		512
/* this is the most that one of them counts for. */
#define LAPSMP_CC_LAPS_RTT_MAX_NS	(100ULL * NSEC_PER_SEC)
/* Shorter hold times are an error of measurement; a wire has more. */
#define LAPSMP_CC_LAPS_HOLD_MIN_NS	2000

/**
 * struct lapsmp_cc_laps - what is remembered between acknowledgments
 * @hold_until_ns: no decision before
 * @srtt_ns: round-trip time of a segment, 0 before the first sample
 * @rtt_segs: segments that it is the mean of
 * @acked: segments acknowledged since the last one
 * @lost: segments lost since then
 * @used: most segments that were under way at once since then
 * @undo_cwnd_q16: window before the bursts of @undo_lost, 0 if there were none
 * @undo_lost: segments of the bursts, while the window is not calm again
 * @undo_spurious: of them, those that were acknowledged after all
 * @stage: decisions to increase since the last decrease
 * @slow_start: there was no decrease yet
 */
struct lapsmp_cc_laps {
	u64	hold_until_ns;
	u64	srtt_ns;
	s32	rtt_segs;
	u32	acked;
	u32	lost;
	u32	used;
	u64	undo_cwnd_q16;
	u32	undo_lost;
	u32	undo_spurious;
	u32	stage;
	bool	slow_start;
};

static_assert(sizeof(struct lapsmp_cc_laps) <=
	      sizeof_field(struct lapsmp_cc, priv));

static struct lapsmp_cc_laps *lapsmp_cc_laps_priv(struct lapsmp_cc *cc)
{
	return (struct lapsmp_cc_laps *)cc->priv;
}

static void lapsmp_cc_laps_init(struct lapsmp_cc *cc,
				const struct lapsmp_cc_cfg *cfg)
{
	*lapsmp_cc_laps_priv(cc) = (struct lapsmp_cc_laps){
		.slow_start = true,
	};
	cc->cwnd_q16 = LAPSMP_CC_LAPS_CWND_INIT;
	cc->pacing_rate = cfg->line_rate;
}

/*
 * Within [0.05, 2 T C]: more than that cannot be under way on paths whose queues
 * are to stay within their margin. The initial window is allowed at any T, lest
 * one that was measured too small locks the flow.
 */
static void lapsmp_cc_laps_bound(struct lapsmp_cc *cc,
				 const struct lapsmp_cc_cfg *cfg,
				 const struct lapsmp_ack_sample *s)
{
	u64 top = LAPSMP_CC_LAPS_CWND_INIT;

	if (s->T_ns > 0)
		top = max(top, lapsmp_arith_segs_q16(cfg->line_rate,
						     2 * (u64)s->T_ns,
						     cfg->seg_bytes));
	cc->cwnd_q16 = clamp_t(u64, cc->cwnd_q16, LAPSMP_CC_LAPS_CWND_MIN, top);
}

/*
 * The round-trip time of the segments, and not of the paths: where most take a
 * short path, the mean over the paths would have the window sent too slowly.
 */
static void lapsmp_cc_laps_rtt(struct lapsmp_cc_laps *m,
			       const struct lapsmp_ack_sample *s)
{
	s32 n = min_t(u32, s->acked_segs, LAPSMP_CC_LAPS_RTT_SEGS);
	s64 rtt_ns = min_t(u64, s->rtt_ns, LAPSMP_CC_LAPS_RTT_MAX_NS);

	if (!rtt_ns || !n)
		return;
	/* The mean of all, until there are as many as that. */
	m->rtt_segs = min(m->rtt_segs + n, LAPSMP_CC_LAPS_RTT_SEGS);
	m->srtt_ns += div_s64((rtt_ns - (s64)m->srtt_ns) * n, m->rtt_segs);
}

/*
 * 1.25 of what the window is worth: slightly faster than the acknowledgments
 * come back, so that the window is the limit and the pacing only spreads it.
 */
static void lapsmp_cc_laps_pace(struct lapsmp_cc *cc,
				const struct lapsmp_cc_cfg *cfg)
{
	u64 srtt_ns = lapsmp_cc_laps_priv(cc)->srtt_ns;
	u64 bytes, rate;

	if (!srtt_ns)
		return;
	bytes = lapsmp_arith_muldiv(cc->cwnd_q16, cfg->seg_bytes,
				    LAPSMP_SEG_Q16);
	rate = lapsmp_arith_muldiv(bytes, NSEC_PER_SEC / 4 * 5, srtt_ns);
	/* 0 would mean not paced. */
	cc->pacing_rate = max_t(u64, min(rate, cfg->line_rate), 1);
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

static bool lapsmp_cc_laps_is_burst(const struct lapsmp_cc_laps *m)
{
	return m->lost >= LAPSMP_CC_LAPS_BURST_SEGS &&
	       (u64)m->lost * LAPSMP_CC_LAPS_BURST_SHARE >
	       (u64)m->lost + m->acked;
}

/* The part of the window that goes, 16 fractional bits. */
static u64 lapsmp_cc_laps_cut(const struct lapsmp_cc_laps *m,
			      const struct lapsmp_ack_sample *s, bool burst)
{
	u64 cut;

	if (burst)
		return LAPSMP_CC_LAPS_CUT_MAX;
	if (m->slow_start)
		return LAPSMP_CC_LAPS_CUT_START;
	cut = lapsmp_arith_muldiv(s->over_ns, LAPSMP_CC_LAPS_CUT_GAIN,
				  (u64)s->T_ns + (u64)s->over_ns);
	return min_t(u64, cut, LAPSMP_CC_LAPS_CUT_MAX);
}

static void lapsmp_cc_laps_decrease(struct lapsmp_cc *cc,
				    const struct lapsmp_ack_sample *s,
				    bool burst)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);

	if (burst) {
		m->undo_cwnd_q16 = m->undo_cwnd_q16 ?: cc->cwnd_q16;
		m->undo_lost += m->lost;
	}
	cc->cwnd_q16 -= mul_u64_u64_shr(cc->cwnd_q16,
					lapsmp_cc_laps_cut(m, s, burst), 16);
	m->slow_start = false;
	m->stage = 0;
}

/* There is a path with less than half of the queue that it may have. */
static bool lapsmp_cc_laps_is_calm(const struct lapsmp_ack_sample *s)
{
	return s->over_ns < -(s->margin_ns / 2);
}

static void lapsmp_cc_laps_slow_start(struct lapsmp_cc *cc,
				      const struct lapsmp_ack_sample *s)
{
	u64 inc = s->acked_segs * LAPSMP_SEG_Q16;

	if (!lapsmp_cc_laps_priv(cc)->slow_start || !lapsmp_cc_laps_is_used(cc))
		return;
	if (s->T_ns > 0 && !lapsmp_cc_laps_is_calm(s))
		inc >>= LAPSMP_CC_LAPS_CSS_SHIFT;
	cc->cwnd_q16 += inc;
}

/* By what part of itself the window grows, 16 fractional bits. */
static u64 lapsmp_cc_laps_gain(const struct lapsmp_ack_sample *s)
{
	s64 room_ns = -clamp_t(s64, s->over_ns, -s->T_ns, 0);

	return lapsmp_arith_muldiv(room_ns, LAPSMP_CC_LAPS_INC_GAIN, s->T_ns);
}

static void lapsmp_cc_laps_forget(struct lapsmp_cc_laps *m)
{
	m->undo_cwnd_q16 = 0;
	m->undo_lost = 0;
	m->undo_spurious = 0;
}

static void lapsmp_cc_laps_increase(struct lapsmp_cc *cc,
				    const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);
	u64 inc = LAPSMP_CC_LAPS_INC;
	u32 fast;

	/* A calm that was not put to the test does not count either. */
	if (m->slow_start || !lapsmp_cc_laps_is_used(cc))
		return;
	/* What has not come by now will not. */
	if (m->stage > LAPSMP_CC_LAPS_CALM)
		lapsmp_cc_laps_forget(m);
	m->stage = min_t(u32, m->stage + 1,
			 LAPSMP_CC_LAPS_CALM + LAPSMP_CC_LAPS_FAST_MAX);
	if (s->T_ns > 0)
		inc += mul_u64_u64_shr(cc->cwnd_q16, lapsmp_cc_laps_gain(s), 16);
	if (m->stage > LAPSMP_CC_LAPS_CALM && lapsmp_cc_laps_is_calm(s)) {
		fast = m->stage - LAPSMP_CC_LAPS_CALM;
		inc = max(inc, (cc->cwnd_q16 >> LAPSMP_CC_LAPS_FAST_SHIFT) *
			       fast);
	}
	cc->cwnd_q16 += inc;
}

static void lapsmp_cc_laps_undo(struct lapsmp_cc *cc,
				const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);

	if (!m->undo_cwnd_q16)
		return;
	m->undo_spurious += s->spurious_segs;
	if (m->undo_spurious < m->undo_lost - m->undo_lost / 2)
		return;
	cc->cwnd_q16 = max(cc->cwnd_q16, m->undo_cwnd_q16);
	lapsmp_cc_laps_forget(m);
}

/* Without a T there is no delay to judge by, only losses. */
static bool lapsmp_cc_laps_is_late(const struct lapsmp_ack_sample *s)
{
	return s->T_ns > 0 && s->over_ns > 0;
}

static void lapsmp_cc_laps_decide(struct lapsmp_cc *cc,
				  const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);
	bool burst = lapsmp_cc_laps_is_burst(m);
	u64 hold_ns = 2 * (u64)max_t(s64, s->T_ns, 0);

	if (lapsmp_cc_laps_is_late(s) || burst) {
		lapsmp_cc_laps_decrease(cc, s, burst);
		hold_ns += 2 * (u64)max_t(s64, s->over_ns, 0);
	} else {
		lapsmp_cc_laps_increase(cc, s);
	}
	m->hold_until_ns = s->now_ns +
			   max_t(u64, hold_ns, LAPSMP_CC_LAPS_HOLD_MIN_NS);
	m->acked = 0;
	m->lost = 0;
	m->used = s->inflight_segs;
}

static void lapsmp_cc_laps_on_ack(struct lapsmp_cc *cc,
				  const struct lapsmp_cc_cfg *cfg,
				  const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_laps *m = lapsmp_cc_laps_priv(cc);

	m->acked += s->acked_segs;
	m->lost += s->lost_segs;
	m->used = max(m->used, s->inflight_segs + s->acked_segs + s->lost_segs);

	lapsmp_cc_laps_undo(cc, s);
	lapsmp_cc_laps_slow_start(cc, s);
	if (s->now_ns >= m->hold_until_ns ||
	    (m->slow_start && lapsmp_cc_laps_is_late(s)))
		lapsmp_cc_laps_decide(cc, s);
	lapsmp_cc_laps_bound(cc, cfg, s);
	lapsmp_cc_laps_rtt(m, s);
	lapsmp_cc_laps_pace(cc, cfg);
}

struct lapsmp_cc_ops lapsmp_cc_laps = {
	.name = "laps",
	.owner = THIS_MODULE,
	.init = lapsmp_cc_laps_init,
	.on_ack = lapsmp_cc_laps_on_ack,
};

LAPSMP_EXPORT_FOR_TEST(lapsmp_cc_laps);
