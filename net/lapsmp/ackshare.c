// SPDX-License-Identifier: GPL-2.0
/*
 * Which paths share an answer. It goes back by the way of one of them, and round trips are
 * measured by it: so not if it is known how each goes back, by segments, nor between other
 * addresses, nor if one of them seems to be longer.
 */
#include "ackshare.h"
#include "wire.h"

/* Of what a delay is more than the lowest, by which the lowest follows. */
#define LAPSMP_ACKSHARE_LOW_PART	64

static bool lapsmp_ackshare_is_as_long(const struct lapsmp_rflow *rf,
				       const struct lapsmp_rpath *a,
				       const struct lapsmp_rpath *b)
{
	s64 longer_ns = (s32)(a->low - b->low);

	return abs(longer_ns) < READ_ONCE(rf->ln->conf.ack_wait_ns);
}

static bool lapsmp_ackshare_may(const struct lapsmp_rflow *rf, const struct lapsmp_rpath *a,
				const struct lapsmp_rpath *b)
{
	return a != b && !a->back && !b->back &&
	       ipv6_addr_equal(&a->way.raddr, &b->way.raddr) &&
	       ipv6_addr_equal(&a->way.laddr, &b->way.laddr) &&
	       lapsmp_ackshare_is_as_long(rf, a, b);
}

/*
 * Probes are answered by ways that are in doubt, so they lead nobody. New marks are told by a
 * path's own answer only. And one of its own goes back each time that it was told of so often:
 * whose way back is dead would go unnoticed for ever, and with it what he leads.
 */
bool lapsmp_ackshare_may_join(const struct lapsmp_rflow *rf, const struct lapsmp_rpath *rp,
			      const struct lapsmp_rpath *lead)
{
	return lead->type == LAPSMP_T_ACK && rp->type == LAPSMP_T_ACK &&
	       rp->ce == rp->ce_told && rp->told < LAPSMP_ALSO_TURN &&
	       lapsmp_ackshare_may(rf, rp, lead);
}

void lapsmp_ackshare_joined(struct lapsmp_rpath *rp)
{
	rp->told++;
}

void lapsmp_ackshare_led(struct lapsmp_rpath *rp)
{
	rp->told = 0;
	rp->ce_told = rp->ce;
}

u64 lapsmp_ackshare_last_ns(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp)
{
	const struct lapsmp_rpath *last = NULL;

	if (rf->arr_path != rp->id)
		last = xa_load(&rf->paths, rf->arr_path);
	if (last)
		rp->shared = lapsmp_ackshare_may(rf, rp, last);
	return rp->shared ? rf->arr_ns : rp->arr_ns;
}

void lapsmp_ackshare_arrived(struct lapsmp_rflow *rf, const struct lapsmp_rpath *rp, u64 now_ns)
{
	/* Several processors may have told the time before they took the lock. */
	rf->arr_ns = max(rf->arr_ns, now_ns);
	rf->arr_path = rp->id;
}

/* Low at once, high slowly: in some hundred packets, in which clocks hardly drift. */
void lapsmp_ackshare_delay(struct lapsmp_rpath *rp, u32 owd)
{
	s32 above = owd - rp->low;

	if (!rp->arr_ns || above < 0)
		rp->low = owd;
	else
		rp->low += above / LAPSMP_ACKSHARE_LOW_PART;
}
