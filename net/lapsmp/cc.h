/* SPDX-License-Identifier: GPL-2.0 */
/* Registry of congestion controls. */
#ifndef _LAPSMP_CC_H
#define _LAPSMP_CC_H

#include "alg/policy.h"

/* Return: 0, -EEXIST (name taken), -EINVAL (no name, name not valid, no init or on_ack). */
int lapsmp_cc_register(struct lapsmp_cc_ops *ops);
/* Waits for readers of the list; users hold the owner's module. */
void lapsmp_cc_unregister(struct lapsmp_cc_ops *ops);

/**
 * lapsmp_cc_get() - by name, with a reference to its module
 *
 * Context: process with @may_load (asks modprobe for "lapsmp-cc-NAME"), any
 * without. Return: the ops or NULL.
 */
struct lapsmp_cc_ops *lapsmp_cc_get(const char *name, bool may_load);

/* One more reference to ops that are known to be held. */
void lapsmp_cc_hold(struct lapsmp_cc_ops *ops);
void lapsmp_cc_put(struct lapsmp_cc_ops *ops);

/* Name of the @i-th registered one into @name (LAPSMP_NAME_MAX bytes). */
bool lapsmp_cc_name(unsigned int i, char *name);

int lapsmp_cc_init(void);
void lapsmp_cc_exit(void);

#endif /* _LAPSMP_CC_H */
