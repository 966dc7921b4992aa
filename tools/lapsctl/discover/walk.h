/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which port is to be probed with which TTL next. No sockets and no clock: whoever
 * uses it asks for a round of probes, sends them, tells the answers, and says when
 * the round is over, so that it can be tested alone.
 *
 *	while ((n = walk_plan(w, asks)))
 *		send asks[0..n-1]; walk_answer(w, ...) for each answer; walk_close(w);
 *
 * In a round each port is probed once at most: there is never a doubt which of its
 * probes an error answers, though it may quote no more than the UDP header.
 *
 * Phases: *reach* asks a few ports whether the peer answers at all; *walk* goes along
 * each port's way, the lowest hop that is not known first; *look* asks every hop that
 * answered once more, since a router that spreads by packet and not by port answers
 * the same port's probes from several ways.
 *
 * Routers limit their ICMP errors (Linux: six at once to one address and then one a
 * second over IPv4, net.ipv4.icmp_ratelimit), so a hop that does not answer is not
 * yet silent. Of a TTL at which fewer answered than were asked, the next round asks
 * about twice as many ports as have got an answer, and the others meanwhile go on
 * with their next hops. Only when several rounds that got no answer at all for this
 * TTL, from any port, had asked a port, its hop is called silent.
 */
#ifndef LAPSCTL_DISCOVER_WALK_H
#define LAPSCTL_DISCOVER_WALK_H

#include "trace.h"

enum walk_phase { WALK_REACH, WALK_WALK, WALK_LOOK, WALK_DONE };

/* One probe: index of the port, and TTL, of which 0 is for all the way. */
struct walk_ask {
	unsigned int trace;
	unsigned int ttl;
};

/**
 * struct walk_ttl - what is known of a TTL, over all ports
 * @budget: how many ports may be asked in this round
 * @asked: how many were
 * @answered: how many of these, or of earlier rounds, have answered since
 */
struct walk_ttl {
	unsigned int budget;
	unsigned int asked;
	unsigned int answered;
};

/**
 * struct walk - the state of a discovery
 * @traces: one for each port; [n]
 * @n: how many; @asks of walk_plan() has room for as many
 * @max_hops: longest way that is looked for, 1 to HOPS_MAX
 * @asked: TTL that each port was asked in this round, or WALK_NOT; [n]
 * @phase: see above
 * @quiet: rounds of the first phase without an answer
 * @reached: the end of the way answered
 * @shortest: smallest length of any port's way that is known, or 0
 * @looks: answers that are wanted from each hop
 * @ttl: by number
 */
struct walk {
	struct trace *traces;
	unsigned int n;
	unsigned int max_hops;
	unsigned int *asked;
	enum walk_phase phase;
	unsigned int quiet;
	bool reached;
	unsigned int shortest;
	unsigned int looks;
	struct walk_ttl ttl[HOPS_MAX + 1];
};

#define WALK_NOT	UINT32_MAX

/* Rounds without any answer until a hop is silent, or the peer is. */
#define WALK_TRIES	3

/**
 * walk_begin() - nothing is known yet
 * @w: traces, n, max_hops and asked are set; the traces are zero but for their value
 */
void walk_begin(struct walk *w);

/* The next round. Return: how many probes; 0: all is known that can be. */
unsigned int walk_plan(struct walk *w, struct walk_ask *asks);

/**
 * struct walk_seen - an answer
 * @ask: what it answers, of this round or of an earlier one
 * @kind: HOP_ROUTER or an end
 * @code: errno of HOP_REJECT
 * @addr: whose it is
 * @rtt_ns: how long it took, 0: not known
 */
struct walk_seen {
	struct walk_ask ask;
	enum hop_kind kind;
	uint8_t code;
	struct in6_addr addr;
	uint64_t rtt_ns;
};

/* Numbers that are out of range are ignored. */
void walk_answer(struct walk *w, const struct walk_seen *seen);

/* The round is over: what was asked and not answered will not be. */
void walk_close(struct walk *w);

#endif /* LAPSCTL_DISCOVER_WALK_H */
