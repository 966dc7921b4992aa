/* SPDX-License-Identifier: GPL-2.0 */
/* Routes that begin alike, as a tree. Pure, as trace.h. */
#ifndef LAPSCTL_DISCOVER_TREE_H
#define LAPSCTL_DISCOVER_TREE_H

#include "trace.h"

/**
 * struct tree_node - a hop, of all the ports that came to it in the same way
 * @hop: the kind, who it is, and the smallest round trip to it
 * @ttl: its number; 0 is the root, which is ourselves
 * @ports: how many
 * @child: the first of the next hops, 0: none
 * @next: beside it, 0: none
 */
struct tree_node {
	struct hop hop;
	unsigned int ttl;
	unsigned int ports;
	unsigned int child;
	unsigned int next;
};

/**
 * struct tree - [0] is the root
 * @v: nodes, by number
 * @n: how many there are
 * @room: how many there may be
 */
struct tree {
	struct tree_node *v;
	unsigned int n;
	unsigned int room;
};

/**
 * tree_add() - the way of one more port
 * @tree: with n = 0 at first
 * @t: to be added; hops that are silent are nodes, too
 *
 * Return: false if there was no memory.
 */
bool tree_add(struct tree *tree, const struct trace *t);

void tree_free(struct tree *tree);

#endif /* LAPSCTL_DISCOVER_TREE_H */
