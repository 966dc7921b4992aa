// SPDX-License-Identifier: GPL-2.0
/*
 * lapsctl's computation of paths, against the plainest way to do the same on small random
 * networks; single cases; and the paper's networks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/lapsctl/topo/choose.h"
#include "../../tools/lapsctl/topo/generate.h"
#include "../../tools/lapsctl/topo/pinned.h"
#include "../../tools/lapsctl/topo/yen.h"
#include "../progs/ktap.h"
#include "topo_plain.h"

#define NETWORKS	150
#define K		12

/* --- comparisons ------------------------------------------------------------------ */

typedef void compare(struct topo *topo, struct topo_query *query);

/* For each pair of nodes and each metric of many networks. */
static void compare_all(compare *one)
{
	struct topo_dists dists;
	uint32_t seed, metric, from, to;

	for (seed = 0; seed < NETWORKS; seed++) {
		struct topo *topo = plain_network(seed);

		plain_costs(topo);
		for (metric = TOPO_DELAY; metric <= TOPO_COST; metric++) {
			topo_dists_init(&dists, topo, metric);
			for (from = 0; from < topo->n_nodes; from++)
				for (to = 0; to < topo->n_nodes; to++) {
					struct topo_query query = {
						.topo = topo, .from = from, .to = to,
						.metric = metric, .seed = topo_seed(from, to),
						.dist = topo_dist(&dists, to),
					};

					if (from != to)
						one(topo, &query);
				}
			topo_dists_free(&dists);
		}
		topo_free(topo);
	}
	plain_clear();
}

static void compare_yen(struct topo *topo, struct topo_query *query)
{
	struct topo_yen *yen = topo_yen_new(query);
	const struct topo_path *path;
	uint32_t i;

	(void)topo;
	plain_list(query);
	for (i = 0; i < plain.n; i++) {
		path = topo_yen_next(yen);
		NEED(path);
		EXPECT(topo_path_same(path, &plain.v[i]));
		EXPECT(!topo_len_cmp(&path->len, &plain.v[i].len));
	}
	EXPECT(!topo_yen_next(yen));
	EXPECT(!topo_yen_next(yen));
	topo_yen_free(yen);
}

TEST(yen_gives_all_paths_in_order)
{
	compare_all(compare_yen);
}

static void compare_pin(struct topo *topo, struct topo_query *query)
{
	struct topo_trees trees;
	uint32_t i, want;

	topo_trees_init(&trees, topo);
	plain_list(query);
	for (i = 0; i < plain.n; i++) {
		struct topo_pin pin = topo_pin(&trees, &plain.v[i], TOPO_SEGS_MAX);

		want = plain_fewest(topo, &plain.v[i]);
		EXPECT_EQ(pin.state == TOPO_PINNED, want != UINT32_MAX);
		if (pin.state != TOPO_PINNED || want == UINT32_MAX)
			continue;
		EXPECT_EQ(pin.n, want);
		EXPECT(plain_leads(topo, &plain.v[i], &pin));
		if (want)
			EXPECT_EQ(topo_pin(&trees, &plain.v[i], want - 1).state, TOPO_PIN_MANY);
	}
	topo_trees_free(&trees);
}

TEST(no_list_of_segments_is_shorter)
{
	compare_all(compare_pin);
}

static void compare_pinned(struct topo *topo, struct topo_query *query)
{
	struct topo_pinned *pinned;
	const struct topo_path *path;
	struct topo_trees trees;
	uint32_t i, max;

	topo_trees_init(&trees, topo);
	plain_list(query);
	for (max = 0; max < 4; max++) {
		pinned = topo_pinned_new(query, &trees, max);
		for (i = 0; i < plain.n; i++) {
			if (topo_pin(&trees, &plain.v[i], max).state != TOPO_PINNED)
				continue;
			path = topo_pinned_next(pinned);
			NEED(path);
			EXPECT(topo_path_same(path, &plain.v[i]));
		}
		EXPECT(!topo_pinned_next(pinned));
		EXPECT(!topo_pinned_full(pinned));
		topo_pinned_free(pinned);
	}
	topo_trees_free(&trees);
}

TEST(paths_of_few_segments_are_the_shortest_of_these)
{
	compare_all(compare_pinned);
}

/* Of the list, the one that shares least and is not marked; its number. */
static uint32_t list_best(const struct topo_query *query, const bool *taken)
{
	uint32_t best = UINT32_MAX, i;
	struct topo_path *path;

	for (i = 0; i < plain.n; i++) {
		path = &plain.v[i];
		*path = topo_path_make(query, path->arcs, path->n);
		if (!taken[i] && (best == UINT32_MAX || topo_path_cmp(path, &plain.v[best]) < 0))
			best = i;
	}
	return best;
}

static void compare_disjoint(struct topo *topo, struct topo_query *query)
{
	const struct topo_wish wish = { query->metric, K, TOPO_SEGS_MAX, true };
	uint32_t *uses = calloc(topo->n_links + 1, sizeof(*uses)), i, j, best;
	bool *taken = calloc(PLAIN_PATHS_MAX, sizeof(*taken));
	struct topo_chooser chooser;
	struct topo_chosen chosen;

	topo_chooser_init(&chooser, topo, &wish);
	chosen = topo_choose(&chooser, query->from, query->to);
	plain_list(query);
	query->uses = uses;
	EXPECT_EQ(chosen.n, plain.n < K ? plain.n : K);
	for (i = 0; i < chosen.n; i++) {
		best = list_best(query, taken);
		NEED(best != UINT32_MAX);
		EXPECT(topo_path_same(&chosen.v[i].path, &plain.v[best]));
		taken[best] = true;
		for (j = 0; j < plain.v[best].n; j++)
			uses[topo->arcs[plain.v[best].arcs[j]].link]++;
	}
	topo_chosen_free(&chosen);
	topo_chooser_free(&chooser);
	free(uses);
	free(taken);
}

TEST(disjoint_paths_share_as_little_as_one_more_can)
{
	compare_all(compare_disjoint);
}

/* --- single cases ----------------------------------------------------------------- */

static uint32_t add(struct topo *topo, uint32_t a, uint32_t b, uint64_t delay_ns, uint64_t rate)
{
	const struct topo_arc arc = {
		.from = a, .to = b, .cost = 1, .delay_ns = delay_ns, .rate = rate, .up = true,
	};

	return topo_add_link(topo, &arc, true);
}

/* h0 - s0 - s1 - h1; all names are one letter and a number. */
static struct topo *chain(void)
{
	static const char *const list[] = { "h0", "s0", "s1", "h1" };
	struct topo *topo = topo_new();
	uint32_t i;

	for (i = 0; i < 4; i++) {
		struct topo_node *node = topo_add_node(topo, list[i], *list[i] == 'h' ?
						       TOPO_HOST : TOPO_SWITCH);

		node->has_sid = true;
		node->sid = plain_sid(1 + i);
	}
	add(topo, 0, 1, 1000, 1000000000);
	add(topo, 1, 2, 5000, 500000000);
	add(topo, 2, 3, 0, 1000000000);
	return topo;
}

static struct topo_chosen choose(struct topo *topo, const struct topo_wish *wish)
{
	struct topo_chooser chooser;
	struct topo_chosen chosen;

	topo_index(topo);
	topo_chooser_init(&chooser, topo, wish);
	chosen = topo_choose(&chooser, topo_find(topo, "h0"), topo_find(topo, "h1"));
	topo_chooser_free(&chooser);
	return chosen;
}

TEST(delay_is_links_and_sending_and_margin_five_packets_a_node)
{
	static const struct topo_wish wish = { TOPO_DELAY, 8, TOPO_SEGS_MAX, false };
	struct topo *topo = chain();
	struct topo_chosen chosen = choose(topo, &wish);

	NEED(chosen.n == 1);
	/* 1500 bytes: 1500 ns at 1 GB/s, 3000 ns at 0.5 GB/s. */
	EXPECT_EQ(chosen.v[0].facts.delay_ns, 1000 + 5000 + 1500 + 3000 + 1500);
	EXPECT_EQ(chosen.v[0].facts.margin_ns, 5 * (3000 + 1500));
	EXPECT_EQ(chosen.v[0].facts.rate, 500000000);
	EXPECT_EQ(chosen.v[0].pin.n, 0);
	EXPECT_EQ(chosen.v[0].path.len.metric, chosen.v[0].facts.delay_ns);
	topo_chosen_free(&chosen);
	topo_free(topo);
}

TEST(parallel_links_are_told_apart_by_their_own_sids_only)
{
	static const struct topo_wish wish = { TOPO_DELAY, 8, TOPO_SEGS_MAX, false };
	struct topo *topo = chain();
	uint32_t second = add(topo, 1, 2, 6000, 500000000);
	struct topo_chosen chosen = choose(topo, &wish);

	NEED(chosen.n == 2);
	EXPECT_EQ(chosen.v[0].pin.state, TOPO_PIN_LINK);
	EXPECT_EQ(chosen.v[0].pin.place, 1);
	EXPECT_EQ(chosen.v[1].pin.state, TOPO_PIN_LINK);
	topo_chosen_free(&chosen);

	topo->arcs[second].has_sid = true;
	topo->arcs[second].sid = plain_sid(100);
	chosen = choose(topo, &wish);
	NEED(chosen.n == 2);
	EXPECT_EQ(chosen.v[0].pin.state, TOPO_PIN_LINK);
	EXPECT_EQ(chosen.v[1].pin.state, TOPO_PINNED);
	EXPECT_EQ(chosen.v[1].pin.n, 1);
	topo_chosen_free(&chosen);
	topo_free(topo);
}

TEST(a_link_that_is_down_is_not_there)
{
	static const struct topo_wish wish = { TOPO_DELAY, 8, TOPO_SEGS_MAX, false };
	struct topo *topo = chain();
	struct topo_chosen chosen;

	/* From h0 to h1 only: the way back is still up. */
	topo->arcs[2].up = false;
	chosen = choose(topo, &wish);
	EXPECT_EQ(chosen.n, 0);
	topo_chosen_free(&chosen);
	topo_free(topo);
}

TEST(hosts_do_not_forward)
{
	static const struct topo_wish wish = { TOPO_HOPS, 8, TOPO_SEGS_MAX, false };
	struct topo *topo = chain();
	struct topo_chosen chosen;

	topo_add_node(topo, "h2", TOPO_HOST);
	add(topo, 0, 4, 0, 1000000000);
	add(topo, 4, 3, 0, 1000000000);
	chosen = choose(topo, &wish);
	EXPECT_EQ(chosen.n, 1);
	topo_chosen_free(&chosen);
	topo->nodes[4].transit = TOPO_TRANSIT_ANY;
	chosen = choose(topo, &wish);
	EXPECT_EQ(chosen.n, 2);
	topo_chosen_free(&chosen);
	topo_free(topo);
}

/* --- the paper's networks --------------------------------------------------------- */

/* LAPS, section II-A: paths of the Dragonfly of figure 1b from S0 to S6. */
TEST(dragonfly_has_the_papers_paths)
{
	static const struct topo_shape shape = {
		.groups = 9, .switches = 4, .hosts = 4, .rate = 1000000000, .host_rate = 1000000000,
		.prefix = { .s6_addr = { 0xfd } },
	};
	static const uint32_t want[] = { 0, 0, 0, 3, 12, 35, 99, 338 };
	struct topo *topo = topo_dragonfly(&shape);
	uint32_t have[8] = { 0 }, from = topo_find(topo, "s0"), to = topo_find(topo, "s6"), i;
	const struct topo_path *path;
	struct topo_dists dists;
	struct topo_yen *yen;

	topo_dists_init(&dists, topo, TOPO_HOPS);
	yen = topo_yen_new(&(struct topo_query){
		.topo = topo, .from = from, .to = to, .metric = TOPO_HOPS,
		.seed = topo_seed(from, to), .dist = topo_dist(&dists, to),
	});
	while ((path = topo_yen_next(yen)) && path->n < 8)
		have[path->n]++;
	for (i = 0; i < 8; i++)
		EXPECT_EQ(have[i], want[i]);
	topo_yen_free(yen);
	topo_dists_free(&dists);
	topo_free(topo);
}

int main(int argc, char **argv)
{
	return ktap_main(argc - 1, argv + 1);
}
