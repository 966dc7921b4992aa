/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When to acknowledge, and the answer itself. One ACK per path and receive
 * batch: a batch ends when the softirq that receives has emptied its queue and
 * the tasklet behind it runs. Thin traffic makes batches of one. Where batches are of
 * one and dense all the same, packets of a path that follow each other within
 * conf.ack_wait_ns, if that is not 0, an ACK waits for so long for those behind: each of 1514
 * bytes is answered by 118 otherwise, 8 % of what a link carries the other way. What is due of
 * further paths whose answers go between the same addresses is in the same packet (wire_also.h).
 */
#ifndef _LAPSMP_ACKGEN_H
#define _LAPSMP_ACKGEN_H

#include "rflow.h"
#include "wire.h"

/* A flow that is new. */
void lapsmp_ackgen_setup(struct lapsmp_rflow *rf);

/* A packet came with @ecn, the ECN field of its IP header (RFC 3168). */
void lapsmp_ackgen_ecn(struct lapsmp_rpath *rp, u8 ecn);

/*
 * The path's newest packet is @skb: answers go back the way that it came. rf->lock
 * held.
 */
void lapsmp_ackgen_way(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp,
		       const struct sk_buff *skb);

/**
 * lapsmp_ackgen_note() - a packet was taken in on a path
 * @rf: flow, locked
 * @rp: its path
 * @h: the packet
 * @now_ns: arrival
 *
 * Records sequence and delay; duplicates are recorded as well. An answer is due
 * afterwards: now, or at the end of the batch.
 */
void lapsmp_ackgen_note(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp,
			const struct lapsmp_hdr *h, u64 now_ns);

/* An answer of @type is due on the path; sent at once if @now. rf->lock held. */
void lapsmp_ackgen_due(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp, u8 type,
		       bool now);

/* A reader made room: tell the sender on the path it used last. rf->lock held. */
void lapsmp_ackgen_window(struct lapsmp_rflow *rf);

/* RESET to the flow's sender. rf->lock held. */
void lapsmp_ackgen_reset(struct lapsmp_rflow *rf, u16 reason);

int lapsmp_ackgen_init(void);
void lapsmp_ackgen_exit(void);

#endif /* _LAPSMP_ACKGEN_H */
