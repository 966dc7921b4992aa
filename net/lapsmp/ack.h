/* SPDX-License-Identifier: GPL-2.0 */
/* What a receiver tells a sending flow. All: flow with a reference, unlocked. */
#ifndef _LAPSMP_ACK_H
#define _LAPSMP_ACK_H

#include "flow.h"
#include "wire.h"

/* ACK, PROBE_ACK, WUPDATE. */
void lapsmp_ack_rcv(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

/* COOKIE: prove the address, or learn that the receiver restarted. */
void lapsmp_ack_cookie(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

/* RESET: the flow is refused, or unknown there. */
void lapsmp_ack_reset(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

/* CHALLENGE: show that we are at the address that a path is sent from, too. */
void lapsmp_ack_challenge(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

/* Is @addr where the path @id goes to? */
bool lapsmp_ack_is_from(struct lapsmp_flow *f, u16 id, const struct in6_addr *addr);

/* VERSION: the peer knows other versions than ours. */
void lapsmp_ack_version(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

/**
 * lapsmp_ack_icmp() - an ICMP error quotes a packet of the flow
 * @h: path and sequence of it
 * @err: positive errno
 * @mtu: with EMSGSIZE, what the router says
 */
void lapsmp_ack_icmp(struct lapsmp_flow *f, const struct lapsmp_hdr *h, int err,
		     u32 mtu);

/**
 * lapsmp_ack_timeout() - the oldest packet of a path timed out
 * @f: flow, locked
 * @fp: the path
 * @now_ns: monotonic
 *
 * All that is out on it is lost (LAPS: ReTx); the caller pushes.
 */
void lapsmp_ack_timeout(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns);

#endif /* _LAPSMP_ACK_H */
