// SPDX-License-Identifier: GPL-2.0
/* Receiving flows: their table, their opening and their end. */
#include <linux/slab.h>
#include "ackgen.h"
#include "addr.h"
#include "clock.h"
#include "grants.h"
#include "mib.h"
#include "rmsg.h"
#include "ropen.h"
#include "route.h"
#include "wire.h"

/* A sender that says nothing for so long has forgotten the flow, or died. */
#define LAPSMP_RFLOW_IDLE_NS	(120ULL * NSEC_PER_SEC)
/* Flows of one id, which is random: many are somebody's who wants a long list. */
#define LAPSMP_RFLOW_MAX_EQUAL	8

static const struct rhashtable_params lapsmp_rflow_params = {
	.head_offset = offsetof(struct lapsmp_rflow, node),
	.key_offset = offsetof(struct lapsmp_rflow, key.id),
	.key_len = sizeof(u64),
	.automatic_shrinking = true,
};

/* Ids are random: there is one of an id, unless somebody repeats what he saw. */
struct lapsmp_rflow *lapsmp_rflow_lookup(struct lapsmp_net *ln,
					 const struct lapsmp_rflow_key *key)
{
	struct lapsmp_rflow *rf, *found = NULL;
	struct rhlist_head *list, *pos;

	list = rhltable_lookup(&ln->rflows, &key->id, lapsmp_rflow_params);
	rhl_for_each_entry_rcu(rf, pos, list, node) {
		if (ipv6_addr_equal(&rf->key.raddr, &key->raddr)) {
			found = rf;
			break;
		}
		if (!found && lapsmp_rflow_comes_from(rf, &key->raddr))
			found = rf;
	}
	return found && refcount_inc_not_zero(&found->refs) ? found : NULL;
}

struct lapsmp_rflow *lapsmp_rflow_of_sender(struct lapsmp_net *ln, u64 id,
					    u64 snd_inc)
{
	struct rhlist_head *list, *pos;
	struct lapsmp_rflow *rf;

	list = rhltable_lookup(&ln->rflows, &id, lapsmp_rflow_params);
	rhl_for_each_entry_rcu(rf, pos, list, node)
		if (rf->snd_inc == snd_inc && refcount_inc_not_zero(&rf->refs))
			return rf;
	return NULL;
}

bool lapsmp_rflow_has_room(struct lapsmp_net *ln, u64 id)
{
	struct rhlist_head *pos;
	unsigned int n = 0;

	if (atomic_read(&ln->n_rflows) >= READ_ONCE(ln->conf.max_rflows))
		return false;
	pos = rhltable_lookup(&ln->rflows, &id, lapsmp_rflow_params);
	for (; pos; pos = rcu_dereference(pos->next))
		n++;
	return n < LAPSMP_RFLOW_MAX_EQUAL;
}

/* Join the socket, unless it is closing. */
static bool lapsmp_rflow_attach(struct lapsmp_rflow *rf, struct lapsmp_sock *ls)
{
	bool ok;

	spin_lock_bh(&ls->rflow_lock);
	ok = !ls->rflow_closed;
	if (ok) {
		list_add_tail(&rf->sock_node, &ls->rflows);
		atomic_inc(&ls->n_rflows);
		rf->ls = ls;
	}
	spin_unlock_bh(&ls->rflow_lock);
	return ok;
}

static void lapsmp_rflow_unlist(struct lapsmp_rflow *rf, struct lapsmp_sock *ls)
{
	spin_lock_bh(&ls->rflow_lock);
	if (!list_empty(&rf->sock_node)) {
		list_del_init(&rf->sock_node);
		atomic_dec(&ls->n_rflows);
	}
	spin_unlock_bh(&ls->rflow_lock);
}

static void lapsmp_rflow_remove(struct lapsmp_rflow *rf)
{
	if (rhltable_remove(&rf->ln->rflows, &rf->node, lapsmp_rflow_params))
		return;
	atomic_dec(&rf->ln->n_rflows);
	lapsmp_rflow_put(rf);
}

/* @closing: the socket goes, and the sender is told what that means for it. */
static void lapsmp_rflow_stop(struct lapsmp_rflow *rf, bool closing)
{
	struct lapsmp_sock *ls;

	spin_lock_bh(&rf->lock);
	ls = rf->ls;
	if (ls) {
		if (closing)
			lapsmp_ackgen_reset(rf, rf->n_unread ||
					    !RB_EMPTY_ROOT(&rf->msgs) ?
					    LAPSMP_RESET_UNREAD :
					    LAPSMP_RESET_UNKNOWN);
		lapsmp_rmsg_purge(rf);
		lapsmp_grants_leave(rf);
		rf->ls = NULL;
	}
	spin_unlock_bh(&rf->lock);
	if (ls)
		lapsmp_rflow_unlist(rf, ls);
}

struct lapsmp_rflow *lapsmp_rflow_open(struct lapsmp_net *ln, struct sock *sk,
				       const struct lapsmp_rflow_key *key,
				       const struct lapsmp_hdr *h,
				       const struct sk_buff *skb)
{
	struct lapsmp_rflow *rf;
	struct in6_addr src;

	if (READ_ONCE(ln->closing))
		return NULL;
	rf = kzalloc(sizeof(*rf), GFP_ATOMIC | __GFP_NOWARN);
	if (!rf) {
		LAPSMP_INC(ln, nomem);
		return NULL;
	}
	rf->key = *key;
	rf->snd_inc = h->snd_inc;
	lapsmp_addr_from_skb(skb, &src, &rf->laddr);
	rf->ifindex = READ_ONCE(sk->sk_bound_dev_if);
	if (!rf->ifindex ||
	    (ipv6_addr_type(&key->raddr) & IPV6_ADDR_LINKLOCAL))
		rf->ifindex = lapsmp_route_back(ln, skb, &key->raddr);
	rf->rport = h->sport;
	rf->lport = h->dport;
	rf->ln = ln;
	refcount_set(&rf->refs, 2);	/* the caller's, and the table's */
	spin_lock_init(&rf->lock);
	rf->rcv_msg = 1;
	rf->limit = LAPSMP_INITIAL_CREDIT;
	rf->told = rf->limit;
	rf->msgs = RB_ROOT;
	xa_init(&rf->paths);
	INIT_LIST_HEAD(&rf->sock_node);
	lapsmp_ackgen_setup(rf);
	rf->used_ns = lapsmp_clock_now();
	lapsmp_net_hold(ln);
	if (!lapsmp_rflow_attach(rf, lapsmp_sk(sk)))
		goto err_free;
	if (rhltable_insert(&ln->rflows, &rf->node, lapsmp_rflow_params))
		goto err_detach;
	atomic_inc(&ln->n_rflows);
	LAPSMP_INC(ln, rflows_opened);
	/* The socket was closed meanwhile: nobody else takes it out again. */
	if (!READ_ONCE(rf->ls))
		lapsmp_rflow_remove(rf);
	return rf;

err_detach:
	lapsmp_rflow_stop(rf, false);
err_free:
	lapsmp_rflow_put(rf);	/* the table's, which it never got into */
	lapsmp_rflow_put(rf);
	return NULL;
}

void lapsmp_rflow_end(struct lapsmp_rflow *rf)
{
	lapsmp_rflow_stop(rf, false);
	lapsmp_rflow_remove(rf);
}

static struct lapsmp_rflow *lapsmp_rflow_first(struct lapsmp_sock *ls)
{
	struct lapsmp_rflow *rf;

	spin_lock_bh(&ls->rflow_lock);
	ls->rflow_closed = true;
	rf = list_first_entry_or_null(&ls->rflows, struct lapsmp_rflow, sock_node);
	/* Whoever takes it off the list has a reference until then. */
	if (rf)
		lapsmp_rflow_hold(rf);
	spin_unlock_bh(&ls->rflow_lock);
	return rf;
}

void lapsmp_rflow_detach_all(struct lapsmp_sock *ls)
{
	struct lapsmp_rmsg *m, *next;
	struct lapsmp_rflow *rf;
	LIST_HEAD(rq);

	while ((rf = lapsmp_rflow_first(ls))) {
		lapsmp_rflow_stop(rf, true);
		/* Also if another CPU has stopped it and is about to do so. */
		lapsmp_rflow_unlist(rf, ls);
		lapsmp_rflow_remove(rf);
		lapsmp_rflow_put(rf);
	}
	spin_lock_bh(&ls->rq_lock);
	list_splice_init(&ls->rq, &rq);
	spin_unlock_bh(&ls->rq_lock);
	list_for_each_entry_safe(m, next, &rq, ready) {
		list_del_init(&m->ready);
		lapsmp_rmsg_drop(m);
		lapsmp_rmsg_put(m);
	}
}

void lapsmp_rflow_gc(struct lapsmp_net *ln, u64 now_ns, bool all)
{
	struct rhashtable_iter it;
	struct lapsmp_rflow *rf;

	rhltable_walk_enter(&ln->rflows, &it);
	rhashtable_walk_start(&it);
	while ((rf = rhashtable_walk_next(&it))) {
		if (IS_ERR(rf) || !refcount_inc_not_zero(&rf->refs))
			continue;
		if (all || lapsmp_clock_older(READ_ONCE(rf->used_ns), now_ns,
					      LAPSMP_RFLOW_IDLE_NS))
			lapsmp_rflow_end(rf);
		lapsmp_rflow_put(rf);
	}
	rhashtable_walk_stop(&it);
	rhashtable_walk_exit(&it);
}

int lapsmp_rflow_net_init(struct lapsmp_net *ln)
{
	return rhltable_init(&ln->rflows, &lapsmp_rflow_params);
}

void lapsmp_rflow_net_exit(struct lapsmp_net *ln)
{
	while (atomic_read(&ln->n_rflows)) {
		lapsmp_rflow_gc(ln, lapsmp_clock_now(), true);
		cond_resched();
	}
}
