/* SPDX-License-Identifier: GPL-2.0 */
/* Which messages pass others on their way, and how many segments of them: see express.c. */
#ifndef _LAPSMP_ALG_EXPRESS_H
#define _LAPSMP_ALG_EXPRESS_H

#include <linux/types.h>

enum lapsmp_express_level {
	LAPSMP_EXPRESS_NONE	= 0,	/* waits like all others */
	LAPSMP_EXPRESS_SHORT	= 1,	/* passes those */
	LAPSMP_EXPRESS_FIRST	= 2,	/* passes these, too */
};

/**
 * struct lapsmp_express_cfg - what may pass
 * @first_bytes: of a message, at most, that passes all others
 * @bytes: of one that passes at all, and of all in a row; 0: none does
 * @segs: that may be under way before there is an answer
 * @line_rate: of the sending host, bytes/s
 */
struct lapsmp_express_cfg {
	u32	first_bytes;
	u32	bytes;
	u32	segs;
	u64	line_rate;
};

/**
 * struct lapsmp_express - a flow's part in it; zeroed, it has sent nothing yet
 * @level: enum lapsmp_express_level of what it sends now
 * @heard: there was an answer since it began to pass
 * @cwnd_q16: of what passes, segments that may be under way, 16 fractional bits
 * @spent: bytes that have passed, less what time has made good
 * @spent_ns: when that was so
 */
struct lapsmp_express {
	u8	level;
	bool	heard;
	u64	cwnd_q16;
	u64	spent;
	u64	spent_ns;
};

/**
 * struct lapsmp_express_sample - what an acknowledgment says of segments that passed
 * @segs: how many it acknowledges
 * @inflight_segs: of the flow's, still under way
 * @timed: @queue_ns is known
 * @queue_ns: what the newest was delayed beyond its path's base; it may be below 0
 * @base_ns: that base
 * @margin_ns: the queue that the path may have
 * @marked: some met congestion (ECN)
 */
struct lapsmp_express_sample {
	u32	segs;
	u32	inflight_segs;
	bool	timed;
	s64	queue_ns;
	s64	base_ns;
	s64	margin_ns;
	bool	marked;
};

/**
 * lapsmp_express_begin() - how does a message travel that is about to begin?
 * @e: the flow's
 * @cfg: what may pass
 * @len: its bytes
 * @idle: nothing is under way that could be overtaken
 * @now_ns: monotonic
 *
 * Once for each message, when all before it were sent. @e->level is the answer, for all
 * that the flow sends from then on.
 */
void lapsmp_express_begin(struct lapsmp_express *e, const struct lapsmp_express_cfg *cfg,
			  u32 len, bool idle, u64 now_ns);

/* @behind bytes more wait behind the message that is being sent: do all pass? @bytes: as above. */
void lapsmp_express_queued(struct lapsmp_express *e, u32 bytes, u64 behind);

/* Segments that passed were acknowledged. */
void lapsmp_express_acked(struct lapsmp_express *e, const struct lapsmp_express_sample *s);

/* Some of them were lost. */
void lapsmp_express_lost(struct lapsmp_express *e);

/* How many segments may be under way; 0: the congestion control says it. */
u32 lapsmp_express_window(const struct lapsmp_express *e);

/* How fast it may send while it passes, bytes/s, with @inflight_segs under way. */
u64 lapsmp_express_rate(const struct lapsmp_express *e, u64 line_rate, u32 inflight_segs);

#endif /* _LAPSMP_ALG_EXPRESS_H */
