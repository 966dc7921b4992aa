// SPDX-License-Identifier: GPL-2.0
/*
 * When a flow that yields to queues is beside others that do not.
 *
 * Who yields to any queue gets nothing beside those who fill buffers, as TCP does, until
 * something is lost, or marked. How long a queue is does not tell who stands in it: 64
 * flows of this kind rest at the same delay as DCTCP's do. But flows of this kind rest
 * short of where packets are lost or marked; only when many begin at once some are, for
 * some round trips. So:
 *
 *	yielded for WAIT, and then something is lost or marked:	shift = 3
 *	after each further WAIT:	was there any since?	shift--
 *					was there none?		shift = 0
 *
 * where a queue counts for 1 / 2^shift of what it is, and yielded is who had no path with
 * room for as long. At 0 it begins anew: who is beside others for long goes through 3, 2, 1
 * and 0.
 *
 * Why it comes down by itself: once the others have left, flows of this kind may lose
 * packets by standing up to each other. They began at different times, so that each is
 * somewhere between 3 and 0 and all together at the mean, by which they lose nothing; then
 * they all find that nobody was there.
 *
 * They would begin together where all were silent together, to look for noise or at how long
 * their ways are (drain.c): soon after that everybody's paths have room. So who does not stand up
 * then counts his yielding from some moment of the next PAUSE * WAIT on, by draw. Else 107 flows
 * stood up at once after each look, and lost 4.6 % of what they sent instead of 0.2. Whether his
 * own paths have room is not asked: what all send at once is a queue first, and room is after it.
 * Not on long paths, where the next look at lengths, 4 or 8 s later, could come before that is
 * over, and again and again. Looks at noise are closer at first, but few.
 *
 * Of a crowd, even the mean is more than a buffer holds. Who got little through although he
 * stood up does not try again for a while: it gains him nothing. What arrived counts, and
 * not the window: where much is lost, that is full of what nobody knows yet to be lost, most
 * of all with many paths, on each of which little comes after. Of 107 flows by drawn ports,
 * each with less than two segments per round trip and windows of three to eleven, none knew
 * itself for one of a crowd, and they lost 5 % of what they sent to each other for ever.
 *
 * Reference: Copa (NSDI 2018) section 2.2 for two modes, of which one is for those that fill
 * buffers. It finds them by queues that do not drain for five round trips, as flows of this
 * kind never let them. This file does not know what a window is.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "stand.h"

/*
 * In T, half a round trip or so: longer than a crowd that begins at once loses packets for,
 * which is 100 to 200, and short beside what a flow takes that TCP's would starve.
 */
#define LAPSMP_STAND_WAIT_T	256
/*
 * Segments per round trip: of more flows than 30 where a path and its buffer hold 130.
 */
#define LAPSMP_STAND_CROWD_SEGS	4
/* Of 256 ns: up to 1100 s, which is more than a crowd's on the longest path. */
#define LAPSMP_STAND_WAY_SHIFT	8
/* Waits that a crowd does not try again for, and that who was silent begins within, */
#define LAPSMP_STAND_PAUSE	8
/* if they are no more than this, a part of what is between looks at lengths: paths of 0.5 ms. */
#define LAPSMP_STAND_APART_NS	((u64)NSEC_PER_SEC)

static u64 lapsmp_stand_wait_ns(const struct lapsmp_stand_sample *s)
{
	return LAPSMP_STAND_WAIT_T * (u64)clamp_t(s64, s->T_ns, 0, NSEC_PER_SEC);
}

static void lapsmp_stand_set(struct lapsmp_stand *st, u8 shift, u64 since_ns)
{
	st->shift = shift;
	st->since_ns = since_ns;
	st->pressed = false;
	st->way = 0;
}

/* How long from now on it yields for nothing: 0, but if all were silent. */
static u64 lapsmp_stand_apart_ns(const struct lapsmp_stand_sample *s, u64 wait_ns)
{
	u64 within_ns = LAPSMP_STAND_PAUSE * wait_ns;

	return s->refill && within_ns <= LAPSMP_STAND_APART_NS ?
	       mul_u64_u32_shr(within_ns, s->rnd, 32) : 0;
}

/* Little's law: the segments' round trips together, by the time, are how many were under way. */
static bool lapsmp_stand_is_crowd(const struct lapsmp_stand *st, u64 past_ns)
{
	return ((u64)st->way << LAPSMP_STAND_WAY_SHIFT) / LAPSMP_STAND_CROWD_SEGS < past_ns;
}

static void lapsmp_stand_down(struct lapsmp_stand *st, u64 now_ns, u64 wait_ns, u64 past_ns)
{
	if (!st->pressed)
		lapsmp_stand_set(st, 0, now_ns);
	else if (st->shift == LAPSMP_STAND_MAX && lapsmp_stand_is_crowd(st, past_ns))
		lapsmp_stand_set(st, 0, now_ns + LAPSMP_STAND_PAUSE * wait_ns);
	else
		lapsmp_stand_set(st, st->shift - 1, now_ns);
}

static void lapsmp_stand_count(struct lapsmp_stand *st, const struct lapsmp_stand_sample *s)
{
	u64 rtt = min_t(u64, s->rtt_ns >> LAPSMP_STAND_WAY_SHIFT, U32_MAX);

	st->way = min_t(u64, s->acked_segs * rtt + st->way, U32_MAX);
}

void lapsmp_stand_update(struct lapsmp_stand *st, const struct lapsmp_stand_sample *s)
{
	u64 wait_ns = lapsmp_stand_wait_ns(s);
	u64 apart_ns = lapsmp_stand_apart_ns(s, wait_ns);
	/* Signed, since samples of several CPUs may be out of order by a little. */
	s64 past_ns = s->now_ns - st->since_ns;
	/* Who sends nothing yields to nobody, and stands in nobody's crowd. */
	bool idle = (s64)(s->now_ns - st->heard_ns) > (s64)wait_ns;
	bool anew = s->refill ? apart_ns : !s->full;
	bool pressed = s->full && s->pressed;

	st->heard_ns = s->now_ns;
	if (idle || (anew && !st->shift && past_ns > 0)) {
		lapsmp_stand_set(st, 0, s->now_ns + apart_ns);
		return;
	}
	if (s->refill)
		return;
	st->pressed |= pressed;
	lapsmp_stand_count(st, s);
	if (st->shift && past_ns >= (s64)wait_ns)
		lapsmp_stand_down(st, s->now_ns, wait_ns, past_ns);
	else if (!st->shift && pressed && past_ns >= (s64)wait_ns)
		lapsmp_stand_set(st, LAPSMP_STAND_MAX, s->now_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_stand_update);
