/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many of several senders may go on at a time, so that the receiver's links stay full
 * (grants.c has the senders).
 *
 * As many as are configured; and more while less arrives than already did. Senders that
 * share a slower link with each other, or have only one way to one of the receiver's two
 * links, do not fill them, however few or many may go on; and who comes from the same place
 * tends to come at the same time. This file knows no flow and reads no clock.
 */
#ifndef _LAPSMP_ALG_TURNS_H
#define _LAPSMP_ALG_TURNS_H

#include <linux/types.h>

/**
 * struct lapsmp_turns - how many there are; zeroed before the first update
 * @since_ns: when the period began
 * @bytes: what has arrived since
 * @peak: the most of a period, forgotten slowly
 * @more_q3: turns beside those that are configured, 3 fractional bits
 */
struct lapsmp_turns {
	u64	since_ns;
	u64	bytes;
	u64	peak;
	u32	more_q3;
};

/**
 * lapsmp_turns_start() - there is somebody who wants to go on, and was not
 * @t: turns; what the links carried before stays known
 * @now_ns: monotonic
 */
void lapsmp_turns_start(struct lapsmp_turns *t, u64 now_ns);

/**
 * lapsmp_turns_update() - something has arrived, while there is somebody
 * @t: turns; whoever calls owns them
 * @k: turns that are configured
 * @bytes: how much has arrived
 * @now_ns: monotonic
 */
void lapsmp_turns_update(struct lapsmp_turns *t, unsigned int k, u32 bytes, u64 now_ns);

/* How many may go on, where @k are configured: up to twice as many. */
unsigned int lapsmp_turns_n(const struct lapsmp_turns *t, unsigned int k);

#endif /* _LAPSMP_ALG_TURNS_H */
