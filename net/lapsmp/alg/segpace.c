// SPDX-License-Identifier: GPL-2.0
/*
 * How fast a window is sent: 1.25 of it per round-trip time of the segments.
 *
 * Slightly faster than the acknowledgments come back, so that the window is the limit and the
 * pacing only spreads it. The round-trip time is that of the segments, and not of the paths:
 * where most take a short path, the mean over the paths would have the window sent too slowly.
 *
 * But a mean is late. A window that was sent by a path of 20 ms is paced by that when it comes
 * back, and one of 0.2 ms that takes it up next would get a segment each millisecond until the
 * mean is of both. What takes less than half of the mean is sent by its own round trip. Where
 * both last, what is sent by the longer one is not held up for that: the whole is then paced
 * faster than 1.25 windows per mean, and the window alone is the limit.
 *
 * This file does not know what moves a window.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../compat.h"
#include "arith.h"
#include "segpace.h"

/*
 * The last so many segments make the round-trip time that is paced by: enough
 * that one path in 20 with a hundred times the others' is met regularly;
 */
#define LAPSMP_SEGPACE_SEGS		512
/* this is the most that one of them counts for. */
#define LAPSMP_SEGPACE_RTT_MAX_NS	(100ULL * NSEC_PER_SEC)

void lapsmp_segpace_sample(struct lapsmp_segpace *p, u32 segs, u64 rtt_ns)
{
	s32 n = min_t(u32, segs, LAPSMP_SEGPACE_SEGS);

	rtt_ns = min_t(u64, rtt_ns, LAPSMP_SEGPACE_RTT_MAX_NS);
	if (!rtt_ns || !n)
		return;
	/* The mean of all, until there are as many as that. */
	p->segs = min(p->segs + n, LAPSMP_SEGPACE_SEGS);
	p->srtt_ns += div_s64(((s64)rtt_ns - (s64)p->srtt_ns) * n, p->segs);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_segpace_sample);

void lapsmp_segpace_forget(struct lapsmp_segpace *p)
{
	p->segs = 0;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_segpace_forget);

u64 lapsmp_segpace_rate(const struct lapsmp_segpace *p, u64 cwnd_q16, u32 seg_bytes,
			u64 line_rate)
{
	u64 bytes, rate;

	if (!p->srtt_ns)
		return 0;
	bytes = lapsmp_arith_muldiv(cwnd_q16, seg_bytes, LAPSMP_SEG_Q16);
	rate = lapsmp_arith_muldiv(bytes, NSEC_PER_SEC / 4 * 5, p->srtt_ns);
	/* 0 would mean not paced. */
	return max_t(u64, min(rate, line_rate), 1);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_segpace_rate);

u64 lapsmp_segpace_short(u64 rate, u64 mean_ns, u64 rtt_ns, u64 line_rate)
{
	if (rtt_ns >= mean_ns / 2)
		return rate;
	return max(rate, min(lapsmp_arith_muldiv(rate, mean_ns, rtt_ns), line_rate));
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_segpace_short);
