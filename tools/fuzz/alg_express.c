// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes alg/express.c: whatever is sent, queued, acknowledged and lost, and whatever
 * clock and configuration say, beside a model of how much may pass.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "alg/express.h"
#include "alg_fuzz.h"

/* What a message may cost more than its bytes. */
#define MSG_BYTES	64
/* Nobody is short with fewer, except who began so. */
#define FEW		4
#define LEAST_SEGS	8U

/**
 * struct model - a flow, and what it may still send
 * @e: under test
 * @cfg: what may pass; it may change at any time
 * @row: bytes that passed, less all that time can have made good
 * @cost: bytes that passed since the beginning, and what their messages cost at most
 * @now: the time
 * @heard: there was an answer since it last began to pass
 * @first: segments that it may have under way until then
 * @cut: when a loss last counted since, 0 if none did
 */
struct model {
	struct lapsmp_express e;
	struct lapsmp_express_cfg cfg;
	u64 row;
	u64 cost;
	u64 now;
	bool heard;
	u32 first;
	u64 cut;
};

static void cfg_read(struct fuzz_in *in, struct lapsmp_express_cfg *cfg)
{
	int i;

	for (i = 0; i < LAPSMP_EXPRESS_CLASSES; i++)
		cfg->bytes[i] = fuzz_u64(in);
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

/* The best class that is long enough: from the worst to the best. */
static u8 level_of(const struct lapsmp_express_cfg *cfg, u64 len, u32 *most)
{
	u8 level = LAPSMP_EXPRESS_NONE;
	int i;

	*most = 0;
	for (i = LAPSMP_EXPRESS_CLASSES - 1; i >= 0; i--) {
		*most = max(*most, cfg->bytes[i]);
		if (cfg->bytes[i] && len <= cfg->bytes[i])
			level = LAPSMP_EXPRESS_CLASSES - i;
	}
	return level;
}

/* The window that an answer is about, with @segs under way at first. */
static u32 model_hear(struct model *m, u64 segs)
{
	u32 window = lapsmp_express_window(&m->e);

	if (!m->heard && m->e.level)
		window = min_t(u64, max_t(u64, m->first, segs), U32_MAX);
	m->heard = true;
	return window;
}

static void express_begin(struct model *m, struct fuzz_in *in)
{
	u8 was = m->e.level, how = fuzz_u8(in);
	u64 now = how & 2 ? fuzz_u64(in) : m->now + (fuzz_u64(in) >> 16);
	u32 len = fuzz_u64(in), first = max_t(u32, m->cfg.segs, 1), most;
	u32 window = lapsmp_express_window(&m->e);
	u8 level = level_of(&m->cfg, len, &most);
	bool idle = how & 1;

	model_clock(m, now);
	lapsmp_express_begin(&m->e, &m->cfg, len, idle, now);
	/* It is what its length says, or nothing; or no more than what it must not overtake. */
	if (idle)
		MUST(m->e.level == level || m->e.level == LAPSMP_EXPRESS_NONE);
	else
		MUST(m->e.level == min(was, level) || m->e.level == LAPSMP_EXPRESS_NONE);
	/* And it is not nothing without a reason. */
	if (m->cost + len <= most)
		MUST(m->e.level == (idle ? level : min(was, level)));
	if (m->e.level == LAPSMP_EXPRESS_NONE)
		return;
	MUST(m->row + len <= most);
	m->row += len;
	m->cost += (u64)len + MSG_BYTES;
	if (idle) {
		window = min_t(u64, 3ULL * first, U32_MAX);
		m->heard = false;
		m->first = first;
		m->cut = 0;
	} else if (!m->heard) {
		window = min_t(u64, 3ULL * first, window);
		m->first = min(m->first, first);
	}
	MUST(lapsmp_express_window(&m->e) == window);
}

static void express_queued(struct model *m, struct fuzz_in *in)
{
	u64 behind = fuzz_u64(in);
	u8 was = m->e.level, level;
	u32 len = fuzz_u64(in), most;

	level = level_of(&m->cfg, min(behind, U64_MAX - len) + len, &most);
	level = min(was, level);
	/* A class that there is no more takes nothing. */
	if (level && !m->cfg.bytes[LAPSMP_EXPRESS_CLASSES - level])
		level = LAPSMP_EXPRESS_NONE;
	lapsmp_express_queued(&m->e, &m->cfg, len, behind);
	MUST(m->e.level == level || m->e.level == LAPSMP_EXPRESS_NONE);
	if (!most || behind > most || m->row + behind > (u64)most + MSG_BYTES)
		MUST(m->e.level == LAPSMP_EXPRESS_NONE);
	else if (m->cost <= most && behind <= most - m->cost)
		MUST(m->e.level == level);
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

/* It stays within a quarter of what was acknowledged, and a fraction. */
static void acked_check_less(const struct lapsmp_express_sample *s, u32 was, u32 window)
{
	u32 most = s->segs / 4 + 1;

	if (!window) {
		MUST(was < LEAST_SEGS + most);
		return;
	}
	MUST(window <= was && was - window <= most);
	MUST(window >= min(was, LEAST_SEGS));
	/* More than 32 bits are not shown. */
	if (s->marked && was < U32_MAX)
		MUST(was - window >= s->segs / 4);
}

static void acked_check_more(const struct lapsmp_express_sample *s, u32 was, u32 window)
{
	u32 more = s->segs / 4;

	if (s->queue_ns < s->margin_ns / 2)
		MUST(window == min_t(u64, (u64)was + s->segs, U32_MAX));
	else
		MUST(window == min_t(u64, (u64)was + more, U32_MAX) ||
		     window == min_t(u64, (u64)was + more + 1, U32_MAX));
}

static void express_acked(struct model *m, struct fuzz_in *in)
{
	struct lapsmp_express_sample s;
	u8 level = m->e.level;
	u32 was, window;

	sample_read(in, &s);
	was = model_hear(m, (u64)s.inflight_segs + s.segs);
	lapsmp_express_acked(&m->e, &s);
	MUST(m->e.level == level || m->e.level == LAPSMP_EXPRESS_NONE);
	window = lapsmp_express_window(&m->e);
	if (!level)
		return;
	if (!s.timed && !s.marked)
		MUST(window == was);
	else if (s.marked || s.queue_ns > s.margin_ns)
		acked_check_less(&s, was, window);
	else
		acked_check_more(&s, was, window);
}

static void express_lost(struct model *m, struct fuzz_in *in)
{
	u64 sent = fuzz_u8(in) & 1 ? m->cut + (fuzz_u8(in) & 3) - 1 : fuzz_u64(in);
	/* No loss counts at 0, which would read as no cut. The refill keeps its own time. */
	u64 now = max(m->now, 1ULL);
	u32 inflight = fuzz_u64(in), was = model_hear(m, inflight), window;
	u8 level = m->e.level;

	lapsmp_express_lost(&m->e, inflight, sent, now);
	MUST(m->e.level == level || m->e.level == LAPSMP_EXPRESS_NONE);
	window = lapsmp_express_window(&m->e);
	if (m->cut && sent < m->cut) {
		MUST(m->e.level == level && window == was);
		return;
	}
	m->cut = now;
	/* More than 32 bits are not shown. */
	if (was == U32_MAX)
		MUST(window >= was / 2);
	else
		MUST(window == (was < 2 * LEAST_SEGS ? 0 : was / 2));
}

static void express_check(const struct model *m, struct fuzz_in *in)
{
	u32 unheard = fuzz_u8(in), inflight = fuzz_u64(in);
	u64 line = fuzz_u64(in), slow = line / 8 / (unheard > FEW ? unheard : 1);
	bool trickles = !m->heard && inflight >= m->first;

	MUST(m->e.level <= LAPSMP_EXPRESS_CLASSES);
	MUST(!lapsmp_express_window(&m->e) == (m->e.level == LAPSMP_EXPRESS_NONE));
	MUST(lapsmp_express_rate(&m->e, line, unheard, inflight) ==
	     max_t(u64, trickles ? slow : line, 1));
}

void fuzz_express(struct fuzz_in *in)
{
	struct model m = {};

	cfg_read(in, &m.cfg);
	while (in->size) {
		switch (fuzz_u8(in) & 7) {
		case 0: cfg_read(in, &m.cfg); break;
		case 1: express_lost(&m, in); break;
		case 2: express_queued(&m, in); break;
		case 3:
		case 4: express_acked(&m, in); break;
		default: express_begin(&m, in); break;
		}
		express_check(&m, in);
	}
}
