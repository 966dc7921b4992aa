/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shortest paths without loops that a few segments name, one after the other.
 * Where segments are scarce, nearly all paths need too many, so these are not
 * found among all: they are composed of segments, by the shortest first.
 */
#ifndef LAPSCTL_TOPO_PINNED_H
#define LAPSCTL_TOPO_PINNED_H

#include "path.h"
#include "tree.h"

/* Parts of paths that one search may hold: some 180 MB. */
#define TOPO_PINNED_MAX	2000000u

struct topo_pinned;

/**
 * topo_pinned_new() - a search at its beginning
 * @query: must live longer, and not change
 * @trees: of the same network, likewise
 * @max: most segments of a path
 *
 * Return: a search.
 */
struct topo_pinned *topo_pinned_new(const struct topo_query *query, struct topo_trees *trees,
				    uint32_t max);
void topo_pinned_free(struct topo_pinned *pinned);

/**
 * topo_pinned_next() - the next longer path
 * @pinned: search
 *
 * Return: a path that lives as long as the search does, or NULL: there are no more,
 * or topo_pinned_full().
 */
const struct topo_path *topo_pinned_next(struct topo_pinned *pinned);

/* The search has ended because it holds TOPO_PINNED_MAX parts: there may be more. */
bool topo_pinned_full(const struct topo_pinned *pinned);

#endif /* LAPSCTL_TOPO_PINNED_H */
