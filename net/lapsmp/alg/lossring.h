/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring of one flow on one path (LAPS section III-G): what was sent on the
 * path, in order, and what has become of it.
 *
 *	head                una                    next
 *	  | ACKED LOST ACKED | OUT ACKED OUT OUT OUT |
 *	  '---- retained ----'------ in question ----'
 *
 * Slots stay after they were deemed LOST, so that a late acknowledgment is
 * recognised (a spurious loss) and does not confuse its neighbours.
 */
#ifndef _LAPSMP_ALG_LOSSRING_H
#define _LAPSMP_ALG_LOSSRING_H

#include <linux/types.h>

enum lapsmp_slot_state {
	LAPSMP_SLOT_FREE = 0,
	LAPSMP_SLOT_OUT,
	LAPSMP_SLOT_ACKED,
	LAPSMP_SLOT_LOST,
};

/**
 * struct lapsmp_slot - one packet sent on the path
 * @sent_ns: departure, monotonic
 * @seg: the caller's
 * @state: enum lapsmp_slot_state
 * @alone: nothing of ours was under way, on no path
 * @passed: it passed others on its way, see alg/express.h
 * @overtaken: deemed lost because later ones were acknowledged, not by a timeout
 * @bytes: on the wire
 */
struct lapsmp_slot {
	u64	sent_ns;
	void	*seg;
	u32	bytes;
	u8	state;
	bool	alone;
	bool	passed;
	bool	overtaken;
};

/**
 * struct lapsmp_ring - see above
 * @slot: array of @mask + 1, the caller's memory
 * @mask: a power of two minus one
 * @head: oldest sequence retained
 * @una: oldest sequence that is OUT, or @next
 * @next: sequence that the next push gets
 * @high_acked: highest acknowledged, valid if @any_acked
 * @out: slots OUT
 * @reo_segs: reordering tolerance: an OUT slot is lost once this many later
 *	sequences were acknowledged... counted as high_acked - seq > reo_segs
 * @any_acked: something was acknowledged
 */
struct lapsmp_ring {
	struct lapsmp_slot *slot;
	u32	mask;
	u32	head;
	u32	una;
	u32	next;
	u32	high_acked;
	u32	out;
	u32	reo_segs;
	bool	any_acked;
};

/* Bounds of the reordering tolerance, segments (RFC 8985's idea of adapting). */
#define LAPSMP_REO_MIN	0
#define LAPSMP_REO_MAX	64

/* Empty ring over @n (a power of two) zeroed slots, first sequence @first. */
void lapsmp_ring_init(struct lapsmp_ring *r, struct lapsmp_slot *slot, u32 n,
		      u32 first);

/* No slot is free: retire, or grow. */
bool lapsmp_ring_full(const struct lapsmp_ring *r);

/**
 * lapsmp_ring_grow() - move to a larger array
 * @r: ring
 * @slot: @n zeroed slots
 * @n: a power of two above the present size
 *
 * Return: the old array, the caller's again.
 */
struct lapsmp_slot *lapsmp_ring_grow(struct lapsmp_ring *r,
				     struct lapsmp_slot *slot, u32 n);

/* Record a packet as OUT; the ring must not be full. Return: its sequence. */
u32 lapsmp_ring_push(struct lapsmp_ring *r, void *seg, u32 bytes, bool alone,
		     bool passed, u64 now_ns);

/* The slot of a sequence that is retained, or NULL. */
struct lapsmp_slot *lapsmp_ring_lookup(struct lapsmp_ring *r, u32 seq);

/**
 * lapsmp_ring_ack_next() - walk what an acknowledgment says is new
 * @r: ring
 * @seq: highest sequence received on the path
 * @map: bit i says that @seq - 1 - i has arrived
 * @cursor: set to 0 before the first call
 * @found: the sequence whose slot is returned
 * @was_lost: it had been deemed lost
 *
 * Call until it returns NULL. A slot that was OUT is made ACKED and returned
 * with @was_lost false; one that was LOST is made ACKED and returned with
 * @was_lost true. From the oldest to the newest. A @seq that was never sent
 * (not below next) yields nothing: see lapsmp_ring_ack_valid().
 *
 * Return: the slot, or NULL when there are no more.
 */
struct lapsmp_slot *lapsmp_ring_ack_next(struct lapsmp_ring *r, u32 seq,
					 u64 map, u32 *cursor, u32 *found,
					 bool *was_lost);

/* Could a receiver have received @seq, is it one that was sent? */
bool lapsmp_ring_ack_valid(const struct lapsmp_ring *r, u32 seq);

/**
 * lapsmp_ring_lost_next() - make the next packet that must be lost LOST
 * @r: ring
 * @all: everything OUT is lost (a timeout, or the path is gone)
 * @found: its sequence
 *
 * Return: its slot, now LOST, or NULL if there is none (any more). Lost is an
 * OUT slot with high_acked - seq > reo_segs.
 */
struct lapsmp_slot *lapsmp_ring_lost_next(struct lapsmp_ring *r, bool all,
					  u32 *found);

/* The oldest slot that is OUT, or NULL. */
struct lapsmp_slot *lapsmp_ring_oldest(struct lapsmp_ring *r);

/* The slot that was pushed last, whatever became of it; NULL if it was retired. */
struct lapsmp_slot *lapsmp_ring_newest(struct lapsmp_ring *r);

/**
 * lapsmp_ring_retire_next() - give up the oldest slot that is not in question
 * @r: ring
 * @before_ns: only if it left before this time
 * @seg: its caller's pointer
 *
 * Retires ACKED slots at once whatever their age, LOST ones by age.
 *
 * Return: true if one was retired (its slot is FREE now).
 */
bool lapsmp_ring_retire_next(struct lapsmp_ring *r, u64 before_ns, void **seg);

/**
 * lapsmp_ring_spurious() - a packet that was overtaken turned out to have arrived
 * @r: ring
 * @dist: high_acked minus its sequence, when its acknowledgment came
 *
 * Raises the tolerance to cover that distance, up to LAPSMP_REO_MAX. What a timeout
 * deemed lost says nothing about order: its acknowledgment was lost, or slow.
 */
void lapsmp_ring_spurious(struct lapsmp_ring *r, u32 dist);

#endif /* _LAPSMP_ALG_LOSSRING_H */
