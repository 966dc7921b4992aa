/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_SKEW_H
#define _LAPSMP_ALG_SKEW_H

#include <linux/types.h>

/* More than any working oscillator: estimates are clamped to it. */
#define LAPSMP_SKEW_MAX_PPB	1000000

/* Kept samples between which slopes are taken. */
#define LAPSMP_SKEW_POINTS	8

/**
 * struct lapsmp_skew_point - a sample of how the clocks stand
 * @at_ns: when, monotonic
 * @y_ns: raw delay minus round-trip time: clock offset minus the way back
 * @back_ns: the queue that may have been on the way back: by up to so much it is too small
 */
struct lapsmp_skew_point {
	u64	at_ns;
	s64	y_ns;
	u64	back_ns;
};

/**
 * struct lapsmp_skew - how fast the peer's clock runs away from ours
 * @ppb: the estimate, applied; 0 until the samples leave no doubt of its sign
 * @corr_at_ns: up to where @corr_ns was integrated, 0 if never
 * @corr_ns: accumulated correction
 * @point: best samples of past intervals, oldest first
 * @best: best sample of the interval under way, if @has_best
 * @int_start_ns: when that began
 * @int_ns: its length
 * @anchor_at_ns: when the anchor was last heard, 0 if there is none
 * @anchor_id: path that is listened to
 * @n_points: points in use
 * @n_steps: intervals in a row that were off by a step
 * @has_best: the interval under way has a sample
 *
 * One per peer, fed from one path at a time (the anchor). Zeroed when new.
 */
struct lapsmp_skew {
	s64	ppb;
	u64	corr_at_ns;
	s64	corr_ns;
	struct lapsmp_skew_point point[LAPSMP_SKEW_POINTS];
	struct lapsmp_skew_point best;
	u64	int_start_ns;
	u64	int_ns;
	u64	anchor_at_ns;
	u16	anchor_id;
	u8	n_points;
	u8	n_steps;
	bool	has_best;
};

/**
 * lapsmp_skew_correct() - take the drift out of a raw delay
 * @s: the peer's state
 * @raw_ns: unwrapped
 * @now_ns: monotonic, not before the last call's
 *
 * Return: @raw_ns as if the peer's clock ran like ours since the first call.
 */
s64 lapsmp_skew_correct(struct lapsmp_skew *s, s64 raw_ns, u64 now_ns);

/**
 * lapsmp_skew_corrected() - what lapsmp_skew_correct() takes off
 * @s: the peer's state
 * @now_ns: monotonic; before the last correction it is as it was then
 *
 * Return: by how many ns the peer's clock has run away since the first call of that.
 */
s64 lapsmp_skew_corrected(const struct lapsmp_skew *s, u64 now_ns);

/**
 * lapsmp_skew_update() - learn from a sample
 * @s: the peer's state
 * @path_id: where it was measured; other paths than the anchor are ignored
 *	while the anchor is alive
 * @raw_ns: unwrapped, NOT corrected
 * @rtt_ns: its round-trip time
 * @min_rtt_ns: the path's smallest
 * @back_ns: the queue that it met on its way back
 * @now_ns: monotonic
 */
void lapsmp_skew_update(struct lapsmp_skew *s, u16 path_id, s64 raw_ns, u64 rtt_ns,
			u64 min_rtt_ns, u64 back_ns, u64 now_ns);

#endif /* _LAPSMP_ALG_SKEW_H */
