/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Further addresses of a flow's sender. Packets of a flow come from the address that
 * opened it, until its sender has shown that it is at another one, too: by a token
 * that only who receives there can know (RFC 9000 section 8.2).
 */
#ifndef _LAPSMP_RJOIN_H
#define _LAPSMP_RJOIN_H

#include "rflow.h"
#include "wire.h"

/**
 * lapsmp_rjoin() - a packet with FROM, from an address that no flow of its id knows
 * @ln: namespace
 * @raddr: the address
 * @h: the packet
 * @skb: it came in; its transport header is its UDP header
 *
 * If the address is proven the flow knows it from then on; else it is challenged.
 *
 * Context: softirq, RCU. Return: the flow with a reference, or NULL: the packet is
 * not to be believed.
 */
struct lapsmp_rflow *lapsmp_rjoin(struct lapsmp_net *ln,
				  const struct in6_addr *raddr,
				  const struct lapsmp_hdr *h,
				  const struct sk_buff *skb);

#endif /* _LAPSMP_RJOIN_H */
