/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_RTT_H
#define _LAPSMP_ALG_RTT_H

#include <linux/types.h>

/* Before the first sample (RFC 6298 says 1 s; a peer in reach is nearer). */
#define LAPSMP_RTO_INIT_NS	(100ULL * 1000 * 1000)
#define LAPSMP_RTO_MIN_NS	(400ULL * 1000)
/* What comes of a probe too early is one segment that is sent twice. */
#define LAPSMP_PTO_MIN_NS	(25ULL * 1000)
#define LAPSMP_RTO_MAX_NS	(5ULL * 1000 * 1000 * 1000)
#define LAPSMP_RTO_SHIFT_MAX	6

/**
 * struct lapsmp_rtt - smoothed round-trip time of a path (RFC 6298 section 2)
 * @srtt_ns: 0 before the first sample
 * @rttvar_ns: mean deviation
 */
struct lapsmp_rtt {
	u64	srtt_ns;
	u64	rttvar_ns;
};

/* Take a sample; one of 0 counts as 1. */
void lapsmp_rtt_update(struct lapsmp_rtt *r, u64 rtt_ns);

/**
 * lapsmp_rtt_rto() - when to give up on the oldest segment of a path
 * @r: the path's state
 * @backoff: timeouts in a row; doubles up to LAPSMP_RTO_SHIFT_MAX times
 *
 * Return: max(2 * srtt, srtt + 4 * rttvar, LAPSMP_RTO_MIN_NS) << backoff, at most
 * LAPSMP_RTO_MAX_NS; LAPSMP_RTO_INIT_NS << backoff before the first sample.
 */
u64 lapsmp_rtt_rto(const struct lapsmp_rtt *r, unsigned int backoff);

/**
 * lapsmp_rtt_pto() - when to ask whether the newest segment of a path was lost
 * @r: the path's state
 *
 * Return: max(2 * srtt, srtt + 4 * rttvar), from LAPSMP_PTO_MIN_NS to
 * LAPSMP_RTO_MAX_NS; LAPSMP_RTO_INIT_NS before the first sample.
 */
u64 lapsmp_rtt_pto(const struct lapsmp_rtt *r);

#endif /* _LAPSMP_ALG_RTT_H */
