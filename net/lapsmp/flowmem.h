/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a flow takes beside its messages: itself, and what it remembers of each path.
 *
 * A flow is made by one byte to another destination, and lives on for a while when its socket is
 * closed. So it is charged like what is sent: to the protocol's part (parts.h) for as long as it
 * is there, and to the socket and its control group until it leaves the socket. It does not count
 * for the socket's buffer, which is for messages.
 */
#ifndef _LAPSMP_FLOWMEM_H
#define _LAPSMP_FLOWMEM_H

#include "flow.h"

/**
 * lapsmp_flowmem_may_open() - may a socket have one flow more?
 * @ls: socket
 * @peer: to this one
 *
 * By the law of parts.h, and 65,536 at most: some look at all of them. Its first one it may.
 *
 * Context: process. Return: true, or the call fails with ENOBUFS.
 */
bool lapsmp_flowmem_may_open(const struct lapsmp_sock *ls, const struct lapsmp_peer *peer);

/**
 * __lapsmp_flowmem_grow() - charge a flow for its paths
 * @f: flow, locked
 * @n_paths: that it is to remember; what it has for more stays charged
 *
 * Who is refused tries again for as long as he is patient (timer.c). Context: any.
 * Return: 0 or -ENOBUFS.
 */
int __lapsmp_flowmem_grow(struct lapsmp_flow *f, int n_paths);

/* The flow leaves its socket, which has not been released yet. Context: any; @f locked. */
void __lapsmp_flowmem_leave(struct lapsmp_flow *f);

/* The same, taking the lock. */
void lapsmp_flowmem_leave(struct lapsmp_flow *f);

/* It has left a socket that was closed, and goes on. Context: any; @f locked. */
void __lapsmp_flowmem_orphan(struct lapsmp_flow *f);

/* With the last reference. Context: any. */
void lapsmp_flowmem_free(struct lapsmp_flow *f);

#endif /* _LAPSMP_FLOWMEM_H */
