// SPDX-License-Identifier: GPL-2.0
/* The addresses of this host that automatic paths of a peer come from. */
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <net/addrconf.h>
#include <net/if_inet6.h>
#include <net/l3mdev.h>
#include "autoaddr.h"
#include "route.h"

/* A list that is being made. */
struct lapsmp_autoaddr_fill {
	const struct lapsmp_peer	*peer;
	struct lapsmp_autoaddr		*list;
	unsigned int			n;
};

/* Whether packets from @addr leave by its device, and where they are going. */
static bool lapsmp_autoaddr_reaches(const struct lapsmp_peer *peer,
				    const struct in6_addr *addr, int ifindex)
{
	struct lapsmp_route_key key = {
		.saddr = *addr,
		.daddr = peer->key.raddr,
		.dport = peer->key.rport,
		.ifindex = ifindex,
		.strict = true,
		.mark = peer->key.mark,
		.tos = peer->key.tos,
	};
	struct lapsmp_route *r = lapsmp_route_lookup(peer->ln, &key);

	if (IS_ERR(r))
		return false;
	lapsmp_route_free(r);
	return true;
}

static void lapsmp_autoaddr_add(struct lapsmp_autoaddr_fill *f,
				const struct in6_addr *addr, int ifindex)
{
	if (f->n == LAPSMP_AUTOADDR_MAX ||
	    ipv6_addr_equal(addr, &f->peer->saddr) ||
	    !lapsmp_autoaddr_reaches(f->peer, addr, ifindex))
		return;
	f->list[f->n++] = (struct lapsmp_autoaddr){
		.addr = *addr,
		.ifindex = ifindex,
		.own = LAPSMP_PATH_OWN_LOCAL | LAPSMP_PATH_OWN_DEV,
	};
}

/* Under RCU. */
static void lapsmp_autoaddr_dev4(struct lapsmp_autoaddr_fill *f,
				 const struct net_device *dev)
{
	const struct in_device *in_dev = __in_dev_get_rcu(dev);
	const struct in_ifaddr *ifa;
	struct in6_addr addr;

	if (!in_dev)
		return;
	in_dev_for_each_ifa_rcu(ifa, in_dev) {
		if (ifa->ifa_scope != RT_SCOPE_UNIVERSE)
			continue;
		lapsmp_addr_set_v4(&addr, ifa->ifa_local);
		lapsmp_autoaddr_add(f, &addr, dev->ifindex);
	}
}

/* One that other hosts may be told of. */
static bool lapsmp_autoaddr_usable6(const struct inet6_ifaddr *ifp)
{
	return !(ifp->flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED |
			       IFA_F_DEPRECATED | IFA_F_TEMPORARY)) &&
	       !(ipv6_addr_type(&ifp->addr) & (IPV6_ADDR_LINKLOCAL |
					       IPV6_ADDR_LOOPBACK));
}

/* Under RCU. Routes are not looked up under the lock of a device's addresses. */
static void lapsmp_autoaddr_dev6(struct lapsmp_autoaddr_fill *f,
				 const struct net_device *dev)
{
	struct in6_addr addr[LAPSMP_AUTOADDR_MAX];
	struct inet6_dev *idev = __in6_dev_get(dev);
	const struct inet6_ifaddr *ifp;
	unsigned int i, n = 0;

	if (!idev)
		return;
	read_lock_bh(&idev->lock);
	list_for_each_entry(ifp, &idev->addr_list, if_list)
		if (n < ARRAY_SIZE(addr) && lapsmp_autoaddr_usable6(ifp))
			addr[n++] = ifp->addr;
	read_unlock_bh(&idev->lock);
	for (i = 0; i < n; i++)
		lapsmp_autoaddr_add(f, &addr[i], dev->ifindex);
}

unsigned int lapsmp_autoaddr_list(const struct lapsmp_peer *peer,
				  struct lapsmp_autoaddr *list)
{
	struct lapsmp_autoaddr_fill f = { .peer = peer, .list = list, .n = 1 };
	bool v4 = lapsmp_addr_is_v4(&peer->key.raddr);
	const struct net_device *dev;

	list[0] = (struct lapsmp_autoaddr){ .addr = peer->saddr };
	/*
	 * A program that is bound to a device wants no other. What is for this host
	 * itself must not leave it, which it would: by a named device even its own
	 * addresses are somewhere behind the default route.
	 */
	if (!READ_ONCE(peer->ln->conf.auto_addrs) || peer->key.ifindex ||
	    lapsmp_route_is_local(peer->ln, &peer->key.raddr, 0))
		return 1;
	rcu_read_lock();
	for_each_netdev_rcu(peer->ln->net, dev) {
		if (!netif_running(dev) || dev->flags & IFF_LOOPBACK ||
		    netif_is_l3_slave(dev) || netif_is_l3_master(dev))
			continue;
		if (v4)
			lapsmp_autoaddr_dev4(&f, dev);
		else
			lapsmp_autoaddr_dev6(&f, dev);
	}
	rcu_read_unlock();
	return f.n;
}
