/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports that take the same route, and the routes that have least in common. Pure,
 * as trace.h.
 */
#ifndef LAPSCTL_DISCOVER_GROUP_H
#define LAPSCTL_DISCOVER_GROUP_H

#include "trace.h"

/**
 * struct group - ports that are not told apart
 * @seen: all that was seen of any of them; hops at which none was answered are not
 *	known
 * @best: the one of them of which most is known
 * @members: how many
 */
struct group {
	struct trace seen;
	unsigned int best;
	unsigned int members;
};

/* @of has this for a port that takes no fixed route. */
#define GROUP_NONE	UINT32_MAX

/**
 * struct groups - all of them
 * @v: in the order of what is known of them, then of their first port
 * @n: how many: no fewer routes there are
 * @of: number of the group of each trace, or GROUP_NONE
 * @unsteady: traces whose hops vary: which route they take is left to each packet
 * @unsure: traces that fit into several groups, and are in the first of these
 * @holes: groups with hops that nobody is known at
 */
struct groups {
	struct group *v;
	unsigned int n;
	uint32_t *of;
	unsigned int unsteady;
	unsigned int unsure;
	unsigned int holes;
};

/**
 * groups_make() - sort traces into routes
 * @g: result; it has room for @n in v and in of
 * @traces: what was seen
 * @n: how many
 *
 * What is known best goes first, so that a trace with silent hops joins a route that
 * is known instead of being one of its own. A trace joins the first group that it is
 * not apart from, with all that is known of the group so far; if it fits others as
 * well, only as a member, since what it has seen may be of any of them.
 */
void groups_make(struct groups *g, const struct trace *traces, unsigned int n);

/**
 * group_shared() - what two routes have in common
 *
 * Return: routers that both pass, and links (from one router that answers to the
 * next) that both take; a hop that is silent on both counts as a router that they
 * share, since nothing says that they do not.
 */
unsigned int group_shared(const struct trace *a, const struct trace *b);

/**
 * groups_pick() - those with least in common
 * @g: from groups_make()
 * @keep: how many are wanted
 * @picked: result: numbers of groups, in the order of picking
 *
 * The first is the shortest in time. Each further one has, with the one of those
 * picked that it shares most with, less in common than any other would have; then
 * less with all of them, then the shorter round trip. Routes that do not reach
 * the peer are not picked.
 *
 * Return: how many; no more than there are routes.
 */
unsigned int groups_pick(const struct groups *g, unsigned int keep, unsigned int *picked);

/**
 * groups_ports_needed() - how many random ports see all of some routes
 * @routes: that are all taken alike; 1 at least
 *
 * The coupon collector: of n ports each misses a route with (1 - 1/R)^n, so that any
 * of R is missed with less than R (1 - 1/R)^n.
 *
 * Return: the smallest n for which this is at most 1 %.
 */
unsigned int groups_ports_needed(unsigned int routes);

#endif /* LAPSCTL_DISCOVER_GROUP_H */
