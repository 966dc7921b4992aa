// SPDX-License-Identifier: GPL-2.0
/* What is to be done once for all packets that come in together. */
#include "later.h"

bool lapsmp_later_add(struct lapsmp_later_cpu __percpu *cpus,
		      struct lapsmp_later *l)
{
	struct lapsmp_later_cpu *c = this_cpu_ptr(cpus);

	if (l->queued)
		return false;
	l->queued = true;
	spin_lock(&c->lock);
	list_add_tail(&l->node, &c->list);
	spin_unlock(&c->lock);
	tasklet_schedule(&c->task);
	return true;
}

static void lapsmp_later_task(struct tasklet_struct *t)
{
	struct lapsmp_later_cpu *c = from_tasklet(c, t, task);
	struct lapsmp_later *l, *next;
	LIST_HEAD(list);

	spin_lock(&c->lock);
	list_splice_init(&c->list, &list);
	spin_unlock(&c->lock);
	/* What is still in our list cannot be queued elsewhere. */
	list_for_each_entry_safe(l, next, &list, node)
		c->run(l);
}

void lapsmp_later_init(struct lapsmp_later_cpu __percpu *cpus,
		       void (*run)(struct lapsmp_later *l))
{
	struct lapsmp_later_cpu *c;
	int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(cpus, cpu);
		spin_lock_init(&c->lock);
		INIT_LIST_HEAD(&c->list);
		tasklet_setup(&c->task, lapsmp_later_task);
		c->run = run;
	}
}

void lapsmp_later_exit(struct lapsmp_later_cpu __percpu *cpus)
{
	int cpu;

	for_each_possible_cpu(cpu)
		tasklet_kill(&per_cpu_ptr(cpus, cpu)->task);
}
