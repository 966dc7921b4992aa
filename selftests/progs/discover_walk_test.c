// SPDX-License-Identifier: GPL-2.0
/* Whom a walk of "lapsctl path discover" asks, how often, and what it makes of the answers. */
#include <stdlib.h>
#include <string.h>

#include "discover/walk.h"
#include "discover_net.h"
#include "ktap.h"
#include "util.h"

/*
 * A network of two tiers: router 1, then 2 or 3, then 4 to 7, then the peer at hop 4;
 * port i takes the ways of its lowest bits.
 */
struct net {
	/* Answers that a router has left in this round, and gets for each. */
	unsigned int tokens[PEER + 1], per_round[PEER + 1];
	/* It spreads by packet, not by port. */
	bool spreads;
	bool no_peer;
	/* Of each port and TTL: how often it was asked. */
	unsigned int asked[TRACES_MAX][HOPS_MAX + 1];
	unsigned int rounds, probes, most;
};

static unsigned int net_router(struct net *net, unsigned int port, unsigned int ttl)
{
	if (net->spreads)
		port = net->probes * 2654435761u >> 13;
	switch (ttl) {
	case 1: return 1;
	case 2: return 2 + (port & 1);
	case 3: return 4 + (port & 3);
	default: return PEER;
	}
}

static void net_probe(struct net *net, struct walk *w, const struct walk_ask *ask)
{
	unsigned int router = net_router(net, ask->trace, ask->ttl ?: 4);
	struct walk_seen seen = {
		.ask = *ask, .kind = router == PEER ? HOP_PEER : HOP_ROUTER,
		.addr = addr(router), .rtt_ns = 10 * router,
	};

	net->probes++;
	net->asked[ask->trace][ask->ttl]++;
	if ((router == PEER && net->no_peer) || !net->tokens[router])
		return;
	net->tokens[router]--;
	walk_answer(w, &seen);
}

static struct trace traces[TRACES_MAX];
static unsigned int asked_room[TRACES_MAX];
static struct walk_ask asks[TRACES_MAX];

/* The whole walk. Routers answer without limit where @net does not say. */
static void net_walk(struct net *net, struct walk *w, unsigned int ports)
{
	unsigned int i, n;

	memset(traces, 0, sizeof(traces));
	*w = (struct walk){
		.traces = traces, .n = ports, .max_hops = 30, .asked = asked_room,
	};
	walk_begin(w);
	while ((n = walk_plan(w, asks))) {
		for (i = 0; i <= PEER; i++)
			net->tokens[i] = net->per_round[i];
		for (i = 0; i < n; i++)
			net_probe(net, w, &asks[i]);
		walk_close(w);
		if (n > net->most)
			net->most = n;
		NEED(++net->rounds < 10000);
	}
}

static struct net net;

static void net_unlimited(void)
{
	unsigned int i;

	memset(&net, 0, sizeof(net));
	for (i = 0; i <= PEER; i++)
		net.per_round[i] = UINT32_MAX;
}

/* Hops of this kind, of all ports, up to the fourth. */
static unsigned int count_hops(const struct walk *w, enum hop_kind kind)
{
	unsigned int i, ttl, n = 0;

	for (i = 0; i < w->n; i++)
		for (ttl = 1; ttl <= 4; ttl++)
			n += w->traces[i].hops[ttl].kind == kind;
	return n;
}

static void expect_true_ways(const struct walk *w)
{
	unsigned int i, ttl;

	for (i = 0; i < w->n; i++) {
		EXPECT_EQ(w->traces[i].len, 4);
		for (ttl = 1; ttl <= 4; ttl++) {
			struct in6_addr want = addr(net_router(&net, i, ttl));

			EXPECT(IN6_ARE_ADDR_EQUAL(&w->traces[i].hops[ttl].addr, &want));
		}
	}
}

TEST(a_walk_where_all_answer)
{
	struct walk w;

	net_unlimited();
	net_walk(&net, &w, 64);
	expect_true_ways(&w);
	EXPECT_EQ(count_hops(&w, HOP_PEER), 64);
	/* One round to reach, four to walk, three to look again. */
	EXPECT_EQ(net.rounds, 8);
	EXPECT_EQ(net.probes, 8 + 64 * 7);
	EXPECT_EQ(net.most, 64);
	EXPECT_EQ(w.traces[63].hops[3].answers, 2);
}

TEST(a_walk_of_one_port)
{
	struct walk w;

	net_unlimited();
	net_walk(&net, &w, 1);
	expect_true_ways(&w);
	EXPECT_EQ(net.most, 1);
}

TEST(limited_routers_are_not_silent)
{
	struct walk w;
	unsigned int i;

	net_unlimited();
	for (i = 1; i <= 7; i++)
		net.per_round[i] = 1;
	net_walk(&net, &w, 64);
	expect_true_ways(&w);
	EXPECT_EQ(count_hops(&w, HOP_SILENT), 0);
	/* The first must answer 64 times; asking it costs a few probes for each. */
	ktap_note("%u rounds, %u probes", net.rounds, net.probes);
	EXPECT(net.rounds < 200 && net.probes < 2500);
}

TEST(a_limited_peer)
{
	struct walk w;

	net_unlimited();
	net.per_round[PEER] = 2;
	net_walk(&net, &w, 32);
	expect_true_ways(&w);
	ktap_note("%u rounds, %u probes", net.rounds, net.probes);
	EXPECT(net.probes < 2500);
}

TEST(silent_is_who_never_answers)
{
	struct walk w;
	unsigned int i;

	net_unlimited();
	net.per_round[3] = 0;
	net_walk(&net, &w, 64);
	for (i = 0; i < 64; i++) {
		EXPECT_EQ(w.traces[i].hops[2].kind, i & 1 ? HOP_SILENT : HOP_ROUTER);
		EXPECT_EQ(w.traces[i].len, 4);
		EXPECT(!(i & 1) || net.asked[i][2] >= 3);
	}
	EXPECT_EQ(count_hops(&w, HOP_SILENT), 32);
}

TEST(silent_beside_limited)
{
	struct walk w;

	net_unlimited();
	net.per_round[2] = 1;
	net.per_round[3] = 0;
	net_walk(&net, &w, 64);
	EXPECT_EQ(count_hops(&w, HOP_SILENT), 32);
	EXPECT_EQ(count_hops(&w, HOP_ROUTER), 64 + 32 + 64);
}

TEST(all_routers_silent)
{
	struct walk w;
	unsigned int i;

	net_unlimited();
	for (i = 1; i <= 7; i++)
		net.per_round[i] = 0;
	net_walk(&net, &w, 16);
	EXPECT_EQ(count_hops(&w, HOP_SILENT), 48);
	EXPECT_EQ(count_hops(&w, HOP_PEER), 16);
}

TEST(a_peer_that_does_not_answer)
{
	struct walk w;

	net_unlimited();
	net.no_peer = true;
	net_walk(&net, &w, 64);
	EXPECT(!w.reached);
	EXPECT_EQ(w.traces[0].len, 0);
	EXPECT_EQ(trace_hops(&w.traces[0]), 3);
	/* Not up to the last of 30. */
	EXPECT_EQ(net.asked[0][7], 0);
}

TEST(nobody_answers)
{
	struct walk w;
	unsigned int i;

	memset(&net, 0, sizeof(net));
	net_walk(&net, &w, 64);
	EXPECT_EQ(trace_hops(&w.traces[0]), 0);
	for (i = 4; i <= HOPS_MAX; i++)
		EXPECT_EQ(net.asked[0][i], 0);
}

TEST(spread_by_packet_is_noticed)
{
	struct walk w;
	unsigned int i, n = 0;

	net_unlimited();
	net.spreads = true;
	net_walk(&net, &w, 63);
	for (i = 0; i < 63; i++)
		n += trace_varies(&w.traces[i]) > 0;
	EXPECT(n >= 60);
}

TEST(answers_that_make_no_sense)
{
	struct walk_seen seen = { .ask = { 5, 1 }, .kind = HOP_PEER, .addr = addr(PEER) };
	struct walk w;

	net_unlimited();
	net_walk(&net, &w, 4);
	seen.ask = (struct walk_ask){ 4, 1 };
	walk_answer(&w, &seen);
	seen.ask = (struct walk_ask){ 0, HOPS_MAX + 1 };
	walk_answer(&w, &seen);
	expect_true_ways(&w);
	/* The peer nearer than before: the way has changed. */
	seen.ask = (struct walk_ask){ 0, 2 };
	walk_answer(&w, &seen);
	EXPECT_EQ(w.traces[0].len, 2);
	EXPECT_EQ(trace_varies(&w.traces[0]), 2);
	/* Beyond its end. */
	seen.ask = (struct walk_ask){ 0, 9 };
	walk_answer(&w, &seen);
	EXPECT_EQ(w.traces[0].len, 2);
	EXPECT_EQ(trace_hops(&w.traces[0]), 2);
}
