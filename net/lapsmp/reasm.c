// SPDX-License-Identifier: GPL-2.0
/*
 * Reassembly. A message's bytes are in two places: @data holds what is there from
 * the start without a gap, in order; @ahead, a tree by offset, what came early.
 * Ranges in the tree never overlap: a new segment is cut to what was missing, so
 * retransmissions may be cut differently than what they repeat.
 */
#include <linux/sizes.h>
#include "mib.h"
#include "reasm.h"
#include "trace.h"
#include "window.h"
#include "wire.h"

/* A buffer of more than so many times the credits that count for it is a waste. */
#define LAPSMP_REASM_WASTE	4U
/* The longest that a message may say it is, even one that was given up: 1 GiB. */
#define LAPSMP_REASM_MAX_LEN	BIT(30)
/* Room of a buffer that few bytes are copied to: it takes 4 KB. */
#define LAPSMP_REASM_PAGE	((u32)SKB_WITH_OVERHEAD(SZ_4K))

/*
 * Behind the last skb, its bytes may join those: one skb instead of many is what a
 * large message takes, and the memory beside the bytes is given back. Not once a
 * reader may be at it, which has no lock of ours. Return: whether it was done.
 */
static bool lapsmp_reasm_merge(struct lapsmp_rmsg *m, struct sk_buff *skb)
{
	struct sk_buff *last = skb_peek_tail(&m->data);
	struct lapsmp_rseg *s = lapsmp_rseg(skb);
	u32 truesize = skb->truesize;
	bool stolen;
	int delta;

	if (!last || m->queued)
		return false;
	/* What is there twice is cut off by our own offsets, not in the skb. */
	if (s->skip || s->len != skb->len ||
	    lapsmp_rseg(last)->skip + lapsmp_rseg(last)->len != last->len ||
	    !skb_try_coalesce(last, skb, &stolen, &delta))
		return false;
	lapsmp_rseg(last)->len += s->len;
	m->contig += s->len;
	kfree_skb_partial(skb, stolen);
	lapsmp_rmsg_uncharge(m, truesize - delta);
	return true;
}

/* The last skb, if so many bytes fit into it. */
static struct sk_buff *lapsmp_reasm_room(struct lapsmp_rmsg *m, u32 len)
{
	struct sk_buff *last = skb_peek_tail(&m->data);

	if (!last || skb_cloned(last) || skb_tailroom(last) < len ||
	    lapsmp_rseg(last)->skip + lapsmp_rseg(last)->len != last->len)
		return NULL;
	return last;
}

static bool lapsmp_reasm_is_waste(const struct lapsmp_rmsg *m, const struct sk_buff *skb,
				  u32 len)
{
	u32 credits = len + (len == m->len ? LAPSMP_MSG_CREDIT : 0);

	return skb->truesize > LAPSMP_REASM_WASTE * credits;
}

/* Instead of an skb whose buffers are a waste: one for its bytes, and for what may follow. */
static struct sk_buff *lapsmp_reasm_page(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m,
					 const struct sk_buff *skb, u32 len)
{
	u32 rest = m->len - m->contig;
	u32 size = max(len, min(rest, LAPSMP_REASM_PAGE));
	u64 stuck_ns = rf->stuck_ns;
	struct sk_buff *page;

	if (!lapsmp_reasm_is_waste(m, skb, len))
		return NULL;
	/* With nothing to follow, half of it must be saved to be worth it. */
	if (size == len && 2 * SKB_TRUESIZE(size) > skb->truesize)
		return NULL;
	page = alloc_skb(size, GFP_ATOMIC | __GFP_NOWARN);
	if (!page)
		return NULL;
	if (!lapsmp_rmsg_charge(rf, m, page->truesize, m->no == rf->rcv_msg)) {
		/* What came is there, with or without it. */
		rf->stuck_ns = stuck_ns;
		kfree_skb(page);
		return NULL;
	}
	*lapsmp_rseg(page) = (struct lapsmp_rseg){ .off = m->contig };
	__skb_queue_tail(&m->data, page);
	return page;
}

/*
 * A few bytes in a buffer of many: they are copied to others, or what a sender may have
 * taken here would be hundreds of times what the window has allowed it. What fits behind
 * such bytes is copied, too, or each of them would have a page of its own. Again, not once a
 * reader may be at it. Return: whether it was done.
 */
static bool lapsmp_reasm_pack(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m,
			      struct sk_buff *skb)
{
	struct lapsmp_rseg *s = lapsmp_rseg(skb);
	u32 truesize = skb->truesize;
	struct sk_buff *page;

	if (m->queued)
		return false;
	page = lapsmp_reasm_room(m, s->len) ?: lapsmp_reasm_page(rf, m, skb, s->len);
	if (!page || skb_copy_bits(skb, s->skip, skb_put(page, s->len), s->len))
		return false;
	lapsmp_rseg(page)->len += s->len;
	m->contig += s->len;
	kfree_skb(skb);
	lapsmp_rmsg_uncharge(m, truesize);
	return true;
}

static void lapsmp_reasm_append(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m,
				struct sk_buff *skb)
{
	/* It shares its place with the tree's links. */
	skb->dev = NULL;
	if (lapsmp_reasm_pack(rf, m, skb) || lapsmp_reasm_merge(m, skb))
		return;
	__skb_queue_tail(&m->data, skb);
	/* A partial reader walks @data without our lock, up to contig. */
	smp_store_release(&m->contig, m->contig + lapsmp_rseg(skb)->len);
}

/* What came early and is now next. */
static void lapsmp_reasm_pull(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	struct rb_node *n;

	while ((n = rb_first(&m->ahead))) {
		struct sk_buff *skb = rb_to_skb(n);

		if (lapsmp_rseg(skb)->off != m->contig)
			return;
		rb_erase(n, &m->ahead);
		RB_CLEAR_NODE(n);
		lapsmp_reasm_append(rf, m, skb);
	}
}

/**
 * struct lapsmp_hole - a stretch that is missing
 * @from: first byte
 * @to: behind its last
 */
struct lapsmp_hole {
	u32	from;
	u32	to;
};

/* The first missing stretch within [from, to). Return: whether there is one. */
static bool lapsmp_reasm_hole(struct lapsmp_rmsg *m, u32 from, u32 to,
			      struct lapsmp_hole *hole)
{
	struct rb_node *n = m->ahead.rb_node;
	struct sk_buff *after = NULL;

	from = max(from, m->contig);
	/* Ranges do not overlap: only the last that starts at or before from. */
	while (n) {
		struct sk_buff *skb = rb_to_skb(n);
		struct lapsmp_rseg *s = lapsmp_rseg(skb);

		if (s->off <= from) {
			if (s->off + s->len > from) {
				from = s->off + s->len;
				/* The next one decides where the gap ends. */
			}
			n = n->rb_right;
		} else {
			after = skb;
			n = n->rb_left;
		}
	}
	/*
	 * What follows may touch: skip it, and whatever touches that; but of what is there as a
	 * whole, which may come again and again, no more than that.
	 */
	while (after && from < to && lapsmp_rseg(after)->off == from) {
		from += lapsmp_rseg(after)->len;
		after = skb_rb_next(after);
	}
	if (from >= to)
		return false;
	hole->from = from;
	hole->to = after ? min(to, lapsmp_rseg(after)->off) : to;
	return true;
}

static void lapsmp_reasm_early(struct lapsmp_rmsg *m, struct sk_buff *skb)
{
	struct rb_node **p = &m->ahead.rb_node, *parent = NULL;
	u32 off = lapsmp_rseg(skb)->off;

	while (*p) {
		parent = *p;
		if (off < lapsmp_rseg(rb_to_skb(parent))->off)
			p = &parent->rb_left;
		else
			p = &parent->rb_right;
	}
	rb_link_node(&skb->rbnode, parent, p);
	rb_insert_color(&skb->rbnode, &m->ahead);
}

static void lapsmp_reasm_place(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m,
			       struct sk_buff *skb)
{
	struct lapsmp_rseg *s = lapsmp_rseg(skb);

	m->got += s->len;
	rf->got += s->len;
	rf->rest -= s->len;
	if (s->off == m->contig) {
		lapsmp_reasm_append(rf, m, skb);
		lapsmp_reasm_pull(rf, m);
	} else {
		lapsmp_reasm_early(m, skb);
	}
}

/*
 * All of the segment but one stretch may be there already. A segment that fills
 * several stretches is cloned for each; those clones are charged as wholes,
 * which errs on the safe side and is rare.
 */
static enum lapsmp_reasm lapsmp_reasm_fill(struct lapsmp_rflow *rf,
					   struct lapsmp_rmsg *m,
					   const struct lapsmp_hdr *h,
					   struct sk_buff *skb)
{
	u32 from = h->off, to = h->off + h->payload_len, new = 0;
	struct sk_buff *part;
	struct lapsmp_hole hole;

	while (lapsmp_reasm_hole(m, from, to, &hole)) {
		bool last = hole.to == to;

		part = last ? skb : skb_clone(skb, GFP_ATOMIC | __GFP_NOWARN);
		/* Charge before placing: what is refused leaves no trace. */
		if (!part || !lapsmp_rmsg_admit(rf, m, hole.from, hole.to,
						part->truesize)) {
			if (part && part != skb)
				kfree_skb(part);
			return LAPSMP_REASM_DROP;
		}
		*lapsmp_rseg(part) = (struct lapsmp_rseg){
			.off = hole.from,
			.len = hole.to - hole.from,
			.skip = hole.from - h->off,
		};
		if (hole.from > m->contig) {
			LAPSMP_INC(rf->ln, rx_ooo_segs);
			atomic64_inc(&rf->ls->stats.rx_ooo_segs);
		}
		lapsmp_reasm_place(rf, m, part);
		new += hole.to - hole.from;
		from = hole.to;
		if (last) {
			LAPSMP_ADD(rf->ln, rx_bytes, new);
			return LAPSMP_REASM_OK;
		}
	}
	LAPSMP_ADD(rf->ln, rx_bytes, new);
	/* Clones took what was missing; the end of it was there. */
	return LAPSMP_REASM_DUP;
}

/* The message that a packet is about: found, made, or none of its business. */
static enum lapsmp_reasm lapsmp_reasm_msg(struct lapsmp_rflow *rf,
					  const struct lapsmp_hdr *h,
					  struct lapsmp_rmsg **mp)
{
	struct lapsmp_rmsg *m;

	if ((s32)(h->msg - rf->rcv_msg) < 0)
		return LAPSMP_REASM_DUP;
	if (h->msg - rf->rcv_msg >= LAPSMP_MSG_WINDOW) {
		LAPSMP_INC(rf->ln, rx_window_segs);
		return LAPSMP_REASM_DROP;
	}
	m = lapsmp_rmsg_find(rf, h->msg);
	if (!m) {
		if (h->msg_len > READ_ONCE(rf->ln->conf.max_msg_bytes) &&
		    h->type == LAPSMP_T_DATA)
			return LAPSMP_REASM_TOOBIG;
		/* What is given up counts as a whole: credits are compared modulo 2^32. */
		if (h->msg_len > LAPSMP_REASM_MAX_LEN)
			return LAPSMP_REASM_TOOBIG;
		/* One that cannot be given up yet would be left, and have begun, however long. */
		if (h->type == LAPSMP_T_ABORT && !lapsmp_window_may_give_up(rf, h->msg_len))
			return LAPSMP_REASM_DROP;
		m = lapsmp_rmsg_new(rf, h->msg, h->msg_len);
		if (!m)
			return LAPSMP_REASM_DROP;
		if (h->type == LAPSMP_T_DATA && !lapsmp_window_admit(rf, m)) {
			/* Not kept, so that each of its segments is answered. */
			lapsmp_rmsg_unmake(rf, m);
			return LAPSMP_REASM_TOOBIG;
		}
	}
	*mp = m;
	if (m->len != h->msg_len) {
		LAPSMP_INC(rf->ln, rx_bad);
		return LAPSMP_REASM_DROP;
	}
	return m->whole || m->aborted ? LAPSMP_REASM_DUP : LAPSMP_REASM_OK;
}

enum lapsmp_reasm lapsmp_reasm_data(struct lapsmp_rflow *rf,
				    const struct lapsmp_hdr *h,
				    struct sk_buff *skb)
{
	struct lapsmp_rmsg *m = NULL;
	enum lapsmp_reasm ret;

	lockdep_assert_held(&rf->lock);
	ret = lapsmp_reasm_msg(rf, h, &m);
	if (ret != LAPSMP_REASM_OK)
		return ret;
	if (h->flags & LAPSMP_F_UNORDERED)
		m->unordered = true;
	m->ifindex = skb->skb_iif;
	if (h->payload_len) {
		ret = lapsmp_reasm_fill(rf, m, h, skb);
	} else {
		/* An empty message is whole by being there. */
		kfree_skb(skb);
	}
	if (m->got == m->len && !m->whole)
		lapsmp_rmsg_whole(rf, m);
	lapsmp_rmsg_offer(rf, m);
	lapsmp_rmsg_advance(rf);
	trace_lapsmp_receive(rf->key.id, h->path_id, h->seq, h->msg, h->off,
			     h->payload_len, rf->got - lapsmp_window_head(rf));
	return ret;
}

enum lapsmp_reasm lapsmp_reasm_abort(struct lapsmp_rflow *rf,
				     const struct lapsmp_hdr *h)
{
	struct lapsmp_rmsg *m = NULL;
	enum lapsmp_reasm ret;

	lockdep_assert_held(&rf->lock);
	ret = lapsmp_reasm_msg(rf, h, &m);
	if (ret != LAPSMP_REASM_OK)
		return ret;
	if (!lapsmp_window_may_give_up(rf, m->len - m->got))
		return LAPSMP_REASM_DROP;
	lapsmp_rmsg_abort(rf, m);
	return LAPSMP_REASM_OK;
}
