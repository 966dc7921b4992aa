// SPDX-License-Identifier: GPL-2.0
/* The plain way to compute paths; see topo_plain.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo_plain.h"

#define ARCS_MAX	(PLAIN_NODES_MAX + 1)

/* --- random networks -------------------------------------------------------------- */

static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % n;
}

struct in6_addr plain_sid(uint32_t number)
{
	struct in6_addr sid = { .s6_addr = { 0xfd } };

	memcpy(&sid.s6_addr[12], &number, sizeof(number));
	return sid;
}

/* SIDs are numbers from 1 on: of nodes, then of arcs. */
static void random_nodes(struct topo *topo, uint32_t n)
{
	char name[8];
	uint32_t i;

	topo_group(topo, "x");
	topo_group(topo, "y");
	for (i = 0; i < n; i++) {
		struct topo_node *node;

		snprintf(name, sizeof(name), "n%u", i);
		node = topo_add_node(topo, name, random_below(5) ? TOPO_SWITCH : TOPO_HOST);
		node->has_sid = random_below(5) > 0;
		node->sid = plain_sid(1 + i);
		if (random_below(2))
			node->group = random_below(2);
		if (!random_below(4) && node->group != TOPO_NONE)
			node->transit = TOPO_TRANSIT_GROUP;
	}
}

struct topo *plain_network(uint32_t seed)
{
	struct topo *topo = topo_new();
	uint32_t n, links, i;

	random_state = seed * 2654435761u + 1;
	n = 4 + random_below(PLAIN_NODES_MAX - 3);
	links = n + random_below(n);
	random_nodes(topo, n);
	for (i = 0; i < links; i++) {
		struct topo_arc arc = {
			.from = random_below(n), .cost = 1 + random_below(3),
			.delay_ns = 1000 * random_below(3),
			.rate = (1 + random_below(2)) * 1000000000ull, .up = random_below(10) > 0,
		};
		uint32_t first;

		arc.to = (arc.from + 1 + random_below(n - 1)) % n;
		first = topo_add_link(topo, &arc, random_below(6) > 0);
		for (; first < topo->n_arcs; first++) {
			topo->arcs[first].has_sid = !random_below(5);
			topo->arcs[first].sid = plain_sid(100 + first);
		}
	}
	topo_index(topo);
	return topo;
}

/* --- the plain way: paths --------------------------------------------------------- */

struct plain plain;

static void list_from(const struct topo_query *query, uint32_t node, uint32_t passed,
		      uint32_t *arcs, uint32_t n)
{
	const struct topo *topo = query->topo;
	uint32_t i, *copy;

	if (node == query->to) {
		if (plain.n == PLAIN_PATHS_MAX)
			abort();
		copy = malloc((n + 1) * sizeof(*arcs));
		memcpy(copy, arcs, n * sizeof(*arcs));
		plain.v[plain.n++] = topo_path_make(query, copy, n);
		return;
	}
	if (node != query->from && !topo_may_pass(query, node))
		return;
	for (i = 0; i < topo->n_arcs; i++) {
		const struct topo_arc *arc = &topo->arcs[i];

		if (arc->from != node || !arc->up || passed & 1u << arc->to)
			continue;
		arcs[n] = i;
		list_from(query, arc->to, passed | 1u << arc->to, arcs, n + 1);
	}
}

static int list_cmp(const void *a, const void *b)
{
	return topo_path_cmp(a, b);
}

void plain_clear(void)
{
	while (plain.n)
		free(plain.v[--plain.n].arcs);
}

void plain_list(const struct topo_query *query)
{
	uint32_t arcs[ARCS_MAX];

	plain_clear();
	list_from(query, query->from, 1u << query->from, arcs, 0);
	qsort(plain.v, plain.n, sizeof(plain.v[0]), list_cmp);
}

/* --- the plain way: segments ------------------------------------------------------ */

static uint64_t cost_of[PLAIN_NODES_MAX][PLAIN_NODES_MAX];
static uint64_t ways_of[PLAIN_NODES_MAX][PLAIN_NODES_MAX];

#define FAR	(UINT64_MAX / 4)

static bool forwards(const struct topo *topo, uint32_t from, uint32_t node)
{
	return node == from || topo->nodes[node].transit != TOPO_TRANSIT_NONE;
}

/* Least costs: as many rounds over all arcs as a path can be long (Bellman and Ford). */
static void costs_from(const struct topo *topo, uint32_t from)
{
	uint64_t *cost = cost_of[from];
	uint32_t i, round;

	for (i = 0; i < PLAIN_NODES_MAX; i++)
		cost[i] = i == from ? 0 : FAR;
	for (round = 0; round < topo->n_nodes; round++) {
		for (i = 0; i < topo->n_arcs; i++) {
			const struct topo_arc *arc = &topo->arcs[i];

			if (arc->up && forwards(topo, from, arc->from) &&
			    cost[arc->from] + arc->cost < cost[arc->to])
				cost[arc->to] = cost[arc->from] + arc->cost;
		}
	}
}

/* In how many ways the least cost is reached. */
static uint64_t ways_to(const struct topo *topo, uint32_t from, uint32_t to)
{
	uint64_t ways = 0;
	uint32_t i;

	if (from == to)
		return 1;
	for (i = 0; i < topo->n_arcs; i++) {
		const struct topo_arc *arc = &topo->arcs[i];

		if (arc->up && arc->to == to && forwards(topo, from, arc->from) &&
		    cost_of[from][to] < FAR &&
		    cost_of[from][arc->from] + arc->cost == cost_of[from][to])
			ways += ways_to(topo, from, arc->from);
	}
	return ways;
}

void plain_costs(const struct topo *topo)
{
	uint32_t i, j;

	for (i = 0; i < topo->n_nodes; i++) {
		costs_from(topo, i);
		for (j = 0; j < topo->n_nodes; j++)
			ways_of[i][j] = ways_to(topo, i, j);
	}
}

/* Do packets at one place of the path come to another over the path only? */
static bool certain(const struct topo *topo, const struct topo_path *path, uint32_t i, uint32_t j)
{
	uint32_t from = topo_path_node(topo, path, i), to = topo_path_node(topo, path, j);
	uint64_t cost = 0;

	for (; i < j; i++)
		cost += topo->arcs[path->arcs[i]].cost;
	return ways_of[from][to] == 1 && cost == cost_of[from][to];
}

/*
 * Do these segments name the path? @ends has a bit for each node that is one, @links
 * for each arc.
 */
static bool names(const struct topo *topo, const struct topo_path *path, uint32_t ends,
		  uint32_t links)
{
	uint32_t at = 0, i;

	for (i = 0; i < path->n; i++) {
		if (ends & 1u << i) {
			if (!topo->nodes[topo_path_node(topo, path, i)].has_sid ||
			    !certain(topo, path, at, i))
				return false;
			at = i;
		}
		if (links & 1u << i) {
			if (!topo->arcs[path->arcs[i]].has_sid || !certain(topo, path, at, i))
				return false;
			at = i + 1;
		}
	}
	return certain(topo, path, at, path->n);
}

/* The plain_fewest segments, or UINT32_MAX. */
uint32_t plain_fewest(const struct topo *topo, const struct topo_path *path)
{
	uint32_t best = UINT32_MAX, ends, links, n;

	for (ends = 0; ends < 1u << path->n; ends += 2) {
		for (links = 0; links < 1u << path->n; links++) {
			n = (uint32_t)(__builtin_popcount(ends) + __builtin_popcount(links));
			if (n < best && names(topo, path, ends, links))
				best = n;
		}
	}
	return best;
}

bool plain_leads(const struct topo *topo, const struct topo_path *path, const struct topo_pin *pin)
{
	uint32_t ends = 0, links = 0, s, i;

	for (s = 0; s < pin->n; s++) {
		for (i = 0; i < path->n; i++) {
			const struct topo_node *node = &topo->nodes[topo_path_node(topo, path, i)];
			const struct topo_arc *arc = &topo->arcs[path->arcs[i]];

			if (i && node->has_sid && !memcmp(&node->sid, &pin->sid[s], 16))
				ends |= 1u << i;
			if (arc->has_sid && !memcmp(&arc->sid, &pin->sid[s], 16))
				links |= 1u << i;
		}
	}
	return (uint32_t)(__builtin_popcount(ends) + __builtin_popcount(links)) == pin->n &&
	       names(topo, path, ends, links);
}
