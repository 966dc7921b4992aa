/* SPDX-License-Identifier: GPL-2.0 */
/* One packet of a flow on one path: route, header, pages, record, output. */
#ifndef _LAPSMP_XMIT_H
#define _LAPSMP_XMIT_H

#include "flow.h"
#include "wire.h"

/**
 * lapsmp_xmit_mss() - bytes of payload that a path carries now
 * @f: flow, locked
 * @fp: the path
 * @now_ns: monotonic
 *
 * Looks the route up if need be, and follows its MTU.
 * Return: the bytes, or 0 if the path cannot be used now (it was told so).
 */
u32 lapsmp_xmit_mss(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns);

/**
 * lapsmp_xmit_seg() - send a segment (data, ABORT or probe) and record it
 * @f: flow, locked
 * @fp: path, for which lapsmp_xmit_mss() was just asked
 * @seg: fits
 * @now_ns: monotonic
 *
 * Data may wait for more on the same path until lapsmp_xmit_flush().
 *
 * Return: bytes on the wire, or -ENOBUFS: it was not sent and is the caller's.
 */
int lapsmp_xmit_seg(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		    struct lapsmp_seg *seg, u64 now_ns);

/* Send what waits. Context: flow locked, before the lock is let go of. */
void lapsmp_xmit_flush(struct lapsmp_flow *f, u64 now_ns);

/**
 * lapsmp_xmit_ctrl() - send a packet that is not recorded (WPROBE, CLOSE)
 * @h: type and its fields; the rest is filled in
 * @pad: zero bytes behind the header
 */
void lapsmp_xmit_ctrl(struct lapsmp_flow *f, struct lapsmp_fpath *fp,
		      struct lapsmp_hdr *h, u32 pad, u64 now_ns);

#endif /* _LAPSMP_XMIT_H */
