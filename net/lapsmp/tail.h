/* SPDX-License-Identifier: GPL-2.0 */
/* What was sent last: nothing behind it tells that it was lost. */
#ifndef _LAPSMP_TAIL_H
#define _LAPSMP_TAIL_H

#include "flow.h"

/**
 * lapsmp_tail_run() - ask paths that are silent about what was sent on them
 * @f: flow, locked
 * @now_ns: monotonic
 *
 * Return: when to be called again at the latest, or U64_MAX.
 */
u64 lapsmp_tail_run(struct lapsmp_flow *f, u64 now_ns);

/* The flow has nothing more to send: let the timer fire in time. Same context. */
void lapsmp_tail_arm(struct lapsmp_flow *f, u64 now_ns);

#endif /* _LAPSMP_TAIL_H */
