/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_LEVEL_H
#define _LAPSMP_ALG_LEVEL_H

#include "policy.h"

/* A path that nothing is to be sent on. */
#define LAPSMP_LEVEL_NONE	U32_MAX

/**
 * lapsmp_level() - when all that is left has arrived, if it is dealt out as well as can be
 * @p: the paths, and how much is left
 * @floor_ns: when a packet sent on each of them now would begin to arrive, from any common
 *	time on; or LAPSMP_LEVEL_NONE
 *
 * Return: from the same time on, ns; at most U32_MAX. Segments count as water, not as
 * pieces: it is less than can be done by at most one segment's time on a path.
 */
u64 lapsmp_level(const struct lapsmp_pick *p, const u32 *floor_ns);

#endif /* _LAPSMP_ALG_LEVEL_H */
