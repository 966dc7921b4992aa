// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/margin.c: whose rate counts, and what bounds a margin. */
#include <kunit/test.h>

#include "../alg/margin.h"

#define GBPS		125000000ULL	/* bytes/s */
#define US		1000ULL
#define MS		(1000 * US)

/* Five of 1500 bytes take 60 us at 1 Gbit/s, 6 us at 10 and 600 ns at 100. */
struct margin_case {
	const char *name;
	struct lapsmp_margin_sample s;
	u64 ns;
};

#define MARGIN_SAMPLE(link, others, own, ...)	{ .link_rate = (link), .others_rate = (others), \
	.rate = (own), .frame_bytes = 1500, .segs = 5, .least_ns = 3 * US, ##__VA_ARGS__ }

#define DRAWN_SAMPLE(link, others, own, ...)	\
	MARGIN_SAMPLE(link, others, own, .drawn = true, ##__VA_ARGS__)

static const struct margin_case margin_cases[] = {
	{ "a known link, and no bound",
	  MARGIN_SAMPLE(GBPS, 0, GBPS / 10, .learned = true, .rtt_ns = 2 * US), 60 * US },
	{ "which counts, whatever others have shown",
	  MARGIN_SAMPLE(GBPS, 100 * GBPS, GBPS, .rtt_ns = 2 * US), 60 * US },
	{ "no less than the least", MARGIN_SAMPLE(100 * GBPS, 0, GBPS), 3 * US },
	{ "four times the jitter", MARGIN_SAMPLE(10 * GBPS, 0, GBPS, .jitter_ns = 250), 7 * US },
	{ "or what it wavers by without a queue, if that is more",
	  MARGIN_SAMPLE(10 * GBPS, 0, GBPS, .jitter_ns = 250, .noise_ns = 30 * US), 36 * US },
	{ "and not if it is less",
	  MARGIN_SAMPLE(10 * GBPS, 0, GBPS, .jitter_ns = 250, .noise_ns = 900), 7 * US },
	{ "beside half of a drawn port's pipe, too",
	  DRAWN_SAMPLE(0, 0, GBPS, .rtt_ns = 20 * US, .noise_ns = 30 * US), 40 * US },
	{ "no packets: the jitter", { .link_rate = GBPS, .rate = 1, .jitter_ns = 5 * US },
	  20 * US },
	{ "nothing known: by the share",
	  MARGIN_SAMPLE(0, 0, GBPS, .learned = true, .rtt_ns = 200 * US), 60 * US },
	{ "a guess of it, too", MARGIN_SAMPLE(0, 0, GBPS, .rtt_ns = 200 * US), 60 * US },
	{ "but what was seen instead of it",
	  MARGIN_SAMPLE(0, 0, GBPS, .pushed_rate = GBPS / 100, .rtt_ns = 20 * MS), 6 * MS },
	{ "if it is less", MARGIN_SAMPLE(0, 0, GBPS, .pushed_rate = 2 * GBPS, .rtt_ns = 20 * MS),
	  60 * US },
	{ "and not instead of what was measured",
	  MARGIN_SAMPLE(0, 0, GBPS, .learned = true, .pushed_rate = GBPS / 100,
			.rtt_ns = 20 * MS), 60 * US },
	{ "nor of others'",
	  DRAWN_SAMPLE(0, GBPS, 10 * GBPS, .pushed_rate = GBPS / 100, .rtt_ns = 20 * MS),
	  60 * US },
	{ "nor of the link's", MARGIN_SAMPLE(GBPS, 0, GBPS, .pushed_rate = GBPS / 100), 60 * US },
	{ "and of that half of the pipe, too",
	  MARGIN_SAMPLE(0, 0, GBPS, .pushed_rate = GBPS / 100, .rtt_ns = 20 * US), 10 * US },
	{ "but no more than half of the pipe", MARGIN_SAMPLE(0, 0, GBPS, .rtt_ns = 20 * US),
	  10 * US },
	{ "which may be less than the least", MARGIN_SAMPLE(0, 0, GBPS, .rtt_ns = 2 * US), US },
	{ "and the jitter", MARGIN_SAMPLE(0, 0, GBPS, .rtt_ns = 20 * US, .jitter_ns = US),
	  14 * US },
	{ "others' link instead of a share of it",
	  DRAWN_SAMPLE(0, 10 * GBPS, GBPS, .learned = true, .rtt_ns = 200 * US), 6 * US },
	{ "others' slower one does not count for more than was had",
	  DRAWN_SAMPLE(0, GBPS, 10 * GBPS, .learned = true, .rtt_ns = 200 * US), 6 * US },
	{ "but for more than was guessed",
	  DRAWN_SAMPLE(0, GBPS, 10 * GBPS, .rtt_ns = 200 * US), 60 * US },
	{ "others' crawling one: half of the pipe",
	  DRAWN_SAMPLE(0, 1000, 700, .learned = true, .rtt_ns = 20 * US), 10 * US },
	{ "and no less than the least",
	  DRAWN_SAMPLE(0, 1000, 700, .learned = true, .rtt_ns = 2 * US), 3 * US },
	{ "others' fast one, near by: the least",
	  DRAWN_SAMPLE(0, 100 * GBPS, GBPS, .learned = true, .rtt_ns = 2 * US), 3 * US },
	{ "a drawn port's own: no more than who does not know it",
	  DRAWN_SAMPLE(GBPS, 0, GBPS, .learned = true, .rtt_ns = 20 * US, .jitter_ns = US),
	  14 * US },
	{ "and who does not, no less than who does",
	  DRAWN_SAMPLE(0, 0, GBPS, .rtt_ns = 2 * US), 3 * US },
	{ "one byte per second, most packets, largest frame",
	  { .link_rate = 1, .rate = 1, .frame_bytes = 0x1ffff, .segs = 0xffff },
	  0xffffULL * 0x1ffff * 1000000000 },
	{ "no rate is too high", MARGIN_SAMPLE(U64_MAX, U64_MAX, U64_MAX), 3 * US },
};

KUNIT_ARRAY_PARAM_DESC(margin, margin_cases, name);

static void margin_case(struct kunit *test)
{
	const struct margin_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, lapsmp_margin_ns(&c->s), c->ns);
}

static struct kunit_case margin_test_cases[] = {
	KUNIT_CASE_PARAM(margin_case, margin_gen_params),
	{}
};

struct kunit_suite lapsmp_margin_suite = {
	.name = "lapsmp_margin",
	.test_cases = margin_test_cases,
};
