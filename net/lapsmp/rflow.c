// SPDX-License-Identifier: GPL-2.0
/* Receiving flows: references, and the paths of each. */
#include <linux/slab.h>
#include "rflow.h"
#include "route.h"

/*
 * Paths that a flow may always have; and of all flows of a namespace so many for each that it may
 * have: the most of all of them would be more memory than there is.
 */
#define LAPSMP_RFLOW_SOME_PATHS	8
#define LAPSMP_RFLOW_MEAN_PATHS	4

static void lapsmp_rpath_free(struct lapsmp_net *ln, struct lapsmp_rpath *rp)
{
	atomic_dec(&ln->n_rpaths);
	lapsmp_route_free(rp->route);
	kfree(rp->back);
	kfree(rp);
}

static void lapsmp_rflow_free_rcu(struct rcu_head *rcu)
{
	struct lapsmp_rflow *rf = container_of(rcu, struct lapsmp_rflow, rcu);
	struct lapsmp_net *ln = rf->ln;
	struct lapsmp_rpath *rp;
	unsigned long id;

	xa_for_each(&rf->paths, id, rp)
		lapsmp_rpath_free(ln, rp);
	xa_destroy(&rf->paths);
	kfree(rcu_dereference_protected(rf->raddrs, true));
	kfree(rf);
	lapsmp_net_put(ln);
}

void lapsmp_rflow_put(struct lapsmp_rflow *rf)
{
	if (refcount_dec_and_test(&rf->refs))
		call_rcu(&rf->rcu, lapsmp_rflow_free_rcu);
}

bool lapsmp_rflow_comes_from(const struct lapsmp_rflow *rf,
			     const struct in6_addr *raddr)
{
	const struct lapsmp_raddrs *ra = rcu_dereference(rf->raddrs);
	unsigned int i;

	for (i = 0; ra && i < ra->n; i++)
		if (ipv6_addr_equal(&ra->addr[i], raddr))
			return true;
	return false;
}

/*
 * The path that nothing came on for longest goes: its sender has most likely
 * given it up. If not, it sends again what it does not see acknowledged.
 */
static bool lapsmp_rflow_forget_path(struct lapsmp_rflow *rf)
{
	struct lapsmp_rpath *rp, *oldest = NULL;
	unsigned long id;

	xa_for_each(&rf->paths, id, rp) {
		if (rp->due || rp->id == rf->last_path)
			continue;
		if (!oldest || rp->arr_ns < oldest->arr_ns)
			oldest = rp;
	}
	if (!oldest)
		return false;
	xa_erase(&rf->paths, oldest->id);
	lapsmp_rpath_free(rf->ln, oldest);
	rf->n_paths--;
	return true;
}

static bool lapsmp_rflow_has_most(const struct lapsmp_rflow *rf)
{
	u64 all = (u64)LAPSMP_RFLOW_MEAN_PATHS * READ_ONCE(rf->ln->conf.max_rflows);

	return rf->n_paths >= LAPSMP_RFLOW_MAX_PATHS ||
	       (rf->n_paths >= LAPSMP_RFLOW_SOME_PATHS && atomic_read(&rf->ln->n_rpaths) >= all);
}

struct lapsmp_rpath *lapsmp_rflow_path(struct lapsmp_rflow *rf, u16 id)
{
	struct lapsmp_rpath *rp = xa_load(&rf->paths, id);

	lockdep_assert_held(&rf->lock);
	if (rp)
		return rp;
	if (lapsmp_rflow_has_most(rf) && !lapsmp_rflow_forget_path(rf))
		return NULL;
	rp = kzalloc(sizeof(*rp), GFP_ATOMIC | __GFP_NOWARN);
	if (!rp)
		return NULL;
	rp->id = id;
	INIT_LIST_HEAD(&rp->due_node);
	if (xa_err(xa_store(&rf->paths, id, rp, GFP_ATOMIC | __GFP_NOWARN))) {
		kfree(rp);
		return NULL;
	}
	rf->n_paths++;
	atomic_inc(&rf->ln->n_rpaths);
	return rp;
}
