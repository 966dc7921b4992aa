// SPDX-License-Identifier: GPL-2.0
/*
 * An ACK's way in: scoreboard, then losses, then path, window and control, then
 * one turn of the pump. Algorithm 2 and 3 of LAPS meet here, each in its file.
 */
#include "ack.h"
#include "clock.h"
#include "close.h"
#include "drain.h"
#include "mib.h"
#include "output.h"
#include "pass.h"
#include "probe.h"
#include "rtx.h"
#include "trace.h"
#include "tx.h"
#include "view.h"
#include "wire_also.h"

struct lapsmp_fpath *__lapsmp_ack_path(struct lapsmp_flow *f, u16 id)
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
	fp = __lapsmp_ack_path(f, id);
	is = fp && ipv6_addr_equal(&fp->path->daddr, addr);
	spin_unlock_bh(&f->lock);
	return is;
}

/* Ask the control, whatever the reason. @owd_ns: of what was heard, or the path's newest. */
static void lapsmp_ack_control(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			       const struct lapsmp_rtx_sum *sum, u32 marked,
			       s64 owd_ns, bool timeout, u64 now_ns)
{
	struct lapsmp_ack_sample s = {
		.now_ns = now_ns,
		.acked_segs = sum->acked_segs,
		.lost_segs = sum->lost_segs,
		.spurious_segs = sum->spurious_segs,
		.marked_segs = marked,
		.inflight_segs = f->inflight,
		.path_id = fp->path->id,
		.owd_ns = owd_ns,
		.here_T_ns = READ_ONCE(fp->path->base_ns),
		.here_margin_ns = READ_ONCE(fp->path->margin_ns),
		.here_pipe_ns = READ_ONCE(fp->path->pipe_ns),
		.here_back_ns = READ_ONCE(fp->path->back_ns),
		.rtt_ns = READ_ONCE(fp->path->srtt_ns),
		.refill = lapsmp_drain_is_refilling(f->peer, now_ns),
		.timeout = timeout,
		.app_limited = f->app_limited,
	};

	if (s.refill)
		s.rnd = __lapsmp_flow_random(f);
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

/* When any of its paths was last heard, by whatever flow: one probes for all. */
static u64 lapsmp_ack_heard_ns(const struct lapsmp_flow *f)
{
	u64 heard_ns = 0;
	int i;

	for (i = 0; i < f->n_paths; i++)
		heard_ns = max(heard_ns, READ_ONCE(f->fpaths[i].path->last_ack_ns));
	return heard_ns;
}

/* Data was lost, unless it was too large, and smaller packets may come through. */
static void lapsmp_ack_missed(struct lapsmp_flow *f, const struct lapsmp_fpath *fp,
			      const struct lapsmp_rtx_sum *sum, u32 mtu, u64 now_ns)
{
	if (READ_ONCE(fp->path->mtu) < mtu)
		lapsmp_vain_over(&f->vain);
	else if (sum->lost_segs || sum->passed_lost)
		lapsmp_vain_missed(&f->vain, sum->lost_ns, lapsmp_ack_heard_ns(f),
				   lapsmp_peer_rto(f->peer, fp->path), now_ns);
}

/*
 * Losses are found per path, in the order of sending. @timeout_of_ns: when the
 * oldest was sent, if it timed out, or 0.
 */
static void lapsmp_ack_losses(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			      bool all, u64 timeout_of_ns,
			      struct lapsmp_rtx_sum *sum, u64 now_ns)
{
	u32 mtu = READ_ONCE(fp->path->mtu), seq;
	struct lapsmp_slot *slot;
	struct lapsmp_seg *seg;

	while ((slot = lapsmp_ring_lost_next(&fp->ring, all, &seq))) {
		seg = slot->seg;
		/* Of those of one look there are many, by a path that has failed at once. */
		if (seg->kind == LAPSMP_SEG_PROBE && !lapsmp_probe_was_lone(seg))
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
	lapsmp_ack_missed(f, fp, sum, mtu, now_ns);
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
	/* Of this path, which may be smaller than the flow's others. */
	u32 full_bytes = lapsmp_output_frame(READ_ONCE(fp->path->mtu));
	struct lapsmp_slot *slot;
	u32 cursor = 0, seq;
	bool was_lost;

	s->asked = true;
	while ((slot = lapsmp_ring_ack_next(&fp->ring, h->seq, h->map, &cursor,
					    &seq, &was_lost))) {
		s->heard = true;
		s->asked &= lapsmp_probe_was_small(slot->seg);
		f->acked_ns = s->now_ns;
		f->acked_sent_ns = max(f->acked_sent_ns, slot->sent_ns);
		if (was_lost && slot->overtaken)
			lapsmp_ring_spurious(&fp->ring, fp->ring.high_acked - seq);
		if (seq == h->seq) {
			/* An echo cannot lie about time: the record is ours. */
			u64 age = s->now_ns - slot->sent_ns;

			if (h->type != LAPSMP_T_WUPDATE && h->ack_delay_ns < age)
				s->rtt_ns = age - h->ack_delay_ns;
			/* A small one was sooner there than data would be. */
			s->fresh = s->rtt_ns && !lapsmp_probe_was_small(slot->seg);
			s->alone = slot->alone;
			s->lone = s->rtt_ns && lapsmp_probe_was_lone(slot->seg);
			s->small = slot->bytes < full_bytes - full_bytes / 4;
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
	s->mean_ns = h->owd_mean_ns - h->owd_ns;
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
		/* Somebody has read, so there is room. */
		lapsmp_vain_over(&f->vain);
	}
	lapsmp_rtx_whole(f, h->rcv_msg, h->rcv_off);
}

/* Return: whether something was acknowledged that was not before. */
static bool lapsmp_ack_process(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
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
	s.lost = sum.lost_segs;
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
		lapsmp_ack_control(f, fp, &sum, marked,
				   s.seen ? s.owd_ns : READ_ONCE(fp->path->owd_ns), false, now_ns);
	return s.heard;
}

/* What ends a flow that has nothing more to do. */
static void lapsmp_ack_finish(struct lapsmp_flow *f)
{
	if (f->n_msgs)
		return;
	if (!f->ls || lapsmp_flow_is_used_up(f)) {
		lapsmp_close_send(f, LAPSMP_CLOSE_IDLE);
		__lapsmp_flow_kill(f, 0);
	}
}

enum lapsmp_ack_worth {
	LAPSMP_ACK_STALE,	/* of a path that is gone, or of a packet that was never sent */
	LAPSMP_ACK_HEARD,	/* it may be known already */
	LAPSMP_ACK_NEWS,	/* something was acknowledged */
};

/* Of one path. */
static enum lapsmp_ack_worth lapsmp_ack_one(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
					    const struct lapsmp_hdr *h, u64 now_ns)
{
	bool valid;

	if (fp)
		__lapsmp_view_cut(f, fp);
	valid = fp && lapsmp_ring_ack_valid(&fp->ring, h->seq);
	if (f->state == LAPSMP_FLOW_DEAD || !fp ||
	    (h->type != LAPSMP_T_WUPDATE && !valid)) {
		LAPSMP_INC(f->ln, rx_stale);
		return LAPSMP_ACK_STALE;
	}
	if (!fp->joined)
		__lapsmp_view_joined(fp);
	if (valid)
		return lapsmp_ack_process(f, fp, h, now_ns) ? LAPSMP_ACK_NEWS : LAPSMP_ACK_HEARD;
	f->answer_ns = now_ns;
	lapsmp_ack_window(f, h);
	return LAPSMP_ACK_HEARD;
}

/*
 * What the packet says of further paths, each as if it had come by itself. Return: whether that
 * was of paths and packets that there are.
 */
static bool lapsmp_ack_also(struct lapsmp_flow *f, const struct lapsmp_hdr *h, const u8 *buf,
			    const struct in6_addr *src, u64 now_ns)
{
	struct lapsmp_hdr one = *h;
	struct lapsmp_fpath *fp;
	enum lapsmp_ack_worth worth;
	struct lapsmp_also a;
	unsigned int pos = 0;
	bool heard = false;

	one.type = LAPSMP_T_ACK;
	one.has_ecn = false;
	while (lapsmp_also_next(&a, buf, h, &pos)) {
		fp = __lapsmp_ack_path(f, a.path_id);
		if (fp && !ipv6_addr_equal(src, &f->peer->key.raddr) &&
		    !ipv6_addr_equal(src, &fp->path->daddr)) {
			LAPSMP_INC(f->ln, rx_forged);
			continue;
		}
		/* It times out, as it would if nobody else told of it. */
		if (fp && fp->told == LAPSMP_ALSO_DEAD) {
			LAPSMP_INC(f->ln, rx_stale);
			continue;
		}
		lapsmp_also_own(&one, &a);
		worth = lapsmp_ack_one(f, fp, &one, now_ns);
		/* What the network doubles is told once. */
		if (worth == LAPSMP_ACK_NEWS)
			fp->told++;
		heard |= worth != LAPSMP_ACK_STALE;
	}
	return heard;
}

void lapsmp_ack_rcv(struct lapsmp_flow *f, const struct lapsmp_hdr *h, const u8 *buf,
		    const struct in6_addr *src)
{
	u64 now = lapsmp_clock_now();
	struct lapsmp_fpath *fp;
	bool heard;

	LAPSMP_INC(f->ln, rx_acks);
	spin_lock_bh(&f->lock);
	fp = __lapsmp_ack_path(f, h->path_id);
	heard = lapsmp_ack_one(f, fp, h, now) != LAPSMP_ACK_STALE;
	if (heard)
		fp->told = 0;
	heard |= lapsmp_ack_also(f, h, buf, src, now);
	if (heard) {
		lapsmp_ack_finish(f);
		__lapsmp_tx_push_later(f);
	}
	spin_unlock_bh(&f->lock);
}

void lapsmp_ack_timeout(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns)
{
	const struct lapsmp_slot *oldest = lapsmp_ring_oldest(&fp->ring);
	bool lone = lapsmp_probe_was_lone(oldest->seg);
	u64 sent_ns = oldest->sent_ns;
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
	 * If others were answered since: a loss, not a path that is dead. Nor is it if only
	 * what looked for a larger MTU was lost, or a probe behind which nothing was sent.
	 */
	if (READ_ONCE(fp->path->last_ack_ns) <= sent_ns &&
	    (sum.lost_segs || sum.passed_lost || (sum.lost_bytes <= mtu && !lone)))
		lapsmp_path_on_timeout(f->peer, fp->path, sent_ns, now_ns);
	lapsmp_ack_join(f, &sum);
	lapsmp_ack_control(f, fp, &sum, 0, READ_ONCE(fp->path->owd_ns), true, now_ns);
}

struct lapsmp_slot *__lapsmp_ack_out(struct lapsmp_flow *f,
				     const struct lapsmp_hdr *h)
{
	struct lapsmp_fpath *fp = __lapsmp_ack_path(f, h->path_id);
	struct lapsmp_slot *slot;

	slot = fp ? lapsmp_ring_lookup(&fp->ring, h->seq) : NULL;
	return slot && slot->state == LAPSMP_SLOT_OUT ? slot : NULL;
}

void lapsmp_ack_icmp(struct lapsmp_flow *f, const struct lapsmp_hdr *h, int err,
		     u32 mtu)
{
	u64 now = lapsmp_clock_now();
	struct lapsmp_fpath *fp;

	LAPSMP_INC(f->ln, icmp_errors);
	spin_lock_bh(&f->lock);
	fp = __lapsmp_ack_path(f, h->path_id);
	if (f->state == LAPSMP_FLOW_DEAD || !fp)
		goto out;
	if (err == EMSGSIZE) {
		struct lapsmp_rtx_sum sum = {};

		/* Only packets of IPv4 that were taken out again meet such errors. */
		if (fp->path->encap)
			mtu += lapsmp_path_segs_len(fp->path);
		lapsmp_path_on_mtu(f->peer, fp->path, mtu, true, now);
		lapsmp_vain_over(&f->vain);
		/* It never got through: no need to wait for a timeout. */
		if (__lapsmp_ack_out(f, h)) {
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
