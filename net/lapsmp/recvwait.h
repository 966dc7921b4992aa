/* SPDX-License-Identifier: GPL-2.0 */
/* How a reader waits until there is something to read. */
#ifndef _LAPSMP_RECVWAIT_H
#define _LAPSMP_RECVWAIT_H

#include "sock.h"

/**
 * lapsmp_recv_wait() - until a message can be read, or a piece of one
 * @ls: socket
 * @timeo: jiffies, less what was waited
 *
 * Readers wait exclusively: one is woken for what has come, and has to pass on what he leaves.
 * Those that sleep are counted in ls->n_readers.
 *
 * Context: process.
 * Return: 0: something can be read; 1: nothing will; or a negative errno.
 */
int lapsmp_recv_wait(struct lapsmp_sock *ls, long *timeo);

#endif /* _LAPSMP_RECVWAIT_H */
