/* SPDX-License-Identifier: GPL-2.0 */
/* Links of a network namespace, over rtnetlink. */
#ifndef FABLINK_TC_H
#define FABLINK_TC_H

#include <stdbool.h>
#include <stddef.h>

#include "lapslink.h"

/* All return STATUS_OK, or STATUS_FAILED after a complaint. */

/* What follows is about this namespace of "ip netns". */
int tc_enter(const char *ns);

int tc_ifindex(const char *dev, int *ifindex);

/* @name: of IFNAMSIZ characters */
int tc_ifname(int ifindex, char *name);

/* Changes the link of a device, or makes it one if @create. */
int tc_set(int ifindex, const struct lapslink_parms *p, bool create);

struct tc_link {
	int ifindex;
	struct lapslink_parms parms;
	struct lapslink_xstats stats;
};

/* All links of the namespace. @links is the caller's to free. */
int tc_links(struct tc_link **links, size_t *n);

#endif /* FABLINK_TC_H */
