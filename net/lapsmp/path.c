// SPDX-License-Identifier: GPL-2.0
/*
 * A path's life: how it begins, what happens to it, and what flows get to see of it. What it
 * learns of its delay and rate is in measure.c.
 */
#include <linux/math64.h>
#include <linux/slab.h>
#include "alg/ahead.h"
#include "alg/arith.h"
#include "event.h"
#include "measure.h"
#include "mib.h"
#include "path.h"
#include "pathplan.h"
#include "peer.h"
#include "route.h"
#include "trace.h"

/*
 * A path's rate guess starts low and doubles while no queue shows: one that
 * starts too high locks a slow path full.
 */
#define LAPSMP_RATE_START_DIV	50
/* Longer than that no packet is believed to take: rates may be configured, to anything. */
#define LAPSMP_PATH_SEG_NS_MAX	(8ULL * NSEC_PER_SEC)

struct lapsmp_path *lapsmp_path_alloc(gfp_t gfp)
{
	struct lapsmp_path *p = kzalloc(sizeof(*p), gfp);

	if (!p)
		return NULL;
	refcount_set(&p->refs, 1);
	p->conf_weight = 1;
	p->gen = 1;
	p->why = "added";
	return p;
}

void lapsmp_path_start(const struct lapsmp_peer *peer, struct lapsmp_path *p)
{
	lapsmp_pmtu_init(&p->pmtu, peer->mtu);
	WRITE_ONCE(p->mtu, p->pmtu.cur);
	memset(&p->owd, 0, sizeof(p->owd));
	memset(&p->jitter, 0, sizeof(p->jitter));
	memset(&p->ways, 0, sizeof(p->ways));
	memset(&p->rtt, 0, sizeof(p->rtt));
	lapsmp_pathplan_start(p);
	p->lean = (struct lapsmp_lean){ .q28 = lapsmp_pathplan_rest(peer, p) };
	lapsmp_delivery_init(&p->delivery, p->conf_rate ?:
			     div_u64(p->line_rate, LAPSMP_RATE_START_DIV));
	WRITE_ONCE(p->rate, lapsmp_pathplan_rate(peer, p));
	WRITE_ONCE(p->owd_ns, 0);
	WRITE_ONCE(p->heard_ns, 0);
	WRITE_ONCE(p->clear_ns, 0);
	WRITE_ONCE(p->base_ns, p->conf_base_ns);
	WRITE_ONCE(p->margin_ns, NSEC_PER_MSEC);
	WRITE_ONCE(p->swing_root, int_sqrt64(NSEC_PER_MSEC));
	WRITE_ONCE(p->back_ns, 0);
	WRITE_ONCE(p->queue_ns, 0);
	lapsmp_pathplan_tell_lean(peer, p);
	WRITE_ONCE(p->pipe_ns, 0);
	WRITE_ONCE(p->srtt_ns, 0);
	WRITE_ONCE(p->rto_ns, lapsmp_rtt_rto(&p->rtt, 0));
	WRITE_ONCE(p->pto_ns, lapsmp_rtt_pto(&p->rtt));
	WRITE_ONCE(p->timeouts, 0);
	WRITE_ONCE(p->probe_ns, 0);
	WRITE_ONCE(p->probe_backoff, 0);
	lapsmp_path_changed(p);
}

void lapsmp_path_configure_rate(struct lapsmp_path *p, u64 rate)
{
	/* Said again, it is no news of how much of it is this host's. */
	if (rate == p->conf_rate)
		return;
	WRITE_ONCE(p->conf_rate, rate);
	if (!rate)
		return;
	lapsmp_delivery_init(&p->delivery, rate);
	WRITE_ONCE(p->rate, p->delivery.rate);
}

static void lapsmp_path_free_rcu(struct rcu_head *rcu)
{
	struct lapsmp_path *p = container_of(rcu, struct lapsmp_path, rcu);

	lapsmp_route_free(rcu_dereference_protected(p->route, true));
	kfree(p->segs);
	kfree(p);
}

void lapsmp_path_put(struct lapsmp_path *p)
{
	if (refcount_dec_and_test(&p->refs))
		call_rcu(&p->rcu, lapsmp_path_free_rcu);
}

static void lapsmp_path_event(struct lapsmp_peer *peer, struct lapsmp_path *p,
			      enum lapsmp_path_event ev, const char *reason,
			      u64 now_ns)
{
	u8 old = p->state;
	u8 new = lapsmp_pathstate_next(old, ev, p->timeouts);

	if (new == old)
		return;
	if (new == LAPSMP_PATH_DOWN)
		WRITE_ONCE(p->down_ns, now_ns);
	/* Pairs with lapsmp_renew_is_bad(). */
	smp_store_release(&p->state, new);
	WRITE_ONCE(p->why, reason);
	lapsmp_path_changed(p);
	if (new == LAPSMP_PATH_DOWN) {
		LAPSMP_INC(peer->ln, path_down);
	} else if (new == LAPSMP_PATH_UP && old != LAPSMP_PATH_DEGRADED) {
		WRITE_ONCE(p->up_ns, now_ns);
		LAPSMP_INC(peer->ln, path_up);
	}
	if (new == LAPSMP_PATH_DOWN || old == LAPSMP_PATH_DOWN) {
		lapsmp_pathplan_compare_costs(peer, rcu_dereference_bh(peer->paths));
		lapsmp_pathplan_compare_rates(peer, rcu_dereference_bh(peer->paths));
	}
	trace_lapsmp_path_state(p->id, old, new, reason);
	lapsmp_event_path(peer, p, old, new, reason);
}

/*
 * Proof that it works. Where data timed out, that a small probe gets through is none: in a crowd
 * (32 flows by drawn ports to a link of a tenth) data that came back for that was lost again,
 * and the index over 100 ms fell from 0.82 to 0.80. One that is down has carried none for long.
 */
static void lapsmp_path_works(struct lapsmp_peer *peer, struct lapsmp_path *p,
			      const struct lapsmp_path_sample *s)
{
	if (s->asked && p->state != LAPSMP_PATH_DOWN)
		return;
	if (p->timeouts) {
		WRITE_ONCE(p->timeouts, 0);
		lapsmp_path_changed(p);
	}
	/* What arrived before it was cut says nothing of now. */
	if (!p->cut)
		lapsmp_path_event(peer, p, LAPSMP_PATH_EV_ACKED, "acknowledged",
				  s->now_ns);
}

void lapsmp_path_on_ack(struct lapsmp_peer *peer, struct lapsmp_path *p,
			struct lapsmp_path_sample *s)
{
	if (READ_ONCE(p->state) != LAPSMP_PATH_UP || READ_ONCE(p->timeouts) ||
	    s->ip_bytes > READ_ONCE(p->mtu) || s->lone)
		spin_lock(&peer->lock);
	else if (!spin_trylock(&peer->lock))
		return;
	lapsmp_measure(peer, p, s);
	WRITE_ONCE(p->last_ack_ns, s->now_ns);
	WRITE_ONCE(p->probe_backoff, 0);
	if (s->ip_bytes && lapsmp_pmtu_acked(&p->pmtu, s->ip_bytes, s->now_ns)) {
		WRITE_ONCE(p->mtu, p->pmtu.cur);
		LAPSMP_INC(peer->ln, pmtu_changes);
	}
	lapsmp_path_works(peer, p, s);
	spin_unlock(&peer->lock);
}

void lapsmp_path_on_timeout(struct lapsmp_peer *peer, struct lapsmp_path *p,
			    u64 sent_ns, u64 now_ns)
{
	spin_lock(&peer->lock);
	/* Of many flows that see one path die, the first one counts. */
	if (p->timeouts && sent_ns < p->timeout_ns) {
		spin_unlock(&peer->lock);
		return;
	}
	WRITE_ONCE(p->timeout_ns, now_ns);
	if (!p->timeouts)
		WRITE_ONCE(p->silent_ns, now_ns);
	/* Pairs with lapsmp_peer_rto_backed_off(). */
	smp_store_release(&p->timeouts, min(p->timeouts + 1, U8_MAX));
	/*
	 * Algorithm 1 line 7: what does not answer looks twice as slow. Only the
	 * published value, and bounded: the next sample replaces it.
	 */
	WRITE_ONCE(p->owd_ns, min_t(s64, max_t(s64, p->owd_ns, 1) * 2,
				    NSEC_PER_SEC));
	WRITE_ONCE(p->heard_ns, now_ns);
	lapsmp_path_changed(p);
	atomic64_inc(&p->stats.timeouts);
	lapsmp_path_event(peer, p, LAPSMP_PATH_EV_TIMEOUT, "timeout", now_ns);
	spin_unlock(&peer->lock);
}

/* It stands behind what was sent before, for as long as the slowest link takes. */
static void lapsmp_path_clock(struct lapsmp_path *p, u32 bytes, u64 now_ns)
{
	u32 mtu = READ_ONCE(p->mtu);
	u64 full_ns = min_t(u64, lapsmp_arith_drain_ns(mtu, READ_ONCE(p->rate)),
			    LAPSMP_PATH_SEG_NS_MAX);

	WRITE_ONCE(p->clear_ns, lapsmp_ahead_clear(READ_ONCE(p->clear_ns),
						   lapsmp_path_inflight(p) * full_ns,
						   div_u64(full_ns * bytes, mtu), now_ns));
}

void lapsmp_path_on_sent(struct lapsmp_peer *peer, struct lapsmp_path *p,
			 u32 bytes, u64 now_ns)
{
	WRITE_ONCE(p->last_sent_ns, now_ns);
	lapsmp_path_clock(p, bytes, now_ns);
	if (READ_ONCE(p->state) != LAPSMP_PATH_UNKNOWN)
		return;
	spin_lock(&peer->lock);
	lapsmp_path_event(peer, p, LAPSMP_PATH_EV_SENT, "first use", now_ns);
	spin_unlock(&peer->lock);
}

/* Other flows have to do something about it, and may be waiting. */
static void lapsmp_path_moved(struct lapsmp_net *ln)
{
	atomic_inc(&ln->moves);
	lapsmp_net_look(ln, 0);
}

void lapsmp_path_on_cut(struct lapsmp_peer *peer, struct lapsmp_path *p,
			const char *why, u64 now_ns)
{
	bool moved = false;

	if (READ_ONCE(p->cut) && READ_ONCE(p->why) == why)
		return;
	spin_lock(&peer->lock);
	if (!p->cut) {
		moved = true;
		WRITE_ONCE(p->cut, true);
		/* Before gen is raised: whoever sees that, sees this. */
		WRITE_ONCE(p->cuts, p->cuts + 1);
		lapsmp_path_changed(p);
		lapsmp_path_event(peer, p, LAPSMP_PATH_EV_CUT, why, now_ns);
	}
	WRITE_ONCE(p->why, why);
	spin_unlock(&peer->lock);
	if (moved)
		lapsmp_path_moved(peer->ln);
}

void lapsmp_path_on_back(struct lapsmp_peer *peer, struct lapsmp_path *p,
			 u64 now_ns)
{
	bool moved = false;

	spin_lock(&peer->lock);
	if (p->cut) {
		moved = true;
		WRITE_ONCE(p->cut, false);
		lapsmp_path_start(peer, p);
		lapsmp_pathplan_compare_rates(peer, rcu_dereference_bh(peer->paths));
		lapsmp_path_event(peer, p, LAPSMP_PATH_EV_BACK, "back", now_ns);
	}
	spin_unlock(&peer->lock);
	if (moved)
		lapsmp_path_moved(peer->ln);
}

void lapsmp_path_on_mtu(struct lapsmp_peer *peer, struct lapsmp_path *p,
			u32 mtu, bool icmp, u64 now_ns)
{
	spin_lock(&peer->lock);
	if (icmp) {
		if (lapsmp_pmtu_icmp(&p->pmtu, mtu, now_ns))
			LAPSMP_INC(peer->ln, pmtu_changes);
	} else {
		lapsmp_pmtu_route(&p->pmtu, mtu, now_ns);
	}
	WRITE_ONCE(p->mtu, p->pmtu.cur);
	spin_unlock(&peer->lock);
}

void lapsmp_path_on_lost(struct lapsmp_peer *peer, struct lapsmp_path *p,
			 u32 ip_bytes, u64 timeout_of_ns, u64 now_ns)
{
	spin_lock(&peer->lock);
	if (lapsmp_pmtu_lost(&p->pmtu, ip_bytes, timeout_of_ns, now_ns)) {
		WRITE_ONCE(p->mtu, p->pmtu.cur);
		LAPSMP_INC(peer->ln, pmtu_changes);
	}
	spin_unlock(&peer->lock);
}

void lapsmp_path_view(const struct lapsmp_path *p, u32 frame_bytes,
		      struct lapsmp_path_view *v)
{
	v->id = p->id;
	v->usable = !READ_ONCE(p->dead) &&
		    lapsmp_pathstate_usable(READ_ONCE(p->state));
	v->backoff = READ_ONCE(p->timeouts);
	v->owd_ns = READ_ONCE(p->owd_ns);
	v->heard_ns = READ_ONCE(p->heard_ns);
	v->base_ns = READ_ONCE(p->base_ns);
	v->margin_ns = READ_ONCE(p->margin_ns);
	v->queue_ns = READ_ONCE(p->queue_ns);
	v->pipe_ns = READ_ONCE(p->pipe_ns);
	v->swing_root = min_t(u32, READ_ONCE(p->swing_root), LAPSMP_SWING_ROOT_MAX);
	v->swing_inv = lapsmp_arith_inverse(v->swing_root);
	v->inflight_segs = lapsmp_path_inflight(p);
	v->clear_ns = READ_ONCE(p->clear_ns);
	v->rate = READ_ONCE(p->rate);
	v->seg_bytes = frame_bytes;
	v->seg_ns_q8 = min(lapsmp_arith_seg_ns_q8(frame_bytes, v->rate),
			   LAPSMP_VIEW_SEG_NS_Q8_MAX);
	v->weight = READ_ONCE(p->conf_weight);
	v->lean_q16 = READ_ONCE(p->lean_q16);
	v->price_q16 = READ_ONCE(p->price_q16);
	v->alike = v->pipe_ns && (READ_ONCE(p->planned_alike) ||
				  (!READ_ONCE(p->conf_rate) && lapsmp_pathplan_is_drawn(p)));
}
