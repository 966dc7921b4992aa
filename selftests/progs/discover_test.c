// SPDX-License-Identifier: GPL-2.0
/*
 * The pure parts of "lapsctl path discover": which routes are told apart, which are
 * kept, and the tree. Whom a walk asks is in discover_walk_test.c.
 */
#include <stdlib.h>
#include <string.h>

#include "discover/group.h"
#include "discover/packet.h"
#include "discover/tree.h"
#include "discover_net.h"
#include "ktap.h"
#include "util.h"

/*
 * "1 4 * P@20": routers, a silent hop, and the peer after a round trip of 20 ns. "R" is
 * an end that router 98 makes, and "2/3" a hop where both answered.
 */
static struct trace way(const char *text)
{
	struct trace t = { .value = 1 };
	unsigned int ttl = 0;
	char *end;

	while (*text) {
		struct hop *hop = &t.hops[++ttl];

		*hop = (struct hop){ .kind = HOP_ROUTER, .answers = 1 };
		switch (*text) {
		case '*': hop->kind = HOP_SILENT; hop->answers = 0; text++; break;
		case 'P': hop->kind = HOP_PEER; hop->addr = addr(PEER); text++; break;
		case 'R': hop->kind = HOP_REJECT; hop->addr = addr(98); text++; break;
		default: hop->addr = addr((unsigned int)strtoul(text, &end, 10)); text = end;
		}
		if (*text == '/') {
			hop->varies = true;
			hop->other = addr((unsigned int)strtoul(text + 1, &end, 10));
			text = end;
		}
		if (*text == '@') {
			hop->rtt_ns = strtoul(text + 1, &end, 10);
			text = end;
		}
		if (hop_is_end(hop->kind))
			t.len = ttl;
		text += strspn(text, " ");
	}
	return t;
}

/* --- groups ------------------------------------------------------------------- */

static struct group group_room[TRACES_MAX];
static uint32_t of_room[TRACES_MAX];
static struct trace traces[TRACES_MAX];

/* Ways until NULL. */
static struct groups make_groups(const char *const *ways)
{
	struct groups g = { .v = group_room, .of = of_room };
	unsigned int n;

	for (n = 0; ways[n]; n++)
		traces[n] = way(ways[n]);
	groups_make(&g, traces, n);
	return g;
}

static const struct {
	const char *what;
	const char *ways[8];
	unsigned int routes, unsteady, unsure, holes;
	/* Group of each, or -1. */
	int of[8];
} groupings[] = {
	{ "nothing", { NULL }, 0, 0, 0, 0, { 0 } },
	{ "one", { "1 P" }, 1, 0, 0, 0, { 0 } },
	{ "no router between", { "P", "P" }, 1, 0, 0, 0, { 0, 0 } },
	{ "nobody at all", { "", "" }, 1, 0, 0, 0, { 0, 0 } },
	{ "alike", { "1 2 P", "1 2 P", "1 3 P" }, 2, 0, 0, 0, { 0, 0, 1 } },
	{ "other routers behind the same", { "1 2 5 P", "1 3 5 P" }, 2, 0, 0, 0, { 0, 1 } },
	{ "longer", { "1 2 P", "1 2 3 P" }, 2, 0, 0, 0, { 0, 1 } },
	{ "a silent hop is anybody", { "1 * P", "1 2 P" }, 1, 0, 0, 0, { 0, 0 } },
	{ "silent for all", { "1 * P", "1 * P" }, 1, 0, 0, 1, { 0, 0 } },
	{ "silent, and told apart elsewhere", { "1 * 4 P", "1 * 5 P", "1 * 4 P" }, 2, 0, 0, 2,
	  { 0, 1, 0 } },
	{ "silent, of another length", { "1 * P", "1 * * P" }, 2, 0, 0, 2, { 0, 1 } },
	{ "fits two", { "1 * P", "1 2 P", "1 3 P" }, 2, 0, 1, 0, { 0, 0, 1 } },
	{ "what joins tells more", { "1 * 3 P", "1 2 * P", "1 4 3 P", "1 2 5 P" }, 2, 0, 0, 0,
	  { 0, 1, 0, 1 } },
	{ "both halves are one", { "* 2 P", "1 * P" }, 1, 0, 0, 0, { 0, 0 } },
	{ "and then differ from a third", { "* 2 P", "1 * P", "* 3 P" }, 2, 0, 0, 1, { 0, 0, 1 } },
	{ "no end in sight", { "1 2", "1 2 P" }, 1, 0, 0, 0, { 0, 0 } },
	{ "no end, but beyond one", { "1 2 3 4", "1 2 P" }, 2, 0, 0, 0, { 1, 0 } },
	{ "rejected", { "1 R", "1 2 P" }, 2, 0, 0, 0, { 0, 1 } },
	{ "spread by packet", { "1 2/3 P", "1 2 P", "1 3/2 P" }, 1, 2, 0, 0, { -1, 0, -1 } },
	{ "all spread", { "1 2/3 P" }, 0, 1, 0, 0, { -1 } },
};

TEST(groups_of_ways)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_LEN(groupings); i++) {
		struct groups g = make_groups(groupings[i].ways);

		ktap_note("%s: %u routes", groupings[i].what, g.n);
		EXPECT_EQ(g.n, groupings[i].routes);
		EXPECT_EQ(g.unsteady, groupings[i].unsteady);
		EXPECT_EQ(g.unsure, groupings[i].unsure);
		EXPECT_EQ(g.holes, groupings[i].holes);
		for (j = 0; groupings[i].ways[j]; j++)
			EXPECT_EQ((int)g.of[j], groupings[i].of[j]);
	}
}

TEST(a_group_knows_what_any_of_it_saw)
{
	static const char *const ways[] = { "1 * 3 P@50", "1 2@7 * P@40", NULL };
	struct groups g = make_groups(ways);

	EXPECT_EQ(g.n, 1);
	EXPECT_EQ(g.v[0].members, 2);
	EXPECT_EQ(trace_unknown(&g.v[0].seen), 0);
	EXPECT_EQ(trace_rtt(&g.v[0].seen), 40);
	EXPECT_EQ(g.v[0].seen.hops[2].rtt_ns, 7);
}

TEST(the_best_of_a_group_is_seen_best)
{
	static const char *const ways[] = { "1 * P", "1 2", "1 2 P", NULL };
	struct groups g = make_groups(ways);

	EXPECT_EQ(g.v[0].best, 2);
}

/* --- picking -------------------------------------------------------------------- */

static const struct {
	const char *what;
	const char *ways[8];
	unsigned int keep, n;
	unsigned int picked[8];
} picks[] = {
	{ "none", { NULL }, 4, 0, { 0 } },
	{ "no more than there are", { "1 P", "2 P" }, 4, 2, { 0, 1 } },
	{ "no more than wanted", { "1 P", "2 P", "3 P" }, 2, 2, { 0, 1 } },
	{ "the shortest first", { "1 P@30", "2 P@10", "3 P@20" }, 3, 3, { 1, 2, 0 } },
	{ "of no known length last", { "1 P", "2 P@10" }, 2, 2, { 1, 0 } },
	{ "apart before short", { "1 2 P@10", "1 3 P@11", "4 5 P@90" }, 2, 2, { 0, 2 } },
	{ "two tiers: the other half first", { "1 2 4 8 P@1", "1 2 5 8 P@2", "1 3 6 8 P@3",
					       "1 3 7 8 P@4" }, 4, 4, { 0, 2, 1, 3 } },
	{ "a router at another hop is shared, too", { "1 2 P@1", "2 3 P@2", "4 5 P@3" }, 2, 2,
	  { 0, 2 } },
	{ "silent may be the same", { "1 * 3 P@1", "4 * 6 P@2", "7 8 9 P@3" }, 2, 2, { 1, 0 } },
	{ "what is rejected leads nowhere", { "1 R", "1 2 P@9" }, 2, 1, { 1 } },
	{ "nor what ends in silence", { "1 2", "3 4 P" }, 2, 1, { 0 } },
};

TEST(picks_of_routes)
{
	unsigned int i, j, n, picked[8];

	for (i = 0; i < ARRAY_LEN(picks); i++) {
		struct groups g = make_groups(picks[i].ways);

		n = groups_pick(&g, picks[i].keep, picked);
		ktap_note("%s: %u", picks[i].what, n);
		EXPECT_EQ(n, picks[i].n);
		for (j = 0; j < n && j < picks[i].n; j++)
			EXPECT_EQ(picked[j], picks[i].picked[j]);
	}
}

TEST(shared_is_the_same_both_ways)
{
	const struct trace a = way("1 2 * 4 P"), b = way("1 2 * 5 P"), c = way("6 7 8 9 P");

	/* Routers 1 and 2, the link between them, and what may be one router. */
	EXPECT_EQ(group_shared(&a, &b), 4);
	EXPECT_EQ(group_shared(&b, &a), 4);
	EXPECT_EQ(group_shared(&a, &c), 0);
	EXPECT_EQ(group_shared(&c, &c), 8);
}

TEST(ports_that_are_needed)
{
	static const unsigned int want[][2] = {
		{ 1, 1 }, { 2, 8 }, { 4, 21 }, { 8, 51 }, { 9, 58 }, { 10, 66 }, { 16, 115 },
		{ 64, 557 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_LEN(want); i++)
		EXPECT_EQ(groups_ports_needed(want[i][0]), want[i][1]);
}

/* --- the tree ------------------------------------------------------------------- */

TEST(a_tree_of_ways)
{
	static const char *const ways[] = { "1@9 2 P", "1@5 3 P", "1@7 2 P", "1 * P", "* 2 P" };
	struct tree tree = { 0 };
	struct trace t;
	unsigned int i, one, hop;

	for (i = 0; i < ARRAY_LEN(ways); i++) {
		t = way(ways[i]);
		NEED(tree_add(&tree, &t));
	}
	EXPECT_EQ(tree.n, 1 + 2 + 4 + 4);
	EXPECT_EQ(tree.v[0].ports, 5);
	one = tree.v[0].child;
	EXPECT_EQ(tree.v[one].ports, 4);
	EXPECT_EQ(tree.v[one].hop.rtt_ns, 5);
	EXPECT_EQ(tree.v[one].ttl, 1);
	hop = tree.v[one].child;
	EXPECT_EQ(tree.v[hop].ports, 2);
	EXPECT(!tree.v[tree.v[hop].child].next);
	hop = tree.v[tree.v[hop].next].next;
	EXPECT_EQ(tree.v[hop].hop.kind, HOP_SILENT);
	EXPECT_EQ(tree.v[hop].next, 0);
	EXPECT_EQ(tree.v[tree.v[one].next].hop.kind, HOP_SILENT);
	tree_free(&tree);
	EXPECT_EQ(tree.n, 0);
}

TEST(a_large_tree)
{
	struct tree tree = { 0 };
	struct trace t = way("1 2 P");
	unsigned int i;

	for (i = 0; i < 200; i++) {
		t.hops[1].addr = addr(i);
		NEED(tree_add(&tree, &t));
	}
	EXPECT_EQ(tree.n, 1 + 3 * 200);
	tree_free(&tree);
}

/* --- packets -------------------------------------------------------------------- */

static const struct packet_id an_id = { .run = 0xfedcba98, .trace = 1023, .ttl = 64, .seq = 255 };

static bool same_id(const struct packet_id *a)
{
	return a->run == an_id.run && a->trace == an_id.trace && a->ttl == an_id.ttl &&
	       a->seq == an_id.seq;
}

/* What may come is copied to its own length, so that reading beyond it is found. */
static bool parsed(bool (*parse)(const uint8_t *, size_t, struct packet_id *), const uint8_t *buf,
		   size_t len, struct packet_id *id)
{
	uint8_t *copy = malloc(len ? len : 1);
	bool ok;

	memcpy(copy, buf, len);
	memset(id, 0, sizeof(*id));
	ok = parse(copy, len, id);
	free(copy);
	return ok;
}

TEST(quotes_tell_the_probe)
{
	uint8_t buf[PACKET_LEN];
	struct packet_id id;
	size_t len;

	packet_build(buf, &an_id);
	for (len = 0; len <= sizeof(buf); len++)
		EXPECT_EQ(parsed(packet_quoted, buf, len, &id) && same_id(&id), len >= PACKET_HEAD);
	/* Another version; another type. */
	buf[0] = 0x23;
	EXPECT(!parsed(packet_quoted, buf, sizeof(buf), &id));
	buf[0] = 0x19;
	EXPECT(!parsed(packet_quoted, buf, sizeof(buf), &id));
}

TEST(answers_tell_the_probe)
{
	/* RESET, COOKIE, VERSION: their lengths, and what must not be 0 behind the head. */
	static const struct { uint8_t type, len; } answers[] = { { 9, 32 }, { 10, 48 }, { 11, 28 } };
	uint8_t buf[PACKET_LEN];
	struct packet_id id;
	unsigned int i;
	size_t len;

	packet_build(buf, &an_id);
	EXPECT(!parsed(packet_answer, buf, sizeof(buf), &id));
	memset(buf + PACKET_HEAD, 1, sizeof(buf) - PACKET_HEAD);
	for (i = 0; i < ARRAY_LEN(answers); i++) {
		buf[0] = 0x10 | answers[i].type;
		buf[1] = answers[i].len / 4;
		for (len = 0; len <= answers[i].len; len++)
			EXPECT_EQ(parsed(packet_answer, buf, len, &id) && same_id(&id),
				  len == answers[i].len);
	}
}

int main(int argc, char **argv)
{
	return ktap_main(argc - 1, argv + 1);
}
