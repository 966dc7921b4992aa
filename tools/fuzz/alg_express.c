// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes alg/express.c: whatever is sent, queued, acknowledged and lost, and whatever
 * clock and configuration say, beside a model of how much may pass.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "alg/express.h"
#include "alg_fuzz.h"

#define LEVEL_MAX	LAPSMP_EXPRESS_FIRST
/* What a message may cost more than its bytes. */
#define MSG_BYTES	64
/* Nobody is short with fewer, except who began so. */
#define LEAST_SEGS	8U

/**
 * struct model - a flow, and what it may still send
 * @e: under test
 * @cfg: what may pass; it may change at any time
 * @row: bytes that passed, less all that time can have made good
 * @cost: bytes that passed since the beginning, and what their messages cost at most
 * @now: the time
 */
struct model {
	struct lapsmp_express e;
	struct lapsmp_express_cfg cfg;
	u64 row;
	u64 cost;
	u64 now;
};

static void cfg_read(struct fuzz_in *in, struct lapsmp_express_cfg *cfg)
{
	cfg->first_bytes = fuzz_u64(in);
	cfg->bytes = fuzz_u64(in);
	cfg->segs = fuzz_u64(in);
	cfg->line_rate = fuzz_u64(in);
}

/* At most an eighth of the line's rate, rounded up; none by a clock that goes back. */
static void model_clock(struct model *m, u64 now)
{
	double ns = now > m->now ? now - m->now : 0;
	double good = ns * m->cfg.line_rate / 8e9 * 1.000001 + 1;

	if (ns > 0)
		m->row -= good < m->row ? (u64)good : m->row;
	m->now = now;
}

static u8 level_of(const struct lapsmp_express_cfg *cfg, u32 len)
{
	if (!cfg->bytes || len > cfg->bytes)
		return LAPSMP_EXPRESS_NONE;
	return len <= cfg->first_bytes ? LAPSMP_EXPRESS_FIRST : LAPSMP_EXPRESS_SHORT;
}

static void express_begin(struct model *m, struct fuzz_in *in)
{
	u8 was = m->e.level, how = fuzz_u8(in);
	u64 now = how & 2 ? fuzz_u64(in) : m->now + (fuzz_u64(in) >> 16);
	u32 len = fuzz_u64(in), first = max_t(u32, m->cfg.segs, 1);
	u32 window = lapsmp_express_window(&m->e);
	u8 level = level_of(&m->cfg, len);
	bool idle = how & 1;

	model_clock(m, now);
	lapsmp_express_begin(&m->e, &m->cfg, len, idle, now);
	/* By its length it is no more, nor while there is something to overtake. */
	MUST(m->e.level <= level);
	MUST(idle || m->e.level <= was);
	/* And it is no less without a reason. */
	if (idle && m->cost + len <= m->cfg.bytes)
		MUST(m->e.level == level);
	if (m->e.level == LAPSMP_EXPRESS_NONE)
		return;
	MUST(m->row + len <= m->cfg.bytes);
	m->row += len;
	m->cost += (u64)len + MSG_BYTES;
	if (idle)
		window = min_t(u64, 3ULL * first, U32_MAX);
	MUST(lapsmp_express_window(&m->e) == window);
}

static void express_queued(struct model *m, struct fuzz_in *in)
{
	u64 behind = fuzz_u64(in), bytes = m->cfg.bytes;
	u8 was = m->e.level;

	lapsmp_express_queued(&m->e, bytes, behind);
	MUST(m->e.level == was || m->e.level == LAPSMP_EXPRESS_NONE);
	if (!bytes || behind > bytes || m->row + behind > bytes + MSG_BYTES)
		MUST(m->e.level == LAPSMP_EXPRESS_NONE);
	else if (m->cost <= bytes && behind <= bytes - m->cost)
		MUST(m->e.level == was);
}

static void sample_read(struct fuzz_in *in, struct lapsmp_express_sample *s)
{
	u8 flags = fuzz_u8(in);

	*s = (struct lapsmp_express_sample){
		.segs = fuzz_u64(in),
		.inflight_segs = fuzz_u64(in),
		.timed = flags & 1,
		.queue_ns = fuzz_u64(in),
		.base_ns = fuzz_u64(in),
		.margin_ns = fuzz_u64(in),
		.marked = flags & 2,
	};
}

static void express_acked(struct model *m, struct fuzz_in *in)
{
	u32 was, window, heard = m->e.heard;
	struct lapsmp_express_sample s;
	u8 level = m->e.level;

	sample_read(in, &s);
	was = lapsmp_express_window(&m->e);
	lapsmp_express_acked(&m->e, &s);
	MUST(m->e.level == level || m->e.level == LAPSMP_EXPRESS_NONE);
	window = lapsmp_express_window(&m->e);
	if (!s.marked && (!s.timed || s.queue_ns <= s.margin_ns))
		MUST(m->e.level == level);
	if (!heard || !window)
		return;
	if (!s.timed && !s.marked)
		MUST(window == was);
	else if (s.marked || s.queue_ns > s.margin_ns)
		MUST(window <= was && was - window <= s.segs / 4 + 1);
	else
		MUST(window >= was && window - was <= s.segs);
	MUST(window >= min(was, LEAST_SEGS));
}

static void express_lost(struct model *m)
{
	u32 was = lapsmp_express_window(&m->e), window;
	u8 level = m->e.level;

	lapsmp_express_lost(&m->e);
	MUST(m->e.level == level || m->e.level == LAPSMP_EXPRESS_NONE);
	window = lapsmp_express_window(&m->e);
	MUST(!window || window >= LEAST_SEGS);
	/* More than 32 bits are not shown. */
	MUST(was == U32_MAX || window <= was / 2);
}

static void express_check(const struct model *m, struct fuzz_in *in)
{
	u64 line = fuzz_u64(in), slow = max_t(u64, line / 8, 1);
	u64 rate = lapsmp_express_rate(&m->e, line, fuzz_u64(in));

	MUST(m->e.level <= LEVEL_MAX);
	MUST(!lapsmp_express_window(&m->e) == (m->e.level == LAPSMP_EXPRESS_NONE));
	MUST(rate == line || (rate == slow && !m->e.heard));
	/* With nothing under way it need not wait. */
	if (m->e.level)
		MUST(lapsmp_express_rate(&m->e, line, 0) == line);
}

void fuzz_express(struct fuzz_in *in)
{
	struct model m = {};

	cfg_read(in, &m.cfg);
	while (in->size) {
		switch (fuzz_u8(in) & 7) {
		case 0: cfg_read(in, &m.cfg); break;
		case 1: express_lost(&m); break;
		case 2: express_queued(&m, in); break;
		case 3:
		case 4: express_acked(&m, in); break;
		default: express_begin(&m, in); break;
		}
		express_check(&m, in);
	}
}
