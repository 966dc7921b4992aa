/* SPDX-License-Identifier: GPL-2.0 */
/* The pump: window, pick, pace, output. */
#ifndef _LAPSMP_TX_H
#define _LAPSMP_TX_H

#include "flow.h"

/* Blocked by the receiver's window: first probe of it, and doublings. */
#define LAPSMP_WPROBE_MIN_NS	(5ULL * 1000 * 1000)
#define LAPSMP_WPROBE_SHIFT_MAX	7
/* What could not be done for want of memory is tried again. */
#define LAPSMP_TX_RETRY_NS	(1000ULL * 1000)
/* Likewise for a flow's paths, of which there may be many: it may be long until there is some. */
#define LAPSMP_TX_NOMEM_NS	(20ULL * 1000 * 1000)
/* First look at probes and timeouts after a flow has come to life. */
#define LAPSMP_TX_FIRST_LOOK_NS	(200ULL * 1000)

/* Send what may be sent, arm the timer for what may not yet. f->lock held. */
void __lapsmp_tx_push(struct lapsmp_flow *f);

/* The same, taking the lock. Context: any. */
void lapsmp_tx_push(struct lapsmp_flow *f);

/*
 * The same, once what came in together with this has been looked at, too. f->lock
 * held. Context: softirqs off.
 */
void __lapsmp_tx_push_later(struct lapsmp_flow *f);

int lapsmp_tx_init(void);
void lapsmp_tx_exit(void);

#endif /* _LAPSMP_TX_H */
