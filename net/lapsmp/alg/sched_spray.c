// SPDX-License-Identifier: GPL-2.0
/*
 * Oblivious packet spraying: every segment on a path drawn in proportion to the
 * configured weights, which are equal unless somebody set them. It looks at
 * nothing that was measured; that is its point as a baseline, and LAPS's limit
 * for beta = 0.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>

#include "../compat.h"
#include "policy.h"
#include "softmax.h"

/* 65535 paths of this weight still add up to less than 2^32. */
#define LAPSMP_SCHED_SPRAY_WEIGHT_MAX	65536

static int lapsmp_sched_spray_pick(void *priv, const struct lapsmp_pick *p)
{
	u16 i;

	for (i = 0; i < p->n; i++) {
		p->w[i] = 0;
		/* A weight of 0 means that none was set. */
		if (p->paths[i].usable)
			p->w[i] = clamp_t(u32, p->paths[i].weight, 1,
					  LAPSMP_SCHED_SPRAY_WEIGHT_MAX);
	}
	return lapsmp_softmax_draw(p->w, p->n, p->rnd);
}

struct lapsmp_sched_ops lapsmp_sched_spray = {
	.name = "spray",
	.owner = THIS_MODULE,
	.pick = lapsmp_sched_spray_pick,
};

LAPSMP_EXPORT_FOR_TEST(lapsmp_sched_spray);
