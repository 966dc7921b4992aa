// SPDX-License-Identifier: GPL-2.0
/*
 * Default policies of a namespace and choices of a peer: schedulers and
 * congestion controls are chosen alike, so it is written once, over a table.
 */
#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include "cc.h"
#include "policy.h"
#include "sched.h"

static void *lapsmp_policy_sched_get(const char *name, bool may_load)
{
	return lapsmp_sched_get(name, may_load);
}

static void lapsmp_policy_sched_put(void *ops)
{
	lapsmp_sched_put(ops);
}

static const char *lapsmp_policy_sched_name(const void *ops)
{
	return ((const struct lapsmp_sched_ops *)ops)->name;
}

static void **lapsmp_policy_sched_slot(struct lapsmp_net *ln)
{
	return (void **)&ln->sched;
}

const struct lapsmp_policy_kind lapsmp_policy_sched = {
	.what	= "scheduler",
	.get	= lapsmp_policy_sched_get,
	.put	= lapsmp_policy_sched_put,
	.name	= lapsmp_policy_sched_name,
	.nth	= lapsmp_sched_name,
	.slot	= lapsmp_policy_sched_slot,
};

static void *lapsmp_policy_cc_get(const char *name, bool may_load)
{
	return lapsmp_cc_get(name, may_load);
}

static void lapsmp_policy_cc_put(void *ops)
{
	lapsmp_cc_put(ops);
}

static const char *lapsmp_policy_cc_name(const void *ops)
{
	return ((const struct lapsmp_cc_ops *)ops)->name;
}

static void **lapsmp_policy_cc_slot(struct lapsmp_net *ln)
{
	return (void **)&ln->cc;
}

const struct lapsmp_policy_kind lapsmp_policy_cc = {
	.what	= "congestion control",
	.get	= lapsmp_policy_cc_get,
	.put	= lapsmp_policy_cc_put,
	.name	= lapsmp_policy_cc_name,
	.nth	= lapsmp_cc_name,
	.slot	= lapsmp_policy_cc_slot,
};

static bool lapsmp_policy_is_name(const char *name)
{
	size_t len = strlen(name), i;

	if (!len || len >= LAPSMP_NAME_MAX)
		return false;
	for (i = 0; i < len; i++)
		if (!islower(name[i]) && !isdigit(name[i]) && name[i] != '-')
			return false;
	return true;
}

void *lapsmp_policy_get(const struct lapsmp_policy_kind *kind, const char *name)
{
	if (!lapsmp_policy_is_name(name))
		return ERR_PTR(-EINVAL);
	/* Root of a container may choose among what is loaded, as with TCP. */
	return kind->get(name, capable(CAP_NET_ADMIN)) ?: ERR_PTR(-ENOENT);
}

void lapsmp_policy_swap(struct lapsmp_net *ln,
			const struct lapsmp_policy_kind *kind, void **slot,
			void *ops)
{
	void *old;

	spin_lock_bh(&ln->policy_lock);
	old = *slot;
	WRITE_ONCE(*slot, ops);
	spin_unlock_bh(&ln->policy_lock);
	if (old)
		kind->put(old);
}

void lapsmp_policy_name(struct lapsmp_net *ln,
			const struct lapsmp_policy_kind *kind, void **slot,
			char *name)
{
	spin_lock_bh(&ln->policy_lock);
	strscpy(name, *slot ? kind->name(*slot) : "", LAPSMP_NAME_MAX);
	spin_unlock_bh(&ln->policy_lock);
}

int lapsmp_policy_set_default(struct lapsmp_net *ln,
			      const struct lapsmp_policy_kind *kind,
			      const char *name)
{
	void *ops = lapsmp_policy_get(kind, name);

	if (IS_ERR(ops))
		return PTR_ERR(ops);
	lapsmp_policy_swap(ln, kind, kind->slot(ln), ops);
	return 0;
}
