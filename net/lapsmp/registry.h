/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A list of named things that modules provide: what the registries of
 * schedulers and of congestion controls have in common.
 */
#ifndef _LAPSMP_REGISTRY_H
#define _LAPSMP_REGISTRY_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <uapi/linux/lapsmp.h>

struct module;

/**
 * struct lapsmp_registry - the list
 * @entries: in the order of registration (RCU)
 * @lock: guards changes of it
 * @prefix: modprobe is asked for PREFIX-NAME
 */
struct lapsmp_registry {
	struct list_head	entries;
	spinlock_t		lock;	/* changes of @entries */
	const char		*prefix;
};

int lapsmp_registry_add(struct lapsmp_registry *r, const char *name,
			struct module *owner, void *ops);
void lapsmp_registry_del(struct lapsmp_registry *r, const void *ops);
void *lapsmp_registry_get(struct lapsmp_registry *r, const char *name,
			  bool may_load);
void lapsmp_registry_hold(struct module *owner);
void lapsmp_registry_put(struct module *owner);
bool lapsmp_registry_name(struct lapsmp_registry *r, unsigned int i,
			  char *name);

#endif /* _LAPSMP_REGISTRY_H */
