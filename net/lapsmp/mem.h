/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory charged to a socket: to its own limits, to the protocol's (parts.h), and to
 * the control group that the socket belongs to.
 *
 * sk_forward_alloc has no lock of its own in the core (each protocol brings
 * one): here it is ls->mem_lock, because senders, readers and softirqs of
 * different flows charge the same socket.
 */
#ifndef _LAPSMP_MEM_H
#define _LAPSMP_MEM_H

#include "sock.h"

/**
 * lapsmp_mem_charge_tx() - account bytes of a message to be sent
 * @ls: socket
 * @bytes: pages and overhead
 *
 * Raises ls->wmem. Whether there is room was decided before; this only fails when
 * the control group's limit is reached, or when many have found room at once.
 *
 * Context: any. Return: 0 or -ENOBUFS.
 */
int lapsmp_mem_charge_tx(struct lapsmp_sock *ls, u32 bytes);

/* Give them back; wakes writers when enough room came free. Context: any. */
void lapsmp_mem_uncharge_tx(struct lapsmp_sock *ls, u32 bytes);

/**
 * lapsmp_mem_charge_state() - account what a flow takes beside its messages (flowmem.h)
 * @ls: socket
 * @bytes: of the protocol's part, taken before
 *
 * It does not count for the send buffer, and wakes nobody. Context: any. Return: 0 or -ENOBUFS.
 */
int lapsmp_mem_charge_state(struct lapsmp_sock *ls, u32 bytes);
void lapsmp_mem_uncharge_state(struct lapsmp_sock *ls, u32 bytes);

/* Wakes all writers, for whatever else they wait for. Context: any. */
void lapsmp_mem_wake_tx(struct lapsmp_sock *ls);

/* The socket closes: it waits for nothing any more. Context: process. */
void lapsmp_mem_leave(struct lapsmp_sock *ls);

/**
 * lapsmp_mem_orphan_tx() - a flow outlives its socket
 * @ls: socket
 * @bytes: that were charged for the flow
 *
 * The protocol still has them: lapsmp_parts_give_orphan(). Context: any.
 */
void lapsmp_mem_orphan_tx(struct lapsmp_sock *ls, u64 bytes);

/**
 * lapsmp_mem_charge_rx() - account received buffers
 * @ls: socket
 * @truesize: of the skb
 * @extra: admitted beyond the receive buffer (a large message's reservation)
 * @awaited: nothing else of its flow can be read before it is there
 *
 * Raises ls->rmem and sk_rmem_alloc. Return: 0, or -ENOBUFS: over the limit of
 * 2 * sk_rcvbuf + @extra, or of the protocol for what was received, or of the control
 * group. Context: any.
 */
int lapsmp_mem_charge_rx(struct lapsmp_sock *ls, u32 truesize, u64 extra, bool awaited);
void lapsmp_mem_uncharge_rx(struct lapsmp_sock *ls, u64 truesize);

/**
 * lapsmp_mem_charge_notice() - account an entry of the error queue
 * @ls: socket
 * @truesize: of the skb
 * @queued: bytes of entries that are there, with it
 *
 * Raises sk_rmem_alloc, so that SO_MEMINFO shows it, and takes of the protocol's part for what was
 * received; but the receive buffer stays for messages. Return: 0 or -ENOBUFS. Context: any.
 */
int lapsmp_mem_charge_notice(struct lapsmp_sock *ls, u32 truesize, u64 queued);
void lapsmp_mem_uncharge_notice(struct lapsmp_sock *ls, u32 truesize);

/**
 * lapsmp_mem_may_send() - is there room for more on a flow?
 * @ls: socket
 * @flow_queued: bytes that the flow has queued or under way
 * @more: that are to be taken at once; 0 for who looks again before each piece
 *
 * A dynamic threshold (Choudhury and Hahne, IEEE/ACM ToN 1998): a flow may have
 * up to 4 times what is still free of the socket's send buffer. One flow alone
 * gets 80 % of the buffer, and however many peers stop reading, a new one always
 * finds room. A flow with nothing queued may always send. Both only while the socket
 * has no more than its share of the protocol's part (parts.h). Who was refused for want of
 * that is woken when there is room. Context: process.
 */
bool lapsmp_mem_may_send(struct lapsmp_sock *ls, u64 flow_queued, u64 more);

/* The most that one flow may ever have queued on this socket. */
u64 lapsmp_mem_flow_max(const struct lapsmp_sock *ls);

/* Room for at least one more message somewhere: POLLOUT. Likewise. Context: process. */
bool lapsmp_mem_writable(struct lapsmp_sock *ls);

void lapsmp_mem_exit(void);

#endif /* _LAPSMP_MEM_H */
