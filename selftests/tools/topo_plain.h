/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The plainest way to compute paths, for small networks: all are listed and sorted, and
 * all lists of segments tried.
 */
#ifndef SELFTESTS_TOPO_PLAIN_H
#define SELFTESTS_TOPO_PLAIN_H

#include "../../tools/lapsctl/topo/anchors.h"

#define PLAIN_NODES_MAX	7
#define PLAIN_PATHS_MAX	4096

/**
 * struct plain - all paths of a question
 * @v: paths, the shortest first
 * @n: how many
 */
struct plain {
	struct topo_path v[PLAIN_PATHS_MAX];
	uint32_t n;
};

extern struct plain plain;

/*
 * A random network, always the same for a number: few different values, so that many
 * paths are equal; links of one direction, links that are down, and parallel ones.
 */
struct topo *plain_network(uint32_t seed);

/* SIDs are this and a number. */
struct in6_addr plain_sid(uint32_t number);

/* All paths of a question, into the list. */
void plain_list(const struct topo_query *query);
void plain_clear(void);

/* What the network's routing does: for those below. */
void plain_costs(const struct topo *topo);

/* The fewest segments that name a path, or UINT32_MAX. */
uint32_t plain_fewest(const struct topo *topo, const struct topo_path *path);

/* Do packets with these segments take this path, and no other? */
bool plain_leads(const struct topo *topo, const struct topo_path *path,
		 const struct topo_pin *pin);

#endif /* SELFTESTS_TOPO_PLAIN_H */
