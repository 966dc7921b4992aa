// SPDX-License-Identifier: GPL-2.0
/*
 * The route that a path takes now, and whether it can be used from here at all.
 *
 * A route that was looked up is kept until the kernel says that it may be another.
 * It does so for most changes of addresses, routes and rules. It does not say that
 * the device has no carrier, nor always, for IPv6, that an address is gone: the
 * carrier is looked at with each packet, the address when watch.c hears of changes.
 */
#include "pathroute.h"

void lapsmp_pathroute_key(const struct lapsmp_peer *peer,
			  const struct lapsmp_path *p, struct lapsmp_route_key *k)
{
	*k = (struct lapsmp_route_key){
		.saddr = p->saddr,
		.daddr = p->daddr,
		.sport = p->sport,
		.dport = peer->key.rport,
		.flowlabel = p->flowlabel,
		.segs = p->segs,
		.ifindex = p->ifindex,
		.strict = p->own & LAPSMP_PATH_OWN_DEV,
		.mark = peer->key.mark,
		.tos = peer->key.tos,
	};
}

/*
 * What we are known by may be lost. One that was never ours is not looked for, if a
 * program has asked for it.
 */
static bool lapsmp_pathroute_has_addr(const struct lapsmp_peer *peer,
				      const struct lapsmp_path *p)
{
	return (peer->saddr_foreign && ipv6_addr_equal(&p->saddr, &peer->saddr)) ||
	       lapsmp_route_is_local(peer->ln, &p->saddr, p->ifindex);
}

/* Paths are shared by flows on other CPUs: the newest lookup wins. */
static struct lapsmp_route *lapsmp_pathroute_new(struct lapsmp_peer *peer,
						 struct lapsmp_path *p,
						 const char **why)
{
	struct lapsmp_route *r, *old;
	struct lapsmp_route_key k;

	*why = "no address";
	if (!lapsmp_pathroute_has_addr(peer, p))
		return NULL;
	*why = "no route";
	lapsmp_pathroute_key(peer, p, &k);
	r = lapsmp_route_lookup(peer->ln, &k);
	if (IS_ERR(r))
		return NULL;
	spin_lock(&peer->lock);
	old = rcu_replace_pointer(p->route, r, lockdep_is_held(&peer->lock));
	spin_unlock(&peer->lock);
	lapsmp_route_free(old);
	return r;
}

struct lapsmp_route *lapsmp_pathroute_get(struct lapsmp_peer *peer,
					  struct lapsmp_path *p, u64 now_ns)
{
	struct lapsmp_route *r = rcu_dereference_bh(p->route);
	const char *why;

	if (likely(lapsmp_route_valid(r) && lapsmp_route_has_carrier(r) &&
		   !READ_ONCE(p->cut)))
		return r;
	/* The kernel may know another one, and not say that this one is obsolete. */
	r = lapsmp_pathroute_new(peer, p, &why);
	if (r && !lapsmp_route_has_carrier(r)) {
		why = "no carrier";
		r = NULL;
	}
	if (!r)
		lapsmp_path_on_cut(peer, p, why, now_ns);
	else if (READ_ONCE(p->cut))
		lapsmp_path_on_back(peer, p, now_ns);
	return r;
}

void lapsmp_pathroute_look(struct lapsmp_peer *peer, struct lapsmp_path *p,
			   u64 now_ns)
{
	const char *why;

	/* One that was not used yet is not known to have had a route. */
	if (!rcu_access_pointer(p->route) && !READ_ONCE(p->cut))
		return;
	/* That an address is gone need not be seen in a route. */
	if (!lapsmp_pathroute_has_addr(peer, p))
		lapsmp_path_on_cut(peer, p, "no address", now_ns);
	/* Nor that of the outer packets, nor that the inner ones are forbidden. */
	else if (p->encap && !lapsmp_pathroute_new(peer, p, &why))
		lapsmp_path_on_cut(peer, p, why, now_ns);
	else
		lapsmp_pathroute_get(peer, p, now_ns);
}
