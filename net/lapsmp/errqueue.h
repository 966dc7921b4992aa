/* SPDX-License-Identifier: GPL-2.0 */
/* What a socket is told about messages and destinations, later than the call. */
#ifndef _LAPSMP_ERRQUEUE_H
#define _LAPSMP_ERRQUEUE_H

#include "sock.h"

bool lapsmp_sock_report(struct lapsmp_sock *ls, const struct in6_addr *raddr,
			__be16 dport, int err, u64 msg_count, bool notify);

#endif /* _LAPSMP_ERRQUEUE_H */
