// SPDX-License-Identifier: GPL-2.0
/* How many of several senders may go on at a time. */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "arith.h"
#include "turns.h"

/* Long beside a round trip in a data centre, short beside the messages that wait. */
#define LAPSMP_TURNS_PERIOD_NS	((u64)NSEC_PER_MSEC)
/* Of the peak, forgotten per period: half of it in 44. */
#define LAPSMP_TURNS_FORGET_SHIFT	6
/* The links are not full below 7/8 of the peak: another turn. */
#define LAPSMP_TURNS_ONE		8
#define LAPSMP_TURNS_LOW_SHIFT		3
/* They are from 15/16 on: one less after eight such periods. */
#define LAPSMP_TURNS_FULL_SHIFT		4

static void lapsmp_turns_judge(struct lapsmp_turns *t, unsigned int k, u64 bytes)
{
	u64 low = t->peak - (t->peak >> LAPSMP_TURNS_LOW_SHIFT);
	u64 full = t->peak - (t->peak >> LAPSMP_TURNS_FULL_SHIFT);

	if (bytes < low)
		t->more_q3 += LAPSMP_TURNS_ONE;
	else if (bytes >= full && t->more_q3)
		t->more_q3--;
	t->more_q3 = min(t->more_q3, k * LAPSMP_TURNS_ONE);
	t->peak = max(t->peak - (t->peak >> LAPSMP_TURNS_FORGET_SHIFT), bytes);
}

void lapsmp_turns_start(struct lapsmp_turns *t, u64 now_ns)
{
	t->since_ns = now_ns;
	t->bytes = 0;
	t->more_q3 = 0;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_turns_start);

void lapsmp_turns_update(struct lapsmp_turns *t, unsigned int k, u32 bytes, u64 now_ns)
{
	u64 past_ns = now_ns - t->since_ns;

	t->bytes += bytes;
	if (past_ns < LAPSMP_TURNS_PERIOD_NS)
		return;
	/* Nobody had anything to send for some time: that says nothing. */
	if (past_ns < 2 * LAPSMP_TURNS_PERIOD_NS)
		lapsmp_turns_judge(t, k, lapsmp_arith_muldiv(t->bytes, LAPSMP_TURNS_PERIOD_NS,
							     past_ns));
	t->since_ns = now_ns;
	t->bytes = 0;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_turns_update);

unsigned int lapsmp_turns_n(const struct lapsmp_turns *t, unsigned int k)
{
	return k + min(t->more_q3 / LAPSMP_TURNS_ONE, k);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_turns_n);
