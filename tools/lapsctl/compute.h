/* SPDX-License-Identifier: GPL-2.0 */
/* What the commands that compute paths have in common. */
#ifndef LAPSCTL_COMPUTE_H
#define LAPSCTL_COMPUTE_H

#include <stdio.h>

#include "topo/choose.h"

/**
 * struct compute - a computation
 * @chooser: its network and what is wanted
 * @measure: delays and rates are not configured, the module measures them
 * @ports: source ports to take the ways of least cost by where there are several; 0:
 *	segments for each
 * @costs: what the network's routing goes by, if there are @ports
 */
struct compute {
	struct topo_chooser chooser;
	bool measure;
	uint32_t ports;
	struct topo_dists *costs;
};

/* Ports of a host, at most, each of which is a socket: 64 see all of nine ways with 99 %. */
#define COMPUTE_PORTS_MAX	64u

/**
 * struct compute_lines - the commands that add the paths of a pair
 * @v: "path add peer ..."
 * @n: how many
 * @unnamed: paths that cannot be named, and have none
 * @segs: most segments of a path
 */
struct compute_lines {
	char **v;
	uint32_t n;
	uint32_t unnamed;
	uint32_t segs;
};

/**
 * compute_lines() - as commands
 * @c: computation
 * @chosen: paths
 *
 * A path that needs no segments is one by its flow label: where there is only one
 * way, labels change nothing and cost no bytes.
 *
 * Return: them, for compute_lines_free(); those by ports first.
 */
struct compute_lines compute_lines(const struct compute *c, const struct topo_chosen *chosen);
void compute_lines_free(struct compute_lines *lines);

/**
 * compute_by_ports() - is it a way that source ports lead to?
 * @c: computation
 * @choice: path
 *
 * Where the network's routing has several ways of least cost, it spreads packets over them
 * by their ports, and who wants them all needs no segments.
 *
 * Return: true if the ports that were asked for are in its place.
 */
bool compute_by_ports(const struct compute *c, const struct topo_choice *choice);

/* Sum of its links' costs. */
uint64_t compute_cost(const struct topo *topo, const struct topo_path *path);

/* Why a path cannot be named, to be freed; "" if it can. */
char *compute_why(const struct compute *c, const struct topo_choice *choice);

/* Tell which paths there are, by table or JSON. */
void compute_show(const struct compute *c, const struct topo_chosen *chosen, uint32_t from,
		  uint32_t to);

/**
 * compute_apply() - add paths to the module, in place of those that were added before
 * @c: computation
 * @chosen: paths
 * @from: node that must be this host
 * @to: node that is the peer
 *
 * Return: an exit status; after EXIT_USAGE nothing was changed.
 */
int compute_apply(const struct compute *c, const struct topo_chosen *chosen, uint32_t from,
		  uint32_t to);

/**
 * compute_all() - the paths of all pairs of hosts
 * @c: computation
 * @dir: directory for a file per host with the commands that add its paths; or NULL
 *
 * Prints how many there are.
 *
 * Return: an exit status.
 */
int compute_all(struct compute *c, const char *dir);

#endif /* LAPSCTL_COMPUTE_H */
