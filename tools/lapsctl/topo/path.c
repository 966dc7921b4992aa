// SPDX-License-Identifier: GPL-2.0
/* Lengths and paths; see path.h. */
#include "path.h"

/* Packets that may wait at each node before it counts as congested (LAPS, III-F). */
#define MARGIN_PACKETS	5

/* The finalizer of SplitMix64: all bits of the result depend on all of @x. */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ull;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

uint64_t topo_seed(uint32_t from, uint32_t to)
{
	return mix((uint64_t)from << 32 | to);
}

int topo_len_cmp(const struct topo_len *a, const struct topo_len *b)
{
	if (a->shared != b->shared)
		return a->shared < b->shared ? -1 : 1;
	if (a->metric != b->metric)
		return a->metric < b->metric ? -1 : 1;
	if (a->hops != b->hops)
		return a->hops < b->hops ? -1 : 1;
	return (a->tie > b->tie) - (a->tie < b->tie);
}

struct topo_len topo_len_add(struct topo_len a, struct topo_len b)
{
	return (struct topo_len){
		.shared = a.shared + b.shared,
		.metric = a.metric + b.metric,
		.hops = a.hops + b.hops,
		.tie = a.tie + b.tie,
	};
}

struct topo_len topo_arc_len(const struct topo_query *query, uint32_t arc)
{
	const struct topo_arc *a = &query->topo->arcs[arc];
	struct topo_len len = { .hops = 1 };

	if (query->uses)
		len.shared = query->uses[a->link];
	switch (query->metric) {
	case TOPO_DELAY:
		len.metric = a->delay_ns + a->send_ns;
		break;
	case TOPO_HOPS:
		len.metric = 1;
		break;
	case TOPO_COST:
		len.metric = a->cost;
		break;
	}
	/* 32 bits each: the sum over any path fits. */
	len.tie = mix(query->seed + arc) >> 32;
	return len;
}

bool topo_may_pass(const struct topo_query *query, uint32_t node)
{
	const struct topo_node *nodes = query->topo->nodes;
	uint32_t group = nodes[node].group;

	switch (nodes[node].transit) {
	case TOPO_TRANSIT_ANY:
		return true;
	case TOPO_TRANSIT_GROUP:
		return group != TOPO_NONE && (group == nodes[query->from].group ||
					      group == nodes[query->to].group);
	default:
		return false;
	}
}

int topo_path_cmp(const struct topo_path *a, const struct topo_path *b)
{
	int diff = topo_len_cmp(&a->len, &b->len);
	uint32_t i;

	for (i = 0; !diff && i < a->n && i < b->n; i++)
		diff = (a->arcs[i] > b->arcs[i]) - (a->arcs[i] < b->arcs[i]);
	return diff;
}

bool topo_path_same(const struct topo_path *a, const struct topo_path *b)
{
	uint32_t i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n && a->arcs[i] == b->arcs[i]; i++)
		;
	return i == a->n;
}

struct topo_path topo_path_make(const struct topo_query *query, uint32_t *arcs, uint32_t n)
{
	struct topo_path path = { .arcs = arcs, .n = n };
	uint32_t i;

	for (i = 0; i < n; i++)
		path.len = topo_len_add(path.len, topo_arc_len(query, arcs[i]));
	return path;
}

uint32_t topo_path_node(const struct topo *topo, const struct topo_path *path, uint32_t place)
{
	return place ? topo->arcs[path->arcs[place - 1]].to : topo->arcs[path->arcs[0]].from;
}

struct topo_facts topo_path_facts(const struct topo *topo, const struct topo_path *path)
{
	struct topo_facts facts = { .rate = UINT64_MAX };
	uint32_t i;

	for (i = 0; i < path->n; i++) {
		const struct topo_arc *arc = &topo->arcs[path->arcs[i]];

		facts.delay_ns += arc->delay_ns + arc->send_ns;
		if (i)
			facts.margin_ns += MARGIN_PACKETS * arc->send_ns;
		if (arc->rate < facts.rate)
			facts.rate = arc->rate;
	}
	return facts;
}
