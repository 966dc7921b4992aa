/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_LEAN_H
#define _LAPSMP_ALG_LEAN_H

#include <linux/types.h>

#define LAPSMP_LEAN_ONE		0x10000	/* 16 fractional bits */
/*
 * e^-4: what a path is taken at least before anything was learned, however long it is.
 * Where it is needed, the samples that say so come from what is sent on it.
 */
#define LAPSMP_LEAN_REST_MAX	(4 * LAPSMP_LEAN_ONE)
/* e^-6: what is left of a path's share, so that it goes on being measured. */
#define LAPSMP_LEAN_MAX		(6 * LAPSMP_LEAN_ONE)

/**
 * struct lapsmp_lean - by how much one path is avoided for having been fuller
 * @q28: exponents of e, 28 fractional bits, up to LAPSMP_LEAN_MAX's worth: a step may
 *	be of a 256th of a round trip
 * @queue_q16: its queue in ns, moving average over acknowledgments, 16 fractional bits
 * @at_ns: newest one, 0: none yet
 * @step_ns: when @q28 last followed, 0: not yet
 */
struct lapsmp_lean {
	u32	q28;
	u64	queue_q16;
	u64	at_ns;
	u64	step_ns;
};

/**
 * struct lapsmp_lean_mean - how full the paths are that a peer's packets took
 * @queue_q16: their queues in ns, moving average over acknowledgments, 16 fractional bits
 * @at_ns: newest one, 0: none yet
 * @since_ns: when they were last idle for so long that nothing was known any more
 * @long_ns: the longest round trip of these paths when they are empty, of those seen
 *	of late
 * @short_ns: the shortest
 */
struct lapsmp_lean_mean {
	u64	queue_q16;
	u64	at_ns;
	u64	since_ns;
	u64	long_ns;
	u64	short_ns;
};

/**
 * struct lapsmp_lean_sample - what an acknowledgment says
 * @now_ns: monotonic
 * @queue_ns: delay above the path's base, not below 0
 * @margin_ns: queue that the path may have
 * @rtt_ns: the path's smallest round trip
 * @rest_q28: by how much it is avoided when nothing is learned, lapsmp_lean_rest()
 * @gain_q8: exponents of e per round trip, for one swing more than the mean, to begin
 *	with; 0 turns it off
 */
struct lapsmp_lean_sample {
	u64	now_ns;
	u64	queue_ns;
	u64	margin_ns;
	u64	rtt_ns;
	u32	rest_q28;
	u32	gain_q8;
};

/**
 * lapsmp_lean_update() - take one
 * @l: the path that it is of
 * @mean: of all paths to the peer; takes the sample, too
 * @s: the sample
 *
 * Context: both locked by the caller.
 */
void lapsmp_lean_update(struct lapsmp_lean *l, struct lapsmp_lean_mean *mean,
			const struct lapsmp_lean_sample *s);

/**
 * lapsmp_lean_rest() - by how much to avoid a path of which nothing is known but its cost
 * @cost: of the path, 0: unknown
 * @least: of the cheapest one to the peer
 * @detour_q8: exponents of e for twice the cost of that, 8 fractional bits
 *
 * Return: 28 fractional bits, up to LAPSMP_LEAN_REST_MAX's worth.
 */
u32 lapsmp_lean_rest(u32 cost, u32 least, u32 detour_q8);

/* 16 fractional bits, 0 to LAPSMP_LEAN_MAX. */
static inline u32 lapsmp_lean_q16(const struct lapsmp_lean *l)
{
	return l->q28 >> 12;
}

/**
 * lapsmp_lean_queue_ns() - the path's queue, averaged over some 32 acknowledgments
 * @l: the path's
 *
 * Return: ns. After a pause of four round trips, what the newest acknowledgment said.
 */
static inline u64 lapsmp_lean_queue_ns(const struct lapsmp_lean *l)
{
	return l->queue_q16 >> 16;
}

#endif /* _LAPSMP_ALG_LEAN_H */
