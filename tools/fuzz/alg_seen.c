// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes what remembers packets, beside a model that remembers everything:
 * alg/lossring.c, alg/replay.c and alg/seqmap.c.
 */
#include <string.h>

#include <linux/bits.h>

#include "alg/lossring.h"
#include "alg/replay.h"
#include "alg/seqmap.h"
#include "alg_fuzz.h"

#define SENT_MAX	512
#define SLOTS_FIRST	8
#define SLOTS_MAX	256

/**
 * struct model - what was sent, by the order of sending
 * @ring: under test
 * @slots: its memory, the old one and the new one
 * @state: enum lapsmp_slot_state of each packet
 * @first: sequence of the first
 * @sent: packets so far
 * @retired: of these, the ring has given up so many
 * @now: the time
 */
struct model {
	struct lapsmp_ring ring;
	struct lapsmp_slot slots[2][SLOTS_MAX];
	u8 state[SENT_MAX];
	u32 first;
	u32 sent;
	u32 retired;
	u64 now;
};

static void ring_check(struct model *m)
{
	struct lapsmp_ring *r = &m->ring;
	struct lapsmp_slot *s;
	u32 i, out = 0, oldest = m->sent;

	MUST(r->next == m->first + m->sent);
	MUST(r->head == m->first + m->retired);
	for (i = m->sent; i-- > m->retired;) {
		s = lapsmp_ring_lookup(r, m->first + i);
		MUST(s && s->state == m->state[i]);
		MUST(s->seg == &m->state[i] && s->bytes == i);
		if (s->state == LAPSMP_SLOT_OUT) {
			out++;
			oldest = i;
		}
	}
	MUST(r->out == out);
	MUST(r->una == m->first + oldest);
	MUST(r->reo_segs <= LAPSMP_REO_MAX);
	MUST(lapsmp_ring_full(r) == (m->sent - m->retired > r->mask));
	MUST(!lapsmp_ring_lookup(r, m->first + m->sent));
	MUST(!lapsmp_ring_lookup(r, m->first + m->retired - 1));
}

static void ring_push(struct model *m)
{
	u32 seq;

	if (m->sent == SENT_MAX || lapsmp_ring_full(&m->ring))
		return;
	m->state[m->sent] = LAPSMP_SLOT_OUT;
	seq = lapsmp_ring_push(&m->ring, &m->state[m->sent], m->sent, false, false,
			       m->now);
	MUST(seq == m->first + m->sent);
	m->sent++;
}

static void ring_ack(struct model *m, struct fuzz_in *in)
{
	/* Around the newest: some were never sent, some are long gone. */
	u32 seq = m->ring.next + 8 - fuzz_u8(in);
	u64 map = fuzz_bytes(in, 8);
	u32 cursor = 0, found, i, last = 0;
	struct lapsmp_slot *s;
	bool was_lost, any = false;

	while ((s = lapsmp_ring_ack_next(&m->ring, seq, map, &cursor, &found,
					 &was_lost))) {
		i = found - m->first;
		MUST(i >= m->retired && i < m->sent);
		MUST(!any || i > last);
		MUST(found == seq ||
		     (seq - found <= 64 && map >> (seq - 1 - found) & 1));
		MUST(m->state[i] == (was_lost ? LAPSMP_SLOT_LOST :
					       LAPSMP_SLOT_OUT));
		m->state[i] = LAPSMP_SLOT_ACKED;
		if (was_lost)
			lapsmp_ring_spurious(&m->ring,
					     m->ring.high_acked - found);
		last = i;
		any = true;
	}
}

static void ring_lose(struct model *m, bool all)
{
	struct lapsmp_slot *s;
	u32 found, i;

	while ((s = lapsmp_ring_lost_next(&m->ring, all, &found))) {
		i = found - m->first;
		MUST(i >= m->retired && i < m->sent);
		MUST(m->state[i] == LAPSMP_SLOT_OUT);
		MUST(all || (m->ring.any_acked &&
			     (s32)(m->ring.high_acked - found) >
			     (s32)m->ring.reo_segs));
		m->state[i] = LAPSMP_SLOT_LOST;
	}
	MUST(!all || !m->ring.out);
}

static void ring_retire(struct model *m, u64 before_ns)
{
	void *seg;

	while (lapsmp_ring_retire_next(&m->ring, before_ns, &seg)) {
		MUST(m->retired < m->sent);
		MUST(seg == &m->state[m->retired]);
		MUST(m->state[m->retired] != LAPSMP_SLOT_OUT);
		m->retired++;
	}
}

static void ring_grow(struct model *m)
{
	struct lapsmp_slot *old = m->ring.slot;
	u32 n = 2 * (m->ring.mask + 1);

	if (n > SLOTS_MAX)
		return;
	memset(m->slots[old == m->slots[0]], 0, sizeof(m->slots[0]));
	MUST(lapsmp_ring_grow(&m->ring, m->slots[old == m->slots[0]], n) == old);
	/* It is the caller's again, and must not be looked at. */
	memset(old, 0xa5, sizeof(m->slots[0]));
}

void fuzz_ring(struct fuzz_in *in)
{
	static struct model m;
	u8 op;

	memset(&m, 0, sizeof(m));
	/* Wraps soon, in half of the inputs. */
	m.first = fuzz_u8(in) - 128;
	lapsmp_ring_init(&m.ring, m.slots[0], SLOTS_FIRST, m.first);
	while (in->size) {
		op = fuzz_u8(in);
		m.now += op >> 3;
		switch (op & 7) {
		case 0: ring_ack(&m, in); break;
		case 1: ring_lose(&m, false); break;
		case 2: ring_lose(&m, true); break;
		case 3: ring_retire(&m, m.now > 40 ? m.now - 40 : 0); break;
		case 4: ring_grow(&m); break;
		default: ring_push(&m); break;
		}
		ring_check(&m);
	}
}

void fuzz_replay(struct fuzz_in *in)
{
	struct lapsmp_replay r = {};
	u64 used[128], number, high = 0;
	unsigned int n = 0, i;
	bool seen;

	while (in->size && n < 128) {
		number = fuzz_u64(in);
		if (fuzz_u8(in) & 1)
			number += high;
		seen = !number;
		for (i = 0; i < n; i++)
			seen |= used[i] == number;
		/* What is too old to tell counts as seen. */
		if (number < high && high - number >=
		    LAPSMP_REPLAY_BITS - BITS_PER_LONG)
			seen = true;
		MUST(lapsmp_replay_is_new(&r, number) == !seen);
		MUST(lapsmp_replay_is_far(&r, number) ==
		     (number > high && number - high >
		      LAPSMP_REPLAY_BITS - BITS_PER_LONG));
		MUST(lapsmp_replay_use(&r, number) == !seen);
		MUST(!lapsmp_replay_is_new(&r, number));
		if (!seen)
			used[n++] = number;
		if (!seen && number > high)
			high = number;
		MUST(r.high == high);
	}
}

/* The model counts on where sequences wrap, so that no two have one number. */
static bool seqmap_seen(const u64 *seen, unsigned int n, u64 pos)
{
	while (n--)
		if (seen[n] == pos)
			return true;
	return false;
}

void fuzz_seqmap(struct fuzz_in *in)
{
	u64 seen[128], pos, high = 1ULL << 40;
	struct lapsmp_seqmap s = {};
	unsigned int n = 0, i;
	bool higher;
	u32 seq;

	while (in->size && n < 128) {
		seq = fuzz_u64(in);
		if (fuzz_u8(in) & 1)
			seq += (u32)high;
		pos = n ? high + (s32)(seq - (u32)high) : (1ULL << 40) + seq;
		higher = !n || pos > high;
		if (higher)
			high = pos;
		seen[n++] = pos;
		MUST(lapsmp_seqmap_add(&s, seq) == higher);
		MUST(s.any && s.high == (u32)high);
		for (i = 0; i < LAPSMP_SEQMAP_BITS; i++)
			MUST((s.map >> i & 1) ==
			     seqmap_seen(seen, n, high - 1 - i));
	}
}
