// SPDX-License-Identifier: GPL-2.0
/*
 * No control at all: a constant rate, for measuring paths and for what others do
 * under a load that does not yield. The window is twice what the rate puts into
 * the longest path, so that the pacing decides, and still bounds what is lost
 * when nothing comes back.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>

#include "../compat.h"
#include "arith.h"
#include "policy.h"

/* Segments until T is known, and at least: 1.5 MB at an MTU of 1500 bytes. */
#define LAPSMP_CC_FIXED_CWND	1024

static void lapsmp_cc_fixed_init(struct lapsmp_cc *cc,
				 const struct lapsmp_cc_cfg *cfg)
{
	cc->pacing_rate = cfg->fixed_rate ? cfg->fixed_rate : cfg->line_rate;
	cc->cwnd_q16 = LAPSMP_CC_FIXED_CWND * LAPSMP_SEG_Q16;
}

static void lapsmp_cc_fixed_on_ack(struct lapsmp_cc *cc,
				   const struct lapsmp_cc_cfg *cfg,
				   const struct lapsmp_ack_sample *s)
{
	u64 cwnd;

	if (s->T_ns <= 0)
		return;
	cwnd = lapsmp_arith_segs_q16(cc->pacing_rate, 2 * (u64)s->T_ns,
				     cfg->seg_bytes);
	cc->cwnd_q16 = max(cwnd, LAPSMP_CC_FIXED_CWND * LAPSMP_SEG_Q16);
}

struct lapsmp_cc_ops lapsmp_cc_fixed = {
	.name = "fixed",
	.owner = THIS_MODULE,
	.init = lapsmp_cc_fixed_init,
	.on_ack = lapsmp_cc_fixed_on_ack,
};

LAPSMP_EXPORT_FOR_TEST(lapsmp_cc_fixed);
