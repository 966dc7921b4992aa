/* SPDX-License-Identifier: GPL-2.0 */
/* All of a peer's paths run empty for a moment, to be measured (alg/drain.c). */
#ifndef _LAPSMP_DRAIN_H
#define _LAPSMP_DRAIN_H

#include "peer.h"

struct lapsmp_flow;

/**
 * lapsmp_drain_heard() - a path was measured: is it time, for any of the peer's?
 * @peer: peer
 * @arr_ns: when the packet arrived there, the peer's clock, low 32 bits
 * @now_ns: monotonic
 *
 * Context: peer's lock.
 */
void lapsmp_drain_heard(struct lapsmp_peer *peer, u32 arr_ns, u64 now_ns);

/**
 * lapsmp_drain_answered() - a probe that was sent while nobody else sends was answered
 * @peer: peer
 * @p: its path, whose newest delay is that of the probe
 * @sent_ns: when it was sent, monotonic
 *
 * Context: peer's lock, and that of the flow that sent it.
 */
void lapsmp_drain_answered(struct lapsmp_peer *peer, const struct lapsmp_path *p, u64 sent_ns);

/* Is nobody to send to it? Context: any. */
static inline bool lapsmp_drain_is_on(const struct lapsmp_peer *peer, u64 now_ns)
{
	/* Pairs with lapsmp_drain_set(). */
	return smp_load_acquire(&peer->drain.until_ns) > now_ns &&
	       READ_ONCE(peer->drain.begin_ns) <= now_ns;
}

/* When one is to begin, or 0: none is, or it has begun. Context: any. */
static inline u64 lapsmp_drain_next_ns(const struct lapsmp_peer *peer, u64 now_ns)
{
	/* Pairs with lapsmp_drain_set(). */
	u64 until_ns = smp_load_acquire(&peer->drain.until_ns);
	u64 begin_ns = READ_ONCE(peer->drain.begin_ns);

	return until_ns > now_ns && begin_ns > now_ns ? begin_ns : 0;
}

/* Does what is heard tell no more than that they were empty? Context: any. */
static inline bool lapsmp_drain_is_refilling(const struct lapsmp_peer *peer, u64 now_ns)
{
	return READ_ONCE(peer->drain.refill_ns) > now_ns &&
	       READ_ONCE(peer->drain.begin_ns) <= now_ns;
}

/**
 * lapsmp_drain_hold() - may the flow send again?
 * @f: locked
 * @now_ns: monotonic
 *
 * The first to find them empty measures them.
 * Return: 0, or when to look again.
 */
u64 lapsmp_drain_hold(struct lapsmp_flow *f, u64 now_ns);

/* Is nothing under way to the flow's peer, by any path that is not down or in back-off? */
bool lapsmp_drain_is_empty(const struct lapsmp_flow *f);

#endif /* _LAPSMP_DRAIN_H */
