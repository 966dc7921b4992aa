/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was planned of a path, and how far that is believed: its base against what is
 * measured, its cost and its slowest link against those of the peer's other paths. All
 * calls: peer's lock.
 */
#ifndef _LAPSMP_PATHPLAN_H
#define _LAPSMP_PATHPLAN_H

#include "path.h"

struct lapsmp_peer;

/* It is to be believed anew: nothing is known of the path, or it is too old. */
void lapsmp_pathplan_start(struct lapsmp_path *p);

/* What data takes on it by what was measured, if there is no queue: a raw delay. */
s64 lapsmp_pathplan_empty(const struct lapsmp_peer *peer, const struct lapsmp_path *p);

/**
 * lapsmp_pathplan_base() - the delay that the path is believed to have when it is empty
 * @peer: its peer
 * @p: path, of which there is a sample
 *
 * Return: ns, without the clocks' offset.
 */
s64 lapsmp_pathplan_base(const struct lapsmp_peer *peer, const struct lapsmp_path *p);

/**
 * lapsmp_pathplan_rtt() - the round trip that it is believed to have when it is empty
 * @peer: its peer
 * @p: path, of which there is a sample
 *
 * Return: ns, 0 if there was none yet.
 */
u64 lapsmp_pathplan_rtt(const struct lapsmp_peer *peer, const struct lapsmp_path *p);

/* What its delay wavers by, as far as that is believed (alg/jitter.h); ns. */
u32 lapsmp_pathplan_jitter(const struct lapsmp_peer *peer, const struct lapsmp_path *p);

/**
 * lapsmp_pathplan_compare() - a path was measured: how wrong are the plans?
 * @peer: its peer, with the offset that followed
 * @p: path
 * @now_ns: monotonic
 *
 * Walks the paths while that one's plan is believed: lapsmp_pathplan_base() and
 * lapsmp_pathplan_rtt() need not.
 */
void lapsmp_pathplan_compare(struct lapsmp_peer *peer, struct lapsmp_path *p, u64 now_ns);

/*
 * Between the same addresses, by ports that were drawn: routers take such paths to be equal.
 * Context: any; a path is made so.
 */
bool lapsmp_pathplan_is_drawn(const struct lapsmp_path *p);

/* What such paths have shown to it of their slowest links; bytes/s, or 0. */
u64 lapsmp_pathplan_others(const struct lapsmp_peer *peer, const struct lapsmp_path *p);

/*
 * The fastest that two packets have followed each other that were sent faster: by such paths, by
 * this one if it is none, or else by any; bytes/s, or 0.
 */
u64 lapsmp_pathplan_pushed(const struct lapsmp_peer *peer, const struct lapsmp_path *p);

/*
 * How fast it is believed to be: as learned; until then as configured or guessed, in the bounds of
 * what others have learned. Bytes/s, never 0.
 * Context: @peer's lock, or @p is new.
 */
u64 lapsmp_pathplan_rate(const struct lapsmp_peer *peer, const struct lapsmp_path *p);

/**
 * lapsmp_pathplan_compare_rates() - what is known of a path's rate or of its link has changed
 * @peer: peer
 * @ps: its paths
 *
 * Publishes the rates that all of them are believed to have for it.
 * Return: whether margins of others than the one that was measured are to be published, too. Who
 *	does not leaves that to what each of them hears next.
 */
bool lapsmp_pathplan_compare_rates(struct lapsmp_peer *peer,
				   const struct lapsmp_pathset *ps);

/*
 * It is a port that others are measured by, in its first second; it has timed out, and nobody
 * has asked it since: is there such a way at all? Context: any; a path is probed so.
 */
bool lapsmp_pathplan_in_doubt(const struct lapsmp_path *p, u64 now_ns);

/* Where the weight of an empty path lies, by its cost (alg/lean.c), 28 fractional bits. */
u32 lapsmp_pathplan_rest(const struct lapsmp_peer *peer, const struct lapsmp_path *p);

/*
 * Publish by how much it is avoided, and what of that is for its cost. Peer's lock held,
 * or nobody else has it yet.
 */
void lapsmp_pathplan_tell_lean(const struct lapsmp_peer *peer, struct lapsmp_path *p);

/**
 * lapsmp_pathplan_compare_costs() - what is planned of a path has changed, or which ones work
 * @peer: peer
 * @ps: its paths
 *
 * Costs count by the least of them; and ports of that cost for which one base and rate are
 * planned are as good as each other.
 */
void lapsmp_pathplan_compare_costs(struct lapsmp_peer *peer,
				   const struct lapsmp_pathset *ps);

#endif /* _LAPSMP_PATHPLAN_H */
