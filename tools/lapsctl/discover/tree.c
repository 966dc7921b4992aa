// SPDX-License-Identifier: GPL-2.0
/* Routes that begin alike; see tree.h. */
#include <stdlib.h>
#include <string.h>

#include "tree.h"

/* Return: its number, or 0 if there is no memory (or it is the root). */
static unsigned int tree_new(struct tree *tree, unsigned int ttl)
{
	unsigned int room = tree->room ? 2 * tree->room : 64;
	struct tree_node *v;

	if (tree->n == tree->room) {
		v = realloc(tree->v, room * sizeof(*v));
		if (!v)
			return 0;
		tree->v = v;
		tree->room = room;
	}
	tree->v[tree->n] = (struct tree_node){ .ttl = ttl };
	return tree->n++;
}

/* Hops of which nothing is known are all alike. */
static bool tree_same(const struct hop *a, const struct hop *b)
{
	if (!hop_is_known(a->kind) || !hop_is_known(b->kind))
		return hop_is_known(a->kind) == hop_is_known(b->kind);
	return a->kind == b->kind && IN6_ARE_ADDR_EQUAL(&a->addr, &b->addr);
}

/* The child of a node that is this hop, made if need be. Return: 0: no memory. */
static unsigned int tree_child(struct tree *tree, unsigned int parent, const struct hop *hop)
{
	unsigned int at, last = 0;

	for (at = tree->v[parent].child; at; at = tree->v[at].next) {
		if (tree_same(&tree->v[at].hop, hop))
			return at;
		last = at;
	}
	at = tree_new(tree, tree->v[parent].ttl + 1);
	if (!at)
		return 0;
	tree->v[at].hop = *hop;
	if (last)
		tree->v[last].next = at;
	else
		tree->v[parent].child = at;
	return at;
}

bool tree_add(struct tree *tree, const struct trace *t)
{
	unsigned int ttl, at = 0;

	if (!tree->n) {
		tree_new(tree, 0);
		if (!tree->n)
			return false;
	}
	tree->v[0].ports++;
	for (ttl = 1; ttl <= trace_hops(t); ttl++) {
		const struct hop *hop = &t->hops[ttl];
		struct tree_node *node;

		at = tree_child(tree, at, hop);
		if (!at)
			return false;
		node = &tree->v[at];
		node->ports++;
		if (hop->rtt_ns && (!node->hop.rtt_ns || hop->rtt_ns < node->hop.rtt_ns))
			node->hop.rtt_ns = hop->rtt_ns;
	}
	return true;
}

void tree_free(struct tree *tree)
{
	free(tree->v);
	memset(tree, 0, sizeof(*tree));
}
