/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a flow sees of its paths: its part of each, the views that schedulers
 * choose by, and what all of them say together.
 *
 * All calls: flow locked.
 */
#ifndef _LAPSMP_VIEW_H
#define _LAPSMP_VIEW_H

#include "flow.h"

/*
 * A turn of the pump or of the timer begins: follow a change of the peer's path
 * set, and of paths that were cut. Return: 0 or -ENOMEM.
 */
int __lapsmp_view_sync(struct lapsmp_flow *f);

/* If its path was cut, what was out on it is lost: it need not be waited for. */
void __lapsmp_view_cut(struct lapsmp_flow *f, struct lapsmp_fpath *fp);

/*
 * The flow is confirmed: from now on its packets may have other addresses than those
 * it was opened with.
 */
void __lapsmp_view_opened(struct lapsmp_flow *f);

/*
 * The receiver knows the address that the path is sent from; or does not, for all that
 * is heard, and only probes go there.
 */
void __lapsmp_view_joined(struct lapsmp_fpath *fp);
void __lapsmp_view_challenged(struct lapsmp_fpath *fp);

/* May packets of the flow go by this path? */
static inline bool lapsmp_view_may_use(const struct lapsmp_flow *f,
				       const struct lapsmp_fpath *fp)
{
	return f->state == LAPSMP_FLOW_OPEN || !fp->path->away;
}

/* Bring f->views and what is summed up of them up to date. */
void __lapsmp_view_look(struct lapsmp_flow *f);

/* The same where only path @i can have changed by what was done here. */
void __lapsmp_view_look_at(struct lapsmp_flow *f, int i);

/* The flow is going: let go of its paths. The last reference will do as a lock. */
void lapsmp_view_drop(struct lapsmp_flow *f);

#endif /* _LAPSMP_VIEW_H */
