// SPDX-License-Identifier: GPL-2.0
/* Paths as they are asked for, and as they become: how one looks on the wire. */
#include <linux/slab.h>
#include "addr.h"
#include "pathnew.h"
#include "pathroute.h"
#include "udp.h"

/* Return: 0 or -ENOMEM. */
static int lapsmp_pathnew_shape(struct lapsmp_path *p,
				const struct lapsmp_path_spec *spec, bool v4)
{
	p->own_sport = spec->sport;
	p->flowlabel = spec->flowlabel;
	if (spec->sport)
		p->kind = LAPSMP_PATH_SPORT;
	else if (spec->flowlabel)
		p->kind = LAPSMP_PATH_FLOWLABEL;
	else
		p->kind = spec->own ? LAPSMP_PATH_ADDRS : LAPSMP_PATH_SPORT;
	if (!spec->segs)
		return 0;
	p->kind = LAPSMP_PATH_SEGS;
	p->encap = v4;
	p->segs = kmemdup(spec->segs, lapsmp_segs_size(spec->segs),
			  GFP_KERNEL_ACCOUNT);
	return p->segs ? 0 : -ENOMEM;
}

/* Where it goes, and by what device; all that is known of its source. */
static void lapsmp_pathnew_ends(const struct lapsmp_peer *peer,
				struct lapsmp_path *p,
				const struct lapsmp_path_spec *spec)
{
	p->own = spec->own;
	p->saddr = spec->own & LAPSMP_PATH_OWN_LOCAL ? spec->local : peer->saddr;
	p->daddr = spec->own & LAPSMP_PATH_OWN_REMOTE ? spec->remote :
							peer->key.raddr;
	p->ifindex = spec->own & LAPSMP_PATH_OWN_DEV ? spec->ifindex :
						       peer->key.ifindex;
	p->line_rate = peer->line_rate;
	p->line_dev = peer->line_dev;
}

/*
 * What the route says of one with ends of its own: how fast its device is, and its
 * source, which is what the receiver knows it by. Of two hosts with two devices each,
 * the second path needs the second address; so what has no address of its own, but
 * another device or destination, has that which the route gives it. But not if a
 * program is bound to an address.
 */
static int lapsmp_pathnew_ask(const struct lapsmp_peer *peer,
			      struct lapsmp_path *p,
			      const struct lapsmp_path_spec *spec)
{
	bool choose = !(spec->own & LAPSMP_PATH_OWN_LOCAL) &&
		      lapsmp_addr_any(&peer->key.laddr);
	struct lapsmp_route_key key;
	struct lapsmp_route *r;

	lapsmp_pathroute_key(peer, p, &key);
	/* Segments of IPv4 are about the packet outside. */
	key.segs = NULL;
	if (choose)
		key.saddr = in6addr_any;
	r = lapsmp_route_lookup(peer->ln, &key);
	if (IS_ERR(r) && choose && lapsmp_addr_any(&spec->local))
		return PTR_ERR(r);
	if (choose)
		p->saddr = IS_ERR(r) ? spec->local : key.saddr;
	if (IS_ERR(r))
		return 0;
	p->line_dev = lapsmp_route_dev(r);
	if (p->line_dev != peer->line_dev)
		p->line_rate = lapsmp_route_line_rate(peer->ln, r);
	lapsmp_route_free(r);
	return 0;
}

struct lapsmp_path *lapsmp_pathnew(const struct lapsmp_peer *peer,
				   const struct lapsmp_path_spec *spec)
{
	struct lapsmp_port *port;
	struct lapsmp_path *p;
	int err;

	port = lapsmp_udp_port_get(peer->ln, spec->sport, spec->nth);
	if (IS_ERR(port))
		return ERR_CAST(port);
	p = lapsmp_path_alloc(GFP_KERNEL_ACCOUNT);
	if (!p)
		return ERR_PTR(-ENOMEM);
	p->sport = lapsmp_udp_port_number(port);
	lapsmp_pathnew_ends(peer, p, spec);
	err = lapsmp_pathnew_shape(p, spec, lapsmp_addr_is_v4(&peer->key.raddr));
	if (!err && spec->own)
		err = lapsmp_pathnew_ask(peer, p, spec);
	if (err) {
		lapsmp_path_put(p);
		return ERR_PTR(err);
	}
	p->away = !ipv6_addr_equal(&p->saddr, &peer->saddr) ||
		  !ipv6_addr_equal(&p->daddr, &peer->key.raddr);
	lapsmp_path_start(peer, p);
	return p;
}

bool lapsmp_pathnew_same(const struct lapsmp_path *a, const struct lapsmp_path *b)
{
	return a->own_sport == b->own_sport &&
	       (!a->own_sport || a->sport == b->sport) &&
	       a->flowlabel == b->flowlabel && lapsmp_srh_same(a->segs, b->segs) &&
	       ipv6_addr_equal(&a->saddr, &b->saddr) &&
	       ipv6_addr_equal(&a->daddr, &b->daddr) &&
	       (a->own & LAPSMP_PATH_OWN_DEV) == (b->own & LAPSMP_PATH_OWN_DEV) &&
	       a->ifindex == b->ifindex;
}
