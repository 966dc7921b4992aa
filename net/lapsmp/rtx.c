// SPDX-License-Identifier: GPL-2.0
/*
 * The scoreboard. A segment's life:
 *
 *	cut --sent--> slot OUT --acked--> done
 *	  ^             |  '--lost--> in f->lost --sent--> another slot OUT ...
 *	  |             '--- late ack of a LOST slot --> done, too
 *
 * A slot keeps a reference to its segment for as long as the ring retains it,
 * so that an acknowledgment of either transmission ends both.
 */
#include <linux/slab.h>
#include "clock.h"
#include "drain.h"
#include "mib.h"
#include "output.h"
#include "rtx.h"
#include "seg.h"
#include "tmsg.h"
#include "trace.h"
#include "wire.h"

#define LAPSMP_RING_MAX		32768
/* A LOST slot is kept this long for its late acknowledgment. */
#define LAPSMP_RTX_KEEP_RTOS	4

/* --- what waits to be sent again ------------------------------------------------- */

/* Neither changes while it waits; message numbers wrap. */
static bool lapsmp_rtx_before(struct rb_node *a, const struct rb_node *b)
{
	const struct lapsmp_seg *x = rb_entry(a, struct lapsmp_seg, node);
	const struct lapsmp_seg *y = rb_entry(b, struct lapsmp_seg, node);
	s32 msgs = x->msg->no - y->msg->no;

	return msgs ? msgs < 0 : x->off < y->off;
}

static bool lapsmp_rtx_listed(const struct lapsmp_seg *seg)
{
	return !RB_EMPTY_NODE(&seg->node);
}

/* The caller's reference becomes the list's. */
static void lapsmp_rtx_list(struct lapsmp_flow *f, struct lapsmp_seg *seg)
{
	rb_add_cached(&seg->node, &f->lost, lapsmp_rtx_before);
	f->n_lost++;
}

/* The list's reference becomes the caller's. */
static void lapsmp_rtx_unlist(struct lapsmp_flow *f, struct lapsmp_seg *seg)
{
	rb_erase_cached(&seg->node, &f->lost);
	RB_CLEAR_NODE(&seg->node);
	f->n_lost--;
}

static struct lapsmp_seg *lapsmp_rtx_first_lost(const struct lapsmp_flow *f)
{
	return rb_entry_safe(rb_first_cached(&f->lost), struct lapsmp_seg, node);
}

/* --- what to send ---------------------------------------------------------------- */

bool lapsmp_rtx_has_work(const struct lapsmp_flow *f)
{
	return f->n_lost || f->send_msg;
}

/*
 * The writer is about to bring more: no short segment in the middle. But if
 * nothing is under way, it may be waiting for room itself.
 */
static bool lapsmp_rtx_incomplete(const struct lapsmp_flow *f,
				  const struct lapsmp_tmsg *m, u32 mss)
{
	u32 avail = m->copied - m->sent;

	return m->copied < m->len && avail < mss && (!avail || f->inflight);
}

bool lapsmp_rtx_waits(const struct lapsmp_flow *f)
{
	return !f->n_lost && f->send_msg &&
	       lapsmp_rtx_incomplete(f, f->send_msg, f->piece_bytes);
}

static struct lapsmp_seg *lapsmp_rtx_next_lost(struct lapsmp_flow *f, u32 mss)
{
	struct lapsmp_seg *seg, *rest;
	u32 fit;

	while ((seg = lapsmp_rtx_first_lost(f))) {
		if (lapsmp_seg_over(seg)) {
			lapsmp_rtx_unlist(f, seg);
			lapsmp_seg_put(seg);
			continue;
		}
		fit = seg->kind == LAPSMP_SEG_DATA && seg->len ?
		      lapsmp_seg_fit(seg->chunk, seg->off, seg->len, mss) :
		      seg->len;
		if (fit < seg->len) {
			/*
			 * The slots of its earlier transmissions would end only
			 * the first part: they forget it. What they tell late is
			 * a duplicate at the receiver, nothing worse.
			 */
			rest = lapsmp_seg_split(seg, fit);
			if (!rest)
				return ERR_PTR(-ENOMEM);
			lapsmp_rtx_list(f, rest);
		}
		lapsmp_rtx_unlist(f, seg);
		return seg;
	}
	return NULL;
}

/* Credits that a message's next @len bytes cost. */
static u32 lapsmp_rtx_cost(const struct lapsmp_tmsg *m, u32 len)
{
	return len + (m->begun ? 0 : LAPSMP_MSG_CREDIT);
}

/* Bytes of @m that may be sent now, at most @len; -1 if it may not begin. */
static s64 lapsmp_rtx_room(const struct lapsmp_flow *f,
			   const struct lapsmp_tmsg *m, u32 len)
{
	/* An ABORT counts its message as a whole, beyond the limit if need be. */
	s32 room = f->credit_limit - f->credit_used;
	s32 fixed = lapsmp_rtx_cost(m, 0);

	if (m->no - f->rcv_msg >= LAPSMP_MSG_WINDOW || room < fixed)
		return -1;
	return min_t(u32, len, room - fixed);
}

static struct lapsmp_seg *lapsmp_rtx_next_new(struct lapsmp_flow *f, u32 mss,
					      bool *blocked)
{
	struct lapsmp_tmsg *m = f->send_msg;
	struct lapsmp_chunk *c;
	struct lapsmp_seg *seg;
	s64 room;
	u32 len;

	if (!m || lapsmp_rtx_incomplete(f, m, mss))
		return NULL;
	len = min(m->copied - m->sent, mss);
	room = lapsmp_rtx_room(f, m, len);
	if (room < 0 || (room < len && (!room || f->inflight))) {
		*blocked = true;
		return NULL;
	}
	f->wprobe_at_ns = 0;
	seg = lapsmp_seg_alloc(LAPSMP_SEG_DATA, m);
	if (!seg)
		return ERR_PTR(-ENOMEM);
	seg->off = m->sent;
	if (room) {
		/* Chunks before it may be gone, so look from the end. */
		c = list_last_entry(&m->chunks, struct lapsmp_chunk, node);
		while (c->off > seg->off)
			c = list_prev_entry(c, node);
		seg->chunk = c;
		seg->len = lapsmp_seg_fit(c, seg->off, room, mss);
	}
	seg->refs = 1;
	f->credit_used += lapsmp_rtx_cost(m, seg->len);
	f->unsent -= seg->len;
	m->begun = true;
	m->sent += seg->len;
	if (m->sent == m->len)
		f->send_msg = list_is_last(&m->node, &f->msgs) ?
			      NULL : list_next_entry(m, node);
	return seg;
}

struct lapsmp_seg *lapsmp_rtx_next(struct lapsmp_flow *f, u32 mss, bool *blocked)
{
	struct lapsmp_seg *seg = lapsmp_rtx_next_lost(f, mss);

	return seg ?: lapsmp_rtx_next_new(f, mss, blocked);
}

void lapsmp_rtx_unsend(struct lapsmp_flow *f, struct lapsmp_seg *seg)
{
	if (lapsmp_seg_over(seg)) {
		lapsmp_seg_put(seg);
		return;
	}
	lapsmp_rtx_list(f, seg);
}

/* --- what became of it -------------------------------------------------------------- */

int lapsmp_rtx_reserve(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns)
{
	struct lapsmp_ring *r = &fp->ring;
	struct lapsmp_slot *slot;
	u32 n;

	if (r->slot && !lapsmp_ring_full(r))
		return 0;
	lapsmp_rtx_retire(f, fp, now_ns);
	if (r->slot && !lapsmp_ring_full(r))
		return 0;
	n = r->slot ? 2 * (r->mask + 1) : LAPSMP_RING_MIN;
	if (n > LAPSMP_RING_MAX)
		return -ENOBUFS;
	slot = kvcalloc(n, sizeof(*slot), GFP_ATOMIC | __GFP_NOWARN);
	if (!slot) {
		LAPSMP_INC(f->ln, nomem);
		return -ENOBUFS;
	}
	kvfree(lapsmp_ring_grow(r, slot, n));
	return 0;
}

static void lapsmp_rtx_inflight(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
				const struct lapsmp_seg *seg, int n)
{
	atomic_add(n, &fp->path->inflight);
	if (seg->kind != LAPSMP_SEG_PROBE)
		f->inflight += n;
}

u32 lapsmp_rtx_sent(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		    struct lapsmp_seg *seg, u32 frame_bytes, u64 now_ns)
{
	bool alone = seg->lone ? f->peer->drain.empty :
				 !atomic_read(&fp->path->inflight) && lapsmp_drain_is_empty(f);

	lapsmp_rtx_inflight(f, fp, seg, 1);
	if (seg->tx < U8_MAX)
		seg->tx++;
	/* The caller's reference, that of the list it was in, becomes the slot's. */
	if (!seg->refs)
		seg->refs = 1;
	return lapsmp_ring_push(&fp->ring, seg, frame_bytes, alone, f->express.level,
				now_ns);
}

/* A segment, one of @all or of those that passed them. Probes are none. */
static void lapsmp_rtx_count(const struct lapsmp_slot *slot, u32 *all, u32 *passed)
{
	const struct lapsmp_seg *seg = slot->seg;

	if (seg->kind != LAPSMP_SEG_PROBE)
		++*(slot->passed ? passed : all);
}

void lapsmp_rtx_acked(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		      struct lapsmp_slot *slot, bool was_lost,
		      struct lapsmp_rtx_sum *sum)
{
	struct lapsmp_seg *seg = slot->seg;
	u32 ip_bytes = slot->bytes - lapsmp_output_frame(0);

	sum->ip_bytes = max(sum->ip_bytes, ip_bytes);
	if (!was_lost) {
		lapsmp_rtx_inflight(f, fp, seg, -1);
		sum->acked_bytes += slot->bytes;
		lapsmp_rtx_count(slot, &sum->acked_segs, &sum->passed_segs);
	} else if (seg->kind != LAPSMP_SEG_PROBE) {
		sum->spurious_segs += !slot->passed;
		f->stats_spurious++;
		atomic64_inc(&fp->path->stats.spurious_segs);
		LAPSMP_INC(f->ln, spurious_segs);
		if (f->ls)
			atomic64_inc(&f->ls->stats.spurious_segs);
	}
	if (seg->kind == LAPSMP_SEG_PROBE) {
		/* One that was lost may have a successor. */
		if (!was_lost)
			fp->probe_out = false;
		return;
	}
	lapsmp_vain_over(&f->vain);
	if (!lapsmp_seg_over(seg)) {
		atomic64_inc(&fp->path->stats.acked_segs);
		lapsmp_seg_done(f, seg);
		if (lapsmp_rtx_listed(seg)) {
			lapsmp_rtx_unlist(f, seg);
			lapsmp_seg_put(seg);
		}
	}
}

/* It is to be sent again, unless there is no need to any more. */
static void lapsmp_rtx_again(struct lapsmp_flow *f, struct lapsmp_seg *seg)
{
	if (lapsmp_seg_over(seg) || lapsmp_rtx_listed(seg))
		return;
	seg->refs++;
	lapsmp_rtx_list(f, seg);
}

void lapsmp_rtx_unseen(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		       struct lapsmp_slot *slot)
{
	struct lapsmp_seg *seg = slot->seg;

	lapsmp_rtx_inflight(f, fp, seg, -1);
	if (seg->kind == LAPSMP_SEG_PROBE) {
		fp->probe_out = false;
		return;
	}
	seg->tx = 0;
	lapsmp_vain_over(&f->vain);
	lapsmp_rtx_again(f, seg);
}

void lapsmp_rtx_lost(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		     struct lapsmp_slot *slot, struct lapsmp_rtx_sum *sum)
{
	struct lapsmp_seg *seg = slot->seg;

	lapsmp_rtx_inflight(f, fp, seg, -1);
	sum->lost_bytes = max(sum->lost_bytes,
			      slot->bytes - lapsmp_output_frame(0));
	if (seg->kind == LAPSMP_SEG_PROBE) {
		fp->probe_out = false;
		return;
	}
	lapsmp_rtx_count(slot, &sum->lost_segs, &sum->passed_lost);
	sum->lost_ns = min(sum->lost_ns ?: U64_MAX, slot->sent_ns);
	if (slot->passed) {
		sum->passed_lost_ns = max(sum->passed_lost_ns, slot->sent_ns);
		LAPSMP_INC(f->ln, express_lost_segs);
	}
	f->stats_lost++;
	atomic64_inc(&fp->path->stats.lost_segs);
	LAPSMP_INC(f->ln, lost_segs);
	if (f->ls)
		atomic64_inc(&f->ls->stats.lost_segs);
	lapsmp_rtx_again(f, seg);
}

/*
 * Where paths share a slow link, what leaves in a burst waits for what left before it on
 * the others. A path whose first packet was early would time out while its second stands
 * behind seven of seven other paths, and at 20 Mbit/s a first window stands for 38 ms. So
 * answers to what left earlier, by whatever path, put its end off, as RFC 6298 section 5.3
 * has it for a connection of one path; each can do so once. The first answer to
 * something that left later ends that: then it is this path that is late.
 */
u64 lapsmp_rtx_timeout_at(const struct lapsmp_flow *f, struct lapsmp_fpath *fp)
{
	struct lapsmp_slot *slot = lapsmp_ring_oldest(&fp->ring);
	u64 from_ns;

	if (!slot)
		return U64_MAX;
	from_ns = slot->sent_ns;
	if (f->acked_sent_ns <= slot->sent_ns)
		from_ns = max(from_ns, f->acked_ns);
	return from_ns + lapsmp_peer_rto_backed_off(f->peer, fp->path, slot->sent_ns);
}

void lapsmp_rtx_whole(struct lapsmp_flow *f, u32 rcv_msg, u32 rcv_off)
{
	struct lapsmp_tmsg *m, *next;

	if ((s32)(rcv_msg - f->rcv_msg) <= 0 || (s32)(rcv_msg - f->next_no) > 0)
		return;
	f->rcv_msg = rcv_msg;
	lapsmp_vain_over(&f->vain);
	list_for_each_entry_safe(m, next, &f->msgs, node) {
		if ((s32)(m->no - rcv_msg) >= 0)
			break;
		lapsmp_tmsg_done(f, m, 0);
	}
}

struct lapsmp_seg *lapsmp_rtx_oldest(struct lapsmp_fpath *fp)
{
	struct lapsmp_ring *r = &fp->ring;
	struct lapsmp_slot *slot;
	struct lapsmp_seg *seg;
	u32 seq;

	for (seq = r->una; seq != r->next; seq++) {
		slot = lapsmp_ring_lookup(r, seq);
		seg = slot->seg;
		if (slot->state == LAPSMP_SLOT_OUT && !lapsmp_seg_over(seg) &&
		    !lapsmp_rtx_listed(seg)) {
			seg->refs++;
			return seg;
		}
	}
	return NULL;
}

void lapsmp_rtx_retire(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns)
{
	u64 keep = LAPSMP_RTX_KEEP_RTOS * lapsmp_peer_rto(f->peer, fp->path), before;
	void *seg;

	/* If it is silent because it takes longer than that now, nothing else will tell. */
	if (READ_ONCE(fp->path->timeouts))
		keep = max_t(u64, keep, LAPSMP_RTO_MAX_NS);
	before = now_ns > keep ? now_ns - keep : 0;

	while (lapsmp_ring_retire_next(&fp->ring, before, &seg))
		lapsmp_seg_put(seg);
}

void lapsmp_rtx_drop_ring(struct lapsmp_flow *f, struct lapsmp_fpath *fp)
{
	struct lapsmp_rtx_sum sum = {};
	struct lapsmp_slot *slot;
	void *seg;
	u32 seq;

	while ((slot = lapsmp_ring_lost_next(&fp->ring, true, &seq)))
		lapsmp_rtx_lost(f, fp, slot, &sum);
	while (lapsmp_ring_retire_next(&fp->ring, U64_MAX, &seg))
		lapsmp_seg_put(seg);
	kvfree(fp->ring.slot);
	fp->ring.slot = NULL;
	/* The search for a path MTU waits for what became of its probe. */
	if (sum.lost_bytes)
		lapsmp_path_on_lost(f->peer, fp->path, sum.lost_bytes, 0,
				    lapsmp_clock_now());
}

static void lapsmp_rtx_abort(struct lapsmp_flow *f, struct lapsmp_tmsg *m)
{
	struct lapsmp_seg *seg;

	if (list_empty(&m->node))
		return;
	if (!m->begun && list_is_last(&m->node, &f->msgs)) {
		/* Nothing of it was seen: its number can be used again. */
		WRITE_ONCE(f->next_no, m->no);
		m->aborted = true;
		lapsmp_tmsg_done(f, m, 0);
		return;
	}
	m->aborted = true;
	/* The receiver counts the whole of it as used, and so do we. */
	f->credit_used += lapsmp_rtx_cost(m, m->len - m->sent);
	m->begun = true;
	f->unsent -= m->len - m->sent;
	m->sent = m->len;
	if (f->send_msg == m)
		f->send_msg = list_is_last(&m->node, &f->msgs) ?
			      NULL : list_next_entry(m, node);
	lapsmp_tmsg_empty(f, m);
	seg = lapsmp_seg_alloc(LAPSMP_SEG_ABORT, m);
	if (!seg) {
		/* Without an ABORT the receiver would wait for it for ever. */
		__lapsmp_flow_kill(f, ENOMEM);
		return;
	}
	seg->refs = 1;
	lapsmp_rtx_list(f, seg);
	/* It takes no room at the receiver, and may make some. */
	lapsmp_vain_over(&f->vain);
}

void lapsmp_rtx_give_up(struct lapsmp_flow *f, struct lapsmp_tmsg *m)
{
	spin_lock_bh(&f->lock);
	if (f->state != LAPSMP_FLOW_DEAD)
		lapsmp_rtx_abort(f, m);
	lapsmp_tmsg_put(m);
	spin_unlock_bh(&f->lock);
}

void lapsmp_rtx_purge(struct lapsmp_flow *f, int err)
{
	struct lapsmp_tmsg *m, *next;
	struct lapsmp_seg *seg;
	int i;

	f->send_msg = NULL;
	for (i = 0; i < f->n_paths; i++)
		lapsmp_rtx_drop_ring(f, &f->fpaths[i]);
	while ((seg = lapsmp_rtx_first_lost(f))) {
		lapsmp_rtx_unlist(f, seg);
		lapsmp_seg_put(seg);
	}
	list_for_each_entry_safe(m, next, &f->msgs, node)
		lapsmp_tmsg_done(f, m, err);
}
