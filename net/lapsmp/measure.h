/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_MEASURE_H
#define _LAPSMP_MEASURE_H

struct lapsmp_path;
struct lapsmp_path_sample;
struct lapsmp_peer;

/**
 * lapsmp_measure() - what an acknowledgment says of its path's delay and rate
 * @peer: the path's
 * @p: the path
 * @s: the sample; of what passed others, it is told its queue
 *
 * Publishes what schedulers and controls go by.
 *
 * Context: softirq or softirqs off, peer's lock held.
 */
void lapsmp_measure(struct lapsmp_peer *peer, struct lapsmp_path *p,
		    struct lapsmp_path_sample *s);

#endif /* _LAPSMP_MEASURE_H */
