/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_OWD_H
#define _LAPSMP_ALG_OWD_H

#include <linux/types.h>

/* How long a base delay is believed without being seen again, if there is a successor. */
#define LAPSMP_OWD_WINDOW_NS	(10ULL * 1000 * 1000 * 1000)

/**
 * struct lapsmp_owd - raw one-way delays of one path
 * @raw_ns: newest, unwrapped, drift removed; the unknown offset of the two
 *	clocks is still in it
 * @base_raw_ns: windowed minimum of it
 * @base_at_ns: when that was seen
 * @next_raw_ns: the base that takes over when the window has passed: the least delay of what
 *	met nothing of ours on any path
 * @next_at_ns: when that was seen, 0 if none was
 * @next_rtt_ns: its round-trip time, 0 if unknown
 * @min_rtt_ns: smallest round-trip time seen, or of both ways where they were seen each, 0 if
 *	none
 * @min_rtt_at_ns: when it was seen as a whole, last
 * @full_raw_ns: windowed minimum of packets as large as data
 * @full_at_ns: when that was seen, 0 if none was
 * @valid: there was a sample
 */
struct lapsmp_owd {
	s64	raw_ns;
	s64	base_raw_ns;
	u64	base_at_ns;
	s64	next_raw_ns;
	u64	next_at_ns;
	u64	next_rtt_ns;
	u64	min_rtt_ns;
	u64	min_rtt_at_ns;
	s64	full_raw_ns;
	u64	full_at_ns;
	bool	valid;
};

/**
 * struct lapsmp_owd_sample - what a packet took
 * @raw_ns: unwrapped, drift removed
 * @rtt_ns: round-trip time of the same packet, 0 if unknown
 * @now_ns: monotonic
 * @alone: when it left nothing of ours was under way, on no path: nothing else may raise the
 *	base, or a standing queue becomes the base
 * @both_ns: the shortest way there and the shortest one back are no longer than that, each as
 *	it was seen (ways.h); 0 if that is not known
 * @small: it was smaller than data is, and so sooner there on a slow link
 */
struct lapsmp_owd_sample {
	s64	raw_ns;
	u64	rtt_ns;
	u64	now_ns;
	u64	both_ns;
	bool	alone;
	bool	small;
};

/**
 * lapsmp_owd_unwrap() - a 32-bit delay to 64 bits, nearest to the last one
 * @last_ns: a delay of the same peer, or anything for the first
 * @raw32: arrival minus departure, modulo 2^32
 *
 * Return: the delay, as long as two successive delays differ by less than 2.1 s.
 */
s64 lapsmp_owd_unwrap(s64 last_ns, u32 raw32);

/**
 * lapsmp_owd_is_due() - whether the base needs to be measured anew
 * @o: the path's state, valid
 * @within_ns: when there may be an occasion again, at most LAPSMP_OWD_WINDOW_NS
 * @now_ns: monotonic
 *
 * Return: true if it is old by then, and has no successor.
 */
bool lapsmp_owd_is_due(const struct lapsmp_owd *o, u64 within_ns, u64 now_ns);

/**
 * lapsmp_owd_update() - take a sample
 * @o: the path's state
 * @s: the sample
 *
 * Return: by how much its delay is more than that of the sample before, 0 for the first; not
 * S64_MIN.
 */
s64 lapsmp_owd_update(struct lapsmp_owd *o, const struct lapsmp_owd_sample *s);

/**
 * struct lapsmp_owd_link - what is known of a path's slowest link
 * @gap_ns: the shortest time between two full packets that arrived at the peer, 0 if none
 *	is known
 * @margin_ns: queue that the path may have
 * @rate: of that link, bytes/s, or 0: not known
 * @bytes: a full packet on the wire
 */
struct lapsmp_owd_link {
	u64	gap_ns;
	s64	margin_ns;
	u64	rate;
	u32	bytes;
};

/**
 * lapsmp_owd_base() - what data takes, if there is no queue
 * @o: the path's state, valid
 * @l: its slowest link
 *
 * Return: a raw delay.
 */
s64 lapsmp_owd_base(const struct lapsmp_owd *o, const struct lapsmp_owd_link *l);

/**
 * lapsmp_owd_unseen_ns() - by how much a full packet may take longer than the base, unseen
 * @o: the path's state, valid
 * @l: its slowest link
 *
 * Return: what the link needs for one, if it had none yet and that is more than the margin; or 0.
 */
s64 lapsmp_owd_unseen_ns(const struct lapsmp_owd *o, const struct lapsmp_owd_link *l);

/**
 * lapsmp_owd_anchor() - the clock offset as this path sees it
 * @o: the path's state, with a valid min_rtt_ns
 *
 * Return: base_raw - min_rtt / 2. The peer's offset is the smallest of its paths'
 * (DESIGN: one per peer), so that no path's base gets below half its RTT.
 */
s64 lapsmp_owd_anchor(const struct lapsmp_owd *o);

#endif /* _LAPSMP_ALG_OWD_H */
