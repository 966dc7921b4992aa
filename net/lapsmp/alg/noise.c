// SPDX-License-Identifier: GPL-2.0
/*
 * What delays to a host waver by without a queue.
 *
 * Something near the sender or the receiver (a hypervisor, a radio, a busy CPU) may hold packets
 * back, and with them those behind: of packets that follow each other closely all take nearly as
 * long as the slowest. That is above the margin, without any queue, and does not come back to the
 * base while much is sent. Under load it looks as a queue does in which others stand. So it is
 * measured while those do not send who look at the same tick (drain.c), by one small probe after
 * another:
 *
 *	span = rtt 32 2^more, rounded up to a power of two from 2^18 to 2^23 ns
 *	lo, hi = least and second most of those sent from 1/4 to 7/16 of span
 *	less than 4:				not known
 *	hi - base <= the least margin, 3 us:	0
 *	lo - base > hi - lo:			a queue, not known
 *	likewise / 2, of less than 7:		perhaps one, not known
 *	mean - base > 2.5 (hi - mean), of 24:	a queue with gaps, not known; mean of all but most
 *	after a queue, less than 24:		not known; if it can, it takes longer next tick
 *	else:					1.5 min(hi - base, 10 ms)
 *
 * The first quarter is for what is still in queues. In the second half those whose ways are
 * half as long send again: they must not be taken for noise, since who is allowed the longer
 * queue has all of a link. For the same reason what is less than a margin is none: of 64 senders
 * to one whose probes met each other, one had found 3.5 us and got eleven times its part.
 *
 * The second most, since the most may be an event (a frozen guest), but not the mean: what follows
 * a slow one closely takes as long. And half as much again, since the most of some is less
 * than that of many. If there is noise, 16 are wanted: what was found is believed, and looked for
 * again at the next ticks, up to three times, twice as long each time.
 *
 * What lies above the base by more than it wavers by is a queue. Normally distributed noise does,
 * too, of some samples: the base is the least of thousands, three deviations below the mean, and
 * the least of 4 is one. Of 7 and more, noise was above by up to 1.3 of what it wavered by, and
 * mostly less than 1; others' queue, on the Rail of 64, by 1.15 and more; of 4 to 6 both were by
 * anything. So less is believed of those, and after a queue it is looked for at ticks four times
 * as long, and not any more after one at 2^31 ns, but of those at ticks twice as long: by half
 * of what it wavers by, of any number, nine of 24 flows of 400 MB with noise of 40 +- 12 us had
 * less than a third of the link, one of them for ten seconds, and none has now. Who looks alone
 * finds the others: of 63 senders on that Rail six did, and saw that it was a queue.
 *
 * TCP's queue has gaps, when a window's packets are late, or all have lost some: now and then
 * a probe meets nothing, and the others what the buffer holds. Whoever takes that for noise fills
 * the buffer himself: of four flows beside four of Cubic's all found 16 us where the buffer has 12,
 * the Cubics waited for their timeouts, and one of the four had everything, for as long as it
 * was known. So the mean has to be well below the most. Of such queues' samples, 15 and 31, it was
 * 2.9 to 5.3 times as far from the base as from the most; normally distributed ones, of which the
 * base is 3.4 deviations away, have 2.3 of 16 and 1.8 of 31. Of few it cannot be told, so where
 * there was a queue before it takes longer. And what is found there is measured at the next ticks
 * again, twice at least, also by those who have all they want, since TCP would be gone by then. If
 * that tells of none, or the last of it of nothing, it is forgotten.
 *
 * No such test is sure: of 33 samples, one look met a sawtooth's rise from 1 to 12 us, which is
 * what even noise looks like. So it is asked what believing it does (trial.c): where more is lost
 * since, it was others' queue, and is forgotten at once.
 *
 * When it is looked for: nobody needs to know it whose delays are below the margin, or who has
 * what his fastest link carries. Who has less than half of that, with three of eight ACKs above
 * the margin, looks at the next tick of 16.8 ms of the receiver's clock; at those from 67 ms on
 * who has less than 7/8, with one of eight. What counts is since the last tick; who has heard
 * none for longer than two of the shortest ones was idle, and waits for the next. It is known for
 * 30 s then; where there is some it is measured each time that bases are. Nobody stops for more
 * than an eighth of a tick, or 8.4 ms: longer ways than 262 us, those of longer queues, and those
 * that lead to a host beside one of more than 4 ms have what jitter.c tells.
 *
 * This file knows no clock and no path.
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "arith.h"
#include "noise.h"

/* More is an event, not noise (alg/jitter.c). */
#define LAPSMP_NOISE_MAX_NS		(10ULL * 1000 * 1000)
/* How long it takes, in round trips; and at least and at most, powers of two. */
#define LAPSMP_NOISE_RTTS		32
#define LAPSMP_NOISE_SPAN_MIN_NS	BIT_ULL(18)
#define LAPSMP_NOISE_SPAN_MAX_NS	BIT_ULL(23)
/* The part of a tick that it may take: an eighth. */
#define LAPSMP_NOISE_PART_SHIFT		3
/* The longest ticks; longer ones are drain.c's. */
#define LAPSMP_NOISE_SHIFT_MAX		31
/* At ticks so long, more of them look for it: 67 ms. */
#define LAPSMP_NOISE_SHIFT_LONG		26
/* By how many bits they are longer after one that told nothing, and after one of some samples. */
#define LAPSMP_NOISE_BACKOFF		2
#define LAPSMP_NOISE_BACKOFF_SOME	1
/* Who has not heard a tick for so long was idle, and what has come meanwhile is no rate. */
#define LAPSMP_NOISE_BUSY_NS		BIT_ULL(LAPSMP_NOISE_SHIFT_MIN + 1)
/* ACKs since the last tick: who has heard of fewer is not busy. */
#define LAPSMP_NOISE_HEARD		8
/* Of eight of them, so many above the margin at least, at short ticks and at longer ones. */
#define LAPSMP_NOISE_FULL		3
#define LAPSMP_NOISE_FULL_LONG		1
/* And less than so many eighths of the link. */
#define LAPSMP_NOISE_RATE		4
#define LAPSMP_NOISE_RATE_LONG		7
/* A margin that is set to less does not make probes that meet each other noise. */
#define LAPSMP_NOISE_LEAST_NS		3000
/* That it is known is believed for so long. */
#define LAPSMP_NOISE_AGE_NS		(30ULL * NSEC_PER_SEC)
/* Up to so many sixteenths of the span: clocks are not the same to the microsecond. */
#define LAPSMP_NOISE_LAST		7
/* So few samples say nothing, and so many are enough. */
#define LAPSMP_NOISE_FEW		4
/* Of fewer, a queue may be noise, and noise a queue. */
#define LAPSMP_NOISE_SOME		7
#define LAPSMP_NOISE_MANY		16
#define LAPSMP_NOISE_MORE_MAX		3
/* Of a queue the mean is more than so many halves as far from the base as from the most. */
#define LAPSMP_NOISE_GAP_HALVES		5
#define LAPSMP_NOISE_GAP_N		24
/* What is found is put to the test if it is so many times what was believed before, or more. */
#define LAPSMP_NOISE_TRIAL_TIMES	2
/* After a queue: so often it is to be measured. */
#define LAPSMP_NOISE_DOUBT		3

void lapsmp_noise_heard(struct lapsmp_noise *z, u32 bytes, bool full)
{
	z->heard = min_t(u32, z->heard + 1, U16_MAX);
	z->full = min_t(u32, z->full + full, U16_MAX);
	z->bytes += bytes;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_heard);

/* Too little of what its fastest link carries, though it is too much for its paths. */
static bool lapsmp_noise_needs(const struct lapsmp_noise *z, u8 shift, u64 rate, u64 now_ns)
{
	u64 for_ns = now_ns - z->since_ns, part = LAPSMP_NOISE_RATE;
	u32 full = LAPSMP_NOISE_FULL;

	if (!z->since_ns || for_ns > LAPSMP_NOISE_BUSY_NS || z->heard < LAPSMP_NOISE_HEARD)
		return false;
	if (shift >= LAPSMP_NOISE_SHIFT_LONG) {
		part = LAPSMP_NOISE_RATE_LONG;
		full = LAPSMP_NOISE_FULL_LONG;
	}
	return z->bytes < lapsmp_arith_muldiv(rate, for_ns, NSEC_PER_SEC) / 8 * part &&
	       8 * z->full >= full * z->heard;
}

/* It was found after a queue was, and not often enough yet. */
static bool lapsmp_noise_is_doubted(const struct lapsmp_noise *z)
{
	return z->ns && z->doubt;
}

/* It is known no more. */
static void lapsmp_noise_age(struct lapsmp_noise *z, u64 now_ns)
{
	if (!z->known || (s64)(now_ns - z->at_ns) < (s64)LAPSMP_NOISE_AGE_NS)
		return;
	z->known = false;
	z->shift = 0;
}

bool lapsmp_noise_wants(struct lapsmp_noise *z, u8 shift, u64 rate, u64 now_ns)
{
	bool wants;

	lapsmp_noise_age(z, now_ns);
	wants = !z->known && (lapsmp_noise_is_doubted(z) ||
			      (shift >= max_t(u8, z->shift, LAPSMP_NOISE_SHIFT_MIN) &&
			       lapsmp_noise_needs(z, shift, rate, now_ns)));
	lapsmp_trial_tick(&z->trial);
	z->since_ns = max_t(u64, now_ns, 1);
	z->bytes = 0;
	z->heard = 0;
	z->full = 0;
	return wants;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_wants);

static u64 lapsmp_noise_span_ns(const struct lapsmp_noise *z, u64 rtt_ns)
{
	u64 span_ns;

	rtt_ns = clamp_t(u64, rtt_ns, 1, LAPSMP_NOISE_SPAN_MAX_NS);
	span_ns = max_t(u64, roundup_pow_of_two(LAPSMP_NOISE_RTTS * rtt_ns),
			LAPSMP_NOISE_SPAN_MIN_NS);
	return min(span_ns << z->more, LAPSMP_NOISE_SPAN_MAX_NS);
}

/* The part of a tick that may be taken. */
static u64 lapsmp_noise_part_ns(u8 shift)
{
	return min(BIT_ULL(shift - LAPSMP_NOISE_PART_SHIFT), LAPSMP_NOISE_SPAN_MAX_NS);
}

u64 lapsmp_noise_plan_ns(const struct lapsmp_noise *z, u64 rtt_ns, u64 for_ns, u8 shift)
{
	u64 span_ns = lapsmp_noise_span_ns(z, rtt_ns), part_ns = lapsmp_noise_part_ns(shift);

	if (rtt_ns > LAPSMP_NOISE_SPAN_MAX_NS / LAPSMP_NOISE_RTTS)
		return 0;
	return span_ns <= part_ns && for_ns <= part_ns ? span_ns : 0;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_plan_ns);

void lapsmp_noise_begin(struct lapsmp_noise *z, u64 begin_ns)
{
	WRITE_ONCE(z->begin_ns, begin_ns);
	WRITE_ONCE(z->span_ns, 0);
	z->n = 0;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_begin);

void lapsmp_noise_anew(struct lapsmp_noise *z)
{
	z->n = 0;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_anew);

bool lapsmp_noise_go_on(struct lapsmp_noise *z, u64 rtt_ns, u8 shift)
{
	u64 span_ns = lapsmp_noise_span_ns(z, rtt_ns);

	if (span_ns > lapsmp_noise_part_ns(shift))
		return false;
	WRITE_ONCE(z->span_ns, span_ns);
	return true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_go_on);

bool lapsmp_noise_asks(const struct lapsmp_noise *z, u64 now_ns)
{
	return now_ns < READ_ONCE(z->begin_ns) + READ_ONCE(z->span_ns) / 16 * LAPSMP_NOISE_LAST;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_asks);

bool lapsmp_noise_is_early(const struct lapsmp_noise *z, u64 now_ns)
{
	return now_ns < z->begin_ns + z->span_ns / 4;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_is_early);

/* a - b, or the nearest that fits, if a >= b: garbage in must not be undefined behaviour. */
static u64 lapsmp_noise_diff(s64 a, s64 b)
{
	return a > b ? (u64)a - (u64)b : 0;
}

/* So that the sum of all fits. */
static u64 lapsmp_noise_above(s64 raw_ns, s64 base_ns)
{
	return min_t(u64, lapsmp_noise_diff(raw_ns, base_ns), NSEC_PER_SEC);
}

void lapsmp_noise_sample(struct lapsmp_noise *z, s64 raw_ns, s64 base_ns, u64 sent_ns)
{
	if (lapsmp_noise_is_early(z, sent_ns) || !lapsmp_noise_asks(z, sent_ns))
		return;
	z->base_ns = base_ns;
	z->sum_ns = (z->n ? z->sum_ns : 0) +
		    lapsmp_noise_above(raw_ns, base_ns);
	z->lo_ns = z->n ? min(z->lo_ns, raw_ns) : raw_ns;
	z->hi_ns = z->n ? clamp(raw_ns, z->hi_ns, z->most_ns) : S64_MIN;
	z->most_ns = z->n ? max(z->most_ns, raw_ns) : raw_ns;
	z->n = min_t(u32, z->n + 1, U16_MAX);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_sample);

/* After a queue a gap in one has to be told from noise. */
static u16 lapsmp_noise_enough(const struct lapsmp_noise *z)
{
	return z->doubt ? LAPSMP_NOISE_GAP_N : LAPSMP_NOISE_MANY;
}

/*
 * Of more samples it may be known. Of none something was in the way: if it is known how long it
 * takes, that may be that longer paths were waited for.
 */
static void lapsmp_noise_again(struct lapsmp_noise *z)
{
	if (z->span_ns && z->n < lapsmp_noise_enough(z))
		z->more = min(z->more + 1, LAPSMP_NOISE_MORE_MAX);
}

/* In a queue, or where something is always under way, not before long; or not at all. */
static void lapsmp_noise_later(struct lapsmp_noise *z, u64 now_ns)
{
	u8 more = z->n && z->n < LAPSMP_NOISE_SOME ? LAPSMP_NOISE_BACKOFF_SOME :
						     LAPSMP_NOISE_BACKOFF;

	if (z->shift == LAPSMP_NOISE_SHIFT_MAX) {
		z->known = true;
		z->at_ns = now_ns;
	}
	z->shift = min_t(u8, max_t(u8, z->shift, LAPSMP_NOISE_SHIFT_MIN) + more,
			 LAPSMP_NOISE_SHIFT_MAX);
}

/* More was lost since it is believed: it was others' queue. */
static void lapsmp_noise_refuted(struct lapsmp_noise *z, u64 now_ns)
{
	z->ns = 0;
	z->known = false;
	z->doubt = LAPSMP_NOISE_DOUBT;
	lapsmp_noise_later(z, now_ns);
}

void lapsmp_noise_lost(struct lapsmp_noise *z, bool lost, u64 now_ns)
{
	/* Another look may have found that there is none. */
	if (lapsmp_trial_heard(&z->trial, lost) && z->ns)
		lapsmp_noise_refuted(z, now_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_lost);

/* Is the mean of many, but the most, too near to the second most? */
static bool lapsmp_noise_has_gap(const struct lapsmp_noise *z)
{
	u64 hi_ns = lapsmp_noise_above(z->hi_ns, z->base_ns), mean_ns;
	/* Not less than nothing, if the base has changed meanwhile. */
	u64 most_ns = min(lapsmp_noise_above(z->most_ns, z->base_ns), z->sum_ns);

	if (z->n < LAPSMP_NOISE_GAP_N)
		return false;
	mean_ns = div_u64(z->sum_ns - most_ns, z->n - 1);
	return 2 * mean_ns > LAPSMP_NOISE_GAP_HALVES * (hi_ns - min(hi_ns, mean_ns));
}

/* Does what is above the base not waver enough for noise? */
static bool lapsmp_noise_is_queue(const struct lapsmp_noise *z, u64 above_ns, u64 range_ns)
{
	return above_ns > (z->n < LAPSMP_NOISE_SOME ? range_ns / 2 : range_ns) ||
	       lapsmp_noise_has_gap(z);
}

/* Where there was a queue some samples are too few, and there can be more. */
static bool lapsmp_noise_is_few(const struct lapsmp_noise *z)
{
	return z->doubt && z->n < LAPSMP_NOISE_GAP_N && z->more < LAPSMP_NOISE_MORE_MAX;
}

/* There was a queue, or something in the way. */
static void lapsmp_noise_unknown(struct lapsmp_noise *z, u64 now_ns)
{
	bool doubted = lapsmp_noise_is_doubted(z);

	lapsmp_noise_again(z);
	if (doubted && --z->doubt)
		return;
	if (doubted)
		z->ns = 0;
	if (doubted || (!z->ns && z->n >= LAPSMP_NOISE_SOME))
		z->doubt = LAPSMP_NOISE_DOUBT;
	lapsmp_noise_later(z, now_ns);
}

static void lapsmp_noise_none(struct lapsmp_noise *z)
{
	z->known = true;
	z->more = 0;
	z->doubt = 0;
}

/* Is it believed? Else it is measured again. */
static void lapsmp_noise_found(struct lapsmp_noise *z)
{
	z->known = !z->doubt && (z->n >= LAPSMP_NOISE_MANY || z->more == LAPSMP_NOISE_MORE_MAX);
	if (z->known)
		return;
	lapsmp_noise_again(z);
	if (z->doubt)
		z->doubt--;
}

void lapsmp_noise_end(struct lapsmp_noise *z, u64 least_ns, u64 now_ns)
{
	u64 above_ns = lapsmp_noise_diff(z->lo_ns, z->base_ns);
	u64 range_ns = lapsmp_noise_diff(z->hi_ns, z->lo_ns);
	u64 most_ns = lapsmp_noise_diff(z->hi_ns, z->base_ns), was_ns;

	least_ns = max_t(u64, least_ns, LAPSMP_NOISE_LEAST_NS);
	if (!z->span_ns || z->n < LAPSMP_NOISE_FEW ||
	    (most_ns > least_ns && lapsmp_noise_is_queue(z, above_ns, range_ns))) {
		lapsmp_noise_unknown(z, now_ns);
		return;
	}
	if (most_ns > least_ns && lapsmp_noise_is_few(z)) {
		z->shift = 0;
		lapsmp_noise_again(z);
		return;
	}
	was_ns = z->ns;
	z->ns = most_ns <= least_ns ? 0 : min(most_ns, LAPSMP_NOISE_MAX_NS) * 3 / 2;
	if (z->ns > LAPSMP_NOISE_TRIAL_TIMES * was_ns)
		lapsmp_trial_begin(&z->trial);
	z->at_ns = now_ns;
	if (!z->ns)
		lapsmp_noise_none(z);
	else
		lapsmp_noise_found(z);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_noise_end);
