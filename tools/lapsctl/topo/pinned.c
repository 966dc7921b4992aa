// SPDX-License-Identifier: GPL-2.0
/*
 * Paths of few segments; see pinned.h.
 *
 * A part is a way from the beginning to a node that segments name; the search takes
 * the part whose length and least rest is smallest, and lengthens it by each segment
 * that is possible. A way that ends at the destination is a path. Several lists of
 * segments may name one path: they have one length, and the later ones are dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "dist.h"
#include "pinned.h"

/**
 * struct part - a way to a node
 * @len: of it
 * @before: part that it lengthens, or TOPO_NONE
 * @stop: node to which the routing takes it, from where @before ends
 * @arc: that it crosses then, named by the link's SID, or TOPO_NONE
 * @segs: segments that it has
 */
struct part {
	struct topo_len len;
	uint32_t before;
	uint32_t stop;
	uint32_t arc;
	uint32_t segs;
};

/**
 * struct topo_pinned - a search
 * @query: what is searched
 * @trees: ways of the routing
 * @max: most segments
 * @parts: all that were made
 * @n: how many
 * @room: for how many
 * @heap: of those that wait
 * @way: arcs of the part at hand
 * @n_way: how many
 * @seen: per node, @round if the part at hand passes it
 * @near: per node, @round if the segment from the part's end may lead to it
 * @far: per node, how long that is
 * @queue: nodes from which the search goes on backwards
 * @round: of the part at hand
 * @found: paths
 * @n_found: how many
 */
struct topo_pinned {
	const struct topo_query *query;
	struct topo_trees *trees;
	uint32_t max;
	struct part *parts;
	uint32_t n;
	uint32_t room;
	struct topo_heap heap;
	uint32_t *way;
	uint32_t n_way;
	uint32_t *seen;
	uint32_t *near;
	struct topo_len *far;
	uint32_t *queue;
	uint32_t round;
	struct topo_path **found;
	uint32_t n_found;
};

static void part_add(struct topo_pinned *p, const struct part *part)
{
	uint32_t end = part->arc == TOPO_NONE ? part->stop :
						p->query->topo->arcs[part->arc].to;

	if (!topo_dist_known(&p->query->dist[end]) || topo_pinned_full(p))
		return;
	if (p->n == p->room) {
		p->room = p->room ? 2 * p->room : 64;
		p->parts = xrealloc(p->parts, p->room * sizeof(*p->parts));
	}
	p->parts[p->n] = *part;
	topo_heap_push(&p->heap, topo_len_add(part->len, p->query->dist[end]), p->n++);
}

struct topo_pinned *topo_pinned_new(const struct topo_query *query, struct topo_trees *trees,
				    uint32_t max)
{
	struct topo_pinned *p = xalloc(sizeof(*p));
	size_t n = query->topo->n_nodes;

	*p = (struct topo_pinned){ .query = query, .trees = trees, .max = max };
	p->way = xalloc(n * sizeof(*p->way));
	p->seen = xalloc(n * sizeof(*p->seen));
	p->near = xalloc(n * sizeof(*p->near));
	p->far = xalloc(n * sizeof(*p->far));
	p->queue = xalloc(n * sizeof(*p->queue));
	memset(p->seen, 0, n * sizeof(*p->seen));
	memset(p->near, 0, n * sizeof(*p->near));
	part_add(p, &(struct part){ .before = TOPO_NONE, .stop = query->from, .arc = TOPO_NONE });
	return p;
}

void topo_pinned_free(struct topo_pinned *p)
{
	uint32_t i;

	for (i = 0; i < p->n_found; i++) {
		free(p->found[i]->arcs);
		free(p->found[i]);
	}
	free(p->found);
	free(p->parts);
	free(p->way);
	free(p->seen);
	free(p->near);
	free(p->far);
	free(p->queue);
	topo_heap_free(&p->heap);
	free(p);
}

bool topo_pinned_full(const struct topo_pinned *p)
{
	return p->n == TOPO_PINNED_MAX;
}

/* --- the part at hand ------------------------------------------------------------- */

static uint32_t part_end(const struct topo_pinned *p, const struct part *part)
{
	return part->arc == TOPO_NONE ? part->stop : p->query->topo->arcs[part->arc].to;
}

/* Its arcs, in order, and its nodes. */
static void way_set(struct topo_pinned *p, const struct part *part)
{
	const struct topo *topo = p->query->topo;
	uint32_t at = part->len.hops, node, start;
	const struct topo_tree *tree;

	p->round++;
	p->n_way = at;
	p->seen[p->query->from] = p->round;
	for (; part->before != TOPO_NONE; part = &p->parts[part->before]) {
		if (part->arc != TOPO_NONE) {
			p->way[--at] = part->arc;
			p->seen[topo->arcs[part->arc].to] = p->round;
		}
		start = part_end(p, &p->parts[part->before]);
		tree = topo_tree(p->trees, start);
		for (node = part->stop; node != start; node = topo->arcs[p->way[at]].from) {
			p->way[--at] = tree->last[node];
			p->seen[node] = p->round;
		}
	}
}

static bool found_already(const struct topo_pinned *p)
{
	const struct topo_path way = { .arcs = p->way, .n = p->n_way };
	uint32_t i;

	/* Equal ones come one behind the other, so the last ones first. */
	for (i = p->n_found; i-- > 0; ) {
		if (topo_path_same(p->found[i], &way))
			return true;
	}
	return false;
}

static const struct topo_path *found_add(struct topo_pinned *p)
{
	struct topo_path *path = xalloc(sizeof(*path));
	uint32_t *arcs = xalloc(p->n_way * sizeof(*arcs));

	memcpy(arcs, p->way, p->n_way * sizeof(*arcs));
	*path = topo_path_make(p->query, arcs, p->n_way);
	p->found = xrealloc(p->found, (p->n_found + 1) * sizeof(*p->found));
	p->found[p->n_found++] = path;
	return path;
}

/* --- one segment more ------------------------------------------------------------- */

/* May a way go on over this arc to a node that it has not passed? */
static bool may_enter(const struct topo_pinned *p, uint32_t node)
{
	return p->seen[node] != p->round &&
	       (node == p->query->to || topo_may_pass(p->query, node));
}

/* Does the routing's way from one node to another pass @node? */
static bool on_way(const struct topo *topo, const struct topo_tree *tree, uint32_t from,
		   uint32_t to, uint32_t node)
{
	while (to != from && to != node)
		to = topo->arcs[tree->last[to]].from;
	return to == node;
}

/* The segments of links that begin at @stop, which the routing leads to from @start. */
static void lengthen_by_links(struct topo_pinned *p, const struct topo_tree *tree,
			      uint32_t start, const struct part *to_stop)
{
	const struct topo *topo = p->query->topo;
	struct part part = *to_stop;
	uint32_t i, arc;

	for (i = topo->out_at[part.stop]; i < topo->out_at[part.stop + 1]; i++) {
		arc = topo->out[i];
		if (!topo->arcs[arc].has_sid || !topo->arcs[arc].up ||
		    !may_enter(p, topo->arcs[arc].to) ||
		    on_way(topo, tree, start, part.stop, topo->arcs[arc].to))
			continue;
		part.arc = arc;
		part.len = topo_len_add(to_stop->len, topo_arc_len(p->query, arc));
		part_add(p, &part);
	}
}

/*
 * All segments from the end of a part. Those that the routing leads to come in an
 * order in which the way to each is that to an earlier one, and an arc.
 */
static void lengthen(struct topo_pinned *p, const struct topo_tree *tree, struct part part)
{
	const struct topo *topo = p->query->topo;
	uint32_t i, node, arc, start = part.stop;

	p->far[start] = part.len;
	p->near[start] = p->round;
	lengthen_by_links(p, tree, start, &part);
	for (i = 0; i < tree->n; i++) {
		node = tree->order[i];
		arc = tree->last[node];
		/* Behind the destination nothing is wanted. */
		if (p->near[topo->arcs[arc].from] != p->round || !may_enter(p, node) ||
		    topo->arcs[arc].from == p->query->to)
			continue;
		p->near[node] = p->round;
		part.stop = node;
		part.len = topo_len_add(p->far[topo->arcs[arc].from],
					topo_arc_len(p->query, arc));
		p->far[node] = part.len;
		if (node == p->query->to || topo->nodes[node].has_sid)
			part_add(p, &part);
		if (node != p->query->to)
			lengthen_by_links(p, tree, start, &part);
	}
}

/* The way from the end of a part to the destination, without a segment. */
static void finish(struct topo_pinned *p, const struct topo_tree *tree, struct part part)
{
	const struct topo *topo = p->query->topo;
	uint32_t node = p->query->to, start = part.stop;

	for (; node != start; node = topo->arcs[tree->last[node]].from) {
		if (tree->last[node] == TOPO_NONE || !may_enter(p, node))
			return;
		part.len = topo_len_add(part.len, topo_arc_len(p->query, tree->last[node]));
	}
	part.stop = p->query->to;
	part_add(p, &part);
}

/*
 * Is there any way from the end of the part at hand to the destination, beside its own
 * nodes? Without this, all that leads into a dead end would be lengthened, too.
 */
static bool is_open(struct topo_pinned *p, uint32_t end)
{
	const struct topo *topo = p->query->topo;
	uint32_t n = 0, node, i;

	/* In this round, @near has the nodes that lead to the destination. */
	p->queue[n++] = p->query->to;
	p->near[p->query->to] = p->round;
	while (n) {
		node = p->queue[--n];
		for (i = topo->in_at[node]; i < topo->in_at[node + 1]; i++) {
			const struct topo_arc *arc = &topo->arcs[topo->in[i]];

			if (!arc->up)
				continue;
			if (arc->from == end)
				return true;
			if (p->near[arc->from] == p->round || !may_enter(p, arc->from))
				continue;
			p->near[arc->from] = p->round;
			p->queue[n++] = arc->from;
		}
	}
	return false;
}

/* What follows on a part that does not end at the destination. */
static void go_on(struct topo_pinned *p, uint32_t number)
{
	const struct part before = p->parts[number];
	const uint32_t end = part_end(p, &before);
	const struct topo_tree *tree = topo_tree(p->trees, end);
	const struct part part = { before.len, number, end, TOPO_NONE, before.segs + 1 };

	if (before.segs == p->max) {
		finish(p, tree, part);
	} else if (is_open(p, end)) {
		/* Whose marks are gone with a new round. */
		way_set(p, &before);
		/* Other trees were looked at, and may have taken its place. */
		lengthen(p, topo_tree(p->trees, end), part);
	}
}

const struct topo_path *topo_pinned_next(struct topo_pinned *p)
{
	uint32_t number;

	while (p->heap.n && !topo_pinned_full(p)) {
		number = topo_heap_pop(&p->heap).number;
		way_set(p, &p->parts[number]);
		if (part_end(p, &p->parts[number]) != p->query->to)
			go_on(p, number);
		else if (!found_already(p))
			return found_add(p);
	}
	return NULL;
}
