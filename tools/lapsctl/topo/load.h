/* SPDX-License-Identifier: GPL-2.0 */
/* Networks from files, as Documentation/topology.md describes them. */
#ifndef LAPSCTL_TOPO_LOAD_H
#define LAPSCTL_TOPO_LOAD_H

#include "graph.h"

/* Of a file: the largest network that is allowed, written widely. */
#define TOPO_FILE_MAX	(32u << 20)

/**
 * topo_load() - read a network
 * @file: name, or "-" for standard input
 * @topo: result, indexed; NULL if it fails
 *
 * Return: 0; EXIT_USAGE if there is something wrong in the file, or EXIT_KERNEL if it
 * cannot be read: after a complaint that says where and what.
 */
int topo_load(const char *file, struct topo **topo);

/* Can it be the name of a node, and so of a file? */
bool topo_name_ok(const char *name);

#endif /* LAPSCTL_TOPO_LOAD_H */
