/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSLINK_CLASSIFY_H
#define LAPSLINK_CLASSIFY_H

#include "lapslink.h"

struct sk_buff;

/* Return: below LAPSLINK_BANDS. @skb: as a qdisc gets it, not changed. */
unsigned int lapslink_classify(const struct lapslink_parms *p, struct sk_buff *skb);

#endif /* LAPSLINK_CLASSIFY_H */
