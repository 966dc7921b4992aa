/* SPDX-License-Identifier: GPL-2.0 */
/* What happens when a flow's timer fires. */
#ifndef _LAPSMP_TIMER_H
#define _LAPSMP_TIMER_H

struct lapsmp_flow;

/* How long the flow is without an answer before it ends, ns. Context: f->lock held. */
u64 lapsmp_timer_patience_ns(const struct lapsmp_flow *f);

/* Runs what is due and arms the timer again. Context: softirq, f->lock held. */
void lapsmp_timer_fire(struct lapsmp_flow *f);

#endif /* _LAPSMP_TIMER_H */
