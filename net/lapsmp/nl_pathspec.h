/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink: what a request wants a path to be. */
#ifndef _LAPSMP_NL_PATHSPEC_H
#define _LAPSMP_NL_PATHSPEC_H

#include <net/genetlink.h>
#include "pathnew.h"

/*
 * What makes it a path must be there, and fit the peer. Return: 0, or an error with the
 * reason in the extended ack.
 */
int lapsmp_nl_pathspec_check(struct genl_info *info);

/* Of a request that was checked. @segs: for its segments, if there are any. */
void lapsmp_nl_pathspec_get(struct nlattr **attrs, struct lapsmp_path_spec *spec,
			    struct lapsmp_segs *segs);

/* Why there was no such path, for people. Return: @err. */
int lapsmp_nl_pathspec_why(struct genl_info *info, int err);

#endif /* _LAPSMP_NL_PATHSPEC_H */
