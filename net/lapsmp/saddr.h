/* SPDX-License-Identifier: GPL-2.0 */
/* Between programs' socket addresses, a socket's own fields and in6_addr. */
#ifndef _LAPSMP_SADDR_H
#define _LAPSMP_SADDR_H

#include "sock.h"

/**
 * struct lapsmp_saddr - a destination as a program named it
 * @addr: address, IPv4 in its mapped form
 * @port: lapsmp port, network order; may be 0
 * @ifindex: scope of a link-local address, or 0
 */
struct lapsmp_saddr {
	struct in6_addr	addr;
	__be16		port;
	int		ifindex;
};

int lapsmp_saddr_parse(const struct sock *sk, const struct sockaddr *sa,
		       int len, struct lapsmp_saddr *to);
void lapsmp_saddr_self(const struct sock *sk, struct lapsmp_saddr *to);
bool lapsmp_saddr_peer(const struct sock *sk, struct in6_addr *addr,
		       __be16 *port);
void lapsmp_saddr_local(const struct sock *sk, struct in6_addr *addr);
int lapsmp_saddr_put(const struct sock *sk, void *name,
		     const struct in6_addr *addr, __be16 port, int ifindex);
u8 lapsmp_saddr_tos(const struct sock *sk, bool v4);

#endif /* _LAPSMP_SADDR_H */
