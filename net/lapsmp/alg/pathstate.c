// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a path as a function of its state and an event; the diagram is in
 * the header. Whether a path is tried less often, probed or reported when it
 * changes state is the caller's business: this file knows neither time nor
 * packets, and keeps no state.
 */
#include <linux/kernel.h>

#include "../compat.h"
#include "pathstate.h"

/*
 * A timeout makes a working path suspect, but says nothing new about one that
 * has not worked yet: it stays PROBING until it is given up.
 */
static enum lapsmp_path_state
lapsmp_pathstate_timeout(enum lapsmp_path_state s, unsigned int timeouts)
{
	if (s == LAPSMP_PATH_DOWN || timeouts >= LAPSMP_PATH_DOWN_TIMEOUTS)
		return LAPSMP_PATH_DOWN;
	if (s == LAPSMP_PATH_UP || s == LAPSMP_PATH_DEGRADED)
		return LAPSMP_PATH_DEGRADED;
	return LAPSMP_PATH_PROBING;
}

enum lapsmp_path_state lapsmp_pathstate_next(enum lapsmp_path_state s,
					     enum lapsmp_path_event ev,
					     unsigned int timeouts)
{
	switch (ev) {
	case LAPSMP_PATH_EV_SENT:
		return s == LAPSMP_PATH_UNKNOWN ? LAPSMP_PATH_PROBING : s;
	case LAPSMP_PATH_EV_ACKED:
		/* Proof that it works, whatever was thought of it before. */
		return LAPSMP_PATH_UP;
	case LAPSMP_PATH_EV_TIMEOUT:
		return lapsmp_pathstate_timeout(s, timeouts);
	case LAPSMP_PATH_EV_CUT:
		return LAPSMP_PATH_DOWN;
	case LAPSMP_PATH_EV_BACK:
		/* What is behind the device may be something else than before. */
		return LAPSMP_PATH_UNKNOWN;
	case LAPSMP_PATH_EV_MAX:
		break;
	}
	return s;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pathstate_next);

const char *lapsmp_pathstate_name(enum lapsmp_path_state s)
{
	switch (s) {
	case LAPSMP_PATH_UNKNOWN:
		return "unknown";
	case LAPSMP_PATH_PROBING:
		return "probing";
	case LAPSMP_PATH_UP:
		return "up";
	case LAPSMP_PATH_DEGRADED:
		return "degraded";
	case LAPSMP_PATH_DOWN:
		return "down";
	}
	return "invalid";
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_pathstate_name);
