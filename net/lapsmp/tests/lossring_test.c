// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/lossring.c: the behaviour by example. Everything runs from several first
 * sequences, so that numbers wrap.
 */
#include <kunit/test.h>

#include "../alg/owd.h"
#include "lossring_set.h"

#define SLOTS	64

/* A ring with @n packets OUT, sent at times 0, 1, 2, ... */
static void ring_with(struct kunit *test, struct lapsmp_ring *r, u32 n)
{
	u32 i, first = first_of(test);

	lapsmp_ring_init(r, slots_new(test, SLOTS), SLOTS, first);
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, lapsmp_ring_push(r, (void *)(long)(i + 1),
						       1500, i == 0, false, i),
				first + i);
}

/* Acknowledge; return how many slots it yielded, those once LOST in @late. */
static u32 ack(struct lapsmp_ring *r, u32 seq, u64 map, u32 *late)
{
	u32 cursor = 0, found, n = 0;
	bool was_lost;

	*late = 0;
	while (lapsmp_ring_ack_next(r, seq, map, &cursor, &found, &was_lost)) {
		n++;
		*late += was_lost;
	}
	return n;
}

static u32 lose(struct lapsmp_ring *r, bool all)
{
	u32 found, n = 0;

	while (lapsmp_ring_lost_next(r, all, &found))
		n++;
	return n;
}

static void ring_keeps_what_was_pushed(struct kunit *test)
{
	u32 first = first_of(test), i;
	struct lapsmp_slot *s;
	struct lapsmp_ring r;

	ring_with(test, &r, SLOTS);
	KUNIT_EXPECT_TRUE(test, lapsmp_ring_full(&r));
	KUNIT_EXPECT_EQ(test, r.out, SLOTS);
	KUNIT_EXPECT_NULL(test, lapsmp_ring_lookup(&r, first - 1));
	KUNIT_EXPECT_NULL(test, lapsmp_ring_lookup(&r, first + SLOTS));
	for (i = 0; i < SLOTS; i++) {
		s = lapsmp_ring_lookup(&r, first + i);
		KUNIT_ASSERT_NOT_NULL(test, s);
		KUNIT_EXPECT_PTR_EQ(test, s->seg, (void *)(long)(i + 1));
		KUNIT_EXPECT_EQ(test, s->sent_ns, i);
		KUNIT_EXPECT_EQ(test, s->bytes, 1500);
		KUNIT_EXPECT_EQ(test, s->alone,
				i == 0);
		KUNIT_EXPECT_EQ(test, s->state, LAPSMP_SLOT_OUT);
	}
}

static void ring_of_nothing_has_nothing(struct kunit *test)
{
	u32 first = first_of(test), late;
	struct lapsmp_ring r;
	void *seg;

	ring_with(test, &r, 0);
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_full(&r));
	KUNIT_EXPECT_NULL(test, lapsmp_ring_oldest(&r));
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_ack_valid(&r, first));
	KUNIT_EXPECT_EQ(test, ack(&r, first, ~0ULL, &late), 0);
	KUNIT_EXPECT_EQ(test, ack(&r, first - 1, ~0ULL, &late), 0);
	KUNIT_EXPECT_EQ(test, lose(&r, true), 0);
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_retire_next(&r, U64_MAX, &seg));
}

static void ring_ack_names_itself_and_its_map(struct kunit *test)
{
	u32 first = first_of(test), cursor = 0, found, late;
	struct lapsmp_ring r;
	bool was_lost;

	ring_with(test, &r, 10);
	/* 5 itself, bit 0: 4, bit 3: 1; from the oldest to the newest. */
	KUNIT_EXPECT_NOT_NULL(test, lapsmp_ring_ack_next(&r, first + 5, 9,
							 &cursor, &found,
							 &was_lost));
	KUNIT_EXPECT_EQ(test, found, first + 1);
	KUNIT_EXPECT_NOT_NULL(test, lapsmp_ring_ack_next(&r, first + 5, 9,
							 &cursor, &found,
							 &was_lost));
	KUNIT_EXPECT_EQ(test, found, first + 4);
	KUNIT_EXPECT_NOT_NULL(test, lapsmp_ring_ack_next(&r, first + 5, 9,
							 &cursor, &found,
							 &was_lost));
	KUNIT_EXPECT_EQ(test, found, first + 5);
	KUNIT_EXPECT_NULL(test, lapsmp_ring_ack_next(&r, first + 5, 9, &cursor,
						     &found, &was_lost));
	KUNIT_EXPECT_EQ(test, r.out, 7);
	/* The same again is no news. */
	KUNIT_EXPECT_EQ(test, ack(&r, first + 5, 9, &late), 0);
}

static void ring_ack_of_all_by_one_map(struct kunit *test)
{
	u32 first = first_of(test), late;
	struct lapsmp_ring r;

	ring_with(test, &r, SLOTS);
	KUNIT_EXPECT_EQ(test, ack(&r, first + SLOTS - 1, ~0ULL, &late), SLOTS);
	KUNIT_EXPECT_EQ(test, r.out, 0);
	KUNIT_EXPECT_NULL(test, lapsmp_ring_oldest(&r));
}

static void ring_ack_of_what_was_not_sent_is_refused(struct kunit *test)
{
	u32 first = first_of(test), late;
	struct lapsmp_ring r;

	ring_with(test, &r, 10);
	KUNIT_EXPECT_TRUE(test, lapsmp_ring_ack_valid(&r, first + 9));
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_ack_valid(&r, first + 10));
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_ack_valid(&r, first + 0x70000000));
	KUNIT_EXPECT_EQ(test, ack(&r, first + 10, ~0ULL, &late), 0);
	KUNIT_EXPECT_FALSE(test, r.any_acked);
	KUNIT_EXPECT_EQ(test, r.out, 10);
}

/* Half of the circle behind is no packet of the ring's, nor newer than what is sent later. */
static void ring_ack_of_what_is_forgotten_overtakes_nothing(struct kunit *test)
{
	u32 first = first_of(test), late, i;
	struct lapsmp_ring r;

	ring_with(test, &r, 4);
	KUNIT_EXPECT_TRUE(test, lapsmp_ring_ack_valid(&r, first + 0x80000005));
	KUNIT_EXPECT_EQ(test, ack(&r, first + 0x80000005, ~0ULL, &late), 0);
	KUNIT_EXPECT_FALSE(test, r.any_acked);
	KUNIT_EXPECT_EQ(test, r.out, 4);
	for (i = 4; i < 8; i++)
		lapsmp_ring_push(&r, (void *)(long)(i + 1), 1500, false, false, i);
	KUNIT_EXPECT_EQ(test, ack(&r, first + 7, 0, &late), 1);
	KUNIT_EXPECT_EQ(test, lose(&r, false), 7);
}

static void ring_loses_what_was_overtaken(struct kunit *test)
{
	u32 first = first_of(test), found, late;
	struct lapsmp_ring r;

	ring_with(test, &r, 10);
	KUNIT_EXPECT_EQ(test, lose(&r, false), 0);
	ack(&r, first + 4, 5, &late);	/* 4, 3 and 1 */
	KUNIT_EXPECT_NOT_NULL(test, lapsmp_ring_lost_next(&r, false, &found));
	KUNIT_EXPECT_EQ(test, found, first);
	KUNIT_EXPECT_NOT_NULL(test, lapsmp_ring_lost_next(&r, false, &found));
	KUNIT_EXPECT_EQ(test, found, first + 2);
	KUNIT_EXPECT_NULL(test, lapsmp_ring_lost_next(&r, false, &found));
	KUNIT_EXPECT_EQ(test, r.out, 5);
	KUNIT_EXPECT_EQ(test, r.una, first + 5);
}

static void ring_tolerance_waits(struct kunit *test)
{
	u32 first = first_of(test), late;
	struct lapsmp_ring r;

	ring_with(test, &r, 10);
	lapsmp_ring_spurious(&r, 3);
	ack(&r, first + 3, 0, &late);
	KUNIT_EXPECT_EQ(test, lose(&r, false), 0);
	ack(&r, first + 4, 0, &late);
	KUNIT_EXPECT_EQ(test, lose(&r, false), 1);
}

static void ring_tolerance_only_grows_and_ends(struct kunit *test)
{
	struct lapsmp_ring r;

	ring_with(test, &r, 0);
	KUNIT_EXPECT_EQ(test, r.reo_segs, LAPSMP_REO_MIN);
	lapsmp_ring_spurious(&r, 0);
	KUNIT_EXPECT_EQ(test, r.reo_segs, 0);
	lapsmp_ring_spurious(&r, 7);
	KUNIT_EXPECT_EQ(test, r.reo_segs, 7);
	lapsmp_ring_spurious(&r, 3);
	KUNIT_EXPECT_EQ(test, r.reo_segs, 7);
	lapsmp_ring_spurious(&r, U32_MAX);
	KUNIT_EXPECT_EQ(test, r.reo_segs, LAPSMP_REO_MAX);
}

static void ring_knows_what_was_overtaken_and_what_timed_out(struct kunit *test)
{
	u32 first = first_of(test), found, late;
	struct lapsmp_ring r;

	ring_with(test, &r, 4);
	ack(&r, first + 1, 0, &late);
	KUNIT_EXPECT_TRUE(test, lapsmp_ring_lost_next(&r, true, &found)->overtaken);
	KUNIT_EXPECT_EQ(test, found, first);
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_lost_next(&r, true, &found)->overtaken);
	KUNIT_EXPECT_EQ(test, found, first + 2);
}

static void ring_newest_is_the_last_pushed(struct kunit *test)
{
	u32 first = first_of(test), late;
	struct lapsmp_ring r;
	void *seg;

	ring_with(test, &r, 0);
	KUNIT_EXPECT_NULL(test, lapsmp_ring_newest(&r));
	ring_with(test, &r, 3);
	KUNIT_EXPECT_PTR_EQ(test, lapsmp_ring_newest(&r),
			    lapsmp_ring_lookup(&r, first + 2));
	ack(&r, first + 2, 3, &late);
	KUNIT_EXPECT_NOT_NULL(test, lapsmp_ring_newest(&r));
	while (lapsmp_ring_retire_next(&r, U64_MAX, &seg))
		;
	KUNIT_EXPECT_NULL(test, lapsmp_ring_newest(&r));
}

static void ring_timeout_loses_all_and_late_acks_are_known(struct kunit *test)
{
	u32 first = first_of(test), late;
	struct lapsmp_ring r;

	ring_with(test, &r, 10);
	KUNIT_EXPECT_EQ(test, lose(&r, true), 10);
	KUNIT_EXPECT_EQ(test, r.out, 0);
	lapsmp_ring_push(&r, NULL, 100, false, false, 100);
	/* The late acknowledgment of 9 says nothing bad about 10. */
	KUNIT_EXPECT_EQ(test, ack(&r, first + 9, 1, &late), 2);
	KUNIT_EXPECT_EQ(test, late, 2);
	KUNIT_EXPECT_EQ(test, lose(&r, false), 0);
	KUNIT_EXPECT_EQ(test, r.out, 1);
}

/* Each slot says what its own packet was pushed with, to whoever asks. */
static void ring_knows_what_passed(struct kunit *test)
{
	u32 first = first_of(test), cursor = 0, found, i;
	struct lapsmp_slot *s;
	struct lapsmp_ring r;
	bool was_lost;
	void *seg;

	lapsmp_ring_init(&r, slots_new(test, 4), 4, first);
	for (i = 0; i < SLOTS; i++) {
		lapsmp_ring_push(&r, NULL, 1500, !(i % 3), i / 4 & 1, i);
		s = lapsmp_ring_lookup(&r, first + i);
		KUNIT_ASSERT_NOT_NULL(test, s);
		KUNIT_EXPECT_EQ(test, s->alone, !(i % 3));
		KUNIT_EXPECT_EQ(test, s->passed, i / 4 & 1);
		/* As it is told of what becomes of it. */
		s = i & 2 ? lapsmp_ring_lost_next(&r, true, &found) :
			    lapsmp_ring_ack_next(&r, first + i, 0, &cursor, &found, &was_lost);
		KUNIT_ASSERT_NOT_NULL(test, s);
		KUNIT_EXPECT_EQ(test, s->passed, i / 4 & 1);
		KUNIT_EXPECT_TRUE(test, lapsmp_ring_retire_next(&r, U64_MAX, &seg));
		cursor = 0;
	}
}

static void ring_retires_in_order_and_by_age(struct kunit *test)
{
	u32 first = first_of(test), late;
	struct lapsmp_ring r;
	void *seg = NULL;

	ring_with(test, &r, 10);
	ack(&r, first + 2, 2, &late);	/* 2 and 0 */
	lose(&r, false);		/* 1, sent at time 1 */
	KUNIT_EXPECT_TRUE(test, lapsmp_ring_retire_next(&r, 0, &seg));
	KUNIT_EXPECT_PTR_EQ(test, seg, (void *)1);
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_retire_next(&r, 1, &seg));
	KUNIT_EXPECT_TRUE(test, lapsmp_ring_retire_next(&r, 2, &seg));
	KUNIT_EXPECT_PTR_EQ(test, seg, (void *)2);
	KUNIT_EXPECT_TRUE(test, lapsmp_ring_retire_next(&r, 0, &seg));
	KUNIT_EXPECT_PTR_EQ(test, seg, (void *)3);
	/* What is OUT stays, however old. */
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_retire_next(&r, U64_MAX, &seg));
	KUNIT_EXPECT_NULL(test, lapsmp_ring_lookup(&r, first + 2));
}

static void ring_grows_in_place(struct kunit *test)
{
	u32 first = first_of(test), i;
	struct lapsmp_slot *old, *s;
	struct lapsmp_ring r;

	ring_with(test, &r, SLOTS);
	old = r.slot;
	KUNIT_EXPECT_PTR_EQ(test, lapsmp_ring_grow(&r, slots_new(test,
								 2 * SLOTS),
						   2 * SLOTS), old);
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_full(&r));
	for (i = 0; i < SLOTS; i++) {
		s = lapsmp_ring_lookup(&r, first + i);
		KUNIT_ASSERT_NOT_NULL(test, s);
		KUNIT_EXPECT_PTR_EQ(test, s->seg, (void *)(long)(i + 1));
	}
	KUNIT_EXPECT_EQ(test, lapsmp_ring_push(&r, NULL, 1, false, false, 1),
			first + SLOTS);
}

static struct kunit_case lossring_test_cases[] = {
	KUNIT_CASE_PARAM(ring_keeps_what_was_pushed, first_gen_params),
	KUNIT_CASE_PARAM(ring_of_nothing_has_nothing, first_gen_params),
	KUNIT_CASE_PARAM(ring_ack_names_itself_and_its_map, first_gen_params),
	KUNIT_CASE_PARAM(ring_ack_of_all_by_one_map, first_gen_params),
	KUNIT_CASE_PARAM(ring_ack_of_what_was_not_sent_is_refused,
			 first_gen_params),
	KUNIT_CASE_PARAM(ring_ack_of_what_is_forgotten_overtakes_nothing, first_gen_params),
	KUNIT_CASE_PARAM(ring_loses_what_was_overtaken, first_gen_params),
	KUNIT_CASE_PARAM(ring_tolerance_waits, first_gen_params),
	KUNIT_CASE_PARAM(ring_tolerance_only_grows_and_ends, first_gen_params),
	KUNIT_CASE_PARAM(ring_knows_what_was_overtaken_and_what_timed_out,
			 first_gen_params),
	KUNIT_CASE_PARAM(ring_newest_is_the_last_pushed, first_gen_params),
	KUNIT_CASE_PARAM(ring_timeout_loses_all_and_late_acks_are_known,
			 first_gen_params),
	KUNIT_CASE_PARAM(ring_knows_what_passed, first_gen_params),
	KUNIT_CASE_PARAM(ring_retires_in_order_and_by_age, first_gen_params),
	KUNIT_CASE_PARAM(ring_grows_in_place, first_gen_params),
	{}
};

struct kunit_suite lapsmp_lossring_suite = {
	.name = "lapsmp_lossring",
	.test_cases = lossring_test_cases,
};
