/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a flow sends again what the receiver does not take.
 *
 * A path is backed off by its own timeouts, and the first answer ends that. But a receiver that
 * has no memory answers probes, and drops data: no path is at fault, and the same segment would
 * be sent again by one after the other, each time that it is missed. So it is the flow that
 * waits here, with data only. Probes, timeouts and what they say of paths go on.
 *
 *	data missed	and none acknowledged since the first time: a round more, once
 *	an answer	of any path after the first round has told that the peer lives
 *	data acked	all is forgotten
 *
 * Where that answer was the last before a host died, data waits for a host that is not there: for
 * 100 ms at a time, and paths do not.
 *
 * TCP's like is the persist timer's back-off (RFC 9293 section 3.8.6.1), for a window that is
 * closed. Here it is open, and nobody tells when there is memory again.
 *
 * This file knows no flow and reads no clock.
 */
#ifndef _LAPSMP_ALG_VAIN_H
#define _LAPSMP_ALG_VAIN_H

#include <linux/types.h>

/* Rounds without any waiting: losses in a row. */
#define LAPSMP_VAIN_FREE	3
/* What a reader may mind, who has just made room: no longer than that. */
#define LAPSMP_VAIN_MAX_NS	(100ULL * 1000 * 1000)

/**
 * struct lapsmp_vain - what was sent in vain; zeroed before the first round
 * @first_ns: when the first round was missed
 * @round_ns: when the last one was
 * @until_ns: no data before, 0: at once
 * @rounds: in a row in which data was missed, and none acknowledged: the first, and those
 *	since an answer
 */
struct lapsmp_vain {
	u64	first_ns;
	u64	round_ns;
	u64	until_ns;
	u8	rounds;
};

/**
 * lapsmp_vain_missed() - data was deemed lost
 * @v: state; whoever calls owns it
 * @sent_ns: when the oldest of it had left
 * @heard_ns: when any of the flow's paths was last heard, by whatever flow
 * @rto_ns: the path's timeout, without back-off
 * @now_ns: monotonic, as all of them
 *
 * What had left before the last round was missed belongs to that one: all paths time out
 * together.
 */
void lapsmp_vain_missed(struct lapsmp_vain *v, u64 sent_ns, u64 heard_ns, u64 rto_ns,
			u64 now_ns);

/* Data was acknowledged, or there is reason to think that the next one would be. */
static inline void lapsmp_vain_over(struct lapsmp_vain *v)
{
	v->rounds = 0;
	v->until_ns = 0;
}

#endif /* _LAPSMP_ALG_VAIN_H */
