// SPDX-License-Identifier: GPL-2.0
/* Checks of what leads to peers: addresses, routes, paths; see diag.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "show.h"
#include "util.h"

/* As many paths are told apart. */
#define PATHS_TOLD	3

/* What a path's MTU falls back to when full packets get lost. */
#define MTU_FALLBACK	1280

/* Is the address fixed that packets should come from, and no longer here? */
static bool local_is_gone(const struct row *row)
{
	struct rtnl_key key = {
		.to = row_addr(row, LAPSMP_A_PATH_LOCAL),
		.ifindex = (uint32_t)row_u64(row, LAPSMP_A_PATH_IFINDEX),
	};
	struct rtnl_route route;

	return key.to && (rtnl_route(&key, &route) || !route.local);
}

void diag_local(struct diag *d)
{
	char name[SHOW_PEER_MAX], words[SHOW_PEER_MAX], buf[TEXT_MAX];
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		const struct row *row = &d->paths.v[i];

		if ((i && row_same_peer(row, row - 1)) || !local_is_gone(row))
			continue;
		text_addr(buf, row_addr(row, LAPSMP_A_PATH_LOCAL));
		diag_add(d, DIAG_ERROR,
			 xprintf("the local address of peer %s is not on this host",
				 show_peer(row, name, sizeof(name))),
			 xprintf("local %s", buf),
			 xprintf("ip addr add %s dev DEVICE; or: lapsctl peer del %s", buf,
				 show_peer_words(row, words, sizeof(words))));
	}
}

/* --- routes ----------------------------------------------------------------------- */

static void route_check(struct diag *d, const struct row *row)
{
	const struct in6_addr *segs = row_addr(row, LAPSMP_A_PATH_SEGS);
	char name[SHOW_PEER_MAX], buf[TEXT_MAX];
	struct rtnl_route route;
	int err = diag_path_route(row, &route);

	/* From an address that is gone nothing has a route. */
	if (!err || local_is_gone(row))
		return;
	show_peer(row, name, sizeof(name));
	text_addr(buf, segs ? segs : row_addr(row, LAPSMP_A_PATH_PEER));
	diag_add(d, DIAG_ERROR,
		 segs ? xprintf("there is no route to the first segment of path %" PRIu64 " to peer %s",
				row_u64(row, LAPSMP_A_PATH_ID), name) :
			xprintf("there is no route to peer %s", name),
		 xprintf("%s: %s", buf, strerror(-err)),
		 xprintf("ip %sroute add %s via ROUTER", segs || !diag_is_v4(row) ? "-6 " : "", buf));
}

/*
 * Paths without segments have the same destination: the first of them is enough. Those
 * of IPv4 by segments need that route, too: it has their source address.
 */
void diag_routes(struct diag *d)
{
	bool seen = false;
	struct row plain;
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		const struct row *row = &d->paths.v[i];
		bool segs = row_has(row, LAPSMP_A_PATH_SEGS);

		if (!i || !row_same_peer(row, row - 1))
			seen = false;
		if (segs)
			route_check(d, row);
		if (seen || (segs && !diag_is_v4(row)))
			continue;
		plain = *row;
		plain.tb[LAPSMP_A_PATH_SEGS] = NULL;
		route_check(d, &plain);
		seen = true;
	}
	if (d->asked.n && !d->paths.n)
		route_check(d, &d->asked.v[0]);
}

/* --- paths ------------------------------------------------------------------------ */

/**
 * struct group - the paths of a peer
 * @first: of them
 * @n: how many
 * @up: how many work
 * @silent: how many have not answered
 * @by_segs: one of those goes by segments
 * @sample: one of those
 * @text: what is known of the first of them, or NULL
 */
struct group {
	const struct row *first;
	size_t n;
	size_t up;
	size_t silent;
	bool by_segs;
	const struct row *sample;
	char *text;
};

/*
 * One that was only just used for the first time may still answer. Nothing tries paths
 * of a peer that nobody sends to: it is as it was when somebody did.
 */
static bool path_is_silent(const struct row *row)
{
	uint64_t state = row_u64(row, LAPSMP_A_PATH_STATE);

	return state == LAPSMP_PATH_STATE_DOWN ||
	       (state == LAPSMP_PATH_STATE_PROBING && row_u64(row, LAPSMP_A_PATH_BACKOFF));
}

static void group_silent(struct group *g, const struct row *row)
{
	char state[TEXT_MAX], age[TEXT_MAX];
	bool answered = row_has(row, LAPSMP_A_PATH_LAST_ACK_AGE_NS);
	char *text;

	g->by_segs = g->by_segs || row_has(row, LAPSMP_A_PATH_SEGS);
	g->sample = row;
	if (g->silent++ >= PATHS_TOLD)
		return;
	text = xprintf("path %" PRIu64 " %s (%s), %" PRIu64 " timeouts in a row, %s%s%s",
		       row_u64(row, LAPSMP_A_PATH_ID),
		       show_value(row, LAPSMP_A_PATH_STATE, state),
		       row_string(row, LAPSMP_A_PATH_REASON),
		       row_u64(row, LAPSMP_A_PATH_BACKOFF),
		       answered ? "last answer " : "no answer yet",
		       answered ? show_value(row, LAPSMP_A_PATH_LAST_ACK_AGE_NS, age) : "",
		       answered ? " ago" : "");
	diag_join(&g->text, "; ", text);
	free(text);
}

/* What can be done from here: look at the others, and at where the way begins. */
static char *group_cure(const struct group *g)
{
	const struct row *row = g->sample;
	char buf[TEXT_MAX];

	text_addr(buf, row_addr(row, LAPSMP_A_PATH_PEER));
	if (g->by_segs)
		return xprintf("lapsctl diag, on the nodes of its segments and on %s", buf);
	return xprintf("lapsctl diag, on %s; let UDP port %" PRIu64 " through; ip route get %s ipproto udp sport %" PRIu64 " dport %" PRIu64,
		       buf, row_u64(row, LAPSMP_A_PATH_PORT), buf,
		       row_u64(row, LAPSMP_A_PATH_SPORT), row_u64(row, LAPSMP_A_PATH_PORT));
}

static void group_check(struct diag *d, struct group *g)
{
	char name[SHOW_PEER_MAX], *more;

	if (!g->silent)
		return;
	show_peer(g->first, name, sizeof(name));
	if (g->silent > PATHS_TOLD) {
		more = xprintf("and %zu more", g->silent - PATHS_TOLD);
		diag_join(&g->text, "; ", more);
		free(more);
	}
	diag_add(d, g->up ? DIAG_WARNING : DIAG_ERROR,
		 xprintf("peer %s did not answer on %zu of %zu paths (%zu up)", name,
			 g->silent, g->n, g->up),
		 g->text, group_cure(g));
}

void diag_paths(struct diag *d)
{
	struct group g = { 0 };
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		const struct row *row = &d->paths.v[i];

		if (g.first && !row_same_peer(row, g.first)) {
			group_check(d, &g);
			g = (struct group){ 0 };
		}
		g.first = g.first ? g.first : row;
		g.n++;
		g.up += row_u64(row, LAPSMP_A_PATH_STATE) == LAPSMP_PATH_STATE_UP;
		if (path_is_silent(row))
			group_silent(&g, row);
	}
	group_check(d, &g);
	if (d->asked.n && !d->paths.n && d->loaded)
		diag_add(d, DIAG_NOTE, xprintf("nothing was sent to this peer yet"),
			 xprintf("no paths"), xprintf("open a socket and send, or: lapsctl path add"));
}

void diag_mtu(struct diag *d)
{
	struct rtnl_route route;
	struct rtnl_link link;
	char name[SHOW_PEER_MAX], buf[TEXT_MAX];
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		const struct row *row = &d->paths.v[i];
		uint64_t mtu = row_u64(row, LAPSMP_A_PATH_MTU);

		if (row_u64(row, LAPSMP_A_PATH_STATE) != LAPSMP_PATH_STATE_UP || !mtu ||
		    mtu > MTU_FALLBACK || diag_path_route(row, &route) ||
		    rtnl_link(route.ifindex, &link) || link.mtu <= mtu)
			continue;
		diag_add(d, DIAG_NOTE,
			 xprintf("full packets to peer %s got lost or were refused, and smaller ones are sent",
				 show_peer(row, name, sizeof(name))),
			 xprintf("path MTU %" PRIu64 ", that of %s is %" PRIu32, mtu, link.name,
				 link.mtu),
			 xprintf("if it stays so: tracepath -n %s",
				 text_addr(buf, row_addr(row, LAPSMP_A_PATH_PEER))));
	}
}
