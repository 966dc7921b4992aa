/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a policy sees and says. A scheduler answers "which path for this
 * segment", a congestion control answers "how many, how fast". Both work on the
 * plain structs below: no socket, no skb, no clock and no randomness of their
 * own, so that a test can hold them in its hand.
 */
#ifndef _LAPSMP_ALG_POLICY_H
#define _LAPSMP_ALG_POLICY_H

#include <linux/minmax.h>
#include <linux/types.h>

#include "lean.h"

struct module;

/* That of 18 minutes. */
#define LAPSMP_SWING_ROOT_MAX	0x100000

/**
 * struct lapsmp_path_view - one path as a scheduler sees it
 * @id: the path's id in its peer
 * @usable: may be picked: not down, and the flow has room on it
 * @backoff: timeouts in a row since the last acknowledgment on it
 * @owd_ns: newest one-way delay, clock offset removed (LAPS: realVal)
 * @heard_ns: when that was heard, monotonic
 * @base_ns: its windowed minimum, clock offset removed
 * @margin_ns: queueing and jitter allowed on top before it counts as congested
 * @queue_ns: delay above @base_ns, averaged over some 32 acknowledgments
 * @pipe_ns: smallest round-trip time seen, 0 before the first sample
 * @swing_root: sqrt(margin_ns + pipe_ns / 4), of what its queue swings by in ns; at most
 *	LAPSMP_SWING_ROOT_MAX
 * @swing_inv: 2^32 / @swing_root
 * @inflight_segs: segments of this host under way on it that one sent now would wait
 *	for; at most 2^22
 * @clear_ns: when its slowest link will have passed on all that this host has sent, of all
 *	flows, if it does so at @rate; monotonic
 * @rate: estimated or configured rate, bytes/s on the wire, never 0
 * @seg_bytes: bytes on the wire of a full segment, never 0
 * @seg_ns_q8: what @seg_bytes take at @rate, ns with 8 fractional bits; at most
 *	2^41, so that with @inflight_segs it fits 64 bits
 * @weight: relative share for static policies
 * @lean_q16: by how much it is avoided for having been fuller than others, or for what
 *	it costs the network more, exponents
 *	of e with 16 fractional bits (lean.h)
 * @price_q16: of @lean_q16 what is for that cost
 * @alike: it was heard, and as far as anyone knows it is as good as all others of which this
 *	is said: ports that were drawn between the same addresses, and whose rate nobody has
 *	configured; or ports of which somebody has planned the same
 */
struct lapsmp_path_view {
	u16	id;
	bool	usable;
	u8	backoff;
	s64	owd_ns;
	u64	heard_ns;
	s64	base_ns;
	s64	margin_ns;
	u64	queue_ns;
	u64	pipe_ns;
	u32	swing_root;
	u32	swing_inv;
	u32	inflight_segs;
	u64	clear_ns;
	u64	rate;
	u32	seg_bytes;
	u64	seg_ns_q8;
	u32	weight;
	u32	lean_q16;
	u32	price_q16;
	bool	alike;
};

/**
 * struct lapsmp_path_sum - what paths say together: those that are usable and not
 * in back-off, or, if there are none, those that are usable
 * @n: how many
 * @backoff: they are in back-off
 * @heard: one of them has a pipe_ns, i.e. has answered before
 * @top_inv: the smallest swing_inv, that of the path that swings most
 * @top_rate: the largest rate
 * @rate: all rates together
 * @alike_rate: the mean of those that are alike, 0 if none is
 * @price_ns: what an exponent of one is worth as a queue, by those that were heard: the product
 *	of their smallest and their largest swing_root, 0 if there are none
 * @low_ns: the smallest base_ns
 * @high_ns: the largest
 * @low_lean_q16: the smallest lean_q16
 * @unlike: of those that have answered and are not left to others one is much longer than
 *	another, see lapsmp_path_is_longer()
 *
 * It changes with a path's state and its delays, and not with each segment.
 */
struct lapsmp_path_sum {
	u16	n;
	bool	backoff;
	bool	heard;
	u32	top_inv;
	u64	top_rate;
	u64	rate;
	u64	alike_rate;
	u64	price_ns;
	s64	low_ns;
	s64	high_ns;
	u32	low_lean_q16;
	bool	unlike;
};

/*
 * Is @v so much longer that a queue on @than will not make up for it? With one margin instead of
 * four the ways of a Dragonfly are unlike, and flows that are drawn to them take up to 4 % longer.
 */
#define LAPSMP_PATH_LONGER_MARGINS	4

static inline bool lapsmp_path_base_is_longer(s64 base_ns, s64 than_ns, s64 margin_ns)
{
	/* Unsigned: garbage may wrap. */
	return base_ns > than_ns &&
	       ((u64)base_ns - (u64)than_ns) / LAPSMP_PATH_LONGER_MARGINS >
	       (u64)max_t(s64, margin_ns, 0);
}

static inline bool lapsmp_path_is_longer(const struct lapsmp_path_view *v,
					 const struct lapsmp_path_view *than)
{
	return lapsmp_path_base_is_longer(v->base_ns, than->base_ns, than->margin_ns);
}

/*
 * Is @v, of those that @sum is of, avoided by so much more than another that nothing is sent there
 * for which that one has room?
 */
static inline bool lapsmp_path_is_left(const struct lapsmp_path_view *v,
				       const struct lapsmp_path_sum *sum)
{
	return v->lean_q16 > sum->low_lean_q16 &&
	       v->lean_q16 - sum->low_lean_q16 > LAPSMP_LEAN_ONE;
}

/* Sum up @n views. */
void lapsmp_path_sum(struct lapsmp_path_sum *sum,
		     const struct lapsmp_path_view *paths, u16 n);

/**
 * struct lapsmp_pick - one question to a scheduler
 * @paths: views, in the order of the peer's path set
 * @sum: of @paths
 * @n: how many, at least 1
 * @rnd: uniform 32 random bits, new for each question
 * @even: as @rnd, but of each 16 of a flow's one is in each sixteenth (draw.h): for policies
 *	that need not be independent of themselves
 * @flow_hash: constant for the flow, uniform over flows
 * @now_ns: monotonic
 * @t_ns: LAPS's T: the largest base_ns + margin_ns of the flow's paths
 * @left_segs: segments still to send, this one included, if the sender knows
 *	the end of what it has; U32_MAX if not
 * @room_segs: how many the flow may send before something is acknowledged, this one included
 * @passes: it passes what others have in queues (alg/express.h)
 * @first: the flow waits for this one: it opens it, or was lost before
 * @beta_q8: LAPS's beta in units of 1/T, 8 fractional bits
 * @w: scratch, n entries, contents lost between calls
 */
struct lapsmp_pick {
	const struct lapsmp_path_view *paths;
	const struct lapsmp_path_sum *sum;
	u16	n;
	u32	rnd;
	u32	even;
	u32	flow_hash;
	u64	now_ns;
	s64	t_ns;
	u32	left_segs;
	u32	room_segs;
	bool	passes;
	bool	first;
	u32	beta_q8;
	u32	*w;
};

/* Room for a scheduler's own state, per flow; zeroed before init. */
#define LAPSMP_SCHED_PRIV	64

/**
 * struct lapsmp_sched_ops - a scheduler
 * @name: up to LAPSMP_NAME_MAX - 1 characters of [a-z0-9-]
 * @owner: module, held while a flow uses it
 * @init: optional; sets up the LAPSMP_SCHED_PRIV bytes at @priv
 * @pick: index into @p->paths of a usable path, or -1 if none is usable. Called
 *	with the flow locked, softirqs off.
 * @on_ack: optional; a segment on path @id was acknowledged, @ecn: with a mark
 * @on_loss: optional; a segment on path @id was deemed lost
 */
struct lapsmp_sched_ops {
	const char *name;
	struct module *owner;
	void (*init)(void *priv, u32 flow_hash);
	int (*pick)(void *priv, const struct lapsmp_pick *p);
	void (*on_ack)(void *priv, u16 id, bool ecn, u64 now_ns);
	void (*on_loss)(void *priv, u16 id, u64 now_ns);
};

/**
 * struct lapsmp_cc - what a congestion control decides, and its memory
 * @cwnd_q16: segments that may be under way, 16 fractional bits. Below one
 *	segment, one is sent at a time and the pacing does the rest.
 * @pacing_rate: bytes/s on the wire; 0 means not paced
 * @pace_ns: round-trip time that @pacing_rate is meant for; 0: for any
 * @priv: the control's own
 */
struct lapsmp_cc {
	u64	cwnd_q16;
	u64	pacing_rate;
	u64	pace_ns;
	u64	priv[30];
};

/**
 * struct lapsmp_cc_cfg - what stays the same for a flow
 * @line_rate: of the sending device, bytes/s
 * @seg_bytes: of a full segment on the wire
 * @fixed_rate: the fixed control's rate, bytes/s; 0 is the line rate
 * @initcwnd: segments that a flow may begin with, at most 2^16; 0 means 1
 */
struct lapsmp_cc_cfg {
	u64	line_rate;
	u32	seg_bytes;
	u64	fixed_rate;
	u32	initcwnd;
};

/**
 * struct lapsmp_ack_sample - what one acknowledgment (or timeout) taught
 * @now_ns: monotonic
 * @acked_segs: data segments newly acknowledged
 * @lost_segs: data segments newly deemed lost
 * @spurious_segs: data segments that had been deemed lost, and were not
 * @marked_segs: packets that the receiver newly counted with a congestion mark
 * @inflight_segs: of the flow, after both were taken off
 * @t_ns: LAPS's t: the smallest owd_ns of paths not in back-off
 * @T_ns: LAPS's T: the largest base_ns + margin_ns
 * @base0_ns: the smallest base_ns
 * @over_ns: what the least loaded path is above its base_ns + margin_ns, now or on the
 *	average, whichever is more; below 0 it has room
 * @margin_ns: margin_ns of that path
 * @srtt_ns: smoothed round-trip time over the flow's paths, 0 if unknown
 * @n_paths: of them, those that were heard of and are not down
 * @path_id: path of the acknowledgment
 * @owd_ns: one-way delay of what it is for, the mean, as far as that is known
 * @here_T_ns: its base_ns + margin_ns
 * @here_margin_ns: its margin_ns
 * @here_pipe_ns: its round trip when it is empty, 0 if unknown
 * @here_back_ns: queue on the way back from it
 * @rtt_ns: its smoothed round-trip time
 * @refill: queues were let run empty, and are only coming back
 * @rnd: then 32 uniform random bits, new for each, else 0
 * @timeout: no acknowledgment but a timeout of @path_id
 * @app_limited: the flow had nothing to send at some time since the last one
 */
struct lapsmp_ack_sample {
	u64	now_ns;
	u32	acked_segs;
	u32	lost_segs;
	u32	spurious_segs;
	u32	marked_segs;
	u32	inflight_segs;
	s64	t_ns;
	s64	T_ns;
	s64	base0_ns;
	s64	over_ns;
	s64	margin_ns;
	u64	srtt_ns;
	u32	n_paths;
	u16	path_id;
	s64	owd_ns;
	s64	here_T_ns;
	s64	here_margin_ns;
	u64	here_pipe_ns;
	u64	here_back_ns;
	u64	rtt_ns;
	bool	refill;
	u32	rnd;
	bool	timeout;
	bool	app_limited;
};

/**
 * struct lapsmp_cc_ops - a congestion control
 * @name: up to LAPSMP_NAME_MAX - 1 characters of [a-z0-9-]
 * @owner: module, held while a flow uses it
 * @ecn: it yields to marks, so its flows' packets may be marked, unless the application
 *	has a wish of its own for their ECN field
 * @init: sets cwnd_q16, pacing_rate and its priv
 * @on_ack: once for each ACK or timeout, with the flow locked, softirqs off
 */
struct lapsmp_cc_ops {
	const char *name;
	struct module *owner;
	bool ecn;
	void (*init)(struct lapsmp_cc *cc, const struct lapsmp_cc_cfg *cfg);
	void (*on_ack)(struct lapsmp_cc *cc, const struct lapsmp_cc_cfg *cfg,
		       const struct lapsmp_ack_sample *s);
};

extern struct lapsmp_sched_ops lapsmp_sched_laps;
extern struct lapsmp_sched_ops lapsmp_sched_laps_paper;
extern struct lapsmp_sched_ops lapsmp_sched_spray;
extern struct lapsmp_sched_ops lapsmp_sched_ecmp;
extern struct lapsmp_cc_ops lapsmp_cc_laps;
extern struct lapsmp_cc_ops lapsmp_cc_laps_paper;
extern struct lapsmp_cc_ops lapsmp_cc_fixed;

#endif /* _LAPSMP_ALG_POLICY_H */
