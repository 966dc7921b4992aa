/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink: lists of SRv6 segments. */
#ifndef _LAPSMP_NL_SEGS_H
#define _LAPSMP_NL_SEGS_H

#include <net/genetlink.h>
#include "alg/srh.h"

/**
 * lapsmp_nl_segs_check() - is it a list that packets can go by?
 * @info: request
 * @attr: of it; NULL is fine
 *
 * Return: 0, or -EINVAL, -E2BIG with the reason in the extended ack.
 */
int lapsmp_nl_segs_check(struct genl_info *info, struct nlattr *attr);

/* Of an attribute that was checked. */
void lapsmp_nl_segs_get(struct nlattr *attr, struct lapsmp_segs *segs);

/* Nothing if @segs is NULL. Return: 0 or -EMSGSIZE. */
int lapsmp_nl_segs_put(struct sk_buff *skb, int type,
		       const struct lapsmp_segs *segs);

#endif /* _LAPSMP_NL_SEGS_H */
