/* SPDX-License-Identifier: GPL-2.0 */
/* What a receiver says beside acknowledgments. All: flow with a reference, unlocked. */
#ifndef _LAPSMP_NOTICE_H
#define _LAPSMP_NOTICE_H

#include "flow.h"
#include "wire.h"

/* COOKIE: prove the address, or learn that the receiver restarted. */
void lapsmp_notice_cookie(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

/* CHALLENGE: show that we are at the address that a path is sent from, too. */
void lapsmp_notice_challenge(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

/* RESET: the flow is refused, or unknown there. */
void lapsmp_notice_reset(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

/* VERSION: the peer knows other versions than ours. */
void lapsmp_notice_version(struct lapsmp_flow *f, const struct lapsmp_hdr *h);

#endif /* _LAPSMP_NOTICE_H */
