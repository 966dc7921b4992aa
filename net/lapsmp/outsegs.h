/* SPDX-License-Identifier: GPL-2.0 */
/* Packets by way of nodes that are named: SRv6. */
#ifndef _LAPSMP_OUTSEGS_H
#define _LAPSMP_OUTSEGS_H

#include <linux/ip.h>
#include <linux/skbuff.h>
#include "route.h"

/* What a packet needs in front of UDP beside a header of IPv6, at most. */
static inline u32 lapsmp_outsegs_room(const struct lapsmp_segs *segs)
{
	return lapsmp_srh_len(segs) + sizeof(struct iphdr);
}

/* Has the kernel an SRv6 key of this id ("ip sr hmac")? Context: any. */
bool lapsmp_outsegs_has_key(const struct lapsmp_net *ln, u32 id);

/**
 * lapsmp_outsegs_send() - send a packet by way of nodes
 * @ln: namespace
 * @r: route to the first of them; its dst with a reference, which is taken
 * @k: addresses, ports, segments, flow label, mark and tos
 * @skb: with the room above; consumed
 *
 * Context: softirqs off.
 */
void lapsmp_outsegs_send(struct lapsmp_net *ln, const struct lapsmp_route *r,
			 const struct lapsmp_route_key *k, struct sk_buff *skb);

#endif /* _LAPSMP_OUTSEGS_H */
