// SPDX-License-Identifier: GPL-2.0
/*
 * The pump. One turn sends one segment:
 *
 *	something to send? -> window of the control? -> pacer? -> pick a path
 *	-> cut a segment that fits it -> send, record
 *
 * It runs wherever something changed: a message was queued, ACKs came, the timer
 * fired. Whatever stops it names who starts it again: the next ACK for the
 * window, the timer for the pacer and for what was sent in vain (alg/vain.c), sendmsg() for want
 * of data.
 *
 * ACKs of several paths come in together. It runs once for all of them, so that
 * what they allow can travel in trains (train.c), one for each path.
 */
#include <linux/hash.h>
#include "alg/ahead.h"
#include "alg/rtt.h"
#include "alg/segpace.h"
#include "clock.h"
#include "drain.h"
#include "mib.h"
#include "output.h"
#include "pass.h"
#include "probe.h"
#include "rtx.h"
#include "tail.h"
#include "trace.h"
#include "tx.h"
#include "view.h"
#include "xmit.h"

/* Segments per turn of the pump; then the timer continues, and others run. */
#define LAPSMP_TX_BUDGET	64
/* A smaller window is of single segments. */
#define LAPSMP_TX_PAIR_CWND	(2ULL << 16)
/* 65536 times 0.618. */
#define LAPSMP_TX_GOLDEN_Q16	40503

/* Flows that ACKs came for. */
static DEFINE_PER_CPU(struct lapsmp_later_cpu, lapsmp_tx_cpus);

/* Segments still to be sent, as far as is known. */
static u32 lapsmp_tx_left(const struct lapsmp_flow *f)
{
	u64 left = f->n_lost + div_u64(f->unsent, f->frame_bytes) + 1;

	return min_t(u64, left, U32_MAX);
}

/*
 * Of a window of 26.4 segments, 27 in two of five cases: multiples of the golden ratio
 * spread evenly however many are looked at. Cut off, the fraction is up to 120 ns of
 * queue for each flow at 100 Gbit/s, as much as is between windows that ought to become
 * equal.
 */
static u32 lapsmp_tx_window(const struct lapsmp_flow *f)
{
	u64 cwnd_q16 = f->cc.cwnd_q16 + (u16)(f->stats_segs * LAPSMP_TX_GOLDEN_Q16);

	return clamp_t(u64, cwnd_q16 >> 16, 1, U32_MAX);
}

/* Segments that may be sent now, as far as windows go. */
static u32 lapsmp_tx_room(const struct lapsmp_flow *f)
{
	u32 window;

	/* First contact: one packet asks for the cookie. */
	if (f->state == LAPSMP_FLOW_OPENING)
		return !f->inflight;
	window = lapsmp_pass_window(f, lapsmp_tx_window(f));
	return window - min(window, f->inflight);
}

/* Return: index of the path, or -1 if all are down. */
static int lapsmp_tx_pick(struct lapsmp_flow *f, u64 now_ns)
{
	struct lapsmp_pick p;
	u32 rnd;
	int i;

	if (!f->sight.any_usable)
		return -1;
	rnd = __lapsmp_flow_random(f);
	p = (struct lapsmp_pick){
		.paths = f->views,
		.sum = &f->path_sum,
		.n = f->n_paths,
		.rnd = rnd,
		.even = lapsmp_draw_even(&f->draw, rnd),
		.flow_hash = hash_64(f->number * 0x9e3779b97f4a7c15ULL, 32),
		.now_ns = now_ns,
		.t_ns = f->sight.T_ns,
		.left_segs = lapsmp_tx_left(f),
		.room_segs = lapsmp_tx_room(f),
		.passes = f->express.level,
		.first = (f->state != LAPSMP_FLOW_OPEN && !f->inflight) ||
			 f->n_lost,
		.beta_q8 = READ_ONCE(f->ln->conf.beta_q8),
		.w = f->weights,
	};
	i = f->sched_ops->pick(f->sched_priv, &p);
	/* A policy that answers nonsense must not take the machine with it. */
	return i < f->n_paths ? i : -1;
}

static void lapsmp_tx_blocked(struct lapsmp_flow *f, u64 now_ns)
{
	if (f->inflight || f->wprobe_at_ns)
		return;
	f->wprobe_at_ns = now_ns + (LAPSMP_WPROBE_MIN_NS << f->wprobe_shift);
	__lapsmp_flow_arm(f, f->wprobe_at_ns);
}

/* The oldest of a path sets its timeout; a first one may be the soonest. */
static void lapsmp_tx_arm(struct lapsmp_flow *f, const struct lapsmp_fpath *fp,
			  u64 now_ns)
{
	u64 ns = lapsmp_peer_rto_backed_off(f->peer, fp->path, now_ns);

	if (f->state != LAPSMP_FLOW_OPEN)
		ns = min_t(u64, ns, LAPSMP_TX_FIRST_LOOK_NS);
	__lapsmp_flow_arm(f, now_ns + ns);
}

/*
 * Bytes/s; 0: not paced. Where all paths are of one length the mean round trip is never far from
 * theirs, and of less than two segments the pace is the limit, and not the window.
 */
static u64 lapsmp_tx_pace(const struct lapsmp_flow *f, int i, u64 now_ns)
{
	const struct lapsmp_path_view *v = &f->views[i];
	u64 rate = lapsmp_pass_rate(f);

	if (!f->cc.pace_ns || !f->path_sum.unlike || !v->pipe_ns || f->express.level ||
	    f->cc.cwnd_q16 < LAPSMP_TX_PAIR_CWND)
		return rate;
	return lapsmp_segpace_short(rate, f->cc.pace_ns,
				    v->pipe_ns + lapsmp_ahead(v, false, now_ns) +
				    READ_ONCE(f->fpaths[i].path->back_ns),
				    f->cc_cfg.line_rate);
}

/* Return: whether to go on. */
static bool lapsmp_tx_on(struct lapsmp_flow *f, int i, u64 now_ns)
{
	struct lapsmp_fpath *fp = &f->fpaths[i];
	bool blocked = false;
	struct lapsmp_seg *seg;
	int bytes;
	u32 mss;

	mss = lapsmp_xmit_mss(f, fp, now_ns);
	if (!mss) {
		/* That one is down now: pick again. */
		__lapsmp_view_look_at(f, i);
		return true;
	}
	seg = lapsmp_rtx_next(f, mss, &blocked);
	if (IS_ERR(seg)) {
		LAPSMP_INC(f->ln, nomem);
		__lapsmp_flow_arm(f, now_ns + LAPSMP_TX_RETRY_NS);
		return false;
	}
	if (!seg) {
		if (blocked)
			lapsmp_tx_blocked(f, now_ns);
		else
			f->app_limited = true;
		return false;
	}
	trace_lapsmp_pick(f->id, fp->path->id, fp->ring.next,
			  seg->msg ? seg->msg->no : 0, seg->off, seg->len,
			  READ_ONCE(fp->path->owd_ns));
	bytes = lapsmp_xmit_seg(f, fp, seg, now_ns);
	if (bytes < 0) {
		lapsmp_rtx_unsend(f, seg);
		__lapsmp_flow_arm(f, now_ns + LAPSMP_TX_RETRY_NS);
		return false;
	}
	if (fp->ring.out == 1)
		lapsmp_tx_arm(f, fp, now_ns);
	__lapsmp_view_look_at(f, i);
	lapsmp_pacer_sent(&f->pacer, bytes, lapsmp_tx_pace(f, i, now_ns), now_ns);
	return true;
}

/*
 * Who sends one segment at a time never learns how fast a link is, nor, then, how long a queue
 * there may be; and where it is slow, a full segment alone takes longer than a small one by more
 * than was guessed. The window would stay closed. Nor does who paces more than that over many
 * paths, of which none seems to have room: two links of 20 Mbit/s, 20 ms long, were half used for
 * four seconds. Two in a row tell, and half as often they are no more on average. Once one path
 * has learned how much it carries, the others have room for that (pathplan.c): in pairs until each
 * link is known, the shares of a flow's paths swing by half as much again.
 */
static bool lapsmp_tx_wants_pair(const struct lapsmp_flow *f, const struct lapsmp_path *p)
{
	if (f->cc.cwnd_q16 >= LAPSMP_TX_PAIR_CWND &&
	    (f->sight.over_ns < 0 || READ_ONCE(f->peer->learned_rate)))
		return false;
	return f->state == LAPSMP_FLOW_OPEN && READ_ONCE(p->unseen) &&
	       READ_ONCE(p->pipe_ns) && !f->express.level;
}

/* Return: whether to go on. */
static bool lapsmp_tx_one(struct lapsmp_flow *f, u64 now_ns)
{
	int i = lapsmp_tx_pick(f, now_ns);
	bool pair;

	if (i < 0) {
		/* All are down: probes bring them back. But of none there are none. */
		if (!f->n_paths)
			__lapsmp_flow_arm(f, now_ns + LAPSMP_TX_RETRY_NS);
		return false;
	}
	pair = lapsmp_tx_wants_pair(f, f->fpaths[i].path);
	if (!lapsmp_tx_on(f, i, now_ns))
		return false;
	if (!pair || !lapsmp_rtx_has_work(f) || lapsmp_rtx_waits(f) ||
	    lapsmp_drain_is_on(f->peer, now_ns))
		return true;
	return lapsmp_tx_on(f, i, now_ns);
}

/* Return: whether to wait until nothing is under way. */
static bool lapsmp_tx_hold(struct lapsmp_flow *f, u64 now_ns)
{
	u64 look_ns = lapsmp_drain_hold(f, now_ns);

	if (look_ns)
		__lapsmp_flow_arm(f, look_ns);
	return look_ns;
}

/*
 * Who waits for room hears nothing more if all that is under way was lost, and is to look with
 * the others nevertheless: by itself it would find them, after its timeout.
 */
static void lapsmp_tx_arm_drain(struct lapsmp_flow *f, u64 now_ns)
{
	u64 begin_ns = lapsmp_drain_next_ns(f->peer, now_ns);

	if (begin_ns)
		__lapsmp_flow_arm(f, begin_ns);
}

/* Until there is no more to send, or something stops it. */
static void lapsmp_tx_run(struct lapsmp_flow *f, u64 now)
{
	int budget = LAPSMP_TX_BUDGET;

	__lapsmp_view_look(f);
	while (lapsmp_rtx_has_work(f)) {
		/* A train is of one class, and what is in its way depends on it. */
		if (lapsmp_pass_rank(f, now)) {
			lapsmp_xmit_flush(f, now);
			__lapsmp_view_look(f);
		}
		if (lapsmp_drain_is_on(f->peer, now) && lapsmp_tx_hold(f, now))
			return;
		/* The receiver would not take it. Probes go on. */
		if (f->vain.until_ns > now) {
			__lapsmp_flow_arm(f, f->vain.until_ns);
			break;
		}
		if (!lapsmp_tx_room(f))
			break;
		if (lapsmp_rtx_waits(f)) {
			f->app_limited = true;
			break;
		}
		if (!budget-- || !lapsmp_pacer_ready(&f->pacer, now)) {
			__lapsmp_flow_arm(f, max(now + LAPSMP_PACER_AHEAD_NS,
						 f->pacer.next_ns) -
					     LAPSMP_PACER_AHEAD_NS);
			return;
		}
		if (!lapsmp_tx_one(f, now))
			break;
	}
	if (lapsmp_rtx_has_work(f)) {
		lapsmp_tx_arm_drain(f, now);
	} else {
		f->app_limited = true;
		lapsmp_tail_arm(f, now);
	}
	/* No path, no room at the receiver: others need not be careful for its sake. */
	if (!f->inflight)
		lapsmp_pass_heard(f);
	lapsmp_probe_silent(f, now);
	if (f->n_msgs && !f->timer_at)
		__lapsmp_flow_arm(f, now + LAPSMP_TX_FIRST_LOOK_NS);
}

void __lapsmp_tx_push(struct lapsmp_flow *f)
{
	u64 now = lapsmp_clock_now();

	lockdep_assert_held(&f->lock);
	if (f->state == LAPSMP_FLOW_DEAD)
		return;
	if (__lapsmp_view_sync(f)) {
		__lapsmp_flow_arm(f, now + LAPSMP_TX_NOMEM_NS);
		return;
	}
	lapsmp_tx_run(f, now);
	lapsmp_xmit_flush(f, now);
}

void lapsmp_tx_push(struct lapsmp_flow *f)
{
	spin_lock_bh(&f->lock);
	__lapsmp_tx_push(f);
	spin_unlock_bh(&f->lock);
}

/* --- later ----------------------------------------------------------------------- */

void __lapsmp_tx_push_later(struct lapsmp_flow *f)
{
	lockdep_assert_held(&f->lock);
	if (lapsmp_later_add(&lapsmp_tx_cpus, &f->push))
		lapsmp_flow_hold(f);
}

static void lapsmp_tx_pushed(struct lapsmp_later *l)
{
	struct lapsmp_flow *f = container_of(l, struct lapsmp_flow, push);

	spin_lock(&f->lock);
	lapsmp_later_taken(l);
	__lapsmp_tx_push(f);
	spin_unlock(&f->lock);
	lapsmp_flow_put(f);
}

int lapsmp_tx_init(void)
{
	lapsmp_later_init(&lapsmp_tx_cpus, lapsmp_tx_pushed);
	return 0;
}

void lapsmp_tx_exit(void)
{
	lapsmp_later_exit(&lapsmp_tx_cpus);
}
