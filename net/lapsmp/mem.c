// SPDX-License-Identifier: GPL-2.0
/* Memory charged to a socket; see mem.h. */
#include <linux/mm.h>
#include <linux/percpu_counter.h>
#include <linux/sizes.h>
#include <linux/swap.h>
#include "mem.h"
#include "wire.h"

/*
 * Charged to the protocol and the control group, but not used: up to so much
 * stays with a socket, so that not every message goes to the shared counters.
 */
#define LAPSMP_MEM_KEEP		(16 * 1024)

/* What all sockets may have for sending, and the same for what was received. */
#define LAPSMP_MEM_PART		4
/* Bytes that a CPU counts by itself. */
#define LAPSMP_MEM_BATCH	SZ_256K

/* Bytes in use, by SK_MEM_SEND and SK_MEM_RECV; and the most of each. */
static struct percpu_counter lapsmp_mem_used[2];
static s64 lapsmp_mem_most __read_mostly;

static bool lapsmp_mem_part_take(u32 bytes, int kind)
{
	struct percpu_counter *used = &lapsmp_mem_used[kind];

	if (percpu_counter_read_positive(used) + bytes > lapsmp_mem_most)
		return false;
	percpu_counter_add_batch(used, bytes, LAPSMP_MEM_BATCH);
	return true;
}

static void lapsmp_mem_part_give(u32 bytes, int kind)
{
	percpu_counter_add_batch(&lapsmp_mem_used[kind], -(s64)bytes, LAPSMP_MEM_BATCH);
}

static int lapsmp_mem_take(struct lapsmp_sock *ls, u32 bytes, int kind)
{
	struct sock *sk = lapsmp_sock_sk(ls);
	int err = 0;

	if (!lapsmp_mem_part_take(bytes, kind))
		return -ENOBUFS;
	spin_lock_bh(&ls->mem_lock);
	if (bytes > INT_MAX / 2 ||
	    (sk->sk_forward_alloc < (int)bytes &&
	     !__sk_mem_schedule(sk, bytes - sk->sk_forward_alloc, kind)))
		err = -ENOBUFS;
	else
		sk_forward_alloc_add(sk, -(int)bytes);
	spin_unlock_bh(&ls->mem_lock);
	if (err)
		lapsmp_mem_part_give(bytes, kind);
	return err;
}

static void lapsmp_mem_give(struct lapsmp_sock *ls, u32 bytes, int kind)
{
	struct sock *sk = lapsmp_sock_sk(ls);

	lapsmp_mem_part_give(bytes, kind);
	spin_lock_bh(&ls->mem_lock);
	sk_forward_alloc_add(sk, bytes);
	if (sk->sk_forward_alloc >= LAPSMP_MEM_KEEP + (int)PAGE_SIZE)
		__sk_mem_reclaim(sk, sk->sk_forward_alloc - LAPSMP_MEM_KEEP);
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
	int err = lapsmp_mem_take(ls, bytes, SK_MEM_SEND);

	if (!err)
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

	lapsmp_mem_give(ls, bytes, SK_MEM_SEND);
	atomic_long_sub(bytes, &ls->wmem);

	/* Pairs with who sets the bit and then looks for room once more. */
	smp_mb__after_atomic();
	if (sock && test_bit(SOCK_NOSPACE, &sock->flags) &&
	    lapsmp_mem_worth_waking(ls))
		lapsmp_mem_wake_tx(ls);
}

/**
 * lapsmp_mem_charge_rx() - account received buffers
 * @ls: socket
 * @truesize: of the skb
 * @extra: admitted beyond the receive buffer
 *
 * The window gives every flow LAPSMP_INITIAL_CREDIT at least, however many there
 * are; what was promised must find room.
 *
 * Context: any.
 * Return: 0 or -ENOBUFS.
 */
int lapsmp_mem_charge_rx(struct lapsmp_sock *ls, u32 truesize, u64 extra)
{
	struct sock *sk = lapsmp_sock_sk(ls);
	u64 least = (u64)atomic_read(&ls->n_rflows) * LAPSMP_INITIAL_CREDIT;
	u64 limit = 2 * max_t(u64, READ_ONCE(sk->sk_rcvbuf), least) + extra;

	if (atomic_long_add_return(truesize, &ls->rmem) > limit ||
	    lapsmp_mem_take(ls, truesize, SK_MEM_RECV)) {
		atomic_long_sub(truesize, &ls->rmem);
		return -ENOBUFS;
	}
	atomic_add(truesize, &sk->sk_rmem_alloc);
	return 0;
}

/**
 * lapsmp_mem_uncharge_rx() - give them back
 * @ls: socket
 * @truesize: that was charged
 *
 * Context: any.
 */
void lapsmp_mem_uncharge_rx(struct lapsmp_sock *ls, u32 truesize)
{
	atomic_sub(truesize, &lapsmp_sock_sk(ls)->sk_rmem_alloc);
	atomic_long_sub(truesize, &ls->rmem);
	lapsmp_mem_give(ls, truesize, SK_MEM_RECV);
}

/**
 * lapsmp_mem_may_send() - is there room for more on a flow?
 * @ls: socket
 * @flow_queued: bytes that the flow has queued or under way
 *
 * Context: any.
 * Return: true if there is.
 */
bool lapsmp_mem_may_send(const struct lapsmp_sock *ls, u64 flow_queued)
{
	u64 size = lapsmp_mem_sndbuf(ls);
	u64 used = atomic_long_read(&ls->wmem);

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
	return lapsmp_mem_sndbuf(ls) / 5 * 4;
}

/**
 * lapsmp_mem_writable() - POLLOUT
 * @ls: socket
 *
 * If all n flows have to wait, each has at least 4 times the free room queued,
 * so that at least 4n / (4n + 1) of the buffer is used. Below that, at least one
 * may send.
 *
 * Context: any.
 * Return: true if there is room for one more message somewhere.
 */
bool lapsmp_mem_writable(const struct lapsmp_sock *ls)
{
	u64 shares = 4 * max_t(u64, READ_ONCE(ls->n_flows), 1);
	u64 used = atomic_long_read(&ls->wmem);

	return used * (shares + 1) < lapsmp_mem_sndbuf(ls) * shares;
}

/**
 * lapsmp_mem_init() - how much there is
 *
 * Context: process, before there is a socket.
 * Return: 0 or -errno.
 */
int lapsmp_mem_init(void)
{
	int err;

	lapsmp_mem_most = (s64)nr_free_buffer_pages() / LAPSMP_MEM_PART * PAGE_SIZE;
	err = percpu_counter_init(&lapsmp_mem_used[SK_MEM_SEND], 0, GFP_KERNEL);
	if (err)
		return err;
	err = percpu_counter_init(&lapsmp_mem_used[SK_MEM_RECV], 0, GFP_KERNEL);
	if (err)
		percpu_counter_destroy(&lapsmp_mem_used[SK_MEM_SEND]);
	return err;
}

/**
 * lapsmp_mem_exit() - nobody has any left
 *
 * Context: process.
 */
void lapsmp_mem_exit(void)
{
	int kind;

	for (kind = 0; kind < ARRAY_SIZE(lapsmp_mem_used); kind++) {
		WARN_ON_ONCE(percpu_counter_sum(&lapsmp_mem_used[kind]));
		percpu_counter_destroy(&lapsmp_mem_used[kind]);
	}
}
