/* SPDX-License-Identifier: GPL-2.0 */
/* From a socket's queue into a program's buffer. */
#ifndef _LAPSMP_RECVMSG_H
#define _LAPSMP_RECVMSG_H

#include "sock.h"

int lapsmp_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		   int *addr_len);
bool lapsmp_recv_ready(struct lapsmp_sock *ls);
u32 lapsmp_recv_next_bytes(struct lapsmp_sock *ls);
u64 lapsmp_recv_queued_bytes(struct lapsmp_sock *ls);

#endif /* _LAPSMP_RECVMSG_H */
