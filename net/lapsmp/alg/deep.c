// SPDX-License-Identifier: GPL-2.0
/*
 * Beside others who fill a deep buffer.
 *
 * A buffer of 150 KB in front of a link of 10 Mbit/s holds 120 ms, 15 times what flows of
 * this kind allow themselves, and TCP fills it. Whoever yields to any part of that has
 * nothing; and losses, by which stand.c knows of others, are those others', who have nearly
 * all packets there. But flows of this kind, many or few, rest at a queue of T at most, and a
 * crowd that begins at once is there after some tens of round trips. So:
 *
 *	t > 5 T for all of PERIOD:			on
 *	after each PERIOD:				a test, of 4 round trips
 *	t - base < 1/8 of that before, at its end:	off
 *	half of that before is back, for PERIOD / 8:	on again
 *
 * with t the delay of the flow's shortest path, T the least base there was and the least
 * margin, and PERIOD the power of 2 from 256 T and from 64 round trips on. On, a flow does as
 * TCP does: it yields to losses and marks only. In a test it sends next to nothing.
 *
 * Why the tests are at one time: two flows that were left alone would each find the other one
 * in the queue, for ever. But all who share it see the same delays. Each counts the time of
 * its next test from when the queue was shortest since its last one, which is a moment that all
 * have in common: after a test or two of the others', or a loss that all had, they have theirs
 * together and find the queue gone. (BBR's flows come to measure their base together in the
 * same way: they all wait from the shortest round trip on.) Periods are powers of 2 so that those
 * of flows whose paths differ are equal, or every second one's of another.
 *
 * Why the least base there was: beside others who never leave the queue a base that is measured
 * again, as each is by and by (owd.c), is that of the queue. A path that became longer looks
 * like a queue, but it is equally long in most tests, and TCP's queue is not: then its base is
 * what it is now. Until then its flows do as TCP does. With other paths everything begins anew.
 *
 * Why the least margin: it has four times the jitter in it (margin.c), and what TCP's queue rises
 * and falls by is jitter to who hears of it now and then. Five times that is more than the buffer.
 *
 * Why a test's word is doubted: TCP may have lost nearly all of its window just before one, as
 * it does now and then when all lose at once, and has a few packets there when it ends. Who is
 * left alone finds no deep queue soon after; who is not, would wait for the whole of a PERIOD
 * again, with nothing, and the queue's rise would be the base's.
 *
 * Of a crowd's flows hardly any has a segment under way in a test, so that nobody would see the
 * queue's end; and each gains hardly anything by not yielding. Who wanted to send more, and got
 * few through since the last one, yields for a while.
 *
 * Reference: Copa (NSDI 2018) section 2.2 for two modes; BBR (CACM 60-2) for tests at one time.
 * This file does not know what a window is.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "deep.h"

/* In T: what no flow of this kind leaves there for long. */
#define LAPSMP_DEEP_ON_T	5
/* The part of the queue that is left when only flows of this kind were there: 1/8. */
#define LAPSMP_DEEP_OFF_SHIFT	3
/* Of a period, at least: in T as in stand.c, and in round trips. */
#define LAPSMP_DEEP_PERIOD_T	256
#define LAPSMP_DEEP_PERIOD_RTTS	64
/*
 * Round trips: what was under way before has come, what was sent since has, and there is as
 * much again for others to begin in.
 */
#define LAPSMP_DEEP_TEST_RTTS	4
/* Per round trip: who gets less through is one of a crowd, */
#define LAPSMP_DEEP_CROWD_SEGS	4
/* and does not try again for so many periods. */
#define LAPSMP_DEEP_PAUSE	8
/* After a test that found nobody: for so many periods half of a queue is as good as all, */
#define LAPSMP_DEEP_DOUBT	2
/* for this part of one: 1/8. */
#define LAPSMP_DEEP_BACK_SHIFT	3
/* Of time with room, for how much without it that counts beside itself. */
#define LAPSMP_DEEP_ROOM	2
/*
 * More tests whose delay is that of the one before but for 1/16, than others: it is the path's.
 * Beside Cubic they differ by a quarter, and few are the same.
 */
#define LAPSMP_DEEP_SAME	8
#define LAPSMP_DEEP_SAME_SHIFT	4
/*
 * How often both rise while nothing is deep for so long, and by how much of what they lack; and the
 * part of that time with room, 1/8, without which the queue is somebody's who does not yield.
 */
#define LAPSMP_DEEP_RISE_NS	NSEC_PER_SEC
#define LAPSMP_DEEP_RISE_SHIFT	3
#define LAPSMP_DEEP_RISE_ROOM	8
/* No round trip or delay is longer, so that sums fit. */
#define LAPSMP_DEEP_MAX_NS	(16LL * NSEC_PER_SEC)

static s64 lapsmp_deep_sane(s64 ns)
{
	return clamp(ns, -LAPSMP_DEEP_MAX_NS, LAPSMP_DEEP_MAX_NS);
}

static u64 lapsmp_deep_rtt_ns(const struct lapsmp_deep_sample *s)
{
	return clamp_t(u64, s->rtt_ns, 1, LAPSMP_DEEP_MAX_NS);
}

static s64 lapsmp_deep_T_ns(const struct lapsmp_deep *d)
{
	return max_t(s64, d->base_ns + d->margin_ns, 1);
}

static u64 lapsmp_deep_period_ns(const struct lapsmp_deep *d,
				 const struct lapsmp_deep_sample *s)
{
	u64 least = max_t(u64, LAPSMP_DEEP_PERIOD_T * lapsmp_deep_T_ns(d),
			  LAPSMP_DEEP_PERIOD_RTTS * lapsmp_deep_rtt_ns(s));

	return 1ULL << fls64(least - 1);
}

static void lapsmp_deep_off(struct lapsmp_deep *d, u64 since_ns)
{
	d->state = LAPSMP_DEEP_OFF;
	d->since_ns = since_ns;
	d->next_ns = d->heard_ns + LAPSMP_DEEP_RISE_NS;
	d->room_ns = 0;
	d->doubt_until_ns = d->heard_ns;
}

/* As if nothing was known. */
static void lapsmp_deep_begin_anew(struct lapsmp_deep *d, const struct lapsmp_deep_sample *s)
{
	lapsmp_deep_off(d, s->now_ns);
	d->n_paths = s->n_paths;
	d->base_ns = lapsmp_deep_sane(s->base_ns);
	d->margin_ns = lapsmp_deep_sane(s->margin_ns);
	d->last_test_ns = 0;
	d->same = 0;
}

/* From now on what is seen decides when the next test is. */
static void lapsmp_deep_on(struct lapsmp_deep *d, u64 now_ns, u64 next_ns)
{
	d->state = LAPSMP_DEEP_ON;
	d->since_ns = now_ns;
	d->next_ns = next_ns;
	d->low_ns = S64_MAX;
	d->acked_segs = 0;
	d->used = false;
}

static void lapsmp_deep_look(struct lapsmp_deep *d, const struct lapsmp_deep_sample *s)
{
	s64 t_ns = lapsmp_deep_sane(s->t_ns);
	u32 acked = d->acked_segs + s->acked_segs;

	d->acked_segs = acked < s->acked_segs ? U32_MAX : acked;
	d->used |= s->used;
	d->test_ns = min(d->test_ns, t_ns);
	if (t_ns >= d->low_ns)
		return;
	d->low_ns = t_ns;
	d->low_at_ns = s->now_ns;
}

/* Whole periods after the queue was shortest, but not before a quarter of one is over. */
static u64 lapsmp_deep_next_ns(const struct lapsmp_deep *d, u64 now_ns)
{
	u64 next_ns = d->low_at_ns + d->period_ns;
	u64 late_ns = now_ns + d->period_ns / 4 - next_ns;

	if ((s64)late_ns <= 0)
		return next_ns;
	return next_ns + ((late_ns + d->period_ns - 1) & ~(d->period_ns - 1));
}

/* --- off ------------------------------------------------------------------------- */

/* Not deep: so base and margin may be what they are now, if that goes on. */
static void lapsmp_deep_rise(struct lapsmp_deep *d, const struct lapsmp_deep_sample *s)
{
	if ((s64)(s->now_ns - d->next_ns) < 0)
		return;
	if (d->room_ns >= (s64)LAPSMP_DEEP_RISE_NS / LAPSMP_DEEP_RISE_ROOM) {
		d->base_ns += (lapsmp_deep_sane(s->base_ns) - d->base_ns) >>
			      LAPSMP_DEEP_RISE_SHIFT;
		d->margin_ns += (lapsmp_deep_sane(s->margin_ns) - d->margin_ns) >>
				LAPSMP_DEEP_RISE_SHIFT;
	}
	d->next_ns = s->now_ns + LAPSMP_DEEP_RISE_NS;
	d->room_ns = 0;
}

/*
 * A path may have room by its newest base, which may be that of a longer way, or of the
 * others' queue at its shortest: the one has room nearly always, the other hardly ever.
 *
 * @silent_ns: since the sample before
 */
static void lapsmp_deep_has_room(struct lapsmp_deep *d, const struct lapsmp_deep_sample *s,
				 s64 silent_ns)
{
	/* A sample is no news of more than its own round trip. */
	d->room_ns += min3(silent_ns, (s64)lapsmp_deep_rtt_ns(s), LAPSMP_DEEP_RISE_NS - d->room_ns);
	if ((s64)(s->now_ns - d->since_ns) > 0)
		d->since_ns = min(d->since_ns + LAPSMP_DEEP_ROOM * silent_ns, s->now_ns);
}

static bool lapsmp_deep_is_doubted(const struct lapsmp_deep *d, const struct lapsmp_deep_sample *s)
{
	return (s64)(d->doubt_until_ns - s->now_ns) > 0;
}

static bool lapsmp_deep_is_deep(const struct lapsmp_deep *d, const struct lapsmp_deep_sample *s)
{
	s64 least_ns = LAPSMP_DEEP_ON_T * lapsmp_deep_T_ns(d);

	/* Nor is what a test began with deep where others had theirs just before. */
	if (lapsmp_deep_is_doubted(d, s))
		least_ns = max(least_ns / 2, d->base_ns + (d->began_ns - d->base_ns) / 2);
	return lapsmp_deep_sane(s->t_ns) > least_ns;
}

static void lapsmp_deep_wait(struct lapsmp_deep *d, const struct lapsmp_deep_sample *s,
			     s64 silent_ns)
{
	u64 period_ns = lapsmp_deep_period_ns(d, s);
	s64 deep_ns;

	if (!s->full && silent_ns > 0)
		lapsmp_deep_has_room(d, s, silent_ns);
	if (!lapsmp_deep_is_deep(d, s)) {
		/* A pause may end later. */
		d->since_ns = max(d->since_ns, s->now_ns);
		lapsmp_deep_rise(d, s);
		return;
	}
	d->next_ns = s->now_ns + LAPSMP_DEEP_RISE_NS;
	d->room_ns = 0;
	deep_ns = s->now_ns - d->since_ns;
	if (lapsmp_deep_is_doubted(d, s)) {
		/* Its tests go on as if it had never left: the others' may be with them. */
		if (deep_ns >= (s64)(d->period_ns >> LAPSMP_DEEP_BACK_SHIFT))
			lapsmp_deep_on(d, s->now_ns, lapsmp_deep_next_ns(d, s->now_ns));
	} else if (deep_ns >= (s64)period_ns) {
		d->period_ns = period_ns;
		lapsmp_deep_on(d, s->now_ns, s->now_ns + period_ns);
	}
}

/* --- on, and tests ------------------------------------------------------------------ */

static bool lapsmp_deep_is_crowd(const struct lapsmp_deep *d, const struct lapsmp_deep_sample *s)
{
	u64 past_ns = s->now_ns - d->since_ns;

	return d->used && d->acked_segs < div64_u64(LAPSMP_DEEP_CROWD_SEGS * past_ns,
						    lapsmp_deep_rtt_ns(s));
}

/*
 * Not half of it where a round trip happens to be short, as in others' tests: of flows whose
 * periods differ, half of the tests would be without the others.
 */
static void lapsmp_deep_keep_period(struct lapsmp_deep *d, u64 period_ns)
{
	if (period_ns > d->period_ns || period_ns <= d->period_ns / 4)
		d->period_ns = period_ns;
}

static void lapsmp_deep_begin_test(struct lapsmp_deep *d, const struct lapsmp_deep_sample *s)
{
	if ((s64)(s->now_ns - d->next_ns) < 0)
		return;
	lapsmp_deep_keep_period(d, lapsmp_deep_period_ns(d, s));
	if (lapsmp_deep_is_crowd(d, s)) {
		lapsmp_deep_off(d, s->now_ns + LAPSMP_DEEP_PAUSE * d->period_ns);
		return;
	}
	d->state = LAPSMP_DEEP_TEST;
	d->began_ns = lapsmp_deep_sane(s->t_ns);
	d->test_ns = S64_MAX;
	d->next_ns = s->now_ns + LAPSMP_DEEP_TEST_RTTS * lapsmp_deep_rtt_ns(s);
}

/* Has the path become longer? */
static bool lapsmp_deep_is_same(struct lapsmp_deep *d)
{
	s64 least = min(d->test_ns, d->last_test_ns), most = max(d->test_ns, d->last_test_ns);

	d->last_test_ns = d->test_ns;
	if (most - least <= most >> LAPSMP_DEEP_SAME_SHIFT)
		d->same++;
	else if (d->same)
		d->same--;
	return d->same >= LAPSMP_DEEP_SAME;
}

/*
 * Is anybody there? Now, and not at any time in the test: TCP may have lost much just before,
 * but it takes the room that it finds.
 */
static bool lapsmp_deep_is_gone(const struct lapsmp_deep *d, const struct lapsmp_deep_sample *s)
{
	return lapsmp_deep_sane(s->t_ns) - d->base_ns <
	       (d->began_ns - d->base_ns) >> LAPSMP_DEEP_OFF_SHIFT;
}

static void lapsmp_deep_end_test(struct lapsmp_deep *d, const struct lapsmp_deep_sample *s)
{
	if ((s64)(s->now_ns - d->next_ns) < 0)
		return;
	if (lapsmp_deep_is_gone(d, s)) {
		lapsmp_deep_off(d, s->now_ns);
		d->doubt_until_ns = s->now_ns + LAPSMP_DEEP_DOUBT * d->period_ns;
	} else if (lapsmp_deep_is_same(d)) {
		lapsmp_deep_begin_anew(d, s);
	} else {
		lapsmp_deep_on(d, s->now_ns, lapsmp_deep_next_ns(d, s->now_ns));
	}
}

enum lapsmp_deep_state lapsmp_deep_update(struct lapsmp_deep *d,
					  const struct lapsmp_deep_sample *s)
{
	/* Signed, since samples of several CPUs may be out of order by a little. */
	s64 silent_ns = s->now_ns - d->heard_ns;
	bool first = !d->heard_ns;

	if (s->margin_ns <= 0) {
		*d = (struct lapsmp_deep){};
		return d->state;
	}
	d->heard_ns = s->now_ns;
	d->base_ns = min(d->base_ns, lapsmp_deep_sane(s->base_ns));
	d->margin_ns = min(d->margin_ns, lapsmp_deep_sane(s->margin_ns));
	if (first || s->n_paths != d->n_paths || silent_ns > (s64)lapsmp_deep_period_ns(d, s))
		lapsmp_deep_begin_anew(d, s);
	if (d->state != LAPSMP_DEEP_OFF)
		lapsmp_deep_look(d, s);
	switch (d->state) {
	case LAPSMP_DEEP_OFF:
		lapsmp_deep_wait(d, s, silent_ns);
		break;
	case LAPSMP_DEEP_ON:
		lapsmp_deep_begin_test(d, s);
		break;
	case LAPSMP_DEEP_TEST:
		lapsmp_deep_end_test(d, s);
		break;
	}
	return d->state;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_deep_update);
