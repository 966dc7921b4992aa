/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was seen of the way of one source port (or flow label) to a peer: who
 * answered at which hop. Plain structs: no sockets, no time, no output.
 */
#ifndef LAPSCTL_DISCOVER_TRACE_H
#define LAPSCTL_DISCOVER_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <netinet/in.h>

/* Hops are numbered from 1, as TTLs are; 0 is a probe with a TTL for all the way. */
#define HOPS_MAX	64

/**
 * enum hop_kind - what is known of a hop
 * @HOP_UNKNOWN: nothing: it was not asked, or not often enough
 * @HOP_SILENT: asked often enough, and nobody answered
 * @HOP_ROUTER: a router said that the TTL was used up
 * @HOP_REJECT: a router (or the peer's firewall) said that it goes no further
 * @HOP_PORT: the peer said that nobody listens on the port
 * @HOP_PEER: lapsmp at the peer answered
 */
enum hop_kind {
	HOP_UNKNOWN,
	HOP_SILENT,
	HOP_ROUTER,
	HOP_REJECT,
	HOP_PORT,
	HOP_PEER,
};

/* The way ends here. */
static inline bool hop_is_end(enum hop_kind kind)
{
	return kind >= HOP_REJECT;
}

static inline bool hop_is_known(enum hop_kind kind)
{
	return kind >= HOP_ROUTER;
}

/**
 * struct hop - one hop of one port
 * @kind: what is known of it
 * @varies: different answers to the same question
 * @code: HOP_REJECT: errno that says why
 * @answers: how many, saturating
 * @misses: times in a row that neither this port nor any other got an answer
 * @looks: times that it was asked again after its first answer
 * @rtt_ns: smallest, or 0 if only late answers came
 * @addr: who answered first
 * @other: with @varies: who answered otherwise
 */
struct hop {
	enum hop_kind kind;
	bool varies;
	uint8_t code;
	uint8_t answers;
	uint8_t misses;
	uint8_t looks;
	uint64_t rtt_ns;
	struct in6_addr addr;
	struct in6_addr other;
};

/**
 * struct trace - the way of one port
 * @value: the source port, or the flow label
 * @len: hop at which it ends, or 0: not known
 * @hops: by number; [0] is what came of a probe for all the way
 */
struct trace {
	uint32_t value;
	unsigned int len;
	struct hop hops[HOPS_MAX + 1];
};

/* The last hop at which anything was seen, or 0. */
unsigned int trace_top(const struct trace *t);

/* As many hops as there are to tell of: to its end, or to the last that answered. */
unsigned int trace_hops(const struct trace *t);

/* Hops from the first to the last that are not known. */
unsigned int trace_unknown(const struct trace *t);

/* The first hop at which the same port got different answers, or 0. */
unsigned int trace_varies(const struct trace *t);

/**
 * trace_apart() - are these certainly two routes?
 *
 * They are if at the same hop different addresses answered, or if they are of
 * different length. A silent hop may be any router: it tells nothing.
 */
bool trace_apart(const struct trace *a, const struct trace *b);

/* The smallest round trip to its end, or 0 if it is not known. */
uint64_t trace_rtt(const struct trace *t);

#endif /* LAPSCTL_DISCOVER_TRACE_H */
