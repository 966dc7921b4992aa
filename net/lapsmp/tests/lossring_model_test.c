// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/lossring.c: random operations against a model that keeps every packet ever
 * sent and looks at all of them.
 */
#include <kunit/test.h>

#include "lcg.h"
#include "lossring_set.h"

#define MODEL_MAX	8192
#define MODEL_STEPS	20000

/**
 * struct model - the same, by brute force
 * @ring: what is tested
 * @state: of every packet ever sent, by its distance from the first
 * @sent_ns: likewise
 * @first: sequence of the first
 * @head: distance of the oldest retained
 * @next: and of the next
 * @high: highest acknowledged, -1 if none
 * @reo: the tolerance
 * @now: time
 * @seed: of what happens
 */
struct model {
	struct lapsmp_ring ring;
	u8 *state;
	u64 *sent_ns;
	u32 first;
	u32 head;
	u32 next;
	int high;
	u32 reo;
	u64 now;
	u64 seed;
};

static void model_push(struct kunit *test, struct model *m)
{
	u32 n = 1 + lcg_below(&m->seed, 12);

	while (n-- && m->next < MODEL_MAX) {
		if (lapsmp_ring_full(&m->ring)) {
			n = 2 * (m->ring.mask + 1);
			lapsmp_ring_grow(&m->ring, slots_new(test, n), n);
			return;
		}
		KUNIT_EXPECT_EQ(test, m->first + m->next,
				lapsmp_ring_push(&m->ring,
						 (void *)(long)m->next, 1,
						 false, false, m->now));
		m->sent_ns[m->next] = m->now;
		m->state[m->next++] = LAPSMP_SLOT_OUT;
	}
}

static bool model_names(u32 seq, u64 map, int i)
{
	u32 dist = seq - i;

	return !dist || (dist <= 64 && map & 1ULL << (dist - 1));
}

static void model_ack(struct kunit *test, struct model *m)
{
	u64 map = (u64)lcg_next(&m->seed) << 32 | lcg_next(&m->seed);
	u32 back = lcg_below(&m->seed, 80), cursor = 0, found, seq, i;
	struct lapsmp_slot *s;
	bool was_lost;

	map |= (u64)lcg_next(&m->seed) << 32;
	if (!m->next)
		return;
	seq = m->next - 1 - min(back, m->next - 1);
	if (m->high < (int)seq)
		m->high = seq;
	for (i = m->head; i <= seq; i++) {
		if (!model_names(seq, map, i) ||
		    m->state[i] == LAPSMP_SLOT_ACKED)
			continue;
		s = lapsmp_ring_ack_next(&m->ring, m->first + seq, map, &cursor,
					 &found, &was_lost);
		KUNIT_ASSERT_NOT_NULL(test, s);
		KUNIT_EXPECT_EQ(test, found, m->first + i);
		KUNIT_EXPECT_EQ(test, was_lost,
				m->state[i] == LAPSMP_SLOT_LOST);
		if (was_lost && m->high - i > m->reo)
			m->reo = min_t(u32, m->high - i, LAPSMP_REO_MAX);
		if (was_lost)
			lapsmp_ring_spurious(&m->ring, m->high - i);
		m->state[i] = LAPSMP_SLOT_ACKED;
	}
	KUNIT_EXPECT_NULL(test, lapsmp_ring_ack_next(&m->ring, m->first + seq,
						     map, &cursor, &found,
						     &was_lost));
}

static void model_lose(struct kunit *test, struct model *m)
{
	bool all = !lcg_below(&m->seed, 20);
	u32 found;
	int i;

	for (i = m->head; i < m->next; i++) {
		if (m->state[i] != LAPSMP_SLOT_OUT ||
		    !(all || m->high - i > (int)m->reo))
			continue;
		KUNIT_ASSERT_NOT_NULL(test, lapsmp_ring_lost_next(&m->ring, all,
								  &found));
		KUNIT_EXPECT_EQ(test, found, m->first + i);
		m->state[i] = LAPSMP_SLOT_LOST;
	}
	KUNIT_EXPECT_NULL(test, lapsmp_ring_lost_next(&m->ring, all, &found));
}

static void model_retire(struct kunit *test, struct model *m)
{
	u64 before = m->now - 10;
	void *seg;

	for (; m->head < m->next; m->head++) {
		if (m->state[m->head] == LAPSMP_SLOT_OUT ||
		    (m->state[m->head] == LAPSMP_SLOT_LOST &&
		     m->sent_ns[m->head] >= before))
			break;
		KUNIT_ASSERT_TRUE(test, lapsmp_ring_retire_next(&m->ring,
								before, &seg));
		KUNIT_EXPECT_PTR_EQ(test, seg, (void *)(long)m->head);
	}
	KUNIT_EXPECT_FALSE(test, lapsmp_ring_retire_next(&m->ring, before,
							 &seg));
}

/* Return: ring and model agree in all that can be seen. */
static bool model_agrees(struct model *m)
{
	u32 out = 0, una = m->next, i;
	struct lapsmp_slot *s;

	for (i = m->next; i-- > m->head;) {
		s = lapsmp_ring_lookup(&m->ring, m->first + i);
		if (!s || s->state != m->state[i])
			return false;
		out += s->state == LAPSMP_SLOT_OUT;
		if (s->state == LAPSMP_SLOT_OUT)
			una = i;
	}
	return m->ring.out == out && m->ring.una == m->first + una &&
	       m->ring.head == m->first + m->head &&
	       m->ring.next == m->first + m->next &&
	       m->ring.reo_segs == m->reo && m->ring.any_acked == (m->high >= 0);
}

static void ring_agrees_with_a_model(struct kunit *test)
{
	static void (*const op[])(struct kunit *test, struct model *m) = {
		model_push, model_ack, model_ack, model_lose, model_retire,
	};
	struct model *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	u32 i, what;

	KUNIT_ASSERT_NOT_NULL(test, m);
	m->state = kunit_kzalloc(test, MODEL_MAX, GFP_KERNEL);
	m->sent_ns = kunit_kcalloc(test, MODEL_MAX, sizeof(u64), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m->state);
	KUNIT_ASSERT_NOT_NULL(test, m->sent_ns);
	m->first = first_of(test);
	m->seed = m->first;
	m->high = -1;
	m->now = 1000;
	lapsmp_ring_init(&m->ring, slots_new(test, 8), 8, m->first);

	for (i = 0; i < MODEL_STEPS && m->next < MODEL_MAX; i++, m->now++) {
		what = lcg_below(&m->seed, ARRAY_SIZE(op));
		op[what](test, m);
		if (!model_agrees(m)) {
			KUNIT_FAIL(test, "step %u, operation %u", i, what);
			return;
		}
	}
}

static struct kunit_case lossring_model_test_cases[] = {
	KUNIT_CASE_PARAM(ring_agrees_with_a_model, first_gen_params),
	{}
};

struct kunit_suite lapsmp_lossring_model_suite = {
	.name = "lapsmp_lossring_model",
	.test_cases = lossring_model_test_cases,
};
