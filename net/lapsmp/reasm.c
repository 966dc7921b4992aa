// SPDX-License-Identifier: GPL-2.0
/*
 * Reassembly. A message's bytes are in two places: @data holds what is there from
 * the start without a gap, in order; @ahead, a tree by offset, what came early.
 * Ranges in the tree never overlap: a new segment is cut to what was missing, so
 * retransmissions may be cut differently than what they repeat.
 *
 *	rf->msgs    rcv_msg  +1   +2 ...      by number, rcv_msg is not whole
 *	               |
 *	          whole -> queued to the socket -> rcv_msg++ -> out of the tree
 *
 * An unordered message that is whole is queued at once, and stays in the tree,
 * empty, until rcv_msg has passed it: it is how duplicates are recognised.
 */
#include <linux/slab.h>
#include <net/sock.h>
#include "ackgen.h"
#include "mem.h"
#include "mib.h"
#include "reasm.h"
#include "trace.h"
#include "window.h"

static struct kmem_cache *lapsmp_rmsg_cache;

/* --- messages ------------------------------------------------------------------ */

static struct lapsmp_rmsg *lapsmp_reasm_find(struct lapsmp_rflow *rf, u32 no)
{
	struct rb_node *n = rf->msgs.rb_node;

	while (n) {
		struct lapsmp_rmsg *m = rb_entry(n, struct lapsmp_rmsg, node);
		s32 d = no - m->no;

		if (!d)
			return m;
		n = d < 0 ? n->rb_left : n->rb_right;
	}
	return NULL;
}

static void lapsmp_reasm_insert(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	struct rb_node **p = &rf->msgs.rb_node, *parent = NULL;

	while (*p) {
		parent = *p;
		if ((s32)(m->no - rb_entry(parent, struct lapsmp_rmsg, node)->no) < 0)
			p = &parent->rb_left;
		else
			p = &parent->rb_right;
	}
	rb_link_node(&m->node, parent, p);
	rb_insert_color(&m->node, &rf->msgs);
}

/* Is there credit for @n more? An honest sender never asks for what is not. */
static bool lapsmp_reasm_may(struct lapsmp_rflow *rf, u32 n)
{
	if ((s32)(rf->credit_used + n - rf->limit) <= 0)
		return true;
	LAPSMP_INC(rf->ln, rx_window_segs);
	return false;
}

/* @head: what the flow waits for: it is never refused, or nothing would move. */
static bool lapsmp_reasm_charge(struct lapsmp_rflow *rf, u32 truesize, bool head)
{
	u64 extra = head ? U32_MAX : 2 * atomic64_read(&rf->ls->reserved);

	if (lapsmp_mem_charge_rx(rf->ls, truesize, extra)) {
		LAPSMP_INC(rf->ln, rx_overflow_segs);
		atomic64_inc(&rf->ls->stats.rx_overflow_segs);
		return false;
	}
	rf->queued += truesize;
	return true;
}

static struct lapsmp_rmsg *lapsmp_reasm_new(struct lapsmp_rflow *rf, u32 no,
					    u32 len)
{
	struct lapsmp_rmsg *m;

	if (!lapsmp_reasm_may(rf, LAPSMP_MSG_CREDIT) ||
	    !lapsmp_reasm_charge(rf, sizeof(*m), no == rf->rcv_msg))
		return NULL;
	m = kmem_cache_zalloc(lapsmp_rmsg_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!m) {
		LAPSMP_INC(rf->ln, nomem);
		rf->queued -= sizeof(*m);
		lapsmp_mem_uncharge_rx(rf->ls, sizeof(*m));
		return NULL;
	}
	rf->credit_used += LAPSMP_MSG_CREDIT;
	m->truesize = sizeof(*m);
	refcount_set(&m->refs, 1);
	INIT_LIST_HEAD(&m->ready);
	__skb_queue_head_init(&m->data);
	m->ahead = RB_ROOT;
	m->no = no;
	m->len = len;
	m->rflow = rf;
	m->ls = rf->ls;
	lapsmp_rflow_hold(rf);
	lapsmp_reasm_insert(rf, m);
	return m;
}

static void lapsmp_reasm_free_skbs(struct lapsmp_rmsg *m)
{
	struct rb_node *n;

	__skb_queue_purge(&m->data);
	while ((n = rb_first(&m->ahead))) {
		struct sk_buff *skb = rb_to_skb(n);

		rb_erase(n, &m->ahead);
		kfree_skb(skb);
	}
}

void lapsmp_rmsg_put(struct lapsmp_rmsg *m)
{
	if (!refcount_dec_and_test(&m->refs))
		return;
	lapsmp_reasm_free_skbs(m);
	lapsmp_rflow_put(m->rflow);
	kmem_cache_free(lapsmp_rmsg_cache, m);
}

/* Its memory is no longer the socket's. */
static void lapsmp_reasm_uncharge(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m,
				  u32 truesize)
{
	m->truesize -= truesize;
	rf->queued -= truesize;
	lapsmp_mem_uncharge_rx(m->ls, truesize);
}

static void lapsmp_reasm_empty(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	lapsmp_reasm_free_skbs(m);
	lapsmp_reasm_uncharge(rf, m, m->truesize);
	lapsmp_window_release(rf, m);
}

/* --- to the socket ----------------------------------------------------------------- */

static void lapsmp_reasm_queue(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	struct lapsmp_sock *ls = rf->ls;
	struct sock *sk = lapsmp_sock_sk(ls);

	if (!m->queued) {
		m->queued = true;
		rf->n_unread++;
		lapsmp_rmsg_hold(m);
		spin_lock(&ls->rq_lock);
		list_add_tail(&m->ready, &ls->rq);
		spin_unlock(&ls->rq_lock);
	}
	sk->sk_data_ready(sk);
}

static void lapsmp_reasm_whole(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	/* Pairs with lapsmp_recv_is_whole(): all skbs are linked by then. */
	smp_store_release(&m->whole, true);
	if (sock_flag(lapsmp_sock_sk(rf->ls), SOCK_RCVTSTAMP))
		m->tstamp = ktime_get_real();
	LAPSMP_INC(rf->ln, rx_messages);
	atomic64_inc(&rf->ls->stats.rx_messages);
	atomic64_add(m->len, &rf->ls->stats.rx_bytes);
}

/* Can its reader have it now, or some of it? */
static void lapsmp_reasm_offer(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	bool turn = m->no == rf->rcv_msg || m->unordered ||
		    READ_ONCE(rf->ls->unordered);

	if (m->consumed || m->aborted || !turn)
		return;
	/* A partial reader wants to hear of each piece, others of the last. */
	if (m->whole ? !m->announced : READ_ONCE(rf->ls->partial) && m->contig) {
		m->announced = m->whole;
		lapsmp_reasm_queue(rf, m);
	}
}

/* Everything from rcv_msg on that is whole has had its turn. */
static void lapsmp_reasm_advance(struct lapsmp_rflow *rf)
{
	struct lapsmp_rmsg *m;
	struct rb_node *n;

	while ((n = rb_first(&rf->msgs))) {
		m = rb_entry(n, struct lapsmp_rmsg, node);
		if (m->no != rf->rcv_msg)
			break;
		lapsmp_reasm_offer(rf, m);
		if (!m->whole)
			break;
		rb_erase(n, &rf->msgs);
		rf->got -= m->got;
		rf->rcv_msg++;
		lapsmp_rmsg_put(m);
	}
}

/* --- segments ------------------------------------------------------------------------ */

static void lapsmp_reasm_append(struct lapsmp_rmsg *m, struct sk_buff *skb)
{
	/* It shares its place with the tree's links. */
	skb->dev = NULL;
	__skb_queue_tail(&m->data, skb);
	/* A partial reader walks @data without our lock, up to contig. */
	smp_store_release(&m->contig, m->contig + lapsmp_rseg(skb)->len);
}

/* What came early and is now next. */
static void lapsmp_reasm_pull(struct lapsmp_rmsg *m)
{
	struct rb_node *n;

	while ((n = rb_first(&m->ahead))) {
		struct sk_buff *skb = rb_to_skb(n);

		if (lapsmp_rseg(skb)->off != m->contig)
			return;
		rb_erase(n, &m->ahead);
		RB_CLEAR_NODE(n);
		lapsmp_reasm_append(m, skb);
	}
}

/**
 * struct lapsmp_gap - a stretch that is missing
 * @from: first byte
 * @to: behind its last
 */
struct lapsmp_gap {
	u32	from;
	u32	to;
};

/* The first missing stretch within [from, to). Return: whether there is one. */
static bool lapsmp_reasm_gap(struct lapsmp_rmsg *m, u32 from, u32 to,
			     struct lapsmp_gap *gap)
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
	/* What follows may touch: skip it, and whatever touches that. */
	while (after && lapsmp_rseg(after)->off == from) {
		from += lapsmp_rseg(after)->len;
		after = skb_rb_next(after);
	}
	if (from >= to)
		return false;
	gap->from = from;
	gap->to = after ? min(to, lapsmp_rseg(after)->off) : to;
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
	if (s->off == m->contig) {
		lapsmp_reasm_append(m, skb);
		lapsmp_reasm_pull(m);
	} else {
		lapsmp_reasm_early(m, skb);
	}
}

/* Charge before placing: what is refused leaves no trace. */
static bool lapsmp_reasm_admit(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m,
			       const struct sk_buff *skb,
			       const struct lapsmp_gap *gap)
{
	bool head = m->no == rf->rcv_msg && gap->from == m->contig;
	u32 n = gap->to - gap->from;

	if (!lapsmp_reasm_may(rf, n) ||
	    !lapsmp_reasm_charge(rf, skb->truesize, head))
		return false;
	rf->credit_used += n;
	m->truesize += skb->truesize;
	return true;
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
	struct lapsmp_gap gap;

	while (lapsmp_reasm_gap(m, from, to, &gap)) {
		bool last = gap.to == to;

		part = last ? skb : skb_clone(skb, GFP_ATOMIC | __GFP_NOWARN);
		if (!part || !lapsmp_reasm_admit(rf, m, part, &gap)) {
			if (part && part != skb)
				kfree_skb(part);
			return LAPSMP_REASM_DROP;
		}
		*lapsmp_rseg(part) = (struct lapsmp_rseg){
			.off = gap.from,
			.len = gap.to - gap.from,
			.skip = gap.from - h->off,
		};
		if (gap.from > m->contig) {
			LAPSMP_INC(rf->ln, rx_ooo_segs);
			atomic64_inc(&rf->ls->stats.rx_ooo_segs);
		}
		lapsmp_reasm_place(rf, m, part);
		new += gap.to - gap.from;
		from = gap.to;
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
	m = lapsmp_reasm_find(rf, h->msg);
	if (!m) {
		if (h->msg_len > READ_ONCE(rf->ln->conf.max_msg_bytes) &&
		    h->type == LAPSMP_T_DATA)
			return LAPSMP_REASM_TOOBIG;
		m = lapsmp_reasm_new(rf, h->msg, h->msg_len);
		if (!m)
			return LAPSMP_REASM_DROP;
		if (h->type == LAPSMP_T_DATA && !lapsmp_window_admit(rf, m)) {
			/* Not kept, so that each of its segments is answered. */
			rb_erase(&m->node, &rf->msgs);
			rf->credit_used -= LAPSMP_MSG_CREDIT;
			lapsmp_reasm_empty(rf, m);
			lapsmp_rmsg_put(m);
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
		lapsmp_reasm_whole(rf, m);
	lapsmp_reasm_offer(rf, m);
	lapsmp_reasm_advance(rf);
	trace_lapsmp_receive(rf->key.id, h->path_id, h->seq, h->msg, h->off,
			     h->payload_len, rf->got - lapsmp_window_head(rf));
	return ret;
}

enum lapsmp_reasm lapsmp_reasm_abort(struct lapsmp_rflow *rf,
				     const struct lapsmp_hdr *h)
{
	struct lapsmp_rmsg *m = NULL;
	enum lapsmp_reasm ret;
	u32 credits;

	lockdep_assert_held(&rf->lock);
	ret = lapsmp_reasm_msg(rf, h, &m);
	if (ret != LAPSMP_REASM_OK)
		return ret;
	m->aborted = true;
	/* Pairs with lapsmp_recv_is_whole(). */
	smp_store_release(&m->whole, true);
	rf->credit_used += m->len - m->got;
	if (m->queued) {
		/* A partial reader has begun it: it is told, and ends it. */
		lapsmp_reasm_queue(rf, m);
	} else {
		credits = m->len + LAPSMP_MSG_CREDIT;
		m->consumed = true;
		lapsmp_reasm_empty(rf, m);
		lapsmp_window_consumed(rf, credits);
	}
	lapsmp_reasm_advance(rf);
	return LAPSMP_REASM_OK;
}

/* What a partial reader has taken needs no memory any more. */
static void lapsmp_reasm_trim(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	struct sk_buff *skb;
	u32 freed = 0;

	while ((skb = skb_peek(&m->data))) {
		struct lapsmp_rseg *s = lapsmp_rseg(skb);

		if (s->off + s->len > m->read)
			break;
		__skb_unlink(skb, &m->data);
		freed += skb->truesize;
		kfree_skb(skb);
	}
	lapsmp_reasm_uncharge(rf, m, freed);
}

void lapsmp_rmsg_consumed(struct lapsmp_rmsg *m, u32 bytes, bool last)
{
	struct lapsmp_rflow *rf = m->rflow;
	u32 credits = bytes;

	spin_lock_bh(&rf->lock);
	if (last && !m->consumed) {
		m->consumed = true;
		/* An aborted one counts as a whole, however much was read. */
		if (m->aborted)
			credits = m->len - (m->read - bytes);
		credits += LAPSMP_MSG_CREDIT;
		rf->n_unread--;
		lapsmp_reasm_empty(rf, m);
	} else {
		lapsmp_reasm_trim(rf, m);
	}
	if (lapsmp_window_consumed(rf, credits))
		lapsmp_ackgen_window(rf);
	spin_unlock_bh(&rf->lock);
}

void lapsmp_reasm_drop(struct lapsmp_rmsg *m)
{
	struct lapsmp_rflow *rf = m->rflow;

	spin_lock_bh(&rf->lock);
	m->consumed = true;
	lapsmp_reasm_empty(rf, m);
	spin_unlock_bh(&rf->lock);
}

void lapsmp_reasm_purge(struct lapsmp_rflow *rf)
{
	struct lapsmp_rmsg *m;
	struct rb_node *n;

	lockdep_assert_held(&rf->lock);
	while ((n = rb_first(&rf->msgs))) {
		m = rb_entry(n, struct lapsmp_rmsg, node);
		rb_erase(n, &rf->msgs);
		if (!m->whole) {
			LAPSMP_INC(rf->ln, rx_partial_expired);
			m->aborted = true;
			/* Pairs with lapsmp_recv_is_whole(). */
			smp_store_release(&m->whole, true);
		}
		if (!m->queued)
			lapsmp_reasm_empty(rf, m);
		else if (rf->ls && m->aborted)
			lapsmp_reasm_queue(rf, m);
		lapsmp_rmsg_put(m);
	}
}

int lapsmp_reasm_init(void)
{
	lapsmp_rmsg_cache = KMEM_CACHE(lapsmp_rmsg, 0);
	return lapsmp_rmsg_cache ? 0 : -ENOMEM;
}

void lapsmp_reasm_exit(void)
{
	kmem_cache_destroy(lapsmp_rmsg_cache);
}
