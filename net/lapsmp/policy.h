/* SPDX-License-Identifier: GPL-2.0 */
/* The default policies of a namespace, set by netlink and by sysctl. */
#ifndef _LAPSMP_POLICY_H
#define _LAPSMP_POLICY_H

#include <linux/string.h>
#include "netns.h"

/**
 * struct lapsmp_policy_kind - schedulers, or congestion controls
 * @what: name for messages
 * @get: ops by name, with a reference, or NULL
 * @put: gives it back
 * @name: of ops
 * @nth: name of the n-th registered one
 * @slot: where a namespace has its default; guarded by ln->policy_lock
 */
struct lapsmp_policy_kind {
	const char *what;
	void *(*get)(const char *name, bool may_load);
	void (*put)(void *ops);
	const char *(*name)(const void *ops);
	bool (*nth)(unsigned int i, char *name);
	void **(*slot)(struct lapsmp_net *ln);
};

extern const struct lapsmp_policy_kind lapsmp_policy_sched;
extern const struct lapsmp_policy_kind lapsmp_policy_cc;

/**
 * lapsmp_policy_get() - ops by name, with a reference
 * @kind: of them
 * @name: as given by a user
 *
 * Context: process; asks modprobe if the caller may load modules.
 * Return: the ops, or ERR_PTR: -EINVAL (no valid name), -ENOENT.
 */
void *lapsmp_policy_get(const struct lapsmp_policy_kind *kind, const char *name);

/**
 * lapsmp_policy_swap() - put ops into a slot, give back what was there
 * @ln: namespace, whose policy_lock guards the slot
 * @kind: of the ops
 * @slot: a namespace's or a peer's
 * @ops: with a reference, which goes to the slot; or NULL
 *
 * Context: process.
 */
void lapsmp_policy_swap(struct lapsmp_net *ln,
			const struct lapsmp_policy_kind *kind, void **slot,
			void *ops);

/* Name of what is in a slot into @name (LAPSMP_NAME_MAX bytes), "" if nothing. */
void lapsmp_policy_name(struct lapsmp_net *ln,
			const struct lapsmp_policy_kind *kind, void **slot,
			char *name);

/* Set a namespace's default. Return: 0, or as lapsmp_policy_get(). */
int lapsmp_policy_set_default(struct lapsmp_net *ln,
			      const struct lapsmp_policy_kind *kind,
			      const char *name);

#endif /* _LAPSMP_POLICY_H */
