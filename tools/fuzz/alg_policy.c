// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the schedulers and congestion controls: whatever was measured, a
 * scheduler names a usable path if there is one, and a control lets the flow go
 * on.
 */
#include <linux/kernel.h>

#include "alg/policy.h"
#include "alg_fuzz.h"

#define PATHS	8

static const struct lapsmp_sched_ops *const scheds[] = {
	&lapsmp_sched_laps, &lapsmp_sched_laps_paper, &lapsmp_sched_spray,
	&lapsmp_sched_ecmp,
};

static const struct lapsmp_cc_ops *const ccs[] = {
	&lapsmp_cc_laps, &lapsmp_cc_laps_paper, &lapsmp_cc_fixed,
};

static void path_read(struct fuzz_in *in, struct lapsmp_path_view *v)
{
	u8 flags = fuzz_u8(in);

	*v = (struct lapsmp_path_view){
		.id = fuzz_u8(in),
		.usable = flags & 1,
		.backoff = flags >> 1 & 3,
		.owd_ns = fuzz_u64(in),
		.base_ns = fuzz_u64(in),
		.margin_ns = fuzz_u64(in),
		.pipe_ns = fuzz_u64(in),
		.swing_inv = fuzz_u64(in),
		.inflight_segs = fuzz_u64(in),
		.rate = fuzz_u64(in),
		.seg_bytes = fuzz_u64(in),
		.seg_ns_q8 = fuzz_u64(in),
		.weight = fuzz_u64(in),
		.lean_q16 = fuzz_u64(in),
		.alike = fuzz_u8(in) & 1,
	};
	/* As promised to schedulers. */
	if (!v->rate)
		v->rate = 1;
	if (!v->seg_bytes)
		v->seg_bytes = 1;
}

/* What has not answered, beside what has, gets little, and that only where nobody waits. */
static void laps_check(const struct lapsmp_pick *p, int k)
{
	const struct lapsmp_path_view *v = &p->paths[k];

	if (k < 0 || !p->sum->heard || v->pipe_ns)
		return;
	MUST(v->inflight_segs < 2 && !p->first);
	MUST(p->passes || p->left_segs > 2);
}

void fuzz_sched(struct fuzz_in *in)
{
	const struct lapsmp_sched_ops *ops;
	struct lapsmp_path_view v[PATHS];
	u64 priv[LAPSMP_SCHED_PRIV / 8] = {};
	u32 w[PATHS];
	struct lapsmp_path_sum sum;
	struct lapsmp_pick p = { .paths = v, .sum = &sum, .w = w };
	unsigned int i;
	bool any;
	u8 how;
	int k;

	ops = scheds[fuzz_u8(in) % ARRAY_SIZE(scheds)];
	p.flow_hash = fuzz_u64(in);
	if (ops->init)
		ops->init(priv, p.flow_hash);
	while (in->size) {
		p.n = 1 + fuzz_u8(in) % PATHS;
		p.rnd = fuzz_bytes(in, 4);
		p.even = fuzz_bytes(in, 4);
		p.now_ns += fuzz_u64(in);
		p.t_ns = fuzz_u64(in);
		p.left_segs = fuzz_u64(in);
		how = fuzz_u8(in);
		p.first = how & 1;
		p.passes = how & 2;
		p.beta_q8 = fuzz_u64(in);
		any = false;
		for (i = 0; i < p.n; i++) {
			path_read(in, &v[i]);
			any |= v[i].usable;
		}
		lapsmp_path_sum(&sum, v, p.n);
		k = ops->pick(priv, &p);
		MUST(any ? k >= 0 && k < p.n && v[k].usable : k == -1);
		if (ops == &lapsmp_sched_laps)
			laps_check(&p, k);
		if (ops->on_ack)
			ops->on_ack(priv, fuzz_u8(in), fuzz_u8(in) & 1, p.now_ns);
		if (ops->on_loss)
			ops->on_loss(priv, fuzz_u8(in), p.now_ns);
	}
}

static void sample_read(struct fuzz_in *in, struct lapsmp_ack_sample *s)
{
	u8 flags = fuzz_u8(in);

	*s = (struct lapsmp_ack_sample){
		.now_ns = s->now_ns + (fuzz_u64(in) >> 8),
		.acked_segs = fuzz_u64(in),
		.lost_segs = fuzz_u64(in),
		.marked_segs = fuzz_u64(in),
		.inflight_segs = fuzz_u64(in),
		.t_ns = fuzz_u64(in),
		.T_ns = fuzz_u64(in),
		.base0_ns = fuzz_u64(in),
		.over_ns = fuzz_u64(in),
		.margin_ns = fuzz_u64(in),
		.srtt_ns = fuzz_u64(in),
		.n_paths = flags >> 3,
		.rtt_ns = fuzz_u64(in),
		.path_id = fuzz_u8(in),
		.owd_ns = fuzz_u64(in),
		.here_T_ns = fuzz_u64(in),
		.here_margin_ns = fuzz_u64(in),
		.refill = flags & 4,
		.rnd = fuzz_u64(in),
		.timeout = flags & 1,
		.app_limited = flags & 2,
	};
}

void fuzz_cc(struct fuzz_in *in)
{
	const struct lapsmp_cc_ops *ops = ccs[fuzz_u8(in) % ARRAY_SIZE(ccs)];
	struct lapsmp_ack_sample s = {};
	struct lapsmp_cc cc = {};
	struct lapsmp_cc_cfg cfg;

	cfg.line_rate = fuzz_u64(in) | 1;
	cfg.fixed_rate = fuzz_u64(in);
	cfg.initcwnd = (u16)fuzz_u64(in);
	cfg.seg_bytes = fuzz_u64(in) | 1;
	ops->init(&cc, &cfg);
	MUST(cc.cwnd_q16 && cc.pacing_rate);
	while (in->size) {
		sample_read(in, &s);
		ops->on_ack(&cc, &cfg, &s);
		MUST(cc.cwnd_q16 && cc.pacing_rate);
		if (ops == &lapsmp_cc_laps)
			MUST(cc.pacing_rate <= cfg.line_rate);
	}
}
