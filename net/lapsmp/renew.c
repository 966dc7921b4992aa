// SPDX-License-Identifier: GPL-2.0
/*
 * Automatic paths that stay down get another source port, which equal-cost routing
 * may send another way: what PLB and REPS do by repathing. Where all ports of a peer
 * happen to take links that are dead, nothing else would help.
 *
 * An administrator's paths are left as they are, and so are those that are cut: this
 * host knows why, and that another port would not help; and those from addresses that
 * never worked.
 *
 * A new port may be no better. Each round for a peer is twice as long after the one
 * before, until all of its paths are up: ids are not used twice in the life of a
 * flow, and there are only so many.
 */
#include "mib.h"
#include "pathset.h"
#include "renew.h"
#include "udp.h"

#define LAPSMP_RENEW_SHIFT_MAX	6
/*
 * Ports that all automatic paths of a namespace use, when others are tried; twice as
 * many as a peer has paths, if that is more.
 */
#define LAPSMP_RENEW_PORTS	64

/* --- which ------------------------------------------------------------------ */

static bool lapsmp_renew_is_hoped_for(const struct lapsmp_path *p)
{
	return p->automatic && (!p->away || READ_ONCE(p->up_ns));
}

/* It is down for so long for want of answers. */
static bool lapsmp_renew_is_bad(const struct lapsmp_path *p, u64 now_ns,
				u64 after_ns)
{
	/* What somebody has chosen of it would be lost. */
	bool ours = lapsmp_renew_is_hoped_for(p) && !READ_ONCE(p->conf_rate) &&
		    !READ_ONCE(p->conf_base_ns) && !READ_ONCE(p->conf_cost) &&
		    READ_ONCE(p->conf_weight) == 1;

	/* Pairs with lapsmp_path_event(). */
	if (!ours || smp_load_acquire(&p->state) != LAPSMP_PATH_DOWN ||
	    READ_ONCE(p->cut))
		return false;
	/* It was tried for so long: a flow that is idle does not probe. */
	return (s64)(now_ns - READ_ONCE(p->down_ns)) >= (s64)after_ns &&
	       (s64)(READ_ONCE(p->probe_ns) - READ_ONCE(p->down_ns)) >=
		       (s64)after_ns / 2;
}

/* An automatic path of it is not known to work. Under RCU. */
static bool lapsmp_renew_doubts(const struct lapsmp_pathset *ps)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (lapsmp_renew_is_hoped_for(ps->path[i]) &&
		    READ_ONCE(ps->path[i]->state) != LAPSMP_PATH_UP)
			return true;
	return false;
}

/* Under RCU. */
static bool lapsmp_renew_wanted(struct lapsmp_peer *peer, u64 now_ns, u64 after_ns)
{
	const struct lapsmp_pathset *ps = rcu_dereference(peer->paths);
	bool bad = false;
	int i;

	/* The table's own reference: nobody uses it, nor probes its paths. */
	if (refcount_read(&peer->refs) <= 1)
		return false;
	if (!lapsmp_renew_doubts(ps)) {
		peer->renew_shift = 0;
		return false;
	}
	if (peer->renewed_ns &&
	    now_ns - peer->renewed_ns < after_ns << peer->renew_shift)
		return false;
	for (i = 0; i < ps->n && !bad; i++)
		bad = lapsmp_renew_is_bad(ps->path[i], now_ns, after_ns);
	return bad;
}

/* --- by what ------------------------------------------------------------------ */

static bool lapsmp_renew_uses(const struct lapsmp_pathset *ps, __be16 sport)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (ps->path[i]->sport == sport)
			return true;
	return false;
}

/*
 * A path from a port that no path of the peer has, from the same address by the same
 * device. Return: 0, or an error: -EADDRINUSE if all ports are in use.
 */
static int lapsmp_renew_path(struct lapsmp_peer *peer,
			     const struct lapsmp_path *bad)
{
	unsigned int ports = max_t(u16, 2 * READ_ONCE(peer->ln->conf.auto_paths),
				   LAPSMP_RENEW_PORTS);
	struct lapsmp_path_spec spec = {
		.own = bad->own,
		.local = bad->saddr,
		.ifindex = bad->ifindex,
	};
	struct lapsmp_port *port;
	unsigned int tries;

	for (tries = 0; tries < ports; tries++) {
		spec.nth = peer->renew_nth++ % ports;
		port = lapsmp_udp_port_get(peer->ln, 0, spec.nth);
		if (IS_ERR(port))
			return PTR_ERR(port);
		if (!lapsmp_renew_uses(lapsmp_pathset_of(peer),
				       lapsmp_udp_port_number(port)))
			return lapsmp_pathset_renew(peer, bad, &spec);
	}
	return -EADDRINUSE;
}

static void lapsmp_renew_paths(struct lapsmp_peer *peer, u64 now_ns, u64 after_ns)
{
	struct lapsmp_pathset *ps;
	int i = 0;

	mutex_lock(&peer->ln->peer_lock);
	/* Each has the highest id yet, and comes behind what was looked at. */
	while (i < (ps = lapsmp_pathset_of(peer))->n) {
		if (!lapsmp_renew_is_bad(ps->path[i], now_ns, after_ns)) {
			i++;
			continue;
		}
		if (lapsmp_renew_path(peer, ps->path[i]))
			break;
		LAPSMP_INC(peer->ln, paths_renewed);
	}
	mutex_unlock(&peer->ln->peer_lock);
}

/* --- all ---------------------------------------------------------------------- */

static void lapsmp_renew_peer(struct lapsmp_peer *peer, u64 now_ns, u64 after_ns)
{
	lapsmp_renew_paths(peer, now_ns, after_ns);
	peer->renewed_ns = now_ns;
	if (peer->renew_shift < LAPSMP_RENEW_SHIFT_MAX)
		peer->renew_shift++;
}

void lapsmp_renew_run(struct lapsmp_net *ln, u64 now_ns)
{
	u64 after_ns = (u64)READ_ONCE(ln->conf.auto_renew_s) * NSEC_PER_SEC;
	struct rhashtable_iter it;
	struct lapsmp_peer *peer;

	if (!after_ns)
		return;
	rhashtable_walk_enter(&ln->peers, &it);
	rhashtable_walk_start(&it);
	while ((peer = rhashtable_walk_next(&it))) {
		if (IS_ERR(peer) ||
		    !lapsmp_renew_wanted(peer, now_ns, after_ns) ||
		    !refcount_inc_not_zero(&peer->refs))
			continue;
		rhashtable_walk_stop(&it);
		lapsmp_renew_peer(peer, now_ns, after_ns);
		lapsmp_peer_put(peer);
		rhashtable_walk_start(&it);
	}
	rhashtable_walk_stop(&it);
	rhashtable_walk_exit(&it);
}
