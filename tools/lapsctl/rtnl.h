/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel's routing knows of this namespace, as far as lapsctl asks. */
#ifndef LAPSCTL_RTNL_H
#define LAPSCTL_RTNL_H

#include <stdbool.h>
#include <stdint.h>
#include <net/if.h>
#include <netinet/in.h>

/**
 * struct rtnl_key - a packet that a route is asked for
 * @to: where to; an IPv4 address in its v4-mapped form
 * @from: from where, or NULL
 * @ifindex: device or VRF that the socket is bound to, or 0
 * @exact: there must be a route that names it: without one the kernel takes IPv4
 *	destinations for its neighbours there
 * @mark: of the socket
 * @tos: of the packet
 * @sport: UDP ports in host order; both or none
 * @dport: likewise
 */
struct rtnl_key {
	const struct in6_addr *to;
	const struct in6_addr *from;
	uint32_t ifindex;
	bool exact;
	uint32_t mark;
	uint8_t tos;
	uint16_t sport;
	uint16_t dport;
};

/**
 * struct rtnl_route - what was answered
 * @ifindex: device that it leaves by
 * @local: the address is this host's own
 */
struct rtnl_route {
	uint32_t ifindex;
	bool local;
};

/* Ask for a route. Return: 0, a negative errno of the kernel: there is none. */
int rtnl_route(const struct rtnl_key *key, struct rtnl_route *route);

/**
 * struct rtnl_tables - what is in the routing tables
 * @multipath4: there is an IPv4 route with several next hops
 * @multipath6: the same for IPv6
 * @seg6local: there is a route of that type: it takes packets by segments
 * @seg6end: one that sends them on (End, End.X, End.T): a node of the way
 */
struct rtnl_tables {
	bool multipath4;
	bool multipath6;
	bool seg6local;
	bool seg6end;
};

/* Look through all routes. Return: 0, EXIT_KERNEL after a complaint. */
int rtnl_tables(struct rtnl_tables *tables);

/**
 * struct rtnl_link - a device
 * @name: of it
 * @mtu: of it
 * @vrf: it is a VRF, or belongs to one
 */
struct rtnl_link {
	char name[IF_NAMESIZE];
	uint32_t mtu;
	bool vrf;
};

/* Ask for a device. Return: 0, a negative errno. */
int rtnl_link(uint32_t ifindex, struct rtnl_link *link);

void rtnl_close(void);

#endif /* LAPSCTL_RTNL_H */
