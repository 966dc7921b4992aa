/* SPDX-License-Identifier: GPL-2.0 */
/* Networks of the usual kinds, of any size. */
#ifndef LAPSCTL_TOPO_GENERATE_H
#define LAPSCTL_TOPO_GENERATE_H

#include "graph.h"

#define TOPO_DIMS_MAX	8

/**
 * struct topo_shape - what a network is to be like; each kind uses some of it
 * @groups: of a Dragonfly
 * @switches: in each of them
 * @hosts: on each switch, or leaf, or node of a torus
 * @dims: of a torus
 * @n_dims: how many
 * @clusters: of a rail network
 * @gpus: in each of them, and rails
 * @ports: of each switch of a fat tree; even
 * @leaves: and @spines, of a leaf-spine network
 * @spines: see @leaves
 * @delay_ns: of each link
 * @rate: of links between switches, bytes/s
 * @host_rate: of links to hosts
 * @prefix: first 64 bits of all addresses and SIDs
 */
struct topo_shape {
	uint32_t groups;
	uint32_t switches;
	uint32_t hosts;
	uint32_t dims[TOPO_DIMS_MAX];
	uint32_t n_dims;
	uint32_t clusters;
	uint32_t gpus;
	uint32_t ports;
	uint32_t leaves;
	uint32_t spines;
	uint64_t delay_ns;
	uint64_t rate;
	uint64_t host_rate;
	struct in6_addr prefix;
};

/*
 * Return: a network, indexed; or NULL if it would have more than TOPO_NODES_MAX nodes
 * or TOPO_LINKS_MAX links. Numbers in @shape are 1 at least, but for torus's @hosts.
 */

/* Groups of switches with one link between any two; inside, each to each. */
struct topo *topo_dragonfly(const struct topo_shape *shape);
/* A grid whose ends are joined. Without hosts, the nodes are hosts that forward. */
struct topo *topo_torus(const struct topo_shape *shape);
/* Clusters of GPUs, each with a card on one of the rails, and an NVLink switch. */
struct topo *topo_rail(const struct topo_shape *shape);
/* Three layers of equal switches, with as many links up as down. */
struct topo *topo_fat_tree(const struct topo_shape *shape);
/* Each leaf to each spine. */
struct topo *topo_leaf_spine(const struct topo_shape *shape);

#endif /* LAPSCTL_TOPO_GENERATE_H */
