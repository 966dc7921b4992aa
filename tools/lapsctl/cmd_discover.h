/* SPDX-License-Identifier: GPL-2.0 */
/* "path discover": which source ports really take different routes. */
#ifndef LAPSCTL_CMD_DISCOVER_H
#define LAPSCTL_CMD_DISCOVER_H

#include "cmd_compute.h"

/* Its options, which stand behind the paths' other parameters, after the peer. */
enum discover_option {
	DISCOVER_PORTS,
	DISCOVER_LABELS,
	DISCOVER_KEEP,
	DISCOVER_APPLY,
	DISCOVER_RATE,
	DISCOVER_MAX_HOPS,
	DISCOVER_TIMEOUT,
	DISCOVER_OPTIONS,
	DISCOVER_FIRST = COMPUTE_FIRST + COMPUTE_COUNT,
};

#define DISCOVER_PARAMS							\
	[DISCOVER_FIRST] = { NULL, "PEER", LAPSMP_A_PATH_PEER, put_addr }, \
	{ "--ports", "N", DISCOVER_PORTS, discover_put },		\
	{ "--labels", "N", DISCOVER_LABELS, discover_put },		\
	{ "--keep", "K", DISCOVER_KEEP, discover_put },			\
	{ "--apply", "", DISCOVER_APPLY, discover_put },		\
	{ "--rate", "N", DISCOVER_RATE, discover_put },			\
	{ "--max-hops", "N", DISCOVER_MAX_HOPS, discover_put },		\
	{ "--timeout", "MS", DISCOVER_TIMEOUT, discover_put }

#define DISCOVER_NEED	PARAM_OWN(DISCOVER_FIRST)
/* All others: up to the last bit that a mask has. */
#define DISCOVER_MAY	(~(PARAM_OWN(DISCOVER_FIRST + 1) - 1))

int discover_put(struct nlmsghdr *req, const struct param *param, const char *word);

int discover_run(const struct object *object, const struct verb *verb, struct args *args);

#endif /* LAPSCTL_CMD_DISCOVER_H */
