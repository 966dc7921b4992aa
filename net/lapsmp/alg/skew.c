// SPDX-License-Identifier: GPL-2.0
/*
 * How fast the peer's clock runs away from ours, from the delays of one path.
 *
 *	raw = delay there + offset(t)		rtt = delay there + delay back
 *	y   = raw - rtt = offset(t) - delay back
 *
 * The way there, where the data queues, cancels. The way back has only ACKs, and
 * a queue there makes y smaller, so the largest y of an interval is the one
 * nearest to the offset. The skew is the slope of these:
 *
 *	y |                                o
 *	  |                     o    o
 *	  |          o     .                      o: kept, one per interval
 *	  |    o           o <- outlier: queue on the way back
 *	  '-----------------------------------> t
 *
 * Of all pairs' slopes the quartiles are taken (after Theil and Sen: a quarter
 * of the points may be wrong), and the estimate is moved only as far as it takes
 * to lie between them. So it stays 0 while noise may be all there is, and holds
 * when the samples get worse.
 *
 * Where the peer sends data, too, its queue is never empty, and grows and shrinks for
 * longer than an interval, which was taken for a drift of 1000 ppm. What a sample's way back
 * may have been longer by is known, from its round trip and its delay there. So each slope is a
 * range, from the earlier point's queue being all of it to the later one's, and what is taken is
 * the lower quartile of their lower ends and the upper one of the others. Who only receives has
 * points whose queue is 0, and ranges that are slopes. Where ranges are wider than any clock's
 * drift, the estimate goes back to 0 as far as it lies in them.
 *
 * Intervals are short at first and double each time the points are full, up to a
 * few seconds in all: the noise of a point stays the same, and its effect on a
 * slope falls with the distance.
 *
 * Reference: V. Paxson, "On calibrating measurements of packet transit times",
 * 1998, for the need of robust estimates; the rest is our own. This file reads
 * no clock and does not know the offset.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "../compat.h"
#include "arith.h"
#include "skew.h"

/* First interval; LAPSMP_SKEW_MIN_POINTS of them fit in 100 ms twice. */
#define LAPSMP_SKEW_INT_MIN_NS	(8ULL * 1000 * 1000)
/* Last interval; all points span 8 times it, over which a clock is steady. */
#define LAPSMP_SKEW_INT_MAX_NS	(512ULL * 1000 * 1000)
/* Fewer points say nothing: with 6, 4 of 15 slopes may be on each side. */
#define LAPSMP_SKEW_MIN_POINTS	6
#define LAPSMP_SKEW_PAIRS \
	(LAPSMP_SKEW_POINTS * (LAPSMP_SKEW_POINTS - 1) / 2)
/* An anchor that was silent for this long is replaced. */
#define LAPSMP_SKEW_SILENT_NS	(1000ULL * 1000 * 1000)
/* A round trip this far above the smallest was stuck in a host: no sample. */
#define LAPSMP_SKEW_STUCK_NS	(20ULL * 1000 * 1000)
/*
 * Ranges that differ by more than clocks do say nothing. What was learned before fades by an
 * eighth each time, since it may have been learned when nobody knew how short the way back is.
 */
#define LAPSMP_SKEW_WIDE_PPB	(200 * 1000)
#define LAPSMP_SKEW_FORGET_PART	8
/* y so far from where it should be that a clock was set or the way changed, */
#define LAPSMP_SKEW_STEP_NS	(500 * 1000)
/* and as many intervals in a row, since one may have met a long queue. */
#define LAPSMP_SKEW_STEPS	3
/* The correction's integral is rounded this seldom, not at each packet. */
#define LAPSMP_SKEW_FOLD_NS	(100ULL * 1000 * 1000)

/* @ppb of @dt_ns; wide, since a flow may have slept for days. */
static s64 lapsmp_skew_drift(s64 ppb, u64 dt_ns)
{
	u64 ns = lapsmp_arith_muldiv(ppb < 0 ? -ppb : ppb, dt_ns, NSEC_PER_SEC);

	ns = min_t(u64, ns, S64_MAX);
	return ppb < 0 ? -(s64)ns : (s64)ns;
}

s64 lapsmp_skew_corrected(const struct lapsmp_skew *s, u64 now_ns)
{
	s64 drift_ns = 0;

	if (s->corr_at_ns && now_ns > s->corr_at_ns)
		drift_ns = lapsmp_skew_drift(s->ppb, now_ns - s->corr_at_ns);
	return (s64)((u64)s->corr_ns + (u64)drift_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_skew_corrected);

s64 lapsmp_skew_correct(struct lapsmp_skew *s, s64 raw_ns, u64 now_ns)
{
	s64 drift_ns;
	u64 dt_ns;

	if (!s->corr_at_ns || now_ns < s->corr_at_ns)
		s->corr_at_ns = now_ns;
	dt_ns = now_ns - s->corr_at_ns;
	drift_ns = lapsmp_skew_drift(s->ppb, dt_ns);
	if (dt_ns >= LAPSMP_SKEW_FOLD_NS) {
		s->corr_ns = (s64)((u64)s->corr_ns + (u64)drift_ns);
		s->corr_at_ns = now_ns;
		drift_ns = 0;
	}
	return (s64)((u64)raw_ns - (u64)s->corr_ns - (u64)drift_ns);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_skew_correct);

/*
 * A new estimate holds from now on. What the old one has corrected so far is
 * folded in first, or all the time since the last fold would be reinterpreted
 * and the delays would jump.
 */
static void lapsmp_skew_set(struct lapsmp_skew *s, s64 ppb, u64 now_ns)
{
	s64 drift_ns;

	ppb = clamp_t(s64, ppb, -LAPSMP_SKEW_MAX_PPB, LAPSMP_SKEW_MAX_PPB);
	if (ppb == s->ppb)
		return;
	if (s->corr_at_ns && now_ns > s->corr_at_ns) {
		drift_ns = lapsmp_skew_drift(s->ppb, now_ns - s->corr_at_ns);
		s->corr_ns = (s64)((u64)s->corr_ns + (u64)drift_ns);
	}
	s->corr_at_ns = now_ns;
	s->ppb = ppb;
}

/* @dy_ns in @dt_ns, in ppb, clamped to twice what is possible. */
static s32 lapsmp_skew_slope(s64 dy_ns, u64 dt_ns)
{
	u64 slope = lapsmp_arith_muldiv(dy_ns < 0 ? -(u64)dy_ns : (u64)dy_ns,
					NSEC_PER_SEC, dt_ns);

	slope = min_t(u64, slope, 2 * LAPSMP_SKEW_MAX_PPB);
	return dy_ns < 0 ? -(s32)slope : (s32)slope;
}

/* Into @slope, which has @n, in ascending order. */
static void lapsmp_skew_insert(s32 *slope, unsigned int n, s32 new)
{
	for (; n > 0 && slope[n - 1] > new; n--)
		slope[n] = slope[n - 1];
	slope[n] = new;
}

/* The ends of all pairs' slopes, each in ascending order. Return: how many pairs. */
static unsigned int lapsmp_skew_slopes(const struct lapsmp_skew *s, s32 *low, s32 *high)
{
	const struct lapsmp_skew_point *a, *b;
	unsigned int n = 0, i, j;
	s64 dy;

	for (i = 0; i < s->n_points; i++) {
		for (j = i + 1; j < s->n_points; j++, n++) {
			a = &s->point[i];
			b = &s->point[j];
			dy = (s64)((u64)b->y_ns - (u64)a->y_ns);
			lapsmp_skew_insert(low, n,
					   lapsmp_skew_slope((s64)((u64)dy - a->back_ns),
							     b->at_ns - a->at_ns));
			lapsmp_skew_insert(high, n,
					   lapsmp_skew_slope((s64)((u64)dy + b->back_ns),
							     b->at_ns - a->at_ns));
		}
	}
	return n;
}

static void lapsmp_skew_estimate(struct lapsmp_skew *s, u64 now_ns)
{
	s32 low[LAPSMP_SKEW_PAIRS], high[LAPSMP_SKEW_PAIRS], least, most;
	s64 ppb = s->ppb;
	unsigned int n;

	if (s->n_points < LAPSMP_SKEW_MIN_POINTS)
		return;
	n = lapsmp_skew_slopes(s, low, high);
	least = low[n / 4];
	/* Garbage may wrap. */
	most = max(high[n - 1 - n / 4], least);
	if (most - least > LAPSMP_SKEW_WIDE_PPB)
		ppb -= ppb / LAPSMP_SKEW_FORGET_PART;
	lapsmp_skew_set(s, clamp_t(s64, ppb, least, most), now_ns);
}

/* @p's distance from the line through @from with the estimated slope. */
static s64 lapsmp_skew_residual(const struct lapsmp_skew *s,
				const struct lapsmp_skew_point *from,
				const struct lapsmp_skew_point *p)
{
	return (s64)((u64)p->y_ns - (u64)from->y_ns -
		     (u64)lapsmp_skew_drift(s->ppb, p->at_ns - from->at_ns));
}

/*
 * Make room at twice the interval: of each two neighbours the one that stands
 * higher over the estimated slope met less of a queue, and stays.
 */
static void lapsmp_skew_thin(struct lapsmp_skew *s)
{
	struct lapsmp_skew_point *p = s->point;
	unsigned int i;

	for (i = 0; i + 1 < s->n_points; i += 2)
		p[i / 2] = lapsmp_skew_residual(s, &p[i], &p[i + 1]) > 0 ?
			   p[i + 1] : p[i];
	s->n_points /= 2;
	s->int_ns *= 2;
}

static void lapsmp_skew_restart(struct lapsmp_skew *s)
{
	s->n_points = 0;
	s->n_steps = 0;
	s->int_ns = LAPSMP_SKEW_INT_MIN_NS;
	s->has_best = false;
}

/* Was y set off, for good? One estimate across a step would be nonsense. */
static bool lapsmp_skew_stepped(struct lapsmp_skew *s)
{
	const struct lapsmp_skew_point *last;
	u64 may_ns;
	s64 off;

	if (!s->n_points)
		return false;
	last = &s->point[s->n_points - 1];
	off = lapsmp_skew_residual(s, last, &s->best);
	/* The estimate itself may be off by all that a clock can be, */
	may_ns = LAPSMP_SKEW_STEP_NS +
		 (u64)lapsmp_skew_drift(LAPSMP_SKEW_MAX_PPB, s->best.at_ns - last->at_ns);
	/* and a queue makes a point lower. */
	may_ns += off < 0 ? s->best.back_ns : last->back_ns;
	if ((off < 0 ? -(u64)off : (u64)off) <= may_ns) {
		s->n_steps = 0;
		return false;
	}
	s->n_steps++;
	return true;
}

/* The interval under way is over: keep its best sample. */
static void lapsmp_skew_close(struct lapsmp_skew *s, u64 now_ns)
{
	s->has_best = false;
	if (lapsmp_skew_stepped(s)) {
		if (s->n_steps >= LAPSMP_SKEW_STEPS)
			lapsmp_skew_restart(s);
		return;
	}
	if (s->n_points == LAPSMP_SKEW_POINTS) {
		if (s->int_ns < LAPSMP_SKEW_INT_MAX_NS) {
			lapsmp_skew_thin(s);
		} else {
			s->n_points--;
			memmove(&s->point[0], &s->point[1],
				s->n_points * sizeof(s->point[0]));
		}
	}
	s->point[s->n_points++] = s->best;
	lapsmp_skew_estimate(s, now_ns);
}

/*
 * May this path be listened to? It becomes the anchor if there is none. Times
 * are compared as signed: samples of several CPUs may be out of order, and one
 * from before the anchor's last does not mean that it was silent for ever.
 */
static bool lapsmp_skew_is_anchor(struct lapsmp_skew *s, u16 path_id, u64 now_ns)
{
	bool alive = s->anchor_at_ns &&
		     (s64)(now_ns - s->anchor_at_ns) <
		     (s64)LAPSMP_SKEW_SILENT_NS;

	if (s->anchor_at_ns && path_id == s->anchor_id)
		return true;
	if (alive)
		return false;
	/* The new one's way back has another length: old points do not fit. */
	s->anchor_id = path_id;
	lapsmp_skew_restart(s);
	return true;
}

void lapsmp_skew_update(struct lapsmp_skew *s, u16 path_id, s64 raw_ns, u64 rtt_ns,
			u64 min_rtt_ns, u64 back_ns, u64 now_ns)
{
	struct lapsmp_skew_point p = {
		.at_ns = now_ns,
		.y_ns = (s64)((u64)raw_ns - rtt_ns),
		/* Longer ones are no samples, below. */
		.back_ns = min_t(u64, back_ns, LAPSMP_SKEW_STUCK_NS),
	};

	if (!lapsmp_skew_is_anchor(s, path_id, now_ns))
		return;
	s->anchor_at_ns = now_ns;
	if (rtt_ns > min_rtt_ns && rtt_ns - min_rtt_ns > LAPSMP_SKEW_STUCK_NS)
		return;

	if (s->has_best && (s64)(now_ns - s->int_start_ns) >= (s64)s->int_ns)
		lapsmp_skew_close(s, now_ns);
	if (!s->has_best) {
		s->int_start_ns = now_ns;
		s->best = p;
		s->has_best = true;
	} else if (lapsmp_skew_residual(s, &s->best, &p) > 0) {
		s->best = p;
	}
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_skew_update);
