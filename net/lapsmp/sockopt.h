/* SPDX-License-Identifier: GPL-2.0 */
/* Socket options. */
#ifndef _LAPSMP_SOCKOPT_H
#define _LAPSMP_SOCKOPT_H

#include <linux/sockptr.h>
#include "sock.h"

int lapsmp_setsockopt(struct sock *sk, int level, int name, sockptr_t optval,
		      unsigned int optlen);
int lapsmp_getsockopt(struct sock *sk, int level, int name,
		      char __user *optval, int __user *optlen);

#endif /* _LAPSMP_SOCKOPT_H */
