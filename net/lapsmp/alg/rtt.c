// SPDX-License-Identifier: GPL-2.0
/*
 * Round-trip time of a path and the timeout that follows from it:
 *
 *	rttvar = 3/4 rttvar + 1/4 |srtt - rtt|
 *	srtt   = 7/8 srtt + 1/8 rtt
 *	rto    = max(2 srtt, srtt + 4 rttvar, floor) << backoff
 *	pto    = max(2 srtt, srtt + 4 rttvar, a smaller floor)
 *
 * Reference: RFC 6298 section 2, with LAPS's 2 * RTT (section III-G) as a lower
 * bound, since the variance of an idle network goes to zero. LAPS takes twice
 * the one-way delay; the round trip needs no common clock. The probe timeout is
 * RFC 8985's (section 7.2). This file knows no timers and no segments.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "rtt.h"

/* RFC 6298's alpha = 1/8 and beta = 1/4, as shifts. */
#define LAPSMP_RTT_SRTT_SHIFT	3
#define LAPSMP_RTT_VAR_SHIFT	2
/* Longer samples are a fault of a clock; the limit keeps the sums in range. */
#define LAPSMP_RTT_SAMPLE_MAX_NS	(60ULL * 1000 * 1000 * 1000)

void lapsmp_rtt_update(struct lapsmp_rtt *r, u64 rtt_ns)
{
	u64 dev;

	/* srtt 0 means "none yet", so a real sample must not be 0. */
	rtt_ns = clamp_t(u64, rtt_ns, 1, LAPSMP_RTT_SAMPLE_MAX_NS);
	if (!r->srtt_ns) {
		r->srtt_ns = rtt_ns;
		r->rttvar_ns = rtt_ns / 2;
		return;
	}

	dev = r->srtt_ns > rtt_ns ? r->srtt_ns - rtt_ns : rtt_ns - r->srtt_ns;
	/*
	 * The old value's share is rounded, not the difference: a small
	 * difference shifted to zero would never arrive.
	 */
	r->rttvar_ns = (3 * r->rttvar_ns + dev) >> LAPSMP_RTT_VAR_SHIFT;
	r->srtt_ns = max_t(u64, (7 * r->srtt_ns + rtt_ns) >>
				LAPSMP_RTT_SRTT_SHIFT, 1);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_rtt_update);

static u64 lapsmp_rtt_late(const struct lapsmp_rtt *r)
{
	return max(2 * r->srtt_ns, r->srtt_ns + 4 * r->rttvar_ns);
}

u64 lapsmp_rtt_rto(const struct lapsmp_rtt *r, unsigned int backoff)
{
	u64 rto = LAPSMP_RTO_INIT_NS;

	if (r->srtt_ns)
		rto = max_t(u64, lapsmp_rtt_late(r), LAPSMP_RTO_MIN_NS);
	/* Capped first: doubling something larger could wrap. */
	rto = min_t(u64, rto, LAPSMP_RTO_MAX_NS);
	rto <<= min_t(unsigned int, backoff, LAPSMP_RTO_SHIFT_MAX);
	return min_t(u64, rto, LAPSMP_RTO_MAX_NS);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_rtt_rto);

u64 lapsmp_rtt_pto(const struct lapsmp_rtt *r)
{
	if (!r->srtt_ns)
		return LAPSMP_RTO_INIT_NS;
	return clamp_t(u64, lapsmp_rtt_late(r), LAPSMP_PTO_MIN_NS, LAPSMP_RTO_MAX_NS);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_rtt_pto);
