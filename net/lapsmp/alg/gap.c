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

static u64 lapsmp_gap_shorter(u64 known_ns, u64 gap_ns)
{
	return known_ns ? min(known_ns, gap_ns) : gap_ns;
}

void lapsmp_gap_update(struct lapsmp_gap *g, u32 arr_ns, u64 now_ns)
{
	s32 step = (s32)(arr_ns - g->last_ns);
	/* Two in one interrupt have the same stamp: as near as can be. */
	u64 gap_ns = max_t(u64, step < 0 ? -(s64)step : step, 1);

	g->last_ns = arr_ns;
	if (!g->started) {
		g->started = true;
		g->since_ns = now_ns;
		return;
	}
	/* A half of the window is never forgotten before the next one knows as well. */
	if ((s64)(now_ns - g->since_ns) > (s64)LAPSMP_OWD_WINDOW_NS / 2) {
		g->ns = g->half_ns;
		g->half_ns = 0;
		g->since_ns = now_ns;
	}
	g->half_ns = lapsmp_gap_shorter(g->half_ns, gap_ns);
	g->ns = lapsmp_gap_shorter(g->ns, gap_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_gap_update);
