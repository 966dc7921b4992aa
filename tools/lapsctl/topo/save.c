// SPDX-License-Identifier: GPL-2.0
/* Writing networks; see save.h. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>

#include "../json.h"
#include "../util.h"
#include "save.h"

struct unit {
	const char *name;
	uint64_t factor;
};

/* With the largest unit that gives a whole number; the last one is 1. */
static void save_scaled(const char *key, uint64_t value, const struct unit *units)
{
	char text[32];

	while (units->factor > 1 && (!value || value % units->factor))
		units++;
	snprintf(text, sizeof(text), "%" PRIu64 "%s", value / units->factor, units->name);
	json_text(key, text);
}

static void save_addr(const char *key, bool has, const struct in6_addr *addr)
{
	char text[INET6_ADDRSTRLEN];

	if (has)
		json_text(key, inet_ntop(AF_INET6, addr, text, sizeof(text)));
}

static void save_node(const struct topo *topo, const struct topo_node *node)
{
	static const char *const transits[] = { "none", "group", "any" };
	bool host = node->kind == TOPO_HOST;

	json_open_object(NULL);
	json_text("name", node->name);
	json_text("kind", host ? "host" : "switch");
	save_addr("sid", node->has_sid, &node->sid);
	save_addr("addr", node->has_addr, &node->addr);
	if (node->group != TOPO_NONE)
		json_text("group", topo->groups[node->group]);
	if (node->transit != (host ? TOPO_TRANSIT_NONE : TOPO_TRANSIT_ANY))
		json_text("transit", transits[node->transit]);
	json_close_object();
}

/* Of a link, by its first arc. */
static void save_link(const struct topo *topo, uint32_t first)
{
	static const struct unit times[] = {
		{ "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }
	};
	static const struct unit rates[] = {
		{ "gbit", 125000000 }, { "mbit", 125000 }, { "kbit", 125 }, { "Bps", 1 }
	};
	const struct topo_arc *arc = &topo->arcs[first];
	bool both = first + 1 < topo->n_arcs && arc[1].link == arc->link;

	json_open_object(NULL);
	json_text("a", topo->nodes[arc->from].name);
	json_text("b", topo->nodes[arc->to].name);
	save_scaled("delay", arc->delay_ns, times);
	save_scaled("rate", arc->rate, rates);
	json_u64("cost", arc->cost);
	if (!arc->up)
		json_bool("up", false);
	if (!both)
		json_bool("oneway", true);
	save_addr("a-sid", arc->has_sid, &arc->sid);
	if (both)
		save_addr("b-sid", arc[1].has_sid, &arc[1].sid);
	json_close_object();
}

void topo_save(const struct topo *topo)
{
	uint32_t i;

	json_start(true);
	json_open_object(NULL);
	if (topo->name)
		json_text("name", topo->name);
	json_u64("packet", topo->packet);
	json_u64("anchors", topo->anchors);
	json_open_array("nodes");
	for (i = 0; i < topo->n_nodes; i++)
		save_node(topo, &topo->nodes[i]);
	json_close_array();
	json_open_array("links");
	for (i = 0; i < topo->n_arcs; i++) {
		if (!i || topo->arcs[i].link != topo->arcs[i - 1].link)
			save_link(topo, i);
	}
	json_close_array();
	json_close_object();
	json_end();
}
