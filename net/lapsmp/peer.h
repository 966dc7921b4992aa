/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A remote host as we reach it: key, path set, clock offset and drift, and the
 * incarnation that it last told us. Shared by all flows to it that agree on
 * everything that chooses a route.
 */
#ifndef _LAPSMP_PEER_H
#define _LAPSMP_PEER_H

#include <linux/rhashtable.h>
#include <linux/xarray.h>
#include "alg/drain.h"
#include "alg/gap.h"
#include "alg/noise.h"
#include "alg/skew.h"
#include "path.h"
#include "rto.h"

/**
 * struct lapsmp_peer_key - what makes two ways to a host different
 *
 * Compared as memory: zero it before filling it.
 *
 * @raddr: remote address
 * @laddr: local address, or unspecified: the route chooses
 * @ifindex: bound device (or VRF), or 0
 * @mark: SO_MARK
 * @rport: remote service port, network order
 * @tos: IP_TOS / IPV6_TCLASS
 */
struct lapsmp_peer_key {
	struct in6_addr	raddr;
	struct in6_addr	laddr;
	int		ifindex;
	u32		mark;
	__be16		rport;
	u8		tos;
	u8		pad;
};

/**
 * struct lapsmp_answers - how answers to an IPv4 host travel (RCU)
 * @rcu: frees it
 * @segs: SRv6 segments, the last of which takes packets of IPv4 out
 */
struct lapsmp_answers {
	struct rcu_head		rcu;
	struct lapsmp_segs	segs;
};

/**
 * struct lapsmp_peer - see the file's head
 * @node: in ln->peers
 * @key: immutable
 * @ln: its namespace
 * @refs: one of the table, one of each flow
 * @rcu: frees it
 * @lock: PIT: measuring state of all paths, @skew, @raw_ns, @gap, @drain, @offset_ns. Taken
 *	inside a flow's lock; on the way of an ACK only tried.
 * @paths: struct lapsmp_pathset; changed under ln->peer_lock
 * @next_path_id: next id to give to a path of an administrator; ln->peer_lock
 * @next_auto_id: and to one of our own; ln->peer_lock
 * @used_ids: those that paths ever had; ln->peer_lock
 * @rcv_inc: incarnation of its receiver, 0 unknown (READ_ONCE)
 * @raw_ns: newest raw delay of any path, unwrapped
 * @has_raw: it is valid
 * @gap: how near full packets were to each other there
 * @drain: whether its paths are to run empty
 * @offset_ns: clock offset: smallest of the paths' anchors
 * @skew: drift
 * @lean_mean: how full its paths are on average; @lock
 * @usual: what delays to it waver by; @lock
 * @noise: and what they do while we do not send to it; @lock
 * @unplanned_ns: by how much paths take longer than configured, at least; @lock, valid from
 *	the first sample on
 * @drawn_base_ns: the least that full packets take by drawn ports without a queue, whatever
 *	each one's own margin; likewise
 * @drawn_rtt_ns: and their shortest round trip
 * @drawn_link_rate: of the fastest link that one of them has shown, bytes/s, or 0; @lock
 * @drawn_pushed_rate: the fastest that two packets followed each other by one of them that were
 *	sent faster, likewise
 * @pushed_rate: by any path, likewise
 * @learned_rate: the highest that one of its paths that are not down has learned, bytes/s,
 *	or 0; written under @lock
 * @learned_part_q32: the largest part of a configured rate that one of those has learned, 32
 *	fractional bits, or 0; written under @lock
 * @least_cost: of its paths that have one and are not down, or 0; @lock
 * @saddr: source address of its packets, but for paths with another one: as the key
 *	says, or as the first route chose; immutable, since it is what we are known by
 * @saddr_foreign: it was not an address of this host from the beginning
 * @line_rate: bytes/s of the first route's device
 * @line_dev: which that is
 * @rto_guess_ns: for paths that were not heard of yet, by one that was; 400 us or more
 * @mtu: of the first route; where its paths begin
 * @renewed_ns: when paths of it were last given other ports; the collector's own
 * @renew_shift: how often that was in vain, likewise
 * @renew_nth: which of the ports that we draw comes next; ln->peer_lock
 * @used_ns: when a flow last used it
 * @hashed: it was put into ln->peers: others may see it
 * @configured: an administrator made it, or made or changed a path of it; never
 *	expires
 * @sched: chosen for this peer, or NULL
 * @cc: likewise
 * @answers: or NULL: the plain route; changed under ln->peer_lock
 */
struct lapsmp_peer {
	struct rhash_head	node;
	struct lapsmp_peer_key	key;
	struct lapsmp_net	*ln;
	refcount_t		refs;
	struct rcu_head		rcu;
	spinlock_t		lock;
	struct lapsmp_pathset __rcu *paths;
	u16			next_path_id;
	u16			next_auto_id;
	struct xarray		used_ids;
	u64			rcv_inc;
	struct in6_addr		saddr;
	bool			saddr_foreign;
	u64			line_rate;
	int			line_dev;
	u64			rto_guess_ns;
	u32			mtu;
	s64			raw_ns;
	bool			has_raw;
	struct lapsmp_gap	gap;
	struct lapsmp_drain	drain;
	s64			offset_ns;
	struct lapsmp_skew	skew;
	struct lapsmp_lean_mean	lean_mean;
	struct lapsmp_jitter_usual usual;
	struct lapsmp_noise	noise;
	s64			unplanned_ns;
	s64			drawn_base_ns;
	u64			drawn_rtt_ns;
	u64			drawn_link_rate;
	u64			drawn_pushed_rate;
	u64			pushed_rate;
	u64			learned_rate;
	u64			learned_part_q32;
	u32			least_cost;
	u64			renewed_ns;
	u8			renew_shift;
	u32			renew_nth;
	u64			used_ns;
	bool			hashed;
	bool			configured;
	struct lapsmp_sched_ops	*sched;
	struct lapsmp_cc_ops	*cc;
	struct lapsmp_answers __rcu *answers;
};

/* Under RCU, no reference taken. */
struct lapsmp_peer *lapsmp_peer_lookup(struct lapsmp_net *ln,
				       const struct lapsmp_peer_key *key);

/* One that is there, with a reference, or NULL. Context: any. */
struct lapsmp_peer *lapsmp_peer_find(struct lapsmp_net *ln,
				     const struct lapsmp_peer_key *key);

/**
 * lapsmp_peer_get() - find a peer, or make it with the automatic paths
 * @ln: namespace
 * @key: whose
 *
 * Context: process, may sleep (it binds source ports).
 * Return: the peer with a reference, or ERR_PTR: -ENOMEM, -EADDRINUSE (the
 * service port or too many source ports are taken), -ENETDOWN (the namespace is
 * going), -ENETUNREACH, -EHOSTUNREACH or another error of the route.
 */
struct lapsmp_peer *lapsmp_peer_get(struct lapsmp_net *ln,
				    const struct lapsmp_peer_key *key);
void lapsmp_peer_put(struct lapsmp_peer *peer);

static inline void lapsmp_peer_hold(struct lapsmp_peer *peer)
{
	refcount_inc(&peer->refs);
}

/**
 * lapsmp_peer_set_answers() - choose how answers to an IPv4 host travel
 * @peer: the host by its address alone, or nobody asks it
 * @segs: SRv6 segments, copied; or NULL: by the plain route
 *
 * From the next answer on. Context: process, takes ln->peer_lock.
 * Return: 0 or -ENOMEM.
 */
int lapsmp_peer_set_answers(struct lapsmp_peer *peer,
			    const struct lapsmp_segs *segs);

/* Those of the host @raddr, or NULL. Context: RCU. */
const struct lapsmp_segs *lapsmp_peer_answers(struct lapsmp_net *ln,
					      const struct in6_addr *raddr);

/* Forget a peer: new flows make a new one. Flows that have it go on. */
void lapsmp_peer_del(struct lapsmp_peer *peer);

/* Expire what was not used for a while. Context: process. */
void lapsmp_peer_gc(struct lapsmp_net *ln, u64 now_ns);

int lapsmp_peer_net_init(struct lapsmp_net *ln);
void lapsmp_peer_net_exit(struct lapsmp_net *ln);

/* When to give up on a segment, ns; before back-off. */
static inline u64 lapsmp_peer_rto(const struct lapsmp_peer *peer,
				  const struct lapsmp_path *p)
{
	return READ_ONCE(p->srtt_ns) ? READ_ONCE(p->rto_ns) :
				       lapsmp_rto_unheard(peer, p);
}

/*
 * The same for a packet of @sent_ns, doubled by each timeout in a row; but for one
 * that was sent before them, or others' packets would keep it waiting.
 */
static inline u64 lapsmp_peer_rto_backed_off(const struct lapsmp_peer *peer,
					     const struct lapsmp_path *p,
					     u64 sent_ns)
{
	/* Pairs with lapsmp_path_on_timeout(). */
	u8 shift = min_t(u8, smp_load_acquire(&p->timeouts), LAPSMP_RTO_SHIFT_MAX);

	if (sent_ns < READ_ONCE(p->silent_ns))
		shift = 0;
	return min_t(u64, lapsmp_peer_rto(peer, p) << shift, LAPSMP_RTO_MAX_NS);
}

#endif /* _LAPSMP_PEER_H */
