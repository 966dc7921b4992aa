/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A receiving flow: the messages from one remote socket to one of ours, and how
 * they are acknowledged. Opened by the remote host, so everything here has a cap
 * and a timeout.
 *
 * Lifetime: one reference each of the table, of each message that can still be
 * read (it returns credit), of a queued acknowledgment, and of whoever works
 * on it. @ls is cleared under @lock when the socket goes; a flow without socket
 * is out of the table and only waits for its last reference.
 */
#ifndef _LAPSMP_RFLOW_H
#define _LAPSMP_RFLOW_H

#include <linux/rbtree.h>
#include <linux/rhashtable.h>
#include <linux/xarray.h>
#include "alg/seqmap.h"
#include "sock.h"

struct lapsmp_hdr;
struct lapsmp_route;

/* Paths that one remote flow may use; what comes on more is dropped. */
#define LAPSMP_RFLOW_MAX_PATHS	256

struct lapsmp_rflow_key {
	struct in6_addr	raddr;
	u64		id;
};

/**
 * struct lapsmp_rmsg - a message being received, or waiting to be read
 * @node: in rflow->msgs by number, until the flow's rcv_msg has passed it
 * @ready: in ls->rq, once it can be read
 * @refs: rflow->msgs, ls->rq, and each reader that looks at it
 * @rflow: with a reference
 * @ls: socket that it is charged to; it outlives the charge
 * @no: its number
 * @len: bytes in all
 * @got: bytes that are here, in @data and @ahead
 * @contig: bytes from 0 on that were appended to @data, ever
 * @data: skbs with the bytes from @read on, in order, without gap; guarded by
 *	rflow->lock until @whole, and by ls->rq_lock for partial readers
 * @ahead: skbs behind a gap, by offset; rflow->lock
 * @truesize: charged to the socket for them
 * @reserved: bytes of the namespace's budget it holds
 * @read: bytes that a partial reader has taken
 * @unordered: deliver as soon as whole
 * @whole: all bytes are here
 * @queued: is or was in ls->rq
 * @consumed: read (or given up): credit was returned
 * @aborted: the sender gave it up
 * @announced: the reader was told that it is whole
 * @waits: for the namespace's budget
 * @ifindex: device that it came in by, for packet info
 * @tstamp: arrival of its last byte (wall clock), if the socket wants it
 */
struct lapsmp_rmsg {
	struct rb_node		node;
	struct list_head	ready;
	refcount_t		refs;
	struct lapsmp_rflow	*rflow;
	struct lapsmp_sock	*ls;
	u32			no;
	u32			len;
	u32			got;
	u32			contig;
	struct sk_buff_head	data;
	struct rb_root		ahead;
	u32			truesize;
	u64			reserved;
	u32			read;
	bool			unordered;
	bool			whole;
	bool			queued;
	bool			consumed;
	bool			aborted;
	bool			announced;
	bool			waits;
	int			ifindex;
	ktime_t			tstamp;
};

/* In skb->cb of a segment's skb, which begins at its payload. */
struct lapsmp_rseg {
	u32	off;		/* of its first byte in the message */
	u32	len;		/* bytes that count, from the skb's start + skip */
	u32	skip;		/* bytes to skip in the skb */
};

static inline struct lapsmp_rseg *lapsmp_rseg(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct lapsmp_rseg) > sizeof(skb->cb));
	return (struct lapsmp_rseg *)skb->cb;
}

/**
 * struct lapsmp_rpath - what was received on one path of the flow
 * @seqs: sequences
 * @unacked: segments since the last ACK of this path
 * @arr_ns: when the highest arrived (monotonic)
 * @owd: of the highest, modulo 2^32
 * @owd_min: smallest since the last ACK
 * @rport: where ACKs go: UDP source port of its newest packet
 * @lport: and from where: the port it came to
 * @route: of the ACKs
 * @type: of the answer that is due: ACK, PROBE_ACK, WUPDATE
 * @due: an answer is due; the path is in rflow->due by @due_node
 * @id: the sender's name for it
 * @ect0, @ect1, @ce: counts
 */
struct lapsmp_rpath {
	struct lapsmp_seqmap seqs;
	u32		unacked;
	u64		arr_ns;
	u32		owd;
	u32		owd_min;
	__be16		rport;
	__be16		lport;
	u8		type;
	bool		due;
	u16		id;
	struct lapsmp_route *route;
	struct list_head due_node;
	u32		ect0;
	u32		ect1;
	u32		ce;
};

/**
 * struct lapsmp_rflow - see the file's head
 * @node: in ln->rflows
 * @key: immutable
 * @laddr: local address that it sends to; immutable
 * @ifindex: L3 device (VRF), or 0
 * @rport: remote lapsmp port; @lport: ours; immutable, network order
 * @ln: namespace
 * @refs: see above
 * @rcu: frees it
 * @sock_node: in ls->rflows; ls->rflow_lock
 * @lock: guards all below; softirqs off
 * @ls: socket, or NULL
 * @rcv_msg: lowest number not whole
 * @msgs: struct lapsmp_rmsg by number: not below @rcv_msg, or not delivered
 * @credit_done: credits of what was consumed, modulo 2^32
 * @limit: told to the sender
 * @credit_used: what it has used of it, modulo 2^32, by what arrived
 * @reserved: budget held by its messages
 * @n_unread: messages in ls->rq
 * @queued: bytes held for it, truesize
 * @got: bytes that are here of the messages in @msgs
 * @paths: struct lapsmp_rpath by id
 * @n_paths: how many
 * @last_path: path of the newest packet
 * @due: paths with an answer due
 * @ack_node: in a CPU's list of flows with answers due
 * @ack_queued: it is there
 * @used_ns: when the sender last said something
 */
struct lapsmp_rflow {
	struct rhash_head	node;
	struct lapsmp_rflow_key	key;
	struct in6_addr		laddr;
	int			ifindex;
	__be16			rport;
	__be16			lport;
	struct lapsmp_net	*ln;
	refcount_t		refs;
	struct rcu_head		rcu;
	struct list_head	sock_node;

	spinlock_t		lock;
	struct lapsmp_sock	*ls;
	u32			rcv_msg;
	struct rb_root		msgs;
	u32			credit_done;
	u32			limit;
	u32			credit_used;
	u64			reserved;
	u32			n_unread;
	u64			queued;
	u64			got;
	struct xarray		paths;
	u16			n_paths;
	u16			last_path;
	struct list_head	due;
	struct list_head	ack_node;
	bool			ack_queued;
	u64			used_ns;
};

void lapsmp_rflow_put(struct lapsmp_rflow *rf);

static inline void lapsmp_rflow_hold(struct lapsmp_rflow *rf)
{
	refcount_inc(&rf->refs);
}

/**
 * lapsmp_rflow_open() - a flow that a remote host opens
 * @ln: namespace
 * @sk: the socket it is for
 * @key: who opens it
 * @h: the packet, admitted
 * @skb: it came in
 *
 * Context: softirq, RCU. Return: flow with a reference, or NULL: the caps are
 * reached, memory is short, or the socket is closing.
 */
struct lapsmp_rflow *lapsmp_rflow_open(struct lapsmp_net *ln, struct sock *sk,
				       const struct lapsmp_rflow_key *key,
				       const struct lapsmp_hdr *h,
				       const struct sk_buff *skb);

/* Its path @id, made if need be; NULL if it has too many. rf->lock held. */
struct lapsmp_rpath *lapsmp_rflow_path(struct lapsmp_rflow *rf, u16 id);

/**
 * lapsmp_rflow_end() - the flow ends: nothing more is taken in
 * @rf: unlocked
 *
 * What is whole stays readable. Context: RCU (the socket must not vanish).
 */
void lapsmp_rflow_end(struct lapsmp_rflow *rf);

/* By address and id; takes a reference. Context: RCU. */
struct lapsmp_rflow *lapsmp_rflow_lookup(struct lapsmp_net *ln,
					 const struct lapsmp_rflow_key *key);

/**
 * lapsmp_rflow_detach_all() - the socket is closing
 * @ls: socket, already out of the bind table
 *
 * Ends every flow that delivers to it; those with unread or unfinished messages
 * are told by a RESET. Frees what was queued. Context: process.
 */
void lapsmp_rflow_detach_all(struct lapsmp_sock *ls);

/* --- for readers (recvmsg.c) -------------------------------------------- */

/**
 * lapsmp_rmsg_consumed() - a message (or @bytes more of it) was read
 * @m: no longer in ls->rq if @last
 * @bytes: newly read (partial), or the whole length
 * @last: nothing of it remains to be read
 *
 * Returns credit to the sender, frees skbs that were read, uncharges them and
 * sends a window update when it is worth one. Drops no reference.
 * Context: process or softirq; no lock held.
 */
void lapsmp_rmsg_consumed(struct lapsmp_rmsg *m, u32 bytes, bool last);

/* Readers take one under ls->rq_lock. */
static inline void lapsmp_rmsg_hold(struct lapsmp_rmsg *m)
{
	refcount_inc(&m->refs);
}

void lapsmp_rmsg_put(struct lapsmp_rmsg *m);

/* Bytes of @m that can be read now: under ls->rq_lock. */
static inline u32 lapsmp_rmsg_readable(const struct lapsmp_rmsg *m)
{
	/* Pairs with the release in reasm.c: the skbs are linked by then. */
	return smp_load_acquire(&m->contig) - m->read;
}

int lapsmp_rflow_net_init(struct lapsmp_net *ln);
void lapsmp_rflow_net_exit(struct lapsmp_net *ln);
void lapsmp_rflow_gc(struct lapsmp_net *ln, u64 now_ns, bool all);

#endif /* _LAPSMP_RFLOW_H */
