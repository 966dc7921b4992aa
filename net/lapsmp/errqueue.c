// SPDX-License-Identifier: GPL-2.0
/*
 * What a socket is told about messages and destinations, later than the call:
 * notices and errors on the error queue, and the pending error of a socket that
 * is connected. The core's own readers (ip_recv_error(), ipv6_recv_error()) hand
 * the queue out; they look for the address in an IP header, so each entry
 * is an IP header with nothing in it but the destination.
 */
#include <linux/errqueue.h>
#include "addr.h"
#include "compat.h"
#include "errqueue.h"
#include "mem.h"
#include "saddr.h"

static void lapsmp_errqueue_destruct(struct sk_buff *skb)
{
	lapsmp_mem_uncharge_notice(lapsmp_sk(skb->sk), skb->truesize);
}

static struct sk_buff *lapsmp_errqueue_alloc(const struct in6_addr *raddr)
{
	bool v4 = lapsmp_addr_is_v4(raddr);
	unsigned int hlen = v4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	struct sk_buff *skb = alloc_skb(hlen, GFP_ATOMIC | __GFP_NOWARN);

	if (!skb)
		return NULL;
	skb_reset_network_header(skb);
	skb_put_zero(skb, hlen);
	if (v4) {
		skb->protocol = htons(ETH_P_IP);
		ip_hdr(skb)->daddr = lapsmp_addr_v4(raddr);
		SKB_EXT_ERR(skb)->addr_offset = offsetof(struct iphdr, daddr);
	} else {
		skb->protocol = htons(ETH_P_IPV6);
		ipv6_hdr(skb)->daddr = *raddr;
		SKB_EXT_ERR(skb)->addr_offset = offsetof(struct ipv6hdr, daddr);
	}
	/* The header is found by its offset; to the reader there is no data. */
	__skb_pull(skb, hlen);
	skb->pkt_type = PACKET_OUTGOING;
	return skb;
}

/*
 * The limit is the queue's own: messages that wait to be read must not cost the
 * program its notices. All entries are about as large as this one. The memory is
 * everybody's, though, and a namespace may have any limit.
 */
static bool lapsmp_errqueue_charge(struct sock *sk, const struct sk_buff *skb)
{
	u64 queued = ((u64)skb_queue_len_lockless(&sk->sk_error_queue) + 1) *
		     skb->truesize;

	return queued <= READ_ONCE(sk->sk_rcvbuf) &&
	       !lapsmp_mem_charge_notice(lapsmp_sk(sk), skb->truesize, queued);
}

static void lapsmp_errqueue_add(struct sock *sk, const struct in6_addr *raddr,
				__be16 dport, int err, u64 msg_count)
{
	struct sk_buff *skb = lapsmp_errqueue_alloc(raddr);
	struct sock_exterr_skb *serr;

	if (!skb)
		return;
	if (!lapsmp_errqueue_charge(sk, skb)) {
		kfree_skb(skb);
		return;
	}
	serr = SKB_EXT_ERR(skb);
	serr->port = dport;
	serr->ee.ee_errno = err;
	serr->ee.ee_origin = LAPSMP_EE_ORIGIN;
	serr->ee.ee_info = msg_count;
	/* The number's upper half, for who sends that many. */
	serr->ee.ee_data = msg_count >> 32;

	skb->sk = sk;
	skb->destructor = lapsmp_errqueue_destruct;
	skb_queue_tail(&sk->sk_error_queue, skb);
	sk_error_report(sk);
}

static bool lapsmp_errqueue_wants_errors(const struct sock *sk)
{
	return inet_test_bit(RECVERR, sk) ||
	       (sk->sk_family == AF_INET6 && inet6_test_bit(RECVERR6, sk));
}

/**
 * lapsmp_sock_report() - tell a socket what became of a message or a flow
 * @ls: socket, not released yet
 * @raddr: destination
 * @dport: its port
 * @err: 0: the message is in the receiving kernel; or positive errno
 * @msg_count: number of the message on the socket, or 0: all of the flow's
 * @notify: about one message, which asked for a notice; else about a flow
 *
 * A notice goes to the error queue. A flow's error goes there with IP_RECVERR or
 * IPV6_RECVERR, and becomes the socket's pending error if the socket is connected
 * to the destination: no other can be mistaken for it.
 *
 * Context: any, also with a flow locked.
 * Return: true if the error became the socket's pending one.
 */
bool lapsmp_sock_report(struct lapsmp_sock *ls, const struct in6_addr *raddr,
			__be16 dport, int err, u64 msg_count, bool notify)
{
	struct sock *sk = lapsmp_sock_sk(ls);
	struct in6_addr peer;
	__be16 port;

	if (notify || lapsmp_errqueue_wants_errors(sk))
		lapsmp_errqueue_add(sk, raddr, dport, err, msg_count);
	if (notify || !err || !lapsmp_saddr_peer(sk, &peer, &port) ||
	    port != dport || !ipv6_addr_equal(&peer, raddr))
		return false;
	WRITE_ONCE(sk->sk_err, err);
	sk_error_report(sk);
	return true;
}
