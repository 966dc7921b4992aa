// SPDX-License-Identifier: GPL-2.0
/* The paths of all hosts to all others; see compute.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compute.h"
#include "json.h"
#include "util.h"

/* From the host where it is least to that where it is most. */
struct range {
	uint64_t min;
	uint64_t max;
};

/**
 * struct summary - what was computed
 * @hosts: hosts with addresses
 * @nameless: hosts without, which are left out
 * @pairs: of them, in both orders
 * @none: pairs without a path
 * @short_of: pairs with fewer paths than were wanted
 * @unpinned: paths that cannot be named, and are not counted otherwise
 * @gave_up: pairs whose search was too large
 * @pst: per host, destinations that it has paths to (LAPS: entries of the PST)
 * @pit: per host, paths to them all (entries of the PIT)
 * @segs: most segments of a path
 */
struct summary {
	uint64_t hosts;
	uint64_t nameless;
	uint64_t pairs;
	uint64_t none;
	uint64_t short_of;
	uint64_t unpinned;
	uint64_t gave_up;
	struct range pst;
	struct range pit;
	uint32_t segs;
};

static void range_add(struct range *range, uint64_t value, bool first)
{
	if (first || value < range->min)
		range->min = value;
	if (first || value > range->max)
		range->max = value;
}

static bool is_host(const struct topo_node *node)
{
	return node->kind == TOPO_HOST && node->has_addr;
}

/* --- one host --------------------------------------------------------------------- */

/* Those of a pair that can be named, into @out if it is not NULL. Return: how many. */
static uint32_t pair_write(const struct compute *c, const struct topo_chosen *chosen, FILE *out,
			   struct summary *sum)
{
	struct compute_lines lines = compute_lines(c, chosen);
	uint32_t i, n = lines.n;

	sum->unpinned += lines.unnamed;
	sum->short_of += n && chosen->n - lines.unnamed < c->chooser.wish.k;
	if (lines.segs > sum->segs)
		sum->segs = lines.segs;
	for (i = 0; out && i < n; i++)
		fprintf(out, "%s\n", lines.v[i]);
	compute_lines_free(&lines);
	return n;
}

static void host_run(struct compute *c, uint32_t from, FILE *out, struct summary *sum)
{
	const struct topo *topo = c->chooser.topo;
	uint64_t pst = 0, pit = 0;
	uint32_t to, n;

	for (to = 0; to < topo->n_nodes; to++) {
		struct topo_chosen chosen;

		if (to == from || !is_host(&topo->nodes[to]))
			continue;
		chosen = topo_choose(&c->chooser, from, to);
		n = pair_write(c, &chosen, out, sum);
		pst += n > 0;
		pit += n;
		sum->pairs++;
		sum->none += !n;
		sum->gave_up += chosen.gave_up;
		topo_chosen_free(&chosen);
	}
	range_add(&sum->pst, pst, !sum->hosts);
	range_add(&sum->pit, pit, !sum->hosts);
	sum->hosts++;
}

static int host_write(struct compute *c, uint32_t from, const char *dir, struct summary *sum)
{
	const char *name = c->chooser.topo->nodes[from].name;
	char *file = xprintf("%s/%s.batch", dir, name);
	FILE *out = fopen(file, "w");
	int ret = EXIT_OK;

	if (out) {
		fprintf(out, "# Paths of %s, for 'lapsctl restore'.\n", name);
		host_run(c, from, out, sum);
		/* A full disk may be told by the last of them only. */
		ret = ferror(out);
		ret |= fclose(out);
	}
	if (!out || ret)
		ret = system_error("cannot write '%s': %s", file, strerror(errno));
	free(file);
	return ret;
}

/* --- all of them ------------------------------------------------------------------ */

static void range_print(const char *what, const struct range *range)
{
	printf("%-14s", what);
	if (range->min == range->max)
		printf("%" PRIu64 " per host\n", range->min);
	else
		printf("%" PRIu64 " to %" PRIu64 " per host\n", range->min, range->max);
}

static void summary_text(const struct summary *sum, uint32_t k)
{
	const struct {
		const char *what;
		uint64_t n;
		const char *text;
	} rare[] = {
		{ "left out", sum->nameless, "hosts, which have no addr" },
		{ "no path", sum->none, "pairs" },
		{ "fewer", sum->short_of, "pairs have fewer paths than wanted" },
		{ "not pinned", sum->unpinned, "paths, not counted above" },
		{ "gave up", sum->gave_up, "pairs, whose search is too large with so many anchors" },
	};
	size_t i;

	printf("%-14s%" PRIu64 "\n", "hosts", sum->hosts);
	printf("%-14s%" PRIu64 ", up to %" PRIu32 " paths each\n", "pairs", sum->pairs, k);
	range_print("PST entries", &sum->pst);
	range_print("PIT entries", &sum->pit);
	printf("%-14s%" PRIu32 " at most\n", "segments", sum->segs);
	for (i = 0; i < ARRAY_SIZE(rare); i++) {
		if (rare[i].n)
			printf("%-14s%" PRIu64 " %s\n", rare[i].what, rare[i].n, rare[i].text);
	}
}

static void range_json(const char *key, const struct range *range)
{
	json_open_object(key);
	json_u64("min", range->min);
	json_u64("max", range->max);
	json_close_object();
}

static void summary_json(const struct summary *sum, uint32_t k)
{
	json_start(opt.pretty);
	json_open_object(NULL);
	json_u64("hosts", sum->hosts);
	json_u64("hosts-without-addr", sum->nameless);
	json_u64("pairs", sum->pairs);
	json_u64("k", k);
	range_json("pst-entries", &sum->pst);
	range_json("pit-entries", &sum->pit);
	json_u64("segments-max", sum->segs);
	json_u64("pairs-without-path", sum->none);
	json_u64("pairs-with-fewer", sum->short_of);
	json_u64("paths-not-pinned", sum->unpinned);
	json_u64("pairs-given-up", sum->gave_up);
	json_close_object();
	json_end();
}

int compute_all(struct compute *c, const char *dir)
{
	const struct topo *topo = c->chooser.topo;
	struct summary sum = { 0 };
	uint32_t i;
	int ret = EXIT_OK;

	if (dir && mkdir(dir, 0777) && errno != EEXIST)
		return system_error("cannot make directory '%s': %s", dir, strerror(errno));
	for (i = 0; !ret && i < topo->n_nodes; i++) {
		if (!is_host(&topo->nodes[i]))
			sum.nameless += topo->nodes[i].kind == TOPO_HOST;
		else if (dir)
			ret = host_write(c, i, dir, &sum);
		else
			host_run(c, i, NULL, &sum);
	}
	if (ret)
		return ret;
	if (sum.hosts < 2)
		return usage_error("there are %" PRIu64 " hosts with an addr in the file; --all is for two or more",
				   sum.hosts);
	if (opt.json)
		summary_json(&sum, c->chooser.wish.k);
	else
		summary_text(&sum, c->chooser.wish.k);
	return EXIT_OK;
}
