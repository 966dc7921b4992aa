// SPDX-License-Identifier: GPL-2.0
/* "path compute": what was asked for. */
#include <inttypes.h>
#include <string.h>

#include "cmd_compute.h"
#include "compute.h"
#include "nl.h"
#include "topo/load.h"
#include "util.h"

/* By number, and so are the values that params_words() gives. */
enum {
	COMPUTE_FILE,
	COMPUTE_FROM,
	COMPUTE_TO,
	COMPUTE_ALL,
	COMPUTE_K,
	COMPUTE_METRIC,
	COMPUTE_DISJOINT,
	COMPUTE_ANCHORS,
	COMPUTE_PORTS,
	COMPUTE_MEASURE,
	COMPUTE_APPLY,
	COMPUTE_OUT,
	COMPUTE_COUNT
};

static const struct param compute_list[COMPUTE_COUNT] = {
	[COMPUTE_FILE] = { NULL, "TOPOLOGY", 0, NULL },
	[COMPUTE_FROM] = { "--from", "NODE", 0, NULL },
	[COMPUTE_TO] = { "--to", "NODE", 0, NULL },
	[COMPUTE_ALL] = { "--all", "", 0, NULL },
	[COMPUTE_K] = { "-k", "K", 0, NULL },
	[COMPUTE_METRIC] = { "--metric", "delay|hops|cost", 0, NULL },
	[COMPUTE_DISJOINT] = { "--disjoint", "", 0, NULL },
	[COMPUTE_ANCHORS] = { "--anchors", "N", 0, NULL },
	[COMPUTE_PORTS] = { "--ports", "N", 0, NULL },
	[COMPUTE_MEASURE] = { "--measure", "", 0, NULL },
	[COMPUTE_APPLY] = { "--apply", "", 0, NULL },
	[COMPUTE_OUT] = { "--out", "DIR", 0, NULL },
};

const struct params compute_params = { compute_list, COMPUTE_COUNT };

/* As many as are made by themselves, and as in the paper. */
#define K_DEFAULT	8

static int take_node(const struct topo *topo, const char *what, const char *name, uint32_t *node)
{
	*node = topo_find(topo, name);
	if (*node == TOPO_NONE)
		return usage_error("there is no node '%s', which %s names, in the file", name, what);
	return EXIT_OK;
}

static int take_metric(const char *word, enum topo_metric *metric)
{
	static const char *const names[] = { "delay", "hops", "cost" };
	size_t i;

	for (i = 0; word && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(word, names[i])) {
			*metric = (enum topo_metric)i;
			return EXIT_OK;
		}
	}
	return word ? usage_error("--metric '%s' is none of: delay, hops, cost", word) : EXIT_OK;
}

/* What stands alone, and what goes together. */
static int check_words(const char **values)
{
	static const int pair[] = { COMPUTE_FROM, COMPUTE_TO, COMPUTE_APPLY };
	static const char *const names[] = { "--from", "--to", "--apply" };
	size_t i;

	for (i = 0; values[COMPUTE_ALL] && i < ARRAY_SIZE(pair); i++) {
		if (values[pair[i]])
			return usage_error("--all is for all pairs of hosts; leave out %s", names[i]);
	}
	if (values[COMPUTE_ALL])
		return EXIT_OK;
	if (!values[COMPUTE_FROM] || !values[COMPUTE_TO])
		return usage_error("missing: --from NODE --to NODE, or --all");
	if (values[COMPUTE_OUT])
		return usage_error("--out is for the files of all hosts: --all --out %s",
				   values[COMPUTE_OUT]);
	return EXIT_OK;
}

static int take_wish(const char **values, struct topo_wish *wish)
{
	uint64_t k = K_DEFAULT, anchors = wish->anchors;

	if (values[COMPUTE_K] && parse_u64("-k", values[COMPUTE_K], TOPO_K_MAX, &k))
		return EXIT_USAGE;
	if (!k)
		return usage_error("-k 0 asks for no path; 1 to %u", TOPO_K_MAX);
	if (values[COMPUTE_ANCHORS] &&
	    parse_u64("--anchors", values[COMPUTE_ANCHORS], TOPO_SEGS_MAX, &anchors))
		return EXIT_USAGE;
	wish->k = (uint32_t)k;
	wish->anchors = (uint32_t)anchors;
	wish->disjoint = values[COMPUTE_DISJOINT];
	return take_metric(values[COMPUTE_METRIC], &wish->metric);
}

/* How many, with the distances that tell where they are of use. */
static int take_ports(const char *word, struct compute *c, struct topo_dists *costs)
{
	uint64_t ports = 0;

	if (!word)
		return EXIT_OK;
	if (parse_u64("--ports", word, COMPUTE_PORTS_MAX, &ports))
		return EXIT_USAGE;
	if (ports < 2)
		return usage_error("--ports %s is no choice of several ways; 2 to %u", word,
				   COMPUTE_PORTS_MAX);
	if (!c->chooser.wish.anchors)
		return usage_error("--ports takes the place of segments, of which there are none with 0 anchors; leave it out, or allow at least one");
	c->ports = (uint32_t)ports;
	c->costs = costs;
	return EXIT_OK;
}

static int compute_pair(struct compute *c, const char **values)
{
	const struct topo *topo = c->chooser.topo;
	struct topo_chosen chosen;
	uint32_t from, to;
	int ret = EXIT_OK;

	if (take_node(topo, "--from", values[COMPUTE_FROM], &from) ||
	    take_node(topo, "--to", values[COMPUTE_TO], &to))
		return EXIT_USAGE;
	if (from == to)
		return usage_error("--from and --to are one node, %s; paths join two",
				   values[COMPUTE_FROM]);
	chosen = topo_choose(&c->chooser, from, to);
	if (chosen.gave_up)
		complain("the search is too large with so many anchors: longer paths may be missing");
	if (!chosen.n)
		ret = system_error("no way leads from %s to %s over links that are up%s",
				   values[COMPUTE_FROM], values[COMPUTE_TO],
				   c->chooser.wish.anchors < TOPO_SEGS_MAX ?
				   ", with so few anchors" : "");
	else
		compute_show(c, &chosen, from, to);
	if (!ret && values[COMPUTE_APPLY])
		ret = compute_apply(c, &chosen, from, to);
	topo_chosen_free(&chosen);
	return ret;
}

static int compute_run(struct compute *c, const char **values)
{
	struct topo_dists costs;
	int ret;

	topo_dists_init(&costs, c->chooser.topo, TOPO_COST);
	ret = take_ports(values[COMPUTE_PORTS], c, &costs);
	if (!ret)
		ret = values[COMPUTE_ALL] ? compute_all(c, values[COMPUTE_OUT]) :
					    compute_pair(c, values);
	topo_dists_free(&costs);
	return ret;
}

int path_compute(const struct object *object, const struct verb *verb, struct args *args)
{
	const char *values[COMPUTE_COUNT] = { NULL };
	struct topo_wish wish = { 0 };
	struct compute c = { 0 };
	struct topo *topo;
	int ret;

	(void)object;
	if (params_words(args, verb->params, verb->need, verb->may, values) ||
	    check_words(values))
		return EXIT_USAGE;
	/* Checked only: a file of commands that is read for the first time. */
	if (nl_is_dry())
		return EXIT_OK;
	ret = topo_load(values[COMPUTE_FILE], &topo);
	if (ret)
		return ret;
	wish.anchors = topo->anchors;
	ret = take_wish(values, &wish);
	if (!ret) {
		c.measure = values[COMPUTE_MEASURE];
		topo_chooser_init(&c.chooser, topo, &wish);
		ret = compute_run(&c, values);
		topo_chooser_free(&c.chooser);
	}
	topo_free(topo);
	return ret;
}
