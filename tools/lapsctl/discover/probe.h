/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes on the wire: UDP sockets that are bound to the source ports in question, so
 * that routers see the packets of data; ICMP errors come by the sockets' error
 * queues, for which nobody needs a privilege.
 */
#ifndef LAPSCTL_DISCOVER_PROBE_H
#define LAPSCTL_DISCOVER_PROBE_H

#include <poll.h>

#include "walk.h"

/**
 * struct probe_to - where probes go, and how
 * @peer: IPv4 as mapped
 * @port: UDP port of its service, host order
 * @local: local address, or unspecified: the route chooses
 * @ifindex: bound device, or 0
 * @mark: SO_MARK, or 0
 * @tos: IP_TOS or IPV6_TCLASS
 * @labels: vary the flow label on one source port, not the port (IPv6)
 * @rate: probes per second, 1 at least
 * @timeout_ns: how long an answer may take
 */
struct probe_to {
	struct in6_addr peer;
	uint16_t port;
	struct in6_addr local;
	unsigned int ifindex;
	uint32_t mark;
	uint8_t tos;
	bool labels;
	unsigned int rate;
	uint64_t timeout_ns;
};

/**
 * struct probe_out - the newest probe of a port
 * @sent_ns: when it was sent
 * @ttl: with which TTL; 0: all the way
 * @seq: see packet_id
 * @waits: for an answer
 */
struct probe_out {
	uint64_t sent_ns;
	uint8_t ttl;
	uint8_t seq;
	bool waits;
};

/**
 * struct prober - all sockets
 * @to: where to
 * @walk: what answers are told to
 * @run: random bits of this discovery
 * @socks: one for each port, or one for all flow labels
 * @n_socks: how many
 * @out: for each port; [walk->n]
 * @waiting: how many wait
 * @next_ns: when the next probe may leave
 * @sent: probes so far
 * @answered: answers so far
 * @from: our address, as the route chose it
 * @sport: with labels: the source port of all
 */
struct prober {
	struct probe_to to;
	struct walk *walk;
	uint32_t run;
	struct pollfd *socks;
	unsigned int n_socks;
	struct probe_out *out;
	unsigned int waiting;
	uint64_t next_ns;
	uint64_t sent;
	uint64_t answered;
	struct in6_addr from;
	uint16_t sport;
};

/**
 * prober_open() - bind sockets to random free ports, or draw labels
 * @p: @to and @walk are set, the rest zero; the traces' values are drawn
 *
 * Return: an exit status, after a complaint. prober_close() in any case.
 */
int prober_open(struct prober *p);

/* Send a round, no faster than the rate, and wait for the answers. Return: as above. */
int prober_round(struct prober *p, const struct walk_ask *asks, unsigned int n);

/* The ports are free again. */
void prober_close(struct prober *p);

#endif /* LAPSCTL_DISCOVER_PROBE_H */
