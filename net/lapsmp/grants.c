// SPDX-License-Identifier: GPL-2.0
/*
 * Receiver-driven grants. Of each flow it is looked at, whenever its limit is asked
 * for, whether it wants to go on, and then it has a place in the tree:
 *
 *	     the first K: their turn           the others
 *	| rest 10 KB | 4 MB |   | 16 MB, waits | 16 MB, waits | new, not yet looked at |
 *
 * A flow of the first K gets, with each ACK, so much that grant_bytes may be under
 * way, and leaves the tree when all is covered: then the next one begins a little
 * before it ends. Any other one gets nothing, and is marked: it waits.
 *
 * No flow waits for ever. Whatever changes the tree looks at the first K of it, under
 * the same lock, and tells all that wait there. Of these each either makes progress or
 * is taken out of the tree by the patrol; so the tree moves on as long as anybody is
 * in it. If what told a flow is lost, its sender asks by itself (WPROBE), and the
 * answer is a look like any other.
 *
 * Small messages that never cease could keep a large one waiting all the same: so each
 * time that the patrol comes, one of those that wait, in turn, gets a part of a grant
 * (a ration).
 *
 * Who is slow takes nobody's turn: he may go on as if he had one, outside of the tree,
 * until he is fast again. That is who is limited by his own link or program, and who
 * has died, before anybody knows. A flow whose limit is the receive buffer or the
 * budget wants nothing: a turn would not help it.
 */
#include "alg/grant.h"
#include "clock.h"
#include "grants.h"
#include "mib.h"
#include "rflow.h"

/* Flows to be told that it is their turn. */
static DEFINE_PER_CPU(struct lapsmp_later_cpu, lapsmp_grants_cpus);

static void (*lapsmp_grants_tell)(struct lapsmp_rflow *rf);

/* --- the tree: g->lock held -------------------------------------------------- */

static struct lapsmp_turn *lapsmp_grants_turn(struct rb_node *n)
{
	return rb_entry_safe(n, struct lapsmp_turn, node);
}

static struct lapsmp_turn *__lapsmp_grants_first(struct lapsmp_grants *g)
{
	return lapsmp_grants_turn(rb_first_cached(&g->tree));
}

static bool lapsmp_grants_before(const struct lapsmp_turn *a,
				 const struct lapsmp_turn *b)
{
	return lapsmp_grant_before(a->rest, a->no, b->rest, b->no);
}

static void __lapsmp_grants_link(struct lapsmp_grants *g, struct lapsmp_turn *t)
{
	struct rb_node **p = &g->tree.rb_root.rb_node, *parent = NULL;
	bool first = true;

	while (*p) {
		parent = *p;
		if (lapsmp_grants_before(t, lapsmp_grants_turn(parent))) {
			p = &parent->rb_left;
		} else {
			p = &parent->rb_right;
			first = false;
		}
	}
	rb_link_node(&t->node, parent, p);
	rb_insert_color_cached(&t->node, &g->tree, first);
	WRITE_ONCE(t->queued, true);
}

static void __lapsmp_grants_unlink(struct lapsmp_grants *g, struct lapsmp_turn *t)
{
	WRITE_ONCE(t->waits, false);
	t->ration = false;
	if (!t->queued)
		return;
	rb_erase_cached(&t->node, &g->tree);
	WRITE_ONCE(t->queued, false);
}

/* There is less to come, mostly, and its place the same. */
static void __lapsmp_grants_move(struct lapsmp_grants *g, struct lapsmp_turn *t,
				 u64 rest)
{
	struct lapsmp_turn *prev = lapsmp_grants_turn(rb_prev(&t->node));
	struct lapsmp_turn *next = lapsmp_grants_turn(rb_next(&t->node));

	t->rest = rest;
	if ((!prev || lapsmp_grants_before(prev, t)) &&
	    (!next || lapsmp_grants_before(t, next)))
		return;
	rb_erase_cached(&t->node, &g->tree);
	__lapsmp_grants_link(g, t);
}

static bool __lapsmp_grants_is_in(struct lapsmp_grants *g,
				  const struct lapsmp_turn *t, unsigned int k)
{
	struct rb_node *n;

	for (n = rb_first_cached(&g->tree); n && k; n = rb_next(n), k--)
		if (n == &t->node)
			return true;
	return false;
}

/* --- turns: g->lock held --------------------------------------------------------- */

static void __lapsmp_grants_mark(struct lapsmp_turn *t, u64 now_ns)
{
	t->mark = t->used;
	t->mark_ns = now_ns;
}

static void __lapsmp_grants_wake(struct lapsmp_turn *t)
{
	struct lapsmp_rflow *rf = container_of(t, struct lapsmp_rflow, turn);

	LAPSMP_INC(rf->ln, grants_told);
	/*
	 * While it is in the tree it has a socket, and so its table's reference: it is
	 * told before it is taken out, for lapsmp_grants_leave() looks without the lock.
	 */
	if (lapsmp_later_add(&lapsmp_grants_cpus, &t->wake))
		lapsmp_rflow_hold(rf);
}

/* After any change: whoever waits among the first @k has his turn now. */
static void __lapsmp_grants_call(struct lapsmp_grants *g, unsigned int k, u64 now_ns)
{
	struct rb_node *n;

	for (n = rb_first_cached(&g->tree); n && k; n = rb_next(n), k--) {
		struct lapsmp_turn *t = lapsmp_grants_turn(n);

		if (!t->waits)
			continue;
		WRITE_ONCE(t->waits, false);
		__lapsmp_grants_mark(t, now_ns);
		__lapsmp_grants_wake(t);
	}
}

static bool __lapsmp_grants_is_slow(struct lapsmp_turn *t, u32 bytes, u64 now_ns)
{
	if (!t->slow)
		return false;
	if (!lapsmp_grant_is_slow(t->used - t->mark, bytes))
		t->slow = false;
	else if (lapsmp_clock_older(t->mark_ns, now_ns, LAPSMP_GRANT_PERIOD_NS))
		__lapsmp_grants_mark(t, now_ns);
	return t->slow;
}

/* It wants to go on: to its place. */
static void __lapsmp_grants_join(struct lapsmp_grants *g, struct lapsmp_turn *t,
				 u64 rest, u64 now_ns)
{
	if (t->queued) {
		__lapsmp_grants_move(g, t, rest);
		return;
	}
	if (RB_EMPTY_ROOT(&g->tree.rb_root)) {
		lapsmp_turns_start(&g->turns, now_ns);
		queue_delayed_work(system_unbound_wq, &g->patrol,
				   nsecs_to_jiffies(LAPSMP_GRANT_PERIOD_NS));
	}
	t->rest = rest;
	t->no = ++g->last_no;
	__lapsmp_grants_mark(t, now_ns);
	__lapsmp_grants_link(g, t);
}

/* Return: the limit of one that wants to go on. */
static u32 __lapsmp_grants_ask(struct lapsmp_grants *g, struct lapsmp_turn *t,
			       struct lapsmp_grant_need *need, unsigned int k,
			       u32 bytes, u64 now_ns)
{
	__lapsmp_grants_join(g, t, need->rest, now_ns);
	if (!__lapsmp_grants_is_in(g, t, k)) {
		WRITE_ONCE(t->waits, true);
		if (!t->ration)
			return need->limit;
		bytes /= LAPSMP_GRANT_RATIONS;
	} else if (t->waits) {
		WRITE_ONCE(t->waits, false);
		__lapsmp_grants_mark(t, now_ns);
	}
	t->ration = false;
	need->limit = lapsmp_grant_limit(need, bytes);
	/* With its last grant the next one's turn has come. */
	if (!lapsmp_grant_wants(need))
		__lapsmp_grants_unlink(g, t);
	return need->limit;
}

/*
 * What has arrived since the last look, which fills links or not only while somebody wants to
 * go on. More than a grant cannot: then it was long ago, when nobody needed one.
 */
static void __lapsmp_grants_count(struct lapsmp_grants *g, struct lapsmp_turn *t, u32 used,
				  unsigned int k, u32 bytes, u64 now_ns)
{
	u32 arrived = used - t->used;

	t->used = used;
	if (RB_EMPTY_ROOT(&g->tree.rb_root))
		return;
	lapsmp_turns_update(&g->turns, k, arrived <= bytes ? arrived : 0, now_ns);
}

static u32 __lapsmp_grants_look(struct lapsmp_rflow *rf,
				struct lapsmp_grant_need *need, unsigned int k)
{
	u32 bytes = READ_ONCE(rf->ln->conf.grant_bytes), limit;
	struct lapsmp_grants *g = &rf->ln->grants;
	struct lapsmp_turn *t = &rf->turn;
	u64 now = lapsmp_clock_now();

	__lapsmp_grants_count(g, t, need->used, k, bytes, now);
	if (!k) {
		__lapsmp_grants_unlink(g, t);
		return need->law;
	}
	k = lapsmp_turns_n(&g->turns, k);
	if (!lapsmp_grant_wants(need) || __lapsmp_grants_is_slow(t, bytes, now)) {
		__lapsmp_grants_unlink(g, t);
		limit = lapsmp_grant_limit(need, bytes);
	} else {
		limit = __lapsmp_grants_ask(g, t, need, k, bytes, now);
	}
	__lapsmp_grants_call(g, k, now);
	return limit;
}

/* --- a flow's limit ----------------------------------------------------------------- */

static struct lapsmp_grant_need lapsmp_grants_need(const struct lapsmp_rflow *rf,
						   u32 law)
{
	return (struct lapsmp_grant_need){
		.used = rf->credit_used,
		.limit = rf->limit,
		.law = law,
		.rest = rf->rest,
	};
}

u32 lapsmp_grants_limit(struct lapsmp_rflow *rf, u32 law)
{
	struct lapsmp_grant_need need = lapsmp_grants_need(rf, law);
	unsigned int k = READ_ONCE(rf->ln->conf.grants);
	u32 limit;

	lockdep_assert_held(&rf->lock);
	if (!k && !READ_ONCE(rf->turn.queued))
		return law;
	spin_lock(&rf->ln->grants.lock);
	limit = __lapsmp_grants_look(rf, &need, k);
	spin_unlock(&rf->ln->grants.lock);
	return limit;
}

u32 lapsmp_grants_would(const struct lapsmp_rflow *rf, u32 law)
{
	struct lapsmp_grant_need need = lapsmp_grants_need(rf, law);

	if (!READ_ONCE(rf->ln->conf.grants))
		return law;
	if (READ_ONCE(rf->turn.waits))
		return rf->limit;
	return lapsmp_grant_limit(&need, READ_ONCE(rf->ln->conf.grant_bytes));
}

u32 lapsmp_grants_window(const struct lapsmp_net *ln, u32 window)
{
	if (!READ_ONCE(ln->conf.grants))
		return window;
	return min(window, READ_ONCE(ln->conf.grant_bytes));
}

void lapsmp_grants_leave(struct lapsmp_rflow *rf)
{
	unsigned int k = READ_ONCE(rf->ln->conf.grants);
	struct lapsmp_grants *g = &rf->ln->grants;

	lockdep_assert_held(&rf->lock);
	if (!READ_ONCE(rf->turn.queued))
		return;
	spin_lock(&g->lock);
	__lapsmp_grants_unlink(g, &rf->turn);
	__lapsmp_grants_call(g, lapsmp_turns_n(&g->turns, k), lapsmp_clock_now());
	spin_unlock(&g->lock);
}

/* --- telling ------------------------------------------------------------------------- */

static void lapsmp_grants_run(struct lapsmp_later *l)
{
	struct lapsmp_rflow *rf = container_of(l, struct lapsmp_rflow, turn.wake);

	spin_lock(&rf->ln->grants.lock);
	lapsmp_later_taken(l);
	spin_unlock(&rf->ln->grants.lock);
	spin_lock(&rf->lock);
	lapsmp_grants_tell(rf);
	spin_unlock(&rf->lock);
	lapsmp_rflow_put(rf);
}

/* --- the patrol ---------------------------------------------------------------------- */

/* Whoever has a turn and sends little: out of the tree, and told that he may go on. */
static void __lapsmp_grants_pass_over(struct lapsmp_net *ln, unsigned int k, u64 now_ns)
{
	u32 bytes = READ_ONCE(ln->conf.grant_bytes);
	struct lapsmp_grants *g = &ln->grants;
	struct lapsmp_turn *t, *next;

	for (t = __lapsmp_grants_first(g); t && k; t = next, k--) {
		next = lapsmp_grants_turn(rb_next(&t->node));
		if (t->waits || !lapsmp_clock_older(t->mark_ns, now_ns,
						    LAPSMP_GRANT_PERIOD_NS))
			continue;
		if (lapsmp_grant_is_slow(t->used - t->mark, bytes)) {
			LAPSMP_INC(ln, grants_slow);
			/* What told it may have been lost. */
			__lapsmp_grants_wake(t);
			__lapsmp_grants_unlink(g, t);
			t->slow = true;
		}
		__lapsmp_grants_mark(t, now_ns);
	}
}

/* One of those that wait, in turn. */
static void __lapsmp_grants_feed(struct lapsmp_grants *g)
{
	struct lapsmp_turn *hungry = NULL, *t;
	struct rb_node *n;

	for (n = rb_first_cached(&g->tree); n; n = rb_next(n)) {
		t = lapsmp_grants_turn(n);
		if (t->waits && (!hungry || t->fed < hungry->fed))
			hungry = t;
	}
	if (!hungry)
		return;
	hungry->fed = ++g->last_fed;
	hungry->ration = true;
	__lapsmp_grants_wake(hungry);
}

/* Nobody waits any more. Return: whether there was one to be told that. */
static bool lapsmp_grants_let_go(struct lapsmp_grants *g)
{
	struct lapsmp_turn *t;

	spin_lock_bh(&g->lock);
	t = __lapsmp_grants_first(g);
	if (t) {
		__lapsmp_grants_wake(t);
		__lapsmp_grants_unlink(g, t);
	}
	spin_unlock_bh(&g->lock);
	return t;
}

static void lapsmp_grants_patrol(struct work_struct *w)
{
	struct lapsmp_grants *g = container_of(to_delayed_work(w),
					       struct lapsmp_grants, patrol);
	struct lapsmp_net *ln = container_of(g, struct lapsmp_net, grants);
	u64 now = lapsmp_clock_now();
	unsigned int k;

	/* Those who are told come back at once if it is no longer 0. */
	while (!READ_ONCE(ln->conf.grants) && lapsmp_grants_let_go(g))
		cond_resched();
	spin_lock_bh(&g->lock);
	k = lapsmp_turns_n(&g->turns, READ_ONCE(ln->conf.grants));
	__lapsmp_grants_pass_over(ln, k, now);
	__lapsmp_grants_call(g, k, now);
	__lapsmp_grants_feed(g);
	/* Under the lock: whoever joins an empty tree asks for it himself. */
	if (!RB_EMPTY_ROOT(&g->tree.rb_root))
		queue_delayed_work(system_unbound_wq, &g->patrol,
				   nsecs_to_jiffies(LAPSMP_GRANT_PERIOD_NS));
	spin_unlock_bh(&g->lock);
}

/* --- life ------------------------------------------------------------------------------ */

void lapsmp_grants_net_init(struct lapsmp_net *ln)
{
	spin_lock_init(&ln->grants.lock);
	ln->grants.tree = RB_ROOT_CACHED;
	INIT_DELAYED_WORK(&ln->grants.patrol, lapsmp_grants_patrol);
}

void lapsmp_grants_net_exit(struct lapsmp_net *ln)
{
	WARN_ON_ONCE(!RB_EMPTY_ROOT(&ln->grants.tree.rb_root));
	cancel_delayed_work_sync(&ln->grants.patrol);
}

void lapsmp_grants_set_tell(void (*tell)(struct lapsmp_rflow *rf))
{
	lapsmp_grants_tell = tell;
}

int lapsmp_grants_init(void)
{
	lapsmp_later_init(&lapsmp_grants_cpus, lapsmp_grants_run);
	return 0;
}

void lapsmp_grants_exit(void)
{
	lapsmp_later_exit(&lapsmp_grants_cpus);
}
