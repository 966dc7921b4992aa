/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one network namespace has of lapsmp: its settings, its tables and the
 * count of objects that must be gone before the namespace may go.
 */
#ifndef _LAPSMP_NETNS_H
#define _LAPSMP_NETNS_H

#include <linux/rhashtable.h>
#include <linux/siphash.h>
#include <linux/workqueue.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <uapi/linux/lapsmp.h>
#include "alg/express.h"
#include "grants.h"

struct lapsmp_mib;
struct lapsmp_sched_ops;
struct lapsmp_cc_ops;
struct ctl_table_header;

#define LAPSMP_BIND_BUCKETS	256
/* Segments. Enough to measure a path, few enough for 63 hosts to start at once; */
#define LAPSMP_INITCWND		8
/* and what 100 Gbit/s hold in 120 us: more, nobody should send unheard. */
#define LAPSMP_INITCWND_MAX	1024
/*
 * Part of the memory that large messages may reserve: their buffers take up to
 * twice their bytes, and a quarter of the memory is where receiving stops (parts.c).
 */
#define LAPSMP_BUDGET_PART	12

/**
 * struct lapsmp_conf - settings of a namespace
 *
 * Written by sysctl.c and nl.c, read with READ_ONCE anywhere.
 *
 * @port: UDP service port, host order; fixed once it was opened
 * @auto_paths: source-port paths made for a new peer, 0 to 256
 * @auto_addrs: and that from each local address, 0 or 1
 * @auto_max: but not more than so many, 1 to 256
 * @auto_renew_s: time that one of them may be down before it gets another port,
 *	seconds; 0: for ever
 * @max_msg_bytes: largest message, bytes
 * @line_rate: bytes/s; 0 asks the device, and takes 100 Gbit/s if it won't say
 * @fixed_rate: bytes/s for cc fixed, 0 is the line rate
 * @rmem_bytes: receive buffer of a new socket
 * @wmem_bytes: send buffer of a new socket
 * @budget_bytes: for messages larger than the receive buffer, all sockets
 * @grant_bytes: what a flow may have under way while @grants is not 0
 * @user_timeout_ms: without an answer for so long, a flow fails
 * @linger_ms: how long a closed socket's data may still be under way
 * @flow_msgs: messages of a flow, after which another one is opened (a test knob)
 * @max_rflows: incoming flows that remote hosts may open
 * @max_remotes: sender incarnations remembered
 * @initcwnd: segments that a new flow may have under way before it has heard of any,
 *	1 to LAPSMP_INITCWND_MAX
 * @express_bytes: messages up to these pass others, the shortest first, in the class of
 *	@express_tos in the same place; 0: none does in that one
 * @express_segs: segments of these that a flow may begin with, if not many do at once
 * @express_tos: DSCP and, ignored, ECN byte; 0: that of the next place, or they do not pass
 * @beta_q8: LAPS's beta in units of 1/T
 * @margin_segs: full segments of queueing allowed per path,
 * @margin_ns: or what is allowed if that is less
 * @lean_q8: how fast paths are left that are fuller than others, exponents of e per
 *	round trip and swing after a pause, 8 fractional bits; 0: never
 * @detour_q8: how strongly paths are left that cost more than the cheapest, exponents
 *	of e for twice its cost, 8 fractional bits; 0: not at all
 * @seed: for repeatable draws; 0 is random
 * @clock_offset_ns: added to every stamp on the wire (a test knob)
 * @clock_ppb: drift added to them (a test knob)
 * @ack_prio: skb priority of acknowledgments
 * @ack_tos: their DSCP and ECN byte
 * @ack_segs: they go back by the SRv6 segments that the data came by, 0 or 1
 * @ack_batch: segments per path after which an ACK leaves at once, 1 to 16
 * @ack_wait_ns: how long one may wait for what follows on its path, if that comes as
 *	densely; 0: for no longer than a batch
 * @grants: flows that may send large messages here at a time, 0 to
 *	LAPSMP_GRANTS_MAX; 0: all
 */
struct lapsmp_conf {
	u16	port;
	u16	auto_paths;
	u8	auto_addrs;
	u16	auto_max;
	u32	auto_renew_s;
	u32	max_msg_bytes;
	u64	line_rate;
	u64	fixed_rate;
	u32	rmem_bytes;
	u32	wmem_bytes;
	u64	budget_bytes;
	u32	grant_bytes;
	u32	user_timeout_ms;
	u32	linger_ms;
	u32	flow_msgs;
	u32	max_rflows;
	u32	max_remotes;
	u32	initcwnd;
	u32	express_bytes[LAPSMP_EXPRESS_CLASSES];
	u32	express_segs;
	u8	express_tos[LAPSMP_EXPRESS_CLASSES];
	u32	beta_q8;
	u32	margin_segs;
	u32	margin_ns;
	u32	lean_q8;
	u32	detour_q8;
	u64	seed;
	s64	clock_offset_ns;
	s32	clock_ppb;
	u32	ack_prio;
	u8	ack_tos;
	u8	ack_segs;
	u8	ack_batch;
	u32	ack_wait_ns;
	u8	grants;
};

/**
 * struct lapsmp_net - lapsmp in one network namespace
 * @net: the namespace
 * @incarnation: random, names this life of the namespace to its peers; never 0
 * @flow_number: last number given to a flow of ours
 * @cookie_key: secret of the stateless cookies
 * @conf: settings
 * @sched: default scheduler (RCU is not needed: policies pin their module)
 * @cc: default congestion control
 * @open_lock: one opening of a receiving flow at a time; softirq
 * @policy_lock: guards changes of @sched and @cc
 * @mib: counters
 * @peers: struct lapsmp_peer by key
 * @flows: struct lapsmp_flow (ours, sending) by id
 * @rflows: struct lapsmp_rflow (theirs, receiving) by id
 * @remotes: struct lapsmp_remote by address and incarnation
 * @peer_lock: guards creation and removal of peers and changes of path sets
 * @answers_gen: counts changes of what decides how answers travel
 * @udp_lock: guards @ports
 * @ports: struct lapsmp_port, the UDP ports that are open
 * @out4, @out6: the service port's sockets, for whatever wants one on the way
 *	out; set once, valid as long as anything sends
 * @bind_lock: guards @binds
 * @binds: sockets by local port (RCU)
 * @bind_secret: what spreads senders over the sockets of a port
 * @n_peers: count
 * @n_flows: count
 * @n_rflows: count
 * @n_rpaths: of their paths, together
 * @n_remotes: count
 * @n_unheard: of our flows, those that pass others with more than a first window of any
 *	flow, and have heard nothing yet (pass.c)
 * @budget_used: bytes of @conf.budget_bytes in use
 * @grants: whose turn it is to send large messages here
 * @reset_tokens: rate limit of stateless answers, refilled by time
 * @reset_at_ns: when it was last refilled
 * @gc: expires what is idle
 * @watch: looks at all paths when something of this host has changed
 * @watch_next: not before, in jiffies
 * @watch_fib: tells of changes of routes, if @watch_fib_on
 * @moves: counts paths that were cut or came back
 * @watch_seen: @moves when flows were last woken for it; the work item's own
 * @objects: peers, flows, rflows and remotes that still have memory
 * @gone: woken when @objects reaches 0
 * @sysctl: its header
 * @closing: the namespace is going; nothing new is made
 */
struct lapsmp_net {
	struct net		*net;
	u64			incarnation;
	atomic64_t		flow_number;
	siphash_key_t		cookie_key;
	struct lapsmp_conf	conf;
	struct lapsmp_sched_ops	*sched;
	struct lapsmp_cc_ops	*cc;
	spinlock_t		open_lock;
	spinlock_t		policy_lock;
	struct lapsmp_mib __percpu *mib;

	struct rhashtable	peers;
	struct rhashtable	flows;
	struct rhltable		rflows;
	struct rhashtable	remotes;
	struct mutex		peer_lock;
	atomic_t		answers_gen;

	struct mutex		udp_lock;
	struct list_head	ports;
	struct sock		*out4;
	struct sock		*out6;

	spinlock_t		bind_lock;
	struct hlist_head	binds[LAPSMP_BIND_BUCKETS];
	u32			bind_secret;

	atomic_t		n_peers;
	atomic_t		n_flows;
	atomic_t		n_rflows;
	atomic_t		n_rpaths;
	atomic_t		n_remotes;
	atomic_t		n_unheard;
	atomic64_t		budget_used;
	struct lapsmp_grants	grants;

	spinlock_t		reset_lock;
	u32			reset_tokens;
	u64			reset_at_ns;

	struct delayed_work	gc;
	struct delayed_work	watch;
	unsigned long		watch_next;
	struct notifier_block	watch_fib;
	bool			watch_fib_on;
	atomic_t		moves;
	int			watch_seen;
	atomic_t		objects;
	wait_queue_head_t	gone;
	struct ctl_table_header	*sysctl;
	void			*sysctl_table;
	bool			closing;
};

extern unsigned int lapsmp_net_id;

static inline struct lapsmp_net *lapsmp_net(const struct net *net)
{
	return net_generic(net, lapsmp_net_id);
}

/* Have all paths looked at, in @delay jiffies or later; see watch.c. Context: any. */
void lapsmp_net_look(struct lapsmp_net *ln, unsigned long delay);

int lapsmp_netns_init(void);
void lapsmp_netns_exit(void);

/* Count an object whose memory outlives its last user by a grace period. */
static inline void lapsmp_net_hold(struct lapsmp_net *ln)
{
	atomic_inc(&ln->objects);
}

/* From the object's RCU callback: nobody can reach the namespace through it. */
static inline void lapsmp_net_put(struct lapsmp_net *ln)
{
	if (atomic_dec_and_test(&ln->objects))
		wake_up_all(&ln->gone);
}

#endif /* _LAPSMP_NETNS_H */
