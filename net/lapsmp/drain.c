// SPDX-License-Identifier: GPL-2.0
/*
 * All of a peer's paths run empty for a moment, to be measured: who begins it, who waits for it
 * and who ends it. When and why is in alg/drain.c.
 *
 *	an ACK, peer's lock	a base is due: drain.until_ns = now + ...
 *	each flow's pump	sends nothing before that, and looks again
 *	the first of them	sees that nothing is under way: drain.ending is true, it sends
 *				a small probe on each path, and drain.until_ns = 0
 *
 * Whose time is over is over, whoever is there to see it. Retransmissions wait as well; timeouts
 * do not.
 */
#include "drain.h"
#include "flow.h"
#include "mib.h"
#include "probe.h"
#include "timer.h"

/* Who did not have the last packet under way looks so often whether they are empty. */
#define LAPSMP_DRAIN_LOOKS	16
/* The part of its patience that a flow waits for. */
#define LAPSMP_DRAIN_PATIENCE	4

/* One in back-off is not waited for: what it has under way is probes, and what is lost. */
static bool lapsmp_drain_is_used(const struct lapsmp_path *p)
{
	return READ_ONCE(p->state) != LAPSMP_PATH_DOWN && !READ_ONCE(p->timeouts);
}

static void lapsmp_drain_set(struct lapsmp_drain *d, u64 until_ns)
{
	d->ending = false;
	/* Pairs with lapsmp_drain_is_on(). */
	WRITE_ONCE(d->until_ns, until_ns);
}

static void lapsmp_drain_begin(struct lapsmp_peer *peer, u64 rtt_ns, u64 now_ns)
{
	u64 for_ns = lapsmp_drain_for_ns(rtt_ns);

	WRITE_ONCE(peer->drain.look_ns, for_ns / LAPSMP_DRAIN_LOOKS);
	lapsmp_drain_set(&peer->drain, now_ns + for_ns);
	LAPSMP_INC(peer->ln, drains);
}

/* Was nobody there to find them empty in time? */
static void lapsmp_drain_expire(struct lapsmp_peer *peer, u64 now_ns)
{
	struct lapsmp_drain *d = &peer->drain;

	if (!d->until_ns || d->ending || lapsmp_drain_is_on(peer, now_ns))
		return;
	lapsmp_drain_set(d, 0);
	lapsmp_drain_told(d, true);
	LAPSMP_INC(peer->ln, drains_failed);
}

void lapsmp_drain_heard(struct lapsmp_peer *peer, u32 arr_ns, u64 now_ns)
{
	const struct lapsmp_pathset *ps = rcu_dereference_bh(peer->paths);
	const struct lapsmp_path *p;
	bool due = false;
	u64 rtt_ns = 0;
	int i;

	lockdep_assert_held(&peer->lock);
	lapsmp_drain_expire(peer, now_ns);
	if (!lapsmp_drain_tick(&peer->drain, arr_ns, now_ns) || peer->drain.until_ns)
		return;
	for (i = 0; i < ps->n; i++) {
		p = ps->path[i];
		if (!p->owd.valid || p->cut || !lapsmp_drain_is_used(p))
			continue;
		due |= lapsmp_owd_is_due(&p->owd, LAPSMP_DRAIN_TICK_NS, now_ns);
		rtt_ns = max(rtt_ns, p->rtt.srtt_ns);
	}
	if (due && lapsmp_drain_may(&peer->drain))
		lapsmp_drain_begin(peer, rtt_ns, now_ns);
}

bool lapsmp_drain_is_empty(const struct lapsmp_flow *f)
{
	const struct lapsmp_path *p;
	int i;

	for (i = 0; i < f->n_paths; i++) {
		p = f->fpaths[i].path;
		if (atomic_read(&p->inflight) && lapsmp_drain_is_used(p))
			return false;
	}
	return true;
}

/* Return: whether it is the caller who measures them. */
static bool lapsmp_drain_claim(struct lapsmp_peer *peer, u64 now_ns)
{
	bool ends;

	spin_lock(&peer->lock);
	ends = lapsmp_drain_is_on(peer, now_ns) && !peer->drain.ending;
	if (ends)
		peer->drain.ending = true;
	spin_unlock(&peer->lock);
	return ends;
}

static void lapsmp_drain_end(struct lapsmp_flow *f, u64 now_ns)
{
	struct lapsmp_drain *d = &f->peer->drain;

	/* Nobody else moves it while it is ending. */
	lapsmp_probe_lone(f, lapsmp_drain_first(d, f->n_paths), LAPSMP_DRAIN_PROBES, now_ns);
	spin_lock(&f->peer->lock);
	lapsmp_drain_set(d, 0);
	lapsmp_drain_told(d, false);
	spin_unlock(&f->peer->lock);
}

/* To whom it has not answered for long, nothing is to wait. */
static bool lapsmp_drain_is_impatient(const struct lapsmp_flow *f, u64 now_ns)
{
	s64 patience_ns = lapsmp_timer_patience_ns(f);

	return (s64)(now_ns - f->answer_ns) > patience_ns / LAPSMP_DRAIN_PATIENCE;
}

u64 lapsmp_drain_hold(struct lapsmp_flow *f, u64 now_ns)
{
	lockdep_assert_held(&f->lock);
	if (!lapsmp_drain_is_on(f->peer, now_ns) || lapsmp_drain_is_impatient(f, now_ns))
		return 0;
	/* Who is not let in yet would measure nothing: a cookie answers. */
	if (f->state != LAPSMP_FLOW_OPEN || !f->n_paths || !lapsmp_drain_is_empty(f) ||
	    !lapsmp_drain_claim(f->peer, now_ns))
		return now_ns + READ_ONCE(f->peer->drain.look_ns);
	lapsmp_drain_end(f, now_ns);
	return 0;
}
