/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_NOISE_H
#define _LAPSMP_ALG_NOISE_H

#include <linux/types.h>

#include "trial.h"

/* Occasions are ticks of 2^24 ns, 16.8 ms, or longer ones. */
#define LAPSMP_NOISE_SHIFT_MIN	24

/**
 * struct lapsmp_noise - what delays to a peer waver by without a queue; zeroed in the beginning
 * @ns: what is believed of it, or 0: no more than the least margin, or not known
 * @at_ns: when that was last measured, monotonic; valid if @known
 * @begin_ns: since when we do not send (READ_ONCE)
 * @span_ns: for how long, 0: that is not known yet (READ_ONCE)
 * @base_ns: what the path takes, raw
 * @lo_ns: the least that a probe took, raw
 * @hi_ns: the second most, likewise, valid of two
 * @most_ns: the most; valid if there was any, as are @base_ns and @lo_ns
 * @sum_ns: what all took above their base, of each no more than a second
 * @n: how many there were, saturating
 * @since_ns: since when the following is counted, 0: never yet
 * @bytes: on the wire, by ACKs that were measured
 * @heard: such ACKs, saturating
 * @full: of those, the ones of what took longer than a path may; saturating
 * @shift: occasions are ticks of 2^@shift ns and more, and of 2^24 at least
 * @more: it takes 2^@more times as long as it did at first
 * @doubt: a queue was there: so many looks more before @ns may be known; those are at the next
 *	ticks, if there is any
 * @known: it was measured, by enough probes; or will not be
 * @trial: whether more is lost since @ns is believed
 */
struct lapsmp_noise {
	u64	ns;
	u64	at_ns;
	u64	begin_ns;
	u64	span_ns;
	s64	base_ns;
	s64	lo_ns;
	s64	hi_ns;
	s64	most_ns;
	u64	sum_ns;
	u16	n;
	u64	since_ns;
	u64	bytes;
	u16	heard;
	u16	full;
	u8	shift;
	u8	more;
	u8	doubt;
	bool	known;
	struct lapsmp_trial trial;
};

/**
 * lapsmp_noise_heard() - an ACK was measured
 * @z: the peer's state
 * @bytes: newly acknowledged, on the wire
 * @full: the delay was above the path's margin
 */
void lapsmp_noise_heard(struct lapsmp_noise *z, u32 bytes, bool full);

/**
 * lapsmp_noise_lost() - an ACK was measured, and queues are what they were before it was looked for
 * @z: the peer's state
 * @lost: something was found to be lost by it
 * @now_ns: monotonic
 */
void lapsmp_noise_lost(struct lapsmp_noise *z, bool lost, u64 now_ns);

/**
 * lapsmp_noise_wants() - is a tick an occasion? What was heard is forgotten
 * @z: the peer's state
 * @shift: that 2^@shift ns are about to be over, the largest
 * @rate: of the fastest link, as far as that is known, bytes/s
 * @now_ns: monotonic
 */
bool lapsmp_noise_wants(struct lapsmp_noise *z, u8 shift, u64 rate, u64 now_ns);

/**
 * lapsmp_noise_plan_ns() - how long nobody is to send
 * @z: the peer's state
 * @rtt_ns: shortest round trip of all its paths
 * @for_ns: how long they are waited for
 * @shift: at a tick of 2^@shift ns, from 24 to 32
 *
 * Return: ns, from 2^18 to 2^23, or 0: at such a tick it cannot be measured.
 */
u64 lapsmp_noise_plan_ns(const struct lapsmp_noise *z, u64 rtt_ns, u64 for_ns, u8 shift);

/* We do not send from @begin_ns on. */
void lapsmp_noise_begin(struct lapsmp_noise *z, u64 begin_ns);

/**
 * lapsmp_noise_go_on() - it is known how long the path is by which it is measured
 * @z: the peer's state, begun
 * @rtt_ns: its shortest round trip by now
 * @shift: it began with a tick of 2^@shift ns
 *
 * Return: whether there is time enough; @span_ns is known, then.
 */
bool lapsmp_noise_go_on(struct lapsmp_noise *z, u64 rtt_ns, u8 shift);

/* Is it before 7/16 of the span? False if @span_ns is not known. Context: any. */
bool lapsmp_noise_asks(const struct lapsmp_noise *z, u64 now_ns);

/* Is it before the second quarter of the span, when nothing counts yet? False likewise. */
bool lapsmp_noise_is_early(const struct lapsmp_noise *z, u64 now_ns);

/**
 * lapsmp_noise_sample() - a probe was answered
 * @z: the peer's state
 * @raw_ns: what it took, unwrapped, drift removed
 * @base_ns: the path's base, likewise, no more than that
 * @sent_ns: when it was sent, monotonic
 */
void lapsmp_noise_sample(struct lapsmp_noise *z, s64 raw_ns, s64 base_ns, u64 sent_ns);

/* What follows is of another path: what there was does not count. */
void lapsmp_noise_anew(struct lapsmp_noise *z);

/**
 * lapsmp_noise_end() - we send again; what is known now?
 * @z: the peer's state, begun
 * @least_ns: the least margin that paths may have: so much is no noise
 * @now_ns: monotonic
 */
void lapsmp_noise_end(struct lapsmp_noise *z, u64 least_ns, u64 now_ns);

#endif /* _LAPSMP_ALG_NOISE_H */
