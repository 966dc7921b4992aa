/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reassembly: segments into messages, each byte once.
 * All calls: rf->lock held, rf->ls set.
 */
#ifndef _LAPSMP_REASM_H
#define _LAPSMP_REASM_H

#include "rmsg.h"
#include "wire.h"

enum lapsmp_reasm {
	LAPSMP_REASM_OK,	/* taken in */
	LAPSMP_REASM_DUP,	/* had all of it: acknowledge, drop */
	LAPSMP_REASM_DROP,	/* no room, or nonsense: as if it never came */
	LAPSMP_REASM_TOOBIG,	/* its message can never be received */
};

/**
 * lapsmp_reasm_data() - a DATA segment
 * @rf: flow
 * @h: its header
 * @skb: payload only; consumed if LAPSMP_REASM_OK is returned, else the caller's
 */
enum lapsmp_reasm lapsmp_reasm_data(struct lapsmp_rflow *rf,
				    const struct lapsmp_hdr *h,
				    struct sk_buff *skb);

/* The sender gave a message up. Return: OK, DUP or DROP. */
enum lapsmp_reasm lapsmp_reasm_abort(struct lapsmp_rflow *rf,
				     const struct lapsmp_hdr *h);

#endif /* _LAPSMP_REASM_H */
