/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_MARGIN_H
#define _LAPSMP_ALG_MARGIN_H

#include <linux/types.h>

/**
 * struct lapsmp_margin_sample - what is known of a path
 * @link_rate: what its slowest link carries, others' share included, as it has shown itself
 *	or somebody has configured; bytes/s, 0 for unknown
 * @others_rate: the fastest that paths have shown which routers take to be equal; likewise
 * @drawn: routers take others to be equal to it, and nobody has configured its rate
 * @pushed_rate: the fastest that two packets of ours have followed each other that were sent
 *	faster, by this path, by those that are equal to it or, if there were none, by any;
 *	likewise
 * @rate: this host's share of it, bytes/s, not 0
 * @learned: @rate was measured, and is no guess
 * @frame_bytes: of one packet, on the wire
 * @segs: packets that may stand before the link, up to 65535
 * @least_ns: the least margin of any path whose link is known
 * @rtt_ns: shortest round trip, if @drawn of any that is equal to it
 * @jitter_ns: of the delay, where there is no queue
 * @noise_ns: what it may be above its base without a queue, as far as that was measured
 */
struct lapsmp_margin_sample {
	u64	link_rate;
	u64	others_rate;
	bool	drawn;
	u64	pushed_rate;
	u64	rate;
	bool	learned;
	u32	frame_bytes;
	u32	segs;
	u64	least_ns;
	u64	rtt_ns;
	u64	jitter_ns;
	u64	noise_ns;
};

/**
 * lapsmp_margin_ns() - the queue that a path may have
 * @s: what is known of it
 *
 * Return: ns.
 */
u64 lapsmp_margin_ns(const struct lapsmp_margin_sample *s);

#endif /* _LAPSMP_ALG_MARGIN_H */
