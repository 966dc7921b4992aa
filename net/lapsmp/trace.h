/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints, one at each decision. Plain arguments only, so that a trace can be
 * read without knowing structs, and calling one says what it tells.
 *
 *	echo 1 > /sys/kernel/tracing/events/lapsmp/enable
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM lapsmp

#if !defined(_LAPSMP_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _LAPSMP_TRACE_H

#include <linux/tracepoint.h>
#include "compat.h"

/* A scheduler chose a path for a segment, or probed one (msg U32_MAX). */
TRACE_EVENT(lapsmp_pick,
	TP_PROTO(u64 flow, u16 path, u32 seq, u32 msg, u32 off, u32 len,
		 s64 owd_ns),
	TP_ARGS(flow, path, seq, msg, off, len, owd_ns),
	TP_STRUCT__entry(
		__field(u64, flow)
		__field(s64, owd_ns)
		__field(u32, seq)
		__field(u32, msg)
		__field(u32, off)
		__field(u32, len)
		__field(u16, path)
	),
	TP_fast_assign(
		__entry->flow = flow;
		__entry->owd_ns = owd_ns;
		__entry->seq = seq;
		__entry->msg = msg;
		__entry->off = off;
		__entry->len = len;
		__entry->path = path;
	),
	TP_printk("flow=%016llx path=%u seq=%u msg=%u off=%u len=%u owd_ns=%lld",
		  __entry->flow, __entry->path, __entry->seq, __entry->msg,
		  __entry->off, __entry->len, __entry->owd_ns)
);

/* An acknowledgment came. */
TRACE_EVENT(lapsmp_ack,
	TP_PROTO(u64 flow, u16 path, u32 seq, u32 acked, u32 lost, u64 rtt_ns,
		 s64 owd_ns),
	TP_ARGS(flow, path, seq, acked, lost, rtt_ns, owd_ns),
	TP_STRUCT__entry(
		__field(u64, flow)
		__field(u64, rtt_ns)
		__field(s64, owd_ns)
		__field(u32, seq)
		__field(u32, acked)
		__field(u32, lost)
		__field(u16, path)
	),
	TP_fast_assign(
		__entry->flow = flow;
		__entry->rtt_ns = rtt_ns;
		__entry->owd_ns = owd_ns;
		__entry->seq = seq;
		__entry->acked = acked;
		__entry->lost = lost;
		__entry->path = path;
	),
	TP_printk("flow=%016llx path=%u seq=%u acked=%u lost=%u rtt_ns=%llu owd_ns=%lld",
		  __entry->flow, __entry->path, __entry->seq, __entry->acked,
		  __entry->lost, __entry->rtt_ns, __entry->owd_ns)
);

/* A segment was deemed lost. */
TRACE_EVENT(lapsmp_loss,
	TP_PROTO(u64 flow, u16 path, u32 seq, u32 msg, u32 off, u32 len),
	TP_ARGS(flow, path, seq, msg, off, len),
	TP_STRUCT__entry(
		__field(u64, flow)
		__field(u32, seq)
		__field(u32, msg)
		__field(u32, off)
		__field(u32, len)
		__field(u16, path)
	),
	TP_fast_assign(
		__entry->flow = flow;
		__entry->seq = seq;
		__entry->msg = msg;
		__entry->off = off;
		__entry->len = len;
		__entry->path = path;
	),
	TP_printk("flow=%016llx path=%u seq=%u msg=%u off=%u len=%u",
		  __entry->flow, __entry->path, __entry->seq, __entry->msg,
		  __entry->off, __entry->len)
);

/* The congestion control answered; t and T as in the paper. */
TRACE_EVENT(lapsmp_rate,
	TP_PROTO(u64 flow, u64 cwnd_q16, u64 pacing_rate, s64 t_ns, s64 T_ns,
		 s64 over_ns),
	TP_ARGS(flow, cwnd_q16, pacing_rate, t_ns, T_ns, over_ns),
	TP_STRUCT__entry(
		__field(u64, flow)
		__field(u64, cwnd_q16)
		__field(u64, pacing_rate)
		__field(s64, t_ns)
		__field(s64, T_ns)
		__field(s64, over_ns)
	),
	TP_fast_assign(
		__entry->flow = flow;
		__entry->cwnd_q16 = cwnd_q16;
		__entry->pacing_rate = pacing_rate;
		__entry->t_ns = t_ns;
		__entry->T_ns = T_ns;
		__entry->over_ns = over_ns;
	),
	TP_printk("flow=%016llx cwnd_q16=%llu pacing_rate=%llu t_ns=%lld T_ns=%lld over_ns=%lld",
		  __entry->flow, __entry->cwnd_q16, __entry->pacing_rate,
		  __entry->t_ns, __entry->T_ns, __entry->over_ns)
);

/*
 * A segment was received; @ahead: bytes that wait behind gaps, i.e. how long the
 * reordering buffer is.
 */
TRACE_EVENT(lapsmp_receive,
	TP_PROTO(u64 flow, u16 path, u32 seq, u32 msg, u32 off, u32 len,
		 u64 ahead),
	TP_ARGS(flow, path, seq, msg, off, len, ahead),
	TP_STRUCT__entry(
		__field(u64, flow)
		__field(u64, ahead)
		__field(u32, seq)
		__field(u32, msg)
		__field(u32, off)
		__field(u32, len)
		__field(u16, path)
	),
	TP_fast_assign(
		__entry->flow = flow;
		__entry->ahead = ahead;
		__entry->seq = seq;
		__entry->msg = msg;
		__entry->off = off;
		__entry->len = len;
		__entry->path = path;
	),
	TP_printk("flow=%016llx path=%u seq=%u msg=%u off=%u len=%u ahead=%llu",
		  __entry->flow, __entry->path, __entry->seq, __entry->msg,
		  __entry->off, __entry->len, __entry->ahead)
);

/* A path is in another state (enum lapsmp_path_state). */
TRACE_EVENT(lapsmp_path_state,
	TP_PROTO(u16 path, u8 old, u8 new, const char *reason),
	TP_ARGS(path, old, new, reason),
	TP_STRUCT__entry(
		__field(u16, path)
		__field(u8, old)
		__field(u8, new)
		__string(reason, reason)
	),
	TP_fast_assign(
		__entry->path = path;
		__entry->old = old;
		__entry->new = new;
		lapsmp_assign_str(reason, reason);
	),
	TP_printk("path=%u old=%u new=%u reason=%s",
		  __entry->path, __entry->old, __entry->new,
		  __get_str(reason))
);

/* The oldest segment of a flow on a path timed out, for the n-th time in a row. */
TRACE_EVENT(lapsmp_timeout,
	TP_PROTO(u64 flow, u16 path, u32 timeouts, u64 rto_ns),
	TP_ARGS(flow, path, timeouts, rto_ns),
	TP_STRUCT__entry(
		__field(u64, flow)
		__field(u64, rto_ns)
		__field(u32, timeouts)
		__field(u16, path)
	),
	TP_fast_assign(
		__entry->flow = flow;
		__entry->rto_ns = rto_ns;
		__entry->timeouts = timeouts;
		__entry->path = path;
	),
	TP_printk("flow=%016llx path=%u timeouts=%u rto_ns=%llu",
		  __entry->flow, __entry->path, __entry->timeouts,
		  __entry->rto_ns)
);

#endif /* _LAPSMP_TRACE_H */

/* Found by -I$(src), in the tree and out of it. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
