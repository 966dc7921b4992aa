// SPDX-License-Identifier: GPL-2.0
/*
 * What one acknowledgment does to a window, by the queue on the path that it came by.
 *
 * With base_i the path's empty delay, margin_i the queue that it may have, T_i = base_i +
 * margin_i and over_i = owd_i - T_i, n segments acknowledged on path i do to the window
 *
 *	o = over_i / rtt_i, rtt_i = T_i + over_i and the empty way back, half_i = margin_i / 2,
 *	E_i = min(max(2 margin_i, T_i / 64), T_i)
 *	over_i <= 0:	cwnd += n (0.2 min(-over_i, T_i) / T_i + 0.375 / cwnd)
 *			cwnd += n (-over_i - half_i) / (16 half_i), if that is more than 0
 *	over_i > 0:	cwnd += n 0.375 / cwnd max(1 - over_i / E_i, 0)
 *			cwnd -= n 0.125 o
 *
 * Beside others that do not yield (stand.c) the additive part is 1 segment instead of 0.375,
 * and ends at T_i instead of E_i.
 *
 * Why not the paper's halving: over_i says how far the queue is off, and a
 * decrease in proportion to it ends where the queue is right, without swinging
 * around it. The increase is in proportion to what is missing.
 *
 * Why the room counts twice: it is at most the margin. Of a path of 500 us that is a
 * seventieth of T, and in proportion to that alone such a path, whose slow start ended
 * early because another one was full, was not full again for a hundred round trips. In
 * proportion to the margin alone up to a full queue, the increase of one round trip would
 * be more than the margin is wherever there is room; so that begins where half of it is
 * empty, and is at most a sixteenth of the window. On long paths that is still more than
 * the margin: buffers have to hold a sixteenth of a round trip, once.
 *
 * Why the additive part does not end at the margin: the others are in proportion
 * to the window, and leave the flows' windows in the proportion that they have. Who meets
 * a queue that is a little above its margin for most of the time would get none of an
 * increase that is only for those below: of fifteen flows to one host, three whose only path
 * was shared by all others fell to a hundredth of the rate of the first. This way there is
 * one rest for each flow, at
 *
 *	cwnd / rtt_i = 3 (1 - over_i / E_i) / over_i
 *
 * from one segment on, the same rate for all who have the same margin_i and queue, however
 * long their ways are: over the root of the window it would be in proportion to rtt_i. (With
 * over_i / (T_i + over_i) for o hosts near the receiver had 1.2 times the part of those twice
 * as far.) And the longer that queue is, the less depends on a packet or two that somebody
 * else's way has at another switch. It costs queue: over_i is a fifth of the round trip
 * where each has 16 segments, and at most two margins where each has hardly any: at most
 * T_i, it was 110 KB of 150 in front of a host that 107 others sent to, and 7 % of what they
 * sent was lost. Nor less than a 64th of T_i, where somebody allows hardly a margin, or the
 * path is so long that others' queues are many of its margins: buffers of long paths have to
 * hold that for as long as many flows share them. Windows of more than 24576 segments are
 * above what the fraction can add for one segment acknowledged. With 0.1 segments per round
 * trip, two flows differed by less than a packet's worth of queue when one had half as much
 * again as the other, and stayed so.
 *
 * Reference: the proportional decrease is that of delay based controls since TCP Vegas;
 * which queue counts is LAPS section III-F's, by each path instead of the longest. This
 * file remembers nothing.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "../compat.h"
#include "step.h"

/*
 * Three eighths of a segment per round trip: the additive increase. Half a segment at most
 * at once, where there is less than one per round trip: with three eighths a crowd is a little
 * more equal, but a window that a round trip thousands of times as long has left takes two more
 * of those.
 */
#define LAPSMP_STEP_INC		(3 * LAPSMP_SEG_Q16 / 8)
#define LAPSMP_STEP_INC_MAX	(LAPSMP_SEG_Q16 / 2)
/* The same beside others that do not yield: what TCP adds. */
#define LAPSMP_STEP_INC_STAND	LAPSMP_SEG_Q16
/* Margins above the first one, where the additive part ends; and 1 / 64 of T at least. */
#define LAPSMP_STEP_INC_MARGINS	2
#define LAPSMP_STEP_INC_T_SHIFT	6
/*
 * 16 fractional bits, per segment: an eighth of the excess, 0.2 of the room, and 1/16
 * of what is empty of its margin's first half. A delay is a round trip old, and the first
 * two stay far below what would swing at that.
 */
#define LAPSMP_STEP_CUT_GAIN	8192
#define LAPSMP_STEP_ROOM_GAIN	13107
#define LAPSMP_STEP_CALM_GAIN	4096

s64 lapsmp_step_over(const struct lapsmp_ack_sample *s)
{
	/* Without a T there is no delay to judge by, only losses. */
	if (s->here_T_ns <= 0)
		return -S64_MAX;
	/* Both are far from where the difference would not fit. */
	return max(s->owd_ns, -S64_MAX / 2) - min(s->here_T_ns, S64_MAX / 2);
}

/* @gain times @ns / @of_ns of @n_q16, at most @gain. */
static u64 lapsmp_step_part(u64 n_q16, u32 gain, u64 ns, u64 of_ns)
{
	u64 part = min_t(u64, lapsmp_arith_muldiv(ns, gain, of_ns), gain);

	return mul_u64_u64_shr(n_q16, part, 16);
}

/* Above the margin, where the additive part ends. */
static u64 lapsmp_step_end(const struct lapsmp_ack_sample *s, bool stands)
{
	u64 margin_ns = max_t(s64, s->here_margin_ns, 1);
	u64 T_ns = max_t(s64, s->here_T_ns, 1);

	if (stands)
		return T_ns;
	return min(max(LAPSMP_STEP_INC_MARGINS * margin_ns,
		       T_ns >> LAPSMP_STEP_INC_T_SHIFT), T_ns);
}

u64 lapsmp_step_add(u64 cwnd_q16, const struct lapsmp_ack_sample *s, u64 over_ns, bool stands)
{
	u32 inc = stands ? LAPSMP_STEP_INC_STAND : LAPSMP_STEP_INC;
	u64 end_ns = lapsmp_step_end(s, stands);
	u64 add = lapsmp_arith_muldiv(min_t(u32, s->acked_segs, LAPSMP_STEP_SEGS_MAX) *
				      LAPSMP_SEG_Q16, inc, cwnd_q16);

	add = min_t(u64, add, LAPSMP_STEP_INC_MAX);
	return over_ns < end_ns ? lapsmp_arith_muldiv(add, end_ns - over_ns, end_ns) : 0;
}

u64 lapsmp_step_up(u64 cwnd_q16, const struct lapsmp_ack_sample *s, s64 over_ns, bool stands)
{
	u64 acked = lapsmp_step_share(s->acked_segs, cwnd_q16);
	s64 half_ns = max_t(s64, s->here_margin_ns / 2, 1);
	u64 up = lapsmp_step_add(cwnd_q16, s, 0, stands) +
		 lapsmp_step_part(acked, LAPSMP_STEP_ROOM_GAIN, -over_ns,
				  max_t(s64, s->here_T_ns, 1));

	if (-over_ns > half_ns)
		up += lapsmp_step_part(acked, LAPSMP_STEP_CALM_GAIN, -over_ns - half_ns,
				       half_ns);
	return up;
}

/*
 * What a packet that meets such a queue takes, and an answer that meets none; not 0. Not the
 * smoothed one: where a path is heard of once in a hundred round trips that is of long ago.
 */
static u64 lapsmp_step_rtt(const struct lapsmp_ack_sample *s, u64 over_ns)
{
	s64 T_ns = max_t(s64, s->here_T_ns, 1);
	u64 base_ns = T_ns - clamp_t(s64, s->here_margin_ns, 0, T_ns);
	u64 pipe_ns = min_t(u64, s->here_pipe_ns, S64_MAX);
	u64 back_ns = pipe_ns > base_ns ? pipe_ns - base_ns : 0;

	return min_t(u64, (u64)T_ns + back_ns, S64_MAX) + over_ns;
}

u64 lapsmp_step_cut(u64 cwnd_q16, const struct lapsmp_ack_sample *s, u64 over_ns)
{
	u64 cut = lapsmp_step_part(lapsmp_step_share(s->acked_segs, cwnd_q16),
				   LAPSMP_STEP_CUT_GAIN, over_ns, lapsmp_step_rtt(s, over_ns));

	return min(cut, cwnd_q16 / 2);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_step_cut);
