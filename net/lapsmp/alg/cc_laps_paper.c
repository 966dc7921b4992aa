// SPDX-License-Identifier: GPL-2.0
/*
 * LAPS's congestion control as printed, with one correction. On an ACK, with t
 * the smallest delay of the flow's paths and T the largest base with margin:
 *
 *	t > T and now >= nxtDec:	expRate = curRate, curRate /= 2
 *					nxtDec = now + 2 t, stage = 0
 *	t <= T and now >= nxtInc:	stage++
 *					if stage > N: expRate *= 2
 *					curRate = (expRate + curRate) / 2
 *					nxtInc = now + 2 t
 *
 * The paper prints "nxtDec > Now()", under which the first change would never
 * come. Its text says 2 T instead of 2 t. It limits no window; what is under way
 * is bounded by 2 T C here, as in the authors' simulator. Losses change nothing,
 * as there: the network is taken to be lossless.
 *
 * Reference: LAPS section III-F, algorithm 2.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>

#include "../compat.h"
#include "arith.h"
#include "policy.h"

#define LAPSMP_CC_PAPER_N	5	/* the paper's choice */
/* Bytes/s, 1 Mbit/s: halving must not end at 0, which means not paced. */
#define LAPSMP_CC_PAPER_RATE_MIN	125000
/* Segments, until T is known. */
#define LAPSMP_CC_PAPER_CWND	256

/**
 * struct lapsmp_cc_paper - what Algorithm 2 remembers; the names are its own
 * @exp_rate: bytes/s that is being approached
 * @nxt_dec_ns: no decrease before
 * @nxt_inc_ns: no increase before
 * @stage: increases since the last decrease
 */
struct lapsmp_cc_paper {
	u64	exp_rate;
	u64	nxt_dec_ns;
	u64	nxt_inc_ns;
	u32	stage;
};

static_assert(sizeof(struct lapsmp_cc_paper) <=
	      sizeof_field(struct lapsmp_cc, priv));

static struct lapsmp_cc_paper *lapsmp_cc_paper(struct lapsmp_cc *cc)
{
	return (struct lapsmp_cc_paper *)cc->priv;
}

static void lapsmp_cc_paper_init(struct lapsmp_cc *cc,
				 const struct lapsmp_cc_cfg *cfg)
{
	u64 rate = max_t(u64, cfg->line_rate, LAPSMP_CC_PAPER_RATE_MIN);

	*lapsmp_cc_paper(cc) = (struct lapsmp_cc_paper){ .exp_rate = rate };
	cc->pacing_rate = rate;
	cc->cwnd_q16 = LAPSMP_CC_PAPER_CWND * LAPSMP_SEG_Q16;
}

static void lapsmp_cc_paper_decrease(struct lapsmp_cc *cc)
{
	struct lapsmp_cc_paper *m = lapsmp_cc_paper(cc);

	m->exp_rate = cc->pacing_rate;
	cc->pacing_rate = max_t(u64, cc->pacing_rate / 2,
				LAPSMP_CC_PAPER_RATE_MIN);
	m->stage = 0;
}

static void lapsmp_cc_paper_increase(struct lapsmp_cc *cc,
				     const struct lapsmp_cc_cfg *cfg)
{
	struct lapsmp_cc_paper *m = lapsmp_cc_paper(cc);
	u64 top = max_t(u64, cfg->line_rate, LAPSMP_CC_PAPER_RATE_MIN);

	/* Beyond N the exact stage does not matter: it must not wrap. */
	m->stage = min_t(u32, m->stage + 1, LAPSMP_CC_PAPER_N + 1);
	if (m->stage > LAPSMP_CC_PAPER_N)
		m->exp_rate *= 2;
	/* The rate limiter's maximum bounds both rates, as it does initially. */
	m->exp_rate = min(m->exp_rate, top);
	cc->pacing_rate = m->exp_rate / 2 + cc->pacing_rate / 2 +
			  (m->exp_rate & cc->pacing_rate & 1);
}

static void lapsmp_cc_paper_on_ack(struct lapsmp_cc *cc,
				   const struct lapsmp_cc_cfg *cfg,
				   const struct lapsmp_ack_sample *s)
{
	struct lapsmp_cc_paper *m = lapsmp_cc_paper(cc);
	u64 hold_ns = 2 * (u64)max_t(s64, s->t_ns, 0);

	/* The algorithm's input is an ACK with a delay. */
	if (s->timeout || s->T_ns <= 0)
		return;

	cc->cwnd_q16 = lapsmp_arith_segs_q16(cfg->line_rate, 2 * (u64)s->T_ns,
					     cfg->seg_bytes);
	/* A window below one segment is for a control that means it. */
	cc->cwnd_q16 = max(cc->cwnd_q16, LAPSMP_SEG_Q16);

	if (s->t_ns > s->T_ns && s->now_ns >= m->nxt_dec_ns) {
		lapsmp_cc_paper_decrease(cc);
		m->nxt_dec_ns = s->now_ns + hold_ns;
	} else if (s->t_ns <= s->T_ns && s->now_ns >= m->nxt_inc_ns) {
		lapsmp_cc_paper_increase(cc, cfg);
		m->nxt_inc_ns = s->now_ns + hold_ns;
	}
}

struct lapsmp_cc_ops lapsmp_cc_laps_paper = {
	.name = "laps-paper",
	.owner = THIS_MODULE,
	.init = lapsmp_cc_paper_init,
	.on_ack = lapsmp_cc_paper_on_ack,
};

LAPSMP_EXPORT_FOR_TEST(lapsmp_cc_laps_paper);
