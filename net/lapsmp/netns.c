// SPDX-License-Identifier: GPL-2.0
/*
 * A namespace's life. What must be gone before it may go is counted: when the
 * last peer, flow and remote has freed its memory (after a grace period each),
 * nothing can reach struct lapsmp_net any more, and no code of this module runs
 * on its behalf.
 */
#include <linux/random.h>
#include "ackgen.h"
#include "bind.h"
#include "cc.h"
#include "clock.h"
#include "flow.h"
#include "grants.h"
#include "mib.h"
#include "netns.h"
#include "peer.h"
#include "remote.h"
#include "renew.h"
#include "ropen.h"
#include "sched.h"
#include "sysctl.h"
#include "udp.h"
#include "watch.h"
#include "wire.h"

#define LAPSMP_GC_PERIOD	(5 * HZ)

unsigned int lapsmp_net_id __read_mostly;

static void lapsmp_netns_gc(struct work_struct *w)
{
	struct lapsmp_net *ln = container_of(w, struct lapsmp_net, gc.work);
	u64 now = lapsmp_clock_now();

	lapsmp_flow_gc(ln, now, false);
	lapsmp_rflow_gc(ln, now, false);
	lapsmp_remote_gc(ln, now, false);
	lapsmp_renew_run(ln, now);
	lapsmp_peer_gc(ln, now);
	if (!READ_ONCE(ln->closing))
		queue_delayed_work(system_power_efficient_wq, &ln->gc,
				   LAPSMP_GC_PERIOD);
}

void lapsmp_net_look(struct lapsmp_net *ln, unsigned long delay)
{
	unsigned long next = READ_ONCE(ln->watch_next), now = jiffies;

	/* Bounded: on 32 bits, one long past looks as if it were yet to come. */
	if (time_after(next, now))
		delay = max(delay, min_t(unsigned long, next - now, 10 * HZ));
	queue_delayed_work(system_unbound_wq, &ln->watch, delay);
}

/* What large messages may take; see lapsmp_af_size_memory(). */
static u64 lapsmp_netns_budget(void)
{
	struct sysinfo si;

	si_meminfo(&si);
	return (u64)si.totalram * si.mem_unit / LAPSMP_BUDGET_PART;
}

static void lapsmp_netns_conf(struct lapsmp_conf *c)
{
	*c = (struct lapsmp_conf){
		.port = LAPSMP_PORT,
		.auto_paths = 8,
		.auto_max = 64,
		.auto_renew_s = 10,
		.max_msg_bytes = 64 << 20,
		.rmem_bytes = 4 << 20,
		.wmem_bytes = 4 << 20,
		.budget_bytes = lapsmp_netns_budget(),
		.grant_bytes = 512 << 10,
		.user_timeout_ms = 30000,
		.linger_ms = 60000,
		.flow_msgs = LAPSMP_FLOW_MSGS,
		.max_rflows = 65536,
		.max_remotes = 16384,
		.initcwnd = LAPSMP_INITCWND,
		.express_bytes = { 12 << 10, 48 << 10, 128 << 10, 512 << 10 },
		.express_segs = 32,
		.beta_q8 = 256,
		.margin_segs = 5,
		.margin_ns = 3000,
		.lean_q8 = 16,
		.detour_q8 = 2048,
		.ack_prio = TC_PRIO_INTERACTIVE,
		.ack_tos = 0,
		.ack_segs = 1,
		.ack_batch = 16,
		.ack_wait_ns = 3000,
		.grants = 0,
	};
}

static int lapsmp_netns_tables(struct lapsmp_net *ln)
{
	int err;

	err = lapsmp_peer_net_init(ln);
	if (err)
		return err;
	err = lapsmp_flow_net_init(ln);
	if (err)
		goto err_peers;
	err = lapsmp_rflow_net_init(ln);
	if (err)
		goto err_flows;
	err = lapsmp_remote_net_init(ln);
	if (!err)
		return 0;
	rhltable_destroy(&ln->rflows);
err_flows:
	rhashtable_destroy(&ln->flows);
err_peers:
	rhashtable_destroy(&ln->peers);
	return err;
}

static void lapsmp_netns_free_tables(struct lapsmp_net *ln)
{
	rhashtable_destroy(&ln->remotes);
	rhltable_destroy(&ln->rflows);
	rhashtable_destroy(&ln->flows);
	rhashtable_destroy(&ln->peers);
}

static void lapsmp_netns_put_policies(struct lapsmp_net *ln)
{
	if (ln->sched)
		lapsmp_sched_put(ln->sched);
	if (ln->cc)
		lapsmp_cc_put(ln->cc);
}

static int __net_init lapsmp_netns_enter(struct net *net)
{
	struct lapsmp_net *ln = lapsmp_net(net);
	int err;

	ln->net = net;
	do
		ln->incarnation = get_random_u64();
	while (!ln->incarnation);
	spin_lock_init(&ln->policy_lock);
	spin_lock_init(&ln->open_lock);
	init_waitqueue_head(&ln->gone);
	INIT_DELAYED_WORK(&ln->gc, lapsmp_netns_gc);
	lapsmp_netns_conf(&ln->conf);
	lapsmp_udp_net_init(ln);
	lapsmp_bind_net_init(ln);
	lapsmp_grants_net_init(ln);
	ln->sched = lapsmp_sched_get("laps", false);
	ln->cc = lapsmp_cc_get("laps", false);
	err = -ENOENT;
	if (!ln->sched || !ln->cc)
		goto err_policies;
	err = lapsmp_mib_init(ln);
	if (err)
		goto err_policies;
	err = lapsmp_netns_tables(ln);
	if (err)
		goto err_mib;
	err = lapsmp_sysctl_net_init(ln);
	if (err)
		goto err_tables;
	err = lapsmp_watch_net_init(ln);
	if (err)
		goto err_sysctl;
	queue_delayed_work(system_power_efficient_wq, &ln->gc, LAPSMP_GC_PERIOD);
	return 0;

err_sysctl:
	lapsmp_sysctl_net_exit(ln);
err_tables:
	lapsmp_netns_free_tables(ln);
err_mib:
	lapsmp_mib_exit(ln);
err_policies:
	lapsmp_netns_put_policies(ln);
	return err;
}

/* Order matters: see Documentation/locking.md, "The end of a namespace". */
static void __net_exit lapsmp_netns_leave(struct net *net)
{
	struct lapsmp_net *ln = lapsmp_net(net);

	WRITE_ONCE(ln->closing, true);
	lapsmp_sysctl_net_exit(ln);
	lapsmp_watch_net_stop(ln);
	cancel_delayed_work_sync(&ln->gc);
	lapsmp_flow_net_exit(ln);	/* tells receivers, while it can */
	lapsmp_rflow_net_exit(ln);
	lapsmp_udp_net_exit(ln);	/* nothing comes in from here on */
	lapsmp_flow_net_exit(ln);
	lapsmp_rflow_net_exit(ln);
	lapsmp_peer_net_exit(ln);
	lapsmp_remote_gc(ln, 0, true);
	wait_event(ln->gone, !atomic_read(&ln->objects));
	lapsmp_watch_net_exit(ln);
	lapsmp_grants_net_exit(ln);
	/*
	 * All of them are freed by RCU. Whoever woke us is through after one
	 * round, and sets have let go of their paths; after the second, paths of
	 * their routes; after the third, routes of what belongs to the namespace.
	 */
	rcu_barrier();
	rcu_barrier();
	rcu_barrier();
	lapsmp_netns_free_tables(ln);
	lapsmp_mib_exit(ln);
	lapsmp_netns_put_policies(ln);
}

static struct pernet_operations lapsmp_netns_ops = {
	.init = lapsmp_netns_enter,
	.exit = lapsmp_netns_leave,
	.id = &lapsmp_net_id,
	.size = sizeof(struct lapsmp_net),
};

int lapsmp_netns_init(void)
{
	return register_pernet_subsys(&lapsmp_netns_ops);
}

void lapsmp_netns_exit(void)
{
	unregister_pernet_subsys(&lapsmp_netns_ops);
}
