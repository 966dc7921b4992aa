/* SPDX-License-Identifier: GPL-2.0 */
/* Paths as they are asked for, and as they become: how one looks on the wire. */
#ifndef _LAPSMP_PATHNEW_H
#define _LAPSMP_PATHNEW_H

#include "peer.h"

/**
 * struct lapsmp_path_spec - the path that is wanted
 * @id: its id, or 0: the next free one
 * @sport: source port, network order, or 0: one of ours, that all paths in the
 *	namespace share that name none
 * @nth: of these, the nth from 0 on
 * @flowlabel: IPv6 flow label, 20 bits, host order, or 0: none; of IPv6 peers only
 * @segs: nodes to go by (SRv6), or NULL; copied. Of an IPv4 peer the last one has to
 *	take the packets of IPv4 out (End.DT4, End.DX4).
 * @own: LAPSMP_PATH_OWN_*, what is given of the following
 * @local: source address. Without LAPSMP_PATH_OWN_LOCAL that which a path has if the
 *	route cannot choose one, or unspecified
 * @remote: destination
 * @ifindex: device to leave by
 */
struct lapsmp_path_spec {
	u16	id;
	__be16	sport;
	unsigned int nth;
	u32	flowlabel;
	const struct lapsmp_segs *segs;
	u8	own;
	struct in6_addr local;
	struct in6_addr remote;
	int	ifindex;
};

/**
 * lapsmp_pathnew() - make a path, which has no id yet
 * @peer: whose it will be
 * @spec: what is wanted
 *
 * Context: process, may sleep; ln->peer_lock held.
 * Return: the path, or ERR_PTR: -ENOMEM, -EADDRINUSE (the port is taken by another
 * program), -ENETUNREACH or another error of the route that had to choose its source.
 */
struct lapsmp_path *lapsmp_pathnew(const struct lapsmp_peer *peer,
				   const struct lapsmp_path_spec *spec);

/* Do packets of both look the same, but for what was drawn? */
bool lapsmp_pathnew_same(const struct lapsmp_path *a, const struct lapsmp_path *b);

#endif /* _LAPSMP_PATHNEW_H */
