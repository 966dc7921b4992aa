/* SPDX-License-Identifier: GPL-2.0 */
/* What a program is told about a message that it reads. */
#ifndef _LAPSMP_RECVCMSG_H
#define _LAPSMP_RECVCMSG_H

#include "rmsg.h"
#include "sock.h"

void lapsmp_recvcmsg_put(struct sock *sk, struct msghdr *msg,
			 const struct lapsmp_rmsg *m, int *addr_len);

#endif /* _LAPSMP_RECVCMSG_H */
