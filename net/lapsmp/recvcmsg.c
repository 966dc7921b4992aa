// SPDX-License-Identifier: GPL-2.0
/*
 * What a program is told about a message that it reads: who sent it, and, if it
 * asked, to which address, by which device and when. The core's helpers for
 * this take an skb with its headers, which a message no longer has.
 */
#include <linux/net_tstamp.h>
#include <linux/timekeeping.h>
#include "addr.h"
#include "compat.h"
#include "recvcmsg.h"
#include "saddr.h"

static void lapsmp_recvcmsg_pktinfo4(struct msghdr *msg,
				     const struct lapsmp_rmsg *m)
{
	struct in_pktinfo info = {
		.ipi_ifindex = m->ifindex,
		.ipi_spec_dst.s_addr = lapsmp_addr_v4(&m->rflow->laddr),
		.ipi_addr.s_addr = lapsmp_addr_v4(&m->rflow->laddr),
	};

	put_cmsg(msg, SOL_IP, IP_PKTINFO, sizeof(info), &info);
}

static void lapsmp_recvcmsg_pktinfo6(struct msghdr *msg, int type,
				     const struct lapsmp_rmsg *m)
{
	struct in6_pktinfo info = {
		.ipi6_addr = m->rflow->laddr,
		.ipi6_ifindex = m->ifindex,
	};

	put_cmsg(msg, SOL_IPV6, type, sizeof(info), &info);
}

static void lapsmp_recvcmsg_pktinfo(struct sock *sk, struct msghdr *msg,
				    const struct lapsmp_rmsg *m)
{
	if ((inet_cmsg_flags(inet_sk(sk)) & IP_CMSG_PKTINFO) &&
	    lapsmp_addr_is_v4(&m->rflow->laddr))
		lapsmp_recvcmsg_pktinfo4(msg, m);
	if (sk->sk_family != AF_INET6)
		return;
	if (inet6_sk(sk)->rxopt.bits.rxinfo)
		lapsmp_recvcmsg_pktinfo6(msg, IPV6_PKTINFO, m);
	if (inet6_sk(sk)->rxopt.bits.rxoinfo)
		lapsmp_recvcmsg_pktinfo6(msg, IPV6_2292PKTINFO, m);
}

static void lapsmp_recvcmsg_timestampns(struct sock *sk, struct msghdr *msg,
					struct timespec64 ts)
{
	struct __kernel_timespec now = {
		.tv_sec = ts.tv_sec, .tv_nsec = ts.tv_nsec,
	};
	struct __kernel_old_timespec old = {
		.tv_sec = ts.tv_sec, .tv_nsec = ts.tv_nsec,
	};

	if (sock_flag(sk, SOCK_TSTAMP_NEW))
		put_cmsg(msg, SOL_SOCKET, SO_TIMESTAMPNS_NEW, sizeof(now),
			 &now);
	else
		put_cmsg(msg, SOL_SOCKET, SO_TIMESTAMPNS_OLD, sizeof(old),
			 &old);
}

static void lapsmp_recvcmsg_timestamp(struct sock *sk, struct msghdr *msg,
				      struct timespec64 ts)
{
	struct __kernel_sock_timeval now = {
		.tv_sec = ts.tv_sec, .tv_usec = ts.tv_nsec / NSEC_PER_USEC,
	};
	struct __kernel_old_timeval old = {
		.tv_sec = ts.tv_sec, .tv_usec = ts.tv_nsec / NSEC_PER_USEC,
	};

	if (sock_flag(sk, SOCK_TSTAMP_NEW))
		put_cmsg(msg, SOL_SOCKET, SO_TIMESTAMP_NEW, sizeof(now), &now);
	else
		put_cmsg(msg, SOL_SOCKET, SO_TIMESTAMP_OLD, sizeof(old), &old);
}

static void lapsmp_recvcmsg_time(struct sock *sk, struct msghdr *msg,
				 const struct lapsmp_rmsg *m)
{
	const u32 software = SOF_TIMESTAMPING_SOFTWARE |
			     SOF_TIMESTAMPING_RX_SOFTWARE;
	struct scm_timestamping_internal tss = {};

	/* It was asked for after the message had arrived: now, as in UDP. */
	tss.ts[0] = ktime_to_timespec64(m->tstamp ?: ktime_get_real());

	if (sock_flag(sk, SOCK_RCVTSTAMPNS))
		lapsmp_recvcmsg_timestampns(sk, msg, tss.ts[0]);
	else if (sock_flag(sk, SOCK_RCVTSTAMP))
		lapsmp_recvcmsg_timestamp(sk, msg, tss.ts[0]);

	if ((READ_ONCE(sk->sk_tsflags) & software) != software)
		return;
	if (sock_flag(sk, SOCK_TSTAMP_NEW))
		put_cmsg_scm_timestamping64(msg, &tss);
	else
		put_cmsg_scm_timestamping(msg, &tss);
}

/**
 * lapsmp_recvcmsg_put() - address and control messages of a message
 * @sk: socket
 * @msg: of the receive call
 * @m: message, held
 * @addr_len: set to the length of the address, if there is room for one
 *
 * Context: process.
 */
void lapsmp_recvcmsg_put(struct sock *sk, struct msghdr *msg,
			 const struct lapsmp_rmsg *m, int *addr_len)
{
	const struct lapsmp_rflow *rf = m->rflow;

	if (msg->msg_name)
		*addr_len = lapsmp_saddr_put(sk, msg->msg_name, &rf->key.raddr,
					     rf->rport, m->ifindex);
	lapsmp_recvcmsg_time(sk, msg, m);
	lapsmp_recvcmsg_pktinfo(sk, msg, m);
}
