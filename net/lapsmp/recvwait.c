// SPDX-License-Identifier: GPL-2.0
/* How a reader waits until there is something to read. */
#include <linux/sched/signal.h>
#include "recvmsg.h"
#include "recvwait.h"

/* Readers wait exclusively, and must not take the wake-up of a writer. */
static int lapsmp_recv_wake(wait_queue_entry_t *wait, unsigned int mode,
			    int sync, void *key)
{
	if (key && !(key_to_poll(key) & (EPOLLIN | EPOLLERR)))
		return 0;
	return woken_wake_function(wait, mode, sync, key);
}

/* Why a reader need not wait: 1: closed for reading, or an error; 0: it must. */
static int lapsmp_recv_stopped(struct sock *sk)
{
	int err = sock_error(sk);

	if (err)
		return err;
	return READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN ? 1 : 0;
}

int lapsmp_recv_wait(struct lapsmp_sock *ls, long *timeo)
{
	struct sock *sk = lapsmp_sock_sk(ls);
	DEFINE_WAIT_FUNC(wait, lapsmp_recv_wake);
	int err = 0;

	if (lapsmp_recv_ready(ls))
		return 0;
	atomic_inc(&ls->n_readers);
	add_wait_queue_exclusive(sk_sleep(sk), &wait);
	/* Pairs with wq_has_sleeper(): either they see us, or we the message. */
	smp_mb();
	while (!lapsmp_recv_ready(ls)) {
		err = lapsmp_recv_stopped(sk);
		if (err)
			break;
		err = -EAGAIN;
		if (!*timeo)
			break;
		err = sock_intr_errno(*timeo);
		if (signal_pending(current))
			break;
		*timeo = wait_woken(&wait, TASK_INTERRUPTIBLE, *timeo);
		err = 0;
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	atomic_dec(&ls->n_readers);
	/* The wake-up that this reader does not use is another one's. */
	if (err && lapsmp_recv_ready(ls))
		sk->sk_data_ready(sk);
	return err;
}
