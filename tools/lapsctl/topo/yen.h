/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shortest paths without loops, one after the other.
 *
 * J. Y. Yen, "Finding the K Shortest Loopless Paths in a Network", Management
 * Science 17(11), 1971; with E. L. Lawler's observation (Management Science 18(7),
 * 1972) that a path need only be left at or behind the place where it left the one
 * that it came from. The paths beside it are searched by A*, towards the
 * destination by the distances of dist.h.
 */
#ifndef LAPSCTL_TOPO_YEN_H
#define LAPSCTL_TOPO_YEN_H

#include "heap.h"

struct topo_yen;

/* @query must live longer, and not change. Return: a search at its beginning. */
struct topo_yen *topo_yen_new(const struct topo_query *query);
void topo_yen_free(struct topo_yen *yen);

/**
 * topo_yen_next() - the next longer path
 * @yen: search
 *
 * Return: a path that lives as long as the search does, or NULL: there are no more.
 */
const struct topo_path *topo_yen_next(struct topo_yen *yen);

#endif /* LAPSCTL_TOPO_YEN_H */
