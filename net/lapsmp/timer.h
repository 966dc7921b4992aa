/* SPDX-License-Identifier: GPL-2.0 */
/* What happens when a flow's timer fires. */
#ifndef _LAPSMP_TIMER_H
#define _LAPSMP_TIMER_H

struct lapsmp_flow;

/* Runs what is due and arms the timer again. Context: softirq, f->lock held. */
void lapsmp_timer_fire(struct lapsmp_flow *f);

#endif /* _LAPSMP_TIMER_H */
