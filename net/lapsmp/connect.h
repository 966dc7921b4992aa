/* SPDX-License-Identifier: GPL-2.0 */
/* Connecting a socket. */
#ifndef _LAPSMP_CONNECT_H
#define _LAPSMP_CONNECT_H

#include "sock.h"

int lapsmp_connect_autobind(struct sock *sk);
int lapsmp_connect(struct socket *sock, struct sockaddr *sa, int len,
		   int flags);
int lapsmp_connect_dissolve(struct sock *sk, int flags);

#endif /* _LAPSMP_CONNECT_H */
