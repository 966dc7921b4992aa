// SPDX-License-Identifier: GPL-2.0
/*
 * Packets by way of nodes that are named: SRv6.
 *
 * One of IPv6 has the list of nodes in a header of its own (RFC 8754 section 4.1):
 * the first node is its destination, and the checksum that of the last address. One
 * of IPv4 is put whole into one of IPv6, and the last node takes it out
 * (H.Encaps, RFC 8986 section 5.1).
 */
#include <net/ip.h>
#include <net/ip6_checksum.h>
#include <net/ip6_route.h>
#include <net/ip6_tunnel.h>
#include <net/udp.h>
#include "compat.h"
#include "outsegs.h"

static void lapsmp_outsegs_push_udp(struct sk_buff *skb,
				    const struct lapsmp_route_key *k)
{
	struct udphdr *uh = __skb_push(skb, sizeof(*uh));

	skb_reset_transport_header(skb);
	uh->source = k->sport;
	uh->dest = k->dport;
	uh->len = htons(skb->len);
	if (lapsmp_addr_is_v4(&k->daddr))
		udp_set_csum(false, skb, lapsmp_addr_v4(&k->saddr),
			     lapsmp_addr_v4(&k->daddr), skb->len);
	else
		udp6_set_csum(false, skb, &k->saddr, &k->daddr, skb->len);
}

/* Never in pieces, so that its identification can be 0 (RFC 6864). */
static void lapsmp_outsegs_push_ip4(struct sk_buff *skb, struct lapsmp_net *ln,
				    const struct lapsmp_route_key *k)
{
	struct iphdr *iph = __skb_push(skb, sizeof(*iph));

	skb_reset_network_header(skb);
	*iph = (struct iphdr){
		.version = 4,
		.ihl = sizeof(*iph) / 4,
		.tos = k->tos,
		.tot_len = htons(skb->len),
		.frag_off = htons(IP_DF),
		.ttl = READ_ONCE(ln->net->ipv4.sysctl_ip_default_ttl),
		.protocol = IPPROTO_UDP,
		.saddr = lapsmp_addr_v4(&k->saddr),
		.daddr = lapsmp_addr_v4(&k->daddr),
	};
	ip_send_check(iph);
}

static void lapsmp_outsegs_push_ip6(struct sk_buff *skb, u8 nexthdr, u8 tos,
				    const struct in6_addr *saddr, u32 flowlabel,
				    const struct lapsmp_route *r,
				    const struct lapsmp_route_key *k)
{
	struct ipv6hdr *ip6h = __skb_push(skb, sizeof(*ip6h));

	skb_reset_network_header(skb);
	ip6_flow_hdr(ip6h, tos, htonl(flowlabel));
	ip6h->payload_len = htons(skb->len - sizeof(*ip6h));
	ip6h->nexthdr = nexthdr;
	ip6h->hop_limit = ip6_dst_hoplimit(r->dst);
	ip6h->saddr = *saddr;
	memcpy(&ip6h->daddr, k->segs->sid[0], sizeof(ip6h->daddr));
}

/* Return: 0, or an error: the key is gone. */
static int lapsmp_outsegs_sign(struct lapsmp_net *ln, void *srh,
			       const struct lapsmp_segs *segs,
			       const struct in6_addr *saddr)
{
	struct in6_addr from = *saddr;

	return segs->hmac ? lapsmp_seg6_sign(ln->net, &from, srh) : 0;
}

static int lapsmp_outsegs_list(struct sk_buff *skb, struct lapsmp_net *ln,
			       const struct lapsmp_route *r,
			       const struct lapsmp_route_key *k)
{
	void *srh = __skb_push(skb, lapsmp_srh_len(k->segs));

	lapsmp_srh_build(srh, k->segs, k->daddr.s6_addr, IPPROTO_UDP);
	lapsmp_outsegs_push_ip6(skb, NEXTHDR_ROUTING, k->tos, &k->saddr,
				k->flowlabel, r, k);
	return lapsmp_outsegs_sign(ln, srh, k->segs, &k->saddr);
}

static int lapsmp_outsegs_encap(struct sk_buff *skb, struct lapsmp_net *ln,
				const struct lapsmp_route *r,
				const struct lapsmp_route_key *k)
{
	u32 len = lapsmp_srh_encap_len(k->segs);
	void *srh;

	lapsmp_outsegs_push_ip4(skb, ln, k);
	srh = __skb_push(skb, len);
	if (len)
		lapsmp_srh_build_encap(srh, k->segs, IPPROTO_IPIP);
	lapsmp_outsegs_push_ip6(skb, len ? NEXTHDR_ROUTING : IPPROTO_IPIP,
				lapsmp_route_encap_tos(k), &r->outer,
				lapsmp_route_encap_label(k), r, k);
	return len ? lapsmp_outsegs_sign(ln, srh, k->segs, &r->outer) : 0;
}

bool lapsmp_outsegs_has_key(const struct lapsmp_net *ln, u32 id)
{
	bool has;

	rcu_read_lock();
	has = lapsmp_seg6_has_key(ln->net, id);
	rcu_read_unlock();
	return has;
}

void lapsmp_outsegs_send(struct lapsmp_net *ln, const struct lapsmp_route *r,
			 const struct lapsmp_route_key *k, struct sk_buff *skb)
{
	struct sock *out = READ_ONCE(ln->out6);
	int err;

	lapsmp_outsegs_push_udp(skb, k);
	/* Not every device finds UDP behind segments, nor does every kernel know. */
	err = skb_checksum_help(skb);
	if (!err && lapsmp_addr_is_v4(&k->daddr))
		err = lapsmp_outsegs_encap(skb, ln, r, k);
	else if (!err)
		err = lapsmp_outsegs_list(skb, ln, r, k);
	/* No socket: the namespace's ports are closed. */
	if (err || !out) {
		dst_release(r->dst);
		kfree_skb(skb);
		return;
	}
	skb_dst_set(skb, r->dst);
	ip6tunnel_xmit(out, skb, NULL);
}
