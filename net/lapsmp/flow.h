/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sending flow: the messages from one socket to one remote port, in one
 * direction. Owns the queue of messages, one ring per path, window and policies.
 *
 *	OPENING --cookie--> SENT --first ACK--> OPEN --idle, closed--> DEAD
 *	   '----- receiver's incarnation known ----^      any --error--> DEAD
 *
 * Lifetime: one reference each of the id table, of the socket's table, of a
 * queued timer, of a queued turn of the pump, and of whoever works on it. A DEAD
 * flow stays in the tables until its error was told, its socket closes, or the
 * collector finds it; its memory goes with the last reference, after a grace
 * period.
 */
#ifndef _LAPSMP_FLOW_H
#define _LAPSMP_FLOW_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/mm_types_task.h>
#include <linux/rbtree.h>
#include "alg/draw.h"
#include "alg/express.h"
#include "alg/lossring.h"
#include "alg/pacer.h"
#include "alg/vain.h"
#include "later.h"
#include "peer.h"
#include "sock.h"

enum lapsmp_flow_state {
	LAPSMP_FLOW_OPENING	= 0,	/* receiver's incarnation unknown */
	LAPSMP_FLOW_SENT	= 1,	/* OPEN in every packet */
	LAPSMP_FLOW_OPEN	= 2,	/* confirmed */
	LAPSMP_FLOW_DEAD	= 3,
};

/**
 * struct lapsmp_chunk - a stretch of a message's bytes in memory
 * @node: in the message's list, in order
 * @page: with a reference (may be compound)
 * @page_off: where the bytes start in it
 * @off: offset of the first in the message
 * @len: how many
 * @unacked: of them; at 0 the pages go
 */
struct lapsmp_chunk {
	struct list_head	node;
	struct page		*page;
	u32			page_off;
	u32			off;
	u32			len;
	u32			unacked;
};

/**
 * struct lapsmp_tmsg - a message being sent
 * @node: in flow->msgs
 * @refs: list membership and each segment
 * @no: its number in the flow
 * @len: bytes in all
 * @copied: bytes that the program has handed over, in @chunks
 * @sent: bytes transmitted at least once
 * @acked: bytes acknowledged
 * @charged: what lapsmp_mem_charge_tx() was told and not yet given back
 * @chunks: the bytes; freed from wherever they are acknowledged
 * @count: its number on the socket (notices)
 * @begun: its first segment was transmitted, its overhead counted as credit
 * @unordered: flag on the wire
 * @ranked: it was asked whether it passes others (alg/express.h)
 * @aborted: given up by the program: an ABORT travels instead
 * @whole: the receiver has all of it; its chunks are gone, whatever its segments
 *	believe
 * @notify: wants a notice
 * @queued_ns: when it was queued
 */
struct lapsmp_tmsg {
	struct list_head	node;
	u32			refs;
	u32			no;
	u32			len;
	u32			copied;
	u32			sent;
	u32			acked;
	u32			charged;
	struct list_head	chunks;
	u64			count;
	bool			begun;
	bool			unordered;
	bool			ranked;
	bool			aborted;
	bool			whole;
	bool			notify;
	u64			queued_ns;
};

enum lapsmp_seg_kind {
	LAPSMP_SEG_DATA		= 0,
	LAPSMP_SEG_ABORT	= 1,
	LAPSMP_SEG_PROBE	= 2,
};

/**
 * struct lapsmp_seg - a stretch of a message as it is transmitted
 * @node: in flow->lost while it waits to be sent again, else cleared
 * @msg: its message, with a reference; NULL for a probe
 * @chunk: where its first byte is; valid while not @done
 * @off: of its first byte in the message
 * @len: bytes; a PROBE's IP packet size
 * @refs: slots that point to it, and one for being in flow->lost
 * @kind: enum lapsmp_seg_kind
 * @done: acknowledged (or its message aborted): never send it again
 * @lone: a PROBE that is sent while nothing else is, to be measured by (drain.c)
 * @tx: times sent, saturating
 */
struct lapsmp_seg {
	struct rb_node		node;
	struct lapsmp_tmsg	*msg;
	struct lapsmp_chunk	*chunk;
	u32			off;
	u32			len;
	u16			refs;
	u8			kind;
	bool			done;
	bool			lone;
	u8			tx;
};

/**
 * struct lapsmp_fpath - a flow's part of a path
 * @path: with a reference
 * @ring: what was sent on it
 * @probe_out: a probe of this flow is under way on it
 * @joined: the receiver knows the address that it is sent from; until then each
 *	packet says whose it is (FROM)
 * @challenged: it does not, and has asked: only probes go by it
 * @has_token: it has asked; @token_time, @token_mac: for this
 * @asked_ns: when the flow last sent a probe on it
 * @tail_seq: the sequence after the last segment that was sent because the path was
 *	silent
 * @ce: congestion marks that the receiver has counted on it
 * @told: acknowledgments of others that told of it since one of its own came, wire.h
 * @train: packets that wait for more of this turn of the pump, or NULL
 * @train_level: of these, see alg/express.h
 * @seen_gen: state of @path that its view shows, see view.c
 * @cuts: how often @path had been cut when it was last looked at
 * @mss: payload that the path carries, known in turn @mss_turn
 * @mss_turn: f->turn then
 */
struct lapsmp_fpath {
	struct lapsmp_path	*path;
	struct lapsmp_ring	ring;
	bool			probe_out;
	bool			joined;
	bool			challenged;
	bool			has_token;
	u64			token_time;
	u64			token_mac;
	u64			asked_ns;
	u32			tail_seq;
	u32			ce;
	u8			told;
	struct sk_buff		*train;
	u8			train_level;
	u32			seen_gen;
	u32			cuts;
	u32			mss;
	u32			mss_turn;
};

/**
 * struct lapsmp_sight - what all paths of a flow say to the congestion control
 * @t_ns: smallest newest delay of paths not in back-off (LAPS: t)
 * @T_ns: largest base and margin (LAPS: T)
 * @base0_ns: smallest base
 * @over_ns: what the path with most room is above its base and margin, now or on the
 *	average
 * @margin_ns: margin of that path
 * @srtt_ns: smoothed round-trip time, mean over the paths in use; 0 if unknown
 * @n_heard: paths that are not down and were heard of
 * @any_usable: there is a path that is not down
 * @any_silent: there is one that is, or timed out, and was not heard since; or never
 */
struct lapsmp_sight {
	s64	t_ns;
	s64	T_ns;
	s64	base0_ns;
	s64	over_ns;
	s64	margin_ns;
	u64	srtt_ns;
	u32	n_heard;
	bool	any_usable;
	bool	any_silent;
};

/**
 * struct lapsmp_flow - see the file's head
 * @id_node: in ln->flows
 * @id: random, never 0; immutable
 * @ln: namespace
 * @peer: with a reference; immutable
 * @refs: see above
 * @rcu: frees it
 * @sock_node: in ls->flows; ls->flow_lock
 * @sport: local lapsmp port; immutable
 * @dport: remote lapsmp port; immutable
 * @number: of the flow; immutable
 * @write: one writer at a time, so that messages do not interleave; outside
 *	@lock and the socket's flow_lock
 * @lock: guards all below; softirqs off
 * @ls: socket, or NULL once it was closed (the flow is an orphan then)
 * @mem_bytes: what it takes beside its messages, as far as it is charged (flowmem.h)
 * @mem_of_sock: that is charged to the socket as well
 * @mem_of_orphan: and counts for what outlives sockets
 * @state: enum lapsmp_flow_state
 * @err: why it died (errno, positive), until it was told
 * @dead_ns: when
 * @rcv_inc: receiver's incarnation under which it was opened, or 0
 * @cookie_time: cookie to echo, valid if @has_cookie
 * @cookie_mac: likewise
 * @has_cookie: as it says
 * @msgs: messages not wholly acknowledged, in order
 * @next_no: number of the next message
 * @send_msg: message that new segments are cut from, or NULL
 * @n_msgs: length of @msgs
 * @queued: bytes charged for them
 * @unsent: bytes of them that were not yet transmitted, copied or not
 * @lost: segments to be sent again, by message and offset
 * @n_lost: how many
 * @inflight: data segments under way
 * @credit_used: credits used, modulo 2^32
 * @credit_limit: credits allowed
 * @rcv_msg: newest of the receiver's (messages below it are whole)
 * @made_ns: when it began; immutable
 * @probe_at_ns: when the pump looks again whether silent paths are to be asked
 * @wprobe_at_ns: when to send a window probe, 0 if not blocked
 * @wprobe_shift: back-off of it
 * @wprobe_other: the last one did not go by the likeliest path
 * @wprobe_path: index of the path that the last such one went by
 * @wprobe_sent_ns: when
 * @fpaths: per path, in the order of the set
 * @views: the same, as schedulers see them
 * @path_sum: the same together
 * @sight: what they say together to the control
 * @weights: scratch for schedulers
 * @n_paths: entries in these
 * @paths_gen: generation of the set that they came from
 * @turn: counts turns of the pump and of the timer
 * @frame_bytes: a full segment on the wire, by the largest path MTU
 * @piece_bytes: payload of a full segment, by the smallest path MTU
 * @cc: state of the congestion control
 * @cc_ops: which
 * @cc_cfg: what it was told
 * @sched_ops: scheduler
 * @sched_priv: its state
 * @rng: state of its random numbers
 * @draw: of those that are spread evenly
 * @express: whether what it sends passes others
 * @unheard: counted in ln->n_unheard
 * @pacer: next departure
 * @timer: pacing, timeouts, probes; holds a reference while queued
 * @timer_at: what it is set to; 0 if neither queued nor about to run
 * @push: the pump is to run, see tx.c; holds a reference while queued
 * @answer_ns: when the peer last answered, or the first packet since it was idle
 * @acked_ns: when a segment or probe was last acknowledged, by whatever path
 * @acked_sent_ns: when the newest of all that were acknowledged had left
 * @vain: of what is sent again and again, while the peer answers
 * @active_ns: when something was last under way
 * @app_limited: nothing to send at some time since the last sample
 * @linger_ns: an orphan's end, 0 if it is none
 * @soft_err: what ICMP said; reported if the flow times out
 * @user_timeout_ms: as chosen by the socket
 * @unordered: as chosen by the socket
 * @stats_lost, @stats_retrans, @stats_segs, @stats_spurious: totals of the flow
 */
struct lapsmp_flow {
	struct rhash_head	id_node;
	u64			id;
	struct lapsmp_net	*ln;
	struct lapsmp_peer	*peer;
	refcount_t		refs;
	struct rcu_head		rcu;
	struct hlist_node	sock_node;
	__be16			sport;
	__be16			dport;
	u64			number;

	struct mutex		write;

	spinlock_t		lock;
	struct lapsmp_sock	*ls;
	u32			mem_bytes;
	bool			mem_of_sock;
	bool			mem_of_orphan;
	u8			state;
	int			err;
	u64			dead_ns;
	u64			rcv_inc;
	u64			cookie_time;
	u64			cookie_mac;
	bool			has_cookie;

	struct list_head	msgs;
	u32			next_no;
	struct lapsmp_tmsg	*send_msg;
	u32			n_msgs;
	u64			queued;
	u64			unsent;
	struct rb_root_cached	lost;
	u32			n_lost;
	u32			inflight;

	u32			credit_used;
	u32			credit_limit;
	u32			rcv_msg;
	u64			made_ns;
	u64			probe_at_ns;
	u64			wprobe_at_ns;
	u8			wprobe_shift;
	bool			wprobe_other;
	u16			wprobe_path;
	u64			wprobe_sent_ns;

	struct lapsmp_fpath	*fpaths;
	struct lapsmp_path_view	*views;
	struct lapsmp_path_sum	path_sum;
	struct lapsmp_sight	sight;
	u32			*weights;
	u16			n_paths;
	u32			paths_gen;
	u32			turn;
	u32			frame_bytes;
	u32			piece_bytes;

	struct lapsmp_cc	cc;
	struct lapsmp_cc_ops	*cc_ops;
	struct lapsmp_cc_cfg	cc_cfg;
	struct lapsmp_sched_ops	*sched_ops;
	u8			sched_priv[LAPSMP_SCHED_PRIV] __aligned(8);
	u64			rng;
	struct lapsmp_draw	draw;
	struct lapsmp_express	express;
	bool			unheard;
	struct lapsmp_pacer	pacer;
	struct hrtimer		timer;
	u64			timer_at;
	struct lapsmp_later	push;

	u64			answer_ns;
	u64			acked_ns;
	u64			acked_sent_ns;
	struct lapsmp_vain	vain;
	u64			active_ns;
	bool			app_limited;
	u64			linger_ns;
	int			soft_err;
	u32			user_timeout_ms;
	bool			unordered;

	u64			stats_segs;
	u64			stats_retrans;
	u64			stats_lost;
	u64			stats_spurious;
	u64			stats_acked_bytes;
};

/* --- lifetime -------------------------------------------------------- */

/**
 * lapsmp_flow_get() - the socket's flow to a destination, made if need be
 * @ls: socket, bound
 * @key: how the peer is reached
 * @dport: remote lapsmp port
 *
 * A flow that died with an error not yet told is not replaced: its error is
 * returned once, and the next call makes a new flow.
 *
 * Context: process, may sleep; socket not locked by the flow code.
 * Return: flow with a reference, or ERR_PTR: as lapsmp_peer_get(), or the error
 * of the last flow to this destination (-ETIMEDOUT, -ECONNREFUSED, ...).
 */
struct lapsmp_flow *lapsmp_flow_get(struct lapsmp_sock *ls,
				    const struct lapsmp_peer_key *key,
				    __be16 dport);
void lapsmp_flow_put(struct lapsmp_flow *f);

static inline void lapsmp_flow_hold(struct lapsmp_flow *f)
{
	refcount_inc(&f->refs);
}

/* By id; takes a reference. Context: RCU or softirq. */
struct lapsmp_flow *lapsmp_flow_lookup(struct lapsmp_net *ln, u64 id);

/**
 * __lapsmp_flow_kill() - end a flow: nothing more is sent or retried
 * @f: locked
 * @err: 0, or what programs are told (positive errno)
 *
 * Messages not acknowledged fail: notices, the socket's error if it is connected
 * to this destination, else the error of the next send to it. Idempotent.
 *
 * Context: any; f->lock held.
 */
void __lapsmp_flow_kill(struct lapsmp_flow *f, int err);

/**
 * lapsmp_flow_orphan() - the socket is closing
 * @f: its flow
 * @abort: drop what is under way (linger time 0), tell the receiver
 *
 * What was sent goes on being delivered, no longer charged to the socket, for
 * conf.linger_ms at most; then the flow ends by itself. Where orphans have all the
 * memory that they may, it ends at once, and its messages fail.
 * Context: process.
 */
void lapsmp_flow_orphan(struct lapsmp_flow *f, bool abort);

/**
 * lapsmp_flow_drained() - is everything that the socket sent acknowledged?
 * (For SO_LINGER.) Context: any.
 */
bool lapsmp_flow_drained(struct lapsmp_sock *ls);

/* 32 random bits of the flow's own, repeatable if the namespace has a seed. */
u32 __lapsmp_flow_random(struct lapsmp_flow *f);

/* Arm the timer for @at_ns if it is not set to something earlier; f->lock. */
void __lapsmp_flow_arm(struct lapsmp_flow *f, u64 at_ns);

/* Who runs when it fires, with f->lock held, in softirq. Once, at init. */
void lapsmp_flow_set_timer(void (*fn)(struct lapsmp_flow *f));

/*
 * Remove a flow that is dead from the tables. @ls: its socket, or NULL.
 * Context: any without a lock; RCU.
 */
void lapsmp_flow_unlink(struct lapsmp_flow *f, struct lapsmp_sock *ls);

/* Expire what is idle or lingers; abort all if the namespace goes. Process. */
void lapsmp_flow_gc(struct lapsmp_net *ln, u64 now_ns, bool all);

int lapsmp_flow_net_init(struct lapsmp_net *ln);
void lapsmp_flow_net_exit(struct lapsmp_net *ln);

/* Bytes that the flow has queued or under way, as charged. Context: any. */
static inline u64 lapsmp_flow_queued(const struct lapsmp_flow *f)
{
	return READ_ONCE(f->queued);
}

/*
 * Messages are numbered with 32 bits and never twice in a flow: no more of them begin, and when
 * those that have are done it ends, and another one is opened. Context: f->lock or f->write.
 */
static inline bool lapsmp_flow_is_used_up(const struct lapsmp_flow *f)
{
	return READ_ONCE(f->next_no) > READ_ONCE(f->ln->conf.flow_msgs);
}

static inline bool lapsmp_flow_is_dead(const struct lapsmp_flow *f)
{
	return READ_ONCE(f->state) == LAPSMP_FLOW_DEAD;
}

#endif /* _LAPSMP_FLOW_H */
