// SPDX-License-Identifier: GPL-2.0
/*
 * The shortest time between two full packets that arrived at a host: no link that both
 * went by needs longer for one. What is acknowledged need not be in the order of arrival,
 * nor is each told of; so the shortest time that there was is no longer than this.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "gap.h"
#include "owd.h"

void lapsmp_gap_update(struct lapsmp_gap *g, u32 arr_ns, u64 now_ns)
{
	bool old = (s64)(now_ns - g->at_ns) > (s64)LAPSMP_OWD_WINDOW_NS;
	s32 step = (s32)(arr_ns - g->last_ns);
	/* Two in one interrupt have the same stamp: as near as can be. */
	u64 gap_ns = max_t(u64, step < 0 ? -(s64)step : step, 1);

	g->last_ns = arr_ns;
	if (g->started && (!g->ns || gap_ns <= g->ns || old)) {
		g->ns = gap_ns;
		g->at_ns = now_ns;
	}
	g->started = true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_gap_update);
