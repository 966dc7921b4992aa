// SPDX-License-Identifier: GPL-2.0
/* Yen's algorithm; see yen.h. */
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "dist.h"
#include "yen.h"

/* @left: at this place it left the path that it came from. */
struct candidate {
	struct topo_path path;
	uint32_t left;
};

/* A node in the search beside a path; valid if @round is that search's. */
struct label {
	uint32_t round;
	uint32_t arc;
	bool done;
	struct topo_len len;
};

/**
 * struct topo_yen - a search
 * @query: what is searched
 * @found: paths in order, beginning with the shortest
 * @n_found: how many
 * @waiting: paths of which one is the next
 * @n_waiting: how many
 * @labels: per node
 * @round: of the search that the labels are for
 * @heap: its nodes
 * @ended: there are no more paths
 */
struct topo_yen {
	const struct topo_query *query;
	struct candidate **found;
	uint32_t n_found;
	struct candidate **waiting;
	uint32_t n_waiting;
	struct label *labels;
	uint32_t round;
	struct topo_heap heap;
	bool ended;
};

struct topo_yen *topo_yen_new(const struct topo_query *query)
{
	struct topo_yen *yen = xalloc(sizeof(*yen));
	size_t size = query->topo->n_nodes * sizeof(*yen->labels);

	*yen = (struct topo_yen){ .query = query, .labels = xalloc(size) };
	memset(yen->labels, 0, size);
	return yen;
}

static void candidates_free(struct candidate **v, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		free(v[i]->path.arcs);
		free(v[i]);
	}
	free(v);
}

void topo_yen_free(struct topo_yen *yen)
{
	candidates_free(yen->found, yen->n_found);
	candidates_free(yen->waiting, yen->n_waiting);
	topo_heap_free(&yen->heap);
	free(yen->labels);
	free(yen);
}

/* --- one path, beside others ------------------------------------------------------ */

/* Lets the search pass a node no more: it is on the part that the path keeps. */
static void label_close(struct topo_yen *yen, uint32_t node)
{
	yen->labels[node] = (struct label){ .round = yen->round, .done = true };
}

static void label_offer(struct topo_yen *yen, uint32_t arc, struct topo_len len)
{
	uint32_t node = yen->query->topo->arcs[arc].to;
	const struct topo_len *rest = &yen->query->dist[node];
	struct label *label = &yen->labels[node];

	if (!topo_dist_known(rest))
		return;
	if (label->round == yen->round &&
	    (label->done || topo_len_cmp(&len, &label->len) >= 0))
		return;
	*label = (struct label){ .round = yen->round, .arc = arc, .len = len };
	topo_heap_push(&yen->heap, topo_len_add(len, *rest), node);
}

/* Was a path found that is alike up to @place, and goes on with this arc? */
static bool arc_taken(const struct topo_yen *yen, const struct topo_path *kept, uint32_t place,
		      uint32_t arc)
{
	uint32_t i;

	for (i = 0; i < yen->n_found; i++) {
		const struct topo_path *path = &yen->found[i]->path;

		if (path->n > place && path->arcs[place] == arc &&
		    (!place || !memcmp(path->arcs, kept->arcs, place * sizeof(*path->arcs))))
			return true;
	}
	return false;
}

/* From the place where @kept is left; the first arc must not be taken yet. */
static void search_begin(struct topo_yen *yen, const struct topo_path *kept, uint32_t place)
{
	const struct topo_query *query = yen->query;
	const struct topo *topo = query->topo;
	struct topo_len len = { 0 };
	uint32_t node = query->from, i;

	yen->round++;
	yen->heap.n = 0;
	for (i = 0; i < place; i++) {
		label_close(yen, node);
		len = topo_len_add(len, topo_arc_len(query, kept->arcs[i]));
		node = topo->arcs[kept->arcs[i]].to;
	}
	label_close(yen, node);
	for (i = topo->out_at[node]; i < topo->out_at[node + 1]; i++) {
		uint32_t arc = topo->out[i];

		if (topo->arcs[arc].up && !arc_taken(yen, kept, place, arc))
			label_offer(yen, arc, topo_len_add(len, topo_arc_len(query, arc)));
	}
}

/*
 * Is there a way to the end? The bound never exceeds what is left, nor shrinks by
 * more than an arc is long, so a node that is popped is known by its shortest way.
 */
static bool search_run(struct topo_yen *yen)
{
	const struct topo_query *query = yen->query;
	const struct topo *topo = query->topo;
	uint32_t node, i;

	while (yen->heap.n) {
		node = topo_heap_pop(&yen->heap).number;
		if (yen->labels[node].done)
			continue;
		yen->labels[node].done = true;
		if (node == query->to)
			return true;
		if (!topo_may_pass(query, node))
			continue;
		for (i = topo->out_at[node]; i < topo->out_at[node + 1]; i++) {
			uint32_t arc = topo->out[i];

			if (topo->arcs[arc].up)
				label_offer(yen, arc, topo_len_add(yen->labels[node].len,
								   topo_arc_len(query, arc)));
		}
	}
	return false;
}

/* What is kept, and the way found behind it, as a new candidate. */
static void search_end(struct topo_yen *yen, const struct topo_path *kept, uint32_t place)
{
	const struct topo_query *query = yen->query;
	struct candidate *c = xalloc(sizeof(*c));
	uint32_t n = yen->labels[query->to].len.hops, node = query->to, at;
	uint32_t *arcs = xalloc(n * sizeof(*arcs));

	if (place)
		memcpy(arcs, kept->arcs, place * sizeof(*arcs));
	for (at = n; at-- > place; node = query->topo->arcs[arcs[at]].from)
		arcs[at] = yen->labels[node].arc;
	*c = (struct candidate){ topo_path_make(query, arcs, n), place };
	yen->waiting = xrealloc(yen->waiting, (yen->n_waiting + 1) * sizeof(*yen->waiting));
	yen->waiting[yen->n_waiting++] = c;
}

/* --- all of them ------------------------------------------------------------------ */

static void search_beside(struct topo_yen *yen, const struct topo_path *kept, uint32_t place)
{
	search_begin(yen, kept, place);
	if (search_run(yen))
		search_end(yen, kept, place);
}

static struct candidate *waiting_take(struct topo_yen *yen)
{
	struct candidate *c;
	uint32_t best = 0, i;

	for (i = 1; i < yen->n_waiting; i++) {
		if (topo_path_cmp(&yen->waiting[i]->path, &yen->waiting[best]->path) < 0)
			best = i;
	}
	c = yen->waiting[best];
	yen->waiting[best] = yen->waiting[--yen->n_waiting];
	return c;
}

const struct topo_path *topo_yen_next(struct topo_yen *yen)
{
	const struct candidate *last;
	uint32_t place;

	if (yen->ended)
		return NULL;
	if (!yen->n_found) {
		search_beside(yen, NULL, 0);
	} else {
		last = yen->found[yen->n_found - 1];
		for (place = last->left; place < last->path.n; place++)
			search_beside(yen, &last->path, place);
	}
	yen->ended = !yen->n_waiting;
	if (yen->ended)
		return NULL;
	yen->found = xrealloc(yen->found, (yen->n_found + 1) * sizeof(*yen->found));
	yen->found[yen->n_found] = waiting_take(yen);
	return &yen->found[yen->n_found++]->path;
}
