// SPDX-License-Identifier: GPL-2.0
/*
 * Peers: lookup and lifetime, and the path set of each.
 *
 * A peer is made in process context on the first send to it, with the
 * namespace's automatic source-port paths. It goes when no flow has used it for
 * LAPSMP_PEER_IDLE_NS, unless an administrator gave it paths or policies.
 */
#include <linux/slab.h>
#include "cc.h"
#include "clock.h"
#include "event.h"
#include "peer.h"
#include "route.h"
#include "sched.h"
#include "udp.h"

/* Longer than flows are kept idle, so that a busy peer keeps its measurements. */
#define LAPSMP_PEER_IDLE_NS	(300ULL * NSEC_PER_SEC)
/* Any user may send anywhere, and each destination is remembered for a while. */
#define LAPSMP_MAX_PEERS	65536
/* Where the device does not say: 100 Gbit/s. */
#define LAPSMP_LINE_RATE	(100ULL * 1000 * 1000 * 1000 / 8)
/*
 * A path's rate guess starts low and doubles while no queue shows: one that
 * starts too high locks a slow path full.
 */
#define LAPSMP_RATE_START_DIV	50

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

	kfree(peer);
	lapsmp_net_put(ln);
}

void lapsmp_peer_put(struct lapsmp_peer *peer)
{
	struct lapsmp_pathset *ps;
	int i;

	if (!refcount_dec_and_test(&peer->refs))
		return;
	ps = rcu_dereference_protected(peer->paths, true);
	for (i = 0; i < ps->n; i++)
		lapsmp_path_put(ps->path[i]);
	kfree_rcu(ps, rcu);
	if (peer->sched)
		lapsmp_sched_put(peer->sched);
	if (peer->cc)
		lapsmp_cc_put(peer->cc);
	call_rcu(&peer->rcu, lapsmp_peer_free_rcu);
}

/* --- path set ------------------------------------------------------------ */

static struct lapsmp_pathset *lapsmp_peer_set_alloc(u16 n, u32 gen)
{
	struct lapsmp_pathset *ps;

	ps = kzalloc(struct_size(ps, path, n), GFP_KERNEL);
	if (ps) {
		ps->n = n;
		ps->gen = gen;
	}
	return ps;
}

static struct lapsmp_pathset *lapsmp_peer_set(const struct lapsmp_peer *peer)
{
	return rcu_dereference_protected(peer->paths,
					 lockdep_is_held(&peer->ln->peer_lock));
}

static bool lapsmp_peer_set_has(const struct lapsmp_pathset *ps,
				const struct lapsmp_path *p)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (ps->path[i] == p)
			return true;
	return false;
}

/* What is not in the new set ends. */
static void lapsmp_peer_set_replace(struct lapsmp_peer *peer,
				    struct lapsmp_pathset *new)
{
	struct lapsmp_pathset *old = lapsmp_peer_set(peer);
	struct lapsmp_path *p;
	int i;

	rcu_assign_pointer(peer->paths, new);
	/*
	 * Flows take references to what they find in a set under RCU. A peer that
	 * is being made has none yet, and should not take eight grace periods.
	 */
	if (peer->hashed)
		synchronize_rcu();
	for (i = 0; i < old->n; i++) {
		p = old->path[i];
		if (lapsmp_peer_set_has(new, p))
			continue;
		WRITE_ONCE(p->dead, true);
		lapsmp_event_path(peer, p, p->state, LAPSMP_PATH_DOWN, "removed");
		lapsmp_path_put(p);
	}
	kfree(old);
}

static bool lapsmp_peer_id_taken(const struct lapsmp_pathset *ps, u16 id)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (ps->path[i]->id == id)
			return true;
	return false;
}

/* Ids rise, so that a late ACK of a path that is gone names no other one. */
static int lapsmp_peer_new_id(struct lapsmp_peer *peer,
			      const struct lapsmp_pathset *ps)
{
	u32 tries;

	for (tries = 0; tries < U16_MAX; tries++) {
		u16 id = peer->next_path_id++;

		if (id && !lapsmp_peer_id_taken(ps, id))
			return id;
	}
	return -ENOSPC;
}

static void lapsmp_peer_path_start(struct lapsmp_peer *peer,
				   struct lapsmp_path *p)
{
	lapsmp_delivery_init(&p->delivery,
			     div_u64(peer->line_rate, LAPSMP_RATE_START_DIV));
	lapsmp_pmtu_init(&p->pmtu, peer->mtu);
	p->mtu = p->pmtu.cur;
	p->rate = p->delivery.rate;
	p->rto_ns = lapsmp_rtt_rto(&p->rtt, 0);
	p->margin_ns = NSEC_PER_MSEC;
	p->swing_root = int_sqrt64(p->margin_ns);
}

/* The set with one path more, and if so without the automatic ones. */
static int lapsmp_peer_set_add(struct lapsmp_peer *peer, struct lapsmp_path *p,
			       bool drop_automatic)
{
	struct lapsmp_pathset *old = lapsmp_peer_set(peer), *new;
	bool placed = false;
	u16 n = 0;
	int i;

	new = lapsmp_peer_set_alloc(old->n + 1, old->gen + 1);
	if (!new)
		return -ENOMEM;
	for (i = 0; i < old->n; i++) {
		if (drop_automatic && old->path[i]->automatic)
			continue;
		if (!placed && old->path[i]->id > p->id) {
			new->path[n++] = p;
			placed = true;
		}
		new->path[n++] = old->path[i];
	}
	if (!placed)
		new->path[n++] = p;
	new->n = n;
	lapsmp_peer_set_replace(peer, new);
	return 0;
}

/*
 * Nothing was sent to it yet, nor can be: only the table and the caller have it.
 * Otherwise an id must not be used again: a late ACK of the path that had it
 * would acknowledge what the receiver never saw.
 */
static bool lapsmp_peer_is_fresh(const struct lapsmp_peer *peer,
				 const struct lapsmp_pathset *ps)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (!ps->path[i]->automatic ||
		    READ_ONCE(ps->path[i]->state) != LAPSMP_PATH_UNKNOWN)
			return false;
	return refcount_read(&peer->refs) <= 2;
}

/* Return: the id that a new path gets, or -EEXIST, -ENOSPC. */
static int lapsmp_peer_choose_id(struct lapsmp_peer *peer, u16 id, bool automatic)
{
	struct lapsmp_pathset *ps = lapsmp_peer_set(peer);

	/* The automatic ones, that this one replaces, were only an offer. */
	if (!automatic && lapsmp_peer_is_fresh(peer, ps)) {
		peer->next_path_id = max_t(u16, id, 1) + 1;
		return id ?: 1;
	}
	if (!id)
		return lapsmp_peer_new_id(peer, ps);
	return lapsmp_peer_id_taken(ps, id) ? -EEXIST : id;
}

static int __lapsmp_peer_path_add(struct lapsmp_peer *peer, u16 id,
				  __be16 sport, bool automatic,
				  unsigned int nth)
{
	struct lapsmp_pathset *ps = lapsmp_peer_set(peer);
	struct lapsmp_port *port;
	struct lapsmp_path *p;
	int err, i;

	for (i = 0; sport && i < ps->n; i++)
		if (ps->path[i]->sport == sport &&
		    (automatic || !ps->path[i]->automatic))
			return -EEXIST;
	err = lapsmp_peer_choose_id(peer, id, automatic);
	if (err < 0)
		return err;
	port = lapsmp_udp_port_get(peer->ln, sport, nth);
	if (IS_ERR(port))
		return PTR_ERR(port);
	p = lapsmp_path_alloc(err, GFP_KERNEL_ACCOUNT);
	if (!p)
		return -ENOMEM;
	p->sport = lapsmp_udp_port_number(port);
	p->automatic = automatic;
	lapsmp_peer_path_start(peer, p);
	err = lapsmp_peer_set_add(peer, p, !automatic);
	if (err) {
		lapsmp_path_put(p);
		return err;
	}
	lapsmp_event_path(peer, p, LAPSMP_PATH_UNKNOWN, LAPSMP_PATH_UNKNOWN,
			  "added");
	return p->id;
}

int lapsmp_peer_path_add(struct lapsmp_peer *peer, u16 id, __be16 sport,
			 bool automatic)
{
	int err;

	mutex_lock(&peer->ln->peer_lock);
	err = __lapsmp_peer_path_add(peer, id, sport, automatic, 0);
	if (err > 0 && !automatic)
		WRITE_ONCE(peer->configured, true);
	mutex_unlock(&peer->ln->peer_lock);
	return err;
}

static int lapsmp_peer_auto_paths(struct lapsmp_peer *peer)
{
	unsigned int n = max_t(u16, READ_ONCE(peer->ln->conf.auto_paths), 1);
	unsigned int i;
	int err = 0;

	for (i = 0; i < n && err >= 0; i++)
		err = __lapsmp_peer_path_add(peer, 0, 0, true, i);
	/* Fewer than asked for are no reason to refuse a send. */
	return i > 1 ? 0 : min(err, 0);
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

static int lapsmp_peer_copy_paths(struct lapsmp_peer *peer,
				  const struct lapsmp_pathset *from)
{
	const struct lapsmp_path *p;
	struct lapsmp_path *copy;
	int err = 0, i;

	for (i = 0; i < from->n && err >= 0; i++) {
		p = from->path[i];
		if (p->automatic)
			continue;
		err = __lapsmp_peer_path_add(peer, p->id, p->sport, false, 0);
		if (err < 0)
			break;
		copy = lapsmp_peer_set(peer)->path[lapsmp_peer_set(peer)->n - 1];
		copy->conf_rate = READ_ONCE(p->conf_rate);
		copy->conf_base_ns = READ_ONCE(p->conf_base_ns);
		copy->conf_weight = READ_ONCE(p->conf_weight);
		copy->rate = copy->conf_rate ?: copy->rate;
		copy->base_ns = copy->conf_base_ns;
	}
	return min(err, 0);
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

/*
 * A peer that is used from one local address, through one device or with one
 * mark starts as what was configured for the remote address alone.
 */
static int lapsmp_peer_first_paths(struct lapsmp_peer *peer)
{
	struct lapsmp_peer *model = lapsmp_peer_model(peer);
	int err = 0;

	if (model) {
		lapsmp_peer_copy_policies(peer, model);
		err = lapsmp_peer_copy_paths(peer, lapsmp_peer_set(model));
		lapsmp_peer_put(model);
	}
	if (err || lapsmp_peer_set(peer)->n)
		return err;
	return lapsmp_peer_auto_paths(peer);
}

/* Remove the path @id, or all of them if it is 0. */
static int lapsmp_peer_set_del(struct lapsmp_peer *peer, u16 id)
{
	struct lapsmp_pathset *old = lapsmp_peer_set(peer), *new;
	u16 n = 0;
	int i;

	new = lapsmp_peer_set_alloc(old->n, old->gen + 1);
	if (!new)
		return -ENOMEM;
	for (i = 0; i < old->n; i++)
		if (id && old->path[i]->id != id)
			new->path[n++] = old->path[i];
	new->n = n;
	if (n == old->n) {
		kfree(new);
		return id ? -ENOENT : 0;
	}
	lapsmp_peer_set_replace(peer, new);
	return 0;
}

int lapsmp_peer_path_del(struct lapsmp_peer *peer, u16 id)
{
	int err;

	mutex_lock(&peer->ln->peer_lock);
	err = lapsmp_peer_set_del(peer, id);
	/* A peer is never without a path while flows may use it. */
	if (!err && !lapsmp_peer_set(peer)->n)
		err = lapsmp_peer_auto_paths(peer);
	mutex_unlock(&peer->ln->peer_lock);
	return err;
}

void lapsmp_peer_path_flush(struct lapsmp_peer *peer)
{
	mutex_lock(&peer->ln->peer_lock);
	if (!lapsmp_peer_set_del(peer, 0))
		lapsmp_peer_auto_paths(peer);
	WRITE_ONCE(peer->configured, false);
	mutex_unlock(&peer->ln->peer_lock);
}

/* --- lifetime ------------------------------------------------------------- */

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
	u64 rate;

	r = lapsmp_route_lookup(peer->ln, &key);
	if (IS_ERR(r))
		return PTR_ERR(r);
	peer->saddr = key.saddr;
	peer->mtu = lapsmp_route_mtu(r);
	rate = READ_ONCE(peer->ln->conf.line_rate);
	peer->line_rate = rate ?: lapsmp_route_rate(r) ?: LAPSMP_LINE_RATE;
	lapsmp_route_free(r);
	return 0;
}

static struct lapsmp_peer *lapsmp_peer_new(struct lapsmp_net *ln,
					   const struct lapsmp_peer_key *key)
{
	struct lapsmp_pathset *ps;
	struct lapsmp_peer *peer;
	int err = -ENOMEM;

	if (atomic_read(&ln->n_peers) >= LAPSMP_MAX_PEERS)
		return ERR_PTR(-ENOBUFS);
	peer = kzalloc(sizeof(*peer), GFP_KERNEL_ACCOUNT);
	ps = lapsmp_peer_set_alloc(0, 1);
	if (!peer || !ps)
		goto err_free;
	peer->key = *key;
	peer->ln = ln;
	peer->next_path_id = 1;
	peer->used_ns = lapsmp_clock_now();
	refcount_set(&peer->refs, 1);
	spin_lock_init(&peer->lock);
	err = lapsmp_peer_find_route(peer);
	if (err)
		goto err_free;
	RCU_INIT_POINTER(peer->paths, ps);
	lapsmp_net_hold(ln);
	err = lapsmp_peer_first_paths(peer);
	if (!err)
		err = rhashtable_insert_fast(&ln->peers, &peer->node,
					     lapsmp_peer_params);
	if (err) {
		lapsmp_peer_put(peer);
		return ERR_PTR(err);
	}
	peer->hashed = true;
	atomic_inc(&ln->n_peers);
	lapsmp_event_peer(peer, "added");
	return peer;

err_free:
	kfree(ps);
	kfree(peer);
	return ERR_PTR(err);
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
 * be gone by now. Its flows end by themselves; new ones get a new peer.
 */
static bool lapsmp_peer_is_stale(const struct lapsmp_peer *peer)
{
	return lapsmp_addr_any(&peer->key.laddr) && !READ_ONCE(peer->configured) &&
	       !lapsmp_route_is_local(peer->ln, &peer->saddr);
}

struct lapsmp_peer *lapsmp_peer_get(struct lapsmp_net *ln,
				    const struct lapsmp_peer_key *key)
{
	struct lapsmp_peer *peer = lapsmp_peer_find(ln, key);
	int err;

	if (peer && lapsmp_peer_is_stale(peer)) {
		lapsmp_peer_del(peer);
		lapsmp_peer_put(peer);
		peer = NULL;
	}
	if (peer)
		goto out;
	err = lapsmp_udp_open_service(ln);
	if (err)
		return ERR_PTR(err);
	mutex_lock(&ln->peer_lock);
	peer = lapsmp_peer_find(ln, key);
	if (!peer && ln->closing)
		peer = ERR_PTR(-ENETDOWN);
	if (!peer) {
		peer = lapsmp_peer_new(ln, key);
		if (!IS_ERR(peer))
			lapsmp_peer_hold(peer);
	}
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
