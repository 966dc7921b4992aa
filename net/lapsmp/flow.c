// SPDX-License-Identifier: GPL-2.0
/*
 * Sending flows: lifetime and lookup. What a flow sees of its paths is in view.c,
 * its messages are in tmsg.c; what is done with all that in rtx.c, tx.c and ack.c.
 */
#include <linux/hash.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include "cc.h"
#include "clock.h"
#include "close.h"
#include "errqueue.h"
#include "event.h"
#include "flow.h"
#include "flowmem.h"
#include "mem.h"
#include "mib.h"
#include "output.h"
#include "parts.h"
#include "pass.h"
#include "rflow.h"
#include "rtx.h"
#include "sched.h"
#include "view.h"

/* Slack of a timer: none, the pacer rounds by itself. */
#define LAPSMP_TIMER_SLACK_NS	0

static void (*lapsmp_flow_timer_fn)(struct lapsmp_flow *f) __read_mostly;

static const struct rhashtable_params lapsmp_flow_params = {
	.head_offset = offsetof(struct lapsmp_flow, id_node),
	.key_offset = offsetof(struct lapsmp_flow, id),
	.key_len = sizeof(u64),
	.automatic_shrinking = true,
};

void lapsmp_flow_set_timer(void (*fn)(struct lapsmp_flow *f))
{
	lapsmp_flow_timer_fn = fn;
}

/* --- timer ------------------------------------------------------------------ */

/*
 * timer_at says whether a reference is held for it. A callback cannot be taken
 * back while it waits for the lock, but the timer can be queued anew meanwhile:
 * then it is this new turn that owns the reference.
 */
static enum hrtimer_restart lapsmp_flow_timer(struct hrtimer *t)
{
	struct lapsmp_flow *f = container_of(t, struct lapsmp_flow, timer);

	spin_lock(&f->lock);
	if (hrtimer_is_queued(t)) {
		/* Nobody should have to wait for a dead flow's timer. */
		if (f->state == LAPSMP_FLOW_DEAD)
			hrtimer_start(t, 0, HRTIMER_MODE_ABS_SOFT);
		spin_unlock(&f->lock);
		return HRTIMER_NORESTART;
	}
	f->timer_at = 0;
	lapsmp_flow_timer_fn(f);
	spin_unlock(&f->lock);
	lapsmp_flow_put(f);
	return HRTIMER_NORESTART;
}

void __lapsmp_flow_arm(struct lapsmp_flow *f, u64 at_ns)
{
	lockdep_assert_held(&f->lock);
	if (f->state == LAPSMP_FLOW_DEAD ||
	    (f->timer_at && f->timer_at <= at_ns))
		return;
	if (!f->timer_at)
		lapsmp_flow_hold(f);
	f->timer_at = at_ns;
	hrtimer_start_range_ns(&f->timer, ns_to_ktime(at_ns),
			       LAPSMP_TIMER_SLACK_NS, HRTIMER_MODE_ABS_SOFT);
}

static void lapsmp_flow_disarm(struct lapsmp_flow *f)
{
	if (!f->timer_at)
		return;
	/*
	 * If it runs, it takes its reference along when it has the lock; or it is through with
	 * that and was queued anew meanwhile, for a time that nobody should have to wait for.
	 */
	if (hrtimer_try_to_cancel(&f->timer) != 1) {
		if (hrtimer_is_queued(&f->timer))
			hrtimer_start(&f->timer, 0, HRTIMER_MODE_ABS_SOFT);
		return;
	}
	f->timer_at = 0;
	lapsmp_flow_put(f);
}

/* --- draws ------------------------------------------------------------------ */

/* xorshift64* (Vigna, ACM TOMS 2016): draws, not secrets. */
u32 __lapsmp_flow_random(struct lapsmp_flow *f)
{
	f->rng ^= f->rng >> 12;
	f->rng ^= f->rng << 25;
	f->rng ^= f->rng >> 27;
	return (f->rng * 0x2545f4914f6cdd1dULL) >> 32;
}

/* --- lifetime ------------------------------------------------------------------ */

static void lapsmp_flow_free_rcu(struct rcu_head *rcu)
{
	struct lapsmp_flow *f = container_of(rcu, struct lapsmp_flow, rcu);
	struct lapsmp_net *ln = f->ln;

	lapsmp_flowmem_free(f);
	kfree(f);
	lapsmp_net_put(ln);
}

void lapsmp_flow_put(struct lapsmp_flow *f)
{
	if (!refcount_dec_and_test(&f->refs))
		return;
	lapsmp_view_drop(f);
	lapsmp_sched_put(f->sched_ops);
	lapsmp_cc_put(f->cc_ops);
	lapsmp_peer_put(f->peer);
	call_rcu(&f->rcu, lapsmp_flow_free_rcu);
}

struct lapsmp_flow *lapsmp_flow_lookup(struct lapsmp_net *ln, u64 id)
{
	struct lapsmp_flow *f;

	f = rhashtable_lookup(&ln->flows, &id, lapsmp_flow_params);
	return f && refcount_inc_not_zero(&f->refs) ? f : NULL;
}

static void lapsmp_flow_remove_id(struct lapsmp_flow *f)
{
	if (rhashtable_remove_fast(&f->ln->flows, &f->id_node, lapsmp_flow_params))
		return;
	atomic_dec(&f->ln->n_flows);
	lapsmp_flow_put(f);
}

static struct hlist_head *lapsmp_flow_bucket(struct lapsmp_sock *ls,
					     const struct lapsmp_peer_key *key,
					     __be16 dport)
{
	u32 h = jhash2((const u32 *)key, sizeof(*key) / sizeof(u32),
		       (__force u32)dport);

	return &ls->flows[hash_32(h, LAPSMP_SOCK_FLOW_BITS)];
}

void lapsmp_flow_unlink(struct lapsmp_flow *f, struct lapsmp_sock *ls)
{
	bool was = false;

	if (ls) {
		spin_lock_bh(&ls->flow_lock);
		was = !hlist_unhashed(&f->sock_node);
		if (was) {
			hlist_del_init_rcu(&f->sock_node);
			ls->n_flows--;
			/* Before the socket can find that it has no flow left, and go. */
			lapsmp_flowmem_leave(f);
		}
		spin_unlock_bh(&ls->flow_lock);
	}
	lapsmp_flow_remove_id(f);
	if (was)
		lapsmp_flow_put(f);
}

static void lapsmp_flow_choose(struct lapsmp_flow *f, struct lapsmp_sock *ls)
{
	struct lapsmp_net *ln = f->ln;

	spin_lock_bh(&ln->policy_lock);
	f->sched_ops = ls->sched ?: READ_ONCE(f->peer->sched) ?: ln->sched;
	f->cc_ops = ls->cc ?: READ_ONCE(f->peer->cc) ?: ln->cc;
	lapsmp_sched_hold(f->sched_ops);
	lapsmp_cc_hold(f->cc_ops);
	spin_unlock_bh(&ln->policy_lock);
}

static void lapsmp_flow_seed(struct lapsmp_flow *f)
{
	u64 seed = READ_ONCE(f->ln->conf.seed);

	f->rng = seed ? siphash_2u64(seed, f->number,
				     &(siphash_key_t){ { ~seed, seed } }) :
			get_random_u64();
	f->rng |= 1;
}

static struct lapsmp_flow *lapsmp_flow_alloc(struct lapsmp_sock *ls,
					     struct lapsmp_peer *peer,
					     __be16 dport)
{
	struct lapsmp_net *ln = peer->ln;
	struct lapsmp_flow *f;

	if (!lapsmp_flowmem_may_open(ls, peer))
		return ERR_PTR(-ENOBUFS);
	f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);
	if (!f)
		return ERR_PTR(-ENOMEM);
	do
		f->id = get_random_u64();
	while (!f->id);
	f->ln = ln;
	f->peer = peer;
	refcount_set(&f->refs, 2);	/* the caller's, and the id table's */
	INIT_HLIST_NODE(&f->sock_node);
	f->sport = htons(ls->inet.inet_num);
	f->dport = dport;
	f->number = atomic64_inc_return(&ln->flow_number);
	mutex_init(&f->write);
	spin_lock_init(&f->lock);
	f->ls = ls;
	f->mem_of_sock = true;
	f->rcv_inc = READ_ONCE(peer->rcv_inc);
	f->state = f->rcv_inc ? LAPSMP_FLOW_SENT : LAPSMP_FLOW_OPENING;
	INIT_LIST_HEAD(&f->msgs);
	f->lost = RB_ROOT_CACHED;
	f->next_no = 1;
	f->rcv_msg = 1;
	f->credit_limit = LAPSMP_INITIAL_CREDIT;
	hrtimer_init(&f->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	f->timer.function = lapsmp_flow_timer;
	f->active_ns = lapsmp_clock_now();
	f->made_ns = f->active_ns;
	f->app_limited = true;
	f->unordered = READ_ONCE(ls->unordered);
	f->user_timeout_ms = READ_ONCE(ls->user_timeout_ms);
	lapsmp_flow_seed(f);
	lapsmp_flow_choose(f, ls);
	lapsmp_net_hold(ln);
	return f;
}

static struct lapsmp_flow *lapsmp_flow_new(struct lapsmp_sock *ls,
					   struct lapsmp_peer *peer,
					   __be16 dport)
{
	struct lapsmp_flow *f = lapsmp_flow_alloc(ls, peer, dport);
	int err;

	if (IS_ERR(f)) {
		lapsmp_peer_put(peer);
		return f;
	}
	f->cc_cfg.fixed_rate = READ_ONCE(f->ln->conf.fixed_rate);
	f->cc_cfg.initcwnd = READ_ONCE(f->ln->conf.initcwnd);
	spin_lock_bh(&f->lock);
	err = __lapsmp_view_sync(f);
	if (f->sched_ops->init)
		f->sched_ops->init(f->sched_priv, __lapsmp_flow_random(f));
	f->cc_ops->init(&f->cc, &f->cc_cfg);
	spin_unlock_bh(&f->lock);
	if (!err)
		err = rhashtable_insert_fast(&f->ln->flows, &f->id_node,
					     lapsmp_flow_params);
	if (err) {
		lapsmp_flowmem_leave(f);
		refcount_set(&f->refs, 1);
		lapsmp_flow_put(f);
		return ERR_PTR(err);
	}
	atomic_inc(&f->ln->n_flows);
	LAPSMP_INC(f->ln, flows_opened);
	return f;
}

static struct lapsmp_flow *
lapsmp_flow_find(struct lapsmp_sock *ls, const struct lapsmp_peer_key *key,
		 __be16 dport)
{
	struct lapsmp_flow *f;

	hlist_for_each_entry_rcu(f, lapsmp_flow_bucket(ls, key, dport), sock_node)
		if (f->dport == dport &&
		    !memcmp(&f->peer->key, key, sizeof(*key)) &&
		    refcount_inc_not_zero(&f->refs))
			return f;
	return NULL;
}

/* A dead flow's error, once; the flow goes. Drops the caller's reference. */
static int lapsmp_flow_bury(struct lapsmp_flow *f, struct lapsmp_sock *ls)
{
	int err;

	spin_lock_bh(&f->lock);
	err = f->err;
	f->err = 0;
	spin_unlock_bh(&f->lock);
	lapsmp_flow_unlink(f, ls);
	lapsmp_flow_put(f);
	return -err;
}

/* Into the socket's table, unless another thread was first. */
static struct lapsmp_flow *lapsmp_flow_hash(struct lapsmp_sock *ls,
					    struct lapsmp_flow *f)
{
	struct lapsmp_flow *old;

	spin_lock_bh(&ls->flow_lock);
	rcu_read_lock();
	old = lapsmp_flow_find(ls, &f->peer->key, f->dport);
	rcu_read_unlock();
	if (!old) {
		lapsmp_flow_hold(f);
		hlist_add_head_rcu(&f->sock_node,
				   lapsmp_flow_bucket(ls, &f->peer->key, f->dport));
		ls->n_flows++;
	}
	spin_unlock_bh(&ls->flow_lock);
	if (!old)
		return f;
	lapsmp_flowmem_leave(f);
	lapsmp_flow_unlink(f, NULL);
	lapsmp_flow_put(f);
	return old;
}

/* For want of memory there is no new one: but another thread may have been given it. */
static struct lapsmp_flow *lapsmp_flow_of_other(struct lapsmp_sock *ls,
						const struct lapsmp_peer_key *key,
						__be16 dport, struct lapsmp_flow *err)
{
	struct lapsmp_flow *f;

	rcu_read_lock();
	f = lapsmp_flow_find(ls, key, dport);
	rcu_read_unlock();
	return f ?: err;
}

struct lapsmp_flow *lapsmp_flow_get(struct lapsmp_sock *ls,
				    const struct lapsmp_peer_key *key,
				    __be16 dport)
{
	struct lapsmp_peer *peer;
	struct lapsmp_flow *f;
	int err;

	rcu_read_lock();
	f = lapsmp_flow_find(ls, key, dport);
	rcu_read_unlock();
	if (f && !lapsmp_flow_is_dead(f))
		return f;
	if (f) {
		err = lapsmp_flow_bury(f, ls);
		if (err)
			return ERR_PTR(err);
	}
	peer = lapsmp_peer_get(lapsmp_net(sock_net(lapsmp_sock_sk(ls))), key);
	if (IS_ERR(peer))
		return ERR_CAST(peer);
	f = lapsmp_flow_new(ls, peer, dport);
	return IS_ERR(f) ? lapsmp_flow_of_other(ls, key, dport, f) : lapsmp_flow_hash(ls, f);
}

void __lapsmp_flow_kill(struct lapsmp_flow *f, int err)
{
	struct lapsmp_sock *ls = f->ls;

	lockdep_assert_held(&f->lock);
	if (f->state == LAPSMP_FLOW_DEAD)
		return;
	WRITE_ONCE(f->state, LAPSMP_FLOW_DEAD);
	f->dead_ns = lapsmp_clock_now();
	lapsmp_flow_disarm(f);
	lapsmp_rtx_purge(f, err);
	lapsmp_pass_heard(f);
	if (err) {
		lapsmp_event_flow_failed(f, err);
		/* A connected socket is told at once, others by the next send. */
		if (ls && !lapsmp_sock_report(ls, &f->peer->key.raddr, f->dport,
					      err, 0, false))
			f->err = err;
	}
	WRITE_ONCE(f->peer->used_ns, f->dead_ns);
	/* Writers that wait for room on it must not wait for ever. */
	if (ls)
		lapsmp_mem_wake_tx(ls);
	else
		lapsmp_flow_remove_id(f);
}

void lapsmp_flow_orphan(struct lapsmp_flow *f, bool abort)
{
	bool fits;

	spin_lock_bh(&f->lock);
	fits = lapsmp_parts_may_orphan(f->queued + f->mem_bytes);
	lapsmp_mem_orphan_tx(f->ls, f->queued);
	__lapsmp_flowmem_leave(f);
	f->ls = NULL;
	if (f->state == LAPSMP_FLOW_DEAD) {
		lapsmp_flow_remove_id(f);
	} else if (abort || !fits || !f->n_msgs) {
		lapsmp_close_send(f, f->n_msgs ? LAPSMP_CLOSE_ABORT :
						 LAPSMP_CLOSE_IDLE);
		__lapsmp_flow_kill(f, abort || !f->n_msgs ? 0 : ENOBUFS);
	} else {
		__lapsmp_flowmem_orphan(f);
		f->linger_ns = lapsmp_clock_now() +
			       (u64)READ_ONCE(f->ln->conf.linger_ms) * NSEC_PER_MSEC;
		__lapsmp_flow_arm(f, f->linger_ns);
	}
	spin_unlock_bh(&f->lock);
}

bool lapsmp_flow_drained(struct lapsmp_sock *ls)
{
	struct lapsmp_flow *f;
	bool drained = true;
	int i;

	rcu_read_lock();
	for (i = 0; i < ARRAY_SIZE(ls->flows) && drained; i++)
		hlist_for_each_entry_rcu(f, &ls->flows[i], sock_node)
			if (READ_ONCE(f->n_msgs))
				drained = false;
	rcu_read_unlock();
	return drained;
}

int lapsmp_flow_net_init(struct lapsmp_net *ln)
{
	return rhashtable_init(&ln->flows, &lapsmp_flow_params);
}
