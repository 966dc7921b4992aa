/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lapsperf fabric: the flows of a file between many hosts, all from one process. A
 * host is a network namespace; since no host has a process of its own, nothing is
 * switched to when a packet arrives, which is what simulated time pays for.
 */
#ifndef LAPSPERF_FABRIC_H
#define LAPSPERF_FABRIC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "net.h"

#define FABRIC_PORT	5202
/* In front of each flow, or of each message: magic, flow, bytes; little endian. */
#define FABRIC_HDR	16u
#define FABRIC_CHUNK		262144u
#define FABRIC_CHUNK_MAX	67108864u
#define FABRIC_SNDBUF	4194304
#define FABRIC_RCVBUF	67108864
#define FABRIC_EVERY_NS	100000u
#define FABRIC_CLASSES_MAX	8u

struct fabric;
struct sender;

/**
 * struct flow_class - what flows are sent with, by their size
 * @bytes: that a flow of the class has at most
 * @tclass: IPv6's traffic class, or IPv4's TOS; the kernel sees to its two bits of ECN
 */
struct flow_class {
	uint64_t bytes;
	uint8_t tclass;
};

/**
 * struct transport - what flows are sent by
 * @cc, @sched: NULL: what the kernel takes
 * @classes: @n_classes by rising size, of a stream; larger flows are sent with 0
 */
struct transport {
	const struct proto *proto;
	const char *cc, *sched;
	struct flow_class classes[FABRIC_CLASSES_MAX];
	uint32_t n_classes;
};

/**
 * struct fabric_params - what the command line says
 * @by: the first flow of the file is by the first of these @n_by, the next one by the next,
 *	and so on in turn
 * @chunk: bytes that are given to the kernel at once; a message's size, where the
 *	protocol has messages
 * @idle_ns: it has failed if no flow made progress for so long
 * @warm: bytes of the flow that each pair of hosts has before the others; 0: none
 * @pool: connections that a pair has from the beginning, if it has as many flows
 * @serial: flows between the same two hosts follow each other on one socket, even if the
 *	one before has not arrived yet
 * @subflows: that each connection has (MPTCP)
 * @settle_ns: between the last of these and the first of the file
 * @seed: of connections' ports, by which routers choose
 * @begin: a command that is run in the middle of @settle_ns, or NULL
 * @until_ns: flows that have not ended so long after the beginning are left; 0: none is
 * @progress: a file that says how much has arrived, or NULL
 * @every_ns: between two of its lines
 */
struct fabric_params {
	struct transport by[2];
	uint32_t n_by;
	const char *hosts, *flows, *trace, *progress;
	uint32_t chunk;
	int sndbuf, rcvbuf;
	uint64_t idle_ns, settle_ns, until_ns, every_ns;
	uint32_t warm, pool, subflows, seed;
	bool serial;
	const char *begin;
};

struct host {
	char name[64];
	struct addr addr;
	int netns;
};

/**
 * struct flow - one line of the file
 * @id: as the file says
 * @by: one of the parameters'
 * @offset_ns: when it begins, after the base or after all that it waits for
 * @deps: flows that it waits for yet
 * @waiters: indices of those that wait for it
 * @due_ns: when it had to begin, CLOCK_MONOTONIC
 * @end_ns: when the receiver had all of it; 0 before
 * @warm: not one of the file's
 * @sender: who has it, until @end_ns
 * @behind: which one the sender takes next, where they are serial
 */
struct flow {
	uint32_t id;
	const struct transport *by;
	uint32_t src, dst;
	uint64_t size;
	uint64_t offset_ns;
	uint32_t deps, n_waiters;
	uint32_t *waiters;
	uint64_t due_ns, end_ns;
	uint64_t sent, received;
	bool warm;
	struct sender *sender;
	struct flow *behind;
};

/* What epoll returns points to one of these: the first field of what it is part of. */
enum watch { WATCH_TIMER, WATCH_RECEIVER, WATCH_SENDER };

/**
 * struct receiver - a socket that data arrives on
 * @listens: for connections
 * @flow: whose bytes come next, where they are a stream; NULL before its header
 */
struct receiver {
	enum watch watch;
	int fd;
	const struct transport *by;
	uint32_t host;
	bool listens;
	struct flow *flow;
	uint8_t hdr[FABRIC_HDR];
	uint32_t hdr_len;
};

/**
 * struct sender - a socket that flows from one host to another take in turn
 * @flow: which one has it now; where they are serial, until all of it was sent
 * @last: of those behind that one, where they are serial
 * @next_idle: in its pair's list, while none has it; where they are serial, always
 * @next: of all
 * @polled: it is told when there is room
 * @tclass: what its socket sends with
 */
struct sender {
	enum watch watch;
	int fd;
	const struct transport *by;
	uint32_t src, dst;
	struct flow *flow, *last;
	struct sender *next_idle, *next;
	bool polled;
	uint8_t tclass;
};

struct fabric {
	const struct fabric_params *p;
	struct host *hosts;
	uint32_t n_hosts;
	struct flow *flows;
	uint32_t n_flows, n_file;
	uint32_t n_begun, n_done;
	struct sender **idle;		/* a list for each fabric_pair() */
	struct sender *senders;
	uint32_t n_ports;		/* that connections have */
	uint32_t *heap;			/* flows whose time is known, the next one first */
	uint32_t n_heap;
	uint64_t base_ns, progress_ns;
	uint64_t late_ns;		/* the most that a flow began late by */
	uint32_t late_senders;		/* sockets made for a flow that was due */
	FILE *progress;
	uint64_t note_ns;		/* when its next line is due; UINT64_MAX: never */
	int epoll, timer;
	int home;			/* the namespace that we are from */
};

/* fabric_file.c */
void fabric_read_hosts(struct fabric *f);
void fabric_read_flows(struct fabric *f);

/*
 * A number for each transport between each two hosts, below fabric_pairs(): what flows
 * of the same can share.
 */
static inline size_t fabric_pair(const struct fabric *f, const struct transport *by,
				 uint32_t src, uint32_t dst)
{
	return ((size_t)src * f->n_hosts + dst) * f->p->n_by + (size_t)(by - f->p->by);
}

static inline size_t fabric_pairs(const struct fabric *f)
{
	return (size_t)f->n_hosts * f->n_hosts * f->p->n_by;
}

/* fabric_plan.c: which flow begins when */
void fabric_plan(struct fabric *f, uint32_t flow, uint64_t due_ns);
struct flow *fabric_due(struct fabric *f, uint64_t now);
uint64_t fabric_next_ns(const struct fabric *f);
bool fabric_got(struct fabric *f, struct flow *flow, uint64_t bytes);

/* fabric_sock.c: the flows' sockets, and sending */
void fabric_listen(struct fabric *f);
int fabric_port(struct fabric *f);
void fabric_open(struct fabric *f, const struct transport *by, uint32_t src, uint32_t dst);
void fabric_begin(struct fabric *f, struct flow *flow);
void fabric_send(struct fabric *f, struct sender *s);
void fabric_failed(const struct fabric *f, const struct sender *s);

/* fabric_recv.c: what arrives there */
void fabric_receive(struct fabric *f, struct receiver *r);

/* fabric_progress.c: how much has arrived by when */
void fabric_progress_begin(struct fabric *f);
void fabric_progress_note(struct fabric *f, uint64_t now);
void fabric_progress_end(struct fabric *f);

/* fabric_mptcp.c: more subflows for MPTCP */
void fabric_join(struct fabric *f);
uint32_t fabric_subflows(const struct fabric *f);

/* fabric_out.c */
void fabric_report(const struct fabric *f);

/* fabric.c */
int fabric_main(int argc, char **argv);

#endif
