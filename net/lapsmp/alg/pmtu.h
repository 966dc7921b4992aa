/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Path MTU of one path, after RFC 8899: starts at what the route says, falls to
 * the base when large packets vanish while the path is alive, climbs again by
 * padded probes. Sizes are whole IP packets, bytes.
 */
#ifndef _LAPSMP_ALG_PMTU_H
#define _LAPSMP_ALG_PMTU_H

#include <linux/types.h>

#define LAPSMP_PMTU_BASE	1280	/* works nearly everywhere */
#define LAPSMP_PMTU_MIN		576	/* IPv4 route that says less than the base */
#define LAPSMP_PMTU_MAX_PROBES	3	/* RFC 8899 section 5.1.2 */
#define LAPSMP_PMTU_STEP	32	/* search ends below this distance */
#define LAPSMP_PMTU_RAISE_NS	(600ULL * 1000 * 1000 * 1000)

/**
 * struct lapsmp_pmtu - see above
 * @cur: what data may use
 * @max: the route's MTU: upper end of the search
 * @high: smallest size known or believed not to pass, or @max + 1
 * @probe: size of the probe under way, 0 if none
 * @tries: how often it was lost
 * @big_losses: timeouts of full-sized packets in a row without one acknowledged
 * @lost_ns: when the last of them was; what was sent before is part of it
 * @next_ns: earliest time of the next probe; U64_MAX when the search is done
 */
struct lapsmp_pmtu {
	u32	cur;
	u32	max;
	u32	high;
	u32	probe;
	u8	tries;
	u8	big_losses;
	u64	lost_ns;
	u64	next_ns;
};

/* Begin at the route's MTU, believed until it disappoints. */
void lapsmp_pmtu_init(struct lapsmp_pmtu *p, u32 route_mtu);
/* The route's MTU changed (a local event, always true). */
void lapsmp_pmtu_route(struct lapsmp_pmtu *p, u32 route_mtu, u64 now_ns);
/*
 * An ICMP error about a live packet says @mtu. Values at or above cur, or below
 * LAPSMP_PMTU_MIN, are not believed. Return: true if cur changed.
 */
bool lapsmp_pmtu_icmp(struct lapsmp_pmtu *p, u32 mtu, u64 now_ns);
/* Size of the probe to send now, or 0. Marks it as under way. */
u32 lapsmp_pmtu_probe(struct lapsmp_pmtu *p, u64 now_ns);
/* A packet of @size was acknowledged. Return: true if cur changed. */
bool lapsmp_pmtu_acked(struct lapsmp_pmtu *p, u32 size, u64 now_ns);
/*
 * A packet of @size was lost; if by a timeout, it was sent at @timeout_of_ns, else
 * that is 0. A lost probe is tried again, then lowers @high. Full-sized data: two
 * timeouts in a row, each of what was sent after the one before, mean a black hole,
 * and cur falls to the base. Return: true if cur changed.
 */
bool lapsmp_pmtu_lost(struct lapsmp_pmtu *p, u32 size, u64 timeout_of_ns,
		      u64 now_ns);

#endif /* _LAPSMP_ALG_PMTU_H */
