/* SPDX-License-Identifier: GPL-2.0 */
/* Probes: keeping measurements fresh, bringing paths back, finding the MTU. */
#ifndef _LAPSMP_PROBE_H
#define _LAPSMP_PROBE_H

#include "flow.h"

/**
 * lapsmp_probe_run() - send the probes that are due
 * @f: flow that has something under way, locked
 * @now_ns: monotonic
 *
 * Return: when to be called again at the latest, or U64_MAX.
 */
u64 lapsmp_probe_run(struct lapsmp_flow *f, u64 now_ns);

/* A probe of the flow was not answered. */
void lapsmp_probe_lost(struct lapsmp_path *p);

#endif /* _LAPSMP_PROBE_H */
