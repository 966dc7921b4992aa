// SPDX-License-Identifier: GPL-2.0
/*
 * Whether what is believed makes more packets be lost than before.
 *
 * Who takes others' queue for noise (noise.c) yields to it no more. Where it was noise, nothing
 * else changes than that he has his part. Where it was TCP's queue, it is longer by what he adds,
 * which is more than the buffer holds: at once everybody loses packets, each of TCP's flows
 * whole windows. So of the ACKs since then, 64 and more,
 *
 *	more than 1 / 32, and three times the part of before, tell of losses:	refuted
 *
 * up to the first tick that finds as many, which is 17 ms or more. Before is the time up to the
 * tick that was over when it was looked for, if there were as many; if not, it is not tried. Marks
 * are none: who has his part of a link that marks is marked. That it is a multiple of that is for
 * ways that lose packets whatever anybody does: 5 % of them are 5 % with noise that is known, too.
 *
 * Of four flows beside four of Cubic 0.1 to 2 % of ACKs told of losses before, and 3 to 11 % in
 * the ticks after they had taken Cubic's queue for noise, of 100 to 8000.
 *
 * Reference: ours. This file knows no clock, and not what is believed.
 */
#include <linux/kernel.h>
#include <linux/limits.h>

#include "../compat.h"
#include "trial.h"

/* Of fewer, one burst is too much. */
#define LAPSMP_TRIAL_HEARD	64
#define LAPSMP_TRIAL_PART	32
#define LAPSMP_TRIAL_TIMES	3

static bool lapsmp_trial_is_refuted(const struct lapsmp_trial *t)
{
	return t->on && t->heard >= LAPSMP_TRIAL_HEARD &&
	       t->was_heard >= LAPSMP_TRIAL_HEARD &&
	       t->lost * LAPSMP_TRIAL_PART > t->heard &&
	       (u64)t->lost * t->was_heard > (u64)LAPSMP_TRIAL_TIMES * t->was_lost * t->heard;
}

static void lapsmp_trial_count(struct lapsmp_trial *t)
{
	t->heard = 0;
	t->lost = 0;
}

bool lapsmp_trial_heard(struct lapsmp_trial *t, bool lost)
{
	/* So that both saturate together, and a part stays what it is. */
	if (t->heard == U16_MAX) {
		t->heard /= 2;
		t->lost /= 2;
	}
	t->heard++;
	t->lost += lost;
	if (!lapsmp_trial_is_refuted(t))
		return false;
	t->on = false;
	return true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_trial_heard);

void lapsmp_trial_tick(struct lapsmp_trial *t)
{
	/* Of eight that lost nothing nobody knows that others do not either. */
	if (t->heard < LAPSMP_TRIAL_HEARD)
		return;
	t->on = false;
	t->was_heard = t->heard;
	t->was_lost = t->lost;
	lapsmp_trial_count(t);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_trial_tick);

void lapsmp_trial_begin(struct lapsmp_trial *t)
{
	lapsmp_trial_count(t);
	t->on = true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_trial_begin);
