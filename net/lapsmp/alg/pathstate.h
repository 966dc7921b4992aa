/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The life of a path:
 *
 *	UNKNOWN --send--> PROBING --ack--> UP <--ack-- DEGRADED
 *	                     |             |              ^
 *	                     |             '---timeout----'
 *	                     '-- DOWN_TIMEOUTS timeouts in a row (any state) --> DOWN
 *	DOWN --probe acknowledged--> UP
 *	any --cut: no route, no carrier, no address here--> DOWN
 *	any --back: they are there again--> UNKNOWN
 */
#ifndef _LAPSMP_ALG_PATHSTATE_H
#define _LAPSMP_ALG_PATHSTATE_H

#include <linux/types.h>

enum lapsmp_path_state {
	LAPSMP_PATH_UNKNOWN	= 0,
	LAPSMP_PATH_PROBING	= 1,
	LAPSMP_PATH_UP		= 2,
	LAPSMP_PATH_DEGRADED	= 3,
	LAPSMP_PATH_DOWN	= 4,
};

enum lapsmp_path_event {
	LAPSMP_PATH_EV_SENT,
	LAPSMP_PATH_EV_ACKED,
	LAPSMP_PATH_EV_TIMEOUT,
	LAPSMP_PATH_EV_CUT,
	LAPSMP_PATH_EV_BACK,
	LAPSMP_PATH_EV_MAX,
};

/* Timeouts in a row after which a path is down. */
#define LAPSMP_PATH_DOWN_TIMEOUTS	3

/**
 * lapsmp_pathstate_next() - the state after an event
 * @s: the state before
 * @ev: what happened
 * @timeouts: timeouts in a row, this one included
 *
 * Return: the state after it.
 */
enum lapsmp_path_state lapsmp_pathstate_next(enum lapsmp_path_state s,
					     enum lapsmp_path_event ev,
					     unsigned int timeouts);

const char *lapsmp_pathstate_name(enum lapsmp_path_state s);

/* May data be sent on it (if there is better, or not)? */
static inline bool lapsmp_pathstate_usable(enum lapsmp_path_state s)
{
	return s != LAPSMP_PATH_DOWN;
}

#endif /* _LAPSMP_ALG_PATHSTATE_H */
