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
 */
struct compute {
	struct topo_chooser chooser;
	bool measure;
};

/**
 * compute_line() - the command that adds a path
 * @c: computation
 * @choice: path, which can be named
 *
 * A path that needs no segments is one by its flow label: where there is only one
 * way, labels change nothing and cost no bytes.
 *
 * Return: "path add peer ...", to be freed.
 */
char *compute_line(const struct compute *c, const struct topo_choice *choice);

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
