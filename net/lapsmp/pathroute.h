/* SPDX-License-Identifier: GPL-2.0 */
/* The route that a path takes now, and whether it can be used from here at all. */
#ifndef _LAPSMP_PATHROUTE_H
#define _LAPSMP_PATHROUTE_H

#include "peer.h"
#include "route.h"

/* Everything that chooses the route of @p. */
void lapsmp_pathroute_key(const struct lapsmp_peer *peer,
			  const struct lapsmp_path *p, struct lapsmp_route_key *k);

/**
 * lapsmp_pathroute_get() - the route of a path
 * @peer: whose path it is
 * @p: the path
 * @now_ns: monotonic
 *
 * Without one, or if its device is down or has no carrier, or if the address that
 * it comes from is gone, the path is cut; with one again, it is back.
 *
 * Context: softirqs off. Return: the route, valid until they are on; or NULL.
 */
struct lapsmp_route *lapsmp_pathroute_get(struct lapsmp_peer *peer,
					  struct lapsmp_path *p, u64 now_ns);

/* The same of a path that was used, where something of this host has changed. */
void lapsmp_pathroute_look(struct lapsmp_peer *peer, struct lapsmp_path *p,
			   u64 now_ns);

#endif /* _LAPSMP_PATHROUTE_H */
