/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What fabric_sock.c, which makes the flows' sockets and sends, and fabric_recv.c share.
 */
#ifndef LAPSPERF_FABRIC_SOCK_H
#define LAPSPERF_FABRIC_SOCK_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "fabric.h"

/* What each header begins with. */
#define FABRIC_MAGIC	0x6c706632u

static inline bool must_wait(int err)
{
	/* ENOTCONN: the connection is being made. */
	return err == EAGAIN || err == ENOTCONN || err == EINTR;
}

void receiver_add(struct fabric *f, int fd, const struct transport *by, uint32_t host,
		  bool listens);
void flow_got(struct fabric *f, struct flow *flow, uint64_t bytes);

#endif
