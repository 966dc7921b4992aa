/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a socket has beyond an ordinary inet socket. The protocol's rooms reach
 * the socket only through this struct and the few calls below, so that a flow
 * or a message never has to know how programs read and write.
 */
#ifndef _LAPSMP_SOCK_H
#define _LAPSMP_SOCK_H

#include <linux/hashtable.h>
#include <linux/ipv6.h>
#include <net/inet_sock.h>
#include <net/sock.h>
#include "netns.h"

struct lapsmp_rmsg;

/* Buckets of a socket's own table of flows, by destination. */
#define LAPSMP_SOCK_FLOW_BITS	4

/**
 * struct lapsmp_sock_stats - totals of a socket, for LAPSMP_INFO
 *
 * Kept here because flows come and go.
 */
struct lapsmp_sock_stats {
	atomic64_t tx_messages;
	atomic64_t tx_bytes;
	atomic64_t tx_acked_messages;
	atomic64_t tx_failed_messages;
	atomic64_t tx_segs;
	atomic64_t retrans_segs;
	atomic64_t lost_segs;
	atomic64_t spurious_segs;
	atomic64_t rx_messages;
	atomic64_t rx_bytes;
	atomic64_t rx_dup_segs;
	atomic64_t rx_overflow_segs;
	atomic64_t rx_ooo_segs;
};

/**
 * struct lapsmp_sock - a lapsmp socket
 * @inet: must be first
 * @bind_node: in ln->binds, by local port (RCU; ln->bind_lock)
 * @bound: it is there
 * @flow_lock: guards @flows, @n_flows; inside the socket lock, outside a flow's
 * @flows: struct lapsmp_flow of this socket, by hash of peer and port (RCU)
 * @n_flows: how many
 * @rflow_lock: guards @rflows; outside a receiving flow's lock: never held while
 *	one is taken
 * @rflows: struct lapsmp_rflow that deliver to this socket
 * @rflow_closed: none may join any more
 * @n_rflows: how many (for the sharing of the window)
 * @rq_lock: guards @rq; innermost
 * @rq: struct lapsmp_rmsg that can be read, oldest first
 * @mem_lock: guards sk_forward_alloc; innermost
 * @mem_node: in the list of those that wait for the protocol's memory, see mem.c
 * @mem_more: bytes that it was refused at once for want of that, or 0
 * @wmem: bytes (with overhead) of messages queued or under way
 * @rmem: truesize of what was received and not yet read; also in @rq or not
 * @reserved: budget held by large messages on their way to this socket
 * @reader: serialises readers in LAPSMP_PARTIAL mode
 * @n_readers: that sleep in a call until there is something
 * @unordered: LAPSMP_UNORDERED
 * @partial: LAPSMP_PARTIAL
 * @notify: LAPSMP_NOTIFY
 * @user_timeout_ms: LAPSMP_USER_TIMEOUT
 * @sched: LAPSMP_SCHED, or NULL for the peer's or namespace's
 * @cc: LAPSMP_CC, or NULL
 * @msg_count: messages sent, numbers notices
 * @stats: totals
 */
struct lapsmp_sock {
	struct inet_sock	inet;

	struct hlist_node	bind_node;
	bool			bound;

	spinlock_t		flow_lock;
	struct hlist_head	flows[1 << LAPSMP_SOCK_FLOW_BITS];
	u32			n_flows;

	spinlock_t		rflow_lock;
	struct list_head	rflows;
	bool			rflow_closed;
	atomic_t		n_rflows;

	spinlock_t		rq_lock;
	struct list_head	rq;

	spinlock_t		mem_lock;
	struct list_head	mem_node;
	u64			mem_more;
	atomic_long_t		wmem;
	atomic_long_t		rmem;
	atomic64_t		reserved;
	struct mutex		reader;
	atomic_t		n_readers;

	bool			unordered;
	bool			partial;
	bool			notify;
	u32			user_timeout_ms;
	struct lapsmp_sched_ops	*sched;
	struct lapsmp_cc_ops	*cc;
	atomic64_t		msg_count;
	struct lapsmp_sock_stats stats;
};

/* An AF_INET6 socket; the IPv6 part must be last (inet6_sk_generic()). */
struct lapsmp6_sock {
	struct lapsmp_sock	lapsmp;
	struct ipv6_pinfo	inet6;
};

static inline struct lapsmp_sock *lapsmp_sk(const struct sock *sk)
{
	return (struct lapsmp_sock *)sk;
}

static inline struct sock *lapsmp_sock_sk(const struct lapsmp_sock *ls)
{
	return (struct sock *)&ls->inet.sk;
}

#endif /* _LAPSMP_SOCK_H */
