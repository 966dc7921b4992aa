// SPDX-License-Identifier: GPL-2.0
/* Networks; see graph.h. */
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "graph.h"

#define NAMES_FIRST	64u

struct topo *topo_new(void)
{
	struct topo *topo = xalloc(sizeof(*topo));

	*topo = (struct topo){ .packet = TOPO_PACKET_DEFAULT, .anchors = TOPO_SEGS_MAX };
	return topo;
}

void topo_free(struct topo *topo)
{
	uint32_t i;

	if (!topo)
		return;
	for (i = 0; i < topo->n_nodes; i++)
		free(topo->nodes[i].name);
	for (i = 0; i < topo->n_groups; i++)
		free(topo->groups[i]);
	free(topo->name);
	free(topo->nodes);
	free(topo->arcs);
	free(topo->groups);
	free(topo->out);
	free(topo->out_at);
	free(topo->in);
	free(topo->in_at);
	free(topo->names);
	free(topo);
}

/* --- names ------------------------------------------------------------------------ */

/* FNV-1a. */
static uint32_t name_hash(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

/* Where the name is in the table, or the free place where it would be. */
static uint32_t name_slot(const struct topo *topo, const char *name)
{
	uint32_t mask = topo->n_names - 1, slot = name_hash(name) & mask;

	while (topo->names[slot] != TOPO_NONE &&
	       strcmp(topo->nodes[topo->names[slot]].name, name))
		slot = (slot + 1) & mask;
	return slot;
}

/* Keeps at least half of the table free. */
static void names_grow(struct topo *topo)
{
	uint32_t i;

	if (topo->n_nodes < topo->n_names / 2)
		return;
	topo->n_names = topo->n_names ? 2 * topo->n_names : NAMES_FIRST;
	topo->names = xrealloc(topo->names, topo->n_names * sizeof(*topo->names));
	for (i = 0; i < topo->n_names; i++)
		topo->names[i] = TOPO_NONE;
	for (i = 0; i < topo->n_nodes; i++)
		topo->names[name_slot(topo, topo->nodes[i].name)] = i;
}

uint32_t topo_find(const struct topo *topo, const char *name)
{
	return topo->n_names ? topo->names[name_slot(topo, name)] : TOPO_NONE;
}

/* --- building --------------------------------------------------------------------- */

/* Room for one more: arrays double each time that they have 2^n elements. */
static void *array_grow(void *array, uint32_t n, size_t size)
{
	return n & (n - 1) ? array : xrealloc(array, (n ? 2 * (size_t)n : 1) * size);
}

struct topo_node *topo_add_node(struct topo *topo, const char *name, enum topo_kind kind)
{
	struct topo_node *node;

	names_grow(topo);
	topo->nodes = array_grow(topo->nodes, topo->n_nodes, sizeof(*topo->nodes));
	node = &topo->nodes[topo->n_nodes];
	*node = (struct topo_node){
		.name = xprintf("%s", name),
		.group = TOPO_NONE,
		.kind = kind,
		.transit = kind == TOPO_HOST ? TOPO_TRANSIT_NONE : TOPO_TRANSIT_ANY,
	};
	topo->names[name_slot(topo, name)] = topo->n_nodes++;
	return node;
}

uint32_t topo_group(struct topo *topo, const char *name)
{
	uint32_t i;

	/* The nodes of a group mostly stand together: the last ones first. */
	for (i = topo->n_groups; i-- > 0; ) {
		if (!strcmp(topo->groups[i], name))
			return i;
	}
	topo->groups = array_grow(topo->groups, topo->n_groups, sizeof(*topo->groups));
	topo->groups[topo->n_groups] = xprintf("%s", name);
	return topo->n_groups++;
}

static void arc_add(struct topo *topo, const struct topo_arc *arc)
{
	struct topo_arc *own;

	topo->arcs = array_grow(topo->arcs, topo->n_arcs, sizeof(*topo->arcs));
	own = &topo->arcs[topo->n_arcs++];
	*own = *arc;
	own->link = topo->n_links;
	own->send_ns = (topo->packet * 1000000000ull + arc->rate - 1) / arc->rate;
}

uint32_t topo_add_link(struct topo *topo, const struct topo_arc *arc, bool both)
{
	uint32_t first = topo->n_arcs;
	struct topo_arc back = *arc;

	arc_add(topo, arc);
	if (both) {
		back.from = arc->to;
		back.to = arc->from;
		back.has_sid = false;
		arc_add(topo, &back);
	}
	topo->n_links++;
	return first;
}

static uint32_t arc_end(const struct topo_arc *arc, bool in)
{
	return in ? arc->to : arc->from;
}

/* Sorts the arcs by the node that they leave, or arrive at, and keeps their order. */
static void arcs_by_node(const struct topo *topo, bool in, uint32_t **list, uint32_t **at)
{
	uint32_t n = topo->n_nodes, i, node;

	*list = xrealloc(*list, (topo->n_arcs + 1) * sizeof(**list));
	*at = xrealloc(*at, (n + 2) * sizeof(**at));
	memset(*at, 0, (n + 2) * sizeof(**at));
	for (i = 0; i < topo->n_arcs; i++)
		(*at)[arc_end(&topo->arcs[i], in) + 2]++;
	for (i = 2; i < n + 2; i++)
		(*at)[i] += (*at)[i - 1];
	/* Each place moves up while it is filled, to where the next node's begin. */
	for (i = 0; i < topo->n_arcs; i++) {
		node = arc_end(&topo->arcs[i], in);
		(*list)[(*at)[node + 1]++] = i;
	}
}

void topo_index(struct topo *topo)
{
	arcs_by_node(topo, false, &topo->out, &topo->out_at);
	arcs_by_node(topo, true, &topo->in, &topo->in_at);
}

bool topo_addr_ok(const struct in6_addr *addr)
{
	static const uint8_t zero[12];

	/* ::/96 has the unspecified address, loopback and IPv4-compatible ones. */
	return memcmp(addr, zero, sizeof(zero)) && !IN6_IS_ADDR_V4MAPPED(addr) &&
	       !IN6_IS_ADDR_MULTICAST(addr) && !IN6_IS_ADDR_LINKLOCAL(addr);
}
