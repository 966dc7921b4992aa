// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/draw.c: how even its draws are, and how random. */
#include <kunit/test.h>

#include "../alg/draw.h"
#include "lcg.h"

#define PARTS	16
#define ROUNDS	10000

static u32 part_of(u32 draw)
{
	return draw >> (32 - LAPSMP_DRAW_BITS);
}

static void draw_each_round_has_each_part(struct kunit *test)
{
	struct lapsmp_draw d = {};
	u64 seed = 1;
	u32 k, seen;

	for (k = 0; k < ROUNDS; k++) {
		seen = 0;
		for (u32 i = 0; i < PARTS; i++)
			seen |= 1U << part_of(lapsmp_draw_even(&d, lcg_next(&seed)));
		KUNIT_ASSERT_EQ(test, seen, (1U << PARTS) - 1);
	}
}

/* Whatever random bits there are, and where the count wraps. */
static void draw_extremes(struct kunit *test)
{
	static const u32 bits[] = { 0, 1, U32_MAX, 0x80000000, 0x55555555, 0xf0f0f0f0 };
	struct lapsmp_draw d;
	u32 seen;

	for (size_t b = 0; b < ARRAY_SIZE(bits); b++) {
		d = (struct lapsmp_draw){ .n = -(u32)PARTS };
		for (u32 k = 0; k < 2; k++) {
			seen = 0;
			for (u32 i = 0; i < PARTS; i++)
				seen |= 1U << part_of(lapsmp_draw_even(&d, bits[b]));
			KUNIT_EXPECT_EQ(test, seen, (1U << PARTS) - 1);
		}
	}
}

/* At each place of a round each part is as likely as any other, and so is each half of it. */
static void draw_each_place_is_uniform(struct kunit *test)
{
	u32 (*hits)[PARTS] = kunit_kcalloc(test, PARTS, sizeof(*hits), GFP_KERNEL);
	struct lapsmp_draw d = {};
	u32 i, k, draw, low = 0;
	u64 seed = 2;

	KUNIT_ASSERT_NOT_NULL(test, hits);
	for (k = 0; k < ROUNDS; k++)
		for (i = 0; i < PARTS; i++) {
			draw = lapsmp_draw_even(&d, lcg_next(&seed));
			hits[i][part_of(draw)]++;
			low += draw << LAPSMP_DRAW_BITS < 0x80000000;
		}
	/* Five standard deviations: of 160,000 and of 10,000 draws. */
	KUNIT_EXPECT_LE(test, abs((int)low - PARTS * ROUNDS / 2), 1000);
	for (i = 0; i < PARTS; i++)
		for (k = 0; k < PARTS; k++)
			KUNIT_EXPECT_LE(test, abs((int)hits[i][k] - ROUNDS / PARTS), 122);
}

/* Of what has an eighth, the next one is the same half as often as in independent draws. */
static void draw_neighbours_stay(struct kunit *test)
{
	struct lapsmp_draw d = {};
	u32 k, last = 0, now, same = 0;
	u64 seed = 3;

	for (k = 0; k < PARTS * ROUNDS; k++) {
		now = part_of(lapsmp_draw_even(&d, lcg_next(&seed))) >> 1;
		same += now == last;
		last = now;
	}
	/* Of 16 there is one other of the same eighth: 1/15 within a round. */
	KUNIT_EXPECT_GT(test, same, PARTS * ROUNDS / 20);
	KUNIT_EXPECT_LT(test, same, PARTS * ROUNDS / 10);
}

static struct kunit_case draw_test_cases[] = {
	KUNIT_CASE(draw_each_round_has_each_part),
	KUNIT_CASE(draw_extremes),
	KUNIT_CASE(draw_each_place_is_uniform),
	KUNIT_CASE(draw_neighbours_stay),
	{}
};

struct kunit_suite lapsmp_draw_suite = {
	.name = "lapsmp_draw",
	.test_cases = draw_test_cases,
};
