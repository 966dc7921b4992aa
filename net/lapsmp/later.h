/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is to be done once for all packets that come in together: behind the
 * softirq that receives, in a tasklet of the CPU that received.
 */
#ifndef _LAPSMP_LATER_H
#define _LAPSMP_LATER_H

#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>

/**
 * struct lapsmp_later - an object's place in a list; its owner's lock guards it
 * @node: in the list of a CPU while @queued
 * @queued: it is there
 */
struct lapsmp_later {
	struct list_head	node;
	bool			queued;
};

/**
 * struct lapsmp_later_cpu - objects that wait, of one CPU
 * @lock: guards @list; inside the owners' locks
 * @list: in the order of their coming
 * @task: runs them
 * @run: does what is to be done; it calls lapsmp_later_taken() under the owner's
 *	lock, and drops the reference
 */
struct lapsmp_later_cpu {
	spinlock_t		lock;
	struct list_head	list;
	struct tasklet_struct	task;
	void			(*run)(struct lapsmp_later *l);
};

/**
 * lapsmp_later_add() - let it be done
 * @cpus: whose turn it is
 * @l: owner locked
 *
 * Context: softirqs off.
 * Return: whether it was not queued before: then it needs a reference.
 */
bool lapsmp_later_add(struct lapsmp_later_cpu __percpu *cpus,
		      struct lapsmp_later *l);

/* It is being done: from here on it may be queued again. Owner locked. */
static inline void lapsmp_later_taken(struct lapsmp_later *l)
{
	list_del_init(&l->node);
	l->queued = false;
}

void lapsmp_later_init(struct lapsmp_later_cpu __percpu *cpus,
		       void (*run)(struct lapsmp_later *l));

/* Nothing is queued any more. Context: process. */
void lapsmp_later_exit(struct lapsmp_later_cpu __percpu *cpus);

#endif /* _LAPSMP_LATER_H */
