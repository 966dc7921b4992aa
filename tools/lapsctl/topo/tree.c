// SPDX-License-Identifier: GPL-2.0
/* Shortest-path trees; see tree.h. */
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "heap.h"
#include "tree.h"

/* Bytes that are kept for later: those of all switches of a large network. */
#define KEEP_MAX	(256u << 20)

void topo_trees_init(struct topo_trees *trees, const struct topo *topo)
{
	size_t size = topo->n_nodes * sizeof(*trees->v);

	*trees = (struct topo_trees){ .topo = topo, .v = xalloc(size) };
	memset(trees->v, 0, size);
}

static void trees_forget(struct topo_trees *trees)
{
	uint32_t i;

	for (i = 0; i < trees->topo->n_nodes; i++) {
		free(trees->v[i]);
		trees->v[i] = NULL;
	}
	trees->n = 0;
}

void topo_trees_free(struct topo_trees *trees)
{
	trees_forget(trees);
	free(trees->v);
}

/* Return: a tree of one block of memory, without ways yet. */
static struct topo_tree *tree_new(uint32_t n)
{
	struct topo_tree *tree = xalloc(sizeof(*tree) + 2 * (size_t)n * sizeof(uint32_t));
	uint32_t i;

	*tree = (struct topo_tree){ .last = (uint32_t *)(tree + 1) };
	tree->order = tree->last + n;
	for (i = 0; i < n; i++)
		tree->last[i] = TOPO_NONE;
	return tree;
}

/* While a tree grows: @cost to each node so far, and whether several ways have it. */
struct growth {
	const struct topo *topo;
	struct topo_tree *tree;
	uint64_t *cost;
	bool *several;
	struct topo_heap heap;
};

static void growth_relax(struct growth *g, uint32_t node)
{
	const struct topo *topo = g->topo;
	uint32_t i;

	for (i = topo->out_at[node]; i < topo->out_at[node + 1]; i++) {
		const struct topo_arc *arc = &topo->arcs[topo->out[i]];
		uint64_t cost = g->cost[node] + arc->cost;

		if (!arc->up || cost > g->cost[arc->to])
			continue;
		if (cost == g->cost[arc->to]) {
			g->several[arc->to] = true;
			continue;
		}
		g->cost[arc->to] = cost;
		g->several[arc->to] = g->several[node];
		g->tree->last[arc->to] = topo->out[i];
		topo_heap_push(&g->heap, (struct topo_len){ .metric = cost }, arc->to);
	}
}

/* Costs are at least 1, so what is popped is known from all ways of its cost. */
static void growth_run(struct growth *g, uint32_t from)
{
	struct topo_heap_item item;

	topo_heap_push(&g->heap, (struct topo_len){ 0 }, from);
	while (g->heap.n) {
		item = topo_heap_pop(&g->heap);
		if (item.len.metric != g->cost[item.number])
			continue;
		if (g->several[item.number])
			g->tree->last[item.number] = TOPO_NONE;
		else if (item.number != from)
			g->tree->order[g->tree->n++] = item.number;
		if (item.number == from ||
		    g->topo->nodes[item.number].transit != TOPO_TRANSIT_NONE)
			growth_relax(g, item.number);
	}
}

const struct topo_tree *topo_tree(struct topo_trees *trees, uint32_t from)
{
	uint32_t n = trees->topo->n_nodes, i;
	struct growth g = { .topo = trees->topo };

	if (trees->v[from])
		return trees->v[from];
	if ((trees->n + 1) * 2 * (size_t)n * sizeof(uint32_t) > KEEP_MAX)
		trees_forget(trees);
	g.tree = tree_new(n);
	g.cost = xalloc(n * sizeof(*g.cost));
	g.several = xalloc(n * sizeof(*g.several));
	for (i = 0; i < n; i++)
		g.cost[i] = UINT64_MAX;
	memset(g.several, 0, n * sizeof(*g.several));
	g.cost[from] = 0;
	growth_run(&g, from);
	free(g.cost);
	free(g.several);
	topo_heap_free(&g.heap);
	trees->v[from] = g.tree;
	trees->n++;
	return g.tree;
}
