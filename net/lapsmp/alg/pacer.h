/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_PACER_H
#define _LAPSMP_ALG_PACER_H

#include <linux/types.h>

/*
 * Departures may run this far ahead of their time, so that one timer serves
 * several packets, and catch up by as much after a late timer.
 */
#define LAPSMP_PACER_AHEAD_NS	2000
#define LAPSMP_PACER_BEHIND_NS	10000

/* When the next packet is due, ns; 0 is at once. */
struct lapsmp_pacer {
	u64	next_ns;
};

/* May a packet leave at @now_ns? If not, next_ns - AHEAD is when. */
bool lapsmp_pacer_ready(const struct lapsmp_pacer *p, u64 now_ns);

/* A packet of @bytes left at @now_ns, at @rate bytes/s (0: not paced). */
void lapsmp_pacer_sent(struct lapsmp_pacer *p, u32 bytes, u64 rate, u64 now_ns);

#endif /* _LAPSMP_ALG_PACER_H */
