// SPDX-License-Identifier: GPL-2.0
/* Tests of alg/deep.c: flows that were left alone in one queue find that out. */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/minmax.h>

#include "../alg/deep.h"
#include "lcg.h"

/* A path of 1 ms, whose queue may have 4 ms, and 64 of whose round trips are twice this. */
#define BASE_NS		1000000
#define MARGIN_NS	4000000
#define T_NS		(BASE_NS + MARGIN_NS)
#define PERIOD_NS	BIT_ULL(32)
#define FLOWS_MAX	16
/* What the buffer holds, and the time that each takes. */
#define BUFFER_SEGS	100
#define SEG_NS		1000000

/* Periods, here of twice PERIOD_NS, within which they are to have found out. */
#define FLOWS_PERIODS	16

/* Windows in thousandths of a segment. */
struct deep_many {
	struct lapsmp_deep d[FLOWS_MAX];
	u32 cwnd[FLOWS_MAX];
	u32 before[FLOWS_MAX];
	u64 acked[FLOWS_MAX];
	u64 now_ns;
	u64 seed;
	int n;
};

static u32 deep_many_queued(const struct deep_many *m)
{
	u32 sum = 0;
	int i;

	for (i = 0; i < m->n; i++)
		sum += m->cwnd[i];
	return min(sum, BUFFER_SEGS * 1000U);
}

/* An eighth of a round trip of one of them. */
static void deep_many_flow(struct deep_many *m, int i, u32 queued)
{
	struct lapsmp_deep_sample s = {
		.now_ns = m->now_ns,
		.t_ns = BASE_NS + (u64)queued * SEG_NS / 1000,
		.base_ns = BASE_NS,
		.margin_ns = MARGIN_NS,
		.n_paths = 1,
		.full = true,
		.used = true,
	};
	u8 was = m->d[i].state;

	s.rtt_ns = s.t_ns;
	m->acked[i] += m->cwnd[i] / 8;
	s.acked_segs = m->acked[i] / 1000;
	m->acked[i] %= 1000;
	/* It is heard of as often as it sends. */
	if (!s.acked_segs)
		return;
	switch (lapsmp_deep_update(&m->d[i], &s)) {
	case LAPSMP_DEEP_OFF:
		if (s.t_ns > T_NS)
			m->cwnd[i] -= m->cwnd[i] / 80;
		else
			m->cwnd[i] += 30;
		break;
	case LAPSMP_DEEP_ON:
		if (was == LAPSMP_DEEP_TEST)
			m->cwnd[i] = m->before[i];
		else if (queued < BUFFER_SEGS * 1000)
			m->cwnd[i] += 125;
		else if (lcg_below(&m->seed, 8) == 0)
			m->cwnd[i] -= m->cwnd[i] / 10 * 3;
		break;
	case LAPSMP_DEEP_TEST:
		if (was == LAPSMP_DEEP_TEST)
			break;
		m->before[i] = m->cwnd[i];
		m->cwnd[i] = clamp_t(u32, m->cwnd[i] / 16, 250, 1000);
		break;
	}
}

/* Flows that were left alone, when each has its next test at another time. */
static void deep_many_start(struct deep_many *m, int n)
{
	int i;

	*m = (struct deep_many){ .now_ns = 1000000, .seed = 7, .n = n };
	for (i = 0; i < n; i++) {
		m->cwnd[i] = BUFFER_SEGS * 1000 / n;
		m->d[i] = (struct lapsmp_deep){
			.state = LAPSMP_DEEP_ON,
			.since_ns = m->now_ns,
			.heard_ns = m->now_ns,
			.next_ns = m->now_ns + PERIOD_NS * (i + 1) / n,
			.period_ns = PERIOD_NS,
			.base_ns = BASE_NS,
			.margin_ns = MARGIN_NS,
			.low_ns = S64_MAX,
		};
	}
}

static bool deep_many_any_on(const struct deep_many *m)
{
	int i;

	for (i = 0; i < m->n; i++)
		if (m->d[i].state != LAPSMP_DEEP_OFF)
			return true;
	return false;
}

static void deep_alone_all_yield_again(struct kunit *test)
{
	struct deep_many *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	u32 queued;
	int n, i;

	KUNIT_ASSERT_NOT_NULL(test, m);
	for (n = 1; n <= FLOWS_MAX; n++) {
		deep_many_start(m, n);
		while (deep_many_any_on(m) && m->now_ns < 4 * FLOWS_PERIODS * PERIOD_NS) {
			queued = deep_many_queued(m);
			m->now_ns += (BASE_NS + (u64)queued * SEG_NS / 1000) / 8;
			for (i = 0; i < n; i++)
				deep_many_flow(m, i, queued);
		}
		KUNIT_EXPECT_LT_MSG(test, m->now_ns, 2 * FLOWS_PERIODS * PERIOD_NS,
				    "%d flows", n);
	}
}

static struct kunit_case deep_many_test_cases[] = {
	KUNIT_CASE(deep_alone_all_yield_again),
	{}
};

struct kunit_suite lapsmp_deep_many_suite = {
	.name = "lapsmp_deep_many",
	.test_cases = deep_many_test_cases,
};
