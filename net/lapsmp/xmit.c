// SPDX-License-Identifier: GPL-2.0
/* One packet of a flow on one path: route, header, pages, record, output. */
#include <net/inet_ecn.h>
#include "close.h"
#include "clock.h"
#include "mib.h"
#include "output.h"
#include "pass.h"
#include "pathroute.h"
#include "rtx.h"
#include "train.h"
#include "xmit.h"

static struct lapsmp_route *lapsmp_xmit_route(struct lapsmp_flow *f,
					      struct lapsmp_path *p, u64 now_ns)
{
	struct lapsmp_route *r = lapsmp_pathroute_get(f->peer, p, now_ns);

	if (unlikely(!r))
		LAPSMP_INC(f->ln, noroute);
	return r;
}

/* All that is before our header. */
static u32 lapsmp_xmit_overhead(const struct lapsmp_flow *f,
				const struct lapsmp_path *p)
{
	return lapsmp_output_overhead(lapsmp_addr_is_v4(&f->peer->key.raddr)) +
	       lapsmp_path_segs_len(p);
}

/* Whose it is, until the peer knows that we are at the path's address, too. */
static void lapsmp_xmit_from(const struct lapsmp_flow *f,
			     const struct lapsmp_fpath *fp, struct lapsmp_hdr *h)
{
	if (fp->joined)
		return;
	h->has_from = true;
	h->snd_inc = f->ln->incarnation;
	h->cookie_time = fp->token_time;
	h->cookie_mac = fp->token_mac;
}

/* OPEN, and the cookie, until the peer has confirmed the flow. */
static void lapsmp_xmit_open(const struct lapsmp_flow *f,
			     const struct lapsmp_fpath *fp, struct lapsmp_hdr *h)
{
	if (f->state == LAPSMP_FLOW_OPEN) {
		lapsmp_xmit_from(f, fp, h);
		return;
	}
	h->has_open = true;
	h->sport = f->sport;
	h->dport = f->dport;
	h->number = f->number;
	h->snd_inc = f->ln->incarnation;
	h->rcv_inc = f->rcv_inc;
	h->has_cookie = f->has_cookie;
	h->cookie_time = f->cookie_time;
	h->cookie_mac = f->cookie_mac;
}

/* Its packets need neither. */
static bool lapsmp_xmit_is_plain(const struct lapsmp_flow *f,
				 const struct lapsmp_fpath *fp)
{
	return f->state == LAPSMP_FLOW_OPEN && fp->joined;
}

/* Of DATA. */
static u32 lapsmp_xmit_hlen(const struct lapsmp_flow *f,
			    const struct lapsmp_fpath *fp)
{
	struct lapsmp_hdr h;

	if (lapsmp_xmit_is_plain(f, fp))
		return LAPSMP_DATA_HLEN;
	h = (struct lapsmp_hdr){ .type = LAPSMP_T_DATA };
	lapsmp_xmit_open(f, fp, &h);
	return lapsmp_wire_hlen(&h);
}

static void lapsmp_xmit_measure(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
				u64 now_ns)
{
	struct lapsmp_route *r = lapsmp_xmit_route(f, fp->path, now_ns);
	u32 mtu, overhead;

	fp->mss_turn = f->turn;
	fp->mss = 0;
	if (!r)
		return;
	mtu = lapsmp_route_mtu(r);
	if (mtu != READ_ONCE(fp->path->pmtu.max))
		lapsmp_path_on_mtu(f->peer, fp->path, mtu, false, now_ns);
	mtu = READ_ONCE(fp->path->mtu);
	overhead = lapsmp_xmit_overhead(f, fp->path) + lapsmp_xmit_hlen(f, fp);
	if (mtu > overhead)
		fp->mss = mtu - overhead;
	/* What OPEN and FROM take is for the first packets only. */
	if (lapsmp_xmit_is_plain(f, fp))
		f->piece_bytes = min(f->piece_bytes, fp->mss);
}

u32 lapsmp_xmit_mss(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns)
{
	/* One that cannot be used is asked again: it may be the only one. */
	if (fp->mss_turn != f->turn || !fp->mss)
		lapsmp_xmit_measure(f, fp, now_ns);
	return fp->mss;
}

static void lapsmp_xmit_hdr(const struct lapsmp_flow *f,
			    const struct lapsmp_fpath *fp,
			    const struct lapsmp_seg *seg, struct lapsmp_hdr *h)
{
	h->flow_id = f->id;
	h->path_id = fp->path->id;
	h->seq = fp->ring.next;
	lapsmp_xmit_open(f, fp, h);
	switch (seg->kind) {
	case LAPSMP_SEG_DATA:
		h->type = LAPSMP_T_DATA;
		h->msg = seg->msg->no;
		h->off = seg->off;
		h->msg_len = seg->msg->len;
		h->flags = (seg->tx ? LAPSMP_F_RTX : 0) |
			   (seg->msg->unordered ? LAPSMP_F_UNORDERED : 0);
		/* The end of what there is: waiting for more would be in vain. */
		if (!lapsmp_rtx_has_work(f))
			h->flags |= LAPSMP_F_ACKNOW;
		break;
	case LAPSMP_SEG_ABORT:
		h->type = LAPSMP_T_ABORT;
		h->msg = seg->msg->no;
		h->msg_len = seg->msg->len;
		h->flags = LAPSMP_F_ACKNOW;
		break;
	case LAPSMP_SEG_PROBE:
		h->type = LAPSMP_T_PROBE;
		h->flags = LAPSMP_F_ACKNOW;
		break;
	}
}

/* Zero bytes behind the header: a probe's size, and at least the answer's. */
static u32 lapsmp_xmit_pad(const struct lapsmp_flow *f,
			   const struct lapsmp_path *p,
			   const struct lapsmp_seg *seg,
			   const struct lapsmp_hdr *h)
{
	u32 overhead = lapsmp_xmit_overhead(f, p);
	u32 hlen = lapsmp_wire_hlen(h);
	u32 want = LAPSMP_ACK_HLEN;

	if (seg->kind != LAPSMP_SEG_PROBE)
		return 0;
	if (seg->len > overhead + LAPSMP_ACK_HLEN)
		want = seg->len - overhead;
	return want > hlen ? want - hlen : 0;
}

static void lapsmp_xmit_count(struct lapsmp_flow *f, struct lapsmp_path *p,
			      const struct lapsmp_seg *seg)
{
	if (seg->kind == LAPSMP_SEG_PROBE) {
		atomic64_inc(&p->stats.probes);
		LAPSMP_INC(f->ln, tx_probes);
		return;
	}
	f->stats_segs++;
	atomic64_inc(&p->stats.tx_segs);
	atomic64_add(seg->len, &p->stats.tx_bytes);
	LAPSMP_INC(f->ln, tx_segs);
	LAPSMP_ADD(f->ln, tx_bytes, seg->len);
	if (f->ls)
		atomic64_inc(&f->ls->stats.tx_segs);
	if (!seg->tx)
		return;
	f->stats_retrans++;
	atomic64_inc(&p->stats.retrans_segs);
	LAPSMP_INC(f->ln, retrans_segs);
	if (f->ls)
		atomic64_inc(&f->ls->stats.retrans_segs);
}

static void lapsmp_xmit_send(struct lapsmp_flow *f, struct lapsmp_path *p,
			     const struct lapsmp_route *r, struct sk_buff *skb,
			     u8 level, u64 now_ns)
{
	struct lapsmp_route_key k;

	lapsmp_pathroute_key(f->peer, p, &k);
	if (f->cc_ops->ecn && !(k.tos & INET_ECN_MASK))
		k.tos |= INET_ECN_ECT_0;
	k.tos = lapsmp_pass_mark(f, level, skb, k.tos);
	lapsmp_output_send(f->ln, r, &k, skb, now_ns);
}

static void lapsmp_xmit_depart(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			       u64 now_ns)
{
	struct lapsmp_route *r;
	struct sk_buff *skb = fp->train;

	if (!skb)
		return;
	fp->train = NULL;
	r = lapsmp_xmit_route(f, fp->path, now_ns);
	if (r)
		lapsmp_xmit_send(f, fp->path, r, skb, fp->train_level, now_ns);
	else
		kfree_skb(skb);
}

void lapsmp_xmit_flush(struct lapsmp_flow *f, u64 now_ns)
{
	int i;

	for (i = 0; i < f->n_paths; i++)
		lapsmp_xmit_depart(f, &f->fpaths[i], now_ns);
}

/* A packet of its own, which may be the first of a train. Return: 0 or -ENOBUFS. */
static int lapsmp_xmit_packet(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			      const struct lapsmp_seg *seg,
			      const struct lapsmp_hdr *h, u32 pad, bool train,
			      u64 now_ns)
{
	struct lapsmp_route *r = lapsmp_xmit_route(f, fp->path, now_ns);
	struct sk_buff *skb;

	if (!r)
		return -ENOBUFS;
	skb = lapsmp_output_alloc(h, pad, fp->path->segs);
	if (!skb) {
		LAPSMP_INC(f->ln, nomem);
		return -ENOBUFS;
	}
	if (seg->kind == LAPSMP_SEG_DATA && seg->len)
		lapsmp_train_pages(skb, seg);
	lapsmp_xmit_depart(f, fp, now_ns);
	/* Not every device that cuts trains finds UDP behind segments. */
	if (train && !fp->path->segs && lapsmp_train_may(r)) {
		fp->train = skb;
		fp->train_level = f->express.level;
	} else {
		lapsmp_xmit_send(f, fp->path, r, skb, f->express.level, now_ns);
	}
	return 0;
}

int lapsmp_xmit_seg(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		    struct lapsmp_seg *seg, u64 now_ns)
{
	/* What opens a flow is looked at alone: it may have to be refused. */
	bool train = seg->kind == LAPSMP_SEG_DATA && seg->len &&
		     lapsmp_xmit_is_plain(f, fp);
	struct lapsmp_hdr h = {};
	u32 frame, pad;
	int err;

	err = lapsmp_rtx_reserve(f, fp, now_ns);
	if (err)
		return err;
	lapsmp_xmit_hdr(f, fp, seg, &h);
	pad = lapsmp_xmit_pad(f, fp->path, seg, &h);
	if (!train || !fp->train ||
	    !lapsmp_train_join(fp->train, &h, seg,
			       lapsmp_clock_stamp(f->ln, now_ns))) {
		err = lapsmp_xmit_packet(f, fp, seg, &h, pad, train, now_ns);
		if (err)
			return err;
	}
	frame = lapsmp_output_frame(lapsmp_wire_hlen(&h) + pad +
		(seg->kind == LAPSMP_SEG_DATA ? seg->len : 0) +
		lapsmp_xmit_overhead(f, fp->path));
	lapsmp_xmit_count(f, fp->path, seg);
	lapsmp_rtx_sent(f, fp, seg, frame, now_ns);
	lapsmp_path_on_sent(f->peer, fp->path, frame, now_ns);
	f->active_ns = now_ns;
	return frame;
}

void lapsmp_xmit_ctrl(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		      struct lapsmp_hdr *h, u32 pad, u64 now_ns)
{
	struct lapsmp_route *r = lapsmp_xmit_route(f, fp->path, now_ns);
	struct sk_buff *skb;

	if (!r)
		return;
	h->flow_id = f->id;
	h->path_id = fp->path->id;
	h->seq = fp->ring.next - 1;
	/* CLOSE opens nothing. */
	if (h->type != LAPSMP_T_CLOSE)
		lapsmp_xmit_open(f, fp, h);
	skb = lapsmp_output_alloc(h, pad, fp->path->segs);
	if (skb)
		lapsmp_xmit_send(f, fp->path, r, skb, f->express.level, now_ns);
}

/* The path that answered last is the likeliest to work. */
static struct lapsmp_fpath *lapsmp_close_path(struct lapsmp_flow *f)
{
	struct lapsmp_fpath *best = NULL;
	int i;

	for (i = 0; i < f->n_paths; i++)
		/* CLOSE does not say whose it is. */
		if (!READ_ONCE(f->fpaths[i].path->cut) && f->fpaths[i].joined &&
		    (!best || f->fpaths[i].path->last_ack_ns >
			      best->path->last_ack_ns))
			best = &f->fpaths[i];
	return best;
}

void lapsmp_close_send(struct lapsmp_flow *f, u16 reason)
{
	struct lapsmp_hdr h = {
		.type = LAPSMP_T_CLOSE,
		.msg = f->next_no,
		.reason = reason,
	};
	struct lapsmp_fpath *fp = lapsmp_close_path(f);

	/* A receiver that never answered knows nothing that it could forget. */
	if (f->state == LAPSMP_FLOW_OPEN && fp)
		lapsmp_xmit_ctrl(f, fp, &h, 0, lapsmp_clock_now());
}
