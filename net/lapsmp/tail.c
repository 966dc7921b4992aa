// SPDX-License-Identifier: GPL-2.0
/*
 * A segment is known to be lost when a later one of its path was acknowledged
 * (alg/lossring.c). For the last ones there is none: on an idle host of 16 us of round
 * trip they would wait for the least timeout, 400 us, and a message of one segment
 * twenty times as long as it takes.
 *
 * So once the flow has nothing more to send, a path on which nothing was sent for
 * a probe timeout, and which still owes acknowledgments, is sent the oldest of what it
 * owes once more. If that was lost, this is its retransmission, and no other path's
 * state has to be guessed at; and the acknowledgment tells what became of all the
 * others. Nothing is deemed lost for it, no window and no path becomes smaller: too
 * early, it is a duplicate, which the receiver throws away. What follows an answer that
 * does not come is the timeout. Hence once for each silence: the next segment of the
 * path, whichever it is, ends that.
 *
 * Reference: RFC 8985 section 7, tail loss probe; there by connection, here by path, for
 * the order of acknowledgments is a path's.
 */
#include "clock.h"
#include "mib.h"
#include "output.h"
#include "pass.h"
#include "rtx.h"
#include "tail.h"
#include "view.h"
#include "xmit.h"

/*
 * When the path is to be asked; U64_MAX if it owes nothing, was asked, or would answer
 * when its timeout has told already.
 */
static u64 lapsmp_tail_at(const struct lapsmp_flow *f, struct lapsmp_fpath *fp)
{
	const struct lapsmp_path *p = fp->path;
	u64 at;

	if (!fp->ring.out || fp->tail_seq == fp->ring.next || !fp->joined ||
	    READ_ONCE(p->cut) || READ_ONCE(p->state) == LAPSMP_PATH_DOWN ||
	    !READ_ONCE(p->srtt_ns) || !lapsmp_view_may_use(f, fp))
		return U64_MAX;
	at = lapsmp_ring_newest(&fp->ring)->sent_ns + READ_ONCE(p->pto_ns);
	if (at + READ_ONCE(p->srtt_ns) >= lapsmp_rtx_timeout_at(f, fp))
		return U64_MAX;
	return at;
}

static void lapsmp_tail_ask(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
			    u64 now_ns)
{
	u32 mss = lapsmp_xmit_mss(f, fp, now_ns);
	struct lapsmp_seg *seg;
	int bytes;

	/* Whatever becomes of it, the timeout is next. */
	fp->tail_seq = fp->ring.next;
	seg = lapsmp_rtx_oldest(fp);
	if (!seg)
		return;
	if (seg->len > mss) {
		lapsmp_rtx_unsend(f, seg);
		return;
	}
	bytes = lapsmp_xmit_seg(f, fp, seg, now_ns);
	if (bytes < 0) {
		lapsmp_rtx_unsend(f, seg);
		return;
	}
	fp->tail_seq = fp->ring.next;
	LAPSMP_INC(f->ln, tail_segs);
	lapsmp_pacer_sent(&f->pacer, bytes, lapsmp_pass_rate(f), now_ns);
}

static bool lapsmp_tail_is_over(const struct lapsmp_flow *f)
{
	return f->state == LAPSMP_FLOW_OPEN && f->inflight &&
	       !lapsmp_rtx_has_work(f);
}

u64 lapsmp_tail_run(struct lapsmp_flow *f, u64 now_ns)
{
	u64 next = U64_MAX, at;
	int i;

	if (!lapsmp_tail_is_over(f))
		return U64_MAX;
	for (i = 0; i < f->n_paths; i++) {
		at = lapsmp_tail_at(f, &f->fpaths[i]);
		if (at <= now_ns)
			lapsmp_tail_ask(f, &f->fpaths[i], now_ns);
		else
			next = min(next, at);
	}
	lapsmp_xmit_flush(f, now_ns);
	return next;
}

void lapsmp_tail_arm(struct lapsmp_flow *f, u64 now_ns)
{
	u64 next = U64_MAX;
	int i;

	/* It fires soon enough, and will see. */
	if (!lapsmp_tail_is_over(f) ||
	    (f->timer_at && f->timer_at <= now_ns + LAPSMP_PTO_MIN_NS))
		return;
	for (i = 0; i < f->n_paths; i++)
		next = min(next, lapsmp_tail_at(f, &f->fpaths[i]));
	if (next != U64_MAX)
		__lapsmp_flow_arm(f, max(next, now_ns));
}
