// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/drain.c: ticks of the peer's clock, those that are skipped, how long empty paths
 * are waited for, and which are measured first.
 */
#include <kunit/test.h>

#include "../alg/drain.h"
#include "suites.h"

#define MS	1000000ULL

/* Packets of which each is heard of a millisecond after the one before, or @pause_ms. */
struct tick_case {
	const char *name;
	u32 arr_ns[6];
	u8 shift[6];
	u32 pause_ms;
	u8 pause_at;
};

static const struct tick_case tick_cases[] = {
	{ "none by the first packet", { 0xf0000005, 0xf0000006 }, { 0, 0 } },
	{ "by the first one in the last sixteenth", { 0xe0000000, 0xf0000000, 0xf0000001 },
	  { 0, 32, 0 } },
	{ "not before", { 0xe0000000, 0xefffffff, 0xf0000000 }, { 0, 28, 32 } },
	{ "not after", { 0xe0000000, 0xffffffff, 1 }, { 0, 32, 0 } },
	{ "not if it was jumped over", { 0xe0000000, 0x10000001 }, { 0, 0 } },
	{ "once for each",
	  { 0xe0000000, 0xf0000000, 1, 0x70000000, 0xe0000000, 0xf0000001 },
	  { 0, 32, 0, 0, 0, 32 } },
	{ "none again by who was overtaken", { 0xe0000000, 0xf0000003, 0xefffffff, 0xf0000004 },
	  { 0, 32, 0, 0 } },
	{ "short ones, and longer ones with which they end",
	  { 0x01000000, 0x01f00000, 0x01ffffff, 0x02f00000, 0x03f00000, 0x07f00000 },
	  { 0, 25, 0, 24, 26, 27 } },
	{ "31 is the longest", { 0x70000000, 0x7ff00000 }, { 0, 31 } },
	{ "also of what ends with the longest of all", { 0xf0000000, 0xfff00000 }, { 0, 31 } },
	{ "none after a silence", { 0xe0000000, 0xf0000000, 0xf0000001 }, { 0, 0, 0 }, 1001, 1 },
	{ "but the next one", { 0xe0000000, 0xf0000000, 0x60000000, 0xd0000000, 0xf0000000 },
	  { 0, 0, 0, 0, 32 }, 2500, 1 },
};

KUNIT_ARRAY_PARAM_DESC(tick, tick_cases, name);

static void drain_tick_case(struct kunit *test)
{
	const struct tick_case *c = test->param_value;
	struct lapsmp_drain d = {};
	u64 now_ns = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(c->shift) && c->arr_ns[i]; i++) {
		now_ns += c->pause_ms && i == c->pause_at ? c->pause_ms * MS : MS;
		KUNIT_EXPECT_EQ_MSG(test, lapsmp_drain_tick(&d, c->arr_ns[i], now_ns),
				    c->shift[i], "step %zu", i);
	}
}

struct in_case {
	const char *name;
	s64 arr_ns;
	u8 shift;
	u64 in_ns;
};

static const struct in_case in_cases[] = {
	{ "one has just begun", 0x3000000, 24, 0x1000000 },
	{ "it is nearly over", 0x2ffffff, 24, 1 },
	{ "a longer one", 0x2ffffff, 26, 0x1000001 },
	{ "the longest", 0x1f0000000, 32, 0x10000000 },
	{ "before the beginning of time", -1, 32, 1 },
};

KUNIT_ARRAY_PARAM_DESC(in, in_cases, name);

static void drain_in_case(struct kunit *test)
{
	const struct in_case *c = test->param_value;
	struct lapsmp_drain d = { .arr_ns = c->arr_ns };

	KUNIT_EXPECT_EQ(test, lapsmp_drain_in_ns(&d, c->shift), c->in_ns);
}

/* What failed is tried less and less often, and as ever once it did not. */
static void drain_skips_after_failures(struct kunit *test)
{
	static const u32 skipped[] = { 1, 3, 7, 7, 7 };
	struct lapsmp_drain d = {};
	size_t i;
	u32 n;

	for (i = 0; i < ARRAY_SIZE(skipped); i++) {
		KUNIT_EXPECT_TRUE(test, lapsmp_drain_may(&d));
		lapsmp_drain_told(&d, true);
		for (n = 0; n < 100 && !lapsmp_drain_may(&d); n++)
			;
		KUNIT_EXPECT_EQ(test, n, skipped[i]);
	}
	lapsmp_drain_told(&d, false);
	KUNIT_EXPECT_TRUE(test, lapsmp_drain_may(&d));
	KUNIT_EXPECT_TRUE(test, lapsmp_drain_may(&d));
}

struct for_case {
	const char *name;
	u64 rtt_ns;
	u64 for_ns;
};

static const struct for_case for_cases[] = {
	{ "nothing is known", 0, MS / 10 },
	{ "within a rack", 10000, MS / 10 },
	{ "a millisecond", MS, 2 * MS },
	{ "a satellite", 600 * MS, 1200 * MS },
	{ "longer than the most", 1001 * MS, 2000 * MS },
	{ "garbage", U64_MAX, 2000 * MS },
};

KUNIT_ARRAY_PARAM_DESC(for, for_cases, name);

static void drain_for_case(struct kunit *test)
{
	const struct for_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_drain_for_ns(c->rtt_ns), c->for_ns);
}

struct first_case {
	const char *name;
	u16 n;
	u16 first[4];
};

static const struct first_case first_cases[] = {
	{ "one", 1, { 0, 0, 0, 0 } },
	{ "two by turns", 2, { 0, 1, 0, 1 } },
	{ "the last one first", 4, { 0, 3, 2, 1 } },
	{ "so, where all are measured", 8, { 0, 7, 6, 5 } },
	{ "those that were not measured", 20, { 0, 8, 16, 4 } },
	{ "also of many", 65535, { 0, 8, 16, 24 } },
};

KUNIT_ARRAY_PARAM_DESC(first, first_cases, name);

static void drain_first_case(struct kunit *test)
{
	const struct first_case *c = test->param_value;
	struct lapsmp_drain d = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(c->first); i++)
		KUNIT_EXPECT_EQ(test, lapsmp_drain_first(&d, c->n), c->first[i]);
	/* Paths may have gone. */
	d.first = 7;
	KUNIT_EXPECT_EQ(test, lapsmp_drain_first(&d, 2), 1);
}

static struct kunit_case drain_test_cases[] = {
	KUNIT_CASE_PARAM(drain_tick_case, tick_gen_params),
	KUNIT_CASE_PARAM(drain_in_case, in_gen_params),
	KUNIT_CASE(drain_skips_after_failures),
	KUNIT_CASE_PARAM(drain_for_case, for_gen_params),
	KUNIT_CASE_PARAM(drain_first_case, first_gen_params),
	{}
};

struct kunit_suite lapsmp_drain_suite = {
	.name = "lapsmp_drain",
	.test_cases = drain_test_cases,
};
