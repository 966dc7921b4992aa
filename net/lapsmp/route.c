// SPDX-License-Identifier: GPL-2.0
/*
 * Routes: looked up per path with its UDP ports, flow label and first segment, as
 * ECMP sees it.
 */
#include <linux/ethtool.h>
#include <linux/ipv6.h>
#include <linux/rtnetlink.h>
#include <net/flow.h>
#include <net/ip6_route.h>
#include <net/l3mdev.h>
#include <net/route.h>
#include "route.h"

/* Where the device does not say: 100 Gbit/s. */
#define LAPSMP_LINE_RATE	(100ULL * 1000 * 1000 * 1000 / 8)

/*
 * Of IPv4 by a device that no route names, the kernel believes that the destination
 * is a neighbour there. A path wants a route, and not a guess. Return: 0, or why not.
 */
static int lapsmp_route_exists4(struct net *net, const struct flowi4 *fl4)
{
	struct flowi4 fl = *fl4;
	struct fib_result res;
	int err;

	fl.flowi4_iif = LOOPBACK_IFINDEX;
	/* As ip_route_output_key() does it. */
	fl.flowi4_tos &= IPTOS_TOS_MASK & ~INET_ECN_MASK;
	rcu_read_lock();
	err = fib_lookup(net, &fl, &res, 0);
	rcu_read_unlock();
	return err;
}

static struct dst_entry *lapsmp_route_lookup4(struct net *net,
					      struct lapsmp_route_key *key)
{
	struct flowi4 fl4 = {
		.flowi4_oif = key->ifindex,
		.flowi4_mark = key->mark,
		.flowi4_tos = RT_TOS(key->tos),
		.flowi4_proto = IPPROTO_UDP,
		.daddr = lapsmp_addr_v4(&key->daddr),
		.fl4_sport = key->sport,
		.fl4_dport = key->dport,
	};
	struct rtable *rt;
	int err;

	if (!lapsmp_addr_any(&key->saddr))
		fl4.saddr = lapsmp_addr_v4(&key->saddr);
	if (key->strict) {
		err = lapsmp_route_exists4(net, &fl4);
		if (err)
			return ERR_PTR(err);
	}
	rt = ip_route_output_key(net, &fl4);
	if (IS_ERR(rt))
		return ERR_CAST(rt);
	if (rt->rt_flags & (RTCF_BROADCAST | RTCF_MULTICAST)) {
		ip_rt_put(rt);
		return ERR_PTR(-EACCES);
	}
	lapsmp_addr_set_v4(&key->saddr, fl4.saddr);
	return &rt->dst;
}

/* @ifindex: the device that it leaves by, or its VRF. */
static bool lapsmp_route_is_by(const struct dst_entry *dst, int ifindex)
{
	const struct net_device *dev;
	bool is;

	rcu_read_lock();
	dev = READ_ONCE(dst->dev);
	is = dev->ifindex == ifindex || l3mdev_master_ifindex_rcu(dev) == ifindex;
	rcu_read_unlock();
	return is;
}

/*
 * ip6_dst_lookup_flow() by a device takes that for a wish, if there is a source
 * address: by a better route the packets would leave by another one.
 */
static struct dst_entry *lapsmp_route_strict6(struct net *net, struct flowi6 *fl6,
					      const struct in6_addr *final)
{
	/* Of a VRF it is taken away by the lookup. */
	int err, oif = fl6->flowi6_oif;
	struct dst_entry *dst;

	dst = ip6_route_output_flags(net, NULL, fl6, RT6_LOOKUP_F_IFACE);
	err = dst->error;
	/* By several next hops it may be another device even so. */
	if (!err && !lapsmp_route_is_by(dst, oif))
		err = -ENETUNREACH;
	if (err) {
		dst_release(dst);
		return ERR_PTR(err);
	}
	if (final)
		fl6->daddr = *final;
	return xfrm_lookup_route(net, dst, flowi6_to_flowi(fl6), NULL, 0);
}

static struct dst_entry *lapsmp_route_lookup6(struct net *net,
					      struct lapsmp_route_key *key)
{
	struct flowi6 fl6 = {
		.flowi6_oif = key->ifindex,
		.flowi6_mark = key->mark,
		.flowi6_proto = IPPROTO_UDP,
		.daddr = key->daddr,
		.fl6_sport = key->sport,
		.fl6_dport = key->dport,
		.flowlabel = ip6_make_flowinfo(key->tos, htonl(key->flowlabel)),
	};
	struct dst_entry *dst;

	/* What it asks is not there if the machine was started without IPv6. */
	if (!ipv6_mod_enabled())
		return ERR_PTR(-EAFNOSUPPORT);
	if (ipv6_addr_is_multicast(&key->daddr))
		return ERR_PTR(-EACCES);
	if (key->segs)
		memcpy(&fl6.daddr, key->segs->sid[0], sizeof(fl6.daddr));
	if (!lapsmp_addr_any(&key->saddr))
		fl6.saddr = key->saddr;
	/* IPsec policies are about where packets go in the end. */
	if (key->strict && !ipv6_addr_any(&fl6.saddr))
		dst = lapsmp_route_strict6(net, &fl6,
					   key->segs ? &key->daddr : NULL);
	else
		dst = ip6_dst_lookup_flow(net, NULL, &fl6,
					  key->segs ? &key->daddr : NULL);
	if (!IS_ERR(dst))
		key->saddr = fl6.saddr;
	return dst;
}

/*
 * May packets of IPv4 be put into others at all? Not past a route that forbids it, nor
 * past an IPsec policy: what is inside would not be seen by it. While that has no keys
 * yet it answers with a route that swallows everything. That there is no route is
 * no reason: the segments may be another way.
 */
static int lapsmp_route_may_encap(struct net *net,
				  const struct lapsmp_route_key *key)
{
	struct lapsmp_route_key plain = *key;
	struct dst_entry *dst;
	int err;

	/* A device that no route of IPv4 names has policies, too. */
	plain.strict = false;
	dst = lapsmp_route_lookup4(net, &plain);
	if (IS_ERR(dst))
		return PTR_ERR(dst) == -ENETUNREACH ? 0 : PTR_ERR(dst);
	err = dst_xfrm(dst) || dst->obsolete == DST_OBSOLETE_DEAD ? -EACCES : 0;
	dst_release(dst);
	return err;
}

/* Of what packets of IPv4 are put into; @outer: its source address. */
static struct dst_entry *lapsmp_route_lookup_encap(struct net *net,
						   const struct lapsmp_route_key *key,
						   struct in6_addr *outer)
{
	struct lapsmp_route_key k6 = {
		.sport = key->sport,
		.dport = key->dport,
		.flowlabel = lapsmp_route_encap_label(key),
		.ifindex = key->ifindex,
		.strict = key->strict,
		.mark = key->mark,
		.tos = lapsmp_route_encap_tos(key),
	};
	int err = lapsmp_route_may_encap(net, key);
	struct dst_entry *dst;

	if (err)
		return ERR_PTR(err);
	memcpy(&k6.daddr, key->segs->sid[0], sizeof(k6.daddr));
	dst = lapsmp_route_lookup6(net, &k6);
	*outer = k6.saddr;
	return dst;
}

struct lapsmp_route *lapsmp_route_lookup(struct lapsmp_net *ln,
					 struct lapsmp_route_key *key)
{
	bool v4 = lapsmp_addr_is_v4(&key->daddr);
	struct lapsmp_route *r;
	struct dst_entry *dst;

	r = kzalloc(sizeof(*r), GFP_ATOMIC);
	if (!r)
		return ERR_PTR(-ENOMEM);
	if (v4 && key->segs)
		dst = lapsmp_route_lookup_encap(ln->net, key, &r->outer);
	else if (v4)
		dst = lapsmp_route_lookup4(ln->net, key);
	else
		dst = lapsmp_route_lookup6(ln->net, key);
	if (IS_ERR(dst)) {
		kfree(r);
		return ERR_CAST(dst);
	}
	r->dst = dst;
	if (dst->ops->family == AF_INET6)
		r->cookie = rt6_get_cookie((struct rt6_info *)dst);
	return r;
}

static void lapsmp_route_free_rcu(struct rcu_head *rcu)
{
	struct lapsmp_route *r = container_of(rcu, struct lapsmp_route, rcu);

	dst_release(r->dst);
	kfree(r);
}

void lapsmp_route_free(struct lapsmp_route *r)
{
	if (r)
		call_rcu(&r->rcu, lapsmp_route_free_rcu);
}

int lapsmp_route_back(struct lapsmp_net *ln, const struct sk_buff *skb,
		      const struct in6_addr *raddr)
{
	if (ipv6_addr_type(raddr) & IPV6_ADDR_LINKLOCAL)
		return skb->skb_iif;
	return l3mdev_master_ifindex_by_index(ln->net, skb->skb_iif);
}

bool lapsmp_route_is_local(struct lapsmp_net *ln, const struct in6_addr *addr,
			   int ifindex)
{
	u32 table = RT_TABLE_LOCAL;

	if (!lapsmp_addr_is_v4(addr))
		return ipv6_chk_addr(ln->net, addr, NULL, 0);
	/* The addresses of a VRF's devices are in its own table. */
	if (ifindex)
		table = l3mdev_fib_table_by_index(ln->net, ifindex) ?: table;
	return inet_addr_type_table(ln->net, lapsmp_addr_v4(addr), table) ==
	       RTN_LOCAL;
}

/*
 * For IPv4 not dst_mtu(): that believes any ICMP error that names our ports. Our
 * own path MTU discovery only believes those that quote a live flow. For IPv6 the
 * kernel enforces what it believes, and what it drops nobody hears of.
 */
u32 lapsmp_route_mtu(const struct lapsmp_route *r)
{
	u32 mtu, metric;

	rcu_read_lock();
	mtu = READ_ONCE(r->dst->dev->mtu);
	metric = dst_metric_raw(r->dst, RTAX_MTU);
	if (r->dst->ops->family == AF_INET6)
		mtu = min(mtu, dst_mtu(r->dst));
	else if (metric)
		mtu = min(mtu, metric);
	rcu_read_unlock();
	return min_t(u32, mtu, IP_MAX_MTU);
}

/* 0 if the device is virtual, or won't say. */
static u64 lapsmp_route_rate(const struct lapsmp_route *r)
{
	struct ethtool_link_ksettings ks;
	struct net_device *dev;
	u64 mbit = 0;

	/* Devices are unregistered under this lock. */
	rtnl_lock();
	dev = READ_ONCE(r->dst->dev);
	/* veth says 10 Gbit/s and tun 10 Mbit/s, whatever is behind them. */
	if (dev->dev.parent && !__ethtool_get_link_ksettings(dev, &ks) &&
	    ks.base.speed != (u32)SPEED_UNKNOWN)
		mbit = ks.base.speed;
	rtnl_unlock();
	return mbit * (1000000 / 8);
}

u64 lapsmp_route_line_rate(const struct lapsmp_net *ln, const struct lapsmp_route *r)
{
	return READ_ONCE(ln->conf.line_rate) ?: lapsmp_route_rate(r) ?:
	       LAPSMP_LINE_RATE;
}
