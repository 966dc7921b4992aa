/* SPDX-License-Identifier: GPL-2.0 */
/* The paths of a peer: an administrator's, or automatic ones. */
#ifndef _LAPSMP_PATHSET_H
#define _LAPSMP_PATHSET_H

#include "pathnew.h"

/**
 * lapsmp_pathset_add() - add a path that an administrator wants
 * @peer: to this peer; from then on it does not expire
 * @spec: port, flow label, segments, or several of them
 *
 * The first with the peer's own addresses replaces the automatic ones. If a destination
 * or a device is given, but no source address, the route chooses one, once and for all.
 *
 * Context: process, may sleep; takes ln->peer_lock.
 * Return: the id, or -EEXIST (id, or one that looks the same, is there), -ENOMEM,
 * -EADDRINUSE (the port is taken by another program), -EBUSY (flows may remember
 * another path of this id), -ENOSPC (no id is free), -EMLINK (it has 512), -ENETUNREACH,
 * -EHOSTUNREACH or another error of the route that had to choose.
 */
int lapsmp_pathset_add(struct lapsmp_peer *peer,
		       const struct lapsmp_path_spec *spec);

/* Remove one. Return: 0, or -ENOENT. Context: process; takes ln->peer_lock. */
int lapsmp_pathset_del(struct lapsmp_peer *peer, u16 id);

/* Remove all; automatic ones come back at the next use. Same context. */
void lapsmp_pathset_flush(struct lapsmp_peer *peer);

/* The set as it is now. Context: ln->peer_lock held. */
static inline struct lapsmp_pathset *
lapsmp_pathset_of(const struct lapsmp_peer *peer)
{
	return rcu_dereference_protected(peer->paths,
					 lockdep_is_held(&peer->ln->peer_lock));
}

/*
 * Put an automatic path in the place of another one, @bad, of the same addresses.
 * Context: process; ln->peer_lock held. Return: 0 or an error.
 */
int lapsmp_pathset_renew(struct lapsmp_peer *peer, const struct lapsmp_path *bad,
			 const struct lapsmp_path_spec *spec);

/* --- for peer.c: of a peer that is being made, or has no reference left ------ */

/* An empty set. Return: 0 or -ENOMEM. */
int lapsmp_pathset_init(struct lapsmp_peer *peer);

/* What was configured for @model; ln->peer_lock held. Return: 0 or an error. */
int lapsmp_pathset_copy(struct lapsmp_peer *peer,
			const struct lapsmp_peer *model);

/* The automatic ones, if there are no others; ln->peer_lock held. */
int lapsmp_pathset_fill(struct lapsmp_peer *peer);

void lapsmp_pathset_free(struct lapsmp_peer *peer);

#endif /* _LAPSMP_PATHSET_H */
