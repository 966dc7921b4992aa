// SPDX-License-Identifier: GPL-2.0
/* Computed paths as commands; see compute.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "compute.h"
#include "print.h"
#include "util.h"

/* Of flow labels; 0 is none. */
#define LABEL_MAX	0xfffffu
/* Dynamic ports (RFC 6335, section 6). */
#define PORT_MIN	49152u
#define PORTS		16384u

uint64_t compute_cost(const struct topo *topo, const struct topo_path *path)
{
	uint64_t cost = 0;
	uint32_t i;

	for (i = 0; i < path->n; i++)
		cost += topo->arcs[path->arcs[i]].cost;
	return cost;
}

static uint32_t path_from(const struct compute *c, const struct topo_choice *choice)
{
	return topo_path_node(c->chooser.topo, &choice->path, 0);
}

static uint32_t path_to(const struct compute *c, const struct topo_choice *choice)
{
	return topo_path_node(c->chooser.topo, &choice->path, choice->path.n);
}

bool compute_by_ports(const struct compute *c, const struct topo_choice *choice)
{
	const struct topo_len *least;

	/* What needs no segment is the only way of least cost. */
	if (!c->ports || (choice->pin.state == TOPO_PINNED && !choice->pin.n))
		return false;
	least = topo_dist(c->costs, path_to(c, choice));
	return compute_cost(c->chooser.topo, &choice->path) ==
	       least[path_from(c, choice)].metric;
}

/* --- one path --------------------------------------------------------------------- */

/* @way: the words that choose it, which are freed. */
static void lines_add(struct compute_lines *lines, const struct compute *c,
		      const struct topo_choice *choice, const struct topo_facts *facts, char *way)
{
	uint64_t cost = compute_cost(c->chooser.topo, &choice->path);
	char peer[TEXT_MAX], *line;

	text_addr(peer, &c->chooser.topo->nodes[path_to(c, choice)].addr);
	if (cost > UINT32_MAX)
		cost = UINT32_MAX;
	if (c->measure)
		line = xprintf("path add peer %s %s cost %" PRIu64, peer, way, cost);
	else
		line = xprintf("path add peer %s %s rate %" PRIu64 "Bps base %" PRIu64 "ns cost %" PRIu64,
			       peer, way, facts->rate, facts->delay_ns, cost);
	free(way);
	lines->v = xrealloc(lines->v, (lines->n + 1) * sizeof(*lines->v));
	lines->v[lines->n++] = line;
}

static char *pinned_way(const struct compute *c, const struct topo_choice *choice)
{
	char segs[TEXT_MAX];

	if (choice->pin.n)
		return xprintf("segs %s", text_addrs(segs, choice->pin.sid, choice->pin.n, true));
	return xprintf("flowlabel %" PRIu64,
		       1 + topo_seed(path_from(c, choice), path_to(c, choice)) % LABEL_MAX);
}

/* --- by ports --------------------------------------------------------------------- */

static bool is_drawn(const uint32_t *ports, uint32_t n, uint32_t port)
{
	while (n--)
		if (ports[n] == port)
			return true;
	return false;
}

/*
 * The same for all peers of a host, as automatic paths have them: each is a socket. Drawn,
 * since what routers make of ports in a row may be ways in a row; by a fixed rule.
 */
static void draw_ports(const struct compute *c, uint32_t from, uint32_t *ports)
{
	uint32_t i;

	for (i = 0; i < c->ports; i++) {
		ports[i] = (uint32_t)(topo_seed(from, c->chooser.topo->n_nodes + i) % PORTS);
		while (is_drawn(ports, i, ports[i]))
			ports[i] = (ports[i] + 1) % PORTS;
	}
}

/* No port is known to lead to one of them: what all of them are at least. */
static void lines_add_ports(struct compute_lines *lines, const struct compute *c,
			    const struct topo_chosen *chosen)
{
	struct topo_facts facts = { .delay_ns = UINT64_MAX, .rate = UINT64_MAX };
	const struct topo_choice *first = NULL, *choice;
	uint32_t ports[COMPUTE_PORTS_MAX], i;

	for (i = 0; i < chosen->n; i++) {
		choice = &chosen->v[i];
		if (!compute_by_ports(c, choice))
			continue;
		first = first ? first : choice;
		if (choice->facts.delay_ns < facts.delay_ns)
			facts.delay_ns = choice->facts.delay_ns;
		if (choice->facts.rate < facts.rate)
			facts.rate = choice->facts.rate;
	}
	if (!first)
		return;
	draw_ports(c, path_from(c, first), ports);
	for (i = 0; i < c->ports; i++)
		lines_add(lines, c, first, &facts, xprintf("sport %" PRIu32, PORT_MIN + ports[i]));
}

/* --- all of a pair ---------------------------------------------------------------- */

struct compute_lines compute_lines(const struct compute *c, const struct topo_chosen *chosen)
{
	struct compute_lines lines = { 0 };
	const struct topo_choice *choice;
	uint32_t i;

	lines_add_ports(&lines, c, chosen);
	for (i = 0; i < chosen->n; i++) {
		choice = &chosen->v[i];
		if (compute_by_ports(c, choice))
			continue;
		if (choice->pin.state != TOPO_PINNED) {
			lines.unnamed++;
			continue;
		}
		if (choice->pin.n > lines.segs)
			lines.segs = choice->pin.n;
		lines_add(&lines, c, choice, &choice->facts, pinned_way(c, choice));
	}
	return lines;
}

void compute_lines_free(struct compute_lines *lines)
{
	uint32_t i;

	for (i = 0; i < lines->n; i++)
		free(lines->v[i]);
	free(lines->v);
}
