/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_GAP_H
#define _LAPSMP_ALG_GAP_H

#include <linux/types.h>

/**
 * struct lapsmp_gap - how near full packets were to each other when they arrived at a host,
 * by whatever path; zeroed, nothing is known
 * @ns: the shortest of the last five to ten seconds, 0 if there was none
 * @half_ns: the shortest of this half of them, likewise
 * @since_ns: when it began
 * @last_ns: receiver's stamp of the newest arrival, low 32 bits
 * @started: there was one
 */
struct lapsmp_gap {
	u64	ns;
	u64	half_ns;
	u64	since_ns;
	u32	last_ns;
	bool	started;
};

/**
 * lapsmp_gap_update() - a full packet has arrived
 * @g: the host's
 * @arr_ns: receiver's stamp, low 32 bits; in any order
 * @now_ns: monotonic
 */
void lapsmp_gap_update(struct lapsmp_gap *g, u32 arr_ns, u64 now_ns);

#endif /* _LAPSMP_ALG_GAP_H */
