// SPDX-License-Identifier: GPL-2.0
/* Ports into routes, and routes that have least in common; see group.h. */
#include <string.h>

#include "group.h"

/* That a route is missed may happen once in so many. */
#define GROUP_MISS	100

/* All that one more port tells. */
static void group_join(struct group *g, const struct trace *t)
{
	unsigned int ttl;

	if (!g->seen.len)
		g->seen.len = t->len;
	for (ttl = 0; ttl <= HOPS_MAX; ttl++) {
		struct hop *to = &g->seen.hops[ttl];
		const struct hop *from = &t->hops[ttl];

		if (!hop_is_known(to->kind) && from->kind != HOP_UNKNOWN)
			*to = *from;
		else if (from->rtt_ns && (!to->rtt_ns || from->rtt_ns < to->rtt_ns))
			to->rtt_ns = from->rtt_ns;
	}
}

/* The first group that a trace may be of, and whether there are others. */
static unsigned int groups_find(const struct groups *g, const struct trace *t, bool *unsure)
{
	unsigned int i, found = g->n;

	*unsure = false;
	for (i = 0; i < g->n && !*unsure; i++) {
		if (trace_apart(&g->v[i].seen, t))
			continue;
		if (found < g->n)
			*unsure = true;
		else
			found = i;
	}
	return found;
}

static void groups_add(struct groups *g, const struct trace *traces, unsigned int i)
{
	unsigned int to;
	bool unsure;

	to = groups_find(g, &traces[i], &unsure);
	g->unsure += unsure;
	if (to == g->n) {
		memset(&g->v[g->n], 0, sizeof(g->v[g->n]));
		g->v[g->n].seen.value = traces[i].value;
		g->v[g->n++].best = i;
	}
	g->of[i] = to;
	g->v[to].members++;
	/* Who may be of another route tells nothing of this one. */
	if (!unsure)
		group_join(&g->v[to], &traces[i]);
}

void groups_make(struct groups *g, const struct trace *traces, unsigned int n)
{
	unsigned int i, unknown;

	g->n = 0;
	g->unsteady = 0;
	g->unsure = 0;
	g->holes = 0;
	for (i = 0; i < n; i++) {
		g->of[i] = GROUP_NONE;
		g->unsteady += trace_varies(&traces[i]) > 0;
	}
	/* An end that is not known is as bad as all hops. */
	for (unknown = 0; unknown <= 2 * HOPS_MAX; unknown++) {
		for (i = 0; i < n; i++) {
			if (!trace_varies(&traces[i]) &&
			    trace_unknown(&traces[i]) + (traces[i].len ? 0 : HOPS_MAX) == unknown)
				groups_add(g, traces, i);
		}
	}
	for (i = 0; i < g->n; i++)
		g->holes += trace_unknown(&g->v[i].seen) > 0;
}

/* A router, wherever on the way. */
static bool trace_passes(const struct trace *t, const struct in6_addr *router)
{
	unsigned int ttl;

	for (ttl = 1; ttl <= trace_hops(t); ttl++) {
		if (t->hops[ttl].kind == HOP_ROUTER &&
		    IN6_ARE_ADDR_EQUAL(&t->hops[ttl].addr, router))
			return true;
	}
	return false;
}

/* From one that answered to the next hop, which did, too. */
static bool trace_takes(const struct trace *t, const struct hop *from, const struct hop *to)
{
	unsigned int ttl;

	for (ttl = 1; ttl < trace_hops(t); ttl++) {
		const struct hop *at = &t->hops[ttl];

		if (hop_is_known(at[0].kind) && hop_is_known(at[1].kind) &&
		    IN6_ARE_ADDR_EQUAL(&at[0].addr, &from->addr) &&
		    IN6_ARE_ADDR_EQUAL(&at[1].addr, &to->addr))
			return true;
	}
	return false;
}

unsigned int group_shared(const struct trace *a, const struct trace *b)
{
	unsigned int ttl, shared = 0;

	for (ttl = 1; ttl <= trace_hops(a); ttl++) {
		const struct hop *at = &a->hops[ttl];

		if (!hop_is_known(at->kind)) {
			shared += ttl <= trace_hops(b) && !hop_is_known(b->hops[ttl].kind);
			continue;
		}
		shared += at->kind == HOP_ROUTER && trace_passes(b, &at->addr);
		shared += ttl < trace_hops(a) && hop_is_known(at[1].kind) &&
			  trace_takes(b, at, &at[1]);
	}
	return shared;
}

/* How good a group would be beside those that are picked: less is better. */
struct group_cost {
	unsigned int most;
	unsigned int all;
	uint64_t rtt_ns;
};

static struct group_cost group_cost(const struct groups *g, unsigned int i,
				    const unsigned int *picked, unsigned int n)
{
	struct group_cost cost = { .rtt_ns = trace_rtt(&g->v[i].seen) };
	unsigned int j, shared;

	if (!cost.rtt_ns)
		cost.rtt_ns = UINT64_MAX;
	for (j = 0; j < n; j++) {
		shared = group_shared(&g->v[i].seen, &g->v[picked[j]].seen);
		cost.all += shared;
		if (shared > cost.most)
			cost.most = shared;
	}
	return cost;
}

static bool group_cost_less(const struct group_cost *a, const struct group_cost *b)
{
	if (a->most != b->most)
		return a->most < b->most;
	if (a->all != b->all)
		return a->all < b->all;
	return a->rtt_ns < b->rtt_ns;
}

static bool group_can_be_picked(const struct groups *g, unsigned int i,
				const unsigned int *picked, unsigned int n)
{
	const struct trace *t = &g->v[i].seen;

	while (n--) {
		if (picked[n] == i)
			return false;
	}
	return t->len && t->hops[t->len].kind != HOP_REJECT;
}

unsigned int groups_pick(const struct groups *g, unsigned int keep, unsigned int *picked)
{
	struct group_cost cost, least = { 0 };
	unsigned int i, best, n;

	for (n = 0; n < keep; n++) {
		best = g->n;
		for (i = 0; i < g->n; i++) {
			if (!group_can_be_picked(g, i, picked, n))
				continue;
			cost = group_cost(g, i, picked, n);
			if (best < g->n && !group_cost_less(&cost, &least))
				continue;
			best = i;
			least = cost;
		}
		if (best == g->n)
			break;
		picked[n] = best;
	}
	return n;
}

unsigned int groups_ports_needed(unsigned int routes)
{
	double missed = routes;
	unsigned int n;

	for (n = 0; missed > 1.0 / GROUP_MISS; n++)
		missed *= 1 - 1.0 / routes;
	return n;
}
