// SPDX-License-Identifier: GPL-2.0
/*
 * What a receiver says that is no acknowledgment: prove your address, show that you are at
 * the other one, too, I do not know this flow, I speak another version. What was under way
 * was not seen then, and is sent again as if it had not been sent.
 */
#include "ack.h"
#include "clock.h"
#include "mib.h"
#include "notice.h"
#include "probe.h"
#include "rtx.h"
#include "tx.h"
#include "view.h"

/* Everything out on the path was dropped by the receiver, unseen: send it again. */
static void lapsmp_notice_resend(struct lapsmp_flow *f, struct lapsmp_fpath *fp)
{
	struct lapsmp_slot *slot;
	u32 seq;

	while ((slot = lapsmp_ring_lost_next(&fp->ring, true, &seq)))
		lapsmp_rtx_unseen(f, fp, slot);
}

static void lapsmp_notice_resend_all(struct lapsmp_flow *f)
{
	int i;

	for (i = 0; i < f->n_paths; i++)
		lapsmp_notice_resend(f, &f->fpaths[i]);
}

void lapsmp_notice_cookie(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	u64 now = lapsmp_clock_now();
	struct lapsmp_slot *slot;

	LAPSMP_INC(f->ln, rx_cookies);
	spin_lock_bh(&f->lock);
	slot = __lapsmp_ack_out(f, h);
	/* One answer to each flight: the others' packets are LOST by then. */
	if (f->state == LAPSMP_FLOW_DEAD || f->state == LAPSMP_FLOW_OPEN ||
	    !slot) {
		LAPSMP_INC(f->ln, rx_stale);
		goto out;
	}
	lapsmp_rto_guess(f->peer, now - slot->sent_ns);
	if (f->rcv_inc && f->rcv_inc != h->cookie_inc) {
		/*
		 * It restarted, and may have delivered what we sent before it
		 * did. Sending that again could deliver it twice.
		 */
		WRITE_ONCE(f->peer->rcv_inc, 0);
		__lapsmp_flow_kill(f, ECONNRESET);
		goto out;
	}
	f->answer_ns = now;
	f->rcv_inc = h->cookie_inc;
	f->cookie_time = h->cookie_time;
	f->cookie_mac = h->cookie_mac;
	f->has_cookie = true;
	f->state = LAPSMP_FLOW_SENT;
	lapsmp_notice_resend_all(f);
	__lapsmp_tx_push(f);
out:
	spin_unlock_bh(&f->lock);
}

void lapsmp_notice_challenge(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	u64 now = lapsmp_clock_now();
	struct lapsmp_fpath *fp;
	bool asked;

	LAPSMP_INC(f->ln, rx_challenges);
	spin_lock_bh(&f->lock);
	fp = __lapsmp_ack_path(f, h->path_id);
	/* One answer to each flight, as for a cookie; or to a window probe. */
	if (f->state != LAPSMP_FLOW_OPEN || !fp || fp->joined ||
	    !(__lapsmp_ack_out(f, h) ||
	      (f->wprobe_at_ns && h->seq == fp->ring.next - 1))) {
		LAPSMP_INC(f->ln, rx_stale);
		goto out;
	}
	asked = fp->has_token;
	fp->has_token = true;
	fp->token_time = h->cookie_time;
	fp->token_mac = h->cookie_mac;
	lapsmp_notice_resend(f, fp);
	/* At once, but whoever is never satisfied is not asked for ever so. */
	if (!asked)
		lapsmp_probe_now(f, fp, now);
	__lapsmp_view_challenged(fp);
	__lapsmp_tx_push(f);
out:
	spin_unlock_bh(&f->lock);
}

static int lapsmp_notice_reset_err(u16 reason)
{
	switch (reason) {
	case LAPSMP_RESET_REFUSED:
		return ECONNREFUSED;
	case LAPSMP_RESET_TOOBIG:
		return EMSGSIZE;
	case LAPSMP_RESET_NOMEM:
		return ENOBUFS;
	default:
		return ECONNRESET;
	}
}

/* The peer's own addresses, and not known to be dead. */
static bool lapsmp_notice_home_works(const struct lapsmp_flow *f)
{
	int i;

	for (i = 0; i < f->n_paths; i++) {
		const struct lapsmp_path *p = f->fpaths[i].path;

		if (!p->away && READ_ONCE(p->state) == LAPSMP_PATH_UP)
			return true;
	}
	return false;
}

/*
 * Where a path with a destination or a device of its own leads need not be the peer,
 * if it never worked; nor for ever, if it did, so that it may not know the flow while
 * the peer does. @fp: the path that a RESET is about.
 */
static bool lapsmp_notice_is_stranger(const struct lapsmp_flow *f,
				      const struct lapsmp_fpath *fp, u16 reason)
{
	/* With nothing under way nothing is lost by a new flow. */
	if (!fp || !fp->path->away || !f->n_msgs)
		return false;
	if (!fp->joined &&
	    fp->path->own & (LAPSMP_PATH_OWN_REMOTE | LAPSMP_PATH_OWN_DEV))
		return true;
	return reason == LAPSMP_RESET_UNKNOWN && lapsmp_notice_home_works(f);
}

/* Who is there has to be shown anew that we are here; the others will tell the rest. */
static void lapsmp_notice_leave(struct lapsmp_flow *f, struct lapsmp_fpath *fp)
{
	if (!fp->joined)
		return;
	fp->joined = false;
	fp->has_token = false;
	__lapsmp_view_challenged(fp);
	lapsmp_notice_resend(f, fp);
	__lapsmp_tx_push(f);
}

/* The flow is over. */
static void lapsmp_notice_refused(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	/* It restarted, perhaps: the next flow asks who it is now. */
	if (h->reason == LAPSMP_RESET_UNKNOWN)
		WRITE_ONCE(f->peer->rcv_inc, 0);
	if (h->reason == LAPSMP_RESET_UNREAD || h->reason == LAPSMP_RESET_TOOBIG)
		lapsmp_rtx_whole(f, h->msg, 0);
	/*
	 * With nothing under way nobody needs to know, unless what was acknowledged
	 * will never be read.
	 */
	__lapsmp_flow_kill(f, f->n_msgs || h->reason == LAPSMP_RESET_UNREAD ?
			      lapsmp_notice_reset_err(h->reason) : 0);
}

void lapsmp_notice_reset(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	struct lapsmp_fpath *fp;

	LAPSMP_INC(f->ln, rx_resets);
	spin_lock_bh(&f->lock);
	if (f->state == LAPSMP_FLOW_DEAD)
		goto unlock;
	fp = __lapsmp_ack_path(f, h->path_id);
	if (lapsmp_notice_is_stranger(f, fp, h->reason))
		lapsmp_notice_leave(f, fp);
	else
		lapsmp_notice_refused(f, h);
unlock:
	spin_unlock_bh(&f->lock);
}

void lapsmp_notice_version(struct lapsmp_flow *f, const struct lapsmp_hdr *h)
{
	spin_lock_bh(&f->lock);
	/* We know one version only; a peer that answered in it can speak it. */
	if (f->state != LAPSMP_FLOW_DEAD && f->state != LAPSMP_FLOW_OPEN &&
	    !(h->versions & BIT(LAPSMP_VERSION)))
		__lapsmp_flow_kill(f, EPROTONOSUPPORT);
	spin_unlock_bh(&f->lock);
}
