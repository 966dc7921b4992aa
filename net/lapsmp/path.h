/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Paths of a peer: the paper's path search table (the set) and path information
 * table (what is measured), shared by all flows to that peer.
 *
 * A path knows how it looks on the wire and how it does. It knows neither flows
 * nor segments: they tell it what happened.
 */
#ifndef _LAPSMP_PATH_H
#define _LAPSMP_PATH_H

#include <linux/ipv6.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <net/dst.h>
#include "alg/delivery.h"
#include "alg/jitter.h"
#include "alg/lean.h"
#include "alg/owd.h"
#include "alg/pathstate.h"
#include "alg/pmtu.h"
#include "alg/policy.h"
#include "alg/rtt.h"
#include "alg/srh.h"
#include "alg/ways.h"
#include "netns.h"

struct lapsmp_peer;

enum lapsmp_path_kind {
	LAPSMP_PATH_SPORT	= 1,	/* entropy by UDP source port */
	LAPSMP_PATH_FLOWLABEL	= 2,	/* by IPv6 flow label; port is shared */
	LAPSMP_PATH_SEGS	= 3,	/* by SRv6 segments, and what else it has */
	LAPSMP_PATH_ADDRS	= 4,	/* by addresses or a device of its own */
};

/* What of a path was chosen, and is not the peer's. */
#define LAPSMP_PATH_OWN_LOCAL	BIT(0)
#define LAPSMP_PATH_OWN_REMOTE	BIT(1)
#define LAPSMP_PATH_OWN_DEV	BIT(2)

/* Totals of a path; written by all flows on it. */
struct lapsmp_path_stats {
	atomic64_t tx_segs;		/* data, retransmissions included */
	atomic64_t tx_bytes;		/* payload */
	atomic64_t acked_segs;
	atomic64_t lost_segs;
	atomic64_t retrans_segs;	/* sent here, sent before elsewhere or here */
	atomic64_t spurious_segs;
	atomic64_t timeouts;
	atomic64_t probes;
};

/**
 * struct lapsmp_route - a route that was looked up for a path (RCU)
 * @rcu: frees it, and drops @dst
 * @dst: with a reference
 * @cookie: for dst_check()
 * @outer: source address of the packets that IPv4 ones are in, if they are
 */
struct lapsmp_route {
	struct rcu_head		rcu;
	struct dst_entry	*dst;
	u32			cookie;
	struct in6_addr		outer;
};

/**
 * struct lapsmp_path - one way to a peer
 * @refs: each set that it is in holds one, each flow that uses it another
 * @rcu: frees it
 * @id: our name for it, 1 to 65535, unique in the peer
 * @kind: enum lapsmp_path_kind
 * @automatic: made by ourselves, not by an administrator
 * @dead: no longer in the set; flows move what they have on it elsewhere
 * @own_sport: its source port was asked for, and is not one that is shared
 * @sport: source port, network order; 0 until it is bound
 * @flowlabel: IPv6 flow label, 20 bits, host order; 0 if it has none; like @sport
 *	set before the path is in a set, and immutable
 * @own: LAPSMP_PATH_OWN_*; likewise
 * @away: its addresses are not the peer's: a flow does not begin there; likewise
 * @saddr: source address of its packets; likewise
 * @daddr: their destination; likewise
 * @ifindex: device or VRF that they leave by, or 0; likewise
 * @line_rate: of the device that they left by when it was made, bytes/s; likewise
 * @line_dev: which that was, or 0; likewise
 * @segs: nodes to go by, or NULL; likewise
 * @encap: its packets are of IPv4, in one of IPv6 that goes by them; likewise
 * @conf_rate: configured rate of its slowest link, bytes/s, or 0; a lower one that is
 *	measured counts
 * @conf_base_ns: configured base delay; a larger one that is measured counts once
 *	@planned is over
 * @conf_weight: share for static policies
 * @conf_cost: what a packet costs the network, or 0: unknown
 * @state: enum lapsmp_path_state; written under the peer's lock
 * @why: why @state is what it is; a constant, likewise
 * @cut: it cannot be used from here: no route, carrier or address; likewise
 * @cuts: counts the times that it was cut; likewise
 * @timeouts: in a row, written under the peer's lock
 * @planned: the configured base, or that of paths alike, is still believed; written
 *	under the peer's lock
 * @planned_alike: published: a port of which the same was planned as of most others,
 *	lapsmp_pathplan_compare_costs()
 * @longer_ns: its delay less that of the shortest of those alike, while @planned; peer's lock
 * @first_ns: when its first delay was measured, or 0; peer's lock
 * @owd: raw delays; peer's lock
 * @jitter: what delays waver by; peer's lock
 * @raw_at_ns: when the newest of them was heard; peer's lock
 * @ways: its two ways apart; peer's lock
 * @rtt: round trips; peer's lock
 * @delivery: rate; peer's lock
 * @pmtu: path MTU; peer's lock
 * @lean: by how much it is avoided; peer's lock
 * @gen: counts changes of what lapsmp_path_view() shows, except @inflight and @clear_ns; from 1
 * @owd_ns: published (READ_ONCE): newest delay, offset removed
 * @heard_ns: published: when that was, or a timeout doubled it
 * @base_ns: published: base, offset removed
 * @margin_ns: published
 * @unseen: published: nothing is known of how fast its slowest link is
 * @frame_bytes: a full segment on the wire, by the newest sample; peer's lock
 * @pipe_ns: published: smallest round-trip time, 0 before the first sample
 * @swing_root: published: square root of margin_ns + pipe_ns / 4
 * @back_ns: published: newest queue on the way back
 * @queue_ns: published: delay above @base_ns, averaged (alg/lean.h)
 * @lean_q16: published: @lean's
 * @price_q16: published: what of that is for its cost: no more than it begins with
 * @srtt_ns: published
 * @rto_ns: published, without back-off
 * @pto_ns: published: how long a path's newest segment is waited for, see tail.c
 * @rate: published, bytes/s
 * @mtu: published: whole IP packet, bytes
 * @last_ack_ns: published: newest sample
 * @last_sent_ns: published: newest packet sent
 * @probe_ns: published: newest probe
 * @probe_backoff: probes in a row without an answer
 * @silent_ns: published: when the first of @timeouts was
 * @timeout_ns: when the last of them was: flows that share a dead path all see
 *	it time out, and of what was sent before this it is one timeout; written under
 *	the peer's lock
 * @inflight: data segments and probes under way, all flows
 * @clear_ns: published by whoever sends, without @gen: when its slowest link will have passed on
 *	what was sent, of all flows, if it does so at @rate
 * @queued_ns: newest sample of what did not pass others (alg/express.h)
 * @arr_ns: newest arrival by the receiver's stamp, unwrapped; peer's lock
 * @route: newest route; peer's lock to change, RCU to read
 * @up_ns: when it last came up, or 0: never
 * @down_ns: when it last went down
 * @stats: totals
 */
struct lapsmp_path {
	refcount_t		refs;
	struct rcu_head		rcu;
	u16			id;
	u8			kind;
	bool			automatic;
	bool			dead;
	bool			own_sport;
	__be16			sport;
	u32			flowlabel;
	u8			own;
	bool			away;
	struct in6_addr		saddr;
	struct in6_addr		daddr;
	int			ifindex;
	u64			line_rate;
	int			line_dev;
	struct lapsmp_segs	*segs;
	bool			encap;
	u64			conf_rate;
	u64			conf_base_ns;
	u32			conf_weight;
	u32			conf_cost;

	u8			state;
	bool			cut;
	u8			timeouts;
	u32			cuts;
	const char		*why;
	bool			planned;
	bool			planned_alike;
	u64			first_ns;
	s64			longer_ns;
	struct lapsmp_owd	owd;
	struct lapsmp_jitter	jitter;
	u64			raw_at_ns;
	struct lapsmp_ways	ways;
	struct lapsmp_rtt	rtt;
	struct lapsmp_delivery	delivery;
	struct lapsmp_pmtu	pmtu;
	struct lapsmp_lean	lean;

	u32			gen;
	s64			owd_ns;
	u64			heard_ns;
	s64			base_ns;
	s64			margin_ns;
	bool			unseen;
	u32			frame_bytes;
	u64			pipe_ns;
	u32			swing_root;
	u64			back_ns;
	u64			queue_ns;
	u32			lean_q16;
	u32			price_q16;
	u64			srtt_ns;
	u64			rto_ns;
	u64			pto_ns;
	u64			rate;
	u32			mtu;
	u64			last_ack_ns;
	u64			last_sent_ns;
	u64			probe_ns;
	u8			probe_backoff;
	u64			silent_ns;
	u64			timeout_ns;
	atomic_t		inflight;
	u64			clear_ns;

	u64			queued_ns;
	s64			arr_ns;
	struct lapsmp_route __rcu *route;

	u64			up_ns;
	u64			down_ns;
	struct lapsmp_path_stats stats;
};

/**
 * struct lapsmp_pathset - the paths of a peer, replaced as a whole (RCU)
 * @gen: rises with each change, so that flows notice
 * @n: how many
 * @path: in order of id
 */
struct lapsmp_pathset {
	struct rcu_head		rcu;
	u32			gen;
	u16			n;
	struct lapsmp_path	*path[];
};

/**
 * struct lapsmp_path_sample - what an acknowledgment says of its path
 * @now_ns: monotonic
 * @raw32: one-way delay as received, modulo 2^32
 * @mean_ns: by how much the mean of what it is for is more than that; of all of them, be they
 *	small or of another class
 * @heard: something is newly acknowledged
 * @rtt_ns: by our own record of the departure, receiver's delay taken off; 0 if that is
 *	not known
 * @arr_ns: receiver's stamp of the newest arrival, low 32 bits
 * @bytes: newly acknowledged, on the wire
 * @segs: likewise
 * @alone: when the newest one left nothing of ours was under way, on no path; but, if it is
 *	@lone, its like
 * @fresh: the newest packet is newly acknowledged, and no small probe (whose delays
 *	tell nothing)
 * @lone: it is a small probe whose delay does tell something (drain.c)
 * @lost: something was found to be lost by it
 * @asked: nothing but small probes is newly acknowledged: there is such a way
 * @small: it is clearly smaller than a full segment
 * @passed: it passed others (alg/express.h): their delay is more
 * @frame_bytes: a full segment on the wire
 * @ip_bytes: largest IP packet newly acknowledged
 * @timed: set by lapsmp_path_on_ack(): @queue_ns is known
 * @queue_ns: likewise: what its delay is beyond the path's base
 * @seen: likewise: @owd_ns is known
 * @owd_ns: likewise: the mean of what it is for (lapsmp_measure_mean()), offset removed
 */
struct lapsmp_path_sample {
	u64	now_ns;
	bool	heard;
	u32	raw32;
	s32	mean_ns;
	u64	rtt_ns;
	u32	arr_ns;
	u32	bytes;
	u32	segs;
	bool	alone;
	bool	fresh;
	bool	lone;
	bool	asked;
	bool	small;
	bool	passed;
	bool	lost;
	u32	frame_bytes;
	u32	ip_bytes;
	bool	timed;
	s64	queue_ns;
	bool	seen;
	s64	owd_ns;
};

/* Without an id. */
struct lapsmp_path *lapsmp_path_alloc(gfp_t gfp);

/* Nothing is known of it yet, except what is configured. @peer: locked, or new. */
void lapsmp_path_start(const struct lapsmp_peer *peer, struct lapsmp_path *p);

/**
 * lapsmp_path_configure_rate() - an administrator says how fast its slowest link is
 * @p: path
 * @rate: bytes/s, or 0: not any more, what was measured goes on
 *
 * It is believed until a lower one is measured, in the bounds of what others have learned
 * (lapsmp_pathplan_rate()).
 * Context: peer's lock.
 */
void lapsmp_path_configure_rate(struct lapsmp_path *p, u64 rate);

void lapsmp_path_put(struct lapsmp_path *p);

static inline void lapsmp_path_hold(struct lapsmp_path *p)
{
	refcount_inc(&p->refs);
}

/**
 * lapsmp_path_on_ack() - an acknowledgment came on the path
 * @peer: whose path it is
 * @p: the path
 * @s: what it says
 *
 * Never waits for another flow: measuring is skipped (and nothing is lost by
 * that) when another CPU holds the peer's lock; a change of state is not, nor what all
 * flows have waited for (@lone).
 *
 * Context: softirq or softirqs off, flow's lock held.
 */
void lapsmp_path_on_ack(struct lapsmp_peer *peer, struct lapsmp_path *p,
			struct lapsmp_path_sample *s);

/* A packet of @sent_ns timed out on the path: Context as above. */
void lapsmp_path_on_timeout(struct lapsmp_peer *peer, struct lapsmp_path *p,
			    u64 sent_ns, u64 now_ns);

/* @bytes on the wire were sent on it. */
void lapsmp_path_on_sent(struct lapsmp_peer *peer, struct lapsmp_path *p,
			 u32 bytes, u64 now_ns);

/**
 * lapsmp_path_on_cut() - it cannot be used from here
 * @why: no route, carrier or address; a constant
 *
 * It is down at once, and what flows have under way on it is lost. An answer that
 * comes yet does not bring it up.
 */
void lapsmp_path_on_cut(struct lapsmp_peer *peer, struct lapsmp_path *p,
			const char *why, u64 now_ns);

/* One that was cut can be used again. What was measured of it is forgotten. */
void lapsmp_path_on_back(struct lapsmp_peer *peer, struct lapsmp_path *p,
			 u64 now_ns);

/**
 * lapsmp_path_on_mtu() - what became of its MTU elsewhere
 * @mtu: IP packet size that a packet of ours met
 * @icmp: an ICMP error says so; else the route or the device does, surely
 */
void lapsmp_path_on_mtu(struct lapsmp_peer *peer, struct lapsmp_path *p,
			u32 mtu, bool icmp, u64 now_ns);

/*
 * A packet of @ip_bytes was lost: by a timeout, of what was sent at @timeout_of_ns,
 * or with 0 by later acknowledgments.
 */
void lapsmp_path_on_lost(struct lapsmp_peer *peer, struct lapsmp_path *p,
			 u32 ip_bytes, u64 timeout_of_ns, u64 now_ns);

/* Flows must look at it again. Context: peer's lock. */
static inline void lapsmp_path_changed(struct lapsmp_path *p)
{
	/* Pairs with lapsmp_view_refresh(). 0 is nobody's. */
	smp_store_release(&p->gen, p->gen + 1 ?: 1);
}

/* Bytes that its packets have for its segments, beside their own headers. */
static inline u32 lapsmp_path_segs_len(const struct lapsmp_path *p)
{
	if (!p->segs)
		return 0;
	return p->encap ? sizeof(struct ipv6hdr) + lapsmp_srh_encap_len(p->segs) :
			  lapsmp_srh_len(p->segs);
}

/* What struct lapsmp_path_view promises. */
#define LAPSMP_VIEW_SEGS_MAX		BIT(22)
#define LAPSMP_VIEW_SEG_NS_Q8_MAX	BIT_ULL(41)

/* Segments under way on it. */
static inline u32 lapsmp_path_inflight(const struct lapsmp_path *p)
{
	return clamp_t(int, atomic_read(&p->inflight), 0, LAPSMP_VIEW_SEGS_MAX);
}

/* What was measured of it is old after that time, and it is asked anew: LAPS's 2 realVal. */
#define LAPSMP_PATH_STALE_MIN_NS	(200ULL * 1000)

static inline u64 lapsmp_path_stale_ns(const struct lapsmp_path *p)
{
	return max(2 * READ_ONCE(p->srtt_ns), LAPSMP_PATH_STALE_MIN_NS);
}

/* A scheduler's view of it. */
void lapsmp_path_view(const struct lapsmp_path *p, u32 frame_bytes,
		      struct lapsmp_path_view *v);

#endif /* _LAPSMP_PATH_H */
