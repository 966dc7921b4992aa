/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which messages of a flow pass others on their way (alg/express.c), and what that is on
 * the wire: a DSCP, and a band of the host's own queue.
 *
 * All calls: flow locked.
 */
#ifndef _LAPSMP_PASS_H
#define _LAPSMP_PASS_H

#include <linux/skbuff.h>
#include "flow.h"

struct lapsmp_rtx_sum;

/*
 * Before each new segment: a message may be about to begin, or more be queued by now.
 * Return: whether what is sent from now on is of another class.
 */
bool lapsmp_pass_rank(struct lapsmp_flow *f, u64 now_ns);

/**
 * lapsmp_pass_acked() - an ACK came; segments that passed may be among those it acknowledges
 * @f: flow
 * @sum: what the ACK did
 * @s: what it says of the path; lapsmp_path_on_ack() has seen it
 * @p: that path
 * @marked: congestion marks are new
 */
void lapsmp_pass_acked(struct lapsmp_flow *f, const struct lapsmp_rtx_sum *sum,
		       const struct lapsmp_path_sample *s,
		       const struct lapsmp_path *p, bool marked);

/* Segments that passed are deemed lost. */
void lapsmp_pass_lost(struct lapsmp_flow *f, const struct lapsmp_rtx_sum *sum, u64 now_ns);

/*
 * There was an answer, or there will be none: what passes was lost, nothing is under way, or the
 * flow is dead.
 */
void lapsmp_pass_heard(struct lapsmp_flow *f);

/* With how many flows of the host it shares what nothing controls; itself among them. */
static inline u32 lapsmp_pass_unheard(const struct lapsmp_flow *f)
{
	return f->unheard ? max(atomic_read(&f->ln->n_unheard), 1) : 1;
}

/* How many segments may be under way, if the congestion control says @segs. */
static inline u32 lapsmp_pass_window(const struct lapsmp_flow *f, u32 segs)
{
	return max(lapsmp_express_window(&f->express), segs);
}

/* How fast the flow sends, bytes/s; 0: not paced. */
static inline u64 lapsmp_pass_rate(const struct lapsmp_flow *f)
{
	if (f->express.level == LAPSMP_EXPRESS_NONE)
		return f->cc.pacing_rate;
	return lapsmp_express_rate(&f->express, f->cc_cfg.line_rate, lapsmp_pass_unheard(f),
				   f->inflight);
}

/*
 * What a packet is marked with. @level: see alg/express.h; @tos: as it would be
 * otherwise. Return: as it is.
 */
u8 lapsmp_pass_mark(const struct lapsmp_flow *f, u8 level, struct sk_buff *skb, u8 tos);

#endif /* _LAPSMP_PASS_H */
