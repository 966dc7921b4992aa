// SPDX-License-Identifier: GPL-2.0
/*
 * Encapsulation sockets. The kernel's own UDP code does demultiplexing by port,
 * the checksum and the ICMP errors; this file only opens ports, for both
 * families, and hands what arrives to the handlers of input.c.
 *
 * Ports are opened in process context and stay until the namespace goes: there
 * is one service port and, with eight automatic paths, eight source ports.
 */
#include <linux/list.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/udp.h>
#include <net/inet_connection_sock.h>
#include <net/ipv6.h>
#include <net/udp.h>
#include <net/udp_tunnel.h>
#include "compat.h"
#include "udp.h"
#include "wire.h"

/* As much of a packet that an ICMP error quotes as is looked at. */
#define LAPSMP_UDP_QUOTE	LAPSMP_HDR_LEN

/* Draws of a source port before giving up. */
#define LAPSMP_UDP_TRIES	128

/**
 * struct lapsmp_port - an open UDP port
 * @node: in ln->ports, in the order of opening
 * @port: network order
 * @drawn: chosen by us; these are what automatic paths share, and the first is of
 *	paths with only a flow label
 * @sock4: its sockets; sock6 is NULL without IPv6
 * @sock6: likewise
 */
struct lapsmp_port {
	struct list_head	node;
	__be16			port;
	bool			drawn;
	struct socket		*sock4;
	struct socket		*sock6;
};

static lapsmp_udp_rcv_t lapsmp_udp_rcv_handler __read_mostly;
static lapsmp_udp_err_t lapsmp_udp_err_handler __read_mostly;

void lapsmp_udp_set_handlers(lapsmp_udp_rcv_t rcv, lapsmp_udp_err_t err)
{
	lapsmp_udp_rcv_handler = rcv;
	lapsmp_udp_err_handler = err;
}

static void lapsmp_udp_err(struct sock *sk, struct sk_buff *skb, int err,
			   __be16 port, u32 info, u8 *payload)
{
	int at = payload - skb->data, len = min_t(int, skb->len - at, LAPSMP_UDP_QUOTE);
	u8 buf[LAPSMP_UDP_QUOTE];
	const u8 *quoted;

	if (len <= 0)
		return;
	/* Drivers leave in pages what is behind the headers that they know. */
	quoted = skb_header_pointer(skb, at, len, buf);
	if (quoted)
		lapsmp_udp_err_handler(sk, skb, err, info, quoted, len);
}

LAPSMP_ENCAP_ERR_RCV(lapsmp_udp_err_rcv, lapsmp_udp_err)

static int lapsmp_udp_create(struct lapsmp_net *ln, int family, __be16 port,
			     struct socket **sockp)
{
	struct udp_port_cfg cfg = {
		.family = family,
		.local_udp_port = port,
		.ipv6_v6only = 1,
		.use_udp6_rx_checksums = 1,
	};
	struct udp_tunnel_sock_cfg tun = {
		.encap_type = 1,
		.encap_rcv = lapsmp_udp_rcv_handler,
		.encap_err_rcv = lapsmp_udp_err_rcv,
	};
	struct socket *sock;
	int err;

	err = udp_sock_create(ln->net, &cfg, &sock);
	if (err)
		return err;
	/*
	 * A path MTU is believed by our own rules: an ICMP error must not change
	 * the route's, and what we send may be as large as the device can carry.
	 * For IPv6 the same option would keep the errors from us as well.
	 */
	if (family == AF_INET)
		ip_sock_set_mtu_discover(sock->sk, IP_PMTUDISC_INTERFACE);
	setup_udp_tunnel_sock(ln->net, sock, &tun);
	/* No checksum of ours is inside, and a train that is cut here needs none. */
	inet_dec_convert_csum(sock->sk);
	*sockp = sock;
	return 0;
}

static void lapsmp_udp_close(struct socket *sock)
{
	if (!sock)
		return;
	kernel_sock_shutdown(sock, SHUT_RDWR);
	sock_release(sock);
}

static struct lapsmp_port *lapsmp_udp_open(struct lapsmp_net *ln, __be16 port)
{
	struct lapsmp_port *p;
	int err;

	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return ERR_PTR(-ENOMEM);
	p->port = port;
	err = lapsmp_udp_create(ln, AF_INET, port, &p->sock4);
	if (!err && ipv6_mod_enabled()) {
		err = lapsmp_udp_create(ln, AF_INET6, port, &p->sock6);
		/* A namespace may do without IPv6. */
		if (err == -EAFNOSUPPORT || err == -EADDRNOTAVAIL)
			err = 0;
	}
	if (err) {
		lapsmp_udp_close(p->sock4);
		kfree(p);
		return ERR_PTR(err);
	}
	list_add_tail(&p->node, &ln->ports);
	return p;
}

static struct lapsmp_port *lapsmp_udp_find(struct lapsmp_net *ln, __be16 port)
{
	struct lapsmp_port *p;

	list_for_each_entry(p, &ln->ports, node)
		if (p->port == port)
			return p;
	return NULL;
}

int lapsmp_udp_open_service(struct lapsmp_net *ln)
{
	__be16 port = htons(READ_ONCE(ln->conf.port));
	struct lapsmp_port *p;

	mutex_lock(&ln->udp_lock);
	if (ln->closing)
		p = ERR_PTR(-ENETDOWN);
	else
		p = lapsmp_udp_find(ln, port) ?: lapsmp_udp_open(ln, port);
	if (!IS_ERR(p)) {
		WRITE_ONCE(ln->out4, p->sock4->sk);
		WRITE_ONCE(ln->out6, p->sock6 ? p->sock6->sk : NULL);
	}
	mutex_unlock(&ln->udp_lock);
	return PTR_ERR_OR_ZERO(p);
}

/*
 * Draws are our own, not the stack's, so that a namespace with a seed gets the
 * same ports every time. @i counts draws, over all ports.
 */
static __be16 lapsmp_udp_draw(struct lapsmp_net *ln, unsigned int i)
{
	u64 seed = READ_ONCE(ln->conf.seed);
	int low, high;
	u32 rnd;

	rnd = seed ? siphash_2u64(seed, i, &(siphash_key_t){ { seed, ~seed } }) :
		     get_random_u32();
	inet_get_local_port_range(ln->net, &low, &high);
	return htons(low + reciprocal_scale(rnd, high - low + 1));
}

static struct lapsmp_port *lapsmp_udp_draw_port(struct lapsmp_net *ln,
						unsigned int nth)
{
	struct lapsmp_port *p;
	unsigned int seen = 0;
	unsigned int try;
	__be16 port;

	list_for_each_entry(p, &ln->ports, node)
		if (p->drawn && seen++ == nth)
			return p;
	for (try = 0; try < LAPSMP_UDP_TRIES; try++) {
		port = lapsmp_udp_draw(ln, seen * LAPSMP_UDP_TRIES + try);
		if (lapsmp_udp_find(ln, port))
			continue;
		p = lapsmp_udp_open(ln, port);
		if (!IS_ERR(p))
			p->drawn = true;
		if (!IS_ERR(p) || PTR_ERR(p) != -EADDRINUSE)
			return p;
	}
	return ERR_PTR(-EADDRINUSE);
}

struct lapsmp_port *lapsmp_udp_port_get(struct lapsmp_net *ln, __be16 port,
					unsigned int nth)
{
	struct lapsmp_port *p;

	mutex_lock(&ln->udp_lock);
	if (ln->closing)
		p = ERR_PTR(-ENETDOWN);
	else if (port)
		p = lapsmp_udp_find(ln, port) ?: lapsmp_udp_open(ln, port);
	else
		p = lapsmp_udp_draw_port(ln, nth);
	mutex_unlock(&ln->udp_lock);
	return p;
}

__be16 lapsmp_udp_port_number(const struct lapsmp_port *p)
{
	return p->port;
}

void lapsmp_udp_net_init(struct lapsmp_net *ln)
{
	mutex_init(&ln->udp_lock);
	INIT_LIST_HEAD(&ln->ports);
}

void lapsmp_udp_net_exit(struct lapsmp_net *ln)
{
	struct lapsmp_port *p, *next;

	mutex_lock(&ln->udp_lock);
	/* All others answer by the service port's: while they are closed, none may. */
	WRITE_ONCE(ln->out4, NULL);
	WRITE_ONCE(ln->out6, NULL);
	synchronize_net();
	list_for_each_entry_safe(p, next, &ln->ports, node) {
		list_del(&p->node);
		lapsmp_udp_close(p->sock4);
		lapsmp_udp_close(p->sock6);
		kfree(p);
	}
	mutex_unlock(&ln->udp_lock);
	/* Packets that had found the socket are through with the handlers. */
	synchronize_net();
}
