// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/sched_laps.c by paths of unlike lengths: the end of a message, whose last segment
 * decides, and who has less of a window than the paths would hold.
 */
#include <kunit/test.h>

#include "deal_set.h"
#include "sched_laps_set.h"

/* The picked one gets it. */
static u64 unlike_deal(struct sched_set *s, u64 *seed)
{
	struct lapsmp_path_view *v;
	u64 end_ns = 0;
	int i;

	while (s->pick.left_segs) {
		i = sched_set_pick(s, &lapsmp_sched_laps, lcg_next(seed));
		if (i < 0)
			return U64_MAX;
		v = &s->path[i];
		v->inflight_segs++;
		v->clear_ns += deal_seg_ns(s, i);
		end_ns = max_t(u64, end_ns, v->base_ns + v->clear_ns - s->pick.now_ns);
		s->pick.left_segs--;
	}
	return end_ns;
}

/*
 * Whether all may be sent at once, or so little that it is drawn where it goes, the last one
 * arrives no later than it has to.
 */
static void unlike_ends_as_it_can(struct kunit *test)
{
	u64 best, seed = 5;
	struct sched_set s;
	int k;

	for (k = 0; k < 300; k++) {
		deal_any(&s, &seed);
		s.pick.room_segs = k & 1 ? U32_MAX : 0;
		best = deal_best(&s);
		KUNIT_ASSERT_LE(test, unlike_deal(&s, &seed), best + 1000);
	}
}

/* Of 50 Mbit/s and 0.1 ms, and of 200 and 10. */
static void unlike_near_and_far(struct sched_set *s)
{
	laps_two_paths(s);
	sched_set_rate(s, 0, 6250000);
	sched_set_rate(s, 1, 25000000);
	s->path[0].base_ns = DEAL_MS / 10;
	s->path[1].base_ns = 10 * DEAL_MS;
	s->path[0].pipe_ns = DEAL_MS / 5;
	s->path[1].pipe_ns = 20 * DEAL_MS;
	s->path[0].margin_ns = DEAL_MS;
	s->path[1].margin_ns = DEAL_MS;
	s->path[0].owd_ns = s->path[0].base_ns;
	s->path[1].owd_ns = s->path[1].base_ns;
	s->path[0].clear_ns = 0;
	s->path[1].clear_ns = 0;
	s->pick.now_ns = 1000 * DEAL_MS;
}

struct unlike_case {
	const char *name;
	u32 left;
	u32 room;
	u32 near_segs;		/* of 0.24 ms, that stand there */
	u32 low;		/* picks of the far one */
	u32 high;
};

static const struct unlike_case unlike_cases[] = {
	{ "the far one is too far for little", 20, U32_MAX, 0, 0, 0 },
	{ "and for more, as long as the near one is empty", 200, U32_MAX, 0, 0, 0 },
	{ "not when it is full", 200, U32_MAX, 45, DRAWS, DRAWS },
	{ "with little window the near one is first", 300, 10, 0, 0, 0 },
	{ "to no end", U32_MAX, 10, 0, 0, 0 },
	{ "even if two stand there", 300, 10, 2, 0, 0 },
	{ "not if three do", 300, 10, 3, DRAWS, DRAWS },
	{ "until it has what it needs", 300, 10, 10, DRAWS, DRAWS },
	{ "even then what is left may be little", 20, 10, 10, 0, 0 },
};

KUNIT_ARRAY_PARAM_DESC(unlike, unlike_cases, name);

static void unlike_case(struct kunit *test)
{
	const struct unlike_case *c = test->param_value;
	struct sched_set s;
	u32 far;

	unlike_near_and_far(&s);
	s.pick.left_segs = c->left;
	s.pick.room_segs = c->room;
	s.path[0].inflight_segs = c->near_segs;
	s.path[0].clear_ns = s.pick.now_ns + c->near_segs * deal_seg_ns(&s, 0);
	far = laps_second(test, &s, &lapsmp_sched_laps);
	KUNIT_EXPECT_GE(test, far, c->low);
	KUNIT_EXPECT_LE(test, far, c->high);
}

/* Nobody has answered on the near one for long, but others stood there then. */
static void unlike_old_queue_does_not_repel(struct kunit *test)
{
	struct sched_set s;

	unlike_near_and_far(&s);
	s.pick.left_segs = 1;
	s.path[0].owd_ns += 15 * DEAL_MS;
	s.path[0].heard_ns = s.pick.now_ns;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), DRAWS);
	s.pick.now_ns += 16 * DEAL_MS;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
	/* A segment of ours that is on its way there makes it no younger. */
	s.path[0].inflight_segs = 1;
	s.path[0].clear_ns = s.pick.now_ns + deal_seg_ns(&s, 0);
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
	/* But for longer it is not known to be idle, before all others. */
	s.pick.left_segs = U32_MAX;
	s.pick.room_segs = 1;
	s.pick.now_ns += 200 * DEAL_MS;
	KUNIT_EXPECT_GT(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
	s.pick.now_ns += 30 * DEAL_MS;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
}

/* Paths that are alike are drawn from, whatever the window; one not heard of is asked. */
static void unlike_is_by_some_margins(struct kunit *test)
{
	struct sched_set s;

	unlike_near_and_far(&s);
	s.path[1] = s.path[0];
	s.path[1].base_ns += LAPSMP_PATH_LONGER_MARGINS * s.path[0].margin_ns;
	s.path[1].owd_ns = s.path[1].base_ns;
	s.pick.room_segs = 1;
	KUNIT_EXPECT_LE(test, abs((int)laps_second(test, &s, &lapsmp_sched_laps) - DRAWS / 2),
			1);
	s.path[1].base_ns += LAPSMP_PATH_LONGER_MARGINS;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
	s.pick.n = 3;
	s.path[2] = s.path[1];
	s.path[1].pipe_ns = 0;
	KUNIT_EXPECT_GT(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
}

/* What is left to others is not for who is short of a window, either. */
static void unlike_short_one_is_left_to_others(struct kunit *test)
{
	struct sched_set s;

	unlike_near_and_far(&s);
	s.pick.room_segs = 1;
	s.path[0].lean_q16 = 3 * LAPSMP_LEAN_ONE;
	KUNIT_EXPECT_GT(test, laps_second(test, &s, &lapsmp_sched_laps), DRAWS / 2);
	s.path[1].lean_q16 = 3 * LAPSMP_LEAN_ONE;
	KUNIT_EXPECT_EQ(test, laps_second(test, &s, &lapsmp_sched_laps), 0);
}

static struct kunit_case sched_laps_unlike_test_cases[] = {
	KUNIT_CASE(unlike_ends_as_it_can),
	KUNIT_CASE_PARAM(unlike_case, unlike_gen_params),
	KUNIT_CASE(unlike_old_queue_does_not_repel),
	KUNIT_CASE(unlike_is_by_some_margins),
	KUNIT_CASE(unlike_short_one_is_left_to_others),
	{}
};

struct kunit_suite lapsmp_sched_laps_unlike_suite = {
	.name = "lapsmp_sched_laps_unlike",
	.test_cases = sched_laps_unlike_test_cases,
};
