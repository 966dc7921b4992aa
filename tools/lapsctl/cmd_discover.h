/* SPDX-License-Identifier: GPL-2.0 */
/* "path discover": which source ports really take different routes. */
#ifndef LAPSCTL_CMD_DISCOVER_H
#define LAPSCTL_CMD_DISCOVER_H

#include "cmd.h"

/* What it takes: a peer first, which it needs. */
extern const struct params discover_params;
#define DISCOVER_NEED	PARAM_OWN(0)
#define DISCOVER_MAY	(PARAM_KEY | PARAM_OWN_FROM(1))

int discover_run(const struct object *object, const struct verb *verb, struct args *args);

#endif /* LAPSCTL_CMD_DISCOVER_H */
