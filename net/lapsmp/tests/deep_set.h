/* SPDX-License-Identifier: GPL-2.0 */
/* A flow on a path that others fill, and what it hears: for the tests of alg/deep.c. */
#ifndef _LAPSMP_TESTS_DEEP_SET_H
#define _LAPSMP_TESTS_DEEP_SET_H

#include <kunit/test.h>
#include <linux/bits.h>

#include "../alg/deep.h"

/* A path of 1 ms, whose queue may have 4 ms, and one of 50 ms that others fill. */
#define BASE_NS		1000000
#define MARGIN_NS	4000000
#define T_NS		(BASE_NS + MARGIN_NS)
#define DEEP_NS		(BASE_NS + 50000000)
#define RTT_NS		DEEP_NS
/* How often something is heard. */
#define STEP_NS		(RTT_NS / 8)
/* The power of 2 from 64 round trips on, which are more than 256 T. */
#define PERIOD_NS	BIT_ULL(32)
#define TEST_NS		(4 * RTT_NS)
#define LONG_NS		(20 * PERIOD_NS)

struct deep_set {
	struct lapsmp_deep d;
	struct lapsmp_deep_sample s;
};

static inline void deep_start(struct deep_set *c)
{
	*c = (struct deep_set){
		.s = {
			.now_ns = 1000000,
			.t_ns = DEEP_NS,
			.base_ns = BASE_NS,
			.margin_ns = MARGIN_NS,
			.rtt_ns = RTT_NS,
			/* Twice as many per round trip as who is no crowd has. */
			.acked_segs = 1,
			.n_paths = 1,
			.full = true,
			.used = true,
		},
	};
	lapsmp_deep_update(&c->d, &c->s);
}

static inline void deep_step(struct deep_set *c)
{
	c->s.now_ns += STEP_NS;
	lapsmp_deep_update(&c->d, &c->s);
}

/* Samples like the last one for some time, or until the state changes. Return: how long. */
static inline u64 deep_go_on(struct deep_set *c, u64 ns)
{
	u64 began_ns = c->s.now_ns;
	u8 state = c->d.state;

	while (c->s.now_ns - began_ns < ns && c->d.state == state)
		deep_step(c);
	return c->s.now_ns - began_ns;
}

/* Until a test begins. */
static inline void deep_go_to_test(struct deep_set *c)
{
	u64 end_ns = c->s.now_ns + LONG_NS;

	while (c->d.state != LAPSMP_DEEP_TEST && c->s.now_ns < end_ns)
		deep_step(c);
}

/* It is as long as that, but for a step. */
static inline void deep_expect_about(struct kunit *test, u64 ns, u64 about_ns)
{
	KUNIT_EXPECT_GE(test, ns, about_ns);
	KUNIT_EXPECT_LE(test, ns, about_ns + STEP_NS);
}

#endif /* _LAPSMP_TESTS_DEEP_SET_H */
