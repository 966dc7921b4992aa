// SPDX-License-Identifier: GPL-2.0
/* The receive window, in credits. */
#include "rmsg.h"
#include "window.h"
#include "wire.h"

/*
 * Half of the receive buffer is credits, because a segment's buffers take up to
 * twice its bytes; flows of one socket share it, and none gets less than what it
 * was granted before its first ACK.
 */
static u32 lapsmp_window_share(const struct lapsmp_rflow *rf)
{
	const struct sock *sk = lapsmp_sock_sk(rf->ls);
	u32 n = max(atomic_read(&rf->ls->n_rflows), 1);
	u32 half = (u32)READ_ONCE(sk->sk_rcvbuf) / 2;

	return max_t(u32, half / n, LAPSMP_INITIAL_CREDIT);
}

static bool lapsmp_window_reserve(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	struct lapsmp_net *ln = rf->ln;
	u64 budget = READ_ONCE(ln->conf.budget_bytes);

	if ((u64)atomic64_add_return(m->len, &ln->budget_used) > budget) {
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
	rf->reserved -= m->reserved;
	atomic64_sub(m->reserved, &m->ls->reserved);
	m->reserved = 0;
}

bool lapsmp_window_admit(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m)
{
	/* A small one fits by itself; a partial reader needs no room for all. */
	if (m->len <= lapsmp_window_share(rf) / 2 || READ_ONCE(rf->ls->partial))
		return true;
	if (lapsmp_window_reserve(rf, m))
		return true;
	/* The budget is in use: later, perhaps. */
	m->waits = true;
	return m->len <= READ_ONCE(rf->ln->conf.budget_bytes);
}

static struct lapsmp_rmsg *lapsmp_window_first(const struct lapsmp_rflow *rf)
{
	struct rb_node *n = rb_first(&rf->msgs);
	struct lapsmp_rmsg *m = n ? rb_entry(n, struct lapsmp_rmsg, node) : NULL;

	return m && m->no == rf->rcv_msg ? m : NULL;
}

u32 lapsmp_window_head(const struct lapsmp_rflow *rf)
{
	struct lapsmp_rmsg *m = lapsmp_window_first(rf);

	return m ? m->contig : 0;
}

u32 lapsmp_window_limit(struct lapsmp_rflow *rf)
{
	struct lapsmp_rmsg *m = lapsmp_window_first(rf);
	u32 limit;

	if (!rf->ls)
		return rf->limit;
	if (m && m->waits && lapsmp_window_reserve(rf, m))
		m->waits = false;
	limit = rf->credit_done + lapsmp_window_share(rf) + (u32)rf->reserved;
	if ((s32)(limit - rf->limit) > 0)
		rf->limit = limit;
	return rf->limit;
}

bool lapsmp_window_consumed(struct lapsmp_rflow *rf, u32 credits)
{
	u32 told = rf->limit, share;

	rf->credit_done += credits;
	if (!rf->ls)
		return false;
	share = lapsmp_window_share(rf);
	/* Not worth a packet before a quarter of the window is free again. */
	if ((s32)(rf->credit_done + share + (u32)rf->reserved - told) <
	    (s32)(share / 4))
		return false;
	return true;
}
