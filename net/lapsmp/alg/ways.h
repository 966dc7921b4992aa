/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_WAYS_H
#define _LAPSMP_ALG_WAYS_H

#include <linux/types.h>

/**
 * struct lapsmp_ways_low - the shortest of late that one way was
 * @raw_ns: with the clocks' offset in it, on the way back the other way round
 * @at_ns: when it was seen, 0: never
 */
struct lapsmp_ways_low {
	s64	raw_ns;
	u64	at_ns;
};

/**
 * struct lapsmp_ways - a path's two ways; zeroed, nothing is known
 * @there: the way there
 * @back: the way back
 */
struct lapsmp_ways {
	struct lapsmp_ways_low there;
	struct lapsmp_ways_low back;
};

/**
 * lapsmp_ways_update() - take a sample
 * @w: the path's
 * @there_ns: its raw delay there, drift removed
 * @rtt_ns: its round-trip time
 * @now_ns: monotonic
 *
 * Return: the queue that it met on its way back, ns; at least so much, whatever clocks do.
 */
u64 lapsmp_ways_update(struct lapsmp_ways *w, s64 there_ns, u64 rtt_ns, u64 now_ns);

/**
 * lapsmp_ways_rtt() - a round trip without a queue on either way
 * @w: the path's
 *
 * Return: ns, at most so much, whatever clocks do; 0: not known.
 */
u64 lapsmp_ways_rtt(const struct lapsmp_ways *w);

#endif /* _LAPSMP_ALG_WAYS_H */
