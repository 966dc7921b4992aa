/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_UNDO_H
#define _LAPSMP_ALG_UNDO_H

#include <linux/types.h>

/**
 * struct lapsmp_undo - what a window was before losses that may turn out to be none; zeroed, there
 * were none
 * @cwnd_q16: the window before the bursts of @lost, 0 if there were none
 * @lost: segments of the bursts, until the last one is some time ago
 * @spurious: of them, those that were acknowledged after all
 * @quiet: decisions since the last burst
 */
struct lapsmp_undo {
	u64	cwnd_q16;
	u32	lost;
	u32	spurious;
	u32	quiet;
};

/* A burst of @lost segments takes from a window of @cwnd_q16. Context: whoever owns @u. */
void lapsmp_undo_burst(struct lapsmp_undo *u, u64 cwnd_q16, u32 lost);

/* The control decides once more: what has not come by the fourth time will not. */
void lapsmp_undo_decision(struct lapsmp_undo *u);

/**
 * lapsmp_undo_spurious() - segments that were deemed lost were acknowledged
 * @u: the flow's
 * @segs: how many, by this acknowledgment
 *
 * Return: the window before the bursts if half of them were none, which are forgotten then; or 0.
 */
u64 lapsmp_undo_spurious(struct lapsmp_undo *u, u32 segs);

#endif /* _LAPSMP_ALG_UNDO_H */
