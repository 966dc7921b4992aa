// SPDX-License-Identifier: GPL-2.0
/*
 * All of a peer's paths run empty for a moment, to be measured: who begins it, who waits for it
 * and who ends it. When and why is in alg/drain.c and alg/noise.c.
 *
 *	an ACK, peer's lock	a base is due, or noise wanted, at the next tick:
 *				drain.begin_ns = the tick, drain.until_ns = begin_ns + ...
 *	each flow's pump	is woken by the tick if it waits for room, sends nothing between
 *				those, and looks again
 *	the first of them	sees that nothing is under way: drain.ending is true, and it sends
 *				a small probe on each path
 *	without noise		drain.until_ns = 0: all go on, right behind the probes
 *	with noise		whose probe was answered sends one more, by each path in turn up to
 *				a quarter of a span, by the shortest one up to its middle; and the
 *				rest of it all are silent
 *	an ACK after that	what was measured counts
 *
 * Whose time is over is over, whoever is there to see it. Retransmissions wait as well; timeouts
 * do not. Who has lost something does not see it empty before it has timed out, 0.4 ms: for bases
 * it is waited for. For noise it is not, after two round trips, or a quarter of those 63 that send
 * to one host of a Rail would look too late, and next time alone; nor is an answer, after one, or
 * every third look would be in vain where one of twenty packets is lost. Who cannot look, since
 * all of his paths are in back-off, waits for as long as others do: with what he sends they would
 * find noise. (But who hears nothing hears of no tick, and sends what he does in back-off.)
 *
 * Until drain.refill_ns what is heard moves no window (alg/cc_laps.c): queues that were let run
 * empty only come back. By what 64 flows to one saw then they all grew at once, and lost six
 * times as much.
 */
#include "alg/arith.h"
#include "drain.h"
#include "flow.h"
#include "mib.h"
#include "probe.h"
#include "timer.h"

/* Who did not have the last packet under way looks so often whether they are empty. */
#define LAPSMP_DRAIN_LOOKS	16
/* The part of its patience that a flow waits for. */
#define LAPSMP_DRAIN_PATIENCE	4
/* Rounds of probes that may meet what others had sent before. */
#define LAPSMP_DRAIN_SETTLE	2
/* Round trips, queues included, after which what was under way has come or is lost. */
#define LAPSMP_DRAIN_LOST	2
/* The part of the time that is waited for, two of them or more, in which an answer has. */
#define LAPSMP_DRAIN_ANSWER	2

/**
 * struct lapsmp_drain_plan - what is to begin at a tick
 * @shift: it is the end of 2^@shift ns
 * @rtt_ns: of the longest path, queues included
 * @pipe_ns: round trip of the shortest one when it is empty
 * @rate: of the fastest link that is known, B/s, or 0
 * @frame_bytes: a full segment on the wire, of the path that has the largest
 * @for_ns: how long paths are waited for
 * @span_ns: how long noise may take, 0: it is not looked for
 */
struct lapsmp_drain_plan {
	u8	shift;
	u64	rtt_ns;
	u64	pipe_ns;
	u64	rate;
	u32	frame_bytes;
	u64	for_ns;
	u64	span_ns;
};

/* One in back-off is not waited for: what it has under way is probes, and what is lost. */
static bool lapsmp_drain_is_used(const struct lapsmp_path *p)
{
	return READ_ONCE(p->state) != LAPSMP_PATH_DOWN && !READ_ONCE(p->timeouts);
}

/* Nothing is sent before @until_ns, and @for_ns after that queues are what they were. */
static void lapsmp_drain_set(struct lapsmp_drain *d, u64 until_ns)
{
	WRITE_ONCE(d->refill_ns, until_ns + d->for_ns);
	/* After @begin_ns. Pairs with lapsmp_drain_is_on(). */
	smp_store_release(&d->until_ns, until_ns);
}

/* When to look though not all has come: early enough, where paths are longer than noise takes. */
static u64 lapsmp_drain_lost_ns(const struct lapsmp_drain_plan *plan)
{
	return min(LAPSMP_DRAIN_LOST * plan->rtt_ns, plan->for_ns / 4 * 3);
}

/*
 * The least margin that a path may have: who measure at once meet each other's probes, which a
 * tenth of the rate makes ten times as long. Of 32 to a link of 10 Gbit/s 25 had found 3.5 us,
 * and were allowed the longer queue by that.
 */
static u64 lapsmp_drain_least_ns(const struct lapsmp_conf *conf,
				 const struct lapsmp_drain_plan *plan)
{
	u64 bytes = (u64)READ_ONCE(conf->margin_segs) * plan->frame_bytes;
	u64 segs_ns = plan->rate ? lapsmp_arith_drain_ns(bytes, plan->rate) : 0;

	return max_t(u64, READ_ONCE(conf->margin_ns), segs_ns);
}

static void lapsmp_drain_begin(struct lapsmp_peer *peer, const struct lapsmp_drain_plan *plan,
			       u64 now_ns)
{
	struct lapsmp_drain *d = &peer->drain;

	WRITE_ONCE(d->for_ns, plan->for_ns);
	d->shift = plan->shift;
	d->for_noise = plan->span_ns;
	d->least_ns = lapsmp_drain_least_ns(&peer->ln->conf, plan);
	WRITE_ONCE(d->round, 0);
	d->ending = false;
	WRITE_ONCE(d->look_ns, max(plan->for_ns, plan->span_ns) / LAPSMP_DRAIN_LOOKS);
	WRITE_ONCE(d->pending, 0);
	WRITE_ONCE(d->begin_ns, now_ns + lapsmp_drain_in_ns(d, plan->shift));
	d->sent_ns = d->begin_ns;
	WRITE_ONCE(d->lost_ns, d->for_noise ? d->begin_ns + lapsmp_drain_lost_ns(plan) : U64_MAX);
	lapsmp_noise_begin(&peer->noise, d->begin_ns);
	lapsmp_drain_set(d, d->begin_ns + max(plan->for_ns, plan->span_ns));
}

static void lapsmp_drain_over(struct lapsmp_peer *peer, u64 now_ns)
{
	struct lapsmp_drain *d = &peer->drain;

	LAPSMP_INC(peer->ln, drains);
	if (!d->round)
		LAPSMP_INC(peer->ln, drains_failed);
	if (d->shift == LAPSMP_DRAIN_SHIFT)
		lapsmp_drain_told(d, !d->round);
	if (d->for_noise)
		lapsmp_noise_end(&peer->noise, d->least_ns, now_ns);
	d->ending = false;
	WRITE_ONCE(d->refill_ns, d->round ? min(d->refill_ns, now_ns + d->for_ns) : 0);
	WRITE_ONCE(d->until_ns, 0);
}

void lapsmp_drain_answered(struct lapsmp_peer *peer, const struct lapsmp_path *p, u64 sent_ns)
{
	struct lapsmp_drain *d = &peer->drain;

	lockdep_assert_held(&peer->lock);
	/* Not one of an earlier round that is late. */
	if (d->pending && (s64)(sent_ns - d->sent_ns) >= 0)
		WRITE_ONCE(d->pending, d->pending - 1);
	if (p->id == d->path_id)
		lapsmp_noise_sample(&peer->noise, p->owd.raw_ns, p->owd.base_raw_ns, sent_ns);
}

/* Is its time over, with nobody to end it? */
static void lapsmp_drain_expire(struct lapsmp_peer *peer, u64 now_ns)
{
	const struct lapsmp_drain *d = &peer->drain;

	if (d->until_ns && !d->ending && d->until_ns <= now_ns)
		lapsmp_drain_over(peer, now_ns);
}

static void lapsmp_drain_count(struct lapsmp_drain_plan *plan, const struct lapsmp_path *p)
{
	plan->rtt_ns = max(plan->rtt_ns, p->rtt.srtt_ns);
	plan->pipe_ns = min(plan->pipe_ns, p->owd.min_rtt_ns);
	plan->frame_bytes = max(plan->frame_bytes, p->frame_bytes);
	if (p->conf_rate || p->delivery.link_shown)
		plan->rate = max(plan->rate, p->conf_rate ?: p->delivery.link_rate);
}

/*
 * By the paths that are used. Those in back-off count for who has no other, and is silent with
 * the others: a long one that has died would hold up all, and a fast one is nobody's rate.
 * Return: whether one of them is due.
 */
static bool lapsmp_drain_sum(const struct lapsmp_peer *peer, struct lapsmp_drain_plan *plan,
			     u64 now_ns)
{
	const struct lapsmp_pathset *ps = rcu_dereference_bh(peer->paths);
	struct lapsmp_drain_plan rest = *plan;
	bool used = false, due = false;
	const struct lapsmp_path *p;
	int i;

	for (i = 0; i < ps->n; i++) {
		p = ps->path[i];
		if (!p->owd.valid || p->cut || p->state == LAPSMP_PATH_DOWN)
			continue;
		if (!lapsmp_drain_is_used(p)) {
			lapsmp_drain_count(&rest, p);
			continue;
		}
		used = true;
		due |= lapsmp_owd_is_due(&p->owd, LAPSMP_DRAIN_TICK_NS, now_ns);
		lapsmp_drain_count(plan, p);
	}
	if (!used)
		*plan = rest;
	return due;
}

/* At a tick of 2^@shift ns: is one to begin, for bases or for noise? And for how long? */
static bool lapsmp_drain_plan(struct lapsmp_peer *peer, struct lapsmp_drain_plan *plan,
			      u64 now_ns)
{
	bool due = lapsmp_drain_sum(peer, plan, now_ns);

	plan->for_ns = lapsmp_drain_for_ns(plan->rtt_ns);
	plan->span_ns = lapsmp_noise_plan_ns(&peer->noise, plan->pipe_ns, plan->for_ns,
					     plan->shift);
	if (plan->shift != LAPSMP_DRAIN_SHIFT)
		return lapsmp_noise_wants(&peer->noise, plan->shift,
					  min(plan->rate ?: U64_MAX, peer->line_rate), now_ns) &&
		       plan->span_ns;
	/* Where there was some, it is measured anew. */
	if (!peer->noise.ns)
		plan->span_ns = 0;
	return due && lapsmp_drain_may(&peer->drain);
}

void lapsmp_drain_heard(struct lapsmp_peer *peer, u32 arr_ns, u64 now_ns)
{
	struct lapsmp_drain_plan plan = { .pipe_ns = U64_MAX };

	lockdep_assert_held(&peer->lock);
	lapsmp_drain_expire(peer, now_ns);
	plan.shift = lapsmp_drain_tick(&peer->drain, arr_ns, now_ns);
	if (plan.shift && !peer->drain.until_ns && lapsmp_drain_plan(peer, &plan, now_ns))
		lapsmp_drain_begin(peer, &plan, now_ns);
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

/* Is nothing under way that would be in a probe's way? What has not come for long is lost. */
static bool lapsmp_drain_is_ready(const struct lapsmp_flow *f, bool empty, u64 now_ns)
{
	const struct lapsmp_drain *d = &f->peer->drain;

	return empty || (READ_ONCE(d->round) && !READ_ONCE(d->pending)) ||
	       now_ns >= READ_ONCE(d->lost_ns);
}

/*
 * Of two flows that are ready one is first, and the other is not ready any more.
 * Return: whether it is the caller who measures them.
 */
static bool lapsmp_drain_claim(const struct lapsmp_flow *f, u64 now_ns)
{
	struct lapsmp_peer *peer = f->peer;
	struct lapsmp_drain *d = &peer->drain;
	bool empty, ends;

	spin_lock(&peer->lock);
	empty = lapsmp_drain_is_empty(f);
	ends = lapsmp_drain_is_on(peer, now_ns) && !d->ending &&
	       lapsmp_drain_is_ready(f, empty, now_ns);
	if (ends) {
		d->ending = true;
		d->empty = empty;
	}
	spin_unlock(&peer->lock);
	return ends;
}

/* The path by which noise is measured: its index, or -1 if it has gone. */
static int lapsmp_drain_index(const struct lapsmp_flow *f, u16 id)
{
	int i;

	for (i = 0; i < f->n_paths; i++)
		if (f->fpaths[i].path->id == id)
			return i;
	return -1;
}

/* The index of the shortest path that can be asked, as far as they are known by now, or -1. */
static int lapsmp_drain_shortest(const struct lapsmp_flow *f)
{
	int i, best = -1;

	for (i = 0; i < f->n_paths; i++)
		if (lapsmp_probe_may_lone(f, &f->fpaths[i]) &&
		    (best < 0 || f->fpaths[i].path->owd.min_rtt_ns <
				 f->fpaths[best].path->owd.min_rtt_ns))
			best = i;
	return best;
}

/*
 * By which path noise is to be measured, and for how long: known a little better with each answer
 * until it begins to count. Not once by any path: of 32 hosts some had met others' queues by that
 * one until then, believed it to be four times as long, and when they counted the others sent.
 */
static bool lapsmp_drain_settles(const struct lapsmp_flow *f, u64 now_ns)
{
	const struct lapsmp_drain *d = &f->peer->drain;

	return d->round == LAPSMP_DRAIN_SETTLE || lapsmp_noise_is_early(&f->peer->noise, now_ns);
}

/* Whose turn it is, if that answers before samples count; else @i, the shortest. */
static int lapsmp_drain_turn(struct lapsmp_flow *f, int i, u64 now_ns)
{
	int next = ++f->peer->drain.turn % f->n_paths;
	u64 rtt_ns = f->fpaths[next].path->owd.min_rtt_ns;

	return lapsmp_noise_is_early(&f->peer->noise, now_ns + rtt_ns) ? next : i;
}

/*
 * Whoever has claimed it. The first answers may have met what others had sent before; those
 * after the second round did not, and tell more and more of how long paths are. Until noise
 * counts, all have their turns by themselves: the first ones of eight ports of each of eight
 * senders had waited for each other, and who believed his ports to be longer for it had three
 * times as much.
 * Return: the index of the path to begin with, or -1: it is over.
 */
static int lapsmp_drain_next(struct lapsmp_flow *f, u64 now_ns)
{
	struct lapsmp_drain *d = &f->peer->drain;
	bool settles;
	int i;

	spin_lock(&f->peer->lock);
	settles = lapsmp_drain_settles(f, now_ns);
	i = d->round ? lapsmp_drain_index(f, d->path_id) : lapsmp_drain_first(d, f->n_paths);
	i = settles ? lapsmp_drain_shortest(f) : lapsmp_probe_lone_from(f, max(i, 0));
	if (i >= 0 && f->fpaths[i].path->id != d->path_id) {
		/* The first one, or that has timed out, or gone, or another one is shorter. */
		d->path_id = f->fpaths[i].path->id;
		lapsmp_noise_anew(&f->peer->noise);
	}
	if (i >= 0 && settles &&
	    !lapsmp_noise_go_on(&f->peer->noise, f->fpaths[i].path->owd.min_rtt_ns, d->shift))
		i = -1;
	if (i < 0)
		lapsmp_drain_over(f->peer, now_ns);
	else if (lapsmp_noise_is_early(&f->peer->noise, now_ns))
		i = lapsmp_drain_turn(f, i, now_ns);
	spin_unlock(&f->peer->lock);
	return i;
}

/* It has sent so many probes; if none could be sent, that was all. Return: whether it is over. */
static bool lapsmp_drain_sent(struct lapsmp_peer *peer, u16 n, u64 now_ns)
{
	struct lapsmp_drain *d = &peer->drain;
	bool over = !d->for_noise || !n;

	spin_lock(&peer->lock);
	WRITE_ONCE(d->pending, n);
	d->sent_ns = now_ns;
	if (d->for_noise)
		WRITE_ONCE(d->lost_ns, now_ns + d->for_ns / LAPSMP_DRAIN_ANSWER);
	if (n)
		WRITE_ONCE(d->round, min(d->round + 1, LAPSMP_DRAIN_SETTLE + 1));
	if (over)
		lapsmp_drain_over(peer, now_ns);
	else
		lapsmp_drain_set(d, peer->noise.span_ns ? d->begin_ns + peer->noise.span_ns :
							  now_ns + d->for_ns);
	d->ending = false;
	spin_unlock(&peer->lock);
	return over;
}

/* Nobody else does that, or changes what it reads, while drain.ending. Return: is it over? */
static bool lapsmp_drain_round(struct lapsmp_flow *f, u64 now_ns)
{
	u16 most = f->peer->drain.round ? 1 : LAPSMP_DRAIN_PROBES;
	int i = lapsmp_drain_next(f, now_ns);

	return i < 0 || lapsmp_drain_sent(f->peer, lapsmp_probe_lone(f, i, most, now_ns), now_ns);
}

/*
 * Return: when to look again; no later than it is over. Once there are probes, those who get
 * their answers go on, or whose they are (@mine) when they have waited for long; or else others.
 */
static u64 lapsmp_drain_look(const struct lapsmp_peer *peer, bool mine, u64 now_ns)
{
	const struct lapsmp_drain *d = &peer->drain;
	u64 until_ns = max(READ_ONCE(d->until_ns), now_ns);
	u64 lost_ns = READ_ONCE(d->lost_ns);

	if (READ_ONCE(d->round) && !mine)
		lost_ns += READ_ONCE(d->for_ns);
	if (lost_ns > now_ns)
		until_ns = min(until_ns, lost_ns);
	return READ_ONCE(d->round) ? until_ns : min(now_ns + READ_ONCE(d->look_ns), until_ns);
}

/* Is there anything to measure yet? */
static bool lapsmp_drain_is_asking(const struct lapsmp_peer *peer, u64 now_ns)
{
	return READ_ONCE(peer->drain.round) <= LAPSMP_DRAIN_SETTLE ||
	       lapsmp_noise_asks(&peer->noise, now_ns);
}

/* To whom it has not answered for long, nothing is to wait. */
static bool lapsmp_drain_is_impatient(const struct lapsmp_flow *f, u64 now_ns)
{
	s64 patience_ns = lapsmp_timer_patience_ns(f);

	return (s64)(now_ns - f->answer_ns) > patience_ns / LAPSMP_DRAIN_PATIENCE;
}

/*
 * May it measure? Who is not let in yet would not, a cookie answers him. Who has no path that
 * works is silent for those who measure, as long as they are.
 */
static bool lapsmp_drain_is_able(const struct lapsmp_flow *f)
{
	return f->state == LAPSMP_FLOW_OPEN && lapsmp_probe_lone_from(f, 0) >= 0;
}

u64 lapsmp_drain_hold(struct lapsmp_flow *f, u64 now_ns)
{
	lockdep_assert_held(&f->lock);
	if (!lapsmp_drain_is_on(f->peer, now_ns) || lapsmp_drain_is_impatient(f, now_ns))
		return 0;
	if (!lapsmp_drain_is_ready(f, lapsmp_drain_is_empty(f), now_ns) ||
	    !lapsmp_drain_is_able(f) || !lapsmp_drain_is_asking(f->peer, now_ns) ||
	    !lapsmp_drain_claim(f, now_ns))
		return lapsmp_drain_look(f->peer, false, now_ns);
	return lapsmp_drain_round(f, now_ns) ? 0 : lapsmp_drain_look(f->peer, true, now_ns);
}
