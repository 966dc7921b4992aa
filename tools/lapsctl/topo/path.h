/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Questions to a network, lengths, and paths. All searches order paths by struct
 * topo_len, which tells any two paths of a question apart.
 */
#ifndef LAPSCTL_TOPO_PATH_H
#define LAPSCTL_TOPO_PATH_H

#include "graph.h"

/* What makes a path short. */
enum topo_metric {
	/* One-way delay of a full packet through the empty network. */
	TOPO_DELAY,
	TOPO_HOPS,
	/* Sum of the links' costs. */
	TOPO_COST,
};

/**
 * struct topo_len - how long a path is; the first difference counts
 * @shared: how often its links are used by paths that were chosen before
 * @metric: by the question's metric, ns or no unit
 * @hops: links
 * @tie: sum of a random number per link, which the question's seed gives: of equal
 *	paths, each pair of hosts prefers others, so that together they use all
 */
struct topo_len {
	uint64_t shared;
	uint64_t metric;
	uint32_t hops;
	uint64_t tie;
};

/**
 * struct topo_query - which paths are looked for
 * @topo: network, after topo_index()
 * @from: node
 * @to: another node
 * @metric: what makes a path short
 * @seed: topo_seed() of the nodes
 * @uses: per link, how many chosen paths use it; or NULL: it does not count
 * @dist: per node, a bound that says how long what is left to @to is at least; from
 *	topo_dist() or, closer if there are @uses, topo_dist_used()
 */
struct topo_query {
	const struct topo *topo;
	uint32_t from;
	uint32_t to;
	enum topo_metric metric;
	uint64_t seed;
	const uint32_t *uses;
	const struct topo_len *dist;
};

/**
 * struct topo_path - a path without loops
 * @arcs: its arcs, in order
 * @n: how many
 * @len: how long it is
 */
struct topo_path {
	uint32_t *arcs;
	uint32_t n;
	struct topo_len len;
};

/**
 * struct topo_facts - what else there is to say about a path
 * @delay_ns: one-way delay of a full packet while the network is empty: each link's
 *	delay, and sending it on each link
 * @margin_ns: five full packets at each node that forwards, at the rate of the link
 *	behind it (LAPS, section III-F)
 * @rate: of its slowest link, bytes/s
 */
struct topo_facts {
	uint64_t delay_ns;
	uint64_t margin_ns;
	uint64_t rate;
};

/* Random bits for ties, always the same for a pair of nodes. */
uint64_t topo_seed(uint32_t from, uint32_t to);

/* Less, equal, greater: -1, 0, 1. */
int topo_len_cmp(const struct topo_len *a, const struct topo_len *b);

/* Return: the sum. */
struct topo_len topo_len_add(struct topo_len a, struct topo_len b);

/* Return: the length of one arc. */
struct topo_len topo_arc_len(const struct topo_query *query, uint32_t arc);

/* May packets of this question pass @node, which is neither of its ends? */
bool topo_may_pass(const struct topo_query *query, uint32_t node);

/* By length; the links themselves decide where even the ties are equal. */
int topo_path_cmp(const struct topo_path *a, const struct topo_path *b);

/* Do they consist of the same arcs? */
bool topo_path_same(const struct topo_path *a, const struct topo_path *b);

/* Takes over @arcs, and measures them. */
struct topo_path topo_path_make(const struct topo_query *query, uint32_t *arcs, uint32_t n);

/* The node at a place, 0 to @n. */
uint32_t topo_path_node(const struct topo *topo, const struct topo_path *path, uint32_t place);

struct topo_facts topo_path_facts(const struct topo *topo, const struct topo_path *path);

#endif /* LAPSCTL_TOPO_PATH_H */
