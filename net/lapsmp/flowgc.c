// SPDX-License-Identifier: GPL-2.0
/* The collector of sending flows: idle ones, dead ones, and all if the namespace goes. */
#include "clock.h"
#include "close.h"
#include "flow.h"
#include "rtx.h"
#include "wire.h"

/* Nothing under way for so long: the receiver is told to forget the flow. */
#define LAPSMP_FLOW_IDLE_NS	(30ULL * NSEC_PER_SEC)
/* An error that nobody asked for is forgotten. */
#define LAPSMP_FLOW_DEAD_NS	(60ULL * NSEC_PER_SEC)
/* A flow that rests this long gives back the memory of its rings. */
#define LAPSMP_FLOW_REST_NS	(2ULL * NSEC_PER_SEC)

static void lapsmp_flow_rest(struct lapsmp_flow *f, u64 now_ns)
{
	int i;

	/* While something waits for a path, an answer may come that is older than that. */
	if (f->inflight || f->n_msgs ||
	    !lapsmp_clock_older(f->active_ns, now_ns, LAPSMP_FLOW_REST_NS))
		return;
	for (i = 0; i < f->n_paths; i++)
		lapsmp_rtx_drop_ring(f, &f->fpaths[i]);
}

/* Context: RCU, so that a socket found in the flow cannot vanish. */
static void lapsmp_flow_collect(struct lapsmp_flow *f, u64 now_ns, bool all)
{
	struct lapsmp_sock *ls;
	bool unlink = false;

	spin_lock_bh(&f->lock);
	ls = f->ls;
	if (f->state == LAPSMP_FLOW_DEAD) {
		unlink = all || !f->err ||
			 lapsmp_clock_older(f->dead_ns, now_ns,
					    LAPSMP_FLOW_DEAD_NS);
	} else if (all || (!f->n_msgs &&
			   lapsmp_clock_older(f->active_ns, now_ns,
					      LAPSMP_FLOW_IDLE_NS))) {
		lapsmp_close_send(f, f->n_msgs ? LAPSMP_CLOSE_ABORT :
						 LAPSMP_CLOSE_IDLE);
		__lapsmp_flow_kill(f, all && f->n_msgs ? ENETDOWN : 0);
		unlink = true;
	} else {
		lapsmp_flow_rest(f, now_ns);
	}
	spin_unlock_bh(&f->lock);
	if (unlink)
		lapsmp_flow_unlink(f, ls);
}

void lapsmp_flow_gc(struct lapsmp_net *ln, u64 now_ns, bool all)
{
	struct rhashtable_iter it;
	struct lapsmp_flow *f;

	rhashtable_walk_enter(&ln->flows, &it);
	rhashtable_walk_start(&it);
	while ((f = rhashtable_walk_next(&it))) {
		if (IS_ERR(f) || !refcount_inc_not_zero(&f->refs))
			continue;
		lapsmp_flow_collect(f, now_ns, all);
		lapsmp_flow_put(f);
	}
	rhashtable_walk_stop(&it);
	rhashtable_walk_exit(&it);
}

void lapsmp_flow_net_exit(struct lapsmp_net *ln)
{
	while (atomic_read(&ln->n_flows)) {
		lapsmp_flow_gc(ln, lapsmp_clock_now(), true);
		cond_resched();
	}
}
