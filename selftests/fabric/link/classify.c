// SPDX-License-Identifier: GPL-2.0
/*
 * Which band of a link a packet belongs to: what it says of itself, and whether it is a
 * bare acknowledgment of TCP.
 */
#include <linux/tcp.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "classify.h"

/**
 * struct lapslink_span - a part of a packet
 * @begin: where it begins
 * @end: and ends, as the last IP header says; frames are padded
 * @proto: what is there: IPPROTO_*
 */
struct lapslink_span {
	int	begin;
	int	end;
	u8	proto;
};

/* From an IPv4 header to what is in it, if that is whole. */
static bool lapslink_enter_ipv4(const struct sk_buff *skb, struct lapslink_span *s)
{
	const struct iphdr *ip;
	struct iphdr space;

	ip = skb_header_pointer(skb, s->begin, sizeof(space), &space);
	if (!ip || ip->ihl < 5 || ip_is_fragment(ip))
		return false;
	s->end = s->begin + ntohs(ip->tot_len);
	s->begin += ip->ihl * 4;
	s->proto = ip->protocol;
	return true;
}

/* The same for IPv6, behind a routing header and others. */
static bool lapslink_enter_ipv6(const struct sk_buff *skb, struct lapslink_span *s)
{
	const struct ipv6hdr *ip;
	struct ipv6hdr space;
	__be16 fragment;

	ip = skb_header_pointer(skb, s->begin, sizeof(space), &space);
	if (!ip)
		return false;
	s->begin += sizeof(*ip);
	s->end = s->begin + ntohs(ip->payload_len);
	s->proto = ip->nexthdr;
	s->begin = ipv6_skip_exthdr(skb, s->begin, &s->proto, &fragment);
	return s->begin >= 0 && !fragment;
}

static bool lapslink_enter_ip(const struct sk_buff *skb, struct lapslink_span *s)
{
	if (s->proto == IPPROTO_IPV6)
		return lapslink_enter_ipv6(skb, s);
	return s->proto == IPPROTO_IPIP && lapslink_enter_ipv4(skb, s);
}

/*
 * An acknowledgment of TCP or MPTCP without data, in IP packets within each other
 * perhaps: hosts wrap packets to give them segments.
 */
static bool lapslink_is_tcp_ack(const struct sk_buff *skb)
{
	struct lapslink_span s = { .begin = skb_network_offset(skb) };
	const struct tcphdr *tcp;
	struct tcphdr space;

	s.proto = skb_protocol(skb, true) == htons(ETH_P_IPV6) ? IPPROTO_IPV6 : IPPROTO_IPIP;
	while (s.proto != IPPROTO_TCP) {
		if (!lapslink_enter_ip(skb, &s))
			return false;
	}
	tcp = skb_header_pointer(skb, s.begin, sizeof(space), &space);
	return tcp && tcp->ack && !tcp->syn && !tcp->fin && !tcp->rst &&
	       s.begin + tcp->doff * 4 == s.end;
}

static bool lapslink_is_ip(const struct sk_buff *skb)
{
	__be16 proto = skb_protocol(skb, true);

	return proto == htons(ETH_P_IP) || proto == htons(ETH_P_IPV6);
}

unsigned int lapslink_classify(const struct lapslink_parms *p, struct sk_buff *skb)
{
	unsigned int class;
	int dscp;

	if (!lapslink_is_ip(skb))
		return LAPSLINK_DATA;
	/* No field is as large as LAPSLINK_DSCP_NONE. */
	dscp = skb_get_dsfield(skb) >> 2;
	for (class = 0; class < LAPSLINK_CLASSES; class++)
		if (dscp == p->dscp[class])
			return class;
	if (p->flags & LAPSLINK_F_TCP_ACKS && lapslink_is_tcp_ack(skb))
		return LAPSLINK_HIGH;
	return LAPSLINK_DATA;
}
