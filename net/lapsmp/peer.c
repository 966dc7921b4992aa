// SPDX-License-Identifier: GPL-2.0
/*
 * Peers: lookup and lifetime.
 *
 * A peer is made in process context on the first send to it, with the
 * namespace's automatic source-port paths. It goes when no flow has used it for
 * LAPSMP_PEER_IDLE_NS, unless an administrator gave it paths or policies.
 */
#include <linux/slab.h>
#include "cc.h"
#include "clock.h"
#include "event.h"
#include "pathset.h"
#include "route.h"
#include "sched.h"
#include "udp.h"

/* Longer than flows are kept idle, so that a busy peer keeps its measurements. */
#define LAPSMP_PEER_IDLE_NS	(300ULL * NSEC_PER_SEC)
/* Any user may send anywhere, and each destination is remembered for a while. */
#define LAPSMP_MAX_PEERS	65536

static const struct rhashtable_params lapsmp_peer_params = {
	.head_offset = offsetof(struct lapsmp_peer, node),
	.key_offset = offsetof(struct lapsmp_peer, key),
	.key_len = sizeof(struct lapsmp_peer_key),
	.automatic_shrinking = true,
};

struct lapsmp_peer *lapsmp_peer_lookup(struct lapsmp_net *ln,
				       const struct lapsmp_peer_key *key)
{
	return rhashtable_lookup(&ln->peers, key, lapsmp_peer_params);
}

static void lapsmp_peer_free_rcu(struct rcu_head *rcu)
{
	struct lapsmp_peer *peer = container_of(rcu, struct lapsmp_peer, rcu);
	struct lapsmp_net *ln = peer->ln;

	kfree(rcu_dereference_protected(peer->answers, true));
	kfree(peer);
	lapsmp_net_put(ln);
}

void lapsmp_peer_put(struct lapsmp_peer *peer)
{
	if (!refcount_dec_and_test(&peer->refs))
		return;
	lapsmp_pathset_free(peer);
	if (peer->sched)
		lapsmp_sched_put(peer->sched);
	if (peer->cc)
		lapsmp_cc_put(peer->cc);
	call_rcu(&peer->rcu, lapsmp_peer_free_rcu);
}

/* Source address and line rate: by the first route there is. */
static int lapsmp_peer_find_route(struct lapsmp_peer *peer)
{
	struct lapsmp_route_key key = {
		.saddr = peer->key.laddr,
		.daddr = peer->key.raddr,
		.dport = peer->key.rport,
		.ifindex = peer->key.ifindex,
		.mark = peer->key.mark,
		.tos = peer->key.tos,
	};
	struct lapsmp_route *r;

	r = lapsmp_route_lookup(peer->ln, &key);
	if (IS_ERR(r))
		return PTR_ERR(r);
	peer->saddr = key.saddr;
	peer->saddr_foreign = !lapsmp_route_is_local(peer->ln, &key.saddr,
						     key.ifindex);
	peer->mtu = lapsmp_route_mtu(r);
	peer->line_rate = lapsmp_route_line_rate(peer->ln, r);
	peer->line_dev = lapsmp_route_dev(r);
	lapsmp_route_free(r);
	return 0;
}

/* What was configured for the address alone, if anything; ln->peer_lock held. */
static struct lapsmp_peer *lapsmp_peer_model(struct lapsmp_peer *peer)
{
	struct lapsmp_peer_key key = {
		.raddr = peer->key.raddr,
		.rport = peer->key.rport,
	};
	struct lapsmp_peer *model = NULL;

	if (!memcmp(&key, &peer->key, sizeof(key)))
		return NULL;
	rcu_read_lock();
	model = lapsmp_peer_lookup(peer->ln, &key);
	if (model && (!model->configured || !refcount_inc_not_zero(&model->refs)))
		model = NULL;
	rcu_read_unlock();
	return model;
}

static void lapsmp_peer_copy_policies(struct lapsmp_peer *peer,
				      const struct lapsmp_peer *from)
{
	spin_lock_bh(&peer->ln->policy_lock);
	peer->sched = from->sched;
	peer->cc = from->cc;
	if (peer->sched)
		lapsmp_sched_hold(peer->sched);
	if (peer->cc)
		lapsmp_cc_hold(peer->cc);
	spin_unlock_bh(&peer->ln->policy_lock);
}

/* ln->peer_lock held. @answers: allocated, or NULL. */
static void lapsmp_peer_swap_answers(struct lapsmp_peer *peer,
				     struct lapsmp_answers *answers)
{
	struct lapsmp_net *ln = peer->ln;

	answers = rcu_replace_pointer(peer->answers, answers,
				      lockdep_is_held(&ln->peer_lock));
	if (answers)
		kfree_rcu(answers, rcu);
}

/* Whoever sees another count asks again. Pairs with lapsmp_ackgen_configured(). */
static void lapsmp_peer_answers_changed(struct lapsmp_net *ln)
{
	/* What was changed is seen before the count is. */
	smp_mb__before_atomic();
	atomic_inc(&ln->answers_gen);
}

int lapsmp_peer_set_answers(struct lapsmp_peer *peer,
			    const struct lapsmp_segs *segs)
{
	struct lapsmp_answers *answers = NULL;

	if (segs) {
		answers = kzalloc(sizeof(*answers), GFP_KERNEL_ACCOUNT);
		if (!answers)
			return -ENOMEM;
		answers->segs = *segs;
	}
	mutex_lock(&peer->ln->peer_lock);
	lapsmp_peer_swap_answers(peer, answers);
	lapsmp_peer_answers_changed(peer->ln);
	if (segs)
		WRITE_ONCE(peer->configured, true);
	mutex_unlock(&peer->ln->peer_lock);
	return 0;
}

const struct lapsmp_segs *lapsmp_peer_answers(struct lapsmp_net *ln,
					      const struct in6_addr *raddr)
{
	const struct lapsmp_answers *answers;
	struct lapsmp_peer_key key = {
		.raddr = *raddr,
		.rport = htons(READ_ONCE(ln->conf.port)),
	};
	struct lapsmp_peer *peer = lapsmp_peer_lookup(ln, &key);

	answers = peer ? rcu_dereference(peer->answers) : NULL;
	return answers ? &answers->segs : NULL;
}

/* What the peer that it takes the place of had. Return: 0 or -ENOMEM. */
static int lapsmp_peer_copy_answers(struct lapsmp_peer *peer,
				    const struct lapsmp_peer *from)
{
	struct lapsmp_answers *answers;

	answers = rcu_dereference_protected(from->answers,
					    lockdep_is_held(&peer->ln->peer_lock));
	if (!answers)
		return 0;
	answers = kmemdup(answers, sizeof(*answers), GFP_KERNEL_ACCOUNT);
	if (!answers)
		return -ENOMEM;
	lapsmp_peer_swap_answers(peer, answers);
	return 0;
}

/*
 * A peer starts as what was configured for the one that it replaces; and one that
 * is used from one local address, through one device or with one mark, for the
 * remote address alone.
 */
static int lapsmp_peer_first_paths(struct lapsmp_peer *peer,
				   struct lapsmp_peer *old)
{
	struct lapsmp_peer *model;
	int err = 0;

	if (old && READ_ONCE(old->configured)) {
		err = lapsmp_peer_copy_answers(peer, old);
		peer->configured = true;
		lapsmp_peer_hold(old);
		model = old;
	} else {
		model = lapsmp_peer_model(peer);
	}
	if (model) {
		lapsmp_peer_copy_policies(peer, model);
		err = err ?: lapsmp_pathset_copy(peer, model);
		lapsmp_peer_put(model);
	}
	return err ?: lapsmp_pathset_fill(peer);
}

/* Into the table, in place of @old if there is one. */
static int lapsmp_peer_hash(struct lapsmp_peer *peer, struct lapsmp_peer *old)
{
	struct lapsmp_net *ln = peer->ln;
	int err;

	if (old && !rhashtable_replace_fast(&ln->peers, &old->node, &peer->node,
					    lapsmp_peer_params)) {
		lapsmp_event_peer(old, "removed");
		lapsmp_peer_put(old);
		return 0;
	}
	err = rhashtable_insert_fast(&ln->peers, &peer->node,
				     lapsmp_peer_params);
	if (!err)
		atomic_inc(&ln->n_peers);
	return err;
}

static struct lapsmp_peer *lapsmp_peer_new(struct lapsmp_net *ln,
					   const struct lapsmp_peer_key *key,
					   struct lapsmp_peer *old)
{
	struct lapsmp_peer *peer;
	int err;

	if (!old && atomic_read(&ln->n_peers) >= LAPSMP_MAX_PEERS)
		return ERR_PTR(-ENOBUFS);
	peer = kzalloc(sizeof(*peer), GFP_KERNEL_ACCOUNT);
	if (!peer)
		return ERR_PTR(-ENOMEM);
	peer->key = *key;
	peer->ln = ln;
	peer->used_ns = lapsmp_clock_now();
	refcount_set(&peer->refs, 1);
	spin_lock_init(&peer->lock);
	err = lapsmp_peer_find_route(peer) ?: lapsmp_pathset_init(peer);
	if (err) {
		kfree(peer);
		return ERR_PTR(err);
	}
	lapsmp_net_hold(ln);
	err = lapsmp_peer_first_paths(peer, old) ?: lapsmp_peer_hash(peer, old);
	if (err) {
		lapsmp_peer_put(peer);
		return ERR_PTR(err);
	}
	peer->hashed = true;
	if (rcu_access_pointer(peer->answers))
		lapsmp_peer_answers_changed(ln);
	lapsmp_event_peer(peer, "added");
	return peer;
}

struct lapsmp_peer *lapsmp_peer_find(struct lapsmp_net *ln,
				     const struct lapsmp_peer_key *key)
{
	struct lapsmp_peer *peer;

	rcu_read_lock();
	peer = lapsmp_peer_lookup(ln, key);
	if (peer && !refcount_inc_not_zero(&peer->refs))
		peer = NULL;
	rcu_read_unlock();
	return peer;
}

/*
 * The address that a peer is spoken to from was chosen when it was made, and may
 * be gone by now. Its flows end by themselves; new ones get a new peer. One that
 * a program or an administrator asked for is waited for.
 */
static bool lapsmp_peer_is_stale(const struct lapsmp_peer *peer)
{
	return lapsmp_addr_any(&peer->key.laddr) &&
	       !lapsmp_route_is_local(peer->ln, &peer->saddr, peer->key.ifindex);
}

/* ln->peer_lock held. */
static struct lapsmp_peer *lapsmp_peer_make(struct lapsmp_net *ln,
					    const struct lapsmp_peer_key *key)
{
	struct lapsmp_peer *old = lapsmp_peer_find(ln, key), *peer;

	if (old && !lapsmp_peer_is_stale(old))
		return old;
	peer = ln->closing ? ERR_PTR(-ENETDOWN) : lapsmp_peer_new(ln, key, old);
	if (!IS_ERR(peer))
		lapsmp_peer_hold(peer);
	if (old)
		lapsmp_peer_put(old);
	return peer;
}

struct lapsmp_peer *lapsmp_peer_get(struct lapsmp_net *ln,
				    const struct lapsmp_peer_key *key)
{
	struct lapsmp_peer *peer = lapsmp_peer_find(ln, key);
	int err;

	if (peer && !lapsmp_peer_is_stale(peer))
		goto out;
	if (peer)
		lapsmp_peer_put(peer);
	err = lapsmp_udp_open_service(ln);
	if (err)
		return ERR_PTR(err);
	mutex_lock(&ln->peer_lock);
	peer = lapsmp_peer_make(ln, key);
	mutex_unlock(&ln->peer_lock);
	if (IS_ERR(peer))
		return peer;
out:
	WRITE_ONCE(peer->used_ns, lapsmp_clock_now());
	return peer;
}

void lapsmp_peer_del(struct lapsmp_peer *peer)
{
	struct lapsmp_net *ln = peer->ln;

	/* Whoever takes it out of the table drops the table's reference. */
	if (rhashtable_remove_fast(&ln->peers, &peer->node, lapsmp_peer_params))
		return;
	atomic_dec(&ln->n_peers);
	if (rcu_access_pointer(peer->answers))
		lapsmp_peer_answers_changed(ln);
	lapsmp_event_peer(peer, "removed");
	lapsmp_peer_put(peer);
}

/* Removing in mid-walk is fine: the walk pins its own place in the table. */
static void lapsmp_peer_sweep(struct lapsmp_net *ln, u64 now_ns, bool all)
{
	struct rhashtable_iter it;
	struct lapsmp_peer *peer;

	rhashtable_walk_enter(&ln->peers, &it);
	rhashtable_walk_start(&it);
	while ((peer = rhashtable_walk_next(&it))) {
		if (IS_ERR(peer))
			continue;
		/* Only the table has it, and nobody had it for long. */
		if (all || (!READ_ONCE(peer->configured) &&
			    refcount_read(&peer->refs) == 1 &&
			    lapsmp_clock_older(READ_ONCE(peer->used_ns), now_ns,
					       LAPSMP_PEER_IDLE_NS)))
			lapsmp_peer_del(peer);
	}
	rhashtable_walk_stop(&it);
	rhashtable_walk_exit(&it);
}

void lapsmp_peer_gc(struct lapsmp_net *ln, u64 now_ns)
{
	lapsmp_peer_sweep(ln, now_ns, false);
}

int lapsmp_peer_net_init(struct lapsmp_net *ln)
{
	mutex_init(&ln->peer_lock);
	return rhashtable_init(&ln->peers, &lapsmp_peer_params);
}

/* The table itself is destroyed by netns.c when the last peer has gone. */
void lapsmp_peer_net_exit(struct lapsmp_net *ln)
{
	while (atomic_read(&ln->n_peers))
		lapsmp_peer_sweep(ln, 0, true);
}
