// SPDX-License-Identifier: GPL-2.0
/*
 * Watching this host's devices, addresses and routes, so that a path that loses one
 * of them is down at once, whether or not something is sent on it, and comes back
 * as soon as it is there again.
 *
 * A sender finds out by itself with its next packet (pathroute.c), but other flows
 * that have something under way there would wait for a timeout; and of a peer that is
 * idle people would be shown what was true when it was last used.
 *
 * Notifications come in all contexts, by the thousand when routes change, and say
 * little about paths. They only start a work item, which looks at all paths that
 * were ever used, and wakes the flows if one was cut or came back. Many peers and a
 * busy routing table must not keep a processor busy with that: it rests for eight
 * times as long as it has worked. What is not notified (sysctls, groups of next hops,
 * peers that were forgotten while flows use them) is seen with the next packet.
 */
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/addrconf.h>
#include <net/fib_notifier.h>
#include "clock.h"
#include "flow.h"
#include "pathroute.h"
#include "watch.h"

#define LAPSMP_WATCH_REST	8

/* --- looking ---------------------------------------------------------------- */

/* Under RCU. */
static void lapsmp_watch_peer(struct lapsmp_peer *peer, u64 now_ns)
{
	const struct lapsmp_pathset *ps;
	int i;

	local_bh_disable();
	ps = rcu_dereference_bh(peer->paths);
	for (i = 0; i < ps->n; i++)
		lapsmp_pathroute_look(peer, ps->path[i], now_ns);
	local_bh_enable();
}

/* A walk over many objects lets others run. */
static void lapsmp_watch_rest(struct rhashtable_iter *it)
{
	if (!need_resched())
		return;
	rhashtable_walk_stop(it);
	cond_resched();
	rhashtable_walk_start(it);
}

/* Flows that have something to do look at their paths in their next turn: now. */
static void lapsmp_watch_wake(struct lapsmp_net *ln)
{
	struct rhashtable_iter it;
	struct lapsmp_flow *f;

	rhashtable_walk_enter(&ln->flows, &it);
	rhashtable_walk_start(&it);
	while ((f = rhashtable_walk_next(&it))) {
		if (IS_ERR(f))
			continue;
		spin_lock_bh(&f->lock);
		if (f->state != LAPSMP_FLOW_DEAD && f->n_msgs)
			__lapsmp_flow_arm(f, lapsmp_clock_now());
		spin_unlock_bh(&f->lock);
		lapsmp_watch_rest(&it);
	}
	rhashtable_walk_stop(&it);
	rhashtable_walk_exit(&it);
}

static void lapsmp_watch_look(struct lapsmp_net *ln)
{
	struct rhashtable_iter it;
	struct lapsmp_peer *peer;

	rhashtable_walk_enter(&ln->peers, &it);
	rhashtable_walk_start(&it);
	while ((peer = rhashtable_walk_next(&it))) {
		if (IS_ERR(peer))
			continue;
		lapsmp_watch_peer(peer, lapsmp_clock_now());
		lapsmp_watch_rest(&it);
	}
	rhashtable_walk_stop(&it);
	rhashtable_walk_exit(&it);
}

static void lapsmp_watch_work(struct work_struct *w)
{
	struct lapsmp_net *ln = container_of(w, struct lapsmp_net, watch.work);
	int moves, seen = ln->watch_seen;
	u64 start;

	/* Some are notified of what is only about to be done: let it be done. */
	rtnl_lock();
	rtnl_unlock();
	start = lapsmp_clock_now();
	/* Answers to IPv4 that could not go by their segments may be able to now. */
	atomic_inc(&ln->answers_gen);
	lapsmp_watch_look(ln);
	moves = atomic_read(&ln->moves);
	ln->watch_seen = moves;
	if (moves != seen)
		lapsmp_watch_wake(ln);
	WRITE_ONCE(ln->watch_next, jiffies +
		   nsecs_to_jiffies(LAPSMP_WATCH_REST *
				    (lapsmp_clock_now() - start)));
}

/* --- what happens ------------------------------------------------------------ */

static int lapsmp_watch_device(struct notifier_block *nb, unsigned long event,
			       void *ptr)
{
	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		lapsmp_net_look(lapsmp_net(dev_net(netdev_notifier_info_to_dev(ptr))), 0);
	}
	return NOTIFY_DONE;
}

static int lapsmp_watch_addr4(struct notifier_block *nb, unsigned long event,
			      void *ptr)
{
	const struct in_ifaddr *ifa = ptr;

	lapsmp_net_look(lapsmp_net(dev_net(ifa->ifa_dev->dev)), 0);
	return NOTIFY_DONE;
}

static int lapsmp_watch_addr6(struct notifier_block *nb, unsigned long event,
			      void *ptr)
{
	const struct inet6_ifaddr *ifa = ptr;

	lapsmp_net_look(lapsmp_net(dev_net(ifa->idev->dev)), 0);
	return NOTIFY_DONE;
}

static int lapsmp_watch_fib(struct notifier_block *nb, unsigned long event,
			    void *ptr)
{
	/* Not at once: routes of IPv6 also change without the lock of the others. */
	lapsmp_net_look(container_of(nb, struct lapsmp_net, watch_fib), 1);
	return NOTIFY_DONE;
}

/* --- life -------------------------------------------------------------------- */

int lapsmp_watch_net_init(struct lapsmp_net *ln)
{
	int err;

	INIT_DELAYED_WORK(&ln->watch, lapsmp_watch_work);
	ln->watch_next = jiffies;
	ln->watch_fib.notifier_call = lapsmp_watch_fib;
	err = register_fib_notifier(ln->net, &ln->watch_fib, NULL, NULL);
	ln->watch_fib_on = !err;
	/* Too busy a table is no reason to refuse: senders see changes by themselves. */
	if (err && err != -EBUSY) {
		cancel_delayed_work_sync(&ln->watch);
		return err;
	}
	return 0;
}

void lapsmp_watch_net_stop(struct lapsmp_net *ln)
{
	if (ln->watch_fib_on)
		unregister_fib_notifier(ln->net, &ln->watch_fib);
}

void lapsmp_watch_net_exit(struct lapsmp_net *ln)
{
	cancel_delayed_work_sync(&ln->watch);
}

static struct notifier_block lapsmp_watch_devices = {
	.notifier_call = lapsmp_watch_device,
};

static struct notifier_block lapsmp_watch_addrs4 = {
	.notifier_call = lapsmp_watch_addr4,
};

static struct notifier_block lapsmp_watch_addrs6 = {
	.notifier_call = lapsmp_watch_addr6,
};

int lapsmp_watch_init(void)
{
	int err;

	err = register_netdevice_notifier(&lapsmp_watch_devices);
	if (err)
		return err;
	err = register_inetaddr_notifier(&lapsmp_watch_addrs4);
	if (err)
		goto err_devices;
	err = register_inet6addr_notifier(&lapsmp_watch_addrs6);
	if (!err)
		return 0;
	unregister_inetaddr_notifier(&lapsmp_watch_addrs4);
err_devices:
	unregister_netdevice_notifier(&lapsmp_watch_devices);
	return err;
}

void lapsmp_watch_exit(void)
{
	unregister_inet6addr_notifier(&lapsmp_watch_addrs6);
	unregister_inetaddr_notifier(&lapsmp_watch_addrs4);
	unregister_netdevice_notifier(&lapsmp_watch_devices);
}
