/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routes: looked up per path with its UDP ports, flow label and first segment, as
 * ECMP sees it.
 */
#ifndef _LAPSMP_ROUTE_H
#define _LAPSMP_ROUTE_H

#include <linux/hash.h>
#include <net/dst.h>
#include <net/inet_ecn.h>
#include "addr.h"
#include "netns.h"
#include "path.h"

/**
 * struct lapsmp_route_key - everything that chooses a route
 * @saddr: source; if unspecified the lookup fills it in, but not for IPv4 by @segs
 * @daddr: destination
 * @sport: UDP ports, network order
 * @dport: likewise
 * @flowlabel: IPv6 flow label, host order; ignored for IPv4
 * @segs: nodes to go by, or NULL; the route is that of IPv6 to the first
 * @ifindex: output device or VRF, or 0
 * @strict: nothing but @ifindex will do, and only if a route says so
 * @mark: firewall mark
 * @tos: DSCP and ECN byte
 */
struct lapsmp_route_key {
	struct in6_addr	saddr;
	struct in6_addr	daddr;
	__be16		sport;
	__be16		dport;
	u32		flowlabel;
	const struct lapsmp_segs *segs;
	int		ifindex;
	bool		strict;
	u32		mark;
	u8		tos;
};

/*
 * The flow label of what packets of IPv4 are put into: by their ports, which only
 * routers that look inside can see.
 */
static inline u32 lapsmp_route_encap_label(const struct lapsmp_route_key *key)
{
	return hash_32((__force u32)key->sport << 16 | (__force u32)key->dport, 20);
}

/*
 * Its traffic class: no ECN, which who takes the packet out would not copy, so that
 * a mark there would be lost (RFC 6040 section 4.3).
 */
static inline u8 lapsmp_route_encap_tos(const struct lapsmp_route_key *key)
{
	return key->tos & ~INET_ECN_MASK;
}

/**
 * lapsmp_route_lookup() - find a route
 *
 * Context: any, GFP_ATOMIC. Return: a route of the caller's, or ERR_PTR.
 */
struct lapsmp_route *lapsmp_route_lookup(struct lapsmp_net *ln,
					 struct lapsmp_route_key *key);

/* Frees it after a grace period; NULL is fine. */
void lapsmp_route_free(struct lapsmp_route *r);

static inline bool lapsmp_route_valid(const struct lapsmp_route *r)
{
	return r && dst_check(r->dst, r->cookie);
}

/* Its device is up and has a carrier, as far as it can tell. */
static inline bool lapsmp_route_has_carrier(const struct lapsmp_route *r)
{
	const struct net_device *dev = READ_ONCE(r->dst->dev);

	return netif_running(dev) && netif_carrier_ok(dev);
}

/* What is sent there does not leave this host. */
static inline bool lapsmp_route_is_loopback(const struct lapsmp_route *r)
{
	return READ_ONCE(r->dst->dev)->flags & IFF_LOOPBACK;
}

/*
 * By which device an answer to @skb, which came from @raddr, has to leave: a
 * link-local address is one of the device that it came in by, any other one of
 * that device's VRF. 0 if it is in none. Context: RCU.
 */
int lapsmp_route_back(struct lapsmp_net *ln, const struct sk_buff *skb,
		      const struct in6_addr *raddr);

/*
 * Is it an address of this host, or of the VRF that @ifindex is or belongs to?
 * Context: any.
 */
bool lapsmp_route_is_local(struct lapsmp_net *ln, const struct in6_addr *addr,
			   int ifindex);

/* Largest IP packet that leaves by it, as the device and the route say. */
u32 lapsmp_route_mtu(const struct lapsmp_route *r);

/* Rate of the device, or what the namespace says that it is, bytes/s. Process. */
u64 lapsmp_route_line_rate(const struct lapsmp_net *ln, const struct lapsmp_route *r);

/* Index of the device that it leaves by. */
static inline int lapsmp_route_dev(const struct lapsmp_route *r)
{
	int ifindex;

	rcu_read_lock();
	ifindex = READ_ONCE(r->dst->dev)->ifindex;
	rcu_read_unlock();
	return ifindex;
}

#endif /* _LAPSMP_ROUTE_H */
