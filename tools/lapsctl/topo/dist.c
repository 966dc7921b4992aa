// SPDX-License-Identifier: GPL-2.0
/* Distances; see dist.h. */
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "dist.h"

/* Bytes that are kept for later: those of all destinations of a large network. */
#define KEEP_MAX	(256u << 20)

void topo_dists_init(struct topo_dists *dists, const struct topo *topo, enum topo_metric metric)
{
	size_t size = topo->n_nodes * sizeof(*dists->v);

	*dists = (struct topo_dists){ .topo = topo, .metric = metric, .v = xalloc(size) };
	memset(dists->v, 0, size);
}

static void dists_forget(struct topo_dists *dists)
{
	uint32_t i;

	for (i = 0; i < dists->topo->n_nodes; i++) {
		free(dists->v[i]);
		dists->v[i] = NULL;
	}
	dists->n = 0;
}

void topo_dists_free(struct topo_dists *dists)
{
	dists_forget(dists);
	free(dists->v);
	free(dists->used);
	topo_heap_free(&dists->heap);
}

/* One node's neighbours that reach the destination through it. */
static void dist_relax(const struct topo_query *query, struct topo_heap *heap,
		       struct topo_len *dist, uint32_t node)
{
	const struct topo *topo = query->topo;
	uint32_t i;

	for (i = topo->in_at[node]; i < topo->in_at[node + 1]; i++) {
		const struct topo_arc *arc = &topo->arcs[topo->in[i]];
		struct topo_len len = topo_len_add(dist[node], topo_arc_len(query, topo->in[i]));

		/* A bound for all pairs, each of which has ties of its own. */
		len.tie = 0;
		if (!arc->up || topo_len_cmp(&len, &dist[arc->from]) >= 0)
			continue;
		dist[arc->from] = len;
		topo_heap_push(heap, len, arc->from);
	}
}

static void dist_fill(struct topo_dists *dists, struct topo_len *dist, uint32_t to,
		      const uint32_t *uses)
{
	const struct topo *topo = dists->topo;
	const struct topo_query query = { .topo = topo, .metric = dists->metric, .uses = uses };
	struct topo_heap_item item;
	uint32_t i;

	for (i = 0; i < topo->n_nodes; i++)
		dist[i] = (struct topo_len){ .shared = UINT64_MAX, .metric = UINT64_MAX };
	dist[to] = (struct topo_len){ 0 };
	topo_heap_push(&dists->heap, dist[to], to);
	while (dists->heap.n) {
		item = topo_heap_pop(&dists->heap);
		if (topo_len_cmp(&item.len, &dist[item.number]))
			continue;
		if (item.number == to || topo->nodes[item.number].transit != TOPO_TRANSIT_NONE)
			dist_relax(&query, &dists->heap, dist, item.number);
	}
}

const struct topo_len *topo_dist(struct topo_dists *dists, uint32_t to)
{
	size_t size = dists->topo->n_nodes * sizeof(struct topo_len);

	if (dists->v[to])
		return dists->v[to];
	if ((dists->n + 1) * size > KEEP_MAX)
		dists_forget(dists);
	dists->v[to] = xalloc(size);
	dists->n++;
	dist_fill(dists, dists->v[to], to, NULL);
	return dists->v[to];
}

const struct topo_len *topo_dist_used(struct topo_dists *dists, uint32_t to, const uint32_t *uses)
{
	if (!dists->used)
		dists->used = xalloc(dists->topo->n_nodes * sizeof(*dists->used));
	dist_fill(dists, dists->used, to, uses);
	return dists->used;
}
