/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far every node is from a destination, by Dijkstra's method against the
 * arcs. Searches use it as the bound that tells where not to look.
 */
#ifndef LAPSCTL_TOPO_DIST_H
#define LAPSCTL_TOPO_DIST_H

#include "heap.h"

/**
 * struct topo_dists - what was computed, by destination
 * @topo: network
 * @metric: of the distances
 * @v: per node NULL, or the distances to it
 * @n: how many are not NULL
 * @used: those of topo_dist_used(), or NULL
 * @heap: for the next one
 */
struct topo_dists {
	const struct topo *topo;
	enum topo_metric metric;
	struct topo_len **v;
	uint32_t n;
	struct topo_len *used;
	struct topo_heap heap;
};

/* @topo must live longer, and not change. */
void topo_dists_init(struct topo_dists *dists, const struct topo *topo, enum topo_metric metric);
void topo_dists_free(struct topo_dists *dists);

/**
 * topo_dist() - the distances to one node
 * @dists: from topo_dists_init()
 * @to: node
 *
 * Groups are not looked at: whoever forwards for some is passed. So this is at most
 * what it is for packets of one question.
 *
 * Return: per node, metric and hops to @to; UINT64_MAX if there is no way. It is
 * valid until the next call.
 */
const struct topo_len *topo_dist(struct topo_dists *dists, uint32_t to);

/* The same where links that are used count, as in struct topo_query. */
const struct topo_len *topo_dist_used(struct topo_dists *dists, uint32_t to, const uint32_t *uses);

static inline bool topo_dist_known(const struct topo_len *len)
{
	return len->metric != UINT64_MAX;
}

#endif /* LAPSCTL_TOPO_DIST_H */
