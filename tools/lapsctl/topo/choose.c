// SPDX-License-Identifier: GPL-2.0
/* The choice of paths; see choose.h. */
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "choose.h"
#include "pinned.h"
#include "yen.h"

void topo_chooser_init(struct topo_chooser *chooser, const struct topo *topo,
		       const struct topo_wish *wish)
{
	*chooser = (struct topo_chooser){ .topo = topo, .wish = *wish };
	topo_dists_init(&chooser->dists, topo, wish->metric);
	topo_trees_init(&chooser->trees, topo);
	chooser->uses = xalloc((topo->n_links + 1) * sizeof(*chooser->uses));
}

void topo_chooser_free(struct topo_chooser *chooser)
{
	topo_dists_free(&chooser->dists);
	topo_trees_free(&chooser->trees);
	free(chooser->uses);
}

/* One of the two ways to search; the other is NULL. */
struct search {
	struct topo_yen *yen;
	struct topo_pinned *pinned;
};

static struct search search_new(struct topo_chooser *chooser, const struct topo_query *query)
{
	struct search s = { 0 };

	if (chooser->wish.anchors < TOPO_SEGS_MAX)
		s.pinned = topo_pinned_new(query, &chooser->trees, chooser->wish.anchors);
	else
		s.yen = topo_yen_new(query);
	return s;
}

static void search_free(struct search *s)
{
	if (s->pinned)
		topo_pinned_free(s->pinned);
	else
		topo_yen_free(s->yen);
}

static const struct topo_path *search_next(struct search *s)
{
	return s->pinned ? topo_pinned_next(s->pinned) : topo_yen_next(s->yen);
}

static void chosen_add(struct topo_chooser *chooser, struct topo_chosen *chosen,
		       const struct topo_path *path)
{
	struct topo_choice *choice = &chosen->v[chosen->n++];
	size_t size = path->n * sizeof(*path->arcs);
	uint32_t i;

	choice->path = *path;
	choice->path.arcs = xalloc(size);
	memcpy(choice->path.arcs, path->arcs, size);
	choice->pin = topo_pin(&chooser->trees, path, chooser->wish.anchors);
	choice->facts = topo_path_facts(chooser->topo, path);
	for (i = 0; i < path->n; i++)
		chooser->uses[chooser->topo->arcs[path->arcs[i]].link]++;
}

static bool chosen_has(const struct topo_chosen *chosen, const struct topo_path *path)
{
	uint32_t i;

	for (i = 0; i < chosen->n; i++) {
		if (topo_path_same(&chosen->v[i].path, path))
			return true;
	}
	return false;
}

/* Adds up to @n paths, in the order of one search. Return: how many it added. */
static uint32_t chosen_search(struct topo_chooser *chooser, const struct topo_query *query,
			      struct topo_chosen *chosen, uint32_t n)
{
	struct search s = search_new(chooser, query);
	const struct topo_path *path;
	uint32_t added = 0;

	while (added < n && (path = search_next(&s))) {
		if (chosen_has(chosen, path))
			continue;
		chosen_add(chooser, chosen, path);
		added++;
	}
	if (added < n && s.pinned)
		chosen->gave_up = topo_pinned_full(s.pinned);
	search_free(&s);
	return added;
}

struct topo_chosen topo_choose(struct topo_chooser *chooser, uint32_t from, uint32_t to)
{
	struct topo_query query = {
		.topo = chooser->topo,
		.from = from,
		.to = to,
		.metric = chooser->wish.metric,
		.seed = topo_seed(from, to),
		.uses = chooser->wish.disjoint ? chooser->uses : NULL,
		.dist = topo_dist(&chooser->dists, to),
	};
	struct topo_chosen chosen = { .v = xalloc(chooser->wish.k * sizeof(*chosen.v)) };

	if (!topo_dist_known(&query.dist[from]))
		return chosen;
	memset(chooser->uses, 0, chooser->topo->n_links * sizeof(*chooser->uses));
	if (!chooser->wish.disjoint)
		chosen_search(chooser, &query, &chosen, chooser->wish.k);
	/* Each search anew: what was chosen makes other paths the best. */
	while (chooser->wish.disjoint && chosen.n < chooser->wish.k &&
	       chosen_search(chooser, &query, &chosen, 1))
		query.dist = topo_dist_used(&chooser->dists, to, chooser->uses);
	return chosen;
}

void topo_chosen_free(struct topo_chosen *chosen)
{
	uint32_t i;

	for (i = 0; i < chosen->n; i++)
		free(chosen->v[i].path.arcs);
	free(chosen->v);
	*chosen = (struct topo_chosen){ 0 };
}
