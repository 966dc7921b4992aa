// SPDX-License-Identifier: GPL-2.0
/*
 * Segments; see anchors.h.
 *
 * reach(i) is the last node of the path that packets which are at node i, and are
 * addressed to it, get to over the path and nothing else: the path up to there is
 * the only way of least cost. A part of an only shortest way is one, too, so
 * each node from i to reach(i) can be addressed from i, and none behind it. Then it
 * never helps to stop earlier than one must: whatever the nearer node reaches, the
 * farther one reaches, too. If every node had a SID, going as far as possible each
 * time would be best. Some have none, and links with SIDs add steps that pass
 * reach(i): so steps(i), the fewest segments that bring packets to node i, is
 * computed for one node after the other.
 */
#include <stdlib.h>

#include "../util.h"
#include "anchors.h"

/**
 * struct stop - a node of the path
 * @steps: segments that bring packets here, or TOPO_NONE
 * @from: node where the last of them begins
 * @sid: the last of them
 */
struct stop {
	uint32_t steps;
	uint32_t from;
	const struct in6_addr *sid;
};

static uint32_t reach(struct topo_trees *trees, const struct topo_path *path, uint32_t i)
{
	const struct topo *topo = trees->topo;
	const struct topo_tree *tree = topo_tree(trees, topo_path_node(topo, path, i));

	while (i < path->n && tree->last[topo->arcs[path->arcs[i]].to] == path->arcs[i])
		i++;
	return i;
}

static void stop_offer(struct stop *stop, const struct stop *stops, uint32_t from,
		       const struct in6_addr *sid)
{
	uint32_t steps = stops[from].steps + 1;

	/* Of as many, the one from further ahead was offered last. */
	if (steps <= stop->steps)
		*stop = (struct stop){ steps, from, sid };
}

/* All that one segment from node @i leads to. */
static void stops_from(const struct topo *topo, const struct topo_path *path, struct stop *stops,
		       uint32_t i, uint32_t end)
{
	uint32_t j;

	for (j = i; j <= end && j < path->n; j++) {
		const struct topo_node *node = &topo->nodes[topo_path_node(topo, path, j)];
		const struct topo_arc *arc = &topo->arcs[path->arcs[j]];

		if (j > i && node->has_sid)
			stop_offer(&stops[j], stops, i, &node->sid);
		if (arc->has_sid)
			stop_offer(&stops[j + 1], stops, i, &arc->sid);
	}
}

/* Why there is no way on from node @i, the last one that segments lead to. */
static void pin_fail(struct topo_pin *pin, uint32_t i, uint32_t end)
{
	pin->state = end > i ? TOPO_PIN_NODE : TOPO_PIN_LINK;
	pin->place = i;
	pin->until = end;
}

/* The segments to node @at, which are the answer's last ones. */
static void pin_fill(struct topo_pin *pin, const struct stop *stops, uint32_t at, uint32_t max)
{
	pin->n = stops[at].steps;
	pin->state = pin->n > max ? TOPO_PIN_MANY : TOPO_PINNED;
	for (; stops[at].steps; at = stops[at].from) {
		if (stops[at].steps <= TOPO_SEGS_MAX)
			pin->sid[stops[at].steps - 1] = *stops[at].sid;
	}
}

struct topo_pin topo_pin(struct topo_trees *trees, const struct topo_path *path, uint32_t max)
{
	struct stop *stops = xalloc((path->n + 1) * sizeof(*stops));
	struct topo_pin pin = { 0 };
	uint32_t i, end, last = TOPO_NONE;

	for (i = 0; i <= path->n; i++)
		stops[i] = (struct stop){ .steps = i ? TOPO_NONE : 0 };
	for (i = 0; i < path->n; i++) {
		if (stops[i].steps == TOPO_NONE)
			continue;
		end = reach(trees, path, i);
		/* From here the destination is addressed, and no segment needed. */
		if (end == path->n && (last == TOPO_NONE || stops[i].steps < stops[last].steps))
			last = i;
		stops_from(trees->topo, path, stops, i, end);
		pin_fail(&pin, i, end);
	}
	if (last == TOPO_NONE || stops[path->n].steps < stops[last].steps)
		last = path->n;
	if (stops[last].steps != TOPO_NONE)
		pin_fill(&pin, stops, last, max);
	free(stops);
	return pin;
}
