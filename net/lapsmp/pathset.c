// SPDX-License-Identifier: GPL-2.0
/*
 * The paths of a peer, as a set that is replaced as a whole. An administrator
 * chooses them, or there are as many automatic ones as the namespace says.
 */
#include <linux/slab.h>
#include "addr.h"
#include "autoaddr.h"
#include "event.h"
#include "pathplan.h"
#include "pathset.h"

/* The first id of an automatic path. */
#define LAPSMP_PATH_ID_AUTO	0x8000
/*
 * Of an administrator, beside 256 that are automatic. Some looks compare each path with each, with
 * softirqs off: an interface that went down stopped a CPU for 12 s with 2000 of them.
 */
#define LAPSMP_PATHSET_MAX	512

/* An empty one with room for @room. */
static struct lapsmp_pathset *lapsmp_pathset_alloc(u32 room, u32 gen)
{
	struct lapsmp_pathset *ps;

	ps = kzalloc(struct_size(ps, path, room), GFP_KERNEL_ACCOUNT);
	if (ps)
		ps->gen = gen;
	return ps;
}

/* Let go of its paths, too. */
static void lapsmp_pathset_free_now(struct lapsmp_pathset *ps)
{
	int i;

	for (i = 0; i < ps->n; i++)
		lapsmp_path_put(ps->path[i]);
	kfree(ps);
}

static void lapsmp_pathset_free_rcu(struct rcu_head *rcu)
{
	lapsmp_pathset_free_now(container_of(rcu, struct lapsmp_pathset, rcu));
}

/* Of a set that nobody else sees yet. */
static void lapsmp_pathset_append(struct lapsmp_pathset *ps,
				  struct lapsmp_path *p)
{
	lapsmp_path_hold(p);
	ps->path[ps->n++] = p;
}

static bool lapsmp_pathset_holds(const struct lapsmp_pathset *ps,
				 const struct lapsmp_path *p)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (ps->path[i] == p)
			return true;
	return false;
}

/* What is not in the new set ends. */
static void lapsmp_pathset_replace(struct lapsmp_peer *peer,
				   struct lapsmp_pathset *new, const char *why)
{
	struct lapsmp_pathset *old = lapsmp_pathset_of(peer);
	struct lapsmp_path *p;
	int i;

	rcu_assign_pointer(peer->paths, new);
	spin_lock_bh(&peer->lock);
	lapsmp_pathplan_compare_costs(peer, new);
	lapsmp_pathplan_compare_rates(peer, new);
	spin_unlock_bh(&peer->lock);
	for (i = 0; i < old->n; i++) {
		p = old->path[i];
		if (lapsmp_pathset_holds(new, p))
			continue;
		WRITE_ONCE(p->dead, true);
		lapsmp_event_path(peer, p, p->state, LAPSMP_PATH_DOWN, why);
	}
	/*
	 * Flows take references to what they find in a set under RCU, so the old one
	 * keeps its own for as long. A peer that is being made has no flows yet.
	 */
	if (peer->hashed)
		call_rcu(&old->rcu, lapsmp_pathset_free_rcu);
	else
		lapsmp_pathset_free_now(old);
}

static bool lapsmp_pathset_id_taken(const struct lapsmp_pathset *ps, u16 id)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (ps->path[i]->id == id)
			return true;
	return false;
}

/* Of an administrator, and flows can begin there. */
static bool lapsmp_pathset_is_home(const struct lapsmp_path *p)
{
	return !p->automatic && !p->away;
}

static bool lapsmp_pathset_has_home(const struct lapsmp_pathset *ps)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (lapsmp_pathset_is_home(ps->path[i]))
			return true;
	return false;
}

static bool lapsmp_pathset_is_full(const struct lapsmp_pathset *ps)
{
	int i, n = 0;

	for (i = 0; i < ps->n; i++)
		n += !ps->path[i]->automatic;
	return n >= LAPSMP_PATHSET_MAX;
}

static bool lapsmp_pathset_can_open(const struct lapsmp_pathset *ps)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (!ps->path[i]->away)
			return true;
	return false;
}

/*
 * The set with one path more, and without @bad if there is such a one, which it takes
 * the place of. With the first of an administrator that flows can begin on, the
 * automatic ones go.
 */
static int lapsmp_pathset_put_in(struct lapsmp_peer *peer, struct lapsmp_path *p,
				 const struct lapsmp_path *bad)
{
	struct lapsmp_pathset *old = lapsmp_pathset_of(peer), *new;
	bool drop_automatic, placed = false;
	int i;

	drop_automatic = !p->automatic &&
			 (!p->away || lapsmp_pathset_has_home(old));

	new = lapsmp_pathset_alloc(old->n + 1, old->gen + 1);
	if (!new)
		return -ENOMEM;
	for (i = 0; i < old->n; i++) {
		if ((drop_automatic && old->path[i]->automatic) ||
		    old->path[i] == bad)
			continue;
		if (!placed && old->path[i]->id > p->id) {
			lapsmp_pathset_append(new, p);
			placed = true;
		}
		lapsmp_pathset_append(new, old->path[i]);
	}
	if (!placed)
		lapsmp_pathset_append(new, p);
	lapsmp_pathset_replace(peer, new, bad ? "replaced" : "removed");
	return 0;
}

/* No flow has the peer: only the table and the caller. */
static bool lapsmp_pathset_is_unused(const struct lapsmp_peer *peer)
{
	return refcount_read(&peer->refs) <= 2;
}

/*
 * A flow must not meet an id again: its sequences begin anew, and for those that
 * the receiver has of the path that had it before this one would be deaf.
 */
static bool lapsmp_pathset_id_known(struct lapsmp_peer *peer, u16 id)
{
	return xa_load(&peer->used_ids, id) && !lapsmp_pathset_is_unused(peer);
}

/* Can a new path have this id? Return: 0, -EEXIST or -EBUSY. */
static int lapsmp_pathset_check_id(struct lapsmp_peer *peer, u16 id)
{
	if (lapsmp_pathset_id_taken(lapsmp_pathset_of(peer), id))
		return -EEXIST;
	return lapsmp_pathset_id_known(peer, id) ? -EBUSY : 0;
}

/*
 * Ids rise, so that a late ACK of a path that is gone names no other one.
 * Automatic ones begin where an administrator's will not come soon: what he was
 * told, or has saved, is not taken by a path that was made meanwhile.
 */
static int lapsmp_pathset_new_id(struct lapsmp_peer *peer, bool automatic)
{
	u16 *next = automatic ? &peer->next_auto_id : &peer->next_path_id;
	u32 tries;

	/* Once around, and past 0. */
	for (tries = 0; tries <= U16_MAX; tries++) {
		u16 id = (*next)++;

		if (id && !lapsmp_pathset_check_id(peer, id))
			return id;
	}
	return -ENOSPC;
}

/* Automatic ones do not count: this one takes their place. */
static bool lapsmp_pathset_has(const struct lapsmp_pathset *ps,
			       const struct lapsmp_path *p)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (!ps->path[i]->automatic && lapsmp_pathnew_same(ps->path[i], p))
			return true;
	return false;
}

/* Give it this id, or a new one if that is 0. Return: the id, or an error. */
static int lapsmp_pathset_name(struct lapsmp_peer *peer, struct lapsmp_path *p,
			       int id)
{
	int err;

	if (!id)
		id = lapsmp_pathset_new_id(peer, p->automatic);
	if (id < 0)
		return id;
	err = xa_err(xa_store(&peer->used_ids, id, xa_mk_value(1),
			      GFP_KERNEL_ACCOUNT));
	if (err)
		return err;
	p->id = id;
	return id;
}

/* An automatic one may take the place of @bad. */
static int __lapsmp_pathset_add(struct lapsmp_peer *peer,
				const struct lapsmp_path_spec *spec,
				bool automatic, const struct lapsmp_path *bad)
{
	/* Before a port is opened for it. */
	int id, err = spec->id ? lapsmp_pathset_check_id(peer, spec->id) : 0;
	struct lapsmp_path *p;

	if (err)
		return err;
	if (!automatic && lapsmp_pathset_is_full(lapsmp_pathset_of(peer)))
		return -EMLINK;
	p = lapsmp_pathnew(peer, spec);
	if (IS_ERR(p))
		return PTR_ERR(p);
	p->automatic = automatic;
	/* What is known of its address. */
	if (bad)
		p->up_ns = READ_ONCE(bad->up_ns);
	if (!automatic && lapsmp_pathset_has(lapsmp_pathset_of(peer), p))
		id = -EEXIST;
	else
		id = lapsmp_pathset_name(peer, p, spec->id);
	err = id < 0 ? id : lapsmp_pathset_put_in(peer, p, bad);
	if (!err)
		lapsmp_event_path(peer, p, LAPSMP_PATH_UNKNOWN,
				  LAPSMP_PATH_UNKNOWN, "added");
	/* The set has its own reference now, if there is one. */
	lapsmp_path_put(p);
	return err ?: id;
}

int lapsmp_pathset_add(struct lapsmp_peer *peer,
		       const struct lapsmp_path_spec *spec)
{
	int err;

	mutex_lock(&peer->ln->peer_lock);
	err = __lapsmp_pathset_add(peer, spec, false, NULL);
	if (err > 0)
		WRITE_ONCE(peer->configured, true);
	mutex_unlock(&peer->ln->peer_lock);
	return err;
}

/* From each of our addresses by each port, up to the limit of a peer. */
static int lapsmp_pathset_add_automatic(struct lapsmp_peer *peer)
{
	unsigned int ports = max_t(u16, READ_ONCE(peer->ln->conf.auto_paths), 1);
	unsigned int most = READ_ONCE(peer->ln->conf.auto_max), n, i, made = 0;
	struct lapsmp_autoaddr addrs[LAPSMP_AUTOADDR_MAX];
	int err = 0;

	n = lapsmp_autoaddr_list(peer, addrs);
	for (i = 0; i < n * ports && made < most && err >= 0; i++) {
		const struct lapsmp_autoaddr *a = &addrs[i % n];
		const struct lapsmp_path_spec spec = {
			.nth = i / n,
			.own = a->own,
			.local = a->addr,
			.ifindex = a->ifindex,
		};

		err = __lapsmp_pathset_add(peer, &spec, true, NULL);
		if (err >= 0)
			made++;
	}
	/* Fewer than asked for are no reason to refuse a send. */
	return made ? 0 : min(err, 0);
}

int lapsmp_pathset_copy(struct lapsmp_peer *peer,
			const struct lapsmp_peer *model)
{
	const struct lapsmp_pathset *from = lapsmp_pathset_of(model);
	struct lapsmp_path_spec spec;
	const struct lapsmp_path *p;
	struct lapsmp_path *copy;
	int err = 0, i;

	for (i = 0; i < from->n; i++) {
		p = from->path[i];
		if (p->automatic)
			continue;
		/* A program that is bound to a device wants no other. */
		if (p->own && peer->key.ifindex != model->key.ifindex &&
		    peer->key.ifindex != p->ifindex)
			continue;
		spec = (struct lapsmp_path_spec){
			.id = p->id,
			.sport = p->own_sport ? p->sport : 0,
			.flowlabel = p->flowlabel,
			.segs = p->segs,
			.own = p->own,
			.local = p->saddr,
			.remote = p->daddr,
			.ifindex = p->ifindex,
		};
		err = __lapsmp_pathset_add(peer, &spec, false, NULL);
		/* From here they may look the same. */
		if (err == -EEXIST)
			continue;
		if (err < 0)
			break;
		copy = lapsmp_pathset_of(peer)->path[lapsmp_pathset_of(peer)->n - 1];
		spin_lock_bh(&peer->lock);
		lapsmp_path_configure_rate(copy, READ_ONCE(p->conf_rate));
		WRITE_ONCE(copy->conf_base_ns, READ_ONCE(p->conf_base_ns));
		WRITE_ONCE(copy->conf_weight, READ_ONCE(p->conf_weight));
		WRITE_ONCE(copy->conf_cost, READ_ONCE(p->conf_cost));
		WRITE_ONCE(copy->base_ns, copy->conf_base_ns);
		lapsmp_pathplan_compare_costs(peer, lapsmp_pathset_of(peer));
		spin_unlock_bh(&peer->lock);
	}
	return err == -EEXIST ? 0 : min(err, 0);
}

int lapsmp_pathset_fill(struct lapsmp_peer *peer)
{
	return lapsmp_pathset_has_home(lapsmp_pathset_of(peer)) ?
	       0 : lapsmp_pathset_add_automatic(peer);
}

/* Return: 0 or -ENOMEM. */
static int lapsmp_pathset_keep(struct lapsmp_peer *peer,
			       bool (*keep)(const struct lapsmp_path *p, u16 id),
			       u16 id)
{
	struct lapsmp_pathset *old = lapsmp_pathset_of(peer), *new;
	int i;

	new = lapsmp_pathset_alloc(old->n, old->gen + 1);
	if (!new)
		return -ENOMEM;
	for (i = 0; i < old->n; i++)
		if (keep(old->path[i], id))
			lapsmp_pathset_append(new, old->path[i]);
	lapsmp_pathset_replace(peer, new, "removed");
	return 0;
}

static bool lapsmp_pathset_is_other(const struct lapsmp_path *p, u16 id)
{
	return p->id != id;
}

static bool lapsmp_pathset_is_set(const struct lapsmp_path *p, u16 id)
{
	return !p->automatic;
}

static bool lapsmp_pathset_is_none(const struct lapsmp_path *p, u16 id)
{
	return false;
}

/* All automatic ones anew, whichever are left. Return: 0 or an error. */
static int lapsmp_pathset_refill(struct lapsmp_peer *peer)
{
	return lapsmp_pathset_keep(peer, lapsmp_pathset_is_set, 0) ?:
	       lapsmp_pathset_add_automatic(peer);
}

int lapsmp_pathset_del(struct lapsmp_peer *peer, u16 id)
{
	int err = -ENOENT;

	mutex_lock(&peer->ln->peer_lock);
	if (lapsmp_pathset_id_taken(lapsmp_pathset_of(peer), id))
		err = lapsmp_pathset_keep(peer, lapsmp_pathset_is_other, id);
	/* A peer is never without a path that flows can begin on. */
	if (!err && !lapsmp_pathset_can_open(lapsmp_pathset_of(peer)))
		err = lapsmp_pathset_refill(peer);
	mutex_unlock(&peer->ln->peer_lock);
	return err;
}

void lapsmp_pathset_flush(struct lapsmp_peer *peer)
{
	bool more;

	mutex_lock(&peer->ln->peer_lock);
	if (!lapsmp_pathset_keep(peer, lapsmp_pathset_is_none, 0))
		lapsmp_pathset_add_automatic(peer);
	more = peer->sched || peer->cc || rcu_access_pointer(peer->answers);
	WRITE_ONCE(peer->configured, more);
	mutex_unlock(&peer->ln->peer_lock);
}

int lapsmp_pathset_renew(struct lapsmp_peer *peer, const struct lapsmp_path *bad,
			 const struct lapsmp_path_spec *spec)
{
	return min(__lapsmp_pathset_add(peer, spec, true, bad), 0);
}

int lapsmp_pathset_init(struct lapsmp_peer *peer)
{
	struct lapsmp_pathset *ps = lapsmp_pathset_alloc(0, 1);

	peer->next_path_id = 1;
	peer->next_auto_id = LAPSMP_PATH_ID_AUTO;
	xa_init(&peer->used_ids);
	RCU_INIT_POINTER(peer->paths, ps);
	return ps ? 0 : -ENOMEM;
}

void lapsmp_pathset_free(struct lapsmp_peer *peer)
{
	struct lapsmp_pathset *ps = rcu_dereference_protected(peer->paths, true);

	call_rcu(&ps->rcu, lapsmp_pathset_free_rcu);
	xa_destroy(&peer->used_ids);
}
