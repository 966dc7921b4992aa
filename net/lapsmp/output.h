/* SPDX-License-Identifier: GPL-2.0 */
/* From a header and pages to a UDP datagram on its way. */
#ifndef _LAPSMP_OUTPUT_H
#define _LAPSMP_OUTPUT_H

#include <linux/skbuff.h>
#include "route.h"
#include "wire.h"

/* Bytes of IPv4 or IPv6 and UDP header. */
static inline u32 lapsmp_output_overhead(bool v4)
{
	return (v4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr)) +
	       sizeof(struct udphdr);
}

/* What links and qdiscs count of an IP packet: the Ethernet header too. */
static inline u32 lapsmp_output_frame(u32 ip_bytes)
{
	return ip_bytes + ETH_HLEN;
}

/**
 * lapsmp_output_alloc() - a packet with its header written
 * @h: header
 * @pad: zero bytes behind it (probes), in the linear part
 * @segs: nodes that it will go by, or NULL
 *
 * Context: any, GFP_ATOMIC. Return: skb with room for UDP, IP and link headers
 * in front, or NULL.
 */
struct sk_buff *lapsmp_output_alloc(const struct lapsmp_hdr *h, u32 pad,
				    const struct lapsmp_segs *segs);

/**
 * lapsmp_output_send() - stamp a packet and send it
 * @ln: namespace
 * @r: its route
 * @k: addresses, ports, flow label, segments (as the packet was allocated for),
 *	mark and tos
 * @skb: of lapsmp_output_alloc(); consumed
 * @now_ns: monotonic; what the departure stamp is made of
 *
 * Context: softirqs off.
 */
void lapsmp_output_send(struct lapsmp_net *ln, const struct lapsmp_route *r,
			const struct lapsmp_route_key *k, struct sk_buff *skb,
			u64 now_ns);

/**
 * lapsmp_output_answer() - answer a packet without any state
 * @ln: namespace
 * @in: what it answers: addresses and ports are taken from it, reversed; the
 *	transport header is its UDP header
 * @h: the answer; must not be longer than @in
 *
 * Context: softirq.
 */
void lapsmp_output_answer(struct lapsmp_net *ln, const struct sk_buff *in,
			  const struct lapsmp_hdr *h);

#endif /* _LAPSMP_OUTPUT_H */
