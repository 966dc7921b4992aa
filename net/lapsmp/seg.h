/* SPDX-License-Identifier: GPL-2.0 */
/* Segments: struct lapsmp_seg, see flow.h. All calls: flow locked. */
#ifndef _LAPSMP_SEG_H
#define _LAPSMP_SEG_H

#include "flow.h"

/* Fragments of an skb that a segment may need. */
#define LAPSMP_SEG_FRAGS	16

/* One of @m (NULL: a probe), with a reference to it, and none to itself; NULL without memory. */
struct lapsmp_seg *lapsmp_seg_alloc(u8 kind, struct lapsmp_tmsg *m);

/* A probe of @ip_bytes; NULL without memory. */
struct lapsmp_seg *lapsmp_seg_probe(u32 ip_bytes);

void lapsmp_seg_put(struct lapsmp_seg *seg);

/* Need it never be sent again? */
bool lapsmp_seg_over(const struct lapsmp_seg *seg);

/* Its bytes have arrived: the chunks that held them may go. */
void lapsmp_seg_done(struct lapsmp_flow *f, struct lapsmp_seg *seg);

/**
 * lapsmp_seg_fit() - how much fits into a packet
 * @c: chunk that has the first byte
 * @off: of that in the message
 * @len: bytes that are wanted
 * @mss: bytes that the path carries
 *
 * Return: bytes, limited by a packet's fragments, too.
 */
u32 lapsmp_seg_fit(const struct lapsmp_chunk *c, u32 off, u32 len, u32 mss);

/**
 * lapsmp_seg_split() - keep the first part of a segment that is to be sent again
 * @seg: segment, with data
 * @len: bytes of the first part, fewer than it has
 *
 * Return: a segment of the others, with one reference, not in flow->lost; NULL without memory.
 */
struct lapsmp_seg *lapsmp_seg_split(struct lapsmp_seg *seg, u32 len);

int lapsmp_seg_init(void);
void lapsmp_seg_exit(void);

#endif /* _LAPSMP_SEG_H */
