// SPDX-License-Identifier: GPL-2.0
/*
 * Probes (LAPS section III-D, active probing). A path that was silent for
 * lapsmp_path_stale_ns() gets one; each that is not answered doubles
 * the interval. They are as large as full segments and in the class that the flow sends
 * in just now (pass.h), so that they meet the queue that its data would meet, and overtake
 * none of it; but for paths that are down, which are asked by small ones, and
 * may thus be asked a dozen times as often for the same money. A drawn port whose way may be
 * no more is asked by a small one at once, after each of its first two timeouts: others are
 * measured by it (pathplan.c).
 *
 * Only flows that have something under way probe: an idle peer costs nothing. Their timers do.
 * But messages that are far apart are over before a timer fires, so of paths that are silent
 * the pump asks, too.
 * Flows to one peer share the paths' clocks, so one probes for all. Probes are
 * not paced with the data, which they would delay, but kept to a small part of
 * its rate: all together, since 64 paths of which one carries everything would take
 * 7 % of its link if all were kept to a sixteenth.
 *
 * While paths run empty to be measured (drain.c) none is sent but for that.
 *
 * A path that is down carries probes and nothing else; the first answer brings
 * it up. Larger probes look for a larger path MTU (alg/pmtu.c).
 */
#include "alg/arith.h"
#include "clock.h"
#include "drain.h"
#include "output.h"
#include "pathplan.h"
#include "probe.h"
#include "rtx.h"
#include "seg.h"
#include "view.h"
#include "xmit.h"

/* Back-off ends here. */
#define LAPSMP_PROBE_MAX_NS	(250ULL * 1000 * 1000)
/* And however slow a flow is, it asks this often. */
#define LAPSMP_PROBE_BUDGET_MAX_NS	(5ULL * NSEC_PER_SEC)
/* Between two probes of one flow, so that many paths make no burst. */
#define LAPSMP_PROBE_GAP_NS	(100ULL * 1000)
#define LAPSMP_PROBE_SHIFT_MAX	12
/*
 * Part of the flow's rate that probes of all its paths may take: less than 1 % of the
 * link's, of which the flow's may be a fifth more.
 */
#define LAPSMP_PROBE_PART	160

/* It was measured: whether it works is all that is to be found out. */
static bool lapsmp_probe_is_small(const struct lapsmp_path *p, u64 now_ns)
{
	return READ_ONCE(p->pipe_ns) && (READ_ONCE(p->state) == LAPSMP_PATH_DOWN ||
					 lapsmp_pathplan_in_doubt(p, now_ns));
}

/* Bytes that a probe of it has on the wire. */
static u32 lapsmp_probe_bytes(const struct lapsmp_flow *f,
			      const struct lapsmp_path *p, u64 now_ns)
{
	return lapsmp_probe_is_small(p, now_ns) ? lapsmp_output_frame(LAPSMP_PROBE_SMALL) :
					  f->frame_bytes;
}

/* When something was last heard of it, or is to be. */
static u64 lapsmp_probe_last(const struct lapsmp_path *p)
{
	u64 last = max(READ_ONCE(p->last_ack_ns), READ_ONCE(p->probe_ns));

	/* What is on its way will tell, unless the path is down. */
	if (READ_ONCE(p->state) != LAPSMP_PATH_DOWN)
		last = max(last, READ_ONCE(p->last_sent_ns));
	return last;
}

/*
 * The interval that keeps the probes of all silent paths to their part of the flow's
 * rate. Not where nothing else can be sent: what a window of a twentieth of a segment
 * leaves for probes is one in tens of milliseconds, and until then all would stand
 * still.
 */
static u64 lapsmp_probe_budget_ns(const struct lapsmp_flow *f, u64 now_ns)
{
	const struct lapsmp_path *p;
	u64 bytes = 0;
	int i;

	if (!f->cc.pacing_rate || !f->sight.any_usable)
		return 0;
	for (i = 0; i < f->n_paths; i++) {
		p = f->fpaths[i].path;
		if (READ_ONCE(p->cut) || !lapsmp_view_may_use(f, &f->fpaths[i]))
			continue;
		if (READ_ONCE(p->last_ack_ns) + lapsmp_path_stale_ns(p) <= now_ns)
			bytes += lapsmp_probe_bytes(f, p, now_ns);
	}
	return min_t(u64, LAPSMP_PROBE_BUDGET_MAX_NS,
		     lapsmp_arith_drain_ns(LAPSMP_PROBE_PART * bytes,
					   f->cc.pacing_rate));
}

/*
 * When the path is to be probed, by whichever flow is first; but that the receiver
 * does not know its address, only this flow can change, and soon: a token grows old.
 */
static u64 lapsmp_probe_due(const struct lapsmp_flow *f,
			    const struct lapsmp_fpath *fp, u64 budget_ns, u64 now_ns)
{
	const struct lapsmp_path *p = fp->path;
	unsigned int shift = min_t(unsigned int, READ_ONCE(p->probe_backoff),
				   LAPSMP_PROBE_SHIFT_MAX);
	u64 base = lapsmp_path_stale_ns(p);

	if (fp->challenged)
		return fp->asked_ns + min(base << shift, LAPSMP_PROBE_MAX_NS);
	if (lapsmp_pathplan_in_doubt(p, now_ns))
		return READ_ONCE(p->timeout_ns);
	base = max(base, budget_ns);
	return lapsmp_probe_last(p) +
	       min(base << shift, max(base, LAPSMP_PROBE_MAX_NS));
}

void lapsmp_probe_lost(struct lapsmp_path *p)
{
	if (READ_ONCE(p->probe_backoff) < LAPSMP_PROBE_SHIFT_MAX)
		WRITE_ONCE(p->probe_backoff, READ_ONCE(p->probe_backoff) + 1);
}

/* Return: whether it was sent. */
static bool lapsmp_probe_send(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			      u32 ip_bytes, bool lone, u64 now_ns)
{
	struct lapsmp_seg *seg;

	WRITE_ONCE(fp->path->probe_ns, now_ns);
	fp->asked_ns = now_ns;
	if (!lapsmp_xmit_mss(f, fp, now_ns)) {
		lapsmp_probe_lost(fp->path);
		return false;
	}
	seg = lapsmp_seg_probe(ip_bytes);
	if (!seg)
		return false;
	seg->refs = 1;
	seg->lone = lone;
	fp->probe_out = true;
	if (lapsmp_xmit_seg(f, fp, seg, now_ns) < 0) {
		fp->probe_out = false;
		lapsmp_rtx_unsend(f, seg);
		return false;
	}
	/* If nothing else is under way, nothing else would miss the answer. */
	__lapsmp_flow_arm(f, now_ns + lapsmp_peer_rto_backed_off(f->peer, fp->path,
								 now_ns));
	return true;
}

static bool lapsmp_probe_ask(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns)
{
	return lapsmp_probe_send(f, fp, lapsmp_probe_is_small(fp->path, now_ns) ?
					LAPSMP_PROBE_SMALL : READ_ONCE(fp->path->mtu),
				 false, now_ns);
}

static u32 lapsmp_probe_mtu(struct lapsmp_flow *f, struct lapsmp_path *p,
			    u64 now_ns)
{
	u32 size;

	if (READ_ONCE(p->pmtu.next_ns) > now_ns)
		return 0;
	spin_lock(&f->peer->lock);
	size = lapsmp_pmtu_probe(&p->pmtu, now_ns);
	spin_unlock(&f->peer->lock);
	return size;
}

/* The search for a path MTU waits for what becomes of it. */
static bool lapsmp_probe_search(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u32 ip_bytes,
				u64 now_ns)
{
	if (lapsmp_probe_send(f, fp, ip_bytes, false, now_ns))
		return true;
	lapsmp_path_on_lost(f->peer, fp->path, ip_bytes, 0, now_ns);
	return false;
}

void lapsmp_probe_now(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns)
{
	if (!fp->probe_out)
		lapsmp_probe_ask(f, fp, now_ns);
}

/* Though one is still out: it is lost, then, or it would be waited for (drain.c). */
bool lapsmp_probe_may_lone(const struct lapsmp_flow *f, const struct lapsmp_fpath *fp)
{
	return lapsmp_view_may_use(f, fp) && READ_ONCE(fp->path->pipe_ns) &&
	       !READ_ONCE(fp->path->timeouts) &&
	       READ_ONCE(fp->path->state) != LAPSMP_PATH_DOWN;
}

int lapsmp_probe_lone_from(const struct lapsmp_flow *f, u16 first)
{
	u16 i, n;

	for (i = first, n = f->n_paths; n; n--, i = (i + 1) % f->n_paths)
		if (lapsmp_probe_may_lone(f, &f->fpaths[i]))
			return i;
	return -1;
}

u16 lapsmp_probe_lone(struct lapsmp_flow *f, u16 first, u16 most, u64 now_ns)
{
	u16 n = 0;
	u8 level = f->express.level;
	struct lapsmp_fpath *fp;
	int i;

	/* What passes others does not meet what data does. */
	f->express.level = 0;
	for (i = 0; i < f->n_paths && n < most; i++) {
		fp = &f->fpaths[(first + i) % f->n_paths];
		if (!lapsmp_probe_may_lone(f, fp))
			continue;
		n += lapsmp_probe_send(f, fp, LAPSMP_PROBE_SMALL, true, now_ns);
	}
	f->express.level = level;
	return n;
}

bool lapsmp_probe_may(const struct lapsmp_flow *f)
{
	if (!f->n_msgs || f->wprobe_at_ns)
		return false;
	return f->state != LAPSMP_FLOW_OPENING || !f->inflight;
}

u64 lapsmp_probe_run(struct lapsmp_flow *f, u64 now_ns)
{
	u64 budget_ns, next = U64_MAX, due;
	bool sent = false;
	int i;

	if (lapsmp_drain_is_on(f->peer, now_ns))
		return now_ns + READ_ONCE(f->peer->drain.look_ns);
	budget_ns = lapsmp_probe_budget_ns(f, now_ns);
	for (i = 0; i < f->n_paths; i++) {
		struct lapsmp_fpath *fp = &f->fpaths[i];
		u32 size = 0;

		if (fp->probe_out || !lapsmp_view_may_use(f, fp))
			continue;
		/* Does it work at all is the first question. */
		if (f->state == LAPSMP_FLOW_OPEN &&
		    READ_ONCE(fp->path->state) == LAPSMP_PATH_UP)
			size = lapsmp_probe_mtu(f, fp->path, now_ns);
		due = lapsmp_probe_due(f, fp, budget_ns, now_ns);
		if (size || (due <= now_ns && !sent)) {
			sent = true;
			if (size ? lapsmp_probe_search(f, fp, size, now_ns) :
				   lapsmp_probe_ask(f, fp, now_ns))
				continue;
			/* Somebody has to try again. */
			next = min(next, now_ns + LAPSMP_PROBE_MAX_NS);
			continue;
		}
		if (due <= now_ns)
			due = now_ns + LAPSMP_PROBE_GAP_NS;
		next = min(next, due);
	}
	return next;
}

/*
 * It timed out and was not heard since, or it is down; and an answer would change that. One that
 * nobody has tried yet can wait: data goes there as soon as there is enough of it.
 */
static bool lapsmp_probe_is_silent(const struct lapsmp_flow *f, const struct lapsmp_fpath *fp,
				   u64 now_ns)
{
	const struct lapsmp_path *p = fp->path;

	if (fp->probe_out || READ_ONCE(p->cut) || !lapsmp_view_may_use(f, fp))
		return false;
	switch (READ_ONCE(p->state)) {
	case LAPSMP_PATH_UP:
		return false;
	case LAPSMP_PATH_UNKNOWN:
	case LAPSMP_PATH_PROBING:
		return READ_ONCE(p->timeouts) || now_ns - f->made_ns > LAPSMP_PROBE_MAX_NS;
	default:
		return true;
	}
}

void lapsmp_probe_silent(struct lapsmp_flow *f, u64 now_ns)
{
	u64 first = now_ns + LAPSMP_PROBE_MAX_NS, budget_ns, due;
	struct lapsmp_fpath *fp = NULL;
	int i;

	if (!f->sight.any_silent || f->probe_at_ns > now_ns || !lapsmp_probe_may(f) ||
	    lapsmp_drain_is_on(f->peer, now_ns))
		return;
	budget_ns = lapsmp_probe_budget_ns(f, now_ns);
	for (i = 0; i < f->n_paths; i++) {
		if (!lapsmp_probe_is_silent(f, &f->fpaths[i], now_ns))
			continue;
		due = lapsmp_probe_due(f, &f->fpaths[i], budget_ns, now_ns);
		if (due < first) {
			fp = &f->fpaths[i];
			first = due;
		}
	}
	if (first <= now_ns) {
		lapsmp_probe_ask(f, fp, now_ns);
		/* There may be others. */
		first = now_ns + LAPSMP_PROBE_GAP_NS;
	}
	f->probe_at_ns = first;
}
