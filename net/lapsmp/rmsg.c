// SPDX-License-Identifier: GPL-2.0
/*
 * Messages being received: their life, their memory, and their way to the reader.
 *
 *	rf->msgs    rcv_msg  +1   +2 ...      by number, rcv_msg is not whole
 *	               |
 *	          whole -> queued to the socket -> rcv_msg++ -> out of the tree
 *
 * An unordered message that is whole is queued at once, and stays in the tree,
 * empty, until rcv_msg has passed it: it is how duplicates are recognised. So does one
 * that was given up. What they take themselves is paid for until then.
 */
#include <linux/slab.h>
#include <net/sock.h>
#include "ackgen.h"
#include "clock.h"
#include "mem.h"
#include "mib.h"
#include "rmsg.h"
#include "window.h"
#include "wire.h"

/* What a program is told a silent peer after, by default. */
#define LAPSMP_RMSG_STUCK_NS	(30ULL * NSEC_PER_SEC)

static struct kmem_cache *lapsmp_rmsg_cache;

/* --- the tree, and what it costs --------------------------------------------- */

static void lapsmp_rmsg_insert(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
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

/* Is there credit for @n more? An honest sender never sends a segment for which there is none. */
static bool lapsmp_rmsg_may(struct lapsmp_rflow *rf, u32 n)
{
	if ((s32)(rf->credit_used + n - rf->limit) <= 0)
		return true;
	LAPSMP_INC(rf->ln, rx_window_segs);
	return false;
}

/*
 * @head: the first of what the flow waits for. Where no reader can do anything before it is
 * there, the socket's limit is none for it, or nothing would move; a partial reader must
 * have taken what was there before. Where there is nothing else of the flow to read,
 * either, the protocol has room for it even when it has none.
 */
bool lapsmp_rmsg_charge(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m, u32 truesize,
			bool head)
{
	bool alone = head && (!m->queued || READ_ONCE(m->read) == m->contig);
	/* No other one of its flow is shown to a reader of pieces before the end of his. */
	bool awaited = alone && (m->queued || !rf->n_unread);
	u64 extra = alone ? U32_MAX : 2 * atomic64_read(&rf->ls->reserved);

	if (lapsmp_mem_charge_rx(rf->ls, truesize, extra, awaited)) {
		if (awaited && !rf->stuck_ns)
			rf->stuck_ns = lapsmp_clock_now();
		return false;
	}
	rf->stuck_ns = 0;
	rf->queued += truesize;
	m->truesize += truesize;
	return true;
}

bool lapsmp_rmsg_is_stuck(const struct lapsmp_rflow *rf, u64 now_ns)
{
	return rf->stuck_ns && lapsmp_clock_older(rf->stuck_ns, now_ns, LAPSMP_RMSG_STUCK_NS);
}

static void lapsmp_rmsg_overflow(struct lapsmp_rflow *rf)
{
	LAPSMP_INC(rf->ln, rx_overflow_segs);
	atomic64_inc(&rf->ls->stats.rx_overflow_segs);
}

bool lapsmp_rmsg_admit(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m, u32 from,
		       u32 to, u32 truesize)
{
	bool head = m->no == rf->rcv_msg && from == m->contig;

	if (!lapsmp_rmsg_may(rf, to - from))
		return false;
	if (!lapsmp_rmsg_charge(rf, m, truesize, head)) {
		lapsmp_rmsg_overflow(rf);
		return false;
	}
	rf->credit_used += to - from;
	return true;
}

struct lapsmp_rmsg *lapsmp_rmsg_new(struct lapsmp_rflow *rf, u32 no, u32 len)
{
	struct lapsmp_rmsg *m;

	if (!lapsmp_rmsg_may(rf, LAPSMP_MSG_CREDIT))
		return NULL;
	m = kmem_cache_zalloc(lapsmp_rmsg_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!m) {
		LAPSMP_INC(rf->ln, nomem);
		return NULL;
	}
	if (!lapsmp_rmsg_charge(rf, m, sizeof(*m), no == rf->rcv_msg)) {
		kmem_cache_free(lapsmp_rmsg_cache, m);
		lapsmp_rmsg_overflow(rf);
		return NULL;
	}
	rf->credit_used += LAPSMP_MSG_CREDIT;
	rf->rest += len;
	refcount_set(&m->refs, 1);
	INIT_LIST_HEAD(&m->ready);
	__skb_queue_head_init(&m->data);
	m->ahead = RB_ROOT;
	m->no = no;
	m->len = len;
	m->rflow = rf;
	m->ls = rf->ls;
	lapsmp_rflow_hold(rf);
	lapsmp_rmsg_insert(rf, m);
	return m;
}

static void lapsmp_rmsg_free_skbs(struct lapsmp_rmsg *m)
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
	lapsmp_rmsg_free_skbs(m);
	lapsmp_rflow_put(m->rflow);
	kmem_cache_free(lapsmp_rmsg_cache, m);
}

void lapsmp_rmsg_uncharge(struct lapsmp_rmsg *m, u64 truesize)
{
	m->truesize -= truesize;
	m->rflow->queued -= truesize;
	lapsmp_mem_uncharge_rx(m->ls, truesize);
}

static void lapsmp_rmsg_empty(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	u64 keep = RB_EMPTY_NODE(&m->node) ? 0 : min_t(u64, m->truesize, sizeof(*m));

	lapsmp_rmsg_free_skbs(m);
	lapsmp_rmsg_uncharge(m, m->truesize - keep);
	lapsmp_window_release(rf, m);
}

/* Out of the tree: the socket is there as long as anything is in it. */
static void lapsmp_rmsg_unlink(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	rb_erase(&m->node, &rf->msgs);
	RB_CLEAR_NODE(&m->node);
	if (m->consumed)
		lapsmp_rmsg_uncharge(m, m->truesize);
}

void lapsmp_rmsg_unmake(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	lapsmp_rmsg_unlink(rf, m);
	rf->credit_used -= LAPSMP_MSG_CREDIT;
	rf->rest -= m->len;
	lapsmp_rmsg_empty(rf, m);
	lapsmp_rmsg_put(m);
}

/* --- to the socket ----------------------------------------------------------- */

static void lapsmp_rmsg_queue(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
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

void lapsmp_rmsg_whole(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	/* Pairs with lapsmp_recv_is_whole(): all skbs are linked by then. */
	smp_store_release(&m->whole, true);
	if (sock_flag(lapsmp_sock_sk(rf->ls), SOCK_RCVTSTAMP))
		m->tstamp = ktime_get_real();
	LAPSMP_INC(rf->ln, rx_messages);
	atomic64_inc(&rf->ls->stats.rx_messages);
	atomic64_add(m->len, &rf->ls->stats.rx_bytes);
}

void lapsmp_rmsg_offer(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	bool turn = m->no == rf->rcv_msg || m->unordered ||
		    READ_ONCE(rf->ls->unordered);

	if (m->consumed || m->aborted || !turn)
		return;
	/* A partial reader wants to hear of each piece, others of the last. */
	if (m->whole ? !m->announced : READ_ONCE(rf->ls->partial) && m->contig) {
		m->announced = m->whole;
		lapsmp_rmsg_queue(rf, m);
	}
}

void lapsmp_rmsg_advance(struct lapsmp_rflow *rf)
{
	struct lapsmp_rmsg *m;
	struct rb_node *n;

	while ((n = rb_first(&rf->msgs))) {
		m = rb_entry(n, struct lapsmp_rmsg, node);
		if (m->no != rf->rcv_msg)
			break;
		lapsmp_rmsg_offer(rf, m);
		if (!m->whole)
			break;
		lapsmp_rmsg_unlink(rf, m);
		rf->got -= m->got;
		rf->rcv_msg++;
		/* Given up by its sender, perhaps: the next one is waited for anew. */
		rf->stuck_ns = 0;
		lapsmp_rmsg_put(m);
	}
}

void lapsmp_rmsg_abort(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	u32 credits;

	m->aborted = true;
	/* Pairs with lapsmp_recv_is_whole(). */
	smp_store_release(&m->whole, true);
	rf->rest -= m->len - m->got;
	if (m->queued) {
		/* A partial reader has begun it: it is told, and ends it. */
		lapsmp_rmsg_queue(rf, m);
	} else {
		lapsmp_window_given_up(rf, m);
		credits = m->len + LAPSMP_MSG_CREDIT;
		m->consumed = true;
		lapsmp_rmsg_empty(rf, m);
		lapsmp_window_consumed(rf, credits);
	}
	lapsmp_rmsg_advance(rf);
}

/* --- from the reader --------------------------------------------------------- */

/* What a partial reader has taken needs no memory any more. */
static void lapsmp_rmsg_trim(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
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
	lapsmp_rmsg_uncharge(m, freed);
}

void lapsmp_rmsg_consumed(struct lapsmp_rmsg *m, u32 bytes, bool last)
{
	struct lapsmp_rflow *rf = m->rflow;
	bool given_up = false;
	u32 credits = bytes;

	spin_lock_bh(&rf->lock);
	if (last && !m->consumed) {
		m->consumed = true;
		/* An aborted one counts as a whole, however much was read. */
		if (m->aborted) {
			credits = m->len - (m->read - bytes);
			given_up = rf->ls;
			if (given_up)
				lapsmp_window_given_up(rf, m);
		}
		credits += LAPSMP_MSG_CREDIT;
		rf->n_unread--;
		lapsmp_rmsg_empty(rf, m);
	} else {
		lapsmp_rmsg_trim(rf, m);
	}
	/* The limit may have moved already where something was given up. */
	if (lapsmp_window_consumed(rf, credits) || given_up)
		lapsmp_ackgen_window(rf);
	spin_unlock_bh(&rf->lock);
}

void lapsmp_rmsg_drop(struct lapsmp_rmsg *m)
{
	struct lapsmp_rflow *rf = m->rflow;

	spin_lock_bh(&rf->lock);
	m->consumed = true;
	lapsmp_rmsg_empty(rf, m);
	spin_unlock_bh(&rf->lock);
}

/* --- the end ------------------------------------------------------------------ */

void lapsmp_rmsg_purge(struct lapsmp_rflow *rf)
{
	struct lapsmp_rmsg *m;
	struct rb_node *n;

	lockdep_assert_held(&rf->lock);
	while ((n = rb_first(&rf->msgs))) {
		m = rb_entry(n, struct lapsmp_rmsg, node);
		lapsmp_rmsg_unlink(rf, m);
		if (!m->whole) {
			LAPSMP_INC(rf->ln, rx_partial_expired);
			m->aborted = true;
			/* Pairs with lapsmp_recv_is_whole(). */
			smp_store_release(&m->whole, true);
		}
		if (!m->queued)
			lapsmp_rmsg_empty(rf, m);
		else if (rf->ls && m->aborted)
			lapsmp_rmsg_queue(rf, m);
		lapsmp_rmsg_put(m);
	}
}

int lapsmp_rmsg_init(void)
{
	lapsmp_rmsg_cache = KMEM_CACHE(lapsmp_rmsg, 0);
	return lapsmp_rmsg_cache ? 0 : -ENOMEM;
}

void lapsmp_rmsg_exit(void)
{
	kmem_cache_destroy(lapsmp_rmsg_cache);
}
