/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The protocol's parts of the machine's memory, of all sockets of all namespaces: a quarter,
 * or what the module's parameter memory_mb says if that is less, for what waits to be sent,
 * and as much again for what was received, apart from each other.
 * Two hosts that are full of what they want to send would else receive nothing from each
 * other for ever, and whoever fills a host with what it does not read would keep it from
 * answering others. The core knows one limit for both, and up to that only receiving stops
 * (__sk_mem_raise_allocated()).
 *
 * Of each part a socket may have up to 4 times what is still free, by the same law by which
 * flows share a socket's buffer (Choudhury and Hahne, IEEE/ACM ToN 1998): however many
 * sockets take all they get, a new one finds room. Beyond a part an eighth of it is kept
 * for who has nothing, for who has looked before he copied, and, by the same law, for what
 * somebody waits for.
 *
 * What is said of bytes may be wrong by 256 KB for each CPU.
 */
#ifndef _LAPSMP_PARTS_H
#define _LAPSMP_PARTS_H

#include <linux/types.h>

/* Of one of them, in bytes. */
u64 lapsmp_parts_size(void);

/**
 * lapsmp_parts_may_send() - is there room for more of one socket?
 * @mine: bytes that it has queued or under way
 * @more: that it will take at once; 0 for who looks again before each piece
 *
 * Context: any.
 */
bool lapsmp_parts_may_send(u64 mine, u64 more);

/* For a socket that may send: false when many have looked at once. Context: any. */
bool lapsmp_parts_take_tx(u32 bytes);
void lapsmp_parts_give_tx(u32 bytes);

/* Even if there is none: for what is bounded otherwise. Context: any. */
void lapsmp_parts_take_tx_anyway(u32 bytes);

/**
 * lapsmp_parts_take_rx() - room for what was received
 * @bytes: truesize
 * @mine: what the socket has, with it
 * @awaited: without it nothing else of its flow can be read
 *
 * Context: any.
 */
bool lapsmp_parts_take_rx(u32 bytes, u64 mine, bool awaited);
void lapsmp_parts_give_rx(u64 bytes);

/* May a flow with so many bytes queued outlive its socket? Half of the part may. */
bool lapsmp_parts_may_orphan(u64 bytes);

/**
 * lapsmp_parts_take_orphan() - what a socket has queued outlives it
 * @bytes: of one flow, taken for sending before
 *
 * They stay taken, until lapsmp_parts_give_orphan(). Context: any.
 */
void lapsmp_parts_take_orphan(u64 bytes);
void lapsmp_parts_give_orphan(u64 bytes);

/**
 * lapsmp_parts_reserve() - promise room for a message
 * @bytes: of it; buffers may take twice as many
 * @mine: what its namespace was promised before: up to 4 times what is left for others
 * @anyway: even if that much is not there
 *
 * Context: any.
 */
bool lapsmp_parts_reserve(u32 bytes, u64 mine, bool anyway);
void lapsmp_parts_unreserve(u32 bytes);

/*
 * The largest message that may ever be promised room: 2 / 5 of the part. Its buffers may be twice
 * as large, and more than 4 / 5 no socket has, by the law above.
 */
u64 lapsmp_parts_most_reserved(void);

int lapsmp_parts_init(void);
void lapsmp_parts_exit(void);

#endif /* _LAPSMP_PARTS_H */
