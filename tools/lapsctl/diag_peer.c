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

/* "path 3"; those that lapsmp has made have nobody who knows them by number. */
#define PATH_NAME_MAX	32

static const char *path_name(const struct row *row, char *buf)
{
	if (row_has(row, LAPSMP_A_PATH_AUTOMATIC))
		snprintf(buf, PATH_NAME_MAX, "automatic paths");
	else
		snprintf(buf, PATH_NAME_MAX, "path %" PRIu64, row_u64(row, LAPSMP_A_PATH_ID));
	return buf;
}

/* Beside automatic ones with an address of their own there are those without. */
static enum diag_severity path_severity(const struct row *row)
{
	return row_has(row, LAPSMP_A_PATH_AUTOMATIC) && diag_path_is_own(row) ? DIAG_WARNING :
										DIAG_ERROR;
}

/* --- local addresses -------------------------------------------------------------- */

/* Those of a VRF are looked for there; else it is no matter on which device one is. */
static uint32_t local_vrf(const struct row *row)
{
	uint32_t ifindex = diag_path_device(row);
	struct rtnl_link link;

	return ifindex && !rtnl_link(ifindex, &link) && link.vrf ? ifindex : 0;
}

/* Is the address fixed that packets should come from, and no longer here? */
static bool local_is_gone(const struct row *row)
{
	struct rtnl_key key = { .to = diag_path_from(row), .ifindex = local_vrf(row) };
	struct rtnl_route route;

	return key.to && (rtnl_route(&key, &route) || !route.local);
}

static void local_of_path(struct diag *d, const struct row *row)
{
	char name[SHOW_PEER_MAX], words[SHOW_PEER_MAX], id[PATH_NAME_MAX], buf[TEXT_MAX];
	bool automatic = row_has(row, LAPSMP_A_PATH_AUTOMATIC);

	text_addr(buf, diag_path_from(row));
	path_name(row, id);
	show_peer_words(row, words, sizeof(words));
	diag_add(d, path_severity(row),
		 xprintf("the local address of %s to peer %s is not on this host", id,
			 show_peer(row, name, sizeof(name))),
		 xprintf("local %s", buf),
		 automatic ?
		 xprintf("ip addr add %s dev DEVICE; or: lapsctl peer del %s", buf, words) :
		 xprintf("ip addr add %s dev DEVICE; or: lapsctl path del peer %s id %" PRIu64, buf,
			 words, row_u64(row, LAPSMP_A_PATH_ID)));
}

/* That which sockets are bound to; of all paths that have no other it is the same. */
static void local_of_peer(struct diag *d, const struct row *row)
{
	char name[SHOW_PEER_MAX], words[SHOW_PEER_MAX], buf[TEXT_MAX];

	text_addr(buf, diag_path_from(row));
	diag_add(d, DIAG_ERROR,
		 xprintf("the bound address of peer %s is not on this host",
			 show_peer(row, name, sizeof(name))),
		 xprintf("bound %s", buf),
		 xprintf("ip addr add %s dev DEVICE; or: lapsctl peer del %s", buf,
			 show_peer_words(row, words, sizeof(words))));
}

void diag_local(struct diag *d)
{
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		const struct row *row = &d->paths.v[i];

		if (!local_is_gone(row))
			continue;
		if (row_has(row, LAPSMP_A_PATH_SOURCE))
			local_of_path(d, row);
		else
			local_of_peer(d, row);
	}
}

/* --- routes ----------------------------------------------------------------------- */

/* " from 10.1.0.1 oif eth1" if a path has these of its own, for ip-route(8); to be freed. */
static char *route_words(const struct row *row)
{
	bool from = row_has(row, LAPSMP_A_PATH_SOURCE), dev = row_has(row, LAPSMP_A_PATH_DEVICE);
	char addr[TEXT_MAX], name[TEXT_MAX];

	return xprintf("%s%s%s%s", from ? " from " : "",
		       from ? show_value(row, LAPSMP_A_PATH_SOURCE, addr) : "",
		       dev ? " oif " : "", dev ? show_value(row, LAPSMP_A_PATH_DEVICE, name) : "");
}

/* Which one is missing. */
static char *route_what(const struct row *row)
{
	char name[SHOW_PEER_MAX], id[PATH_NAME_MAX];

	show_peer(row, name, sizeof(name));
	path_name(row, id);
	if (row_has(row, LAPSMP_A_PATH_SEGS))
		return xprintf("there is no route to the first segment of %s to peer %s", id,
			       name);
	if (diag_path_is_own(row))
		return xprintf("there is no route for %s to peer %s", id, name);
	return xprintf("there is no route to peer %s", name);
}

static void route_check(struct diag *d, const struct row *row)
{
	bool dev = row_has(row, LAPSMP_A_PATH_DEVICE);
	char buf[TEXT_MAX], name[TEXT_MAX], *words;
	struct rtnl_route route;
	int err = diag_path_route(row, &route);

	/* From an address that is gone nothing has a route. */
	if (!err || local_is_gone(row))
		return;
	words = route_words(row);
	text_addr(buf, diag_path_to(row));
	diag_add(d, path_severity(row), route_what(row),
		 xprintf("%s%s: %s", buf, words, strerror(-err)),
		 xprintf("ip %sroute add %s via ROUTER%s%s",
			 strchr(buf, ':') ? "-6 " : "", buf, dev ? " dev " : "",
			 dev ? show_value(row, LAPSMP_A_PATH_DEVICE, name) : ""));
	free(words);
}

/*
 * Paths with nothing of their own have the same destination: the first of them is
 * enough. Those of IPv4 by segments need that route, too: it has their source address.
 */
void diag_routes(struct diag *d)
{
	bool seen = false;
	struct row plain;
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		const struct row *row = &d->paths.v[i];
		bool segs = row_has(row, LAPSMP_A_PATH_SEGS), own = diag_path_is_own(row);

		if (!i || !row_same_peer(row, row - 1))
			seen = false;
		if (segs)
			route_check(d, row);
		if ((seen && !own) || (segs && !diag_is_v4(row)))
			continue;
		plain = *row;
		plain.tb[LAPSMP_A_PATH_SEGS] = NULL;
		route_check(d, &plain);
		seen = seen || !own;
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

/* The address of the remote host, whatever the first segment is. */
static const struct in6_addr *path_end(const struct row *row)
{
	return row_addr(row, row_has(row, LAPSMP_A_PATH_REMOTE) ? LAPSMP_A_PATH_REMOTE :
								  LAPSMP_A_PATH_PEER);
}

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
	char buf[TEXT_MAX], *words, *cure;

	text_addr(buf, path_end(row));
	if (g->by_segs)
		return xprintf("lapsctl diag, on the nodes of its segments and on %s", buf);
	words = route_words(row);
	cure = xprintf("lapsctl diag, on %s; let UDP port %" PRIu64 " through; ip route get %s%s ipproto udp sport %" PRIu64 " dport %" PRIu64,
		       buf, row_u64(row, LAPSMP_A_PATH_PORT), buf, words,
		       row_u64(row, LAPSMP_A_PATH_SPORT), row_u64(row, LAPSMP_A_PATH_PORT));
	free(words);
	return cure;
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
				 text_addr(buf, path_end(row))));
	}
}
