/* SPDX-License-Identifier: GPL-2.0 */
/* "path compute", a verb of the paths. */
#ifndef LAPSCTL_CMD_COMPUTE_H
#define LAPSCTL_CMD_COMPUTE_H

#include "cmd.h"

/* What it takes: a file first, which it needs. */
extern const struct params compute_params;
#define COMPUTE_NEED	PARAM_OWN(0)
#define COMPUTE_MAY	PARAM_OWN_FROM(1)

int path_compute(const struct object *object, const struct verb *verb, struct args *args);

#endif /* LAPSCTL_CMD_COMPUTE_H */
