// SPDX-License-Identifier: GPL-2.0
/*
 * Connecting a socket: it sends to one peer by default, hears from that peer
 * only, and has a source address, all without a packet.
 *
 * As UDP, with three exceptions: connecting again chooses the source address again;
 * dissolving a connection keeps the port that the socket was given, because its flows
 * have it; and flows of others that had begun before go on, because what they have
 * acknowledged would be lost.
 */
#include <linux/net.h>
#include <net/ip.h>
#include <net/transp_v6.h>
#include "addr.h"
#include "bind.h"
#include "connect.h"
#include "dest.h"
#include "saddr.h"

/* The first use of a socket without port gives it one. sk locked. */
static int __lapsmp_connect_autobind(struct sock *sk)
{
	int err;

	if (inet_sk(sk)->inet_num)
		return 0;
	err = lapsmp_bind_get_port(sk, 0);
	if (!err)
		inet_sk(sk)->inet_sport = htons(inet_sk(sk)->inet_num);
	return err;
}

/**
 * lapsmp_connect_autobind() - a socket that is used without a port gets one
 * @sk: socket, not locked
 *
 * Context: process.
 * Return: 0, or as lapsmp_bind_get_port().
 */
int lapsmp_connect_autobind(struct sock *sk)
{
	int err;

	/* A stale zero only costs the lock. */
	if (likely(data_race(inet_sk(sk)->inet_num)))
		return 0;
	lock_sock(sk);
	err = __lapsmp_connect_autobind(sk);
	release_sock(sk);
	return err;
}

static void lapsmp_connect_set_addrs6(struct sock *sk, const struct in6_addr *saddr,
				      const struct lapsmp_saddr *to)
{
	if (sk->sk_family != AF_INET6)
		return;
	inet6_sk(sk)->saddr = *saddr;
	if (lapsmp_addr_any(&sk->sk_v6_rcv_saddr))
		sk->sk_v6_rcv_saddr = *saddr;
	sk->sk_v6_daddr = to->addr;
}

/* The core keeps IPv4 forms beside, which for IPv6 addresses match nothing. */
static void lapsmp_connect_set_addrs(struct sock *sk, const struct in6_addr *saddr,
				     const struct lapsmp_saddr *to)
{
	bool v4 = lapsmp_addr_is_v4(&to->addr);
	__be32 saddr4 = v4 ? lapsmp_addr_v4(saddr) : LOOPBACK4_IPV6;
	struct inet_sock *inet = inet_sk(sk);

	inet->inet_saddr = saddr4;
	if (!inet->inet_rcv_saddr)
		WRITE_ONCE(inet->inet_rcv_saddr, saddr4);
	WRITE_ONCE(inet->inet_daddr, v4 ? lapsmp_addr_v4(&to->addr) :
					  LOOPBACK4_IPV6);
	WRITE_ONCE(inet->inet_dport, to->port);
	lapsmp_connect_set_addrs6(sk, saddr, to);
	if (to->ifindex)
		WRITE_ONCE(sk->sk_bound_dev_if, to->ifindex);
	WRITE_ONCE(sk->sk_state, TCP_ESTABLISHED);
}

static void __lapsmp_connect_forget(struct sock *sk)
{
	WRITE_ONCE(sk->sk_state, TCP_CLOSE);
	WRITE_ONCE(inet_sk(sk)->inet_daddr, 0);
	WRITE_ONCE(inet_sk(sk)->inet_dport, 0);
	if (sk->sk_family == AF_INET6)
		sk->sk_v6_daddr = in6addr_any;
	if (!(sk->sk_userlocks & SOCK_BINDADDR_LOCK))
		inet_reset_saddr(sk);
}

static int __lapsmp_connect(struct sock *sk, struct lapsmp_saddr *to)
{
	struct in6_addr laddr = in6addr_any, saddr;
	int err;

	lapsmp_saddr_self(sk, to);
	if (sk->sk_userlocks & SOCK_BINDADDR_LOCK)
		lapsmp_saddr_local(sk, &laddr);
	err = lapsmp_dest_route(sk, to, &laddr, &saddr);
	if (!err)
		err = __lapsmp_connect_autobind(sk);
	if (err)
		return err;
	__lapsmp_connect_forget(sk);
	lapsmp_connect_set_addrs(sk, &saddr, to);
	return 0;
}

/**
 * lapsmp_connect() - struct proto_ops's connect
 * @sock: socket
 * @sa: whom to, or AF_UNSPEC
 * @len: of @sa
 * @flags: not used
 *
 * Context: process.
 * Return: 0; -EINVAL, -EAFNOSUPPORT; as lapsmp_dest_route()
 * and lapsmp_bind_get_port().
 */
int lapsmp_connect(struct socket *sock, struct sockaddr *sa, int len, int flags)
{
	struct sock *sk = sock->sk;
	struct lapsmp_saddr to;
	int err;

	if (len < (int)offsetofend(struct sockaddr, sa_family))
		return -EINVAL;
	if (sa->sa_family == AF_UNSPEC)
		return sk->sk_prot->disconnect(sk, flags);
	err = lapsmp_saddr_parse(sk, sa, len, &to);
	if (err)
		return err;
	lock_sock(sk);
	err = __lapsmp_connect(sk, &to);
	release_sock(sk);
	return err;
}

/**
 * lapsmp_connect_dissolve() - struct proto's disconnect
 * @sk: socket, not locked
 * @flags: not used
 *
 * Context: process.
 * Return: 0.
 */
int lapsmp_connect_dissolve(struct sock *sk, int flags)
{
	lock_sock(sk);
	__lapsmp_connect_forget(sk);
	WRITE_ONCE(sk->sk_bound_dev_if, 0);
	release_sock(sk);
	return 0;
}
