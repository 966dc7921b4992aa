/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Encapsulation sockets: the namespace's service port and its source ports, for
 * both families. What they receive goes to one handler that is set at init.
 */
#ifndef _LAPSMP_UDP_H
#define _LAPSMP_UDP_H

#include "netns.h"

struct lapsmp_port;

/**
 * lapsmp_udp_open_service() - open the namespace's service port
 *
 * Idempotent. Context: process, may sleep.
 * Return: 0, -EADDRINUSE if another program has the port, -ENETDOWN, -ENOMEM.
 */
int lapsmp_udp_open_service(struct lapsmp_net *ln);

/**
 * lapsmp_udp_port_get() - open a source port, or share it
 * @ln: namespace
 * @port: network order, or 0: any that is free, drawn from the local port range
 * @nth: with @port 0: the nth (from 0) of the ports that were drawn so far is
 *	shared, a new one only drawn if there is none
 *
 * Context: process, may sleep. Return: the port, or ERR_PTR as above.
 */
struct lapsmp_port *lapsmp_udp_port_get(struct lapsmp_net *ln, __be16 port,
					unsigned int nth);
__be16 lapsmp_udp_port_number(const struct lapsmp_port *p);

/* Ports stay open until the namespace goes; there are few, and peers share them. */
void lapsmp_udp_net_exit(struct lapsmp_net *ln);
void lapsmp_udp_net_init(struct lapsmp_net *ln);

typedef int (*lapsmp_udp_rcv_t)(struct sock *sk, struct sk_buff *skb);
typedef void (*lapsmp_udp_err_t)(struct sock *sk, struct sk_buff *skb, int err,
				 u32 info, const u8 *quoted, unsigned int len);

/* Who gets packets and ICMP errors; once, before any port is opened. */
void lapsmp_udp_set_handlers(lapsmp_udp_rcv_t rcv, lapsmp_udp_err_t err);

#endif /* _LAPSMP_UDP_H */
