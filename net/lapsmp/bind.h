/* SPDX-License-Identifier: GPL-2.0 */
/* Who listens where: sockets by local lapsmp port. */
#ifndef _LAPSMP_BIND_H
#define _LAPSMP_BIND_H

#include "sock.h"

/**
 * lapsmp_bind_get_port() - struct proto's get_port
 * @sk: locked
 * @snum: port, host order, or 0 for one of the namespace's local port range
 *
 * Conflicts are UDP's: same port, overlapping address, device and family, unless
 * all have SO_REUSEADDR, or SO_REUSEPORT and the same owner. Opens the
 * namespace's service port on first use (lapsmp_udp_open_service()).
 *
 * Context: process. Return: 0, or 1 if the port is taken (the core turns it
 * into -EADDRINUSE), or another errno.
 */
int lapsmp_bind_get_port(struct sock *sk, unsigned short snum);

/* Out of the table; the socket can no longer be found. sk locked or closing. */
void lapsmp_bind_unhash(struct sock *sk);

/**
 * lapsmp_bind_lookup() - the socket that a flow to a port is for
 * @ln: namespace
 * @laddr: address it was sent to
 * @lport: port it was sent to, network order
 * @raddr: address it came from
 * @rport: lapsmp port it came from
 * @dif: device index; in a VRF that of the VRF
 * @sdif: in a VRF, of the device in it that the packet came in by; else 0
 *
 * The best match wins as in UDP (connected before bound address before
 * wildcard; bound device); between SO_REUSEPORT equals the hash of the four
 * decides. Context: RCU. Return: the socket (no reference), or NULL.
 */
struct sock *lapsmp_bind_lookup(struct lapsmp_net *ln,
				const struct in6_addr *laddr, __be16 lport,
				const struct in6_addr *raddr, __be16 rport,
				int dif, int sdif);

void lapsmp_bind_net_init(struct lapsmp_net *ln);

#endif /* _LAPSMP_BIND_H */
