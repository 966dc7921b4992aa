/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_RTO_H
#define _LAPSMP_RTO_H

#include <linux/types.h>

struct lapsmp_path;
struct lapsmp_peer;

/* A round trip of @rtt_ns was seen: until there are more, it is all we know. */
void lapsmp_rto_guess(struct lapsmp_peer *peer, u64 rtt_ns);

/* When to give up on a segment of a path that has not answered yet, ns; before back-off. */
u64 lapsmp_rto_unheard(const struct lapsmp_peer *peer, const struct lapsmp_path *p);

#endif /* _LAPSMP_RTO_H */
