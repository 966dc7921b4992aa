// SPDX-License-Identifier: GPL-2.0
/*
 * An ACK's way in: scoreboard, then losses, then path, window and control, then
 * one turn of the pump. Algorithm 2 and 3 of LAPS meet here, each in its file.
 */
#include "ack.h"
#include "clock.h"
#include "close.h"
#include "mib.h"
#include "output.h"
#include "pass.h"
#include "probe.h"
#include "rtx.h"
#include "trace.h"
#include "tx.h"
#include "view.h"

/* Messages are numbered with 32 bits and never twice in a flow. */
#define LAPSMP_ACK_LAST_MSG	(U32_MAX - 2 * LAPSMP_MSG_WINDOW)

static struct lapsmp_fpath *lapsmp_ack_path(struct lapsmp_flow *f, u16 id)
{
	int i;

	for (i = 0; i < f->n_paths; i++)
		if (f->fpaths[i].path->id == id)
			return &f->fpaths[i];
	return NULL;
}

bool lapsmp_ack_is_from(struct lapsmp_flow *f, u16 id, const struct in6_addr *addr)
{
	struct lapsmp_fpath *fp;
	bool is;

	spin_lock_bh(&f->lock);
	fp = lapsmp_ack_path(f, id);
	is = fp && ipv6_addr_equal(&fp->path->daddr, addr);
	spin_unlock_bh(&f->lock);
	return is;
}

/* Ask the control, whatever the reason. */
static void lapsmp_ack_control(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			       const struct lapsmp_rtx_sum *sum, u32 marked,
			       bool timeout, u64 now_ns)
{
	struct lapsmp_ack_sample s = {
		.now_ns = now_ns,
		.acked_segs = sum->acked_segs,
		.lost_segs = sum->lost_segs,
		.spurious_segs = sum->spurious_segs,
		.marked_segs = marked,
		.inflight_segs = f->inflight,
		.path_id = fp->path->id,
		.owd_ns = READ_ONCE(fp->path->owd_ns),
		.here_T_ns = READ_ONCE(fp->path->base_ns),
		.here_margin_ns = READ_ONCE(fp->path->margin_ns),
		.rtt_ns = READ_ONCE(fp->path->srtt_ns),
		.timeout = timeout,
		.app_limited = f->app_limited,
	};

	s.here_T_ns += s.here_margin_ns;
	__lapsmp_view_look(f);
	s.t_ns = f->sight.t_ns;
	s.T_ns = f->sight.T_ns;
	s.base0_ns = f->sight.base0_ns;
	s.over_ns = f->sight.over_ns;
	s.margin_ns = f->sight.margin_ns;
	s.srtt_ns = f->sight.srtt_ns;
	s.n_paths = f->sight.n_heard;
	f->cc_ops->on_ack(&f->cc, &f->cc_cfg, &s);
	f->app_limited = !lapsmp_rtx_has_work(f);
	trace_lapsmp_rate(f->id, f->cc.cwnd_q16, f->cc.pacing_rate, s.t_ns,
			  s.T_ns, s.over_ns);
}

/*
 * Losses are found per path, in the order of sending. @timeout_of_ns: when the
 * oldest was sent, if it timed out, or 0.
 */
static void lapsmp_ack_losses(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			      bool all, u64 timeout_of_ns,
			      struct lapsmp_rtx_sum *sum, u64 now_ns)
{
	struct lapsmp_slot *slot;
	struct lapsmp_seg *seg;
	u32 seq;

	while ((slot = lapsmp_ring_lost_next(&fp->ring, all, &seq))) {
		seg = slot->seg;
		if (seg->kind == LAPSMP_SEG_PROBE)
			lapsmp_probe_lost(fp->path);
		lapsmp_rtx_lost(f, fp, slot, sum);
		trace_lapsmp_loss(f->id, fp->path->id, seq,
				  seg->msg ? seg->msg->no : 0, seg->off, seg->len);
		if (f->sched_ops->on_loss)
			f->sched_ops->on_loss(f->sched_priv, fp->path->id, now_ns);
	}
	if (sum->passed_lost)
		lapsmp_pass_lost(f, sum, now_ns);
	if (sum->lost_bytes)
		lapsmp_path_on_lost(f->peer, fp->path, sum->lost_bytes,
				    timeout_of_ns, now_ns);
}

/*
 * What passes has a window of its own; once it does no longer, the control hears of it. But
 * not of losses: they are of another class, and where many begin at once those that lost
 * some there would be slower than the others for long.
 */
static void lapsmp_ack_join(const struct lapsmp_flow *f, struct lapsmp_rtx_sum *sum)
{
	if (f->express.level)
		return;
	sum->acked_segs += sum->passed_segs;
}

/* Totals: an ACK that was overtaken tells nothing new. Return: new marks. */
static u32 lapsmp_ack_marked(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			     const struct lapsmp_hdr *h)
{
	s32 marked = h->has_ecn ? (s32)(h->ce - fp->ce) : 0;

	if (marked <= 0)
		return 0;
	fp->ce = h->ce;
	LAPSMP_INC(f->ln, ce_acks);
	return marked;
}

static void lapsmp_ack_scoreboard(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
				  const struct lapsmp_hdr *h, bool marked,
				  struct lapsmp_rtx_sum *sum,
				  struct lapsmp_path_sample *s)
{
	struct lapsmp_slot *slot;
	u32 cursor = 0, seq;
	bool was_lost;

	while ((slot = lapsmp_ring_ack_next(&fp->ring, h->seq, h->map, &cursor,
					    &seq, &was_lost))) {
		s->heard = true;
		if (was_lost && slot->overtaken)
			lapsmp_ring_spurious(&fp->ring, fp->ring.high_acked - seq);
		if (seq == h->seq) {
			/* An echo cannot lie about time: the record is ours. */
			u64 age = s->now_ns - slot->sent_ns;

			if (h->type != LAPSMP_T_WUPDATE && h->ack_delay_ns < age)
				s->rtt_ns = age - h->ack_delay_ns;
			/* A small one was sooner there than data would be. */
			s->fresh = s->rtt_ns && !lapsmp_probe_was_small(slot->seg);
			s->drained = slot->drained;
			s->small = slot->bytes < f->frame_bytes - f->frame_bytes / 4;
			s->passed = slot->passed;
			s->arr_ns = (u32)lapsmp_clock_stamp(f->ln, slot->sent_ns) +
				    h->owd_ns;
		}
		lapsmp_rtx_acked(f, fp, slot, was_lost, sum);
		if (f->sched_ops->on_ack)
			f->sched_ops->on_ack(f->sched_priv, fp->path->id,
					     marked, s->now_ns);
	}
	s->raw32 = h->owd_ns;
	s->bytes = sum->acked_bytes;
	s->segs = sum->acked_segs + sum->passed_segs;
	s->ip_bytes = sum->ip_bytes;
	s->frame_bytes = f->frame_bytes;
}

static void lapsmp_ack_window(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	/* Never back, and never further than a receiver could mean. */
	if ((s32)(h->limit - f->credit_limit) > 0) {
		f->credit_limit = h->limit;
		f->wprobe_at_ns = 0;
		f->wprobe_shift = 0;
	}
	lapsmp_rtx_whole(f, h->rcv_msg, h->rcv_off);
}

static void lapsmp_ack_process(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			       const struct lapsmp_hdr *h, u64 now_ns)
{
	struct lapsmp_path_sample s = { .now_ns = now_ns };
	u32 marked = lapsmp_ack_marked(f, fp, h);
	struct lapsmp_rtx_sum sum = {};

	f->answer_ns = now_ns;
	if (f->state != LAPSMP_FLOW_OPEN) {
		f->state = LAPSMP_FLOW_OPEN;
		f->has_cookie = false;
		__lapsmp_view_opened(f);
		/* It is the right one: later flows need not ask. */
		WRITE_ONCE(f->peer->rcv_inc, f->rcv_inc);
	}
	lapsmp_ack_scoreboard(f, fp, h, marked, &sum, &s);
	lapsmp_ack_losses(f, fp, false, 0, &sum, now_ns);
	lapsmp_rtx_retire(f, fp, now_ns);
	if (s.heard)
		lapsmp_path_on_ack(f->peer, fp->path, &s);
	lapsmp_pass_acked(f, &sum, &s, fp->path, marked);
	lapsmp_ack_window(f, h);
	trace_lapsmp_ack(f->id, fp->path->id, h->seq, sum.acked_segs,
			 sum.lost_segs, s.rtt_ns, READ_ONCE(fp->path->owd_ns));
	/* Marks, too, are of the class that it sends in. */
	if (f->express.level)
		marked = 0;
	lapsmp_ack_join(f, &sum);
	if (sum.acked_segs || sum.lost_segs || sum.spurious_segs || marked)
		lapsmp_ack_control(f, fp, &sum, marked, false, now_ns);
}

/* What ends a flow that has nothing more to do. */
static void lapsmp_ack_finish(struct lapsmp_flow *f)
{
	if (f->n_msgs)
		return;
	if (!f->ls || f->next_no > LAPSMP_ACK_LAST_MSG) {
		lapsmp_close_send(f, LAPSMP_CLOSE_IDLE);
		__lapsmp_flow_kill(f, 0);
	}
}

void lapsmp_ack_rcv(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	u64 now = lapsmp_clock_now();
	struct lapsmp_fpath *fp;

	LAPSMP_INC(f->ln, rx_acks);
	spin_lock_bh(&f->lock);
	fp = lapsmp_ack_path(f, h->path_id);
	if (fp)
		__lapsmp_view_cut(f, fp);
	/* Of a path that is gone, or of a packet that was never sent. */
	if (f->state == LAPSMP_FLOW_DEAD || !fp ||
	    (h->type != LAPSMP_T_WUPDATE &&
	     !lapsmp_ring_ack_valid(&fp->ring, h->seq))) {
		LAPSMP_INC(f->ln, rx_stale);
		goto out;
	}
	if (!fp->joined)
		__lapsmp_view_joined(fp);
	if (h->type == LAPSMP_T_WUPDATE &&
	    !lapsmp_ring_ack_valid(&fp->ring, h->seq)) {
		f->answer_ns = now;
		lapsmp_ack_window(f, h);
	} else {
		lapsmp_ack_process(f, fp, h, now);
	}
	lapsmp_ack_finish(f);
	__lapsmp_tx_push_later(f);
out:
	spin_unlock_bh(&f->lock);
}

void lapsmp_ack_timeout(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns)
{
	u64 sent_ns = lapsmp_ring_oldest(&fp->ring)->sent_ns;
	/* Before the loss makes it smaller. */
	u32 mtu = READ_ONCE(fp->path->mtu);
	struct lapsmp_rtx_sum sum = {};

	LAPSMP_INC(f->ln, timeouts);
	trace_lapsmp_timeout(f->id, fp->path->id, READ_ONCE(fp->path->timeouts),
			     lapsmp_peer_rto(f->peer, fp->path));
	lapsmp_ack_losses(f, fp, true, sent_ns, &sum, now_ns);
	/* To others it may still be open: that the receiver knows them is no help. */
	if (!fp->joined)
		__lapsmp_view_challenged(fp);
	/*
	 * If others were answered since: a loss, not a path that is dead. Nor is it if
	 * only what looked for a larger MTU was lost.
	 */
	if (READ_ONCE(fp->path->last_ack_ns) <= sent_ns &&
	    (sum.lost_segs || sum.passed_lost || sum.lost_bytes <= mtu))
		lapsmp_path_on_timeout(f->peer, fp->path, sent_ns, now_ns);
	lapsmp_ack_join(f, &sum);
	lapsmp_ack_control(f, fp, &sum, 0, true, now_ns);
}

/* Everything out on the path was dropped by the receiver, unseen: send it again. */
static void lapsmp_ack_resend(struct lapsmp_flow *f, struct lapsmp_fpath *fp)
{
	struct lapsmp_slot *slot;
	u32 seq;

	while ((slot = lapsmp_ring_lost_next(&fp->ring, true, &seq)))
		lapsmp_rtx_unseen(f, fp, slot);
}

static void lapsmp_ack_resend_all(struct lapsmp_flow *f)
{
	int i;

	for (i = 0; i < f->n_paths; i++)
		lapsmp_ack_resend(f, &f->fpaths[i]);
}

/* The packet that was answered, if it is still thought to be under way. */
static struct lapsmp_slot *lapsmp_ack_out(struct lapsmp_flow *f,
					  const struct lapsmp_hdr *h)
{
	struct lapsmp_fpath *fp = lapsmp_ack_path(f, h->path_id);
	struct lapsmp_slot *slot;

	slot = fp ? lapsmp_ring_lookup(&fp->ring, h->seq) : NULL;
	return slot && slot->state == LAPSMP_SLOT_OUT ? slot : NULL;
}

void lapsmp_ack_cookie(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	u64 now = lapsmp_clock_now();
	struct lapsmp_slot *slot;

	LAPSMP_INC(f->ln, rx_cookies);
	spin_lock_bh(&f->lock);
	slot = lapsmp_ack_out(f, h);
	/* One answer to each flight: the others' packets are LOST by then. */
	if (f->state == LAPSMP_FLOW_DEAD || f->state == LAPSMP_FLOW_OPEN ||
	    !slot) {
		LAPSMP_INC(f->ln, rx_stale);
		goto out;
	}
	lapsmp_path_guess_rto(f->peer, now - slot->sent_ns);
	if (f->rcv_inc && f->rcv_inc != h->cookie_inc) {
		/*
		 * It restarted, and may have delivered what we sent before it
		 * did. Sending that again could deliver it twice.
		 */
		WRITE_ONCE(f->peer->rcv_inc, 0);
		__lapsmp_flow_kill(f, ECONNRESET);
		goto out;
	}
	f->answer_ns = now;
	f->rcv_inc = h->cookie_inc;
	f->cookie_time = h->cookie_time;
	f->cookie_mac = h->cookie_mac;
	f->has_cookie = true;
	f->state = LAPSMP_FLOW_SENT;
	lapsmp_ack_resend_all(f);
	__lapsmp_tx_push(f);
out:
	spin_unlock_bh(&f->lock);
}

void lapsmp_ack_challenge(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	u64 now = lapsmp_clock_now();
	struct lapsmp_fpath *fp;
	bool asked;

	LAPSMP_INC(f->ln, rx_challenges);
	spin_lock_bh(&f->lock);
	fp = lapsmp_ack_path(f, h->path_id);
	/* One answer to each flight, as for a cookie; or to a window probe. */
	if (f->state != LAPSMP_FLOW_OPEN || !fp || fp->joined ||
	    !(lapsmp_ack_out(f, h) ||
	      (f->wprobe_at_ns && h->seq == fp->ring.next - 1))) {
		LAPSMP_INC(f->ln, rx_stale);
		goto out;
	}
	asked = fp->has_token;
	fp->has_token = true;
	fp->token_time = h->cookie_time;
	fp->token_mac = h->cookie_mac;
	lapsmp_ack_resend(f, fp);
	/* At once, but whoever is never satisfied is not asked for ever so. */
	if (!asked)
		lapsmp_probe_now(f, fp, now);
	__lapsmp_view_challenged(fp);
	__lapsmp_tx_push(f);
out:
	spin_unlock_bh(&f->lock);
}

static int lapsmp_ack_reset_err(u16 reason)
{
	switch (reason) {
	case LAPSMP_RESET_REFUSED:
		return ECONNREFUSED;
	case LAPSMP_RESET_TOOBIG:
		return EMSGSIZE;
	case LAPSMP_RESET_NOMEM:
		return ENOBUFS;
	default:
		return ECONNRESET;
	}
}

/* The peer's own addresses, and not known to be dead. */
static bool lapsmp_ack_home_works(const struct lapsmp_flow *f)
{
	int i;

	for (i = 0; i < f->n_paths; i++) {
		const struct lapsmp_path *p = f->fpaths[i].path;

		if (!p->away && READ_ONCE(p->state) == LAPSMP_PATH_UP)
			return true;
	}
	return false;
}

/*
 * Where a path with a destination or a device of its own leads need not be the peer,
 * if it never worked; nor for ever, if it did, so that it may not know the flow while
 * the peer does. @fp: the path that a RESET is about.
 */
static bool lapsmp_ack_is_stranger(const struct lapsmp_flow *f,
				   const struct lapsmp_fpath *fp, u16 reason)
{
	/* With nothing under way nothing is lost by a new flow. */
	if (!fp || !fp->path->away || !f->n_msgs)
		return false;
	if (!fp->joined &&
	    fp->path->own & (LAPSMP_PATH_OWN_REMOTE | LAPSMP_PATH_OWN_DEV))
		return true;
	return reason == LAPSMP_RESET_UNKNOWN && lapsmp_ack_home_works(f);
}

/* Who is there has to be shown anew that we are here; the others will tell the rest. */
static void lapsmp_ack_leave(struct lapsmp_flow *f, struct lapsmp_fpath *fp)
{
	if (!fp->joined)
		return;
	fp->joined = false;
	fp->has_token = false;
	__lapsmp_view_challenged(fp);
	lapsmp_ack_resend(f, fp);
	__lapsmp_tx_push(f);
}

/* The flow is over. */
static void lapsmp_ack_refused(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	/* It restarted, perhaps: the next flow asks who it is now. */
	if (h->reason == LAPSMP_RESET_UNKNOWN)
		WRITE_ONCE(f->peer->rcv_inc, 0);
	if (h->reason == LAPSMP_RESET_UNREAD || h->reason == LAPSMP_RESET_TOOBIG)
		lapsmp_rtx_whole(f, h->msg, 0);
	/*
	 * With nothing under way nobody needs to know, unless what was acknowledged
	 * will never be read.
	 */
	__lapsmp_flow_kill(f, f->n_msgs || h->reason == LAPSMP_RESET_UNREAD ?
			      lapsmp_ack_reset_err(h->reason) : 0);
}

void lapsmp_ack_reset(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	struct lapsmp_fpath *fp;

	LAPSMP_INC(f->ln, rx_resets);
	spin_lock_bh(&f->lock);
	if (f->state == LAPSMP_FLOW_DEAD)
		goto unlock;
	fp = lapsmp_ack_path(f, h->path_id);
	if (lapsmp_ack_is_stranger(f, fp, h->reason))
		lapsmp_ack_leave(f, fp);
	else
		lapsmp_ack_refused(f, h);
unlock:
	spin_unlock_bh(&f->lock);
}

void lapsmp_ack_version(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	spin_lock_bh(&f->lock);
	/* We know one version only; a peer that answered in it can speak it. */
	if (f->state != LAPSMP_FLOW_DEAD && f->state != LAPSMP_FLOW_OPEN &&
	    !(h->versions & BIT(LAPSMP_VERSION)))
		__lapsmp_flow_kill(f, EPROTONOSUPPORT);
	spin_unlock_bh(&f->lock);
}

void lapsmp_ack_icmp(struct lapsmp_flow *f, const struct lapsmp_hdr *h, int err,
		     u32 mtu)
{
	u64 now = lapsmp_clock_now();
	struct lapsmp_fpath *fp;

	LAPSMP_INC(f->ln, icmp_errors);
	spin_lock_bh(&f->lock);
	fp = lapsmp_ack_path(f, h->path_id);
	if (f->state == LAPSMP_FLOW_DEAD || !fp)
		goto out;
	if (err == EMSGSIZE) {
		struct lapsmp_rtx_sum sum = {};

		/* Only packets of IPv4 that were taken out again meet such errors. */
		if (fp->path->encap)
			mtu += lapsmp_path_segs_len(fp->path);
		lapsmp_path_on_mtu(f->peer, fp->path, mtu, true, now);
		/* It never got through: no need to wait for a timeout. */
		if (lapsmp_ack_out(f, h)) {
			lapsmp_ack_losses(f, fp, true, 0, &sum, now);
			__lapsmp_tx_push(f);
		}
	} else if (f->state != LAPSMP_FLOW_OPEN && err == ECONNREFUSED) {
		/* A host without lapsmp. */
		__lapsmp_flow_kill(f, ECONNREFUSED);
	} else {
		/* May pass; what is told if it does not. */
		f->soft_err = err;
	}
out:
	spin_unlock_bh(&f->lock);
}
