// SPDX-License-Identifier: GPL-2.0
/* Files that describe networks: what is in one, and new ones. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "json.h"
#include "print.h"
#include "topo/generate.h"
#include "topo/load.h"
#include "topo/save.h"
#include "util.h"

/* By number, and so are the values that params_words() gives. */
enum {
	T_FILE,
	T_KIND,
	T_GROUPS,
	T_SWITCHES,
	T_HOSTS,
	T_DIMS,
	T_CLUSTERS,
	T_GPUS,
	T_PORTS,
	T_LEAVES,
	T_SPINES,
	T_DELAY,
	T_RATE,
	T_HOST_RATE,
	T_PREFIX,
	T_COUNT
};

static const struct param topology_params[T_COUNT] = {
	[T_FILE] = { NULL, "FILE", 0, NULL },
	[T_KIND] = { NULL, "dragonfly|rail|torus|fat-tree|leaf-spine", 0, NULL },
	[T_GROUPS] = { "--groups", "N", 0, NULL },
	[T_SWITCHES] = { "--switches", "N", 0, NULL },
	[T_HOSTS] = { "--hosts", "N", 0, NULL },
	[T_DIMS] = { "--dims", "NxN...", 0, NULL },
	[T_CLUSTERS] = { "--clusters", "N", 0, NULL },
	[T_GPUS] = { "--gpus", "N", 0, NULL },
	[T_PORTS] = { "--ports", "N", 0, NULL },
	[T_LEAVES] = { "--leaves", "N", 0, NULL },
	[T_SPINES] = { "--spines", "N", 0, NULL },
	[T_DELAY] = { "--delay", "TIME", 0, NULL },
	[T_RATE] = { "--rate", "RATE", 0, NULL },
	[T_HOST_RATE] = { "--host-rate", "RATE", 0, NULL },
	[T_PREFIX] = { "--prefix", "ADDRESS", 0, NULL },
};

#define BIT(n)	PARAM_OWN(n)

static const struct params topology_params_list = { topology_params, T_COUNT };

/* --- generate --------------------------------------------------------------------- */

/**
 * struct generator - of one kind of network
 * @name: of the kind
 * @make: makes one
 * @may: what it takes beside what all take
 * @shape: default values
 */
struct generator {
	const char *name;
	struct topo *(*make)(const struct topo_shape *shape);
	uint32_t may;
	struct topo_shape shape;
};

#define GBIT	125000000ull

/* Delays, rates, and the numbers of the first two are the paper's (section IV-A). */
static const struct generator generators[] = {
	{ "dragonfly", topo_dragonfly, BIT(T_GROUPS) | BIT(T_SWITCHES) | BIT(T_HOSTS),
	  { .groups = 9, .switches = 4, .hosts = 4, .host_rate = 100 * GBIT } },
	{ "rail", topo_rail, BIT(T_CLUSTERS) | BIT(T_GPUS),
	  { .clusters = 8, .gpus = 8, .host_rate = 200 * GBIT } },
	{ "torus", topo_torus, BIT(T_DIMS) | BIT(T_HOSTS),
	  { .dims = { 4, 4, 4 }, .n_dims = 3, .host_rate = 100 * GBIT } },
	{ "fat-tree", topo_fat_tree, BIT(T_PORTS), { .ports = 4, .host_rate = 100 * GBIT } },
	{ "leaf-spine", topo_leaf_spine, BIT(T_LEAVES) | BIT(T_SPINES) | BIT(T_HOSTS),
	  { .leaves = 4, .spines = 4, .hosts = 4, .host_rate = 100 * GBIT } },
};

#define GENERATE_ALL	(BIT(T_DELAY) | BIT(T_RATE) | BIT(T_HOST_RATE) | BIT(T_PREFIX))
#define GENERATE_ANY	(GENERATE_ALL | BIT(T_GROUPS) | BIT(T_SWITCHES) | BIT(T_HOSTS) | \
			 BIT(T_DIMS) | BIT(T_CLUSTERS) | BIT(T_GPUS) | BIT(T_PORTS) | \
			 BIT(T_LEAVES) | BIT(T_SPINES))

static int take_count(int param, const char *word, uint32_t min, uint32_t *value)
{
	const char *name = topology_params[param].name;
	uint64_t number;

	if (!word)
		return EXIT_OK;
	if (parse_u64(name, word, TOPO_NODES_MAX, &number))
		return EXIT_USAGE;
	if (number < min)
		return usage_error("%s %" PRIu64 " is too small; %" PRIu32 " at least", name, number,
				   min);
	*value = (uint32_t)number;
	return EXIT_OK;
}

/* "4x4x8" */
static int take_dims(const char *word, struct topo_shape *shape)
{
	char *copy, *rest, *one;
	int ret = EXIT_OK;

	if (!word)
		return EXIT_OK;
	copy = xprintf("%s", word);
	rest = copy;
	shape->n_dims = 0;
	while (!ret && (one = strsep(&rest, "x"))) {
		if (shape->n_dims == TOPO_DIMS_MAX)
			ret = usage_error("--dims '%s' has more than %d dimensions", word,
					  TOPO_DIMS_MAX);
		else
			ret = take_count(T_DIMS, one, 1, &shape->dims[shape->n_dims++]);
	}
	free(copy);
	return ret;
}

static int take_scaled(int param, const char *word, uint64_t min, uint64_t max,
		       int (*parse)(const char *what, const char *word, uint64_t *value),
		       uint64_t *value)
{
	const char *name = topology_params[param].name;

	if (!word)
		return EXIT_OK;
	if (parse(name, word, value))
		return EXIT_USAGE;
	if (*value < min || *value > max)
		return usage_error("%s '%s' is out of range: links have up to 10 s, and 8 kbit/s to 10 Tbit/s",
				   name, word);
	return EXIT_OK;
}

static int take_prefix(const char *word, struct in6_addr *prefix)
{
	if (inet_pton(AF_INET6, word ? word : "fd00:1a95::", prefix) != 1)
		return usage_error("--prefix '%s' is no IPv6 address; its first 64 bits are used", word);
	if (!topo_addr_ok(prefix))
		return usage_error("--prefix '%s' is not of routed addresses; write it like 2001:db8::",
				   word);
	return EXIT_OK;
}

static int take_shape(const char **values, struct topo_shape *shape, bool torus)
{
	const struct {
		int param;
		uint32_t min;
		uint32_t *value;
	} counts[] = {
		{ T_GROUPS, 1, &shape->groups }, { T_SWITCHES, 1, &shape->switches },
		{ T_HOSTS, torus ? 0 : 1, &shape->hosts }, { T_CLUSTERS, 1, &shape->clusters },
		{ T_GPUS, 1, &shape->gpus }, { T_PORTS, 2, &shape->ports },
		{ T_LEAVES, 1, &shape->leaves }, { T_SPINES, 1, &shape->spines },
	};
	size_t i;

	shape->delay_ns = 1000;
	shape->rate = 100 * GBIT;
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		if (take_count(counts[i].param, values[counts[i].param], counts[i].min,
			       counts[i].value))
			return EXIT_USAGE;
	}
	if (shape->ports % 2)
		return usage_error("--ports %" PRIu32 " is odd; half of them lead up", shape->ports);
	if (take_dims(values[T_DIMS], shape) ||
	    take_scaled(T_DELAY, values[T_DELAY], 0, TOPO_DELAY_MAX_NS, parse_time,
			&shape->delay_ns) ||
	    take_scaled(T_RATE, values[T_RATE], TOPO_RATE_MIN, TOPO_RATE_MAX, parse_rate,
			&shape->rate) ||
	    take_scaled(T_HOST_RATE, values[T_HOST_RATE], TOPO_RATE_MIN, TOPO_RATE_MAX,
			parse_rate, &shape->host_rate))
		return EXIT_USAGE;
	return take_prefix(values[T_PREFIX], &shape->prefix);
}

static const struct generator *generator_take(struct args *args)
{
	const char *word = args_next(args);
	char all[128] = "";
	size_t i, at = 0;

	for (i = 0; i < ARRAY_SIZE(generators); i++) {
		if (word && !strcmp(word, generators[i].name))
			return &generators[i];
		at += (size_t)snprintf(all + at, sizeof(all) - at, "%s%s", i ? ", " : "",
				       generators[i].name);
	}
	if (word)
		usage_error("there is no kind '%s'; there is: %s", word, all);
	else
		usage_error("missing: KIND, one of: %s", all);
	return NULL;
}

static int topology_generate(const struct object *object, const struct verb *verb,
			     struct args *args)
{
	const struct generator *g = generator_take(args);
	const char *values[T_COUNT] = { NULL };
	struct topo_shape shape;
	struct topo *topo;

	(void)verb;
	if (!g || params_words(args, object->params, 0, g->may | GENERATE_ALL, values))
		return EXIT_USAGE;
	shape = g->shape;
	if (take_shape(values, &shape, g->make == topo_torus))
		return EXIT_USAGE;
	topo = g->make(&shape);
	if (!topo)
		return usage_error("that is too large: %u nodes and %u links at most",
				   TOPO_NODES_MAX, TOPO_LINKS_MAX);
	topo_save(topo);
	topo_free(topo);
	return EXIT_OK;
}

/* --- show ------------------------------------------------------------------------- */

struct counts {
	uint32_t hosts;
	uint32_t addressed;
	uint32_t sids;
	uint32_t down;
};

static struct counts count(const struct topo *topo)
{
	struct counts c = { 0 };
	uint32_t i;

	for (i = 0; i < topo->n_nodes; i++) {
		c.hosts += topo->nodes[i].kind == TOPO_HOST;
		c.addressed += topo->nodes[i].kind == TOPO_HOST && topo->nodes[i].has_addr;
		c.sids += topo->nodes[i].has_sid;
	}
	for (i = 0; i < topo->n_arcs; i++)
		c.down += !topo->arcs[i].up && (!i || topo->arcs[i].link != topo->arcs[i - 1].link);
	return c;
}

static void show_json(const struct topo *topo, const struct counts *c)
{
	json_start(opt.pretty);
	json_open_object(NULL);
	if (topo->name)
		json_text("name", topo->name);
	json_u64("hosts", c->hosts);
	json_u64("hosts-with-addr", c->addressed);
	json_u64("switches", topo->n_nodes - c->hosts);
	json_u64("nodes-with-sid", c->sids);
	json_u64("groups", topo->n_groups);
	json_u64("links", topo->n_links);
	json_u64("links-down", c->down);
	json_u64("packet", topo->packet);
	json_u64("anchors", topo->anchors);
	json_close_object();
	json_end();
}

static void show_text(const struct topo *topo, const struct counts *c)
{
	if (topo->name)
		printf("%s%s%s\n", color_on(COLOR_BOLD), topo->name, color_off(COLOR_BOLD));
	printf("  hosts     %" PRIu32 ", %" PRIu32 " of them with an address\n", c->hosts, c->addressed);
	printf("  switches  %" PRIu32 "\n", topo->n_nodes - c->hosts);
	printf("  SIDs      %" PRIu32 " nodes\n", c->sids);
	printf("  groups    %" PRIu32 "\n", topo->n_groups);
	printf("  links     %" PRIu32 ", %" PRIu32 " of them down\n", topo->n_links, c->down);
	printf("  packet    %" PRIu32 " bytes\n", topo->packet);
	printf("  anchors   %" PRIu32 " at most\n", topo->anchors);
}

static int topology_show(const struct object *object, const struct verb *verb, struct args *args)
{
	const char *values[T_COUNT] = { NULL };
	struct counts counts;
	struct topo *topo;
	int ret;

	if (params_words(args, object->params, verb->need, verb->may, values))
		return EXIT_USAGE;
	ret = topo_load(values[T_FILE], &topo);
	if (ret)
		return ret;
	counts = count(topo);
	if (opt.json)
		show_json(topo, &counts);
	else
		show_text(topo, &counts);
	topo_free(topo);
	return EXIT_OK;
}

static const struct verb topology_verbs[] = {
	{ "show", topology_show, 0, BIT(T_FILE), 0,
	  .text = "Check a file that describes a network, and show what is in it." },
	{ "generate", topology_generate, 0, BIT(T_KIND), GENERATE_ANY,
	  .text = "Print the description of a network: dragonfly (--groups --switches --hosts), rail\n"
		  "      (--clusters --gpus), torus (--dims --hosts), fat-tree (--ports), leaf-spine\n"
		  "      (--leaves --spines --hosts). Documentation/topology.md describes the file." },
};

const struct object cmd_topology = {
	"topology", topology_verbs, ARRAY_SIZE(topology_verbs), &topology_params_list,
	"files that describe networks"
};
