/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FABLINK_SHOW_H
#define FABLINK_SHOW_H

#include "tc.h"

/* One link as a JSON object on a line of the standard output. */
void show_link(const char *ns, const char *dev, const struct tc_link *link);

#endif /* FABLINK_SHOW_H */
