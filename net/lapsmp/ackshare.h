/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Of which paths one packet may answer what has arrived. ackgen.c asks when something is due.
 * All: rf->lock held.
 */
#ifndef _LAPSMP_ACKSHARE_H
#define _LAPSMP_ACKSHARE_H

#include "rflow.h"

/**
 * lapsmp_ackshare_may_join() - may the answer of a path be in that of another one?
 * @rf: their flow
 * @rp: an answer of it is due
 * @lead: whose way back the packet takes
 */
bool lapsmp_ackshare_may_join(const struct lapsmp_rflow *rf, const struct lapsmp_rpath *rp,
			      const struct lapsmp_rpath *lead);

/* It was told of in the answer of another one. */
void lapsmp_ackshare_joined(struct lapsmp_rpath *rp);

/* It has an answer of its own. */
void lapsmp_ackshare_led(struct lapsmp_rpath *rp);

/* When did the last one arrive that the same packet could answer? Sets rp->shared. */
u64 lapsmp_ackshare_last_ns(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp);

/* One has arrived on the path, after that was asked. @now_ns: monotonic */
void lapsmp_ackshare_arrived(struct lapsmp_rflow *rf, const struct lapsmp_rpath *rp, u64 now_ns);

/* @owd: of the newest on the path, before rp->arr_ns is that one's. */
void lapsmp_ackshare_delay(struct lapsmp_rpath *rp, u32 owd);

#endif /* _LAPSMP_ACKSHARE_H */
