/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses, and what else routers choose by. Inside lapsmp every address is a
 * struct in6_addr, IPv4 ones in their v4-mapped form, so that tables and
 * comparisons have one shape.
 */
#ifndef _LAPSMP_ADDR_H
#define _LAPSMP_ADDR_H

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/ipv6.h>

static inline bool lapsmp_addr_is_v4(const struct in6_addr *a)
{
	return ipv6_addr_v4mapped(a);
}

static inline __be32 lapsmp_addr_v4(const struct in6_addr *a)
{
	return a->s6_addr32[3];
}

static inline void lapsmp_addr_set_v4(struct in6_addr *a, __be32 v4)
{
	ipv6_addr_set_v4mapped(v4, a);
}

/* Unspecified in its own family: 0.0.0.0 or ::. */
static inline bool lapsmp_addr_any(const struct in6_addr *a)
{
	return lapsmp_addr_is_v4(a) ? !lapsmp_addr_v4(a) : ipv6_addr_any(a);
}

/* Source and destination of a received packet. */
static inline void lapsmp_addr_from_skb(const struct sk_buff *skb,
					struct in6_addr *src,
					struct in6_addr *dst)
{
	if (skb->protocol == htons(ETH_P_IPV6)) {
		*src = ipv6_hdr(skb)->saddr;
		*dst = ipv6_hdr(skb)->daddr;
	} else {
		lapsmp_addr_set_v4(src, ip_hdr(skb)->saddr);
		lapsmp_addr_set_v4(dst, ip_hdr(skb)->daddr);
	}
}

/**
 * struct lapsmp_way - by what routers choose for a packet
 * @raddr: remote address
 * @laddr: ours
 * @rport: remote UDP port, network order
 * @lport: ours
 * @flowlabel: IPv6 flow label (RFC 6437), 20 bits, host order; 0 over IPv4
 */
struct lapsmp_way {
	struct in6_addr	raddr;
	struct in6_addr	laddr;
	__be16	rport;
	__be16	lport;
	u32	flowlabel;
};

static inline u32 lapsmp_addr_flowlabel(const struct sk_buff *skb)
{
	return skb->protocol == htons(ETH_P_IPV6) ?
	       ntohl(ip6_flowlabel(ipv6_hdr(skb))) : 0;
}

/*
 * The segment routing header of a received packet whose last node we are, or NULL.
 * Such headers are linear.
 */
static inline const u8 *lapsmp_addr_srh(const struct sk_buff *skb, u32 *len)
{
	const u8 *srh;

	if (skb->protocol != htons(ETH_P_IPV6) || !IP6CB(skb)->srcrt)
		return NULL;
	srh = skb_network_header(skb) + IP6CB(skb)->srcrt;
	*len = skb_transport_header(skb) - srh;
	return srh;
}

/* The way of a received packet, whose transport header is its UDP header. */
static inline struct lapsmp_way lapsmp_way_from_skb(const struct sk_buff *skb)
{
	struct lapsmp_way way = {
		.rport = udp_hdr(skb)->source,
		.lport = udp_hdr(skb)->dest,
		.flowlabel = lapsmp_addr_flowlabel(skb),
	};

	lapsmp_addr_from_skb(skb, &way.raddr, &way.laddr);
	return way;
}

static inline bool lapsmp_way_same(const struct lapsmp_way *a,
				   const struct lapsmp_way *b)
{
	return a->rport == b->rport && a->lport == b->lport &&
	       a->flowlabel == b->flowlabel &&
	       ipv6_addr_equal(&a->raddr, &b->raddr) &&
	       ipv6_addr_equal(&a->laddr, &b->laddr);
}

#endif /* _LAPSMP_ADDR_H */
