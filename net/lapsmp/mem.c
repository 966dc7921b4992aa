// SPDX-License-Identifier: GPL-2.0
/* Memory charged to a socket; see mem.h. */
#include <linux/sizes.h>
#include <linux/workqueue.h>
#include "mem.h"
#include "parts.h"
#include "wire.h"

/*
 * Charged to the protocol and the control group, but not used: up to so much
 * stays with a socket, so that not every message goes to the shared counters.
 */
#define LAPSMP_MEM_KEEP		(16 * 1024)

/* How often those that wait for the protocol's part look whether there is room. */
#define LAPSMP_MEM_LOOK		msecs_to_jiffies(20)

static int lapsmp_mem_take(struct lapsmp_sock *ls, u32 bytes, int kind)
{
	struct sock *sk = lapsmp_sock_sk(ls);
	int err = 0;

	spin_lock_bh(&ls->mem_lock);
	if (bytes > INT_MAX / 2 ||
	    (sk->sk_forward_alloc < (int)bytes &&
	     !__sk_mem_schedule(sk, bytes - sk->sk_forward_alloc, kind)))
		err = -ENOBUFS;
	else
		sk_forward_alloc_add(sk, -(int)bytes);
	spin_unlock_bh(&ls->mem_lock);
	return err;
}

static void lapsmp_mem_give(struct lapsmp_sock *ls, u64 bytes)
{
	struct sock *sk = lapsmp_sock_sk(ls);

	spin_lock_bh(&ls->mem_lock);
	/* It is an int, and a flow may have more. */
	while (bytes) {
		u32 part = min_t(u64, bytes, SZ_1G);

		sk_forward_alloc_add(sk, part);
		if (sk->sk_forward_alloc >= LAPSMP_MEM_KEEP + (int)PAGE_SIZE)
			__sk_mem_reclaim(sk, sk->sk_forward_alloc - LAPSMP_MEM_KEEP);
		bytes -= part;
	}
	spin_unlock_bh(&ls->mem_lock);
}

static u64 lapsmp_mem_sndbuf(const struct lapsmp_sock *ls)
{
	return READ_ONCE(lapsmp_sock_sk(ls)->sk_sndbuf);
}

/**
 * lapsmp_mem_charge_tx() - account bytes of a message to be sent
 * @ls: socket
 * @bytes: pages and overhead
 *
 * Context: any.
 * Return: 0 or -ENOBUFS.
 */
int lapsmp_mem_charge_tx(struct lapsmp_sock *ls, u32 bytes)
{
	int err;

	if (!lapsmp_parts_take_tx(bytes))
		return -ENOBUFS;
	err = lapsmp_mem_take(ls, bytes, SK_MEM_SEND);
	if (err)
		lapsmp_parts_give_tx(bytes);
	else
		atomic_long_add(bytes, &ls->wmem);
	return err;
}

/*
 * When a writer that waits is worth waking. With one flow, once three eighths
 * of the buffer are free, so that it copies many pieces for one wake-up. With
 * several, whose room came free is not known here, and the buffer may stay full
 * of a flow whose peer does not read: always.
 */
static bool lapsmp_mem_worth_waking(const struct lapsmp_sock *ls)
{
	return READ_ONCE(ls->n_flows) > 1 ||
	       atomic_long_read(&ls->wmem) <= lapsmp_mem_sndbuf(ls) / 8 * 5;
}

/**
 * lapsmp_mem_wake_tx() - wake all writers
 * @ls: socket
 *
 * Context: any; the socket was not released yet.
 */
void lapsmp_mem_wake_tx(struct lapsmp_sock *ls)
{
	struct sock *sk = lapsmp_sock_sk(ls);

	if (!sk->sk_socket)
		return;
	clear_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	sk->sk_write_space(sk);
}

/**
 * lapsmp_mem_uncharge_tx() - give them back
 * @ls: socket
 * @bytes: that were charged
 *
 * Wakes writers when enough room came free. Context: any.
 */
void lapsmp_mem_uncharge_tx(struct lapsmp_sock *ls, u32 bytes)
{
	struct socket *sock = lapsmp_sock_sk(ls)->sk_socket;

	lapsmp_parts_give_tx(bytes);
	lapsmp_mem_give(ls, bytes);
	atomic_long_sub(bytes, &ls->wmem);

	/* Pairs with who sets the bit and then looks for room once more. */
	smp_mb__after_atomic();
	if (sock && test_bit(SOCK_NOSPACE, &sock->flags) &&
	    lapsmp_mem_worth_waking(ls))
		lapsmp_mem_wake_tx(ls);
}

/**
 * lapsmp_mem_charge_state() - account what a flow takes beside its messages
 * @ls: socket
 * @bytes: of the protocol's part, taken before
 *
 * Context: any.
 * Return: 0 or -ENOBUFS.
 */
int lapsmp_mem_charge_state(struct lapsmp_sock *ls, u32 bytes)
{
	return lapsmp_mem_take(ls, bytes, SK_MEM_SEND);
}

/**
 * lapsmp_mem_uncharge_state() - the flow leaves the socket
 * @ls: socket
 * @bytes: that were charged
 *
 * Context: any.
 */
void lapsmp_mem_uncharge_state(struct lapsmp_sock *ls, u32 bytes)
{
	lapsmp_mem_give(ls, bytes);
}

/**
 * lapsmp_mem_orphan_tx() - a flow outlives its socket
 * @ls: socket
 * @bytes: that were charged for the flow
 *
 * Context: any.
 */
void lapsmp_mem_orphan_tx(struct lapsmp_sock *ls, u64 bytes)
{
	lapsmp_mem_give(ls, bytes);
	atomic_long_sub(bytes, &ls->wmem);
	lapsmp_parts_take_orphan(bytes);
}

/**
 * lapsmp_mem_charge_rx() - account received buffers
 * @ls: socket
 * @truesize: of the skb
 * @extra: admitted beyond the receive buffer
 * @awaited: nothing else of its flow can be read before it is there
 *
 * The window gives every flow LAPSMP_INITIAL_CREDIT at least, however many there
 * are; what was promised must find room.
 *
 * Context: any.
 * Return: 0 or -ENOBUFS.
 */
int lapsmp_mem_charge_rx(struct lapsmp_sock *ls, u32 truesize, u64 extra, bool awaited)
{
	struct sock *sk = lapsmp_sock_sk(ls);
	u64 least = (u64)atomic_read(&ls->n_rflows) * LAPSMP_INITIAL_CREDIT;
	u64 limit = 2 * max_t(u64, READ_ONCE(sk->sk_rcvbuf), least) + extra;
	u64 mine = atomic_long_add_return(truesize, &ls->rmem);

	if (mine > limit || !lapsmp_parts_take_rx(truesize, mine, awaited))
		goto refused;
	if (lapsmp_mem_take(ls, truesize, SK_MEM_RECV))
		goto refused_sock;
	atomic_add(truesize, &sk->sk_rmem_alloc);
	return 0;

refused_sock:
	lapsmp_parts_give_rx(truesize);
refused:
	atomic_long_sub(truesize, &ls->rmem);
	return -ENOBUFS;
}

/**
 * lapsmp_mem_uncharge_rx() - give them back
 * @ls: socket
 * @truesize: that was charged
 *
 * Context: any.
 */
void lapsmp_mem_uncharge_rx(struct lapsmp_sock *ls, u64 truesize)
{
	atomic_sub(truesize, &lapsmp_sock_sk(ls)->sk_rmem_alloc);
	atomic_long_sub(truesize, &ls->rmem);
	lapsmp_parts_give_rx(truesize);
	lapsmp_mem_give(ls, truesize);
}

/**
 * lapsmp_mem_charge_notice() - account an entry of the error queue
 * @ls: socket
 * @truesize: of the skb
 * @queued: bytes of entries that are there, with it
 *
 * Context: any.
 * Return: 0 or -ENOBUFS.
 */
int lapsmp_mem_charge_notice(struct lapsmp_sock *ls, u32 truesize, u64 queued)
{
	u64 mine = atomic_long_read(&ls->rmem) + queued;

	if (!lapsmp_parts_take_rx(truesize, mine, false))
		return -ENOBUFS;
	if (lapsmp_mem_take(ls, truesize, SK_MEM_RECV)) {
		lapsmp_parts_give_rx(truesize);
		return -ENOBUFS;
	}
	atomic_add(truesize, &lapsmp_sock_sk(ls)->sk_rmem_alloc);
	return 0;
}

/**
 * lapsmp_mem_uncharge_notice() - it was read, or its socket ends
 * @ls: socket
 * @truesize: that was charged
 *
 * Context: any.
 */
void lapsmp_mem_uncharge_notice(struct lapsmp_sock *ls, u32 truesize)
{
	atomic_sub(truesize, &lapsmp_sock_sk(ls)->sk_rmem_alloc);
	lapsmp_parts_give_rx(truesize);
	lapsmp_mem_give(ls, truesize);
}

/* --- who waits for the protocol's part ------------------------------------------- */

/*
 * What others give back wakes nobody by itself: it would be a lock that all sockets
 * take. Who was refused for want of that is in a list, and looked at while there is any.
 */
static LIST_HEAD(lapsmp_mem_waiting);
static DEFINE_SPINLOCK(lapsmp_mem_waiting_lock);

static void lapsmp_mem_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(lapsmp_mem_looking, lapsmp_mem_look);

static void lapsmp_mem_look(struct work_struct *work)
{
	struct lapsmp_sock *ls, *next;

	spin_lock_bh(&lapsmp_mem_waiting_lock);
	list_for_each_entry_safe(ls, next, &lapsmp_mem_waiting, mem_node) {
		if (!lapsmp_parts_may_send(atomic_long_read(&ls->wmem),
					   READ_ONCE(ls->mem_more)))
			continue;
		list_del_init(&ls->mem_node);
		lapsmp_mem_wake_tx(ls);
	}
	if (!list_empty(&lapsmp_mem_waiting))
		schedule_delayed_work(&lapsmp_mem_looking, LAPSMP_MEM_LOOK);
	spin_unlock_bh(&lapsmp_mem_waiting_lock);
}

/*
 * Into the list by the look that has refused it: between two looks, others may take what
 * the one has seen, and nobody would wake who sleeps by the other.
 */
static bool lapsmp_mem_part_refuses(struct lapsmp_sock *ls, u64 used, u64 more)
{
	if (lapsmp_parts_may_send(used, more))
		return false;
	spin_lock_bh(&lapsmp_mem_waiting_lock);
	/* The least of what its writers wait for. */
	WRITE_ONCE(ls->mem_more, list_empty(&ls->mem_node) ? more : min(ls->mem_more, more));
	if (list_empty(&ls->mem_node)) {
		list_add_tail(&ls->mem_node, &lapsmp_mem_waiting);
		schedule_delayed_work(&lapsmp_mem_looking, LAPSMP_MEM_LOOK);
	}
	spin_unlock_bh(&lapsmp_mem_waiting_lock);
	return true;
}

/**
 * lapsmp_mem_leave() - the socket closes: nobody waits any more
 * @ls: socket
 *
 * Context: process.
 */
void lapsmp_mem_leave(struct lapsmp_sock *ls)
{
	spin_lock_bh(&lapsmp_mem_waiting_lock);
	list_del_init(&ls->mem_node);
	spin_unlock_bh(&lapsmp_mem_waiting_lock);
}

/* --- is there room to send? ------------------------------------------------------- */

/**
 * lapsmp_mem_may_send() - is there room for more on a flow?
 * @ls: socket
 * @flow_queued: bytes that the flow has queued or under way
 * @more: that are to be taken at once
 *
 * Context: process.
 * Return: true if there is.
 */
bool lapsmp_mem_may_send(struct lapsmp_sock *ls, u64 flow_queued, u64 more)
{
	u64 size = lapsmp_mem_sndbuf(ls);
	u64 used = atomic_long_read(&ls->wmem);

	if (lapsmp_mem_part_refuses(ls, used, more))
		return false;
	/* What was refused before is there: poll() need not look for as much. */
	if (READ_ONCE(ls->mem_more))
		WRITE_ONCE(ls->mem_more, 0);
	if (!flow_queued)
		return true;
	return used < size && flow_queued < 4 * (size - used);
}

/**
 * lapsmp_mem_flow_max() - the most that one flow may ever have queued
 * @ls: socket
 *
 * Return: bytes: where a flow that is alone on the socket must wait.
 */
u64 lapsmp_mem_flow_max(const struct lapsmp_sock *ls)
{
	return min(lapsmp_mem_sndbuf(ls) / 5 * 4, lapsmp_parts_size());
}

/**
 * lapsmp_mem_writable() - POLLOUT
 * @ls: socket
 *
 * If all n flows have to wait, each has at least 4 times the free room queued,
 * so that at least 4n / (4n + 1) of the buffer is used. Below that, at least one
 * may send. Of the protocol's part there must be as much as the last message wanted, if
 * that was refused.
 *
 * Context: process.
 * Return: true if there is room for one more message somewhere.
 */
bool lapsmp_mem_writable(struct lapsmp_sock *ls)
{
	u64 shares = 4 * max_t(u64, READ_ONCE(ls->n_flows), 1);
	u64 used = atomic_long_read(&ls->wmem);

	return used * (shares + 1) < lapsmp_mem_sndbuf(ls) * shares &&
	       !lapsmp_mem_part_refuses(ls, used, READ_ONCE(ls->mem_more));
}

/**
 * lapsmp_mem_exit() - the last socket was closed
 *
 * Context: process.
 */
void lapsmp_mem_exit(void)
{
	cancel_delayed_work_sync(&lapsmp_mem_looking);
}
