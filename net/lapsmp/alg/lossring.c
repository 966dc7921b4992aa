// SPDX-License-Identifier: GPL-2.0
/*
 * What was sent on a path, in order, and what has become of it. An
 * acknowledgment of x says that everything OUT before x is lost:
 *
 *	lost(s)  <=>  s is OUT  and  high_acked - s > reo_segs
 *
 * LAPS can demand reo_segs = 0, since its acknowledgments return on the reverse
 * path and keep their order. Hosts have interrupts on several CPUs, so the
 * tolerance here starts at 0 and grows to what was seen to be too little.
 *
 * The slot of a sequence is slot[seq & mask]. Sequences are 32 bits and wrap:
 * only differences are compared, and these as signed. Two invariants make each
 * step cheap: una is OUT or equals next, so the first lost slot is una or there
 * is none; head never passes una.
 *
 * Reference: LAPS section III-G and figure 5; RFC 8985 section 6.2 for adapting
 * the tolerance. This file does not know what a segment is, nor when to resend.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "lossring.h"

/* Sequences that one acknowledgment speaks of: 64 by the map, and its own. */
#define LAPSMP_RING_MAP_BITS	64

static struct lapsmp_slot *lapsmp_ring_slot(struct lapsmp_ring *r, u32 seq)
{
	return &r->slot[seq & r->mask];
}

void lapsmp_ring_init(struct lapsmp_ring *r, struct lapsmp_slot *slot, u32 n,
		      u32 first)
{
	*r = (struct lapsmp_ring){
		.slot = slot,
		.mask = n - 1,
		.head = first,
		.una = first,
		.next = first,
		.reo_segs = LAPSMP_REO_MIN,
	};
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_init);

bool lapsmp_ring_full(const struct lapsmp_ring *r)
{
	return r->next - r->head > r->mask;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_full);

struct lapsmp_slot *lapsmp_ring_grow(struct lapsmp_ring *r,
				     struct lapsmp_slot *slot, u32 n)
{
	struct lapsmp_slot *old = r->slot;
	u32 seq;

	for (seq = r->head; seq != r->next; seq++)
		slot[seq & (n - 1)] = *lapsmp_ring_slot(r, seq);
	r->slot = slot;
	r->mask = n - 1;
	return old;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_grow);

u32 lapsmp_ring_push(struct lapsmp_ring *r, void *seg, u32 bytes, bool alone,
		     bool passed, u64 now_ns)
{
	*lapsmp_ring_slot(r, r->next) = (struct lapsmp_slot){
		.sent_ns = now_ns,
		.seg = seg,
		.bytes = bytes,
		.state = LAPSMP_SLOT_OUT,
		.alone = alone,
		.passed = passed,
	};
	r->out++;
	return r->next++;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_push);

struct lapsmp_slot *lapsmp_ring_lookup(struct lapsmp_ring *r, u32 seq)
{
	if (seq - r->head >= r->next - r->head)
		return NULL;
	return lapsmp_ring_slot(r, seq);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_lookup);

/* A slot is no longer OUT: restore the invariant of una. */
static void lapsmp_ring_settle(struct lapsmp_ring *r)
{
	r->out--;
	while (r->una != r->next &&
	       lapsmp_ring_slot(r, r->una)->state != LAPSMP_SLOT_OUT)
		r->una++;
}

bool lapsmp_ring_ack_valid(const struct lapsmp_ring *r, u32 seq)
{
	return (s32)(r->next - seq) > 0;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_ack_valid);

/*
 * Drop from the map what is older than the ring knows: with acknowledgments in
 * order that is nearly all of it, and the walk becomes short.
 */
static u64 lapsmp_ring_trim(const struct lapsmp_ring *r, u32 seq, u64 map)
{
	s32 known = (s32)(seq - r->head);

	if (known <= 0)
		return 0;
	if (known < LAPSMP_RING_MAP_BITS)
		map &= (1ULL << known) - 1;
	return map;
}

/*
 * The next sequence that an acknowledgment names, oldest first. A cursor of
 * 0 to 63 stands at map bit 63 - cursor, one of 64 at @seq itself.
 */
static bool lapsmp_ring_map_next(u32 seq, u64 map, u32 *cursor, u32 *found)
{
	u32 bit;

	if (*cursor > LAPSMP_RING_MAP_BITS)
		return false;
	if (*cursor < LAPSMP_RING_MAP_BITS)
		map &= ~0ULL >> *cursor;
	else
		map = 0;
	if (!map) {
		*cursor = LAPSMP_RING_MAP_BITS + 1;
		*found = seq;
		return true;
	}
	bit = fls64(map) - 1;
	*cursor = LAPSMP_RING_MAP_BITS - bit;
	*found = seq - 1 - bit;
	return true;
}

/*
 * Whether it is the newest that is acknowledged. The first one has to be of the ring: any other
 * number may as well be from the other half of the circle, and would be newest for long.
 */
static bool lapsmp_ring_is_newest(const struct lapsmp_ring *r, u32 seq)
{
	if (!r->any_acked)
		return seq - r->head < r->next - r->head;
	return (s32)(seq - r->high_acked) > 0;
}

struct lapsmp_slot *lapsmp_ring_ack_next(struct lapsmp_ring *r, u32 seq,
					 u64 map, u32 *cursor, u32 *found,
					 bool *was_lost)
{
	struct lapsmp_slot *s;

	if (!lapsmp_ring_ack_valid(r, seq))
		return NULL;
	if (lapsmp_ring_is_newest(r, seq)) {
		r->high_acked = seq;
		r->any_acked = true;
	}

	map = lapsmp_ring_trim(r, seq, map);
	while (lapsmp_ring_map_next(seq, map, cursor, found)) {
		s = lapsmp_ring_lookup(r, *found);
		if (!s || s->state == LAPSMP_SLOT_ACKED)
			continue;
		*was_lost = s->state == LAPSMP_SLOT_LOST;
		s->state = LAPSMP_SLOT_ACKED;
		if (!*was_lost)
			lapsmp_ring_settle(r);
		return s;
	}
	return NULL;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_ack_next);

/* Has the oldest OUT slot been overtaken by more than the tolerance? */
static bool lapsmp_ring_is_lost(const struct lapsmp_ring *r)
{
	s32 dist = (s32)(r->high_acked - r->una);

	return r->any_acked && dist > 0 && (u32)dist > r->reo_segs;
}

struct lapsmp_slot *lapsmp_ring_lost_next(struct lapsmp_ring *r, bool all,
					  u32 *found)
{
	struct lapsmp_slot *s = lapsmp_ring_oldest(r);
	bool overtaken = s && lapsmp_ring_is_lost(r);

	if (!s || !(all || overtaken))
		return NULL;
	*found = r->una;
	s->state = LAPSMP_SLOT_LOST;
	s->overtaken = overtaken;
	lapsmp_ring_settle(r);
	return s;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_lost_next);

struct lapsmp_slot *lapsmp_ring_newest(struct lapsmp_ring *r)
{
	return lapsmp_ring_lookup(r, r->next - 1);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_newest);

struct lapsmp_slot *lapsmp_ring_oldest(struct lapsmp_ring *r)
{
	return r->una == r->next ? NULL : lapsmp_ring_slot(r, r->una);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_oldest);

bool lapsmp_ring_retire_next(struct lapsmp_ring *r, u64 before_ns, void **seg)
{
	struct lapsmp_slot *s;

	if (r->head == r->una)
		return false;
	s = lapsmp_ring_slot(r, r->head);
	/* A late acknowledgment may still come for what was deemed lost. */
	if (s->state == LAPSMP_SLOT_LOST && s->sent_ns >= before_ns)
		return false;
	*seg = s->seg;
	*s = (struct lapsmp_slot){ .state = LAPSMP_SLOT_FREE };
	r->head++;
	return true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_retire_next);

void lapsmp_ring_spurious(struct lapsmp_ring *r, u32 dist)
{
	/* Lost is what is more than reo_segs behind, so dist itself is enough. */
	r->reo_segs = clamp_t(u32, dist, r->reo_segs, LAPSMP_REO_MAX);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_ring_spurious);
