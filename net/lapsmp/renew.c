// SPDX-License-Identifier: GPL-2.0
/*
 * Automatic paths that stay down get another source port, which equal-cost routing
 * may send another way: what PLB and REPS do by repathing. Where all ports of a peer
 * happen to take links that are dead, nothing else would help.
 *
 * An administrator's paths are left as they are, and so are those that are cut: this
 * host knows why, and that another port would not help.
 *
 * A new port may be no better. Each round for a peer is twice as long after the one
 * before, until all of its paths are up: ids are not used twice in the life of a
 * flow, and there are only so many.
 */
#include "pathset.h"
#include "renew.h"

#define LAPSMP_RENEW_SHIFT_MAX	6

/* An automatic path of it is not known to work. Under RCU. */
static bool lapsmp_renew_doubts(const struct lapsmp_pathset *ps)
{
	int i;

	for (i = 0; i < ps->n; i++)
		if (lapsmp_pathset_is_hoped_for(ps->path[i]) &&
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
		bad = lapsmp_pathset_is_bad(ps->path[i], now_ns, after_ns);
	return bad;
}

static void lapsmp_renew_peer(struct lapsmp_peer *peer, u64 now_ns, u64 after_ns)
{
	lapsmp_pathset_renew(peer, now_ns, after_ns);
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
