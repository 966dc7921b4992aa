/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receiver-driven grants (sysctl grants): of the flows that send large messages to
 * this namespace, only those few that have the fewest bytes left may go on; the
 * others wait where their window ends, and are told when it is their turn. There is
 * no packet of its own for it: the limit of the window is the grant.
 */
#ifndef _LAPSMP_GRANTS_H
#define _LAPSMP_GRANTS_H

#include <linux/rbtree.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "alg/turns.h"
#include "later.h"

struct lapsmp_net;
struct lapsmp_rflow;

/* Turns at a time, at most: each look goes through them. */
#define LAPSMP_GRANTS_MAX	16

/**
 * struct lapsmp_grants - the flows of a namespace that want to go on
 * @lock: guards all here, and the flows' struct lapsmp_turn; inside rflow->lock
 * @tree: struct lapsmp_turn, the fewest bytes to come first
 * @turns: how many of them may go on
 * @last_no: numbers them in the order of their coming
 * @last_fed: numbers their rations
 * @patrol: looks at them while there are any
 */
struct lapsmp_grants {
	spinlock_t		lock;
	struct rb_root_cached	tree;
	struct lapsmp_turns	turns;
	u64			last_no;
	u64			last_fed;
	struct delayed_work	patrol;
};

/**
 * struct lapsmp_turn - of a flow; ln->grants.lock guards it
 * @node: in the tree while @queued
 * @rest: bytes to come, when it was looked at last
 * @no: order among equals
 * @fed: number of its last ration, 0 before the first
 * @mark_ns: when its progress was looked at last
 * @mark: @used then
 * @used: credits used by what has arrived
 * @queued: it wants to go on
 * @waits: and was not let; to be told
 * @ration: it gets a part of a grant while it waits
 * @slow: it sends so little that it takes nobody's turn, and needs none
 * @wake: it is told; holds a reference while queued
 */
struct lapsmp_turn {
	struct rb_node		node;
	u64			rest;
	u64			no;
	u64			fed;
	u64			mark_ns;
	u32			mark;
	u32			used;
	bool			queued;
	bool			waits;
	bool			ration;
	bool			slow;
	struct lapsmp_later	wake;
};

/**
 * lapsmp_grants_limit() - how far a flow may go now
 * @rf: flow, locked, with a socket
 * @law: limit by the receive buffer and the budget
 *
 * Takes note of what it still wants; others may have their turn by that.
 *
 * Return: the limit to tell; as little as rf->limit if it has to wait.
 */
u32 lapsmp_grants_limit(struct lapsmp_rflow *rf, u32 law);

/* The same, if nothing has changed since the last time. rf->lock held. */
u32 lapsmp_grants_would(const struct lapsmp_rflow *rf, u32 law);

/* The largest window, where @window is without grants. */
u32 lapsmp_grants_window(const struct lapsmp_net *ln, u32 window);

/* It ends. rf->lock held; before rf->ls is cleared. */
void lapsmp_grants_leave(struct lapsmp_rflow *rf);

void lapsmp_grants_net_init(struct lapsmp_net *ln);

/* No flow is left. Context: process. */
void lapsmp_grants_net_exit(struct lapsmp_net *ln);

/* How a flow is told; called with rf->lock held. Once, before anything else. */
void lapsmp_grants_set_tell(void (*tell)(struct lapsmp_rflow *rf));

int lapsmp_grants_init(void);
void lapsmp_grants_exit(void);

#endif /* _LAPSMP_GRANTS_H */
