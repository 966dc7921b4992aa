// SPDX-License-Identifier: GPL-2.0
/*
 * What a path learns. The paper's path information table keeps baseVal, realVal
 * and time per path; between two real hosts, realVal is a difference of two
 * clocks. Here is how one becomes the other:
 *
 *	raw	arrival - departure, 32 bits on the wire, unwrapped
 *	 - drift	the peer's skew (alg/skew.c)
 *	 = owd.raw, its windowed minimum owd.base_raw (alg/owd.c)
 *	 = lapsmp_pathplan_empty()	that of all packets, of full ones, or what the link needs
 *	 - offset	smallest of base_raw - min_rtt / 2 over the peer's paths
 *	 = owd_ns, base_ns	published to schedulers and controls
 *
 * margin_ns, what a path may be above its base before it counts as congested, is
 * conf.margin_segs full segments at its slowest link's rate and what it wavers by (four times
 * its jitter, as far as alg/jitter.c believes that, or what alg/noise.c has found while nobody
 * sent), or conf.margin_ns, if that is more (alg/margin.c has what bounds it). In time as well,
 * since what a host measures and how evenly it sends does not get better with the rate: at 100
 * Gbit/s five packets are 0.6 us. Jitter is within that, not beside it: those whose paths swing
 * a little more would be allowed the longer queue where they meet others. And not for each
 * router, as the paper has it: where a long way and a short one meet, whoever comes from far
 * would be allowed the longer queue, and those from near would back off for it.
 */
#include <linux/kernel.h>
#include "alg/margin.h"
#include "clock.h"
#include "drain.h"
#include "measure.h"
#include "path.h"
#include "pathplan.h"
#include "peer.h"
#include "rto.h"

static u64 lapsmp_measure_margin(const struct lapsmp_peer *peer,
				 const struct lapsmp_path *p, u32 frame_bytes)
{
	const struct lapsmp_conf *conf = &peer->ln->conf;
	struct lapsmp_margin_sample s = {
		.link_rate = p->conf_rate ?: p->delivery.link_rate,
		.others_rate = lapsmp_pathplan_others(peer, p),
		.drawn = !p->conf_rate && lapsmp_pathplan_is_drawn(p),
		.pushed_rate = lapsmp_pathplan_pushed(peer, p),
		.rate = lapsmp_pathplan_rate(peer, p),
		.learned = p->delivery.learned,
		.frame_bytes = frame_bytes,
		.segs = READ_ONCE(conf->margin_segs),
		.least_ns = READ_ONCE(conf->margin_ns),
		.rtt_ns = lapsmp_pathplan_rtt(peer, p),
		.jitter_ns = lapsmp_pathplan_jitter(peer, p),
		.noise_ns = peer->noise.ns,
	};

	return lapsmp_margin_ns(&s);
}

/* Is nothing known of how fast its slowest link is? */
static bool lapsmp_measure_is_unseen(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	return !p->conf_rate && !p->delivery.link_shown && !lapsmp_pathplan_others(peer, p);
}

static void lapsmp_measure_tell_margin(const struct lapsmp_peer *peer, struct lapsmp_path *p,
				       u32 frame_bytes)
{
	u64 margin = lapsmp_measure_margin(peer, p, frame_bytes);

	WRITE_ONCE(p->margin_ns, margin);
	WRITE_ONCE(p->swing_root, int_sqrt64(margin + p->owd.min_rtt_ns / 4));
}

static void lapsmp_measure_publish(struct lapsmp_peer *peer,
				   struct lapsmp_path *p, u32 frame_bytes)
{
	s64 owd = p->owd.raw_ns - peer->offset_ns;

	WRITE_ONCE(p->rate, lapsmp_pathplan_rate(peer, p));
	lapsmp_measure_tell_margin(peer, p, frame_bytes);
	p->frame_bytes = frame_bytes;
	WRITE_ONCE(p->unseen, lapsmp_measure_is_unseen(peer, p));
	WRITE_ONCE(p->base_ns, lapsmp_pathplan_base(peer, p));
	WRITE_ONCE(p->owd_ns, owd);
	WRITE_ONCE(p->heard_ns, p->raw_at_ns);
	WRITE_ONCE(p->queue_ns, lapsmp_lean_queue_ns(&p->lean));
	lapsmp_pathplan_tell_lean(peer, p);
	WRITE_ONCE(p->pipe_ns, p->owd.min_rtt_ns);
	WRITE_ONCE(p->srtt_ns, p->rtt.srtt_ns);
	WRITE_ONCE(p->rto_ns, lapsmp_rtt_rto(&p->rtt, 0));
	WRITE_ONCE(p->pto_ns, lapsmp_rtt_pto(&p->rtt));
	lapsmp_path_changed(p);
	if (p->rtt.srtt_ns)
		lapsmp_rto_guess(peer, p->rtt.srtt_ns);
}

/* The peer's offset is the smallest of its paths'. Return: whether it moved, and all with it. */
static bool lapsmp_measure_follow_offset(struct lapsmp_peer *peer)
{
	const struct lapsmp_pathset *ps = rcu_dereference_bh(peer->paths);
	s64 offset = S64_MAX;
	int i;

	for (i = 0; i < ps->n; i++)
		if (ps->path[i]->owd.min_rtt_ns)
			offset = min(offset, lapsmp_owd_anchor(&ps->path[i]->owd));
	if (offset == S64_MAX || offset == peer->offset_ns)
		return false;
	peer->offset_ns = offset;
	return true;
}

/* Not their delays: what a timeout has made of one stays until it is heard. */
static void lapsmp_measure_margins(struct lapsmp_peer *peer, u32 frame_bytes)
{
	const struct lapsmp_pathset *ps = rcu_dereference_bh(peer->paths);
	int i;

	for (i = 0; i < ps->n; i++) {
		if (!ps->path[i]->owd.valid)
			continue;
		lapsmp_measure_tell_margin(peer, ps->path[i], frame_bytes);
		lapsmp_path_changed(ps->path[i]);
	}
}

static void lapsmp_measure_publish_all(struct lapsmp_peer *peer, u32 frame_bytes)
{
	const struct lapsmp_pathset *ps = rcu_dereference_bh(peer->paths);
	int i;

	for (i = 0; i < ps->n; i++)
		if (ps->path[i]->owd.valid)
			lapsmp_measure_publish(peer, ps->path[i], frame_bytes);
}

/*
 * What the window and the integral are moved by: the mean of what the acknowledgment is for. Not
 * below the base for what others are said to have met: no base would follow that, and who says so
 * would never be yielded to.
 */
static s64 lapsmp_measure_mean(const struct lapsmp_peer *peer, const struct lapsmp_path *p,
			       const struct lapsmp_path_sample *s)
{
	s64 owd = p->owd.raw_ns - peer->offset_ns;

	if (s->passed)
		return owd;
	return max(owd + s->mean_ns, min(owd, lapsmp_pathplan_base(peer, p)));
}

static void lapsmp_measure_lean(struct lapsmp_peer *peer, struct lapsmp_path *p,
				s64 owd_ns, u64 now_ns)
{
	struct lapsmp_lean_sample s = {
		.now_ns = now_ns,
		.queue_ns = max_t(s64, owd_ns - lapsmp_pathplan_base(peer, p), 0),
		.margin_ns = p->margin_ns,
		.rtt_ns = p->owd.min_rtt_ns,
		.rest_q28 = lapsmp_pathplan_rest(peer, p),
		.gain_q8 = READ_ONCE(peer->ln->conf.lean_q8),
	};

	lapsmp_lean_update(&p->lean, &peer->lean_mean, &s);
}

/* The delay, with the offset of the clocks in it. */
static s64 lapsmp_measure_raw(struct lapsmp_peer *peer, const struct lapsmp_path_sample *s)
{
	peer->raw_ns = lapsmp_owd_unwrap(peer->has_raw ? peer->raw_ns : 0, s->raw32);
	peer->has_raw = true;
	return peer->raw_ns;
}

/* What it met on its way back. */
static u64 lapsmp_measure_back_ns(struct lapsmp_peer *peer, struct lapsmp_path *p, s64 raw,
				  const struct lapsmp_path_sample *s)
{
	if (!s->rtt_ns)
		return 0;
	return lapsmp_ways_update(&p->ways, lapsmp_skew_correct(&peer->skew, raw, s->now_ns),
				  s->rtt_ns, s->now_ns);
}

/*
 * Above the base that is believed: of ports that met a queue before anything else, their own is
 * in that. What met none of the queue that data meets is no neighbour of what did.
 */
static void lapsmp_measure_jitter(struct lapsmp_peer *peer, struct lapsmp_path *p,
				  const struct lapsmp_path_sample *s, s64 delta_ns)
{
	s64 above_ns = p->owd.raw_ns - peer->offset_ns - lapsmp_pathplan_base(peer, p);
	u64 rtt_ns = lapsmp_pathplan_rtt(peer, p);

	lapsmp_jitter_update(&p->jitter, &(struct lapsmp_jitter_sample){
		.delta_ns = delta_ns,
		.above_ns = s->passed || s->lone ? S64_MAX : above_ns,
		.rtt_ns = rtt_ns,
		.now_ns = s->now_ns,
	});
	lapsmp_jitter_usual_update(&peer->usual, &p->jitter, rtt_ns);
}

/*
 * Of any packet of the path's class, be it data or not; @delta_ns: by how much it was later than
 * the one before. Return: whether all paths moved.
 */
static bool lapsmp_measure_owd(struct lapsmp_peer *peer, struct lapsmp_path *p,
			       const struct lapsmp_path_sample *s, s64 *delta_ns)
{
	s64 old_base = p->owd.base_raw_ns, raw = lapsmp_measure_raw(peer, s);
	u64 old_rtt = p->owd.min_rtt_ns;

	p->raw_at_ns = s->now_ns;
	if (s->rtt_ns)
		lapsmp_rtt_update(&p->rtt, s->rtt_ns);
	WRITE_ONCE(p->back_ns, lapsmp_measure_back_ns(peer, p, raw, s));
	lapsmp_skew_update(&peer->skew, p->id, raw, s->rtt_ns,
			   p->owd.min_rtt_ns ?: s->rtt_ns, p->back_ns, s->now_ns);
	raw = lapsmp_skew_correct(&peer->skew, raw, s->now_ns);
	/* That it is less than what others of the path were delayed by is no jitter. */
	if (s->passed || s->lone)
		p->owd.raw_ns = raw;
	*delta_ns = lapsmp_owd_update(&p->owd, &(struct lapsmp_owd_sample){
		.raw_ns = raw,
		.rtt_ns = s->rtt_ns,
		.now_ns = s->now_ns,
		.alone = s->alone,
		.both_ns = lapsmp_ways_rtt(&p->ways),
		.small = s->small,
	});
	return (p->owd.base_raw_ns != old_base || p->owd.min_rtt_ns != old_rtt) &&
	       lapsmp_measure_follow_offset(peer);
}

static void lapsmp_measure_delay(struct lapsmp_peer *peer, struct lapsmp_path *p,
				 struct lapsmp_path_sample *s)
{
	u64 line = p->conf_rate ?: p->line_rate;
	s64 arr, qdelay, delta;
	bool moved = lapsmp_measure_owd(peer, p, s, &delta), wider = false;

	if (!s->small)
		lapsmp_gap_update(&peer->gap, s->arr_ns, s->now_ns);

	arr = lapsmp_owd_unwrap(p->arr_ns, s->arr_ns);
	p->arr_ns = arr;
	qdelay = p->owd.raw_ns - lapsmp_pathplan_empty(peer, p);
	if (lapsmp_delivery_update(&p->delivery, arr, s->bytes, s->segs, qdelay, line))
		wider = lapsmp_pathplan_compare_rates(peer, rcu_dereference_bh(peer->paths));

	lapsmp_pathplan_compare(peer, p, s->now_ns);
	lapsmp_measure_jitter(peer, p, s, delta);
	if (moved)
		lapsmp_measure_publish_all(peer, s->frame_bytes);
	else if (wider)
		lapsmp_measure_margins(peer, s->frame_bytes);
	s->owd_ns = lapsmp_measure_mean(peer, p, s);
	s->seen = !s->passed;
	lapsmp_measure_lean(peer, p, s->owd_ns, s->now_ns);
	lapsmp_measure_publish(peer, p, s->frame_bytes);
	lapsmp_noise_heard(&peer->noise, s->bytes, s->owd_ns > p->base_ns + p->margin_ns);
	if (!lapsmp_drain_is_refilling(peer, s->now_ns))
		lapsmp_noise_lost(&peer->noise, s->lost, s->now_ns);
	lapsmp_drain_heard(peer, s->arr_ns, s->now_ns);
}

/* A small probe that left while nothing else did: of how long the way is, and not how fast. */
static void lapsmp_measure_lone(struct lapsmp_peer *peer, struct lapsmp_path *p,
				const struct lapsmp_path_sample *s)
{
	s64 delta;
	bool moved = lapsmp_measure_owd(peer, p, s, &delta);

	lapsmp_drain_answered(peer, p, s->now_ns - s->rtt_ns);
	lapsmp_measure_jitter(peer, p, s, delta);
	if (moved)
		lapsmp_measure_publish_all(peer, s->frame_bytes);
	else
		lapsmp_measure_publish(peer, p, s->frame_bytes);
}

/*
 * What passed others knows nothing of their queue. But it is better than what is older
 * than a probe would be waited for.
 */
static bool lapsmp_measure_is_news(struct lapsmp_path *p, const struct lapsmp_path_sample *s)
{
	if (s->passed)
		return !p->owd.valid ||
		       lapsmp_clock_older(p->queued_ns, s->now_ns, lapsmp_path_stale_ns(p));
	p->queued_ns = s->now_ns;
	return true;
}

/* What it met on its way, of its own class. */
static void lapsmp_measure_time(struct lapsmp_peer *peer, const struct lapsmp_path *p,
				struct lapsmp_path_sample *s)
{
	s64 raw = lapsmp_skew_correct(&peer->skew, lapsmp_measure_raw(peer, s), s->now_ns);

	s->timed = p->owd.valid;
	s->queue_ns = raw - peer->offset_ns - p->base_ns;
}

/*
 * A small probe was answered. How long it took tells how long to wait for others; its
 * delay is not that of data, and what was known of that before holds until there is some.
 */
static void lapsmp_measure_rtt(struct lapsmp_peer *peer, struct lapsmp_path *p,
			       const struct lapsmp_path_sample *s)
{
	lapsmp_rtt_update(&p->rtt, s->rtt_ns);
	if (p->owd.valid)
		lapsmp_measure_publish(peer, p, s->frame_bytes);
}

void lapsmp_measure(struct lapsmp_peer *peer, struct lapsmp_path *p,
		    struct lapsmp_path_sample *s)
{
	lockdep_assert_held(&peer->lock);
	/* A window that spans a pause would say how long the pause was. */
	if ((s64)(s->now_ns - p->last_ack_ns) > NSEC_PER_SEC)
		p->delivery.started = false;
	/* So long ago that what is measured now may become the base, with others' queues in it. */
	if ((s64)(s->now_ns - p->last_ack_ns) > (s64)LAPSMP_OWD_WINDOW_NS)
		lapsmp_pathplan_start(p);
	if (s->fresh && lapsmp_measure_is_news(p, s))
		lapsmp_measure_delay(peer, p, s);
	else if (s->lone && !s->passed)
		lapsmp_measure_lone(peer, p, s);
	else if (s->rtt_ns && !s->passed)
		lapsmp_measure_rtt(peer, p, s);
	if (s->fresh && s->passed)
		lapsmp_measure_time(peer, p, s);
}
