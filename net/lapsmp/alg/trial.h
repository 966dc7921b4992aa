/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_TRIAL_H
#define _LAPSMP_ALG_TRIAL_H

#include <linux/types.h>

/**
 * struct lapsmp_trial - what ACKs tell before and after something is believed; zeroed in the
 *	beginning
 * @was_heard: ACKs of the last tick that was over before
 * @was_pressed: of those, the ones that told of losses or marks
 * @heard: ACKs since, saturating
 * @pressed: likewise
 * @on: it is believed since @heard was 0
 */
struct lapsmp_trial {
	u16	was_heard;
	u16	was_pressed;
	u16	heard;
	u16	pressed;
	bool	on;
};

/**
 * lapsmp_trial_heard() - an ACK was measured
 * @t: state
 * @pressed: something was found to be lost by it, or was marked
 *
 * Return: true if what is believed is refuted, once.
 */
bool lapsmp_trial_heard(struct lapsmp_trial *t, bool pressed);

/* A tick is over; what has stood that is no trial any more. */
void lapsmp_trial_tick(struct lapsmp_trial *t);

/* From now on it is believed, and acted on. */
void lapsmp_trial_begin(struct lapsmp_trial *t);

#endif /* _LAPSMP_ALG_TRIAL_H */
