// SPDX-License-Identifier: GPL-2.0
/*
 * Between programs' socket addresses, a socket's own fields (which differ by
 * family) and in6_addr, which is all that the rest of lapsmp sees.
 */
#include "addr.h"
#include "compat.h"
#include "saddr.h"

static int lapsmp_saddr_parse4(const struct sock *sk,
			       const struct sockaddr_in *sin, int len,
			       struct lapsmp_saddr *to)
{
	if (len < (int)sizeof(*sin))
		return -EINVAL;
	if (ipv6_only_sock(sk))
		return -ENETUNREACH;
	lapsmp_addr_set_v4(&to->addr, sin->sin_addr.s_addr);
	to->port = sin->sin_port;
	to->ifindex = 0;
	return 0;
}

static int lapsmp_saddr_parse6(const struct sock *sk,
			       const struct sockaddr_in6 *sin6, int len,
			       struct lapsmp_saddr *to)
{
	if (len < SIN6_LEN_RFC2133)
		return -EINVAL;
	to->addr = sin6->sin6_addr;
	to->port = sin6->sin6_port;
	to->ifindex = 0;
	if (lapsmp_addr_is_v4(&to->addr))
		return ipv6_only_sock(sk) ? -ENETUNREACH : 0;
	if (len >= (int)sizeof(*sin6) &&
	    __ipv6_addr_needs_scope_id(__ipv6_addr_type(&to->addr)))
		to->ifindex = sin6->sin6_scope_id;
	return 0;
}

/**
 * lapsmp_saddr_parse() - read a program's socket address
 * @sk: socket
 * @sa: address, in kernel memory
 * @len: of it
 * @to: filled
 *
 * As with UDP, an IPv6 socket takes IPv4 addresses in both forms unless it is
 * IPV6_V6ONLY, and an IPv4 socket takes AF_UNSPEC for AF_INET.
 *
 * Return: 0, -EINVAL (too short), -EAFNOSUPPORT, -ENETUNREACH (IPv4 on an
 * IPv6-only socket).
 */
int lapsmp_saddr_parse(const struct sock *sk, const struct sockaddr *sa,
		       int len, struct lapsmp_saddr *to)
{
	bool v6 = sk->sk_family == AF_INET6;

	if (len < (int)offsetofend(struct sockaddr, sa_family))
		return -EINVAL;
	if (v6 && sa->sa_family == AF_INET6)
		return lapsmp_saddr_parse6(sk, (const void *)sa, len, to);
	if (sa->sa_family == AF_INET || (!v6 && sa->sa_family == AF_UNSPEC))
		return lapsmp_saddr_parse4(sk, (const void *)sa, len, to);
	return -EAFNOSUPPORT;
}

/**
 * lapsmp_saddr_self() - an unspecified destination means this host
 * @sk: socket
 * @to: destination, changed if it is unspecified
 */
void lapsmp_saddr_self(const struct sock *sk, struct lapsmp_saddr *to)
{
	struct in6_addr local;

	if (!lapsmp_addr_any(&to->addr))
		return;
	lapsmp_saddr_local(sk, &local);
	if (!lapsmp_addr_any(&local))
		to->addr = local;
	else if (lapsmp_addr_is_v4(&to->addr))
		lapsmp_addr_set_v4(&to->addr, htonl(INADDR_LOOPBACK));
	else
		to->addr = in6addr_loopback;
}

/**
 * lapsmp_saddr_peer() - whom a socket is connected to
 * @sk: socket
 * @addr: filled
 * @port: filled
 *
 * Context: any.
 * Return: false if it is not connected.
 */
bool lapsmp_saddr_peer(const struct sock *sk, struct in6_addr *addr,
		       __be16 *port)
{
	if (READ_ONCE(sk->sk_state) != TCP_ESTABLISHED)
		return false;
	*port = READ_ONCE(inet_sk(sk)->inet_dport);
	if (sk->sk_family == AF_INET6)
		*addr = sk->sk_v6_daddr;
	else
		lapsmp_addr_set_v4(addr, READ_ONCE(inet_sk(sk)->inet_daddr));
	return true;
}

/**
 * lapsmp_saddr_local() - address that a socket sends from
 * @sk: socket
 * @addr: filled; :: if the route chooses
 */
void lapsmp_saddr_local(const struct sock *sk, struct in6_addr *addr)
{
	__be32 v4 = READ_ONCE(inet_sk(sk)->inet_saddr);

	if (sk->sk_family == AF_INET6)
		*addr = inet6_sk(sk)->saddr;
	else if (v4)
		lapsmp_addr_set_v4(addr, v4);
	else
		*addr = in6addr_any;
	if (lapsmp_addr_any(addr))
		*addr = in6addr_any;
}

/**
 * lapsmp_saddr_put() - write a socket address for a program
 * @sk: socket, whose family decides the form
 * @name: room for a sockaddr_storage
 * @addr: address
 * @port: network order
 * @ifindex: device, for the scope of a link-local address
 *
 * Return: its length.
 */
int lapsmp_saddr_put(const struct sock *sk, void *name,
		     const struct in6_addr *addr, __be16 port, int ifindex)
{
	struct sockaddr_in6 *sin6 = name;
	struct sockaddr_in *sin = name;

	if (sk->sk_family == AF_INET6) {
		*sin6 = (struct sockaddr_in6){
			.sin6_family = AF_INET6,
			.sin6_port = port,
			.sin6_addr = *addr,
			.sin6_scope_id = ipv6_iface_scope_id(addr, ifindex),
		};
		return sizeof(*sin6);
	}
	*sin = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = port,
		.sin_addr.s_addr = lapsmp_addr_v4(addr),
	};
	return sizeof(*sin);
}

/**
 * lapsmp_saddr_tos() - IP_TOS or IPV6_TCLASS of a socket
 * @sk: socket
 * @v4: for an IPv4 destination
 *
 * Return: DSCP and ECN byte.
 */
u8 lapsmp_saddr_tos(const struct sock *sk, bool v4)
{
	return v4 ? READ_ONCE(inet_sk(sk)->tos) :
		    READ_ONCE(inet6_sk(sk)->tclass);
}
