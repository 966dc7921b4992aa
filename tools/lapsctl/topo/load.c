// SPDX-License-Identifier: GPL-2.0
/* Reading networks; see load.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../parse.h"
#include "../util.h"
#include "field.h"
#include "load.h"

/* --- nodes ------------------------------------------------------------------------ */

bool topo_name_ok(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	return len && !name[len] && len <= TOPO_NAME_MAX && *name != '.' && *name != '-';
}

static int node_name(struct field_place *at, const struct topo *topo, const char **name)
{
	uint32_t other;

	if (field_string(at, "name", name))
		return EXIT_USAGE;
	if (!*name)
		return field_bad(at, " has no name; write \"name\": \"...\"");
	if (!topo_name_ok(*name))
		return field_bad(at, ": name '%.80s' cannot be used: 1 to %d letters, digits, '.', '_' and '-' are, beginning with a letter, a digit or '_'",
				 *name, TOPO_NAME_MAX);
	snprintf(at->what, sizeof(at->what), " (%s)", *name);
	other = topo_find(topo, *name);
	if (other != TOPO_NONE)
		return field_bad(at, ": nodes[%" PRIu32 "] has this name, too; give each node its own",
				 other);
	return EXIT_OK;
}

/* What it belongs to, and whose packets it forwards. */
static int node_transit(const struct field_place *at, struct topo *topo, struct topo_node *node)
{
	static const char *const transits[] = { "none", "group", "any" };
	int transit = (int)node->transit;
	const char *group;

	if (field_string(at, "group", &group) ||
	    field_word(at, "transit", transits, ARRAY_SIZE(transits), &transit))
		return EXIT_USAGE;
	node->transit = (enum topo_transit)transit;
	if (group && strlen(group) > TOPO_NAME_MAX)
		return field_bad(at, ": group '%.80s...' is longer than %d bytes", group, TOPO_NAME_MAX);
	if (group)
		node->group = topo_group(topo, group);
	else if (node->transit == TOPO_TRANSIT_GROUP)
		return field_bad(at, ": transit is 'group', but it has no group; write \"group\": \"...\"");
	return EXIT_OK;
}

static int load_node(struct field_place *at, struct topo *topo)
{
	static const char *const kinds[] = { "switch", "host" };
	struct topo_node *node;
	const char *name;
	int kind = -1;

	if (field_known(at, "name kind sid addr group transit") || node_name(at, topo, &name) ||
	    field_word(at, "kind", kinds, ARRAY_SIZE(kinds), &kind))
		return EXIT_USAGE;
	if (kind < 0)
		return field_bad(at, " has no kind; write \"kind\": \"host\" or \"switch\"");
	node = topo_add_node(topo, name, kind ? TOPO_HOST : TOPO_SWITCH);
	if (field_addr(at, "sid", &node->sid, &node->has_sid) ||
	    field_addr(at, "addr", &node->addr, &node->has_addr))
		return EXIT_USAGE;
	return node_transit(at, topo, node);
}

/* --- links ------------------------------------------------------------------------ */

static int link_end(const struct field_place *at, const struct topo *topo, const char *key,
		    uint32_t *node)
{
	const char *name;

	if (field_string(at, key, &name))
		return EXIT_USAGE;
	if (!name)
		return field_bad(at, ": %s is missing; write the name of a node", key);
	*node = topo_find(topo, name);
	if (*node == TOPO_NONE)
		return field_bad(at, ": there is no node '%.80s', which %s names; add it to nodes, or correct the name",
				 name, key);
	return EXIT_OK;
}

/* What links may have, and "defaults" for all of them. 0 means that it is not there. */
static int link_values(const struct field_place *at, struct topo_arc *arc)
{
	uint64_t cost = arc->cost;

	if (field_scaled(at, "delay", 0, TOPO_DELAY_MAX_NS, parse_time, "ns", &arc->delay_ns) ||
	    field_scaled(at, "rate", TOPO_RATE_MIN, TOPO_RATE_MAX, parse_rate, "bytes/s",
			 &arc->rate) ||
	    field_number(at, "cost", 1, TOPO_COST_MAX, &cost) || field_bool(at, "up", &arc->up))
		return EXIT_USAGE;
	arc->cost = (uint32_t)cost;
	if (arc->delay_ns == UINT64_MAX)
		return field_bad(at, ": delay is missing, here and in defaults; write \"delay\": \"1us\"");
	if (!arc->rate)
		return field_bad(at, ": rate is missing, here and in defaults; write \"rate\": \"100gbit\"");
	return EXIT_OK;
}

static int load_link(struct field_place *at, struct topo *topo, const struct topo_arc *defaults)
{
	struct topo_arc arc = *defaults, back = { 0 };
	bool oneway = false;
	uint32_t first;

	if (field_known(at, "a b delay rate cost up oneway a-sid b-sid") ||
	    link_end(at, topo, "a", &arc.from) || link_end(at, topo, "b", &arc.to))
		return EXIT_USAGE;
	snprintf(at->what, sizeof(at->what), " (%s to %s)", topo->nodes[arc.from].name,
		 topo->nodes[arc.to].name);
	if (arc.from == arc.to)
		return field_bad(at, ": a and b are one node; a link joins two");
	if (link_values(at, &arc) || field_bool(at, "oneway", &oneway) ||
	    field_addr(at, "a-sid", &arc.sid, &arc.has_sid) ||
	    field_addr(at, "b-sid", &back.sid, &back.has_sid))
		return EXIT_USAGE;
	if (oneway && back.has_sid)
		return field_bad(at, ": b-sid is for the way from b to a, which a oneway link has not");
	first = topo_add_link(topo, &arc, !oneway);
	if (back.has_sid) {
		topo->arcs[first + 1].sid = back.sid;
		topo->arcs[first + 1].has_sid = true;
	}
	return EXIT_OK;
}

static int load_defaults(const char *file, const json_t *root, struct topo_arc *defaults)
{
	struct field_place at = { .file = file, .name = "defaults" };
	struct topo_arc arc = { .rate = 1 };

	/* UINT64_MAX, 0: none. */
	*defaults = (struct topo_arc){ .delay_ns = UINT64_MAX, .cost = 1, .up = true };
	at.object = json_object_get(root, "defaults");
	if (!at.object)
		return EXIT_OK;
	if (field_known(&at, "delay rate cost up"))
		return EXIT_USAGE;
	arc.cost = defaults->cost;
	arc.up = defaults->up;
	if (link_values(&at, &arc))
		return EXIT_USAGE;
	if (json_object_get(at.object, "delay"))
		defaults->delay_ns = arc.delay_ns;
	if (json_object_get(at.object, "rate"))
		defaults->rate = arc.rate;
	defaults->cost = arc.cost;
	defaults->up = arc.up;
	return EXIT_OK;
}

/* --- addresses -------------------------------------------------------------------- */

/* An address, and what it belongs to: a node, or an arc. */
struct owner {
	struct in6_addr addr;
	uint32_t node;
	uint32_t arc;
};

static int owner_cmp(const void *x, const void *y)
{
	const struct owner *a = x, *b = y;
	int diff = memcmp(&a->addr, &b->addr, sizeof(a->addr));

	if (!diff)
		diff = (a->node > b->node) - (a->node < b->node);
	return diff ? diff : (a->arc > b->arc) - (a->arc < b->arc);
}

static const char *owner_name(const struct topo *topo, const struct owner *owner, char *buf,
			      size_t room)
{
	if (owner->arc == TOPO_NONE)
		snprintf(buf, room, "node %s", topo->nodes[owner->node].name);
	else
		snprintf(buf, room, "the link from %s to %s", topo->nodes[owner->node].name,
			 topo->nodes[topo->arcs[owner->arc].to].name);
	return buf;
}

/* All SIDs and addresses. Return: how many. */
static size_t owners_list(const struct topo *topo, struct owner *owners)
{
	size_t n = 0;
	uint32_t i;

	for (i = 0; i < topo->n_nodes; i++) {
		const struct topo_node *node = &topo->nodes[i];

		if (node->has_sid)
			owners[n++] = (struct owner){ node->sid, i, TOPO_NONE };
		if (node->has_addr)
			owners[n++] = (struct owner){ node->addr, i, TOPO_NONE };
	}
	for (i = 0; i < topo->n_arcs; i++) {
		if (topo->arcs[i].has_sid)
			owners[n++] = (struct owner){ topo->arcs[i].sid, topo->arcs[i].from, i };
	}
	return n;
}

/* What two have in common leads packets to one of them only. */
static int check_addresses(const char *file, const struct topo *topo)
{
	size_t room = 2 * (size_t)topo->n_nodes + topo->n_arcs + 1, i, n;
	struct owner *owners = xalloc(room * sizeof(*owners));
	char a[2 * TOPO_NAME_MAX + 32], b[sizeof(a)], addr[INET6_ADDRSTRLEN];
	int ret = EXIT_OK;

	n = owners_list(topo, owners);
	qsort(owners, n, sizeof(*owners), owner_cmp);
	for (i = 1; i < n && !ret; i++) {
		const struct owner *x = &owners[i - 1], *y = &owners[i];

		/* A node's SID may be its address. */
		if (memcmp(&x->addr, &y->addr, sizeof(x->addr)) ||
		    (x->node == y->node && x->arc == y->arc))
			continue;
		inet_ntop(AF_INET6, &x->addr, addr, sizeof(addr));
		ret = usage_error("%s: %s belongs to %s and to %s; give each its own", file, addr,
				  owner_name(topo, x, a, sizeof(a)),
				  owner_name(topo, y, b, sizeof(b)));
	}
	free(owners);
	return ret;
}

/* --- the file --------------------------------------------------------------------- */

static int load_list(const char *file, const json_t *root, const char *key, size_t max,
		     const json_t **list)
{
	const struct field_place at = { .file = file, .name = "the file", .object = root };

	*list = json_object_get(root, key);
	if (!json_is_array(*list))
		return field_bad(&at, " has no %s; write \"%s\": [...]", key, key);
	if (json_array_size(*list) > max)
		return field_bad(&at, " has %zu %s; %zu at most", json_array_size(*list), key, max);
	return EXIT_OK;
}

static int load_head(const char *file, const json_t *root, struct topo *topo)
{
	const struct field_place at = { .file = file, .name = "the file", .object = root };
	uint64_t packet = topo->packet, anchors = topo->anchors;
	const char *name;

	if (field_known(&at, "name packet anchors defaults nodes links") ||
	    field_string(&at, "name", &name) ||
	    field_number(&at, "packet", TOPO_PACKET_MIN, TOPO_PACKET_MAX, &packet) ||
	    field_number(&at, "anchors", 0, TOPO_SEGS_MAX, &anchors))
		return EXIT_USAGE;
	topo->packet = (uint32_t)packet;
	topo->anchors = (uint32_t)anchors;
	if (name)
		topo->name = xprintf("%s", name);
	return EXIT_OK;
}

static int load_root(const char *file, const json_t *root, struct topo *topo)
{
	const json_t *nodes, *links;
	struct topo_arc defaults;
	struct field_place at;
	size_t i;

	if (load_head(file, root, topo) || load_defaults(file, root, &defaults) ||
	    load_list(file, root, "nodes", TOPO_NODES_MAX, &nodes) ||
	    load_list(file, root, "links", TOPO_LINKS_MAX, &links))
		return EXIT_USAGE;
	for (i = 0; i < json_array_size(nodes); i++) {
		at = (struct field_place){ .file = file, .object = json_array_get(nodes, i) };
		snprintf(at.name, sizeof(at.name), "nodes[%zu]", i);
		if (load_node(&at, topo))
			return EXIT_USAGE;
	}
	for (i = 0; i < json_array_size(links); i++) {
		at = (struct field_place){ .file = file, .object = json_array_get(links, i) };
		snprintf(at.name, sizeof(at.name), "links[%zu]", i);
		if (load_link(&at, topo, &defaults))
			return EXIT_USAGE;
	}
	topo_index(topo);
	return check_addresses(file, topo);
}

/* A file that is read, up to a byte more than is allowed. */
struct source {
	FILE *in;
	size_t n;
};

static size_t source_read(void *buf, size_t room, void *data)
{
	struct source *source = data;
	size_t n = fread(buf, 1, room, source->in);

	source->n += n;
	return source->n > TOPO_FILE_MAX || ferror(source->in) ? (size_t)-1 : n;
}

/* NULL after a complaint. */
static json_t *load_json(const char *file, struct source *source, int *ret)
{
	json_error_t error;
	json_t *root;

	root = json_load_callback(source_read, source, JSON_REJECT_DUPLICATES, &error);
	if (root)
		return root;
	if (ferror(source->in))
		*ret = system_error("cannot read '%s': %s", file, strerror(errno));
	else if (source->n > TOPO_FILE_MAX)
		*ret = usage_error("%s is larger than %u MB", file, TOPO_FILE_MAX >> 20);
	else
		*ret = usage_error("%s:%d:%d: this is not JSON: %s", file, error.line, error.column,
				   field_printable(error.text) ? error.text :
				   "there are control characters");
	return NULL;
}

int topo_load(const char *file, struct topo **topo)
{
	bool standard = !strcmp(file, "-");
	const char *name = standard ? "standard input" : file;
	struct source source = { .in = standard ? stdin : fopen(file, "r") };
	int ret = EXIT_OK;
	json_t *root;

	*topo = NULL;
	if (!source.in)
		return system_error("cannot open '%s': %s", file, strerror(errno));
	root = load_json(name, &source, &ret);
	if (!standard)
		fclose(source.in);
	if (!root)
		return ret;
	*topo = topo_new();
	ret = load_root(name, root, *topo);
	json_decref(root);
	if (ret) {
		topo_free(*topo);
		*topo = NULL;
	}
	return ret;
}
