/* SPDX-License-Identifier: GPL-2.0 */
/* Three paths to one peer, and what is heard of them: for the tests of alg/lean.c. */
#ifndef _LAPSMP_TESTS_LEAN_SET_H
#define _LAPSMP_TESTS_LEAN_SET_H

#include "../alg/lean.h"

#define US		1000ULL
#define RTT_NS		(10 * US)
#define SWING_NS	(RTT_NS / 4)	/* where there is no margin */
#define PATHS		3

struct lean_set {
	struct lapsmp_lean path[PATHS];
	struct lapsmp_lean_mean mean;
	struct lapsmp_lean_sample s;
};

static inline void lean_init(struct lean_set *l)
{
	*l = (struct lean_set){
		.s = {
			.now_ns = US,
			.rtt_ns = RTT_NS,
			.gain_q8 = 64,
		},
	};
}

/* @rounds round trips, a sample of each path in each; queue_ns of each. */
static inline void lean_run(struct lean_set *l, const u64 *queue_ns, u32 rounds)
{
	u32 i;

	while (rounds--) {
		l->s.now_ns += RTT_NS;
		for (i = 0; i < PATHS; i++) {
			l->s.queue_ns = queue_ns[i];
			lapsmp_lean_update(&l->path[i], &l->mean, &l->s);
		}
	}
}

#endif /* _LAPSMP_TESTS_LEAN_SET_H */
