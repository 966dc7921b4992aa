/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the network's own routing leaves no choice: the nodes to which the way of
 * least cost is the only one. Routers spread packets over ways of equal cost
 * (ECMP), so that only such a way is certain.
 */
#ifndef LAPSCTL_TOPO_TREE_H
#define LAPSCTL_TOPO_TREE_H

#include "graph.h"

/**
 * struct topo_tree - the ways from one node
 * @last: per node, the last arc of the only way of least cost to it; TOPO_NONE if
 *	there are several, or none, or it is where the ways begin
 * @order: those that have one, each behind the one before it on the way
 * @n: how many
 */
struct topo_tree {
	uint32_t *last;
	uint32_t *order;
	uint32_t n;
};

/**
 * struct topo_trees - what was computed, by node
 * @topo: network
 * @v: per node NULL, or its tree
 * @n: how many are not NULL
 */
struct topo_trees {
	const struct topo *topo;
	struct topo_tree **v;
	uint32_t n;
};

/* @topo must live longer, and not change. */
void topo_trees_init(struct topo_trees *trees, const struct topo *topo);
void topo_trees_free(struct topo_trees *trees);

/**
 * topo_tree() - the ways from one node
 * @trees: from topo_trees_init()
 * @from: node
 *
 * Routers know no groups: whoever forwards for some is taken to be passed.
 *
 * Return: a tree, valid until the next call.
 */
const struct topo_tree *topo_tree(struct topo_trees *trees, uint32_t from);

#endif /* LAPSCTL_TOPO_TREE_H */
