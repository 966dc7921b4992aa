// SPDX-License-Identifier: GPL-2.0
/* What a flow takes beside its messages; see flowmem.h. */
#include "flowmem.h"
#include "mem.h"
#include "parts.h"
#include "rtx.h"

/* Flows of a socket: setting an option looks at all of them, with softirqs off. */
#define LAPSMP_FLOWMEM_MAX	65536
/* Paths of one that is to be opened, as long as nothing is known of them: as many as are drawn. */
#define LAPSMP_FLOWMEM_PATHS	8

/* With a ring on each path, as it begins. A larger one is for what is under way, and charged. */
static u32 lapsmp_flowmem_bytes(int n_paths)
{
	const u32 path = sizeof(struct lapsmp_fpath) + sizeof(struct lapsmp_path_view) +
			 sizeof(u32) + LAPSMP_RING_MIN * sizeof(struct lapsmp_slot);

	return sizeof(struct lapsmp_flow) + n_paths * path;
}

bool lapsmp_flowmem_may_open(const struct lapsmp_sock *ls)
{
	u32 n = READ_ONCE(ls->n_flows), bytes = lapsmp_flowmem_bytes(LAPSMP_FLOWMEM_PATHS);

	return !n || (n < LAPSMP_FLOWMEM_MAX && lapsmp_parts_may_send((u64)n * bytes, bytes));
}

/*
 * A socket's first flow finds room always: who has one destination waits with his messages, as
 * where a buffer is full, and is not refused. Descriptors bound how many there are of those.
 */
static int lapsmp_flowmem_take(const struct lapsmp_flow *f, u32 bytes)
{
	if (lapsmp_parts_take_tx(bytes))
		return 0;
	if (!f->mem_of_sock || READ_ONCE(f->ls->n_flows))
		return -ENOBUFS;
	lapsmp_parts_take_tx_anyway(bytes);
	return 0;
}

int __lapsmp_flowmem_grow(struct lapsmp_flow *f, int n_paths)
{
	u32 bytes = lapsmp_flowmem_bytes(n_paths), more;
	int err;

	lockdep_assert_held(&f->lock);
	if (bytes <= f->mem_bytes)
		return 0;
	more = bytes - f->mem_bytes;
	err = lapsmp_flowmem_take(f, more);
	if (err)
		return err;
	err = f->mem_of_sock ? lapsmp_mem_charge_state(f->ls, more) : 0;
	if (err) {
		lapsmp_parts_give_tx(more);
		return err;
	}
	if (!f->ls)
		lapsmp_parts_take_orphan(more);
	f->mem_bytes = bytes;
	return 0;
}

void __lapsmp_flowmem_leave(struct lapsmp_flow *f)
{
	lockdep_assert_held(&f->lock);
	if (!f->mem_of_sock)
		return;
	f->mem_of_sock = false;
	lapsmp_mem_uncharge_state(f->ls, f->mem_bytes);
}

void __lapsmp_flowmem_orphan(struct lapsmp_flow *f)
{
	__lapsmp_flowmem_leave(f);
	lapsmp_parts_take_orphan(f->mem_bytes);
}

void lapsmp_flowmem_free(struct lapsmp_flow *f)
{
	WARN_ON_ONCE(f->mem_of_sock);
	/* An orphan has no socket; another one that is gone still says which it was. */
	if (f->ls)
		lapsmp_parts_give_tx(f->mem_bytes);
	else
		lapsmp_parts_give_orphan(f->mem_bytes);
}
