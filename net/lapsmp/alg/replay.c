// SPDX-License-Identifier: GPL-2.0
/*
 * Which numbers of a sender were seen: the highest, and a bitmap of those below.
 *
 * The bitmap is a ring of words, and number n has bit n mod BITS. Moving the
 * window up clears whole words only, never shifts: the word that the highest
 * number is in always holds some numbers from below and some cleared ones from
 * above, so of LAPSMP_REPLAY_BITS numbers all but one word's are told apart.
 *
 * Reference: RFC 6479. This file does not know what the numbers stand for.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "replay.h"

#define LAPSMP_REPLAY_WORDS	(LAPSMP_REPLAY_BITS / BITS_PER_LONG)
/* How far below the highest a number may be. */
#define LAPSMP_REPLAY_REACH	(LAPSMP_REPLAY_BITS - BITS_PER_LONG)

static unsigned long *lapsmp_replay_word(struct lapsmp_replay *r, u64 number)
{
	return &r->bits[(number / BITS_PER_LONG) % LAPSMP_REPLAY_WORDS];
}

static void lapsmp_replay_advance(struct lapsmp_replay *r, u64 number)
{
	u64 from = r->high / BITS_PER_LONG;
	u64 words = number / BITS_PER_LONG - from;
	u64 i;

	/* A jump past the whole ring needs each word cleared once, not more. */
	words = min_t(u64, words, LAPSMP_REPLAY_WORDS);
	for (i = 1; i <= words; i++)
		r->bits[(from + i) % LAPSMP_REPLAY_WORDS] = 0;
	r->high = number;
}

bool lapsmp_replay_is_new(const struct lapsmp_replay *r, u64 number)
{
	unsigned long word;

	if (!number)
		return false;
	if (number > r->high)
		return true;
	if (r->high - number >= LAPSMP_REPLAY_REACH)
		return false;
	word = r->bits[(number / BITS_PER_LONG) % LAPSMP_REPLAY_WORDS];
	return !(word & BIT(number % BITS_PER_LONG));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_replay_is_new);

bool lapsmp_replay_is_far(const struct lapsmp_replay *r, u64 number)
{
	return number > r->high && number - r->high > LAPSMP_REPLAY_REACH;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_replay_is_far);

bool lapsmp_replay_use(struct lapsmp_replay *r, u64 number)
{
	if (!lapsmp_replay_is_new(r, number))
		return false;
	if (number > r->high)
		lapsmp_replay_advance(r, number);
	*lapsmp_replay_word(r, number) |= BIT(number % BITS_PER_LONG);
	return true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_replay_use);
