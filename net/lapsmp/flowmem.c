// SPDX-License-Identifier: GPL-2.0
/* What a flow takes beside its messages; see flowmem.h. */
#include "flowmem.h"
#include "mem.h"
#include "parts.h"
#include "rtx.h"

/* Flows of a socket: setting an option looks at all of them, with softirqs off. */
#define LAPSMP_FLOWMEM_MAX	65536
/* A flow that finds room always has no more paths than this. */
#define LAPSMP_FLOWMEM_PATHS	64

/* With a ring on each path, as it begins. A larger one is for what is under way, and charged. */
static u32 lapsmp_flowmem_bytes(int n_paths)
{
	const u32 path = sizeof(struct lapsmp_fpath) + sizeof(struct lapsmp_path_view) +
			 sizeof(u32) + LAPSMP_RING_MIN * sizeof(struct lapsmp_slot);

	return sizeof(struct lapsmp_flow) + n_paths * path;
}

bool lapsmp_flowmem_may_open(const struct lapsmp_sock *ls, const struct lapsmp_peer *peer)
{
	u32 n = READ_ONCE(ls->n_flows), bytes;

	rcu_read_lock();
	bytes = lapsmp_flowmem_bytes(rcu_dereference(peer->paths)->n);
	rcu_read_unlock();
	return !n || (n < LAPSMP_FLOWMEM_MAX && lapsmp_parts_may_send((u64)n * bytes, bytes));
}

/*
 * A socket's first flow finds room always: who has one destination waits with his messages, as
 * where a buffer is full, and is not refused. Descriptors bound how many there are of those.
 */
static bool lapsmp_flowmem_is_only(const struct lapsmp_flow *f, int n_paths)
{
	/* Once it has any it is one of the socket's. */
	return f->mem_of_sock && n_paths <= LAPSMP_FLOWMEM_PATHS &&
	       READ_ONCE(f->ls->n_flows) <= !!f->mem_bytes;
}

int __lapsmp_flowmem_grow(struct lapsmp_flow *f, int n_paths)
{
	u32 bytes = lapsmp_flowmem_bytes(n_paths), more;
	int err = 0;

	lockdep_assert_held(&f->lock);
	if (bytes <= f->mem_bytes)
		return 0;
	more = bytes - f->mem_bytes;
	if (!lapsmp_parts_take_tx(more)) {
		if (!lapsmp_flowmem_is_only(f, n_paths))
			return -ENOBUFS;
		lapsmp_parts_take_tx_anyway(more);
	}
	if (f->mem_of_sock)
		err = lapsmp_mem_charge_state(f->ls, more);
	if (err) {
		lapsmp_parts_give_tx(more);
		return err;
	}
	if (f->mem_of_orphan)
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

void lapsmp_flowmem_leave(struct lapsmp_flow *f)
{
	spin_lock_bh(&f->lock);
	__lapsmp_flowmem_leave(f);
	spin_unlock_bh(&f->lock);
}

void __lapsmp_flowmem_orphan(struct lapsmp_flow *f)
{
	lockdep_assert_held(&f->lock);
	f->mem_of_orphan = true;
	lapsmp_parts_take_orphan(f->mem_bytes);
}

void lapsmp_flowmem_free(struct lapsmp_flow *f)
{
	WARN_ON_ONCE(f->mem_of_sock);
	if (f->mem_of_orphan)
		lapsmp_parts_give_orphan(f->mem_bytes);
	else
		lapsmp_parts_give_tx(f->mem_bytes);
}
