/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_SWING_H
#define _LAPSMP_ALG_SWING_H

#include <linux/types.h>

/**
 * struct lapsmp_swing - how long the queues are that a flow and its answers meet; zeroed, there
 * were none
 * @there_q16: what they are above their margins, in T, averaged
 * @back_q16: what they are on the way back, likewise
 */
struct lapsmp_swing {
	u32	there_q16;
	u32	back_q16;
};

/**
 * lapsmp_swing_update() - an acknowledgment came
 * @sw: the flow's
 * @over_ns: queue above the margin of its path; not above 0: there is room
 * @back_ns: queue on the way back
 * @T_ns: the largest base_ns + margin_ns of the flow's paths
 * @share_q16: the part of the window that it acknowledges, 16 fractional bits
 */
void lapsmp_swing_update(struct lapsmp_swing *sw, s64 over_ns, u64 back_ns, s64 T_ns,
			 u64 share_q16);

/**
 * lapsmp_swing_is_long() - are moments with room none?
 * @sw: the flow's
 *
 * Return: whether the queues are longer on the average than flows of this kind rest at, both
 * ways.
 */
bool lapsmp_swing_is_long(const struct lapsmp_swing *sw);

#endif /* _LAPSMP_ALG_SWING_H */
