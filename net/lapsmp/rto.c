// SPDX-License-Identifier: GPL-2.0
/*
 * How long to wait for an answer of a path that never gave one, if its peer did: nobody should
 * wait the initial 100 ms to find out that it is dead, or that all that a flow sent by it at
 * first was lost. What is sent again in vain is dropped as a duplicate. Ports that were drawn
 * take ways that routers think equal, so that much longer than another they hardly are. Of a
 * path whose base is configured it is known how long it is. Any other one may be a hundred times
 * as long.
 *
 * With as long for what is configured as for any other one, of fifteen flows that lost their
 * first windows on a fabric of 8 us some had a gap for 2.4 ms, and 521 KB behind it.
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
/* Round trips of a known length, where ten would be more than the initial RTO. */
#define LAPSMP_RTO_KNOWN	3

void lapsmp_rto_guess(struct lapsmp_peer *peer, u64 rtt_ns)
{
	WRITE_ONCE(peer->rto_guess_ns,
		   clamp_t(u64, LAPSMP_RTO_GUESS * rtt_ns,
			   LAPSMP_RTO_MIN_NS, LAPSMP_RTO_INIT_NS));
}

/*
 * What was answered may have been short; by a slow link of this host, or one of which it is
 * configured, a full packet takes long.
 */
static u64 lapsmp_rto_frame_ns(const struct lapsmp_path *p)
{
	u64 rate = p->line_rate, conf = READ_ONCE(p->conf_rate);

	if (conf)
		rate = min(rate, conf);
	return div64_u64((u64)READ_ONCE(p->mtu) * NSEC_PER_SEC, max_t(u64, rate, 1));
}

/* At least so long for one that is known to take @base_ns; its way back is taken to be as long. */
static u64 lapsmp_rto_known_ns(u64 base_ns)
{
	u64 rtt_ns = 2 * min_t(u64, base_ns, LAPSMP_RTO_MAX_NS);
	u64 ns = min_t(u64, LAPSMP_RTO_GUESS * rtt_ns, LAPSMP_RTO_INIT_NS);

	return min_t(u64, max(ns, LAPSMP_RTO_KNOWN * rtt_ns), LAPSMP_RTO_MAX_NS);
}

u64 lapsmp_rto_unheard(const struct lapsmp_peer *peer, const struct lapsmp_path *p)
{
	u64 guess = READ_ONCE(peer->rto_guess_ns), base = READ_ONCE(p->conf_base_ns);

	if (guess)
		guess = min_t(u64, guess + LAPSMP_RTO_GUESS * lapsmp_rto_frame_ns(p),
			      LAPSMP_RTO_INIT_NS);
	else
		guess = READ_ONCE(p->rto_ns);
	if (base)
		return max(guess, lapsmp_rto_known_ns(base));
	return lapsmp_pathplan_is_drawn(p) ? guess : max(guess, LAPSMP_RTO_GUESS_APART_NS);
}
