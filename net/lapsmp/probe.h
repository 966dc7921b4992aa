/* SPDX-License-Identifier: GPL-2.0 */
/* Probes: keeping measurements fresh, bringing paths back, finding the MTU. */
#ifndef _LAPSMP_PROBE_H
#define _LAPSMP_PROBE_H

#include "flow.h"

/* IP packet size of a probe that is to find out whether a path works, and no more. */
#define LAPSMP_PROBE_SMALL	128

/*
 * While the receiver does not read, no path matters. Until it answers, one packet at a time is
 * enough; but if no path can carry data, a probe has to be it. Flow locked.
 */
bool lapsmp_probe_may(const struct lapsmp_flow *f);

/**
 * lapsmp_probe_run() - send the probes that are due
 * @f: flow that has something under way, locked
 * @now_ns: monotonic
 *
 * Return: when to be called again at the latest, or U64_MAX.
 */
u64 lapsmp_probe_run(struct lapsmp_flow *f, u64 now_ns);

/**
 * lapsmp_probe_silent() - ask the path that is silent for longest, if that is due
 * @f: flow that has just sent what it may, locked
 * @now_ns: monotonic
 */
void lapsmp_probe_silent(struct lapsmp_flow *f, u64 now_ns);

/* Send one on this path, whether or not it is due; same context. */
void lapsmp_probe_now(struct lapsmp_flow *f, struct lapsmp_fpath *fp, u64 now_ns);

/* May this path be asked so, though a probe is still out? Flow locked. */
bool lapsmp_probe_may_lone(const struct lapsmp_flow *f, const struct lapsmp_fpath *fp);

/* The index of the flow's first path that works, from @first on; or -1. Flow locked. */
int lapsmp_probe_lone_from(const struct lapsmp_flow *f, u16 first);

/**
 * lapsmp_probe_lone() - send a small one on each path that works
 * @f: flow, locked, which has claimed peer->drain
 * @first: index of the path to begin with
 * @most: how many, at most
 * @now_ns: monotonic
 *
 * Return: how many were sent.
 */
u16 lapsmp_probe_lone(struct lapsmp_flow *f, u16 first, u16 most, u64 now_ns);

/* It tells that a path works, but not how fast. */
static inline bool lapsmp_probe_was_small(const struct lapsmp_seg *seg)
{
	return seg->kind == LAPSMP_SEG_PROBE && seg->len <= LAPSMP_PROBE_SMALL;
}

/* But if it was sent while nobody else does, how far it is. */
static inline bool lapsmp_probe_was_lone(const struct lapsmp_seg *seg)
{
	return seg->lone;
}

/* A probe of the flow was not answered. */
void lapsmp_probe_lost(struct lapsmp_path *p);

#endif /* _LAPSMP_PROBE_H */
