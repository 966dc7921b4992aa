// SPDX-License-Identifier: GPL-2.0
/*
 * One path per flow, by hash, as routers with equal-cost paths do it.
 *
 *	path(flow) = the usable path with the largest mix(flow_hash, id)
 *
 * This is rendezvous hashing: each path has a score of its own for each flow, so
 * a path that goes down moves the flows that were on it, spread over the others,
 * and no other flow; when it comes back, these return. A hash modulo the number
 * of paths would move nearly all of them, and reorder them.
 *
 * The path's id is hashed, not its place in the set: adding a path takes only
 * the flows that it wins. Costs are equal by definition, so weights are not
 * looked at.
 */
#include <linux/kernel.h>
#include <linux/module.h>

#include "../compat.h"
#include "policy.h"

/* Odd, and with no pattern in its bits: 2^32 divided by the golden ratio. */
#define LAPSMP_SCHED_ECMP_STEP	0x9e3779b9

/*
 * A bijection of 32 bits in which each input bit changes each output bit with a
 * probability near one half. Being a bijection, two paths never tie.
 */
static u32 lapsmp_sched_ecmp_mix(u32 flow_hash, u16 id)
{
	u32 h = flow_hash ^ (id + 1) * LAPSMP_SCHED_ECMP_STEP;

	h ^= h >> 16;
	h *= 0x7feb352d;
	h ^= h >> 15;
	h *= 0x846ca68b;
	h ^= h >> 16;
	return h;
}

static int lapsmp_sched_ecmp_pick(void *priv, const struct lapsmp_pick *p)
{
	u32 best_score = 0, score;
	int best = -1;
	u16 i;

	for (i = 0; i < p->n; i++) {
		if (!p->paths[i].usable)
			continue;
		score = lapsmp_sched_ecmp_mix(p->flow_hash, p->paths[i].id);
		if (best < 0 || score > best_score) {
			best = i;
			best_score = score;
		}
	}
	return best;
}

struct lapsmp_sched_ops lapsmp_sched_ecmp = {
	.name = "ecmp",
	.owner = THIS_MODULE,
	.pick = lapsmp_sched_ecmp_pick,
};

LAPSMP_EXPORT_FOR_TEST(lapsmp_sched_ecmp);
