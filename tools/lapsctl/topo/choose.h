/* SPDX-License-Identifier: GPL-2.0 */
/* The paths of a pair of nodes: which ones, how they are named, what they are like. */
#ifndef LAPSCTL_TOPO_CHOOSE_H
#define LAPSCTL_TOPO_CHOOSE_H

#include "anchors.h"
#include "dist.h"

/* Paths of a pair that can be asked for: as many as a receiver keeps apart. */
#define TOPO_K_MAX	256u

/**
 * struct topo_wish - which paths are wanted
 * @metric: what makes one short
 * @k: how many, 1 to TOPO_K_MAX
 * @anchors: most segments of each; TOPO_SEGS_MAX: paths that need more, or cannot be
 *	named, are chosen as well, and not replaced by longer ones
 * @disjoint: those that share few links; see topo_choose()
 */
struct topo_wish {
	enum topo_metric metric;
	uint32_t k;
	uint32_t anchors;
	bool disjoint;
};

/* A path that was chosen. */
struct topo_choice {
	struct topo_path path;
	struct topo_pin pin;
	struct topo_facts facts;
};

/**
 * struct topo_chosen - the answer
 * @v: paths; the shortest first, or in the order in which they were chosen
 * @n: how many, at most as many as were wanted
 * @gave_up: the search was too large, there may be more
 */
struct topo_chosen {
	struct topo_choice *v;
	uint32_t n;
	bool gave_up;
};

/**
 * struct topo_chooser - what answers for one network have in common
 * @topo: network
 * @wish: which paths are wanted
 * @dists: distances
 * @trees: the routing's ways
 * @uses: per link, chosen paths of this pair that use it
 */
struct topo_chooser {
	const struct topo *topo;
	struct topo_wish wish;
	struct topo_dists dists;
	struct topo_trees trees;
	uint32_t *uses;
};

/* @topo must live longer, and not change. */
void topo_chooser_init(struct topo_chooser *chooser, const struct topo *topo,
		       const struct topo_wish *wish);
void topo_chooser_free(struct topo_chooser *chooser);

/**
 * topo_choose() - the paths from one node to another
 * @chooser: from topo_chooser_init()
 * @from: node
 * @to: another one
 *
 * Without @disjoint: the k shortest paths without loops. With it: the shortest,
 * then each time, of all paths that were not chosen yet, the one that shares fewest links
 * with those that were, a link counted as often as it was used, and of these the
 * shortest. So no single path that is added could share less; all k together could,
 * since the first one is never given up for others.
 *
 * Return: them, for topo_chosen_free(); none if there is no way.
 */
struct topo_chosen topo_choose(struct topo_chooser *chooser, uint32_t from, uint32_t to);
void topo_chosen_free(struct topo_chosen *chosen);

#endif /* LAPSCTL_TOPO_CHOOSE_H */
