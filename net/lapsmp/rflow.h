/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A receiving flow: the messages from one remote socket to one of ours, and how
 * they are acknowledged. Opened by the remote host, so everything here has a cap
 * and a timeout.
 *
 * Lifetime: one reference each of the table, of each message that can still be
 * read (it returns credit), of a queued acknowledgment, of its timer while that is
 * set, of a turn that it is told of, and of whoever works on it. @ls is cleared under
 * @lock when the socket goes; a flow without socket is out of the table and only waits
 * for its last reference.
 */
#ifndef _LAPSMP_RFLOW_H
#define _LAPSMP_RFLOW_H

#include <linux/hrtimer.h>
#include <linux/rbtree.h>
#include <linux/rhashtable.h>
#include <linux/xarray.h>
#include "addr.h"
#include "alg/owdmean.h"
#include "alg/seqmap.h"
#include "alg/srh.h"
#include "grants.h"
#include "later.h"
#include "sock.h"

struct lapsmp_route;

/* Addresses of one remote flow beside the one that opened it. */
#define LAPSMP_RFLOW_MAX_ADDRS	16
/* Paths of one remote flow that are remembered. */
#define LAPSMP_RFLOW_MAX_PATHS	256

struct lapsmp_rflow_key {
	struct in6_addr	raddr;
	u64		id;
};

/**
 * struct lapsmp_raddrs - from where else a flow's packets may come (RCU)
 * @rcu: frees it
 * @n: how many
 * @addr: each was proven, see rjoin.c
 */
struct lapsmp_raddrs {
	struct rcu_head	rcu;
	unsigned int	n;
	struct in6_addr	addr[];
};

/**
 * struct lapsmp_rpath - what was received on one path of the flow
 * @seqs: sequences
 * @unacked: segments since the last ACK of this path
 * @arr_ns: when the highest arrived (monotonic)
 * @first_ns: when the first of @unacked did
 * @dense: that was soon after one that could be answered by the same packet, and none is missing
 *	since
 * @shared: the flow's packet before was of another path, and the same packet could answer both
 * @told: ACKs of other paths that told of this one since its own last one
 * @owd: of the highest, modulo 2^32
 * @low: the lowest of them of late, likewise
 * @newer: it has arrived since its batch was last looked at
 * @mean: of batches since the last ACK, of the newest of each
 * @way: of its newest packet; answers go back by it
 * @back: and by these nodes, or NULL: those that it came by, or of an IPv4 host
 *	those that were configured for it
 * @answers_gen: ln->answers_gen when that was looked at
 * @by: what @route is to: @back, or NULL if there is no way to the first of them
 * @route: of the ACKs
 * @type: of the answer that is due: ACK, PROBE_ACK, WUPDATE
 * @due: an answer is due; the path is in rflow->due by @due_node
 * @id: the sender's name for it
 * @ect0, @ect1, @ce: packets that came with this in their ECN field
 * @ce_told: @ce when an ACK told it last
 */
struct lapsmp_rpath {
	struct lapsmp_seqmap seqs;
	u32		unacked;
	u64		arr_ns;
	u64		first_ns;
	bool		dense;
	bool		shared;
	u8		told;
	u32		owd;
	u32		low;
	bool		newer;
	struct lapsmp_owdmean mean;
	struct lapsmp_way way;
	struct lapsmp_segs *back;
	int		answers_gen;
	const struct lapsmp_segs *by;
	u8		type;
	bool		due;
	u16		id;
	struct lapsmp_route *route;
	struct list_head due_node;
	u32		ect0;
	u32		ect1;
	u32		ce;
	u32		ce_told;
};

/**
 * struct lapsmp_rflow - see the file's head
 * @node: in ln->rflows, by id
 * @key: immutable; the address that opened it
 * @snd_inc: the sender's incarnation; immutable
 * @laddr: local address that it was opened to; immutable
 * @ifindex: L3 device (VRF), or 0
 * @rport: remote lapsmp port; @lport: ours; immutable, network order
 * @ln: namespace
 * @refs: see above
 * @rcu: frees it
 * @sock_node: in ls->rflows; ls->rflow_lock
 * @raddrs: where else its packets come from, or NULL; @lock to change
 * @lock: guards all below; softirqs off
 * @ls: socket, or NULL
 * @rcv_msg: lowest number not whole
 * @msgs: struct lapsmp_rmsg by number: not below @rcv_msg, or not delivered
 * @credit_done: credits of what was consumed, modulo 2^32
 * @limit: what its sender may use in all, modulo 2^32
 * @told: the same, when an answer was sent last; @limit may have become more since
 * @credit_used: what it has used of it, modulo 2^32, by what arrived
 * @reserved: budget held by its messages
 * @reserve_msg: lowest number that may still need some of it
 * @n_unread: messages in ls->rq
 * @begun: of those, the one that was read in part, or NULL; ls->rq_lock
 * @queued: bytes held for it, truesize
 * @stuck_ns: when there was first no room for what it waits for; 0: there was some since
 * @got: bytes that are here of the messages in @msgs
 * @rest: bytes still to come of messages that have begun
 * @turn: its place among those that want to send more; ln->grants.lock
 * @paths: struct lapsmp_rpath by id
 * @n_paths: how many
 * @last_path: path of the newest packet
 * @due: paths with an answer due
 * @n_early: packets so far, up to those that are answered each
 * @arr_ns: when the newest arrived, by whatever path (monotonic)
 * @arr_path: that path
 * @acks: answers are due, see ackgen.c; holds a reference while queued
 * @ack_timer: ends waiting for what is behind; holds a reference while queued
 * @ack_at_ns: what it is set to; 0 if neither queued nor about to run
 * @used_ns: when the sender last said something
 */
struct lapsmp_rflow {
	struct rhlist_head	node;
	struct lapsmp_rflow_key	key;
	u64			snd_inc;
	struct in6_addr		laddr;
	int			ifindex;
	__be16			rport;
	__be16			lport;
	struct lapsmp_net	*ln;
	refcount_t		refs;
	struct rcu_head		rcu;
	struct list_head	sock_node;
	struct lapsmp_raddrs __rcu *raddrs;

	spinlock_t		lock;
	struct lapsmp_sock	*ls;
	u32			rcv_msg;
	struct rb_root		msgs;
	u32			credit_done;
	u32			limit;
	u32			told;
	u32			credit_used;
	u64			reserved;
	u32			reserve_msg;
	u32			n_unread;
	struct lapsmp_rmsg	*begun;
	u64			queued;
	u64			stuck_ns;
	u64			got;
	u64			rest;
	struct lapsmp_turn	turn;
	struct xarray		paths;
	u16			n_paths;
	u16			last_path;
	struct list_head	due;
	u32			n_early;
	u64			arr_ns;
	u16			arr_path;
	struct lapsmp_later	acks;
	struct hrtimer		ack_timer;
	u64			ack_at_ns;
	u64			used_ns;
};

void lapsmp_rflow_put(struct lapsmp_rflow *rf);

static inline void lapsmp_rflow_hold(struct lapsmp_rflow *rf)
{
	refcount_inc(&rf->refs);
}

/* Was @raddr proven since another address has opened the flow? Context: RCU. */
bool lapsmp_rflow_comes_from(const struct lapsmp_rflow *rf,
			     const struct in6_addr *raddr);

/* Its path @id, made if need be, in place of another; or NULL. rf->lock held. */
struct lapsmp_rpath *lapsmp_rflow_path(struct lapsmp_rflow *rf, u16 id);

#endif /* _LAPSMP_RFLOW_H */
