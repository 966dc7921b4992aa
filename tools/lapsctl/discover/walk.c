// SPDX-License-Identifier: GPL-2.0
/* Which port is to be probed with which TTL next; see walk.h. */
#include <string.h>

#include "walk.h"

/* Ports that are asked whether the peer answers. */
#define WALK_SCOUTS	8
/* Silent hops in a row behind which nothing more is looked for, unless the peer answers. */
#define WALK_GAP	3
/* A TTL's fewest probes in a round. */
#define WALK_BUDGET_MIN	4
#define WALK_NO_LIMIT	UINT32_MAX
/*
 * Answers from each hop. Where a router spreads by packet over two others, two probes
 * of a port meet the same one half of the time; when one was found, it pays to be sure.
 */
#define WALK_LOOKS	2
#define WALK_LOOKS_MORE	6

void walk_begin(struct walk *w)
{
	unsigned int i;

	w->phase = WALK_REACH;
	w->quiet = 0;
	w->reached = false;
	w->shortest = 0;
	w->looks = WALK_LOOKS;
	memset(w->ttl, 0, sizeof(w->ttl));
	for (i = 0; i <= HOPS_MAX; i++)
		w->ttl[i].budget = WALK_NO_LIMIT;
	for (i = 0; i < w->n; i++)
		w->asked[i] = WALK_NOT;
}

/* --- planning ----------------------------------------------------------------- */

static void walk_ask(struct walk *w, unsigned int i, unsigned int ttl, struct walk_ask *ask)
{
	w->asked[i] = ttl;
	w->ttl[ttl].asked++;
	if (w->ttl[ttl].budget != WALK_NO_LIMIT)
		w->ttl[ttl].budget--;
	*ask = (struct walk_ask){ i, ttl };
}

/* Some ports from among all, others with each try. */
static unsigned int walk_plan_reach(struct walk *w, struct walk_ask *asks)
{
	unsigned int i, n = w->n < WALK_SCOUTS ? w->n : WALK_SCOUTS;

	if (w->reached || w->quiet == WALK_TRIES)
		return 0;
	for (i = 0; i < n; i++)
		walk_ask(w, (i * w->n / n + w->quiet) % w->n, 0, &asks[i]);
	return n;
}

static bool walk_is_settled(const struct hop *hop)
{
	return hop->kind != HOP_UNKNOWN;
}

/*
 * How far to look. Ways are mostly of one length: before a port's hop there is
 * settled none behind it is asked.
 */
static unsigned int walk_limit(const struct walk *w, const struct trace *t)
{
	unsigned int far = trace_top(t);

	if (t->len)
		return t->len - 1;
	if (w->shortest && !walk_is_settled(&t->hops[w->shortest]))
		return w->shortest;
	if (w->reached && !w->shortest)
		return w->max_hops;
	if (far < w->shortest)
		far = w->shortest;
	return far + WALK_GAP < w->max_hops ? far + WALK_GAP : w->max_hops;
}

/* Return: the TTL that this port is to be asked, or WALK_NOT. */
static unsigned int walk_next(const struct walk *w, const struct trace *t)
{
	unsigned int ttl, limit = walk_limit(w, t);

	for (ttl = 1; ttl <= limit; ttl++) {
		if (!walk_is_settled(&t->hops[ttl]) && w->ttl[ttl].budget)
			return ttl;
	}
	return WALK_NOT;
}

static unsigned int walk_next_look(const struct walk *w, const struct trace *t)
{
	unsigned int ttl;

	for (ttl = 1; ttl <= trace_hops(t); ttl++) {
		const struct hop *hop = &t->hops[ttl];

		if (hop->kind == HOP_ROUTER && !hop->varies && hop->answers < w->looks &&
		    hop->looks < w->looks - 1 && w->ttl[ttl].budget)
			return ttl;
	}
	return WALK_NOT;
}

static unsigned int walk_plan_ports(struct walk *w, struct walk_ask *asks)
{
	unsigned int i, ttl, n = 0;

	for (i = 0; i < w->n; i++) {
		struct trace *t = &w->traces[i];

		ttl = w->phase == WALK_WALK ? walk_next(w, t) : walk_next_look(w, t);
		if (ttl == WALK_NOT)
			continue;
		if (w->phase == WALK_LOOK)
			t->hops[ttl].looks++;
		walk_ask(w, i, ttl, &asks[n++]);
	}
	return n;
}

unsigned int walk_plan(struct walk *w, struct walk_ask *asks)
{
	unsigned int n = 0;

	while (w->phase != WALK_DONE) {
		n = w->phase == WALK_REACH ? walk_plan_reach(w, asks) : walk_plan_ports(w, asks);
		if (n)
			break;
		w->phase++;
	}
	return n;
}

/* --- answers ------------------------------------------------------------------ */

static void walk_see(struct hop *hop, const struct walk_seen *seen)
{
	if (hop->answers < UINT8_MAX)
		hop->answers++;
	if (seen->rtt_ns && (!hop->rtt_ns || seen->rtt_ns < hop->rtt_ns))
		hop->rtt_ns = seen->rtt_ns;
	if (!hop_is_known(hop->kind)) {
		hop->kind = seen->kind;
		hop->code = seen->code;
		hop->addr = seen->addr;
	} else if (!IN6_ARE_ADDR_EQUAL(&hop->addr, &seen->addr)) {
		hop->varies = true;
		hop->other = seen->addr;
	}
}

void walk_answer(struct walk *w, const struct walk_seen *seen)
{
	unsigned int ttl = seen->ask.ttl;
	struct trace *t;

	if (seen->ask.trace >= w->n || ttl > HOPS_MAX)
		return;
	t = &w->traces[seen->ask.trace];
	w->ttl[ttl].answered++;
	if (w->asked[seen->ask.trace] == ttl)
		w->asked[seen->ask.trace] = WALK_NOT;
	walk_see(&t->hops[ttl], seen);
	if (!ttl && hop_is_end(seen->kind))
		w->reached = true;
	/* Its length is that of the shortest way on which the end answered. */
	if (!ttl || !hop_is_end(seen->kind) || (t->len && t->len <= ttl))
		return;
	t->len = ttl;
	if (!w->shortest || ttl < w->shortest)
		w->shortest = ttl;
}

/* A port's hop was asked in vain, while nobody got an answer there. */
static void walk_miss(struct walk *w, unsigned int i)
{
	unsigned int ttl = w->asked[i];
	struct hop *hop;

	w->asked[i] = WALK_NOT;
	if (ttl == WALK_NOT || !ttl || w->phase != WALK_WALK || w->ttl[ttl].answered)
		return;
	hop = &w->traces[i].hops[ttl];
	if (hop->kind == HOP_UNKNOWN && ++hop->misses >= WALK_TRIES)
		hop->kind = HOP_SILENT;
}

/*
 * Without any answer all are asked in the next round: if some router there answers
 * at all, it has had time to do so again.
 */
static void walk_close_ttl(struct walk *w, struct walk_ttl *t)
{
	if (!t->asked && !t->answered) {
		if (t->budget < WALK_BUDGET_MIN)
			t->budget = WALK_BUDGET_MIN;
	} else if (t->answered) {
		t->budget = 2 * t->answered > WALK_BUDGET_MIN ? 2 * t->answered : WALK_BUDGET_MIN;
	} else {
		t->budget = w->phase == WALK_WALK ? WALK_NO_LIMIT : WALK_BUDGET_MIN;
	}
	t->asked = 0;
	t->answered = 0;
}

void walk_close(struct walk *w)
{
	unsigned int i, ttl;

	if (w->phase == WALK_REACH)
		w->quiet++;
	for (i = 0; i < w->n; i++)
		walk_miss(w, i);
	for (ttl = 0; ttl <= w->max_hops; ttl++)
		walk_close_ttl(w, &w->ttl[ttl]);
	for (i = 0; w->phase == WALK_LOOK && w->looks == WALK_LOOKS && i < w->n; i++) {
		if (trace_varies(&w->traces[i]))
			w->looks = WALK_LOOKS_MORE;
	}
}
