/* SPDX-License-Identifier: GPL-2.0 */
/* A flow under the default control, in the states that its tests begin with. */
#ifndef _LAPSMP_TESTS_CC_LAPS_SET_H
#define _LAPSMP_TESTS_CC_LAPS_SET_H

#include "cc_set.h"
#include "suites.h"

#define LATE_NS		(CC_T_NS + CC_T_NS / 2)

static inline void laps_start(struct cc_set *c)
{
	cc_set_init(c, &lapsmp_cc_laps);
}

/* A window of @segs, in steady flow, after a round at a delay. */
static inline void laps_start_with(struct cc_set *c, u32 segs, s64 t_ns)
{
	laps_start(c);
	/* Out of slow start. */
	cc_set_delay(c, LATE_NS);
	cc_set_ack(c);
	c->cc.cwnd_q16 = (u64)segs * LAPSMP_SEG_Q16;
	cc_set_delay(c, t_ns);
}

/* What the flow's other path says, from now on. */
static inline void laps_other_path(struct cc_set *c, bool calm)
{
	c->s.over_ns = calm ? -c->s.margin_ns : c->s.owd_ns - c->s.here_T_ns;
}

#endif /* _LAPSMP_TESTS_CC_LAPS_SET_H */
