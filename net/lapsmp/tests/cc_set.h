/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A flow under a congestion control, for the tests: 10 Gbit/s, segments of 1500
 * bytes on the wire, paths of 50 us whose queues may have 10 us.
 */
#ifndef _LAPSMP_TESTS_CC_SET_H
#define _LAPSMP_TESTS_CC_SET_H

#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "../alg/arith.h"
#include "../alg/policy.h"
#include "lcg.h"

#define CC_LINE		1250000000ULL	/* bytes/s */
#define CC_SEG		1500
#define CC_SEG_NS	1200		/* at the line rate */
#define CC_BASE_NS	50000
#define CC_T_NS		60000
#define CC_RTT_NS	(2 * CC_BASE_NS)
/* What the paths hold without a queue, and the bound 2 T C; in segments. */
#define CC_BDP		(CC_RTT_NS / CC_SEG_NS)
#define CC_TOP		(2 * CC_T_NS / CC_SEG_NS)

/**
 * struct cc_set - a control and what it is told
 * @ops: the control
 * @cfg: of the flow; to be changed before cc_set_start()
 * @cc: its state
 * @s: the sample that cc_set_ack() passes on
 */
struct cc_set {
	const struct lapsmp_cc_ops *ops;
	struct lapsmp_cc_cfg cfg;
	struct lapsmp_cc cc;
	struct lapsmp_ack_sample s;
};

static inline void cc_set_start(struct cc_set *c)
{
	memset(&c->cc, 0, sizeof(c->cc));
	c->ops->init(&c->cc, &c->cfg);
}

static inline void cc_set_init(struct cc_set *c, const struct lapsmp_cc_ops *ops)
{
	*c = (struct cc_set){
		.ops = ops,
		.cfg = { .line_rate = CC_LINE, .seg_bytes = CC_SEG, .initcwnd = 8 },
		.s = {
			.now_ns = 1000000,
			.acked_segs = 1,
			.t_ns = CC_BASE_NS,
			.T_ns = CC_T_NS,
			.base0_ns = CC_BASE_NS,
			.over_ns = CC_BASE_NS - CC_T_NS,
			.margin_ns = CC_T_NS - CC_BASE_NS,
			.srtt_ns = CC_RTT_NS,
			.n_paths = 1,
			.rtt_ns = CC_RTT_NS,
			.owd_ns = CC_BASE_NS,
			.here_T_ns = CC_T_NS,
			.here_margin_ns = CC_T_NS - CC_BASE_NS,
			.here_pipe_ns = CC_RTT_NS,
		},
	};
	cc_set_start(c);
}

static inline u32 cc_set_cwnd(const struct cc_set *c)
{
	return c->cc.cwnd_q16 >> 16;
}

static inline void cc_set_ack(struct cc_set *c)
{
	c->ops->on_ack(&c->cc, &c->cfg, &c->s);
}

/* A delay of all paths from now on. */
static inline void cc_set_delay(struct cc_set *c, s64 t_ns)
{
	c->s.t_ns = t_ns;
	c->s.owd_ns = t_ns;
	c->s.over_ns = t_ns - c->s.T_ns;
	c->s.srtt_ns = max_t(s64, t_ns, 1) + CC_BASE_NS;
	c->s.rtt_ns = c->s.srtt_ns;
}

/*
 * One round trip with a full window: an acknowledgment for each segment, and a
 * new segment for each acknowledgment. The delay is what it was set to.
 */
static inline void cc_set_round(struct cc_set *c)
{
	u32 n = max(cc_set_cwnd(c), 1U), i;

	for (i = 0; i < n; i++) {
		c->s.now_ns += c->s.srtt_ns / n;
		c->s.inflight_segs = n - 1;
		cc_set_ack(c);
	}
}

/*
 * The same over one link at the line rate with a queue without end: what exceeds
 * the path stands in the queue. Return: segments per round trip, in percent of
 * what the link carries.
 */
static inline u32 cc_set_round_on_link(struct cc_set *c)
{
	u32 n = max(cc_set_cwnd(c), 1U);
	u32 queue = n > CC_BDP ? n - CC_BDP : 0;

	cc_set_delay(c, CC_BASE_NS + queue * CC_SEG_NS);
	cc_set_round(c);
	return n * 100 / (CC_BDP + queue);
}

/* Samples of which nothing makes sense. Return: how many left no sane state. */
static inline u32 cc_set_garbage_run(struct cc_set *c, u32 n)
{
	static const u64 v[] = { 0, 1, 1000, U32_MAX, 1ULL << 32, S64_MAX,
				 1ULL << 63, U64_MAX, S64_MAX / 2, 100000 };
	u64 seed = 9;
	u32 wrong = 0;

#define CC_SET_EXTREME	(v[lcg_below(&seed, ARRAY_SIZE(v))])
	while (n--) {
		c->s = (struct lapsmp_ack_sample){
			.now_ns = CC_SET_EXTREME,
			.acked_segs = CC_SET_EXTREME,
			.lost_segs = CC_SET_EXTREME,
			.marked_segs = CC_SET_EXTREME,
			.inflight_segs = CC_SET_EXTREME,
			.t_ns = CC_SET_EXTREME,
			.T_ns = CC_SET_EXTREME,
			.base0_ns = CC_SET_EXTREME,
			.over_ns = CC_SET_EXTREME,
			.margin_ns = CC_SET_EXTREME,
			.srtt_ns = CC_SET_EXTREME,
			.rtt_ns = CC_SET_EXTREME,
			.path_id = CC_SET_EXTREME,
			.owd_ns = CC_SET_EXTREME,
			.here_T_ns = CC_SET_EXTREME,
			.here_margin_ns = CC_SET_EXTREME,
			.refill = lcg_below(&seed, 2),
			.rnd = CC_SET_EXTREME,
			.timeout = lcg_below(&seed, 2),
			.app_limited = lcg_below(&seed, 2),
		};
		c->cfg.seg_bytes = (u32)CC_SET_EXTREME | 1;
		cc_set_ack(c);
		wrong += !c->cc.cwnd_q16 || !c->cc.pacing_rate;
	}
#undef CC_SET_EXTREME
	return wrong;
}

#endif /* _LAPSMP_TESTS_CC_SET_H */
