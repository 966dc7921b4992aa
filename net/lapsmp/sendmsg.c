// SPDX-License-Identifier: GPL-2.0
/*
 * From a program's buffer into a flow.
 *
 * A blocking call waits for room before each piece, so that a message may be
 * larger than the send buffer: its beginning is on the wire while its end is
 * still being copied. A non-blocking one takes all or nothing: it may exceed the
 * buffer by one message, and never by more than a flow's share of it.
 *
 *	one writer at a time per flow (flow->write)
 *	wait for room -> begin -> { wait -> copy -> append -> push } -> end
 *	                               '- signal, timeout, fault -> abort
 *
 * MSG_MORE is refused: a message that was corked would become two. MSG_DONTROUTE
 * and MSG_OOB mean nothing here and are refused, too.
 */
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/wait_bit.h>
#include "dest.h"
#include "flow.h"
#include "mem.h"
#include "rtx.h"
#include "sendmsg.h"
#include "tmsg.h"
#include "tx.h"

#define LAPSMP_SEND_REFUSED	(MSG_OOB | MSG_MORE | MSG_DONTROUTE)

/* Ask for so much of a page, so that small messages are not cut at its end. */
#define LAPSMP_SEND_FRAG	2048

/* How long a non-blocking call waits for another one that is just copying. */
#define LAPSMP_SEND_SPIN_NS	(500 * NSEC_PER_USEC)

/**
 * struct lapsmp_send - one send call
 * @ls: socket
 * @f: flow, with a reference; f->write is held while there is a message
 * @msg: what the program gave
 * @left: bytes not copied yet
 * @timeo: jiffies that may still be waited
 * @nonblock: all or nothing
 * @begun: the message has its number
 */
struct lapsmp_send {
	struct lapsmp_sock	*ls;
	struct lapsmp_flow	*f;
	struct msghdr		*msg;
	size_t			left;
	long			timeo;
	bool			nonblock;
	bool			begun;
};

/* Why a writer must not go on waiting, or 0. */
static int lapsmp_send_stopped(struct lapsmp_send *s)
{
	struct sock *sk = lapsmp_sock_sk(s->ls);

	if (READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN)
		return -EPIPE;
	if (lapsmp_flow_is_dead(s->f))
		return -ESTALE;
	return sock_error(sk);
}

/* A flow whose numbers are used up begins no more; when it is done, it goes. */
static bool lapsmp_send_has_room(struct lapsmp_send *s)
{
	if (!s->begun && lapsmp_flow_is_used_up(s->f) && lapsmp_flow_queued(s->f))
		return false;
	return lapsmp_mem_may_send(s->ls, lapsmp_flow_queued(s->f),
				   s->nonblock ? s->left : 0);
}

static int lapsmp_send_sleep(struct lapsmp_send *s)
{
	struct sock *sk = lapsmp_sock_sk(s->ls);
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err;

	add_wait_queue(sk_sleep(sk), &wait);
	for (;;) {
		set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		/* Pairs with lapsmp_mem_uncharge_tx(). */
		smp_mb__after_atomic();
		err = lapsmp_send_stopped(s);
		if (err || lapsmp_send_has_room(s))
			break;
		err = -EAGAIN;
		if (!s->timeo)
			break;
		err = sock_intr_errno(s->timeo);
		if (signal_pending(current))
			break;
		s->timeo = wait_woken(&wait, TASK_INTERRUPTIBLE, s->timeo);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

/* Return: 0; -EAGAIN; interrupted; -ESTALE: the flow died; another error. */
static int lapsmp_send_wait(struct lapsmp_send *s)
{
	int err = lapsmp_send_stopped(s);

	if (err || lapsmp_send_has_room(s))
		return err;
	return lapsmp_send_sleep(s);
}

/*
 * Another writer holds the flow for as long as its message streams; but mostly
 * it is only copying, and then a non-blocking call must not fail for it.
 */
static int lapsmp_send_trylock(struct lapsmp_send *s)
{
	u64 end = ktime_get_ns() + LAPSMP_SEND_SPIN_NS;

	while (!mutex_trylock(&s->f->write)) {
		if (!lapsmp_send_has_room(s) || signal_pending(current) ||
		    ktime_get_ns() > end)
			goto full;
		cond_resched();
		cpu_relax();
	}
	return 0;
full:
	/* Who polls for an edge is to see one when the other writer is done. */
	set_bit(SOCK_NOSPACE, &lapsmp_sock_sk(s->ls)->sk_socket->flags);
	/* Pairs with lapsmp_send_unlock(). */
	smp_mb__after_atomic();
	return mutex_trylock(&s->f->write) ? 0 : -EAGAIN;
}

static void lapsmp_send_unlock(struct lapsmp_send *s)
{
	struct sock *sk = lapsmp_sock_sk(s->ls);

	mutex_unlock(&s->f->write);
	/* Whoever waits for its turn has joined the queue or set the bit, or sees it free. */
	smp_mb();
	wake_up_var(&s->f->write);
	if (test_bit(SOCK_NOSPACE, &sk->sk_socket->flags) && lapsmp_mem_writable(s->ls))
		lapsmp_mem_wake_tx(s->ls);
}

/* Wait for the turn no longer than SO_SNDTIMEO. */
static int lapsmp_send_lock_timed(struct lapsmp_send *s)
{
	struct mutex *write = &s->f->write;
	long left;

	if (mutex_trylock(write))
		return 0;
	left = ___wait_var_event(write, ___wait_cond_timeout(mutex_trylock(write)),
				 TASK_INTERRUPTIBLE, 0, s->timeo,
				 __ret = schedule_timeout(__ret));
	if (left < 0)
		return sock_intr_errno(s->timeo);
	s->timeo = left;
	return left ? 0 : -EAGAIN;
}

/*
 * Writers that try for their turn are overtaken by others that sleep while they
 * have it. So nobody who has a limit waits for room with the flow locked, unless
 * its message has begun.
 */
static int lapsmp_send_lock_with_room(struct lapsmp_send *s)
{
	int err;

	for (;;) {
		err = lapsmp_send_wait(s) ?: lapsmp_send_lock_timed(s);
		if (err || lapsmp_send_has_room(s))
			return err;
		lapsmp_send_unlock(s);
	}
}

static int lapsmp_send_lock(struct lapsmp_send *s)
{
	if (s->nonblock)
		return lapsmp_send_trylock(s);
	if (s->timeo != MAX_SCHEDULE_TIMEOUT)
		return lapsmp_send_lock_with_room(s);
	if (mutex_lock_interruptible(&s->f->write))
		return sock_intr_errno(s->timeo);
	return 0;
}

/*
 * Copy what fits into the program's page. Not into one of the flow's own: flows are many, and who
 * has sent a byte would keep 32 KiB that nobody pays for.
 */
static int lapsmp_send_piece(struct lapsmp_send *s, struct lapsmp_tmsg *m)
{
	struct sock *sk = lapsmp_sock_sk(s->ls);
	struct page_frag *frag = sk_page_frag(sk);
	size_t want = min_t(size_t, s->left, LAPSMP_SEND_FRAG);
	size_t n;
	int err;

	if (!skb_page_frag_refill(want, frag, sk->sk_allocation))
		return -ENOMEM;
	n = min_t(size_t, s->left, frag->size - frag->offset);
	if (copy_page_from_iter(frag->page, frag->offset, n,
				&s->msg->msg_iter) != n)
		return -EFAULT;
	err = lapsmp_tmsg_append(s->f, m, frag->page, frag->offset, n);
	if (err)
		return err;
	frag->offset += n;
	s->left -= n;
	return 0;
}

static int lapsmp_send_copy(struct lapsmp_send *s, struct lapsmp_tmsg *m)
{
	int err = 0;

	while (s->left && !err) {
		if (!s->nonblock)
			err = lapsmp_send_wait(s);
		if (!err)
			err = lapsmp_send_piece(s, m);
		/* The last piece goes with the message's end. */
		if (!err && s->left)
			lapsmp_tx_push(s->f);
	}
	return err;
}

/* Context: s->f->write held, and there was room. */
static int lapsmp_send_message(struct lapsmp_send *s)
{
	struct lapsmp_tmsg *m;
	int err;

	m = lapsmp_tmsg_begin(s->f, s->left, READ_ONCE(s->ls->unordered));
	if (IS_ERR(m))
		return lapsmp_flow_is_dead(s->f) ? -ESTALE : PTR_ERR(m);
	s->begun = true;
	err = lapsmp_send_copy(s, m);
	if (err)
		lapsmp_rtx_give_up(s->f, m);
	else
		lapsmp_tmsg_end(s->f, m);
	lapsmp_tx_push(s->f);
	/* A message is gone with its flow: never begin it again by itself. */
	if (err == -ESTALE)
		err = sock_error(lapsmp_sock_sk(s->ls)) ?: -ECONNRESET;
	return err;
}

static int lapsmp_send_on_flow(struct lapsmp_send *s)
{
	int err = lapsmp_send_lock(s);

	if (err)
		return err;
	err = lapsmp_send_wait(s);
	if (!err)
		err = lapsmp_send_message(s);
	lapsmp_send_unlock(s);
	return err;
}

/*
 * A flow that the peer has not confirmed yet is the one that may have no route;
 * one that works is not asked again for each message.
 */
static int lapsmp_send_check_route(struct lapsmp_send *s,
				   const struct lapsmp_peer_key *key)
{
	if (READ_ONCE(s->f->state) == LAPSMP_FLOW_OPEN ||
	    lapsmp_flow_queued(s->f))
		return 0;
	return lapsmp_dest_reachable(s->f->ln, key);
}

static int lapsmp_send_to(struct lapsmp_send *s,
			  const struct lapsmp_peer_key *key, __be16 dport)
{
	int err;

	do {
		s->f = lapsmp_flow_get(s->ls, key, dport);
		if (IS_ERR(s->f))
			return PTR_ERR(s->f);
		err = lapsmp_send_check_route(s, key) ?:
		      lapsmp_send_on_flow(s);
		lapsmp_flow_put(s->f);
		/* It died while it was waited for: its error is told now. */
	} while (err == -ESTALE);
	return err;
}

static int lapsmp_send_check(struct sock *sk, struct msghdr *msg, size_t len)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(sk));

	if (msg->msg_flags & LAPSMP_SEND_REFUSED)
		return -EOPNOTSUPP;
	if (len > READ_ONCE(ln->conf.max_msg_bytes))
		return -EMSGSIZE;
	if ((msg->msg_flags & MSG_DONTWAIT) &&
	    len > lapsmp_mem_flow_max(lapsmp_sk(sk)))
		return -EMSGSIZE;
	if (READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN)
		return -EPIPE;
	return sock_error(sk);
}

/**
 * lapsmp_sendmsg() - send one message
 * @sk: socket, bound, not locked
 * @msg: what, and where to
 * @len: bytes
 *
 * Context: process.
 * Return: @len, or
 * -EMSGSIZE: longer than the namespace allows, or, without blocking, than a
 * flow's share of the send buffer;
 * -EOPNOTSUPP: MSG_OOB, MSG_MORE or MSG_DONTROUTE;
 * -EPIPE: shut down for sending;
 * -EAGAIN: no room, and not to wait (any longer); -EINTR, -ERESTARTSYS;
 * -EFAULT; -ENOMEM; -ENOBUFS: the control group's limit, or many at once have
 * filled the protocol's;
 * -ECONNRESET and others: what became of the flow;
 * or as lapsmp_dest_from_msg(), the route and lapsmp_flow_get() say.
 * A message that fails once it has begun is never delivered.
 */
int lapsmp_sendmsg(struct sock *sk, struct msghdr *msg, size_t len)
{
	struct lapsmp_send s = {
		.ls = lapsmp_sk(sk),
		.msg = msg,
		.left = len,
		.nonblock = msg->msg_flags & MSG_DONTWAIT,
		.timeo = sock_sndtimeo(sk, msg->msg_flags & MSG_DONTWAIT),
	};
	struct lapsmp_peer_key key;
	__be16 dport;
	int err;

	err = lapsmp_send_check(sk, msg, len);
	if (!err)
		err = lapsmp_dest_from_msg(sk, msg, &key, &dport);
	if (!err)
		err = lapsmp_send_to(&s, &key, dport);
	return err ?: len;
}
