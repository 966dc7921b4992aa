// SPDX-License-Identifier: GPL-2.0
/*
 * Messages to be sent: begun and filled by a writer, emptied as their bytes are
 * acknowledged, gone when the receiver has all of them, or never will.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "clock.h"
#include "close.h"
#include "errqueue.h"
#include "mem.h"
#include "mib.h"
#include "parts.h"
#include "tmsg.h"
#include "wire.h"

/* Fixed part of what a queued message is charged. */
#define LAPSMP_MSG_OVERHEAD	256

static struct kmem_cache *lapsmp_tmsg_cache;

/* --- life ---------------------------------------------------------------------- */

static struct lapsmp_tmsg *lapsmp_tmsg_alloc(gfp_t gfp)
{
	struct lapsmp_tmsg *m = kmem_cache_zalloc(lapsmp_tmsg_cache, gfp);

	if (!m)
		return NULL;
	INIT_LIST_HEAD(&m->node);
	INIT_LIST_HEAD(&m->chunks);
	m->refs = 1;
	return m;
}

void lapsmp_tmsg_put(struct lapsmp_tmsg *m)
{
	if (!--m->refs)
		kmem_cache_free(lapsmp_tmsg_cache, m);
}

static void lapsmp_tmsg_uncharge(struct lapsmp_flow *f, struct lapsmp_tmsg *m,
				 u32 bytes)
{
	m->charged -= bytes;
	WRITE_ONCE(f->queued, f->queued - bytes);
	if (f->ls)
		lapsmp_mem_uncharge_tx(f->ls, bytes);
	else
		lapsmp_parts_give_orphan(bytes);
}

void lapsmp_tmsg_chunk_free(struct lapsmp_flow *f, struct lapsmp_tmsg *m,
			    struct lapsmp_chunk *c)
{
	list_del(&c->node);
	lapsmp_tmsg_uncharge(f, m, c->len);
	put_page(c->page);
	kfree(c);
}

void lapsmp_tmsg_empty(struct lapsmp_flow *f, struct lapsmp_tmsg *m)
{
	struct lapsmp_chunk *c, *next;

	list_for_each_entry_safe(c, next, &m->chunks, node)
		lapsmp_tmsg_chunk_free(f, m, c);
}

static void lapsmp_tmsg_unlink(struct lapsmp_flow *f, struct lapsmp_tmsg *m)
{
	if (f->send_msg == m)
		f->send_msg = list_is_last(&m->node, &f->msgs) ?
			      NULL : list_next_entry(m, node);
	f->unsent -= m->len - m->sent;
	m->sent = m->len;
	list_del_init(&m->node);
	f->n_msgs--;
	lapsmp_tmsg_empty(f, m);
	if (m->charged)
		lapsmp_tmsg_uncharge(f, m, m->charged);
}

void lapsmp_tmsg_done(struct lapsmp_flow *f, struct lapsmp_tmsg *m, int err)
{
	struct lapsmp_sock *ls = f->ls;

	if (list_empty(&m->node))
		return;
	m->whole = true;
	lapsmp_tmsg_unlink(f, m);
	if (err || m->aborted)
		LAPSMP_INC(f->ln, tx_failed_messages);
	else
		LAPSMP_INC(f->ln, tx_acked_messages);
	if (ls) {
		atomic64_inc(err || m->aborted ? &ls->stats.tx_failed_messages :
						 &ls->stats.tx_acked_messages);
		if (m->notify && !m->aborted)
			lapsmp_sock_report(ls, &f->peer->key.raddr, f->dport,
					   err, m->count, true);
	}
	lapsmp_tmsg_put(m);
}

/* --- for writers ---------------------------------------------------------------- */

static int lapsmp_tmsg_charge(struct lapsmp_flow *f, struct lapsmp_tmsg *m,
			      u32 bytes)
{
	int err = f->ls ? lapsmp_mem_charge_tx(f->ls, bytes) : -EPIPE;

	if (err)
		return err;
	m->charged += bytes;
	WRITE_ONCE(f->queued, f->queued + bytes);
	return 0;
}

static int lapsmp_tmsg_flow_error(const struct lapsmp_flow *f)
{
	if (f->state != LAPSMP_FLOW_DEAD)
		return 0;
	return f->err ? -f->err : -ECONNRESET;
}

struct lapsmp_tmsg *lapsmp_tmsg_begin(struct lapsmp_flow *f, u32 len,
				      bool unordered)
{
	struct lapsmp_tmsg *m = lapsmp_tmsg_alloc(GFP_KERNEL);
	u64 now = lapsmp_clock_now();
	int err;

	if (!m)
		return ERR_PTR(-ENOMEM);
	m->len = len;
	m->unordered = unordered;
	spin_lock_bh(&f->lock);
	/* What it had was done without an answer, which else would have ended it. */
	if (lapsmp_flow_is_used_up(f) && !f->n_msgs && f->state != LAPSMP_FLOW_DEAD) {
		lapsmp_close_send(f, LAPSMP_CLOSE_IDLE);
		__lapsmp_flow_kill(f, 0);
	}
	err = lapsmp_tmsg_flow_error(f) ?:
	      lapsmp_tmsg_charge(f, m, LAPSMP_MSG_OVERHEAD);
	if (err) {
		lapsmp_tmsg_put(m);
		spin_unlock_bh(&f->lock);
		return ERR_PTR(err);
	}
	m->no = f->next_no;
	WRITE_ONCE(f->next_no, f->next_no + 1);
	m->queued_ns = now;
	m->notify = READ_ONCE(f->ls->notify);
	m->count = atomic64_inc_return(&f->ls->msg_count);
	m->refs++;	/* the list's and the writer's */
	if (!f->n_msgs)
		f->answer_ns = now;
	f->active_ns = now;
	list_add_tail(&m->node, &f->msgs);
	WRITE_ONCE(f->n_msgs, f->n_msgs + 1);
	f->unsent += len;
	if (!f->send_msg)
		f->send_msg = m;
	atomic64_inc(&f->ls->stats.tx_messages);
	LAPSMP_INC(f->ln, tx_messages);
	spin_unlock_bh(&f->lock);
	return m;
}

static struct lapsmp_chunk *lapsmp_tmsg_chunk(struct lapsmp_tmsg *m,
					      struct page *page, u32 page_off,
					      u32 len)
{
	struct lapsmp_chunk *c = kmalloc(sizeof(*c), GFP_KERNEL_ACCOUNT);

	if (!c)
		return NULL;
	get_page(page);
	c->page = page;
	c->page_off = page_off;
	c->off = m->copied;
	c->len = len;
	c->unacked = len;
	return c;
}

int lapsmp_tmsg_append(struct lapsmp_flow *f, struct lapsmp_tmsg *m,
		       struct page *page, u32 page_off, u32 len)
{
	struct lapsmp_chunk *c = lapsmp_tmsg_chunk(m, page, page_off, len);
	int err;

	if (!c)
		return -ENOMEM;
	spin_lock_bh(&f->lock);
	err = lapsmp_tmsg_flow_error(f);
	/* A receiver that claims to have what was not sent gets no more of it. */
	if (!err && !m->whole)
		err = lapsmp_tmsg_charge(f, m, len);
	if (!err && !m->whole) {
		list_add_tail(&c->node, &m->chunks);
		m->copied += len;
		atomic64_add(len, &f->ls->stats.tx_bytes);
		c = NULL;
	}
	spin_unlock_bh(&f->lock);
	if (c) {
		put_page(c->page);
		kfree(c);
	}
	return err;
}

void lapsmp_tmsg_end(struct lapsmp_flow *f, struct lapsmp_tmsg *m)
{
	spin_lock_bh(&f->lock);
	lapsmp_tmsg_put(m);
	spin_unlock_bh(&f->lock);
}

int lapsmp_tmsg_init(void)
{
	lapsmp_tmsg_cache = KMEM_CACHE(lapsmp_tmsg, SLAB_ACCOUNT);
	return lapsmp_tmsg_cache ? 0 : -ENOMEM;
}

void lapsmp_tmsg_exit(void)
{
	kmem_cache_destroy(lapsmp_tmsg_cache);
}
