// SPDX-License-Identifier: GPL-2.0
/*
 * How long to wait for an answer of a path that never gave one, if its peer did: nobody should
 * wait the initial 100 ms to find out that it is dead, or that all that a flow sent by it at
 * first was lost. What is sent again in vain is dropped as a duplicate. Ports that were drawn
 * take ways that routers think equal, so that much longer than another they hardly are; any
 * other path may be a hundred times as long.
 */
#include <linux/math64.h>
#include "alg/rtt.h"
#include "path.h"
#include "pathplan.h"
#include "peer.h"
#include "rto.h"

/* Round trips of one that answered; and at least so long, of what may be far longer. */
#define LAPSMP_RTO_GUESS	10
#define LAPSMP_RTO_GUESS_APART_NS	(3ULL * NSEC_PER_MSEC)

void lapsmp_rto_guess(struct lapsmp_peer *peer, u64 rtt_ns)
{
	WRITE_ONCE(peer->rto_guess_ns,
		   clamp_t(u64, LAPSMP_RTO_GUESS * rtt_ns,
			   LAPSMP_RTO_MIN_NS, LAPSMP_RTO_INIT_NS));
}

/* What was answered may have been short; by a slow link of this host a full packet takes long. */
static u64 lapsmp_rto_frame_ns(const struct lapsmp_path *p)
{
	return div64_u64((u64)READ_ONCE(p->mtu) * NSEC_PER_SEC, max_t(u64, p->line_rate, 1));
}

u64 lapsmp_rto_unheard(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	u64 guess = READ_ONCE(peer->rto_guess_ns);

	if (!guess)
		return READ_ONCE(p->rto_ns);
	guess = min_t(u64, guess + LAPSMP_RTO_GUESS * lapsmp_rto_frame_ns(p),
		      LAPSMP_RTO_INIT_NS);
	return lapsmp_pathplan_is_drawn(p) ? guess : max(guess, LAPSMP_RTO_GUESS_APART_NS);
}
