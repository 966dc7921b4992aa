/* SPDX-License-Identifier: GPL-2.0 */
/* Where a message goes: the call's address and control messages, the socket's. */
#ifndef _LAPSMP_DEST_H
#define _LAPSMP_DEST_H

#include "peer.h"
#include "saddr.h"
#include "sock.h"

int lapsmp_dest_from_msg(struct sock *sk, struct msghdr *msg,
			 struct lapsmp_peer_key *key, __be16 *dport);
int lapsmp_dest_route(struct sock *sk, const struct lapsmp_saddr *to,
		      const struct in6_addr *laddr, struct in6_addr *saddr);
int lapsmp_dest_reachable(struct lapsmp_net *ln,
			  const struct lapsmp_peer_key *key);

#endif /* _LAPSMP_DEST_H */
