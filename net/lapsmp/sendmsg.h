/* SPDX-License-Identifier: GPL-2.0 */
/* From a program's buffer into a flow. */
#ifndef _LAPSMP_SENDMSG_H
#define _LAPSMP_SENDMSG_H

#include "sock.h"

int lapsmp_sendmsg(struct sock *sk, struct msghdr *msg, size_t len);

#endif /* _LAPSMP_SENDMSG_H */
