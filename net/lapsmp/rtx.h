/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The scoreboard: messages cut into segments, what became of each, and what is
 * to be sent again. Every byte that was transmitted and is not known to have
 * arrived belongs to exactly one segment that is not done.
 *
 * All calls: flow locked.
 */
#ifndef _LAPSMP_RTX_H
#define _LAPSMP_RTX_H

#include "flow.h"

/* Segments that a path's ring has room for at first. */
#define LAPSMP_RING_MIN		16

/* What an acknowledgment or a timeout did, summed up. */
struct lapsmp_rtx_sum {
	u32	acked_segs;	/* data, newly, but those that passed */
	u32	passed_segs;	/* those: see alg/express.h */
	u32	acked_bytes;	/* their bytes on the wire */
	u32	lost_segs;	/* data, newly, but those that passed */
	u32	passed_lost;	/* and those */
	u64	lost_ns;	/* when the oldest of both had left */
	u64	passed_lost_ns;	/* when the newest of the latter had */
	u32	spurious_segs;	/* data, deemed lost and not */
	u32	ip_bytes;	/* largest IP packet acknowledged */
	u32	lost_bytes;	/* largest IP packet lost */
};

/* Does anything wait to be sent (again)? What the window says is not asked. */
bool lapsmp_rtx_has_work(const struct lapsmp_flow *f);

/*
 * Is there nothing to send for now because the writer has not brought enough yet?
 * Spares the choice of a path for what would not be sent on any.
 */
bool lapsmp_rtx_waits(const struct lapsmp_flow *f);

/**
 * lapsmp_rtx_next() - the segment to send next
 * @f: flow
 * @mss: bytes of payload that fit
 * @blocked: set if there is new data but no credit for it
 *
 * First what was lost, the oldest first, since whole messages wait for that, in
 * whatever order paths were found to have lost it; then new data in order. A lost
 * segment that no longer fits is split. The segment waits nowhere; the caller
 * hands it to lapsmp_rtx_sent() or lapsmp_rtx_unsend().
 *
 * Return: segment, NULL if there is nothing, or ERR_PTR(-ENOMEM).
 */
struct lapsmp_seg *lapsmp_rtx_next(struct lapsmp_flow *f, u32 mss, bool *blocked);

/* It could not be sent after all: it waits as if it had been lost. */
void lapsmp_rtx_unsend(struct lapsmp_flow *f, struct lapsmp_seg *seg);

/* Make room in the ring for one packet more. Return: 0 or -ENOBUFS. */
int lapsmp_rtx_reserve(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns);

/* Record it. Return: its sequence number. The ring has room. */
u32 lapsmp_rtx_sent(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		    struct lapsmp_seg *seg, u32 frame_bytes, u64 now_ns);

/* A slot that the ring just turned ACKED (it was LOST before, if @was_lost). */
void lapsmp_rtx_acked(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		      struct lapsmp_slot *slot, bool was_lost,
		      struct lapsmp_rtx_sum *sum);

/*
 * A slot that the ring just turned LOST, of a packet that the receiver refused to
 * look at (it asks for a cookie first): no loss, and no retransmission.
 */
void lapsmp_rtx_unseen(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		       struct lapsmp_slot *slot);

/* A slot that the ring just turned LOST. */
void lapsmp_rtx_lost(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		     struct lapsmp_slot *slot, struct lapsmp_rtx_sum *sum);

/*
 * The oldest segment under way on the path that has not arrived as far as is known, with
 * a reference for another slot; NULL if there is none.
 */
struct lapsmp_seg *lapsmp_rtx_oldest(struct lapsmp_fpath *fp);

/*
 * When the oldest that is under way on the path times out; U64_MAX if nothing is. That is
 * its RTO after it left, but not before the flow has been silent for as long if nothing
 * that left later was acknowledged yet: see rtx.c.
 */
u64 lapsmp_rtx_timeout_at(const struct lapsmp_flow *f, struct lapsmp_fpath *fp);

/* The receiver has all messages below @rcv_msg, and @rcv_off bytes of that. */
void lapsmp_rtx_whole(struct lapsmp_flow *f, u32 rcv_msg, u32 rcv_off);

/* Free slots that nobody asks about any more. */
void lapsmp_rtx_retire(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns);

/* Everything out on a path is lost and the ring's memory goes. */
void lapsmp_rtx_drop_ring(struct lapsmp_flow *f, struct lapsmp_fpath *fp);

/*
 * The writer gives up halfway (signal, timeout, fault): an ABORT travels. Context:
 * process, flow not locked.
 */
void lapsmp_rtx_give_up(struct lapsmp_flow *f, struct lapsmp_tmsg *m);

/* Drop all messages and segments; @err tells those who want a notice. */
void lapsmp_rtx_purge(struct lapsmp_flow *f, int err);

#endif /* _LAPSMP_RTX_H */
