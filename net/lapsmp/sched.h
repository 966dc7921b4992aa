/* SPDX-License-Identifier: GPL-2.0 */
/* Registry of schedulers. */
#ifndef _LAPSMP_SCHED_H
#define _LAPSMP_SCHED_H

#include "alg/policy.h"

/* Return: 0, -EEXIST (name taken), -EINVAL (no name, name not valid, no pick). */
int lapsmp_sched_register(struct lapsmp_sched_ops *ops);
/* Waits for readers of the list; users hold the owner's module. */
void lapsmp_sched_unregister(struct lapsmp_sched_ops *ops);

/**
 * lapsmp_sched_get() - by name, with a reference to its module
 *
 * Context: process with @may_load (asks modprobe for "lapsmp-sched-NAME"), any
 * without. Return: the ops or NULL.
 */
struct lapsmp_sched_ops *lapsmp_sched_get(const char *name, bool may_load);

/* One more reference to ops that are known to be held. */
void lapsmp_sched_hold(struct lapsmp_sched_ops *ops);
void lapsmp_sched_put(struct lapsmp_sched_ops *ops);

/* Name of the @i-th registered one into @name (LAPSMP_NAME_MAX bytes). */
bool lapsmp_sched_name(unsigned int i, char *name);

int lapsmp_sched_init(void);
void lapsmp_sched_exit(void);

#endif /* _LAPSMP_SCHED_H */
