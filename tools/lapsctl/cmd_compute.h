/* SPDX-License-Identifier: GPL-2.0 */
/* "path compute", a verb of the paths. */
#ifndef LAPSCTL_CMD_COMPUTE_H
#define LAPSCTL_CMD_COMPUTE_H

#include "cmd.h"

/* Its parameters stand behind the paths' other ones, from COMPUTE_FIRST on. */
enum {
	COMPUTE_FILE,
	COMPUTE_FROM,
	COMPUTE_TO,
	COMPUTE_ALL,
	COMPUTE_K,
	COMPUTE_METRIC,
	COMPUTE_DISJOINT,
	COMPUTE_ANCHORS,
	COMPUTE_MEASURE,
	COMPUTE_APPLY,
	COMPUTE_OUT,
	COMPUTE_COUNT,
	COMPUTE_FIRST = 7,
};

#define COMPUTE_PARAMS							\
	[COMPUTE_FIRST + COMPUTE_FILE] = { NULL, "TOPOLOGY", 0, NULL },	\
	[COMPUTE_FIRST + COMPUTE_FROM] = { "--from", "NODE", 0, NULL },	\
	[COMPUTE_FIRST + COMPUTE_TO] = { "--to", "NODE", 0, NULL },	\
	[COMPUTE_FIRST + COMPUTE_ALL] = { "--all", "", 0, NULL },	\
	[COMPUTE_FIRST + COMPUTE_K] = { "-k", "K", 0, NULL },		\
	[COMPUTE_FIRST + COMPUTE_METRIC] = { "--metric", "delay|hops|cost", 0, NULL }, \
	[COMPUTE_FIRST + COMPUTE_DISJOINT] = { "--disjoint", "", 0, NULL }, \
	[COMPUTE_FIRST + COMPUTE_ANCHORS] = { "--anchors", "N", 0, NULL }, \
	[COMPUTE_FIRST + COMPUTE_MEASURE] = { "--measure", "", 0, NULL }, \
	[COMPUTE_FIRST + COMPUTE_APPLY] = { "--apply", "", 0, NULL },	\
	[COMPUTE_FIRST + COMPUTE_OUT] = { "--out", "DIR", 0, NULL }

#define COMPUTE_BIT(n)	PARAM_OWN(COMPUTE_FIRST + (n))
#define COMPUTE_NEED	COMPUTE_BIT(COMPUTE_FILE)
/* All others. */
#define COMPUTE_MAY	((COMPUTE_BIT(COMPUTE_COUNT) - 1) & ~(COMPUTE_BIT(COMPUTE_FROM) - 1))

int path_compute(const struct object *object, const struct verb *verb, struct args *args);

#endif /* LAPSCTL_CMD_COMPUTE_H */
