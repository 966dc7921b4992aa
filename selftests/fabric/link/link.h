/* SPDX-License-Identifier: GPL-2.0 */
/* A link's state, and what happens on it; see link.c. All under the lock of the root qdisc. */
#ifndef _LINK_H
#define _LINK_H

#include <net/pkt_sched.h>

#include "lapslink.h"

/**
 * struct lapslink - state of a link
 * @parms: as configured
 * @free_ns: when the server becomes free, CLOCK_MONOTONIC
 * @free_rest: what is missing there, in units of 1/rate ns: without it each packet
 *	would be rounded, and a fast link too fast
 * @last_ns: delivery time of the last packet in flight
 * @random: state of the generator of losses
 * @waiting_bytes: of each band
 * @counted_ns: up to when the statistics of the backlog were taken
 * @counted_rest: what is missing in stats.data_byte_us, in byte * ns
 * @band: packets that wait
 * @flight: packets being sent or under way, in the order of their delivery
 * @watchdog: wakes up for the next delivery
 * @stats: what is counted
 */
struct lapslink {
	struct lapslink_parms	parms;
	u64			free_ns;
	u64			free_rest;
	u64			last_ns;
	u64			random;
	u64			waiting_bytes[LAPSLINK_BANDS];
	u64			counted_ns;
	u64			counted_rest;
	struct qdisc_skb_head	band[LAPSLINK_BANDS];
	struct qdisc_skb_head	flight;
	struct qdisc_watchdog	watchdog;
	struct lapslink_xstats	stats;
};

/* The data band's backlog was the same until @now_ns. To be called before it changes. */
void lapslink_count_backlog(struct lapslink *q, u64 now_ns);

/* Statistics begin anew. */
void lapslink_zero(struct lapslink *q, u64 now_ns);

/* What the server did until @now_ns. */
void lapslink_catch_up(struct lapslink *q, u64 now_ns);

int lapslink_enqueue(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free);
struct sk_buff *lapslink_dequeue(struct Qdisc *sch);

#endif /* _LINK_H */
