/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_DELIVERY_H
#define _LAPSMP_ALG_DELIVERY_H

#include <linux/types.h>

/* Segments per measuring window. */
#define LAPSMP_DELIVERY_SEGS	16
/* Busy ones that are enough for the first estimate, where a guess is below the line's rate. */
#define LAPSMP_DELIVERY_FIRST_SEGS	4
/* A sample this much above its base had a queue before it. */
#define LAPSMP_DELIVERY_QUEUE_NS 500

/**
 * struct lapsmp_delivery - the rate of one path, by the receiver's stamps
 * @rate: bytes/s on the wire, never 0
 * @tried: until a rate is learned, twice the most that came without a queue, or 0: so much
 *	of the guess was seen
 * @first_arr_ns: receiver's stamp of the window's first arrival
 * @last_arr_ns: and of the newest one in it
 * @bytes: acknowledged since then, the first not counted
 * @segs: likewise
 * @busy_bytes: of them, what had a queue before it
 * @busy_segs: likewise
 * @busy_ns: the time that those took
 * @busy_top: the fastest that two of them followed each other, bytes/s
 * @last_top: that of the window before
 * @pushed_segs: busy ones that were sent twice as fast as they arrived, or faster
 * @pushed_top: the fastest but one that such a one followed another since the path began,
 *	bytes/s, 0: there were less than two
 * @pushed_most: the fastest, likewise
 * @qdelay_ns: delay of the newest arrival above the path's base, not below 0
 * @link_rate: what the slowest link of the path carries, others' share included,
 *	as far as is known; bytes/s, 0 before the first estimate
 * @link_shown: segments came that fast and no faster, and @link_rate is no longer only
 *	what the sender's link could carry
 * @started: a window is under way
 * @windows: closed so far, saturating
 * @learned: @rate is no longer the guess that it began with
 */
struct lapsmp_delivery {
	u64	rate;
	u64	tried;
	s64	first_arr_ns;
	s64	last_arr_ns;
	u64	bytes;
	u32	segs;
	u64	busy_bytes;
	u32	busy_segs;
	u64	busy_ns;
	u64	busy_top;
	u64	last_top;
	u32	pushed_segs;
	u64	pushed_top;
	u64	pushed_most;
	s64	qdelay_ns;
	u64	link_rate;
	bool	link_shown;
	bool	started;
	u8	windows;
	bool	learned;
};

void lapsmp_delivery_init(struct lapsmp_delivery *d, u64 rate);

/**
 * lapsmp_delivery_update() - take an acknowledgment
 * @d: the path's state
 * @arr_ns: when the newest segment arrived, receiver's clock, unwrapped
 * @bytes: on the wire, newly acknowledged by it
 * @segs: likewise
 * @qdelay_ns: its delay above the path's base
 * @line_rate: bytes/s, upper bound
 *
 * Over windows of at least LAPSMP_DELIVERY_SEGS segments: if at least half of
 * them had a queue before them and came at a rate r: rate += (r - rate) / 2; else
 * with the rate r of all: rate = min(line_rate, max(rate, 2 * r)). A gap before a
 * segment that its delay cannot explain means that there was no queue, whatever
 * its delay: jitter is no queue. link_rate follows busy_top upwards when
 * two windows agree; downwards only if 1/4 of a window was pushed, at once if it is
 * about r, slowly if not.
 *
 * Return: true if the rate was looked at, i.e. a window was closed, or if until it is learned
 *	pushed_top has grown.
 */
bool lapsmp_delivery_update(struct lapsmp_delivery *d, s64 arr_ns, u32 bytes,
			    u32 segs, s64 qdelay_ns, u64 line_rate);

/**
 * lapsmp_delivery_believed() - the rate, as long as it is not learned in a bound
 * @d: the path's state
 * @most: what it may be, as far as other paths know; bytes/s
 *
 * Return: bytes/s, never 0; more than @most if it was learned, or so much was seen of it.
 */
u64 lapsmp_delivery_believed(const struct lapsmp_delivery *d, u64 most);

#endif /* _LAPSMP_ALG_DELIVERY_H */
