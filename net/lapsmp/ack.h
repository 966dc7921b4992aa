/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a receiver acknowledges. All: flow with a reference; unlocked, but for those with
 * underscores or that say so.
 */
#ifndef _LAPSMP_ACK_H
#define _LAPSMP_ACK_H

#include "flow.h"
#include "wire.h"

/**
 * lapsmp_ack_rcv() - an ACK, PROBE_ACK or WUPDATE
 * @h: the packet
 * @buf: its header, for what it says of further paths
 * @src: where it comes from; that this may speak of the packet's own path is known
 */
void lapsmp_ack_rcv(struct lapsmp_flow *f, const struct lapsmp_hdr *h, const u8 *buf,
		    const struct in6_addr *src);

/* Is @addr where the path @id goes to? */
bool lapsmp_ack_is_from(struct lapsmp_flow *f, u16 id, const struct in6_addr *addr);

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

/* The flow's path of this id, or NULL. */
struct lapsmp_fpath *__lapsmp_ack_path(struct lapsmp_flow *f, u16 id);

/* The packet that was answered, if it is still thought to be under way. */
struct lapsmp_slot *__lapsmp_ack_out(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

#endif /* _LAPSMP_ACK_H */
