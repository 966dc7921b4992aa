/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_WAYBACK_H
#define _LAPSMP_ALG_WAYBACK_H

#include <linux/types.h>

/**
 * struct lapsmp_wayback_low - a shortest way back
 * @raw_ns: round-trip time less the delay there: the clocks' offset is in it, the other way round
 * @at_ns: when it was seen, 0: never
 */
struct lapsmp_wayback_low {
	s64	raw_ns;
	u64	at_ns;
};

/**
 * struct lapsmp_wayback - the shortest ways back of a path; zeroed, nothing is known
 * @now: of this window
 * @before: of the one before
 * @since_ns: when this one began
 */
struct lapsmp_wayback {
	struct lapsmp_wayback_low now;
	struct lapsmp_wayback_low before;
	u64	since_ns;
};

/**
 * lapsmp_wayback_update() - take a sample
 * @w: the path's
 * @raw_ns: its raw delay there, drift removed
 * @rtt_ns: its round-trip time, not 0
 * @now_ns: monotonic
 */
void lapsmp_wayback_update(struct lapsmp_wayback *w, s64 raw_ns, u64 rtt_ns, u64 now_ns);

/**
 * lapsmp_wayback_rtt() - a round trip without a queue on either way
 * @w: the path's
 * @there_ns: the shortest raw delay there
 * @there_at_ns: when that was seen
 *
 * Return: at least as long, ns, or U64_MAX: not known.
 */
u64 lapsmp_wayback_rtt(const struct lapsmp_wayback *w, s64 there_ns, u64 there_at_ns);

#endif /* _LAPSMP_ALG_WAYBACK_H */
