/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages being received: their life, their memory, and their way to the reader,
 * exactly once and in order. All calls but those for readers: rf->lock held.
 */
#ifndef _LAPSMP_RMSG_H
#define _LAPSMP_RMSG_H

#include "rflow.h"

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
 * @reserved: bytes of the budgets it holds: the namespace's, and that of all
 * @read: bytes that a partial reader has taken
 * @unordered: deliver as soon as whole
 * @whole: all bytes are here
 * @queued: is or was in ls->rq
 * @consumed: read (or given up): credit was returned
 * @aborted: the sender gave it up
 * @announced: the reader was told that it is whole
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
	u64			truesize;
	u32			reserved;
	u32			read;
	bool			unordered;
	bool			whole;
	bool			queued;
	bool			consumed;
	bool			aborted;
	bool			announced;
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

/* The one with number @no, or NULL. */
static inline struct lapsmp_rmsg *
lapsmp_rmsg_find(const struct lapsmp_rflow *rf, u32 no)
{
	struct rb_node *n = rf->msgs.rb_node;

	while (n) {
		struct lapsmp_rmsg *m = rb_entry(n, struct lapsmp_rmsg, node);
		s32 d = no - m->no;

		if (!d)
			return m;
		n = d < 0 ? n->rb_left : n->rb_right;
	}
	return NULL;
}

/* A new one, in the tree; NULL: no credit, no room, no memory. rf->ls set. */
struct lapsmp_rmsg *lapsmp_rmsg_new(struct lapsmp_rflow *rf, u32 no, u32 len);

/* As if it had never been made. */
void lapsmp_rmsg_unmake(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m);

/**
 * lapsmp_rmsg_charge() - is there room for a buffer?
 * @rf: flow, with a socket
 * @m: message that it is for
 * @truesize: of the buffer
 * @head: it has the first of what the flow waits for
 *
 * Return: whether it was charged.
 */
bool lapsmp_rmsg_charge(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m, u32 truesize,
			bool head);

/**
 * lapsmp_rmsg_admit() - is there credit and room for bytes of a message?
 * @rf: flow, with a socket
 * @m: message
 * @from: first of the bytes
 * @to: behind their last
 * @truesize: of the skb that they are in
 *
 * Return: whether they were charged, and are to be placed.
 */
bool lapsmp_rmsg_admit(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m, u32 from,
		       u32 to, u32 truesize);

/* So much of its memory is no longer the socket's. */
void lapsmp_rmsg_uncharge(struct lapsmp_rmsg *m, u64 truesize);

/**
 * lapsmp_rmsg_is_stuck() - has what the flow waits for found no room for long?
 * @rf: flow
 * @now_ns: monotonic
 *
 * As long as it holds what it has, it may be one of many that keep each other from coming
 * to an end.
 */
bool lapsmp_rmsg_is_stuck(const struct lapsmp_rflow *rf, u64 now_ns);

/* All of its bytes are here. */
void lapsmp_rmsg_whole(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m);

/* Can its reader have it now, or some of it? */
void lapsmp_rmsg_offer(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m);

/* Everything from rcv_msg on that is whole has had its turn. */
void lapsmp_rmsg_advance(struct lapsmp_rflow *rf);

/* Its sender gave it up, before it was whole. rf->ls set. */
void lapsmp_rmsg_abort(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m);

/* Drop all that cannot be read: not whole, or not yet queued. */
void lapsmp_rmsg_purge(struct lapsmp_rflow *rf);

/* A message that nobody will read: its socket closes. Flow not locked. */
void lapsmp_rmsg_drop(struct lapsmp_rmsg *m);

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
	/* Pairs with lapsmp_reasm_append(): the skbs are linked by then. */
	return smp_load_acquire(&m->contig) - m->read;
}

int lapsmp_rmsg_init(void);
void lapsmp_rmsg_exit(void);

#endif /* _LAPSMP_RMSG_H */
