// SPDX-License-Identifier: GPL-2.0
/*
 * What was planned of a path, and how far that is believed.
 *
 * Its base. What was configured may be more than was seen, and then allows a queue. If it
 * is less, whoever planned the path did not know all that is on it: believed, it would
 * have the path full for ever. Or there was a queue from the beginning, which to take for
 * the path would add to: of fifteen flows that met on one link, those that came last
 * left the first nothing. So it is believed at first, but for what even the path
 * that is nearest to its plan takes more, such as the hosts' own time. Of paths that nobody
 * has configured, and which routers take to be equal, as much is believed of the shortest
 * that was heard. So it is of its round trip, which bounds the queue that it may have: of 107
 * flows that met, ports that were first heard when the queue was full allowed it half of that.
 *
 * But routers take ways to be equal that are not. So each such path is compared with the
 * shortest as both are now: a queue that they have in common delays both, and what is left is
 * the way itself. Without that, a flow over four links of 5 to 40 us got half of what they
 * carry for the first second.
 *
 * The rate of its slowest link. A path that carries little between much of others seldom shows
 * it, and its share instead would allow it several times the others' queue; a flow that takes
 * that for room yields to none, on any of its paths. So of paths that routers take to be equal,
 * what the fastest one has shown counts for those of which nothing is known (alg/margin.c). What
 * is only believed of one counts for none: of eight flows on a link a tenth as fast as their
 * own, the one that knew it took nearly all. One that is down has shown it of links that the
 * others may use. What is configured for one is no news of others.
 *
 * The rate that it is used by, before it has learned one. A device that says no speed may be a
 * hundred times as fast as what is behind it, and then a path that was guessed of has room for
 * all that the sender could ever have: each packet waits for the nearest instead, and 20 Mbit/s
 * 20 ms away beside 20 of 1 ms were never used, nor 200 of 10 ms beside 50 of 0.1. So a guess is
 * no more than a few times what one that works has learned, or what was seen of it. What is
 * configured is the link's, and not what others leave of it. Beside a path that has learned that,
 * one that has not seemed to carry fifteen times as much, which outweighs what it costs the
 * network more; so others are believed to leave no larger part of its link than of the best one
 * that has learned it, or what was seen.
 *
 * Its cost, by which longer ways are left to others until they are needed: compared with the
 * least of those that work.
 *
 * And whether another one is as good. Where routers spread over several ways of least cost, who
 * plans paths gives each of some ports that cost, and one base and rate for all: no one knows
 * which of them leads where. So to the scheduler they are what drawn ports are to it.
 */
#include "alg/arith.h"
#include "alg/lean.h"
#include "pathplan.h"
#include "peer.h"

/*
 * From its first sample on, a path's base is believed to be as planned for so long: a queue
 * that others have filled will have been empty once by then.
 */
#define LAPSMP_PLANNED_NS	((s64)NSEC_PER_SEC)
/*
 * Half, so that it can be added to: nothing is known by which a plan could be wrong.
 */
#define LAPSMP_PLAN_UNKNOWN	(S64_MAX / 2)
/* Who is shorter than planned by more than an eighth was not planned well. */
#define LAPSMP_PLAN_WRONG_SHIFT	3
/* By how much a guess may be more than what any other path has learned. */
#define LAPSMP_PLAN_GUESS_MAX	4
/* Fractional bits of the part of a link that others leave. */
#define LAPSMP_PLAN_PART_ONE	BIT_ULL(32)
/* Down by timeouts, with small probes between: others are not measured by such a port. */
#define LAPSMP_PLAN_GONE_TIMEOUTS	LAPSMP_PATH_DOWN_TIMEOUTS
/* Acknowledgments that the difference of two ports is the average of: 16. */
#define LAPSMP_PLAN_LONGER_SHIFT	4

void lapsmp_pathplan_start(struct lapsmp_path *p)
{
	WRITE_ONCE(p->planned, true);
	p->first_ns = 0;
	p->longer_ns = 0;
}

static struct lapsmp_owd_link lapsmp_pathplan_link(const struct lapsmp_peer *peer,
						   const struct lapsmp_path *p, s64 margin_ns)
{
	return (struct lapsmp_owd_link){
		.gap_ns = peer->gap.ns,
		.margin_ns = margin_ns,
		.rate = p->conf_rate ?: p->delivery.link_shown ? p->delivery.link_rate :
					lapsmp_pathplan_others(peer, p),
		.bytes = p->frame_bytes,
	};
}

s64 lapsmp_pathplan_empty(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	struct lapsmp_owd_link l = lapsmp_pathplan_link(peer, p, p->margin_ns);

	return lapsmp_owd_base(&p->owd, &l);
}

static s64 lapsmp_pathplan_measured(const struct lapsmp_peer *peer,
				    const struct lapsmp_path *p)
{
	return lapsmp_pathplan_empty(peer, p) - peer->offset_ns;
}

bool lapsmp_pathplan_is_drawn(const struct lapsmp_path *p)
{
	return p->automatic && !p->own && !p->away;
}

/* By how much it takes longer than the shortest drawn port, as far as that is known. */
static s64 lapsmp_pathplan_longer(const struct lapsmp_path *p)
{
	return max_t(s64, p->longer_ns, 0);
}

s64 lapsmp_pathplan_base(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	s64 base = lapsmp_pathplan_measured(peer, p), conf = p->conf_base_ns;

	if (conf && p->planned)
		base = min(base, conf + peer->unplanned_ns);
	else if (p->planned && lapsmp_pathplan_is_drawn(p))
		base = min(base, peer->drawn_base_ns + lapsmp_pathplan_longer(p));
	return max(base, conf);
}

u64 lapsmp_pathplan_rtt(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	u64 rtt_ns = p->owd.min_rtt_ns;

	/* Longer there by as much as back. */
	if (p->planned && lapsmp_pathplan_is_drawn(p) && rtt_ns > peer->drawn_rtt_ns)
		rtt_ns = min(rtt_ns, peer->drawn_rtt_ns + 2 * lapsmp_pathplan_longer(p));
	return rtt_ns;
}

u32 lapsmp_pathplan_jitter(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	return lapsmp_jitter_ns(&p->jitter, &peer->usual, lapsmp_pathplan_rtt(peer, p));
}

u64 lapsmp_pathplan_others(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	return lapsmp_pathplan_is_drawn(p) ? peer->drawn_link_rate : 0;
}

u64 lapsmp_pathplan_pushed(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	u64 rate = lapsmp_pathplan_is_drawn(p) ? peer->drawn_pushed_rate : p->delivery.pushed_top;

	return rate ?: peer->pushed_rate;
}

/* How fast it may be, as far as the others know. */
static u64 lapsmp_pathplan_bound(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	u64 rate = READ_ONCE(peer->learned_rate), part_q32 = READ_ONCE(peer->learned_part_q32);

	if (p->conf_rate)
		return part_q32 ? lapsmp_arith_muldiv(p->conf_rate, part_q32,
						      LAPSMP_PLAN_PART_ONE) : U64_MAX;
	return rate && rate <= U64_MAX / LAPSMP_PLAN_GUESS_MAX ? LAPSMP_PLAN_GUESS_MAX * rate :
								 U64_MAX;
}

u64 lapsmp_pathplan_rate(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	return lapsmp_delivery_believed(&p->delivery, lapsmp_pathplan_bound(peer, p));
}

static void lapsmp_pathplan_spread_rates(struct lapsmp_peer *peer,
					 const struct lapsmp_pathset *ps)
{
	struct lapsmp_path *p;
	u64 rate;
	int i;

	for (i = 0; i < ps->n; i++) {
		p = ps->path[i];
		rate = lapsmp_pathplan_rate(peer, p);
		if (p->rate == rate)
			continue;
		WRITE_ONCE(p->rate, rate);
		lapsmp_path_changed(p);
	}
}

/* Return: whether it is less than it was, or more by an eighth. Else it stays as it was. */
static bool lapsmp_pathplan_follow(u64 *rate, u64 new)
{
	if (new >= *rate && new - *rate <= *rate / 8)
		return false;
	*rate = new;
	return true;
}

/* Return: whether margins go by others than they did. */
static bool lapsmp_pathplan_compare_pushed(struct lapsmp_peer *peer,
					   const struct lapsmp_pathset *ps)
{
	const struct lapsmp_path *p;
	u64 drawn = 0, all = 0;
	bool changed;
	int i;

	for (i = 0; i < ps->n; i++) {
		p = ps->path[i];
		if (p->conf_rate)
			continue;
		all = max(all, p->delivery.pushed_top);
		if (lapsmp_pathplan_is_drawn(p))
			drawn = max(drawn, p->delivery.pushed_top);
	}
	changed = lapsmp_pathplan_follow(&peer->drawn_pushed_rate, drawn);
	return lapsmp_pathplan_follow(&peer->pushed_rate, all) || changed;
}

bool lapsmp_pathplan_compare_rates(struct lapsmp_peer *peer,
				   const struct lapsmp_pathset *ps)
{
	u64 link_rate = 0, learned_rate = 0, part_q32 = 0;
	const struct lapsmp_path *p;
	int i;

	lockdep_assert_held(&peer->lock);
	for (i = 0; i < ps->n; i++) {
		p = ps->path[i];
		if (lapsmp_pathplan_is_drawn(p) && p->delivery.link_shown)
			link_rate = max(link_rate, p->delivery.link_rate);
		if (!p->delivery.learned || p->state == LAPSMP_PATH_DOWN)
			continue;
		learned_rate = max(learned_rate, p->delivery.rate);
		if (p->conf_rate)
			part_q32 = max(part_q32, lapsmp_arith_muldiv(p->delivery.rate,
								     LAPSMP_PLAN_PART_ONE,
								     p->conf_rate));
	}
	peer->drawn_link_rate = link_rate;
	WRITE_ONCE(peer->learned_rate, learned_rate);
	WRITE_ONCE(peer->learned_part_q32, part_q32);
	lapsmp_pathplan_spread_rates(peer, ps);
	return lapsmp_pathplan_compare_pushed(peer, ps);
}

/*
 * What data takes by a drawn port, for others to be measured by: small packets of one are no
 * measure of full ones by another. So it is by the least margin of them, and where there was no
 * full one yet, with what the link needs for it.
 */
static s64 lapsmp_pathplan_for_others(const struct lapsmp_peer *peer, const struct lapsmp_path *p,
				      s64 margin_ns)
{
	struct lapsmp_owd_link l = lapsmp_pathplan_link(peer, p, margin_ns);

	return lapsmp_owd_base(&p->owd, &l) + lapsmp_owd_unseen_ns(&p->owd, &l) - peer->offset_ns;
}

static bool lapsmp_pathplan_shortest(struct lapsmp_peer *peer, const struct lapsmp_path *p,
				     s64 margin_ns)
{
	s64 base_ns = lapsmp_pathplan_for_others(peer, p, margin_ns);

	if (p->owd.min_rtt_ns)
		peer->drawn_rtt_ns = min(peer->drawn_rtt_ns, p->owd.min_rtt_ns);
	if (base_ns >= peer->drawn_base_ns)
		return false;
	peer->drawn_base_ns = base_ns;
	return true;
}

bool lapsmp_pathplan_in_doubt(const struct lapsmp_path *p, u64 now_ns)
{
	unsigned int timeouts = READ_ONCE(p->timeouts);
	u64 timeout_ns = READ_ONCE(p->timeout_ns);

	return READ_ONCE(p->planned) && timeouts && timeouts < LAPSMP_PLAN_GONE_TIMEOUTS &&
	       READ_ONCE(p->pipe_ns) && lapsmp_pathplan_is_drawn(p) &&
	       READ_ONCE(p->probe_ns) < timeout_ns &&
	       (s64)(now_ns - timeout_ns) < LAPSMP_PLANNED_NS;
}

/*
 * A way that is no more is not how short the others may be: 0.2 to 0.4 s for what is left of
 * them to carry in 0.09. One timeout is what a crowd has, too: were ports left out for that,
 * Jain's index of 64 flows on one link fell from 0.99 to 0.97. But a small probe gets through
 * there (lapsmp_pathplan_in_doubt()), or the next one: by two timeouts one flow of 192 took the
 * queue for the way, when its first port was silent, and had eleven times its part for two
 * milliseconds. One that was heard since is not gone, even if it is down: 32 flows to a link of
 * a tenth have such ports.
 */
static bool lapsmp_pathplan_is_gone(const struct lapsmp_path *p)
{
	return p->cut || (p->timeouts >= LAPSMP_PLAN_GONE_TIMEOUTS &&
			  (s64)(p->last_ack_ns - p->silent_ns) < 0);
}

/* May others be measured by it? */
static bool lapsmp_pathplan_counts(const struct lapsmp_path *p)
{
	return p->owd.valid && lapsmp_pathplan_is_drawn(p) && !lapsmp_pathplan_is_gone(p);
}

static s64 lapsmp_pathplan_least_margin(const struct lapsmp_pathset *ps)
{
	s64 margin_ns = S64_MAX;
	int i;

	for (i = 0; i < ps->n; i++)
		if (lapsmp_pathplan_counts(ps->path[i]))
			margin_ns = min(margin_ns, ps->path[i]->margin_ns);
	return margin_ns;
}

/*
 * Anew each time: an offset that follows what is measured on one path moves what the others
 * seem to take, and a plan may be mended. Return: the shortest path by a drawn port, or NULL.
 */
static const struct lapsmp_path *lapsmp_pathplan_look(struct lapsmp_peer *peer)
{
	const struct lapsmp_pathset *ps = rcu_dereference_bh(peer->paths);
	s64 margin_ns = lapsmp_pathplan_least_margin(ps);
	const struct lapsmp_path *p, *shortest = NULL;
	s64 more;
	int i;

	peer->unplanned_ns = LAPSMP_PLAN_UNKNOWN;
	peer->drawn_base_ns = LAPSMP_PLAN_UNKNOWN;
	peer->drawn_rtt_ns = U64_MAX;
	for (i = 0; i < ps->n; i++) {
		p = ps->path[i];
		if (!p->owd.valid)
			continue;
		more = lapsmp_pathplan_measured(peer, p) - (s64)p->conf_base_ns;
		if (lapsmp_pathplan_counts(p) && lapsmp_pathplan_shortest(peer, p, margin_ns))
			shortest = p;
		if (p->conf_base_ns &&
		    more >= -(s64)(p->conf_base_ns >> LAPSMP_PLAN_WRONG_SHIFT))
			peer->unplanned_ns = min(peer->unplanned_ns,
						 max_t(s64, more, 0));
	}
	return shortest;
}

/*
 * A mean, and of all samples. Queues in ways that differ are in it, too, and the flow sees to it
 * that both become alike; but counted only while the shortest has none, fifteen flows by two last
 * links took the queue of the one for its length, and Jain's index fell from 0.97 to 0.68.
 */
static void lapsmp_pathplan_set_apart(struct lapsmp_path *p,
				      const struct lapsmp_path *shortest, u64 now_ns)
{
	s64 longer;

	if (!shortest || shortest == p || !lapsmp_pathplan_is_drawn(p) ||
	    (s64)(now_ns - shortest->last_ack_ns) > (s64)p->owd.min_rtt_ns)
		return;
	longer = p->owd.raw_ns - shortest->owd.raw_ns;
	p->longer_ns += (longer - p->longer_ns) >> LAPSMP_PLAN_LONGER_SHIFT;
}

void lapsmp_pathplan_compare(struct lapsmp_peer *peer, struct lapsmp_path *p, u64 now_ns)
{
	lockdep_assert_held(&peer->lock);
	if (!p->planned)
		return;
	if (!p->first_ns)
		p->first_ns = now_ns;
	if ((s64)(now_ns - p->first_ns) > LAPSMP_PLANNED_NS)
		WRITE_ONCE(p->planned, false);
	lapsmp_pathplan_set_apart(p, lapsmp_pathplan_look(peer), now_ns);
}

u32 lapsmp_pathplan_rest(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	return lapsmp_lean_rest(READ_ONCE(p->conf_cost), READ_ONCE(peer->least_cost),
				READ_ONCE(peer->ln->conf.detour_q8));
}

void lapsmp_pathplan_tell_lean(const struct lapsmp_peer *peer, struct lapsmp_path *p)
{
	u32 lean_q16 = lapsmp_lean_q16(&p->lean);

	WRITE_ONCE(p->lean_q16, lean_q16);
	WRITE_ONCE(p->price_q16, min(lean_q16, lapsmp_pathplan_rest(peer, p) >> 12));
}

/* The least that is not 0, of all or of those that are not down. Return: 0 if there is none. */
static u32 lapsmp_pathplan_least(const struct lapsmp_pathset *ps, bool all)
{
	u32 least = U32_MAX, cost;
	int i;

	for (i = 0; i < ps->n; i++) {
		cost = READ_ONCE(ps->path[i]->conf_cost);
		if (cost && (all || ps->path[i]->state != LAPSMP_PATH_DOWN))
			least = min(least, cost);
	}
	return least == U32_MAX ? 0 : least;
}

/*
 * A port, or a flow label, of which somebody says that it leads to where the others do. What is
 * drawn is alike by itself, and no more if somebody knows more of it.
 */
static bool lapsmp_pathplan_is_least(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	return (p->kind == LAPSMP_PATH_SPORT || p->kind == LAPSMP_PATH_FLOWLABEL) && !p->own &&
	       !p->away && !p->automatic && p->conf_cost && p->conf_cost == peer->least_cost;
}

static bool lapsmp_pathplan_is_same(const struct lapsmp_path *a, const struct lapsmp_path *b)
{
	return a->kind == b->kind && a->conf_base_ns == b->conf_base_ns &&
	       a->conf_rate == b->conf_rate;
}

/*
 * One of those of which the same is planned as of most others; NULL if there is none. One alone
 * counts, too: no rate is moved then, but the flow's draws are even.
 */
static const struct lapsmp_path *lapsmp_pathplan_usual(const struct lapsmp_peer *peer,
						       const struct lapsmp_pathset *ps)
{
	const struct lapsmp_path *usual = NULL;
	int i, j, n, most = 0;

	for (i = 0; i < ps->n; i++) {
		if (!lapsmp_pathplan_is_least(peer, ps->path[i]))
			continue;
		for (j = i, n = 0; j < ps->n; j++)
			n += lapsmp_pathplan_is_least(peer, ps->path[j]) &&
			     lapsmp_pathplan_is_same(ps->path[i], ps->path[j]);
		if (n > most) {
			most = n;
			usual = ps->path[i];
		}
	}
	return usual;
}

static void lapsmp_pathplan_compare_plans(struct lapsmp_peer *peer,
					  const struct lapsmp_pathset *ps)
{
	const struct lapsmp_path *usual = lapsmp_pathplan_usual(peer, ps);
	struct lapsmp_path *p;
	bool alike;
	int i;

	for (i = 0; i < ps->n; i++) {
		p = ps->path[i];
		alike = usual && lapsmp_pathplan_is_least(peer, p) &&
			lapsmp_pathplan_is_same(p, usual);
		if (alike == p->planned_alike)
			continue;
		WRITE_ONCE(p->planned_alike, alike);
		lapsmp_path_changed(p);
	}
}

void lapsmp_pathplan_compare_costs(struct lapsmp_peer *peer,
				   const struct lapsmp_pathset *ps)
{
	struct lapsmp_path *p;
	int i;

	lockdep_assert_held(&peer->lock);
	WRITE_ONCE(peer->least_cost, lapsmp_pathplan_least(ps, false) ?:
				     lapsmp_pathplan_least(ps, true));
	lapsmp_pathplan_compare_plans(peer, ps);
	for (i = 0; i < ps->n; i++) {
		p = ps->path[i];
		/* What was learned stays; it comes to its new rest by itself. */
		if (!p->lean.at_ns)
			p->lean.q28 = lapsmp_pathplan_rest(peer, p);
		lapsmp_pathplan_tell_lean(peer, p);
		lapsmp_path_changed(p);
	}
}
