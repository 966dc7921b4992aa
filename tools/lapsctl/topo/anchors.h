/* SPDX-License-Identifier: GPL-2.0 */
/* The fewest segments that keep packets on a path. */
#ifndef LAPSCTL_TOPO_ANCHORS_H
#define LAPSCTL_TOPO_ANCHORS_H

#include "path.h"
#include "tree.h"

enum topo_pin_state {
	TOPO_PINNED,
	/* More segments than allowed. */
	TOPO_PIN_MANY,
	/* A link is not the only shortest way to its end, and has no SID of its own. */
	TOPO_PIN_LINK,
	/* None of the nodes that could be named has a SID. */
	TOPO_PIN_NODE,
};

/**
 * struct topo_pin - how to name a path
 * @state: whether it can be
 * @n: segments; 0: the network's routing takes this path by itself
 * @sid: the segments in order, those that there is room for
 * @place: if it cannot: node of the path, by its place, that packets are on the path
 *	up to; the next link is in the way, or the nodes up to @until have no SID
 * @until: see @place
 */
struct topo_pin {
	enum topo_pin_state state;
	uint32_t n;
	struct in6_addr sid[TOPO_SEGS_MAX];
	uint32_t place;
	uint32_t until;
};

/**
 * topo_pin() - find the fewest segments
 * @trees: of the path's network
 * @path: to be named
 * @max: most segments, up to TOPO_SEGS_MAX
 *
 * A segment is the SID of a node (End), reached by the network's own routing, or that
 * of a link (End.X), at whose beginning packets arrive likewise and which they then
 * cross. The destination is none.
 *
 * Return: what was found.
 */
struct topo_pin topo_pin(struct topo_trees *trees, const struct topo_path *path, uint32_t max);

#endif /* LAPSCTL_TOPO_ANCHORS_H */
