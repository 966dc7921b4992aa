// SPDX-License-Identifier: GPL-2.0
/* Where the network has classes for short messages, theirs leave in them. */
#include <linux/math64.h>
#include <net/inet_ecn.h>
#include "mib.h"
#include "pass.h"
#include "rtx.h"

static bool lapsmp_pass_has_dscp(u8 tos)
{
	return tos & ~INET_ECN_MASK;
}

/*
 * How long the first window may stand before a slow link. Three times as much may be sent
 * before an answer, on a link that is half as fast as was guessed: still less than the least
 * timeout, 400 us.
 */
#define LAPSMP_PASS_STAND_NS	(50 * NSEC_PER_USEC)

/*
 * Segments to begin with. A path's margin is what some segments take on its slowest link, or
 * more: where delays jitter, and while the link is not known.
 */
static u32 lapsmp_pass_segs(const struct lapsmp_flow *f)
{
	const struct lapsmp_conf *conf = &f->ln->conf;
	u32 most = READ_ONCE(conf->express_segs), least = READ_ONCE(conf->initcwnd);
	u64 margin_ns = U64_MAX, segs;
	int i;

	for (i = 0; i < f->n_paths; i++)
		if (f->views[i].usable && f->views[i].margin_ns > 0)
			margin_ns = min_t(u64, margin_ns, f->views[i].margin_ns);
	segs = div64_u64(LAPSMP_PASS_STAND_NS * max(READ_ONCE(conf->margin_segs), 1),
			 margin_ns);
	return lapsmp_express_first(clamp_t(u64, segs, min(least, most), most), least,
				    lapsmp_pass_unheard(f));
}

/* How the network is told of class @i: as it is, or else as the next one is; 0: not at all. */
static u8 lapsmp_pass_tos(const struct lapsmp_conf *conf, unsigned int i)
{
	u8 tos;

	for (; i < LAPSMP_EXPRESS_CLASSES; i++) {
		tos = READ_ONCE(conf->express_tos[i]);
		if (lapsmp_pass_has_dscp(tos))
			return tos;
	}
	return 0;
}

/*
 * What may pass. A program that has chosen a class knows better. Return: whether anything
 * does.
 */
static bool lapsmp_pass_cfg(const struct lapsmp_flow *f, struct lapsmp_express_cfg *cfg)
{
	const struct lapsmp_conf *conf = &f->ln->conf;
	unsigned int i;

	*cfg = (struct lapsmp_express_cfg){ .line_rate = f->cc_cfg.line_rate };
	if (lapsmp_pass_has_dscp(f->peer->key.tos))
		return false;
	for (i = 0; i < LAPSMP_EXPRESS_CLASSES && lapsmp_pass_tos(conf, i); i++)
		cfg->bytes[i] = READ_ONCE(conf->express_bytes[i]);
	return i;
}

/*
 * Nothing is under way that could be overtaken: no probe either, but of a path that does not
 * answer.
 */
static bool lapsmp_pass_is_idle(const struct lapsmp_flow *f)
{
	int i;

	if (f->inflight || f->n_lost)
		return false;
	for (i = 0; i < f->n_paths; i++)
		if (f->fpaths[i].probe_out &&
		    READ_ONCE(f->fpaths[i].path->state) != LAPSMP_PATH_DOWN)
			return false;
	return true;
}

/*
 * It will have more under way than any flow may begin with: others' first windows are
 * smaller for it, until something is heard of this one.
 */
static void lapsmp_pass_await(struct lapsmp_flow *f)
{
	if (f->unheard ||
	    f->unsent <= (u64)READ_ONCE(f->ln->conf.initcwnd) * f->piece_bytes)
		return;
	f->unheard = true;
	atomic_inc(&f->ln->n_unheard);
}

void lapsmp_pass_heard(struct lapsmp_flow *f)
{
	if (!f->unheard)
		return;
	f->unheard = false;
	atomic_dec(&f->ln->n_unheard);
}

static void lapsmp_pass_begin(struct lapsmp_flow *f, const struct lapsmp_tmsg *m,
			      struct lapsmp_express_cfg *cfg, u64 now_ns)
{
	bool idle = lapsmp_pass_is_idle(f);

	/* A short header may have a long body behind it, before the first is answered. */
	if (idle || (f->express.level && !f->express.heard))
		lapsmp_pass_await(f);
	cfg->segs = lapsmp_pass_segs(f);
	lapsmp_express_begin(&f->express, cfg, m->len, idle, now_ns);
	/* Too long to pass, and so no more than others may. */
	if (!f->express.level)
		lapsmp_pass_heard(f);
}

/* What is queued behind the message that is being sent, bytes. */
static u64 lapsmp_pass_behind(const struct lapsmp_flow *f)
{
	const struct lapsmp_tmsg *m = f->send_msg;

	return f->unsent - (m ? m->len - m->sent : 0);
}

bool lapsmp_pass_rank(struct lapsmp_flow *f, u64 now_ns)
{
	struct lapsmp_tmsg *m = f->send_msg;
	bool begins = m && !m->ranked && !f->n_lost;
	struct lapsmp_express_cfg cfg;
	u8 was = f->express.level;
	bool any;

	if (!was && !begins)
		return false;
	any = lapsmp_pass_cfg(f, &cfg);
	if (begins)
		m->ranked = true;
	/* Nothing passes, and nothing did: the usual case. */
	if (!any && !was)
		return false;
	if (begins)
		lapsmp_pass_begin(f, m, &cfg, now_ns);
	if (f->express.level && (!m || m->ranked))
		lapsmp_express_queued(&f->express, &cfg, m ? m->len : 0,
				      lapsmp_pass_behind(f));
	if (begins && f->express.level)
		LAPSMP_INC(f->ln, express_messages);
	return f->express.level != was;
}

void lapsmp_pass_acked(struct lapsmp_flow *f, const struct lapsmp_rtx_sum *sum,
		       const struct lapsmp_path_sample *s,
		       const struct lapsmp_path *p, bool marked)
{
	struct lapsmp_express_sample es = {
		.segs = sum->passed_segs,
		.inflight_segs = f->inflight,
		.timed = s->timed && s->passed,
		.queue_ns = s->queue_ns,
		.base_ns = READ_ONCE(p->base_ns),
		.margin_ns = READ_ONCE(p->margin_ns),
		.marked = marked,
	};

	/* While it passes, of what passed: others may have been under way before. */
	if (sum->passed_segs || !f->express.level)
		lapsmp_pass_heard(f);
	if (sum->passed_segs && f->express.level)
		lapsmp_express_acked(&f->express, &es);
}

void lapsmp_pass_lost(struct lapsmp_flow *f, const struct lapsmp_rtx_sum *sum, u64 now_ns)
{
	lapsmp_pass_heard(f);
	if (f->express.level)
		lapsmp_express_lost(&f->express, f->inflight + sum->passed_segs +
				    sum->passed_lost, sum->passed_lost_ns, now_ns);
}

u8 lapsmp_pass_mark(const struct lapsmp_flow *f, u8 level, struct sk_buff *skb, u8 tos)
{
	const struct lapsmp_conf *conf = &f->ln->conf;
	u8 own;

	if (!level)
		return tos;
	own = lapsmp_pass_tos(conf, lapsmp_express_class(level));
	/* It was taken away meanwhile. */
	if (!own)
		return tos;
	skb->priority = READ_ONCE(conf->ack_prio);
	return (own & ~INET_ECN_MASK) | (tos & INET_ECN_MASK);
}
