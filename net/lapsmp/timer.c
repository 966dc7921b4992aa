// SPDX-License-Identifier: GPL-2.0
/*
 * A flow has one timer for everything: the pacer, the timeout of each path's
 * oldest segment, what was sent last, what is sent in vain, probes, the receiver's window, the
 * end of patience. It is set to whatever comes first; firing early costs a look and no more.
 */
#include "ack.h"
#include "alg/rtt.h"
#include "clock.h"
#include "close.h"
#include "mib.h"
#include "probe.h"
#include "rtx.h"
#include "tail.h"
#include "timer.h"
#include "tx.h"
#include "view.h"
#include "xmit.h"

/*
 * A receiver remembers an incarnation for 120 s. A flow that it has not confirmed
 * must not be tried for longer than that, whatever the program's patience, or
 * its first message could be delivered twice (protocol.md, "Opening").
 */
#define LAPSMP_OPEN_MAX_MS	100000

static u64 lapsmp_timer_paths(struct lapsmp_flow *f, u64 now_ns)
{
	u64 next = U64_MAX, at;
	int i;

	for (i = 0; i < f->n_paths; i++) {
		at = lapsmp_rtx_timeout_at(f, &f->fpaths[i]);
		if (at <= now_ns) {
			lapsmp_ack_timeout(f, &f->fpaths[i], now_ns);
			at = lapsmp_rtx_timeout_at(f, &f->fpaths[i]);
		}
		next = min(next, at);
	}
	return next;
}

static bool lapsmp_timer_may_ask(const struct lapsmp_flow *f,
				 const struct lapsmp_fpath *fp)
{
	return !READ_ONCE(fp->path->cut) && lapsmp_view_may_use(f, fp);
}

/* The likeliest to work. */
static struct lapsmp_fpath *lapsmp_timer_best_path(struct lapsmp_flow *f)
{
	struct lapsmp_fpath *best = NULL;
	int i;

	for (i = 0; i < f->n_paths; i++) {
		struct lapsmp_path *p = f->fpaths[i].path;

		if (!lapsmp_timer_may_ask(f, &f->fpaths[i]))
			continue;
		if (!best || (READ_ONCE(p->timeouts) <
			      READ_ONCE(best->path->timeouts)) ||
		    (READ_ONCE(p->timeouts) == READ_ONCE(best->path->timeouts) &&
		     READ_ONCE(p->last_ack_ns) > READ_ONCE(best->path->last_ack_ns)))
			best = &f->fpaths[i];
	}
	return best;
}

/* Nothing is known that would speak against it. */
static bool lapsmp_timer_is_hopeful(const struct lapsmp_flow *f,
				    const struct lapsmp_fpath *fp)
{
	return lapsmp_timer_may_ask(f, fp) && !fp->challenged &&
	       READ_ONCE(fp->path->state) != LAPSMP_PATH_DOWN;
}

/* The one after the last that was asked; of those that are hopeful, if there are any. */
static struct lapsmp_fpath *lapsmp_timer_next_path(struct lapsmp_flow *f)
{
	struct lapsmp_fpath *fp, *any = NULL;
	int i;

	for (i = 1; i <= f->n_paths; i++) {
		fp = &f->fpaths[(f->wprobe_path + i) % f->n_paths];
		if (lapsmp_timer_is_hopeful(f, fp))
			return fp;
		if (!any && lapsmp_timer_may_ask(f, fp))
			any = fp;
	}
	return any;
}

/*
 * With nothing else under way nobody sees a path die. While there is no answer every
 * other question goes to the others, in turn.
 */
static void lapsmp_timer_ask(struct lapsmp_flow *f, u64 now_ns)
{
	struct lapsmp_hdr h = { .type = LAPSMP_T_WPROBE };
	struct lapsmp_fpath *fp;

	f->wprobe_other = f->answer_ns < f->wprobe_sent_ns && !f->wprobe_other;
	fp = f->wprobe_other ? lapsmp_timer_next_path(f) :
			       lapsmp_timer_best_path(f);
	if (!fp)
		return;
	if (f->wprobe_other)
		f->wprobe_path = fp - f->fpaths;
	f->wprobe_sent_ns = now_ns;
	lapsmp_xmit_ctrl(f, fp, &h, LAPSMP_ACK_HLEN - LAPSMP_PROBE_HLEN, now_ns);
}

/* Blocked by the receiver's window: ask whether it is still so. */
static u64 lapsmp_timer_window(struct lapsmp_flow *f, u64 now_ns)
{
	if (!f->wprobe_at_ns)
		return U64_MAX;
	if (f->wprobe_at_ns > now_ns)
		return f->wprobe_at_ns;
	lapsmp_timer_ask(f, now_ns);
	if (f->wprobe_shift < LAPSMP_WPROBE_SHIFT_MAX)
		f->wprobe_shift++;
	f->wprobe_at_ns = now_ns + (LAPSMP_WPROBE_MIN_NS << f->wprobe_shift);
	return f->wprobe_at_ns;
}

u64 lapsmp_timer_patience_ns(const struct lapsmp_flow *f)
{
	u32 ms = f->user_timeout_ms ?: READ_ONCE(f->ln->conf.user_timeout_ms);

	if (f->state != LAPSMP_FLOW_OPEN)
		ms = min_t(u32, ms, LAPSMP_OPEN_MAX_MS);
	return (u64)ms * NSEC_PER_MSEC;
}

/* Return: when the flow's time is up, or 0 if it is. */
static u64 lapsmp_timer_patience(struct lapsmp_flow *f, u64 now_ns)
{
	u64 end = f->answer_ns + lapsmp_timer_patience_ns(f);

	if (now_ns >= end) {
		LAPSMP_INC(f->ln, flow_timeouts);
		__lapsmp_flow_kill(f, f->soft_err ?: ETIMEDOUT);
		return 0;
	}
	if (f->linger_ns && now_ns >= f->linger_ns) {
		lapsmp_close_send(f, LAPSMP_CLOSE_ABORT);
		__lapsmp_flow_kill(f, 0);
		return 0;
	}
	return f->linger_ns ? min(end, f->linger_ns) : end;
}

/*
 * Without an answer the timeout is a guess, and a long one. Another flow to this
 * peer may hear from it, and what it finds out about the round trip is for all.
 */
static u64 lapsmp_timer_look(const struct lapsmp_flow *f, u64 now_ns)
{
	if (f->state == LAPSMP_FLOW_OPEN)
		return U64_MAX;
	return now_ns + max_t(u64, (now_ns - f->answer_ns) / 4,
			      LAPSMP_TX_FIRST_LOOK_NS);
}

void lapsmp_timer_fire(struct lapsmp_flow *f)
{
	u64 now = lapsmp_clock_now(), next;

	if (f->state == LAPSMP_FLOW_DEAD)
		return;
	if (__lapsmp_view_sync(f)) {
		/* There may be none for long: that is no reason to try for ever. */
		if (!f->n_msgs || lapsmp_timer_patience(f, now))
			__lapsmp_flow_arm(f, now + LAPSMP_TX_NOMEM_NS);
		return;
	}
	next = min3(lapsmp_timer_paths(f, now), lapsmp_timer_window(f, now),
		    lapsmp_tail_run(f, now));
	if (f->n_msgs) {
		u64 end = lapsmp_timer_patience(f, now);

		if (!end)
			return;
		next = min3(next, end, lapsmp_timer_look(f, now));
		if (lapsmp_probe_may(f))
			next = min(next, lapsmp_probe_run(f, now));
	}
	/* Before the pump: it arms what is sooner, and its own if nothing is. */
	if (next != U64_MAX)
		__lapsmp_flow_arm(f, max(next, now + NSEC_PER_USEC));
	__lapsmp_tx_push(f);
}
