/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_DRAIN_H
#define _LAPSMP_ALG_DRAIN_H

#include <linux/bits.h>
#include <linux/types.h>

/* From one occasion to the next, 4.3 s: less than half of LAPSMP_OWD_WINDOW_NS. */
#define LAPSMP_DRAIN_SHIFT	32
#define LAPSMP_DRAIN_TICK_NS	BIT_ULL(LAPSMP_DRAIN_SHIFT)
/* Probes that may wait for each other on a link that their paths share. */
#define LAPSMP_DRAIN_PROBES	8

/**
 * struct lapsmp_drain - when a peer's paths are to run empty
 * @begin_ns: nothing is sent from then on, monotonic (READ_ONCE)
 * @until_ns: and before that, or 0: nobody waits, nor is about to (READ_ONCE)
 * @refill_ns: and until then what stood in queues is only coming back (READ_ONCE)
 * @look_ns: how often it is looked whether they are empty (READ_ONCE)
 * @for_ns: how long an answer is waited for, and for as long they are filled again (READ_ONCE)
 * @arr_ns: newest arrival there by the peer's clock, unwrapped
 * @heard_ns: when it was heard of, monotonic, 0: never
 * @ending: they are empty, and somebody is about to measure them
 * @failed: times in a row that they were not empty in time, saturating
 * @skip: occasions to let pass
 * @first: where the next probes begin
 * @shift: it begins when 2^@shift ns of the peer's clock are over
 * @for_noise: what delays waver by is looked for (noise.h)
 * @least_ns: and so much is none
 * @round: how often probes were sent, up to 3 (READ_ONCE)
 * @sent_ns: when the last probes were sent, monotonic
 * @lost_ns: from then on it is not waited for what is under way, it is lost (READ_ONCE)
 * @empty: nothing was under way when the last probes were sent; of who is @ending it
 * @pending: of those, what was not answered yet (READ_ONCE)
 * @path_id: of the path by which noise is measured
 * @turn: counts probes of each path in turn
 */
struct lapsmp_drain {
	u64	begin_ns;
	u64	until_ns;
	u64	refill_ns;
	u64	look_ns;
	u64	for_ns;
	s64	arr_ns;
	u64	heard_ns;
	bool	ending;
	u8	failed;
	u8	skip;
	u16	first;
	u8	shift;
	bool	for_noise;
	u64	least_ns;
	u8	round;
	u64	sent_ns;
	u64	lost_ns;
	bool	empty;
	u16	pending;
	u16	path_id;
	u16	turn;
};

/**
 * lapsmp_drain_tick() - is there an occasion?
 * @d: the peer's state
 * @arr_ns: when a packet arrived there, the peer's clock, low 32 bits
 * @now_ns: monotonic
 *
 * Return: 32 for the first packet in the last sixteenth of each 2^32 ns of that clock; else for
 *	that of each 2^24 ns the exponent of the longest tick that ends with it, up to 31; or 0.
 */
u8 lapsmp_drain_tick(struct lapsmp_drain *d, u32 arr_ns, u64 now_ns);

/**
 * lapsmp_drain_in_ns() - how long it is until a tick, from the newest arrival
 * @d: the peer's state
 * @shift: of 2^@shift ns, at most 32
 *
 * Return: ns, from 1 to 2^@shift.
 */
u64 lapsmp_drain_in_ns(const struct lapsmp_drain *d, u8 shift);

/**
 * lapsmp_drain_may() - was the last time too long ago to know that it would be in vain?
 * @d: the peer's state, at an occasion
 */
bool lapsmp_drain_may(struct lapsmp_drain *d);

/* They were not empty in time, or were: occasions are skipped, or not any more. */
void lapsmp_drain_told(struct lapsmp_drain *d, bool failed);

/**
 * lapsmp_drain_for_ns() - how long to wait for them to be empty
 * @rtt_ns: of its longest path, queues included
 *
 * Return: ns.
 */
u64 lapsmp_drain_for_ns(u64 rtt_ns);

/**
 * lapsmp_drain_first() - which of the paths is the first that is measured
 * @d: the peer's state
 * @n: how many there are, not 0
 *
 * Return: an index below @n; another one each time.
 */
u16 lapsmp_drain_first(struct lapsmp_drain *d, u16 n);

#endif /* _LAPSMP_ALG_DRAIN_H */
