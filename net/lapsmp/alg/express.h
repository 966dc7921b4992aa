/* SPDX-License-Identifier: GPL-2.0 */
/* Which messages pass others on their way, and how many segments of them: see express.c. */
#ifndef _LAPSMP_ALG_EXPRESS_H
#define _LAPSMP_ALG_EXPRESS_H

#include <linux/types.h>

/* Classes before that of data, of messages each of which is longer than those of the one before. */
#define LAPSMP_EXPRESS_CLASSES	4

/* Waits like all others; from 1 to LAPSMP_EXPRESS_CLASSES: passes all of a lower level. */
#define LAPSMP_EXPRESS_NONE	0

/**
 * struct lapsmp_express_cfg - what may pass
 * @bytes: of a message in each class, at most, the best class first; 0: there is no such.
 *	The largest of them is that of all messages in a row, too
 * @segs: that may be under way before there is an answer
 * @line_rate: of the sending host, bytes/s
 */
struct lapsmp_express_cfg {
	u32	bytes[LAPSMP_EXPRESS_CLASSES];
	u32	segs;
	u64	line_rate;
};

/**
 * struct lapsmp_express - a flow's part in it; zeroed, it has sent nothing yet
 * @level: of what it sends now
 * @heard: there was an answer since it began to pass
 * @cut_ns: when a loss last made the window smaller, 0 if none did
 * @cwnd_q16: of what passes, segments that may be under way, 16 fractional bits
 * @spent: bytes that have passed, less what time has made good
 * @spent_ns: when that was so
 */
struct lapsmp_express {
	u8	level;
	bool	heard;
	u64	cut_ns;
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
 * lapsmp_express_first() - what a flow may have under way before there is an answer
 * @segs: if it is alone
 * @least: if there are many: what any flow may, or @segs if that is less
 * @unheard: flows of the host that pass and have heard nothing, itself among them
 */
u32 lapsmp_express_first(u32 segs, u32 least, u32 unheard);

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

/* @behind bytes more wait behind the @len of the message that is being sent. */
void lapsmp_express_queued(struct lapsmp_express *e, const struct lapsmp_express_cfg *cfg,
			   u32 len, u64 behind);

/* The class of a level that passes, as an index of lapsmp_express_cfg.bytes. */
static inline unsigned int lapsmp_express_class(u8 level)
{
	return LAPSMP_EXPRESS_CLASSES - level;
}

/* Segments that passed were acknowledged. */
void lapsmp_express_acked(struct lapsmp_express *e, const struct lapsmp_express_sample *s);

/**
 * lapsmp_express_lost() - some of them were lost
 * @e: the flow's
 * @inflight_segs: of the flow's, under way with them
 * @sent_ns: when the newest of them left; what left before the last cut was cut for already
 * @now_ns: monotonic
 */
void lapsmp_express_lost(struct lapsmp_express *e, u32 inflight_segs, u64 sent_ns,
			 u64 now_ns);

/* How many segments may be under way; 0: the congestion control says it. */
u32 lapsmp_express_window(const struct lapsmp_express *e);

/**
 * lapsmp_express_rate() - how fast it may send while it passes
 * @e: the flow's
 * @line_rate: of the sending host, bytes/s
 * @unheard: flows of the host that pass and have heard nothing, itself among them
 * @inflight_segs: of the flow's, under way
 *
 * Return: bytes/s, not 0.
 */
u64 lapsmp_express_rate(const struct lapsmp_express *e, u64 line_rate, u32 unheard,
			u32 inflight_segs);

#endif /* _LAPSMP_ALG_EXPRESS_H */
