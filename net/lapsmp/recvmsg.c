// SPDX-License-Identifier: GPL-2.0
/*
 * From a socket's queue into a program's buffer.
 *
 * Whole messages (the default): a reader takes one off the queue and copies it
 * with no lock held, so that many threads read at once. Who only looks
 * (MSG_PEEK) holds ls->reader while it copies, and a reader that finds that
 * mutex taken waits for it before it frees what it has read.
 *
 * In pieces (LAPSMP_PARTIAL): a message stays on the queue until its last byte
 * was read; ls->reader keeps readers in turn. A message that was begun goes to
 * the queue's head, and no other message of its flow is shown before its end, so
 * that the pieces of two messages of one sender are never mixed.
 */
#include <net/inet_common.h>
#include "recvcmsg.h"
#include "recvmsg.h"
#include "recvwait.h"
#include "rmsg.h"

/* --- what can be read ------------------------------------------------------- */

static bool lapsmp_recv_is_whole(const struct lapsmp_rmsg *m)
{
	/* Pairs with the release in rmsg.c: all of it, or that it was aborted. */
	return smp_load_acquire(&m->whole);
}

/* Off the queue. rq_lock held. */
static void lapsmp_recv_unlist(struct lapsmp_rmsg *m)
{
	list_del_init(&m->ready);
	if (m->rflow->begun == m)
		m->rflow->begun = NULL;
}

/* To the queue's head, begun or not. rq_lock held. */
static void lapsmp_recv_list(struct lapsmp_sock *ls, struct lapsmp_rmsg *m)
{
	list_move(&m->ready, &ls->rq);
	if (m->read)
		m->rflow->begun = m;
}

/* Another message of its flow was begun and not finished. rq_lock held. */
static bool lapsmp_recv_must_wait(const struct lapsmp_rmsg *m)
{
	return m->rflow->begun && m->rflow->begun != m;
}

static bool lapsmp_recv_can_read(const struct lapsmp_rmsg *m, bool partial)
{
	if (!partial)
		return lapsmp_recv_is_whole(m);
	if (!lapsmp_rmsg_readable(m) && !lapsmp_recv_is_whole(m) &&
	    !READ_ONCE(m->aborted))
		return false;
	return m->read || !lapsmp_recv_must_wait(m);
}

/* The next message to read, or NULL. rq_lock held. */
static struct lapsmp_rmsg *__lapsmp_recv_pick(struct lapsmp_sock *ls)
{
	bool partial = READ_ONCE(ls->partial);
	struct lapsmp_rmsg *m;

	lockdep_assert_held(&ls->rq_lock);
	list_for_each_entry(m, &ls->rq, ready)
		if (lapsmp_recv_can_read(m, partial))
			return m;
	return NULL;
}

/**
 * lapsmp_recv_ready() - POLLIN
 * @ls: socket
 *
 * Context: process.
 * Return: true if a message, or a piece of one, can be read.
 */
bool lapsmp_recv_ready(struct lapsmp_sock *ls)
{
	bool ready;

	if (list_empty_careful(&ls->rq))
		return false;
	spin_lock_bh(&ls->rq_lock);
	ready = __lapsmp_recv_pick(ls);
	spin_unlock_bh(&ls->rq_lock);
	return ready;
}

/**
 * lapsmp_recv_next_bytes() - SIOCINQ: bytes of the next message
 * @ls: socket
 *
 * Context: process.
 * Return: bytes that the next call would find, or 0.
 */
u32 lapsmp_recv_next_bytes(struct lapsmp_sock *ls)
{
	struct lapsmp_rmsg *m;
	u32 bytes = 0;

	spin_lock_bh(&ls->rq_lock);
	m = __lapsmp_recv_pick(ls);
	if (m)
		bytes = lapsmp_rmsg_readable(m);
	spin_unlock_bh(&ls->rq_lock);
	return bytes;
}

/**
 * lapsmp_recv_queued_bytes() - what could be read, of all messages
 * @ls: socket
 *
 * Context: process.
 * Return: bytes.
 */
u64 lapsmp_recv_queued_bytes(struct lapsmp_sock *ls)
{
	struct lapsmp_rmsg *m;
	u64 bytes = 0;

	spin_lock_bh(&ls->rq_lock);
	list_for_each_entry(m, &ls->rq, ready)
		bytes += lapsmp_rmsg_readable(m);
	spin_unlock_bh(&ls->rq_lock);
	return bytes;
}

/* --- copying -------------------------------------------------------------------- */

/*
 * @n bytes of a message from offset @m->read on. Only the skbs of these bytes
 * are looked at: more may be appended meanwhile.
 */
static int lapsmp_recv_copy(struct lapsmp_rmsg *m, u32 n, struct msghdr *msg)
{
	u32 off = m->read, end = off + n;
	struct sk_buff *skb = skb_peek(&m->data);

	while (off < end && skb) {
		const struct lapsmp_rseg *seg = lapsmp_rseg(skb);
		u32 in = off - seg->off;
		u32 len = min(seg->len - in, end - off);

		if (in < seg->len) {
			if (skb_copy_datagram_iter(skb, seg->skip + in,
						   &msg->msg_iter, len))
				return -EFAULT;
			off += len;
		}
		if (off < end)
			skb = skb_queue_is_last(&m->data, skb) ? NULL : skb->next;
	}
	/* Less is there than was asked for: who asks must know what is there. */
	return WARN_ON_ONCE(off < end) ? -EFAULT : 0;
}

/* Copy the next @len bytes; what to return, without regard to MSG_TRUNC. */
static int lapsmp_recv_show(struct sock *sk, struct lapsmp_rmsg *m,
			    struct msghdr *msg, u32 n, int *addr_len)
{
	int err = lapsmp_recv_copy(m, n, msg);

	if (err)
		return err;
	lapsmp_recvcmsg_put(sk, msg, m, addr_len);
	return n;
}

/* --- whole messages ------------------------------------------------------------- */

static int lapsmp_recv_whole(struct sock *sk, struct lapsmp_rmsg *m,
			     struct msghdr *msg, size_t len, int flags,
			     int *addr_len)
{
	u32 rest = m->len - m->read;
	u32 n = min_t(size_t, rest, len);
	int ret = lapsmp_recv_show(sk, m, msg, n, addr_len);

	if (ret < 0)
		return ret;
	if (n < rest)
		msg->msg_flags |= MSG_TRUNC;
	return flags & MSG_TRUNC ? rest : n;
}

static struct lapsmp_rmsg *lapsmp_recv_take(struct lapsmp_sock *ls)
{
	struct lapsmp_rmsg *m;

	spin_lock_bh(&ls->rq_lock);
	m = __lapsmp_recv_pick(ls);
	if (m)
		lapsmp_recv_unlist(m);
	spin_unlock_bh(&ls->rq_lock);
	return m;
}

static void lapsmp_recv_put_back(struct lapsmp_sock *ls, struct lapsmp_rmsg *m)
{
	spin_lock_bh(&ls->rq_lock);
	lapsmp_recv_list(ls, m);
	spin_unlock_bh(&ls->rq_lock);
	lapsmp_sock_sk(ls)->sk_data_ready(lapsmp_sock_sk(ls));
}

/*
 * Somebody may have found a message on the queue before it was taken off, and be
 * looking at it or freeing what was read of it: then the mutex was locked before
 * rq_lock was released to us. Nobody can find it from now on.
 */
static void lapsmp_recv_wait_others(struct lapsmp_sock *ls)
{
	/* The mutex is looked at after what was done under rq_lock. */
	smp_mb();
	if (mutex_is_locked(&ls->reader)) {
		mutex_lock(&ls->reader);
		mutex_unlock(&ls->reader);
	}
}

/*
 * With a message that was begun another one of its flow was kept back: whoever was woken for that
 * one sleeps again.
 */
static void lapsmp_recv_tell_others(struct lapsmp_sock *ls)
{
	if (lapsmp_recv_ready(ls))
		lapsmp_sock_sk(ls)->sk_data_ready(lapsmp_sock_sk(ls));
}

/* Off the queue and wholly read: credit back, memory free. */
static void lapsmp_recv_finish(struct lapsmp_sock *ls, struct lapsmp_rmsg *m)
{
	bool begun;
	u32 rest;

	lapsmp_recv_wait_others(ls);
	begun = m->read;
	rest = m->len - m->read;
	m->read = m->len;
	lapsmp_rmsg_consumed(m, rest, true);
	lapsmp_rmsg_put(m);
	if (begun)
		lapsmp_recv_tell_others(ls);
}

/* Return: bytes, -EFAULT, or -ESTALE: another reader was faster. */
static int lapsmp_recv_one(struct sock *sk, struct msghdr *msg, size_t len,
			   int flags, int *addr_len)
{
	struct lapsmp_sock *ls = lapsmp_sk(sk);
	struct lapsmp_rmsg *m = lapsmp_recv_take(ls);
	int ret;

	if (!m)
		return -ESTALE;
	/* Begun in pieces: whoever read the last one may be freeing it. */
	if (m->read)
		lapsmp_recv_wait_others(ls);
	if (READ_ONCE(m->aborted)) {
		ret = m->read ? -ECONNABORTED : -ESTALE;
		lapsmp_recv_finish(ls, m);
		return ret;
	}
	ret = lapsmp_recv_whole(sk, m, msg, len, flags, addr_len);
	if (ret < 0)
		lapsmp_recv_put_back(ls, m);
	else
		lapsmp_recv_finish(ls, m);
	return ret;
}

/* --- looking, and pieces: ls->reader held --------------------------------------- */

static struct lapsmp_rmsg *lapsmp_recv_hold(struct lapsmp_sock *ls, u32 *bytes)
{
	struct lapsmp_rmsg *m;

	spin_lock_bh(&ls->rq_lock);
	m = __lapsmp_recv_pick(ls);
	if (m) {
		lapsmp_rmsg_hold(m);
		*bytes = lapsmp_rmsg_readable(m);
	}
	spin_unlock_bh(&ls->rq_lock);
	return m;
}

static void lapsmp_recv_drop(struct lapsmp_sock *ls, struct lapsmp_rmsg *m)
{
	u32 rest;

	spin_lock_bh(&ls->rq_lock);
	if (list_empty(&m->ready)) {
		spin_unlock_bh(&ls->rq_lock);
		return;
	}
	lapsmp_recv_unlist(m);
	rest = lapsmp_rmsg_readable(m);
	m->read += rest;
	spin_unlock_bh(&ls->rq_lock);
	lapsmp_rmsg_consumed(m, rest, true);
	lapsmp_rmsg_put(m);
	lapsmp_recv_tell_others(ls);
}

/* @n bytes were read: the message leaves the queue, or waits at its head. */
static void lapsmp_recv_advance(struct lapsmp_sock *ls, struct lapsmp_rmsg *m,
				u32 n, bool last)
{
	spin_lock_bh(&ls->rq_lock);
	/* The mode was changed, and another reader took it off meanwhile. */
	if (list_empty(&m->ready)) {
		spin_unlock_bh(&ls->rq_lock);
		return;
	}
	m->read += n;
	if (last)
		lapsmp_recv_unlist(m);
	else if (n)
		lapsmp_recv_list(ls, m);
	spin_unlock_bh(&ls->rq_lock);

	if (n || last)
		lapsmp_rmsg_consumed(m, n, last);
	if (!last)
		return;
	lapsmp_rmsg_put(m);
	lapsmp_recv_tell_others(ls);
}

/*
 * One that its sender gave up. Who has read of it is told, once; who has not
 * never learns that there was one.
 */
static int lapsmp_recv_aborted(struct lapsmp_sock *ls, struct lapsmp_rmsg *m)
{
	bool begun = m->read;

	lapsmp_recv_drop(ls, m);
	return begun ? -ECONNABORTED : -ESTALE;
}

static int lapsmp_recv_piece(struct sock *sk, struct lapsmp_rmsg *m, u32 bytes,
			     struct msghdr *msg, size_t len, int flags,
			     int *addr_len)
{
	struct lapsmp_sock *ls = lapsmp_sk(sk);
	u32 n = min_t(size_t, bytes, len);
	bool last = m->read + n == m->len;
	int ret;

	if (READ_ONCE(m->aborted))
		return lapsmp_recv_aborted(ls, m);
	ret = lapsmp_recv_show(sk, m, msg, n, addr_len);
	if (ret < 0)
		return ret;
	if (last)
		msg->msg_flags |= MSG_EOR;
	if (!(flags & MSG_PEEK))
		lapsmp_recv_advance(ls, m, n, last);
	return n;
}

static int lapsmp_recv_held(struct sock *sk, struct msghdr *msg, size_t len,
			    int flags, int *addr_len)
{
	struct lapsmp_sock *ls = lapsmp_sk(sk);
	struct lapsmp_rmsg *m;
	u32 bytes;
	int ret;

	m = lapsmp_recv_hold(ls, &bytes);
	if (!m)
		return -ESTALE;
	if (READ_ONCE(ls->partial))
		ret = lapsmp_recv_piece(sk, m, bytes, msg, len, flags,
					addr_len);
	else if (!(flags & MSG_PEEK))
		ret = -ESTALE;	/* the mode was just changed */
	else if (READ_ONCE(m->aborted))
		ret = lapsmp_recv_aborted(ls, m);
	else
		ret = lapsmp_recv_whole(sk, m, msg, len, flags, addr_len);
	lapsmp_rmsg_put(m);
	return ret;
}

static int lapsmp_recv_locked(struct sock *sk, struct msghdr *msg, size_t len,
			      int flags, long timeo, int *addr_len)
{
	struct lapsmp_sock *ls = lapsmp_sk(sk);
	int ret;

	if (mutex_lock_interruptible(&ls->reader)) {
		ret = sock_intr_errno(timeo);
	} else {
		ret = lapsmp_recv_held(sk, msg, len, flags, addr_len);
		mutex_unlock(&ls->reader);
	}
	/*
	 * One reader is woken for what has come, and what he leaves is the next one's: the rest of
	 * a message, or all of it if he only looked. It is no news to who waits by poll(). Who is
	 * not counted yet has still to look whether there is anything.
	 */
	if (ret != -ESTALE && atomic_read(&ls->n_readers))
		lapsmp_recv_tell_others(ls);
	return ret;
}

/**
 * lapsmp_recvmsg() - read a message, or a piece of one
 * @sk: socket, not locked
 * @msg: where to
 * @len: bytes of room
 * @flags: MSG_*
 * @addr_len: set to the length of the sender's address
 *
 * Context: process.
 * Return: bytes copied, or with MSG_TRUNC the message's length; 0 also if the
 * socket is closed for reading; -EAGAIN; -EINTR, -ERESTARTSYS; -EFAULT (the
 * message can be read again); -EOPNOTSUPP (MSG_OOB); -ECONNABORTED: the sender
 * gave up a message that was read in part; or the socket's pending error.
 */
int lapsmp_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		   int *addr_len)
{
	struct lapsmp_sock *ls = lapsmp_sk(sk);
	long timeo = sock_rcvtimeo(sk, flags & MSG_DONTWAIT);
	int ret;

	if (flags & MSG_OOB)
		return -EOPNOTSUPP;
	if (flags & MSG_ERRQUEUE)
		return inet_recv_error(sk, msg, len, addr_len);
	do {
		ret = sock_error(sk) ?: lapsmp_recv_wait(ls, &timeo);
		if (ret)
			return ret < 0 ? ret : 0;
		if (READ_ONCE(ls->partial) || (flags & MSG_PEEK))
			ret = lapsmp_recv_locked(sk, msg, len, flags, timeo,
						 addr_len);
		else
			ret = lapsmp_recv_one(sk, msg, len, flags, addr_len);
	} while (ret == -ESTALE);
	return ret;
}
