/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trains: segments that one turn of the pump sends on one path go through the
 * stack as one skb, which the device, or the stack just before it, cuts into
 * packets again (UDP segmentation offload). On the wire nothing changes; what a
 * packet costs in between is paid once for all.
 */
#ifndef _LAPSMP_TRAIN_H
#define _LAPSMP_TRAIN_H

#include <linux/skbuff.h>
#include "flow.h"
#include "wire.h"

struct lapsmp_route;

/* Bytes of @seg behind what @skb has; there must be room for its fragments. */
void lapsmp_train_pages(struct sk_buff *skb, const struct lapsmp_seg *seg);

/* Does the route's device take trains? One without GSO would only pay more. */
bool lapsmp_train_may(const struct lapsmp_route *r);

/**
 * lapsmp_train_join() - one segment more
 * @skb: what was made for the first one, and grew since
 * @h: header of the new one
 * @seg: its bytes
 * @stamp: its departure stamp
 *
 * Context: softirqs off.
 * Return: false if it does not fit: a longer one, or behind a shorter one, or too
 * many; or if there is no memory. Nothing has changed then.
 */
bool lapsmp_train_join(struct sk_buff *skb, const struct lapsmp_hdr *h,
		       const struct lapsmp_seg *seg, u64 stamp);

#endif /* _LAPSMP_TRAIN_H */
