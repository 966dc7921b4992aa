// SPDX-License-Identifier: GPL-2.0
/*
 * Room that is none: of queues that swing.
 *
 * Where two hosts send to each other and nothing passes the data, acknowledgments stand behind
 * it. What either has under way is in the one queue, or in the other, and so each is empty half
 * of the time, at any window. Room is taken up faster than a queue of the same length is yielded
 * to, as it should be where it comes from others who have left; here windows grow by it until
 * something is lost. So it counts only who meets no long queues on the average:
 *
 *	o = min(max(over, 0) / T, 4), the way back's without a margin
 *	average += (o - average) min(max(share / 16, 1 / 512), 1 / 16)
 *	both averages > 1:	room is none
 *
 * with share the part of the window that was acknowledged: of sixteen round trips, since a swing
 * takes two or three of them, however small the window is. T is that of the longest path: what a
 * scheduler lets queues differ by depends on it, and the short ones' acknowledgments are many.
 *
 * A queue there alone is that of many that begin together, or of others, and one on the way back
 * alone is none of ours.
 *
 * Flows of this kind rest at an over below T, of whatever number they are (step.c), and a
 * buffer that holds more than two T is a deep one: at 100 Gbit/s there is none.
 *
 * Reference: L. Zhang, S. Shenker, D. Clark, "Observations on the dynamics of a congestion
 * control algorithm: the effects of two-way traffic", SIGCOMM 1991. This file does not know
 * what a window is.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "arith.h"
#include "swing.h"

/* 16 fractional bits, in T: where an average is long, and the most that one counts. */
#define LAPSMP_SWING_LONG_Q16	BIT(16)
#define LAPSMP_SWING_MAX_Q16	(4 * BIT(16))
/* What an acknowledgment is of the average: a sixteenth of its share, within these. */
#define LAPSMP_SWING_RTTS_SHIFT	4
#define LAPSMP_SWING_LEAST_Q16	(BIT(16) / 512)
#define LAPSMP_SWING_MOST_Q16	(BIT(16) / 16)

static void lapsmp_swing_average(u32 *average_q16, u64 queue_ns, u64 T_ns, u32 part_q16)
{
	u64 queue_q16 = queue_ns ? lapsmp_arith_muldiv(queue_ns, BIT(16), T_ns) : 0;
	s64 off_q16 = (s64)min_t(u64, queue_q16, LAPSMP_SWING_MAX_Q16) - *average_q16;

	*average_q16 += (off_q16 * part_q16) >> 16;
}

void lapsmp_swing_update(struct lapsmp_swing *sw, s64 over_ns, u64 back_ns, s64 T_ns,
			 u64 share_q16)
{
	u32 part_q16 = clamp_t(u64, share_q16 >> LAPSMP_SWING_RTTS_SHIFT, LAPSMP_SWING_LEAST_Q16,
			       LAPSMP_SWING_MOST_Q16);

	T_ns = max_t(s64, T_ns, 1);
	lapsmp_swing_average(&sw->there_q16, max_t(s64, over_ns, 0), T_ns, part_q16);
	lapsmp_swing_average(&sw->back_q16, back_ns, T_ns, part_q16);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_swing_update);

bool lapsmp_swing_is_long(const struct lapsmp_swing *sw)
{
	return min(sw->there_q16, sw->back_q16) > LAPSMP_SWING_LONG_Q16;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_swing_is_long);
