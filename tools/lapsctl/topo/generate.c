// SPDX-License-Identifier: GPL-2.0
/* Generators; see generate.h. */
#include <stdio.h>
#include <string.h>

#include "../util.h"
#include "generate.h"

/*
 * Cost of a Dragonfly's links between groups, where those inside have 1: the routing
 * then takes one of them wherever one does, as minimal routing in a Dragonfly is
 * defined (Kim et al., ISCA 2008). By 3 + 1 + 1 that way costs less than two of them.
 */
#define GLOBAL_COST	3

/* In addresses, behind the prefix. */
enum {
	ADDR_SID = 1,
	ADDR_HOST = 2,
};

/* --- parts ------------------------------------------------------------------------ */

static bool too_large(uint64_t nodes, uint64_t links)
{
	return nodes > TOPO_NODES_MAX || links > TOPO_LINKS_MAX;
}

/* prefix:KIND:NUMBER, 32 bits each. */
static struct in6_addr make_addr(const struct topo_shape *shape, uint8_t kind, uint32_t number)
{
	struct in6_addr addr = shape->prefix;
	int i;

	memset(&addr.s6_addr[8], 0, 8);
	addr.s6_addr[11] = kind;
	for (i = 0; i < 4; i++)
		addr.s6_addr[15 - i] = (uint8_t)(number >> (8 * i));
	return addr;
}

/* With a SID if it is a switch, with an address if it is a host. Return: its number. */
static uint32_t add_node(struct topo *topo, const struct topo_shape *shape, enum topo_kind kind,
			 const char *name)
{
	uint32_t number = topo->n_nodes;
	struct topo_node *node = topo_add_node(topo, name, kind);

	if (kind == TOPO_HOST) {
		node->addr = make_addr(shape, ADDR_HOST, number + 1);
		node->has_addr = true;
	} else {
		node->sid = make_addr(shape, ADDR_SID, number + 1);
		node->has_sid = true;
	}
	return number;
}

static void add_nodes(struct topo *topo, const struct topo_shape *shape, enum topo_kind kind,
		      const char *prefix, uint32_t n)
{
	char name[TOPO_NAME_MAX + 1];
	uint32_t i;

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s%u", prefix, i);
		add_node(topo, shape, kind, name);
	}
}

static void add_link(struct topo *topo, const struct topo_shape *shape, uint32_t a, uint32_t b,
		     uint64_t rate, uint32_t cost)
{
	const struct topo_arc arc = {
		.from = a, .to = b, .cost = cost, .delay_ns = shape->delay_ns, .rate = rate,
		.up = true,
	};

	topo_add_link(topo, &arc, true);
}

/* h0, h1, ...: so many on each of @n switches, of which @first is the first. */
static void add_hosts(struct topo *topo, const struct topo_shape *shape, uint32_t first, uint32_t n)
{
	uint32_t host = topo->n_nodes, i;

	add_nodes(topo, shape, TOPO_HOST, "h", n * shape->hosts);
	for (i = 0; i < n * shape->hosts; i++)
		add_link(topo, shape, host + i, first + i / shape->hosts, shape->host_rate, 1);
}

/* --- Dragonfly -------------------------------------------------------------------- */

/*
 * Which switch of group @group has the link to group @to: port p of a group leads to
 * the group p + 1 before it, and the ports are dealt to the switches in order. This
 * "palm tree" arrangement is that of the paper's figure 1b: between its S0 and S6 there
 * are 3, 12, 35, 99 and 338 paths of 3 to 7 links.
 */
static uint32_t gateway(const struct topo_shape *shape, uint32_t group, uint32_t to)
{
	uint32_t port = (group + shape->groups - to - 1) % shape->groups;
	uint32_t each = (shape->groups - 1 + shape->switches - 1) / shape->switches;

	return group * shape->switches + port / each;
}

struct topo *topo_dragonfly(const struct topo_shape *shape)
{
	uint64_t a = shape->switches, g = shape->groups, n = a * g, hosts = n * shape->hosts;
	uint32_t i, j, k;
	struct topo *topo;

	if (too_large(n + hosts, g * (a * (a - 1) / 2) + g * (g - 1) / 2 + hosts))
		return NULL;
	topo = topo_new();
	topo->name = xprintf("Dragonfly, %u groups of %u switches, %u hosts on each",
			     shape->groups, shape->switches, shape->hosts);
	/* The paper's paths are of one segment at most (section IV-A). */
	topo->anchors = 1;
	add_nodes(topo, shape, TOPO_SWITCH, "s", (uint32_t)n);
	for (i = 0; i < g; i++) {
		for (j = 0; j < a; j++)
			for (k = j + 1; k < a; k++)
				add_link(topo, shape, i * (uint32_t)a + j, i * (uint32_t)a + k,
					 shape->rate, 1);
	}
	for (i = 0; i < g; i++) {
		for (j = i + 1; j < g; j++)
			add_link(topo, shape, gateway(shape, i, j), gateway(shape, j, i),
				 shape->rate, GLOBAL_COST);
	}
	add_hosts(topo, shape, 0, (uint32_t)n);
	topo_index(topo);
	return topo;
}

/* --- torus ------------------------------------------------------------------------ */

/* A link from each node to the next one in a dimension; two nodes have one between them. */
static void torus_links(struct topo *topo, const struct topo_shape *shape, uint32_t n,
			uint32_t stride, uint32_t size)
{
	uint32_t i, at;

	for (i = 0; i < n; i++) {
		at = i / stride % size;
		if (at + 1 < size)
			add_link(topo, shape, i, i + stride, shape->rate, 1);
		else if (size > 2)
			add_link(topo, shape, i, i - at * stride, shape->rate, 1);
	}
}

/* "torus of 4x4 nodes, 2 hosts on each" */
static char *torus_name(const struct topo_shape *shape)
{
	char dims[TOPO_DIMS_MAX * 8] = "";
	size_t at = 0;
	uint32_t i;

	for (i = 0; i < shape->n_dims; i++)
		at += (size_t)snprintf(dims + at, sizeof(dims) - at, "%s%u", i ? "x" : "",
				       shape->dims[i]);
	if (!shape->hosts)
		return xprintf("torus of %s nodes", dims);
	return xprintf("torus of %s nodes, %u hosts on each", dims, shape->hosts);
}

struct topo *topo_torus(const struct topo_shape *shape)
{
	uint64_t n = 1, hosts;
	uint32_t stride = 1, i;
	struct topo *topo;

	for (i = 0; i < shape->n_dims; i++) {
		n *= shape->dims[i];
		if (too_large(n, 0))
			return NULL;
	}
	hosts = n * shape->hosts;
	if (too_large(n + hosts, n * shape->n_dims + hosts))
		return NULL;
	topo = topo_new();
	topo->name = torus_name(shape);
	add_nodes(topo, shape, shape->hosts ? TOPO_SWITCH : TOPO_HOST, "n", (uint32_t)n);
	for (i = 0; i < n && !shape->hosts; i++) {
		topo->nodes[i].sid = make_addr(shape, ADDR_SID, i + 1);
		topo->nodes[i].has_sid = true;
		topo->nodes[i].transit = TOPO_TRANSIT_ANY;
	}
	for (i = 0; i < shape->n_dims; i++) {
		torus_links(topo, shape, (uint32_t)n, stride, shape->dims[i]);
		stride *= shape->dims[i];
	}
	if (shape->hosts)
		add_hosts(topo, shape, 0, (uint32_t)n);
	topo_index(topo);
	return topo;
}

/* --- rail ------------------------------------------------------------------------- */

/* Cards and the NVLink switch forward what their own cluster sends or gets. */
static uint32_t add_own(struct topo *topo, const struct topo_shape *shape, const char *name,
			uint32_t group)
{
	uint32_t node = add_node(topo, shape, TOPO_SWITCH, name);

	topo->nodes[node].group = group;
	topo->nodes[node].transit = TOPO_TRANSIT_GROUP;
	return node;
}

/* The rail switches are the first nodes. */
static void add_cluster(struct topo *topo, const struct topo_shape *shape, uint32_t cluster)
{
	uint32_t group, nvlink, gpu, card, i;
	char name[TOPO_NAME_MAX + 1];

	snprintf(name, sizeof(name), "c%u", cluster);
	group = topo_group(topo, name);
	snprintf(name, sizeof(name), "nvlink%u", cluster);
	nvlink = add_own(topo, shape, name, group);
	for (i = 0; i < shape->gpus; i++) {
		snprintf(name, sizeof(name), "gpu%u-%u", cluster, i);
		gpu = add_node(topo, shape, TOPO_HOST, name);
		topo->nodes[gpu].group = group;
		snprintf(name, sizeof(name), "nic%u-%u", cluster, i);
		card = add_own(topo, shape, name, group);
		add_link(topo, shape, gpu, card, shape->host_rate, 1);
		add_link(topo, shape, card, nvlink, shape->rate, 1);
		add_link(topo, shape, card, i, shape->rate, 1);
	}
}

struct topo *topo_rail(const struct topo_shape *shape)
{
	uint64_t gpus = (uint64_t)shape->clusters * shape->gpus;
	struct topo *topo;
	uint32_t i;

	if (too_large(2 * gpus + shape->gpus + shape->clusters, 3 * gpus))
		return NULL;
	topo = topo_new();
	topo->name = xprintf("rail, %u clusters of %u GPUs", shape->clusters, shape->gpus);
	add_nodes(topo, shape, TOPO_SWITCH, "rail", shape->gpus);
	for (i = 0; i < shape->clusters; i++)
		add_cluster(topo, shape, i);
	topo_index(topo);
	return topo;
}

/* --- trees ------------------------------------------------------------------------ */

/* M. Al-Fares et al., SIGCOMM 2008: pods of half as many switches in each of two layers. */
struct topo *topo_fat_tree(const struct topo_shape *shape)
{
	uint32_t half = shape->ports / 2, pods = 2 * half, edge = pods * half, i, j;
	uint64_t n = (uint64_t)2 * pods * half + (uint64_t)half * half;
	struct topo_shape own = *shape;
	struct topo *topo;

	own.hosts = half;
	if (shape->ports > TOPO_NODES_MAX ||
	    too_large(n + (uint64_t)edge * half, (uint64_t)3 * edge * half))
		return NULL;
	topo = topo_new();
	topo->name = xprintf("fat tree of switches with %u ports", shape->ports);
	add_nodes(topo, &own, TOPO_SWITCH, "edge", edge);
	add_nodes(topo, &own, TOPO_SWITCH, "agg", edge);
	add_nodes(topo, &own, TOPO_SWITCH, "core", half * half);
	for (i = 0; i < edge; i++) {
		uint32_t agg = edge + i, pod = i / half, core = 2 * edge + i % half * half;

		for (j = 0; j < half; j++) {
			add_link(topo, &own, i, edge + pod * half + j, own.rate, 1);
			add_link(topo, &own, agg, core + j, own.rate, 1);
		}
	}
	add_hosts(topo, &own, 0, edge);
	topo_index(topo);
	return topo;
}

struct topo *topo_leaf_spine(const struct topo_shape *shape)
{
	uint64_t leaves = shape->leaves, hosts = leaves * shape->hosts;
	struct topo *topo;
	uint32_t i, j;

	if (too_large(leaves + shape->spines + hosts, leaves * shape->spines + hosts))
		return NULL;
	topo = topo_new();
	topo->name = xprintf("leaf-spine, %u leaves, %u spines, %u hosts on each leaf",
			     shape->leaves, shape->spines, shape->hosts);
	add_nodes(topo, shape, TOPO_SWITCH, "leaf", shape->leaves);
	add_nodes(topo, shape, TOPO_SWITCH, "spine", shape->spines);
	for (i = 0; i < shape->leaves; i++) {
		for (j = 0; j < shape->spines; j++)
			add_link(topo, shape, i, shape->leaves + j, shape->rate, 1);
	}
	add_hosts(topo, shape, 0, shape->leaves);
	topo_index(topo);
	return topo;
}
