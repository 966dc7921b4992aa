// SPDX-License-Identifier: GPL-2.0
/*
 * The largest packet that a path takes.
 *
 *	            route says so, or climbed back
 *	  .-----------> COMPLETE (cur == max) ----------.
 *	  |                                             | two timeouts of
 *	  | probe acknowledged,                         | full-sized packets,
 *	  | nothing left to try                         | or an ICMP error
 *	  |                                             v
 *	SEARCHING <---- RAISE_NS later, or at once --- BASE
 *	  '--> gap below STEP: stay at cur until RAISE_NS later
 *
 * The search keeps cur, which passes, and high, which does not, and probes
 * first the upper end, where the answer mostly is, then the middle.
 *
 * Unlike RFC 8899 it begins at the route's MTU, not at the base: a data centre's
 * routes tell the truth, and 1280 bytes cost a jumbo network most of its speed.
 *
 * Reference: RFC 8899 sections 5.1 and 5.2. This file sends nothing and reads no
 * clock; sizes are whole IP packets.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "pmtu.h"

/* Timeouts of full-sized packets in a row that make a black hole. */
#define LAPSMP_PMTU_HOLE_TIMEOUTS	2

static u32 lapsmp_pmtu_base(const struct lapsmp_pmtu *p)
{
	return min_t(u32, LAPSMP_PMTU_BASE, p->max);
}

static bool lapsmp_pmtu_searched(const struct lapsmp_pmtu *p)
{
	return p->cur >= p->max || p->high - p->cur <= LAPSMP_PMTU_STEP;
}

/* Decide when the next probe is due, after cur or high has changed. */
static void lapsmp_pmtu_schedule(struct lapsmp_pmtu *p, u64 now_ns)
{
	p->probe = 0;
	p->tries = 0;
	if (p->cur >= p->max)
		p->next_ns = U64_MAX;
	else if (lapsmp_pmtu_searched(p))
		p->next_ns = now_ns + LAPSMP_PMTU_RAISE_NS;
	else
		p->next_ns = now_ns;
}

void lapsmp_pmtu_init(struct lapsmp_pmtu *p, u32 route_mtu)
{
	route_mtu = max_t(u32, route_mtu, LAPSMP_PMTU_MIN);
	*p = (struct lapsmp_pmtu){
		.cur = route_mtu,
		.max = route_mtu,
		.high = route_mtu + 1,
		.next_ns = U64_MAX,
	};
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pmtu_init);

void lapsmp_pmtu_route(struct lapsmp_pmtu *p, u32 route_mtu, u64 now_ns)
{
	route_mtu = max_t(u32, route_mtu, LAPSMP_PMTU_MIN);
	if (route_mtu == p->max)
		return;
	/*
	 * What is known about the network beyond the first hop stays known. A
	 * larger route only raises the search's upper end, and a high that was
	 * but the old route's goes with it.
	 */
	if (p->high > p->max || p->high > route_mtu)
		p->high = route_mtu + 1;
	p->max = route_mtu;
	p->cur = min(p->cur, route_mtu);
	p->big_losses = 0;
	lapsmp_pmtu_schedule(p, now_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pmtu_route);

bool lapsmp_pmtu_icmp(struct lapsmp_pmtu *p, u32 mtu, u64 now_ns)
{
	if (mtu >= p->cur || mtu < LAPSMP_PMTU_MIN)
		return false;
	p->cur = mtu;
	/* The router named the largest size that passes: nothing to search. */
	p->high = mtu + 1;
	p->big_losses = 0;
	lapsmp_pmtu_schedule(p, now_ns);
	return true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pmtu_icmp);

u32 lapsmp_pmtu_probe(struct lapsmp_pmtu *p, u64 now_ns)
{
	if (p->probe || now_ns < p->next_ns || p->cur >= p->max)
		return 0;
	/* The raise timer: what did not pass then may pass now. */
	if (lapsmp_pmtu_searched(p))
		p->high = p->max + 1;
	if (p->high > p->max)
		p->probe = p->max;
	else
		p->probe = p->cur + (p->high - p->cur) / 2;
	return p->probe;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pmtu_probe);

/* Near enough to cur that its fate says something about cur. */
static bool lapsmp_pmtu_is_full(const struct lapsmp_pmtu *p, u32 size)
{
	return size > lapsmp_pmtu_base(p) && size + LAPSMP_PMTU_STEP > p->cur;
}

bool lapsmp_pmtu_acked(struct lapsmp_pmtu *p, u32 size, u64 now_ns)
{
	if (lapsmp_pmtu_is_full(p, size))
		p->big_losses = 0;
	if (size <= p->cur || size > p->max)
		return false;
	/* A probe, or data from before a fall that turns out to have passed. */
	p->cur = size;
	if (p->high <= size)
		p->high = p->max + 1;
	lapsmp_pmtu_schedule(p, now_ns);
	return true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pmtu_acked);

static void lapsmp_pmtu_probe_lost(struct lapsmp_pmtu *p, u64 now_ns)
{
	u32 size = p->probe;

	p->probe = 0;
	p->tries++;
	p->next_ns = now_ns;
	if (p->tries < LAPSMP_PMTU_MAX_PROBES)
		return;
	p->high = size;
	lapsmp_pmtu_schedule(p, now_ns);
}

bool lapsmp_pmtu_lost(struct lapsmp_pmtu *p, u32 size, u64 timeout_of_ns,
		      u64 now_ns)
{
	if (p->probe && size == p->probe) {
		lapsmp_pmtu_probe_lost(p, now_ns);
		return false;
	}
	if (!timeout_of_ns || size > p->cur || !lapsmp_pmtu_is_full(p, size))
		return false;
	/* What was under way together is one timeout, of however many flows. */
	if (p->big_losses && timeout_of_ns < p->lost_ns)
		return false;
	p->lost_ns = now_ns;
	p->big_losses++;
	if (p->big_losses < LAPSMP_PMTU_HOLE_TIMEOUTS)
		return false;

	p->big_losses = 0;
	p->cur = lapsmp_pmtu_base(p);
	p->high = size;
	lapsmp_pmtu_schedule(p, now_ns);
	return true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pmtu_lost);
