/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_TRIAL_H
#define _LAPSMP_ALG_TRIAL_H

#include <linux/types.h>

/**
 * struct lapsmp_trial - what ACKs tell before and after something is believed; zeroed in the
 *	beginning
 * @was_heard: ACKs up to the last tick before, 64 and more; or 0
 * @was_lost: of those, the ones that told of losses
 * @heard: ACKs since, saturating
 * @lost: likewise
 * @on: it is believed since @heard was 0
 */
struct lapsmp_trial {
	u16	was_heard;
	u16	was_lost;
	u16	heard;
	u16	lost;
	bool	on;
};

/**
 * lapsmp_trial_heard() - an ACK was measured
 * @t: state
 * @lost: something was found to be lost by it
 *
 * Return: true if what is believed is refuted, once.
 */
bool lapsmp_trial_heard(struct lapsmp_trial *t, bool lost);

/* A tick is over; what has stood that is no trial any more. */
void lapsmp_trial_tick(struct lapsmp_trial *t);

/* From now on it is believed, and acted on. */
void lapsmp_trial_begin(struct lapsmp_trial *t);

#endif /* _LAPSMP_ALG_TRIAL_H */
