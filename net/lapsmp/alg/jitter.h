/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_JITTER_H
#define _LAPSMP_ALG_JITTER_H

#include <linux/types.h>

/**
 * struct lapsmp_jitter - what one path's delay wavers by; zeroed before the first sample
 * @delta_ns: newest delay minus the one before
 * @above_ns: newest delay, above the base that there was then; S64_MAX: it says nothing of that
 * @before_ns: likewise the one before
 * @all_ns: smoothed size of the spikes in successive samples: changes that are taken back by
 *	the next one. A queue building up or draining changes the delay in one direction and is
 *	not counted. (RFC 3550 section 6.4.1's filter, gain 1/16.) Up to 10 ms
 * @low_ns: likewise of those that are no queue, since they rise from near the base
 * @often_ns: what was believed when the path was last heard often for some time
 * @near: samples in a row that were near to the one before, up to 64
 * @at_ns: newest sample, 0: none yet
 * @apart_ns: smoothed time between samples, 0: not known; a pause counts for 64 round trips
 *	at most
 */
struct lapsmp_jitter {
	s64	delta_ns;
	s64	above_ns;
	s64	before_ns;
	u32	all_ns;
	u32	low_ns;
	u32	often_ns;
	u8	near;
	u64	at_ns;
	u64	apart_ns;
};

/**
 * struct lapsmp_jitter_usual - what delays to a peer waver by; zeroed before the first sample
 * @q8: its paths' jitter in ns, moving average over all their samples, 8 fractional bits
 * @at_ns: newest of those, 0: none yet
 * @apart_ns: smoothed time between them, likewise
 */
struct lapsmp_jitter_usual {
	u32	q8;
	u64	at_ns;
	u64	apart_ns;
};

/**
 * struct lapsmp_jitter_sample - one delay
 * @delta_ns: what it is more than the one before, not S64_MIN; 0 for the first
 * @above_ns: what it is more than that of the empty path, as far as that is known, or less;
 *	S64_MAX: it is not of what others are compared with
 * @rtt_ns: the round trip of the empty path, 0: not known; then it is never heard often
 * @now_ns: monotonic
 */
struct lapsmp_jitter_sample {
	s64	delta_ns;
	s64	above_ns;
	u64	rtt_ns;
	u64	now_ns;
};

/**
 * lapsmp_jitter_update() - take a sample
 * @j: the path's
 * @s: sample
 */
void lapsmp_jitter_update(struct lapsmp_jitter *j, const struct lapsmp_jitter_sample *s);

/**
 * lapsmp_jitter_usual_update() - take a path's for that of the peer
 * @u: the peer's
 * @j: the path's, after a sample
 * @rtt_ns: the round trip of the empty path, 0: not known
 */
void lapsmp_jitter_usual_update(struct lapsmp_jitter_usual *u, const struct lapsmp_jitter *j,
				u64 rtt_ns);

/**
 * lapsmp_jitter_ns() - how much is believed
 * @j: the path's
 * @u: what is usual of the peer's paths
 * @rtt_ns: as above
 *
 * Return: what rises from near the base and comes back, or a 32nd of a round trip, if that is
 * more, but no more than all that comes back. Where the path is heard seldom, and other paths of
 * the peer are heard more, no more than it was when it was heard often, or than is usual,
 * whichever is more.
 */
u32 lapsmp_jitter_ns(const struct lapsmp_jitter *j, const struct lapsmp_jitter_usual *u,
		     u64 rtt_ns);

#endif /* _LAPSMP_ALG_JITTER_H */
