// SPDX-License-Identifier: GPL-2.0
/*
 * Where a message goes: what the call says (address, control messages) before
 * what the socket says (connection, bound address and device, mark, tos).
 *
 * Control messages that would have no effect are refused rather than ignored.
 */
#include <net/addrconf.h>
#include <net/ip.h>
#include <net/l3mdev.h>
#include <net/route.h>
#include "addr.h"
#include "compat.h"
#include "dest.h"
#include "route.h"

static int lapsmp_dest_set_ifindex(const struct sock *sk,
				   struct lapsmp_peer_key *key, int ifindex)
{
	if (!ifindex)
		return 0;
	if (!sk_dev_equal_l3scope((struct sock *)sk, ifindex))
		return -EINVAL;
	key->ifindex = ifindex;
	return 0;
}

static int lapsmp_dest_pktinfo4(struct sock *sk, const struct in_pktinfo *info,
				struct lapsmp_peer_key *key)
{
	__be32 saddr = info->ipi_spec_dst.s_addr;
	struct net *net = sock_net(sk);
	u32 table;
	int err;

	err = lapsmp_dest_set_ifindex(sk, key, info->ipi_ifindex);
	if (err || !saddr)
		return err;
	table = l3mdev_fib_table_by_index(net, key->ifindex) ?: RT_TABLE_LOCAL;
	if (!inet_can_nonlocal_bind(net, inet_sk(sk)) &&
	    inet_addr_type_table(net, saddr, table) != RTN_LOCAL)
		return -EINVAL;
	lapsmp_addr_set_v4(&key->laddr, saddr);
	return 0;
}

static bool lapsmp_dest_is_local6(struct net *net, const struct in6_addr *addr,
				  int ifindex)
{
	struct net_device *dev = NULL;
	bool local;

	rcu_read_lock();
	if (ifindex && __ipv6_addr_needs_scope_id(__ipv6_addr_type(addr)))
		dev = dev_get_by_index_rcu(net, ifindex);
	local = ipv6_chk_addr(net, addr, dev, 0);
	rcu_read_unlock();
	return local;
}

static int lapsmp_dest_pktinfo6(struct sock *sk, const struct in6_pktinfo *info,
				struct lapsmp_peer_key *key)
{
	struct in_pktinfo info4 = { .ipi_ifindex = info->ipi6_ifindex };
	struct net *net = sock_net(sk);
	int err;

	if (lapsmp_addr_is_v4(&info->ipi6_addr)) {
		info4.ipi_spec_dst.s_addr = lapsmp_addr_v4(&info->ipi6_addr);
		return lapsmp_dest_pktinfo4(sk, &info4, key);
	}
	err = lapsmp_dest_set_ifindex(sk, key, info->ipi6_ifindex);
	if (err || ipv6_addr_any(&info->ipi6_addr))
		return err;
	if (!ipv6_can_nonlocal_bind(net, inet_sk(sk)) &&
	    !lapsmp_dest_is_local6(net, &info->ipi6_addr, key->ifindex))
		return -EINVAL;
	key->laddr = info->ipi6_addr;
	return 0;
}

static int lapsmp_dest_tos(const struct cmsghdr *cmsg,
			   struct lapsmp_peer_key *key)
{
	int tos;

	if (cmsg->cmsg_len == CMSG_LEN(sizeof(u8)))
		tos = *(const u8 *)CMSG_DATA(cmsg);
	else if (cmsg->cmsg_len == CMSG_LEN(sizeof(int)))
		tos = *(const int *)CMSG_DATA(cmsg);
	else
		return -EINVAL;
	/* IPV6_TCLASS -1 asks for the default. */
	if (cmsg->cmsg_level == SOL_IPV6 && tos == -1)
		tos = 0;
	if (tos < 0 || tos > 255)
		return -EINVAL;
	key->tos = tos;
	return 0;
}

static int lapsmp_dest_cmsg(struct sock *sk, struct cmsghdr *cmsg,
			    struct lapsmp_peer_key *key)
{
	if (cmsg->cmsg_level == SOL_IP && cmsg->cmsg_type == IP_PKTINFO &&
	    cmsg->cmsg_len == CMSG_LEN(sizeof(struct in_pktinfo)))
		return lapsmp_dest_pktinfo4(sk, CMSG_DATA(cmsg), key);
	if (cmsg->cmsg_level == SOL_IP && cmsg->cmsg_type == IP_TOS)
		return lapsmp_dest_tos(cmsg, key);
	if (cmsg->cmsg_level == SOL_IPV6 && sk->sk_family == AF_INET6 &&
	    (cmsg->cmsg_type == IPV6_PKTINFO ||
	     cmsg->cmsg_type == IPV6_2292PKTINFO) &&
	    cmsg->cmsg_len == CMSG_LEN(sizeof(struct in6_pktinfo)))
		return lapsmp_dest_pktinfo6(sk, CMSG_DATA(cmsg), key);
	if (cmsg->cmsg_level == SOL_IPV6 && sk->sk_family == AF_INET6 &&
	    cmsg->cmsg_type == IPV6_TCLASS)
		return lapsmp_dest_tos(cmsg, key);
	return -EINVAL;
}

static int lapsmp_dest_cmsgs(struct sock *sk, struct msghdr *msg,
			     struct lapsmp_peer_key *key)
{
	struct sockcm_cookie sockc = { .mark = key->mark };
	struct cmsghdr *cmsg;
	int err;

	err = sock_cmsg_send(sk, msg, &sockc);
	if (err)
		return err;
	key->mark = sockc.mark;
	for_each_cmsghdr(cmsg, msg) {
		if (!CMSG_OK(msg, cmsg))
			return -EINVAL;
		if (cmsg->cmsg_level != SOL_IP && cmsg->cmsg_level != SOL_IPV6)
			continue;
		err = lapsmp_dest_cmsg(sk, cmsg, key);
		if (err)
			return err;
	}
	return 0;
}

/* Things that cannot go together, or are missing. */
static int lapsmp_dest_check(const struct lapsmp_peer_key *key)
{
	bool v4 = lapsmp_addr_is_v4(&key->raddr);

	if (!ipv6_addr_any(&key->laddr) && lapsmp_addr_is_v4(&key->laddr) != v4)
		return v4 ? -ENETUNREACH : -EAFNOSUPPORT;
	if (!v4 && !key->ifindex &&
	    __ipv6_addr_needs_scope_id(__ipv6_addr_type(&key->raddr)))
		return -EINVAL;
	return 0;
}

static int lapsmp_dest_addr(struct sock *sk, struct msghdr *msg,
			    struct lapsmp_saddr *to)
{
	int err;

	memset(to, 0, sizeof(*to));
	if (msg->msg_name) {
		err = lapsmp_saddr_parse(sk, msg->msg_name, msg->msg_namelen,
					 to);
		if (err)
			return err;
		lapsmp_saddr_self(sk, to);
	} else if (!lapsmp_saddr_peer(sk, &to->addr, &to->port)) {
		return -EDESTADDRREQ;
	}
	return to->port ? 0 : -EINVAL;
}

/**
 * lapsmp_dest_from_msg() - where a message goes
 * @sk: socket
 * @msg: of a send call
 * @key: filled
 * @dport: filled
 *
 * Context: process.
 * Return: 0; -EDESTADDRREQ (no address, not connected); -EINVAL (address too
 * short, port 0, link-local without device, bad or useless control message);
 * -EAFNOSUPPORT; -ENETUNREACH (families do not go together); -EPERM (SO_MARK).
 */
int lapsmp_dest_from_msg(struct sock *sk, struct msghdr *msg,
			 struct lapsmp_peer_key *key, __be16 *dport)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(sk));
	struct lapsmp_saddr to;
	int err;

	err = lapsmp_dest_addr(sk, msg, &to);
	if (err)
		return err;
	memset(key, 0, sizeof(*key));
	key->raddr = to.addr;
	lapsmp_saddr_local(sk, &key->laddr);
	key->ifindex = READ_ONCE(sk->sk_bound_dev_if);
	key->mark = READ_ONCE(sk->sk_mark);
	key->rport = htons(READ_ONCE(ln->conf.port));
	key->tos = lapsmp_saddr_tos(sk, lapsmp_addr_is_v4(&to.addr));
	*dport = to.port;

	err = lapsmp_dest_set_ifindex(sk, key, to.ifindex);
	if (!err && msg->msg_controllen)
		err = lapsmp_dest_cmsgs(sk, msg, key);
	return err ?: lapsmp_dest_check(key);
}

static int lapsmp_dest_lookup(struct lapsmp_net *ln,
			      const struct lapsmp_peer_key *key,
			      struct in6_addr *saddr)
{
	struct lapsmp_route_key rk = {
		.saddr = key->laddr,
		.daddr = key->raddr,
		.dport = key->rport,
		.ifindex = key->ifindex,
		.mark = key->mark,
		.tos = key->tos,
	};
	struct lapsmp_route *r;

	r = lapsmp_route_lookup(ln, &rk);
	if (IS_ERR(r))
		return PTR_ERR(r);
	lapsmp_route_free(r);
	*saddr = rk.saddr;
	return 0;
}

/**
 * lapsmp_dest_route() - choose the source address of a connection
 * @sk: socket
 * @to: whom it connects to
 * @laddr: address it is bound to, or ::
 * @saddr: filled
 *
 * Context: process.
 * Return: 0; what the route says: -ENETUNREACH, -EHOSTUNREACH, -EACCES (broadcast
 * or multicast), ...; or as lapsmp_dest_from_msg().
 */
int lapsmp_dest_route(struct sock *sk, const struct lapsmp_saddr *to,
		      const struct in6_addr *laddr, struct in6_addr *saddr)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(sk));
	struct lapsmp_peer_key key = {
		.raddr = to->addr,
		.laddr = *laddr,
		.ifindex = READ_ONCE(sk->sk_bound_dev_if),
		.mark = READ_ONCE(sk->sk_mark),
		.rport = htons(READ_ONCE(ln->conf.port)),
		.tos = lapsmp_saddr_tos(sk, lapsmp_addr_is_v4(&to->addr)),
	};
	int err;

	err = lapsmp_dest_set_ifindex(sk, &key, to->ifindex);
	if (!err)
		err = lapsmp_dest_check(&key);
	return err ?: lapsmp_dest_lookup(ln, &key, saddr);
}

/**
 * lapsmp_dest_reachable() - is there a route at all?
 * @ln: namespace
 * @key: of the peer
 *
 * Context: process.
 * Return: 0, or what the route says.
 */
int lapsmp_dest_reachable(struct lapsmp_net *ln,
			  const struct lapsmp_peer_key *key)
{
	struct in6_addr saddr;

	return lapsmp_dest_lookup(ln, key, &saddr);
}
