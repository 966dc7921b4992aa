/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_AHEAD_H
#define _LAPSMP_ALG_AHEAD_H

#include <linux/limits.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "policy.h"

/**
 * lapsmp_ahead() - how long a packet that is sent now stands behind others
 * @v: path
 * @passes: it passes what others have in queues (alg/express.h)
 * @now_ns: monotonic
 *
 * Return: ns, at most LAPSMP_AHEAD_NS_MAX.
 */
u64 lapsmp_ahead(const struct lapsmp_path_view *v, bool passes, u64 now_ns);

/* The same, at most. */
u64 lapsmp_ahead_most(const struct lapsmp_path_view *v, bool passes, u64 now_ns);

/**
 * lapsmp_ahead_clear() - when all will have been passed on, with one more
 * @clear_ns: when what was sent before will have been
 * @all_ns: what all that is under way takes
 * @ns: what this one takes
 * @now_ns: monotonic
 *
 * If the rate is believed to be lower than it is the clock goes ahead for as long as something
 * is sent, but not of what is under way.
 */
static inline u64 lapsmp_ahead_clear(u64 clear_ns, u64 all_ns, u64 ns, u64 now_ns)
{
	return clamp(clear_ns, now_ns, now_ns + all_ns) + ns;
}

/* Delays beyond 36 years are garbage; sums of a few of these still fit. */
#define LAPSMP_AHEAD_NS_MAX	(S64_MAX / 8)

static inline s64 lapsmp_ahead_sane(s64 ns)
{
	return clamp_t(s64, ns, -LAPSMP_AHEAD_NS_MAX, LAPSMP_AHEAD_NS_MAX);
}

/* How long the path takes for @segs full segments, ns. */
static inline u64 lapsmp_ahead_drain(const struct lapsmp_path_view *v, u32 segs)
{
	return segs * v->seg_ns_q8 >> 8;
}

#endif /* _LAPSMP_ALG_AHEAD_H */
