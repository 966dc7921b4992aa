/* SPDX-License-Identifier: GPL-2.0 */
/* The addresses of this host that automatic paths of a peer come from. */
#ifndef _LAPSMP_AUTOADDR_H
#define _LAPSMP_AUTOADDR_H

#include "peer.h"

#define LAPSMP_AUTOADDR_MAX	8

/**
 * struct lapsmp_autoaddr - one of them
 * @addr: address
 * @ifindex: its device
 * @own: LAPSMP_PATH_OWN_* of its paths; 0 is the peer's own address
 */
struct lapsmp_autoaddr {
	struct in6_addr	addr;
	int		ifindex;
	u8		own;
};

/**
 * lapsmp_autoaddr_list() - from where a peer can be reached
 * @peer: being made, or ln->peer_lock held
 * @list: room for LAPSMP_AUTOADDR_MAX
 *
 * The one that it is spoken to from is the first. If the namespace asks for it
 * (conf.auto_addrs) others follow: of the same family and VRF, of global scope, on
 * devices that are up and that have a route to the peer.
 *
 * Context: process. Return: how many, at least 1.
 */
unsigned int lapsmp_autoaddr_list(const struct lapsmp_peer *peer,
				  struct lapsmp_autoaddr *list);

#endif /* _LAPSMP_AUTOADDR_H */
