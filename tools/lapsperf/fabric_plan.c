// SPDX-License-Identifier: GPL-2.0
/*
 * Which flow begins when: a heap of those whose time is known, and the others, which
 * wait until what they depend on has arrived.
 */
#include "fabric.h"
#include "util.h"

static uint64_t plan_due(const struct fabric *f, uint32_t at)
{
	return f->flows[f->heap[at]].due_ns;
}

/* At the same time: in the order of the file, so that runs repeat. */
static bool plan_before(const struct fabric *f, uint32_t a, uint32_t b)
{
	uint64_t due_a = plan_due(f, a), due_b = plan_due(f, b);

	return due_a < due_b || (due_a == due_b && f->heap[a] < f->heap[b]);
}

static void plan_swap(struct fabric *f, uint32_t a, uint32_t b)
{
	uint32_t was = f->heap[a];

	f->heap[a] = f->heap[b];
	f->heap[b] = was;
}

void fabric_plan(struct fabric *f, uint32_t flow, uint64_t due_ns)
{
	uint32_t at = f->n_heap++;

	f->flows[flow].due_ns = due_ns;
	f->heap[at] = flow;
	for (; at && plan_before(f, at, (at - 1) / 2); at = (at - 1) / 2)
		plan_swap(f, at, (at - 1) / 2);
}

static void plan_pop(struct fabric *f)
{
	uint32_t at = 0, child;

	f->heap[0] = f->heap[--f->n_heap];
	for (;;) {
		child = 2 * at + 1;
		if (child >= f->n_heap)
			return;
		if (child + 1 < f->n_heap && plan_before(f, child + 1, child))
			child++;
		if (!plan_before(f, child, at))
			return;
		plan_swap(f, at, child);
		at = child;
	}
}

/* The next flow whose time has come, or NULL. */
struct flow *fabric_due(struct fabric *f, uint64_t now)
{
	struct flow *flow;

	if (!f->n_heap || plan_due(f, 0) > now)
		return NULL;
	flow = &f->flows[f->heap[0]];
	plan_pop(f);
	return flow;
}

/* When to ask again; UINT64_MAX: not before another flow has ended. */
uint64_t fabric_next_ns(const struct fabric *f)
{
	return f->n_heap ? plan_due(f, 0) : UINT64_MAX;
}

static void plan_done(struct fabric *f, struct flow *flow, uint64_t now)
{
	struct flow *waiter;
	uint32_t i;

	flow->end_ns = now;
	f->n_done++;
	for (i = 0; i < flow->n_waiters; i++) {
		waiter = &f->flows[flow->waiters[i]];
		if (!--waiter->deps)
			fabric_plan(f, flow->waiters[i], now + waiter->offset_ns);
	}
}

/* So much of it has arrived. Returns whether that is all. */
bool fabric_got(struct fabric *f, struct flow *flow, uint64_t bytes)
{
	flow->received += bytes;
	f->progress_ns = now_ns();
	if (flow->received < flow->size)
		return false;
	plan_done(f, flow, f->progress_ns);
	return true;
}
