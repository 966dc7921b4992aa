/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_REPLAY_H
#define _LAPSMP_ALG_REPLAY_H

#include <linux/types.h>

/*
 * Bits of RFC 6479's window: this many numbers below the highest, but for one
 * word's worth, are still told apart.
 */
#define LAPSMP_REPLAY_BITS	4096

/* Which flow numbers of one sender incarnation were used. Zeroed when new. */
struct lapsmp_replay {
	u64	high;		/* highest used, 0 if none */
	unsigned long bits[LAPSMP_REPLAY_BITS / (8 * sizeof(long))];
};

/**
 * lapsmp_replay_use() - use a number, once
 * @r: what was used so far
 * @number: at least 1
 *
 * Return: true if it was new; false if it was used before or is too old to tell.
 */
bool lapsmp_replay_use(struct lapsmp_replay *r, u64 number);

/* Would lapsmp_replay_use() succeed? */
bool lapsmp_replay_is_new(const struct lapsmp_replay *r, u64 number);

/* Would it make the number after the highest one too old to tell? */
bool lapsmp_replay_is_far(const struct lapsmp_replay *r, u64 number);

#endif /* _LAPSMP_ALG_REPLAY_H */
