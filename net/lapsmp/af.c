// SPDX-License-Identifier: GPL-2.0
/*
 * The socket families: what socket(2) makes of IPPROTO_LAPSMP, and its life from
 * there to close(2). Connecting, reading, writing and options are in rooms of
 * their own.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/net.h>
#include <net/inet_common.h>
#include <net/ipv6.h>
#include <net/protocol.h>
#include <net/transp_v6.h>
#include <asm/ioctls.h>
#include "af.h"
#include "bind.h"
#include "cc.h"
#include "compat.h"
#include "connect.h"
#include "flow.h"
#include "mem.h"
#include "recvmsg.h"
#include "ropen.h"
#include "sched.h"
#include "sendmsg.h"
#include "sockopt.h"

/* A closing socket looks again after this, should a wake-up have come early. */
#define LAPSMP_AF_LINGER_SLICE	(HZ / 20 + 1)

static atomic_long_t lapsmp_af_memory;
static DEFINE_PER_CPU(int, lapsmp_af_memory_fw_alloc);
static struct percpu_counter lapsmp_af_sockets;
/* Pages: no limit below, pressure, most; all the same, set from the size of the machine. */
static long lapsmp_af_mem[3] __read_mostly;
/* What a socket may always have, even under pressure. */
static int lapsmp_af_min[1] = { PAGE_SIZE };

/* --- birth ------------------------------------------------------------------ */

static int lapsmp_af_sk_init(struct sock *sk)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(sk));
	struct lapsmp_sock *ls = lapsmp_sk(sk);
	int i;

	/* Lookups by port are under RCU and take no reference. */
	sock_set_flag(sk, SOCK_RCU_FREE);
	WRITE_ONCE(sk->sk_sndbuf, READ_ONCE(ln->conf.wmem_bytes));
	WRITE_ONCE(sk->sk_rcvbuf, READ_ONCE(ln->conf.rmem_bytes));

	INIT_HLIST_NODE(&ls->bind_node);
	spin_lock_init(&ls->flow_lock);
	for (i = 0; i < ARRAY_SIZE(ls->flows); i++)
		INIT_HLIST_HEAD(&ls->flows[i]);
	spin_lock_init(&ls->rflow_lock);
	INIT_LIST_HEAD(&ls->rflows);
	spin_lock_init(&ls->rq_lock);
	INIT_LIST_HEAD(&ls->rq);
	spin_lock_init(&ls->mem_lock);
	INIT_LIST_HEAD(&ls->mem_node);
	mutex_init(&ls->reader);
	atomic_set(&ls->n_readers, 0);

	sk_sockets_allocated_inc(sk);
	sock_prot_inuse_add(sock_net(sk), sk->sk_prot, 1);
	return 0;
}

/* --- use ----------------------------------------------------------------------- */

static int lapsmp_af_sendmsg(struct socket *sock, struct msghdr *msg,
			     size_t len)
{
	int err = lapsmp_connect_autobind(sock->sk);

	return err ?: lapsmp_sendmsg(sock->sk, msg, len);
}

static bool lapsmp_af_poll_out(struct sock *sk)
{
	if (lapsmp_mem_writable(lapsmp_sk(sk)))
		return true;
	sk_set_bit(SOCKWQ_ASYNC_NOSPACE, sk);
	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	/* Room may just have come: pairs with lapsmp_mem_uncharge_tx(). */
	smp_mb__after_atomic();
	return lapsmp_mem_writable(lapsmp_sk(sk));
}

static __poll_t lapsmp_af_poll(struct file *file, struct socket *sock,
			       poll_table *wait)
{
	struct sock *sk = sock->sk;
	__poll_t mask = 0;
	u8 shutdown;

	sock_poll_wait(file, sock, wait);
	if (READ_ONCE(sk->sk_err) ||
	    !skb_queue_empty_lockless(&sk->sk_error_queue))
		mask |= EPOLLERR |
			(sock_flag(sk, SOCK_SELECT_ERR_QUEUE) ? EPOLLPRI : 0);
	shutdown = READ_ONCE(sk->sk_shutdown);
	if (shutdown == SHUTDOWN_MASK)
		mask |= EPOLLHUP;
	if (shutdown & RCV_SHUTDOWN)
		mask |= EPOLLRDHUP | EPOLLIN | EPOLLRDNORM;
	if (lapsmp_recv_ready(lapsmp_sk(sk)))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (lapsmp_af_poll_out(sk))
		mask |= EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND;
	return mask;
}

static int lapsmp_af_ioctl_int(struct sock *sk, int cmd, int *value)
{
	struct lapsmp_sock *ls = lapsmp_sk(sk);

	switch (cmd) {
	case SIOCINQ:
		*value = min_t(u32, lapsmp_recv_next_bytes(ls), INT_MAX);
		return 0;
	case SIOCOUTQ:
		*value = min_t(long, atomic_long_read(&ls->wmem), INT_MAX);
		return 0;
	default:
		return -ENOIOCTLCMD;
	}
}

LAPSMP_PROTO_IOCTL(lapsmp_af_ioctl, lapsmp_af_ioctl_int)

/* --- end ----------------------------------------------------------------------- */

static void lapsmp_af_shutdown(struct sock *sk, int how)
{
	/* A writer that waits for room must see it. */
	if (how & SEND_SHUTDOWN)
		lapsmp_mem_wake_tx(lapsmp_sk(sk));
}

static struct lapsmp_flow *lapsmp_af_pop_flow(struct lapsmp_sock *ls)
{
	struct lapsmp_flow *f = NULL;
	int i;

	spin_lock_bh(&ls->flow_lock);
	for (i = 0; i < ARRAY_SIZE(ls->flows) && !f; i++) {
		f = hlist_entry_safe(ls->flows[i].first, struct lapsmp_flow,
				     sock_node);
		if (f) {
			hlist_del_init_rcu(&f->sock_node);
			ls->n_flows--;
		}
	}
	spin_unlock_bh(&ls->flow_lock);
	return f;
}

static void lapsmp_af_orphan_flows(struct lapsmp_sock *ls, bool abort)
{
	struct lapsmp_flow *f;

	while ((f = lapsmp_af_pop_flow(ls))) {
		lapsmp_flow_orphan(f, abort);
		lapsmp_flow_put(f);
	}
}

/* The protocol lets go of the socket; also if it was never used. */
static void lapsmp_af_destroy(struct sock *sk)
{
	struct lapsmp_sock *ls = lapsmp_sk(sk);
	bool abort = sock_flag(sk, SOCK_LINGER) && !sk->sk_lingertime;

	lapsmp_bind_unhash(sk);
	lapsmp_mem_leave(ls);
	lapsmp_rflow_detach_all(ls);
	lapsmp_af_orphan_flows(ls, abort);
	WARN_ON_ONCE(atomic_long_read(&ls->wmem) ||
		     atomic_long_read(&ls->rmem));

	lapsmp_sched_put(ls->sched);
	lapsmp_cc_put(ls->cc);
	sk_sockets_allocated_dec(sk);
	sock_prot_inuse_add(sock_net(sk), sk->sk_prot, -1);
}

/* SO_LINGER: wait until all was acknowledged, or time is up, or a signal. */
static void lapsmp_af_linger(struct sock *sk, long timeout)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	add_wait_queue(sk_sleep(sk), &wait);
	while (timeout > 0 && !signal_pending(current)) {
		long slice = min_t(long, timeout, LAPSMP_AF_LINGER_SLICE);

		set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		/* Pairs with lapsmp_mem_uncharge_tx(). */
		smp_mb__after_atomic();
		if (lapsmp_flow_drained(lapsmp_sk(sk)))
			break;
		timeout -= slice - wait_woken(&wait, TASK_INTERRUPTIBLE, slice);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
}

static void lapsmp_af_close(struct sock *sk, long timeout)
{
	WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
	if (timeout)
		lapsmp_af_linger(sk, timeout);
	sk_common_release(sk);
}

/* --- registration ---------------------------------------------------------------- */

#define LAPSMP_AF_PROTO							\
	.owner			= THIS_MODULE,				\
	.close			= lapsmp_af_close,			\
	.disconnect		= lapsmp_connect_dissolve,			\
	.ioctl			= lapsmp_af_ioctl,			\
	.init			= lapsmp_af_sk_init,			\
	.destroy		= lapsmp_af_destroy,			\
	.shutdown		= lapsmp_af_shutdown,			\
	.setsockopt		= lapsmp_setsockopt,			\
	.getsockopt		= lapsmp_getsockopt,			\
	.sendmsg		= lapsmp_sendmsg,			\
	.recvmsg		= lapsmp_recvmsg,			\
	.unhash			= lapsmp_bind_unhash,			\
	.get_port		= lapsmp_bind_get_port,			\
	.put_port		= lapsmp_bind_unhash,			\
	.memory_allocated	= &lapsmp_af_memory,			\
	.per_cpu_fw_alloc	= &lapsmp_af_memory_fw_alloc,		\
	.sockets_allocated	= &lapsmp_af_sockets,			\
	.sysctl_mem		= lapsmp_af_mem,			\
	.sysctl_wmem		= lapsmp_af_min,			\
	.sysctl_rmem		= lapsmp_af_min

static struct proto lapsmp_af_prot = {
	.name			= "LAPSMP",
	.obj_size		= sizeof(struct lapsmp_sock),
	LAPSMP_AF_PROTO,
};

static struct proto lapsmp_af_prot6 = {
	.name			= "LAPSMPv6",
	.obj_size		= sizeof(struct lapsmp6_sock),
	LAPSMP_PROTO_PINFO(struct lapsmp6_sock, inet6)
	LAPSMP_AF_PROTO,
};

#define LAPSMP_AF_OPS							\
	.owner			= THIS_MODULE,				\
	.connect		= lapsmp_connect,			\
	.socketpair		= sock_no_socketpair,			\
	.accept			= sock_no_accept,			\
	.poll			= lapsmp_af_poll,			\
	.gettstamp		= sock_gettstamp,			\
	.listen			= sock_no_listen,			\
	.shutdown		= inet_shutdown,			\
	.setsockopt		= sock_common_setsockopt,		\
	.getsockopt		= sock_common_getsockopt,		\
	.sendmsg		= lapsmp_af_sendmsg,			\
	.recvmsg		= inet_recvmsg,				\
	.mmap			= sock_no_mmap

static const struct proto_ops lapsmp_af_ops = {
	.family			= PF_INET,
	.release		= inet_release,
	.bind			= inet_bind,
	.getname		= inet_getname,
	.ioctl			= inet_ioctl,
	LAPSMP_AF_OPS,
};

static const struct proto_ops lapsmp_af_ops6 = {
	.family			= PF_INET6,
	.release		= inet6_release,
	.bind			= inet6_bind,
	.getname		= inet6_getname,
	.ioctl			= inet6_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl		= inet6_compat_ioctl,
#endif
	LAPSMP_AF_OPS,
};

static struct inet_protosw lapsmp_af_protosw = {
	.type		= SOCK_DGRAM,
	.protocol	= IPPROTO_LAPSMP,
	.prot		= &lapsmp_af_prot,
	.ops		= &lapsmp_af_ops,
};

static struct inet_protosw lapsmp_af_protosw6 = {
	.type		= SOCK_DGRAM,
	.protocol	= IPPROTO_LAPSMP,
	.prot		= &lapsmp_af_prot6,
	.ops		= &lapsmp_af_ops6,
};

/*
 * Five eighths of the memory: what parts.c lets sockets have for sending and for what was
 * received, and for what they keep beside that.
 */
static void lapsmp_af_size_memory(void)
{
	long limit = max(nr_free_buffer_pages() / 8 * 5, 640UL);
	int i;

	for (i = 0; i < ARRAY_SIZE(lapsmp_af_mem); i++)
		lapsmp_af_mem[i] = limit;
}

/**
 * lapsmp_af_init() - let programs open sockets
 *
 * Everything else must be ready. Context: process.
 * Return: 0 or -errno.
 */
int lapsmp_af_init(void)
{
	int err;

	lapsmp_af_size_memory();
	err = percpu_counter_init(&lapsmp_af_sockets, 0, GFP_KERNEL);
	if (err)
		return err;
	err = proto_register(&lapsmp_af_prot, 1);
	if (err)
		goto fail_counter;
	err = proto_register(&lapsmp_af_prot6, 1);
	if (err)
		goto fail_prot;
	inet_register_protosw(&lapsmp_af_protosw);
	err = inet6_register_protosw(&lapsmp_af_protosw6);
	if (err)
		goto fail_prot6;
	return 0;

fail_prot6:
	inet_unregister_protosw(&lapsmp_af_protosw);
	proto_unregister(&lapsmp_af_prot6);
fail_prot:
	proto_unregister(&lapsmp_af_prot);
fail_counter:
	percpu_counter_destroy(&lapsmp_af_sockets);
	return err;
}

/**
 * lapsmp_af_exit() - the last socket was closed
 *
 * Context: process.
 */
void lapsmp_af_exit(void)
{
	inet6_unregister_protosw(&lapsmp_af_protosw6);
	inet_unregister_protosw(&lapsmp_af_protosw);
	proto_unregister(&lapsmp_af_prot6);
	proto_unregister(&lapsmp_af_prot);
	percpu_counter_destroy(&lapsmp_af_sockets);
	lapsmp_mem_exit();
}

/* The numbers, because the names are no plain macros: PF_INET, PF_INET6. */
MODULE_ALIAS_NET_PF_PROTO_TYPE(2, 260, 2);
MODULE_ALIAS_NET_PF_PROTO_TYPE(10, 260, 2);
