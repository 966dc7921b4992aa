// SPDX-License-Identifier: GPL-2.0
/* The receive window, in credits. */
#include "grants.h"
#include "parts.h"
#include "rmsg.h"
#include "window.h"
#include "wire.h"

/*
 * The sender takes the newest limit by signed difference: what it is not told of at once is less,
 * by as much as a window may be. A message's length is no more than that (reasm.c).
 */
#define LAPSMP_WINDOW_UNTOLD_MAX	BIT(30)

/* Half of the receive buffer, because a segment's buffers take up to twice its bytes. */
static u32 lapsmp_window_whole(const struct lapsmp_rflow *rf)
{
	return (u32)READ_ONCE(lapsmp_sock_sk(rf->ls)->sk_rcvbuf) / 2;
}

/* Flows of one socket share it, and none gets less than it was granted before its first ACK. */
static u32 lapsmp_window_share(const struct lapsmp_rflow *rf)
{
	u32 n = max(atomic_read(&rf->ls->n_rflows), 1);

	return max_t(u32, lapsmp_window_whole(rf) / n, LAPSMP_INITIAL_CREDIT);
}

/* The largest message that may be promised room. */
static u64 lapsmp_window_most(const struct lapsmp_net *ln)
{
	return min(READ_ONCE(ln->conf.budget_bytes), lapsmp_parts_most_reserved());
}

/* @anyway: beyond the budget, if need be. */
static bool lapsmp_window_reserve(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m,
				  bool anyway)
{
	struct lapsmp_net *ln = rf->ln;
	u64 budget = READ_ONCE(ln->conf.budget_bytes);
	u64 used = atomic64_add_return(m->len, &ln->budget_used);

	/* It was taken up when there was more of them, and would wait for ever. */
	anyway |= m->len > lapsmp_window_most(ln);
	if ((used > budget && !anyway) ||
	    !lapsmp_parts_reserve(m->len, used - m->len, anyway)) {
		atomic64_sub(m->len, &ln->budget_used);
		return false;
	}
	m->reserved = m->len;
	rf->reserved += m->len;
	atomic64_add(m->len, &rf->ls->reserved);
	return true;
}

void lapsmp_window_release(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	if (!m->reserved)
		return;
	atomic64_sub(m->reserved, &rf->ln->budget_used);
	lapsmp_parts_unreserve(m->reserved);
	rf->reserved -= m->reserved;
	atomic64_sub(m->reserved, &m->ls->reserved);
	m->reserved = 0;
}

/* A small one fits by itself; a partial reader needs no room for all. */
static bool lapsmp_window_is_large(const struct lapsmp_rflow *rf,
				   const struct lapsmp_rmsg *m)
{
	return m->len > lapsmp_window_share(rf) / 2 &&
	       !READ_ONCE(rf->ls->partial);
}

/* Has it been looked at, and needed no budget then? */
static bool lapsmp_window_was_small(const struct lapsmp_rflow *rf,
				    const struct lapsmp_rmsg *m)
{
	return (s32)(rf->reserve_msg - m->no) > 0 && !m->reserved;
}

/*
 * What the flow waits for: small when it was first seen, perhaps, and not any more.
 * Flows that came since share the buffer, or the program took some of it back, and
 * what was granted is not enough for the rest of it, which nobody else makes room for.
 * It was taken up, so it gets its room even if the budget is in use: one message of a
 * flow, no larger than what a flow that is alone has without.
 *
 * Return: whether later ones may have theirs.
 */
static bool lapsmp_window_reserve_head(struct lapsmp_rflow *rf)
{
	struct lapsmp_rmsg *m = lapsmp_rmsg_find(rf, rf->rcv_msg);
	u32 alone = (u32)READ_ONCE(lapsmp_sock_sk(rf->ls)->sk_rcvbuf) / 4;

	if (!m || m->whole || !lapsmp_window_was_small(rf, m) ||
	    !lapsmp_window_is_large(rf, m))
		return true;
	return lapsmp_window_reserve(rf, m, m->len <= alone);
}

/*
 * Message by message: what a later one took of the budget, the one that it has
 * to wait for might lack for ever. Where one is missing or the budget is in use:
 * later, perhaps.
 */
static void lapsmp_window_reserve_next(struct lapsmp_rflow *rf)
{
	struct lapsmp_rmsg *m;

	if (!lapsmp_window_reserve_head(rf))
		return;
	if ((s32)(rf->reserve_msg - rf->rcv_msg) < 0)
		rf->reserve_msg = rf->rcv_msg;
	while ((m = lapsmp_rmsg_find(rf, rf->reserve_msg))) {
		if (!m->whole && !m->reserved && lapsmp_window_is_large(rf, m) &&
		    !lapsmp_window_reserve(rf, m, false))
			break;
		rf->reserve_msg++;
	}
}

bool lapsmp_window_admit(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	if (lapsmp_window_is_large(rf, m) && m->len > lapsmp_window_most(rf->ln))
		return false;
	lapsmp_window_reserve_next(rf);
	return true;
}

u32 lapsmp_window_head(const struct lapsmp_rflow *rf)
{
	struct lapsmp_rmsg *m = lapsmp_rmsg_find(rf, rf->rcv_msg);

	return m ? m->contig : 0;
}

/* What was consumed, and what there is room for. */
static u32 lapsmp_window_law(const struct lapsmp_rflow *rf)
{
	return rf->credit_done + lapsmp_window_share(rf) + (u32)rf->reserved;
}

u32 lapsmp_window_limit(struct lapsmp_rflow *rf)
{
	u32 limit;

	if (!rf->ls)
		return rf->limit;
	lapsmp_window_reserve_next(rf);
	limit = lapsmp_grants_limit(rf, lapsmp_window_law(rf));
	if ((s32)(limit - rf->limit) > 0)
		rf->limit = limit;
	rf->told = rf->limit;
	return rf->limit;
}

bool lapsmp_window_may_give_up(const struct lapsmp_rflow *rf, u32 credits)
{
	return (u64)(rf->limit - rf->told) + credits <= LAPSMP_WINDOW_UNTOLD_MAX;
}

/*
 * By the law alone the limit moves as far as what is given up does, less what the share has become
 * less by: then what the sender had under way within the old limit is beyond it for ever, be it the
 * segment that all wait for. So what it may have under way stays what it is; but for what this one
 * had reserved, of which a whole window is enough for all that came before it.
 */
void lapsmp_window_given_up(struct lapsmp_rflow *rf, const struct lapsmp_rmsg *m)
{
	u64 most = lapsmp_window_whole(rf) + rf->reserved - m->reserved;
	s32 room = max_t(s32, rf->limit - rf->credit_used, 0);

	if (m->reserved)
		room = min_t(u64, room, most);
	rf->credit_used += m->len - m->got;
	if ((s32)(rf->credit_used + room - rf->limit) > 0)
		rf->limit = rf->credit_used + room;
}

bool lapsmp_window_consumed(struct lapsmp_rflow *rf, u32 credits)
{
	u32 limit, window;

	rf->credit_done += credits;
	if (!rf->ls)
		return false;
	lapsmp_window_reserve_next(rf);
	limit = lapsmp_grants_would(rf, lapsmp_window_law(rf));
	window = lapsmp_grants_window(rf->ln, lapsmp_window_share(rf));
	/* Not worth a packet before a quarter of the window is free again. */
	return (s32)(limit - rf->limit) >= (s32)(window / 4);
}
