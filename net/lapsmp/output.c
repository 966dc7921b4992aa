// SPDX-License-Identifier: GPL-2.0
/* From a header and pages to a UDP datagram on its way. */
#include <linux/udp.h>
#include <net/ip6_route.h>
#include <net/route.h>
#include <net/udp.h>
#include <net/udp_tunnel.h>
#include "clock.h"
#include "compat.h"
#include "mib.h"
#include "output.h"
#include "outsegs.h"
#include "remote.h"

#define LAPSMP_HEADROOM	(LL_MAX_HEADER + sizeof(struct ipv6hdr) + \
			 sizeof(struct udphdr))

struct sk_buff *lapsmp_output_alloc(const struct lapsmp_hdr *h, u32 pad,
				    const struct lapsmp_segs *segs)
{
	u32 room = LAPSMP_HEADROOM + (segs ? lapsmp_outsegs_room(segs) : 0);
	u32 hlen = lapsmp_wire_hlen(h);
	struct sk_buff *skb;

	skb = alloc_skb(room + hlen + pad, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;
	skb_reserve(skb, room);
	lapsmp_wire_build(skb_put(skb, hlen), h);
	if (pad)
		skb_put_zero(skb, pad);
	return skb;
}

/*
 * The service port's socket. Without it, while the namespace's ports are closed, nothing is sent.
 * Context: RCU, any kind.
 */
static struct sock *lapsmp_output_sock(struct sock *const *out, struct dst_entry *dst,
				       struct sk_buff *skb)
{
	struct sock *sk = READ_ONCE(*out);

	if (likely(sk))
		return sk;
	dst_release(dst);
	kfree_skb(skb);
	return NULL;
}

static void lapsmp_output_send4(struct lapsmp_net *ln, struct dst_entry *dst,
				const struct lapsmp_route_key *k,
				struct sk_buff *skb)
{
	struct sock *sk = lapsmp_output_sock(&ln->out4, dst, skb);

	if (!sk)
		return;
	/* DF always: path MTU discovery is ours, and fragments have no entropy. */
	udp_tunnel_xmit_skb((struct rtable *)dst, sk, skb,
			    lapsmp_addr_v4(&k->saddr), lapsmp_addr_v4(&k->daddr),
			    k->tos, ip4_dst_hoplimit(dst), htons(IP_DF),
			    k->sport, k->dport, false, false);
}

static void lapsmp_output_send6(struct lapsmp_net *ln, struct dst_entry *dst,
				const struct lapsmp_route_key *k,
				struct sk_buff *skb)
{
	struct sock *sk = lapsmp_output_sock(&ln->out6, dst, skb);

	if (!sk)
		return;
	udp_tunnel6_xmit_skb(dst, sk, skb, NULL,
			     lapsmp_tunnel_addr(&k->saddr),
			     lapsmp_tunnel_addr(&k->daddr), k->tos,
			     ip6_dst_hoplimit(dst), htonl(k->flowlabel),
			     k->sport, k->dport, false);
}

void lapsmp_output_send(struct lapsmp_net *ln, const struct lapsmp_route *r,
			const struct lapsmp_route_key *k, struct sk_buff *skb,
			u64 now_ns)
{
	struct dst_entry *dst = r->dst;

	skb->mark = k->mark;
	/* As late as it can be: what follows is the device's queue. */
	lapsmp_wire_stamp(skb->data, lapsmp_clock_stamp(ln, now_ns));
	if (unlikely(!dst_hold_safe(dst))) {
		kfree_skb(skb);
		return;
	}
	if (k->segs)
		lapsmp_outsegs_send(ln, r, k, skb);
	else if (lapsmp_addr_is_v4(&k->daddr))
		lapsmp_output_send4(ln, dst, k, skb);
	else
		lapsmp_output_send6(ln, dst, k, skb);
}

void lapsmp_output_answer(struct lapsmp_net *ln, const struct sk_buff *in,
			  const struct lapsmp_hdr *h)
{
	u64 now = lapsmp_clock_now();
	struct lapsmp_route_key k = {
		.sport = udp_hdr(in)->dest,
		.dport = udp_hdr(in)->source,
		.flowlabel = lapsmp_addr_flowlabel(in),
		.tos = READ_ONCE(ln->conf.ack_tos),
	};
	struct lapsmp_route *r;
	struct sk_buff *skb;

	if (!lapsmp_remote_may_answer(ln, now))
		return;
	lapsmp_addr_from_skb(in, &k.daddr, &k.saddr);
	k.ifindex = lapsmp_route_back(ln, in, &k.daddr);
	r = lapsmp_route_lookup(ln, &k);
	if (IS_ERR(r))
		return;
	skb = lapsmp_output_alloc(h, 0, NULL);
	if (skb) {
		skb->priority = READ_ONCE(ln->conf.ack_prio);
		lapsmp_output_send(ln, r, &k, skb, now);
	} else {
		LAPSMP_INC(ln, nomem);
	}
	lapsmp_route_free(r);
}
