/* SPDX-License-Identifier: GPL-2.0 */
/* What was discovered, in words and as JSON. */
#ifndef LAPSCTL_DISCOVER_REPORT_H
#define LAPSCTL_DISCOVER_REPORT_H

#include "group.h"
#include "probe.h"

/**
 * struct report - all that there is to tell
 * @prober: how it was asked
 * @walk: what was seen of each port
 * @groups: which of them take the same route
 * @picked: groups that are kept, in the order of picking
 * @n_picked: how many
 * @ids: of the paths that were added for them, or NULL
 */
struct report {
	const struct prober *prober;
	const struct walk *walk;
	const struct groups *groups;
	const unsigned int *picked;
	unsigned int n_picked;
	const uint16_t *ids;
};

/* Of how many ports the way's end is of this kind; HOP_UNKNOWN: no end was seen. */
unsigned int report_ends(const struct report *r, enum hop_kind kind);

/* To standard output. */
void report_text(const struct report *r);
void report_json(const struct report *r);

#endif /* LAPSCTL_DISCOVER_REPORT_H */
