/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network as a directed graph: nodes, and for each link one arc or two. It is
 * built, then closed with topo_index(), and does not change after that.
 */
#ifndef LAPSCTL_TOPO_GRAPH_H
#define LAPSCTL_TOPO_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <netinet/in.h>

#define TOPO_NONE	UINT32_MAX

/* What a description may have at most; Documentation/topology.md gives reasons. */
#define TOPO_NODES_MAX		20000u
#define TOPO_LINKS_MAX		200000u
#define TOPO_NAME_MAX		63
/* Of a link. The sum over the longest path still fits 64 bits many times over. */
#define TOPO_DELAY_MAX_NS	10000000000ull
#define TOPO_COST_MAX		16777215u
/* Bytes/s: 8 kbit/s, and what the module takes. */
#define TOPO_RATE_MIN		1000ull
#define TOPO_RATE_MAX		1250000000000ull
/* Bytes of a full packet on the wire. */
#define TOPO_PACKET_MIN		64u
#define TOPO_PACKET_MAX		65535u
#define TOPO_PACKET_DEFAULT	1500u
/* Segments of a path that the module takes. */
#define TOPO_SEGS_MAX		16u

enum topo_kind {
	TOPO_SWITCH,
	TOPO_HOST,
};

/* Whose packets a node forwards. */
enum topo_transit {
	TOPO_TRANSIT_NONE,
	/* Those that come from, or go to, a node of its own group. */
	TOPO_TRANSIT_GROUP,
	TOPO_TRANSIT_ANY,
};

/**
 * struct topo_node - a switch or a host
 * @name: unique in the network
 * @group: number of its group, or TOPO_NONE
 * @kind: hosts are what paths begin and end at
 * @transit: whose packets it forwards
 * @has_sid: it can be named in a list of segments, as @sid
 * @has_addr: its peers know it as @addr
 * @sid: SRv6 SID with the behaviour End (RFC 8986)
 * @addr: IPv6 address
 */
struct topo_node {
	char *name;
	uint32_t group;
	enum topo_kind kind;
	enum topo_transit transit;
	bool has_sid;
	bool has_addr;
	struct in6_addr sid;
	struct in6_addr addr;
};

/**
 * struct topo_arc - one direction of a link
 * @from: node
 * @to: node
 * @link: number of the link; both directions have the same
 * @cost: metric of the network's routing (IGP), at least 1
 * @delay_ns: of the empty link, without what sending the packet takes
 * @rate: bytes/s on the wire
 * @send_ns: what sending a full packet takes, rounded up
 * @up: it is in use
 * @has_sid: it can be named in a list of segments, as @sid
 * @sid: SRv6 SID of @from with the behaviour End.X for this link (RFC 8986)
 */
struct topo_arc {
	uint32_t from;
	uint32_t to;
	uint32_t link;
	uint32_t cost;
	uint64_t delay_ns;
	uint64_t rate;
	uint64_t send_ns;
	bool up;
	bool has_sid;
	struct in6_addr sid;
};

/**
 * struct topo - a network
 * @name: of the network, or NULL
 * @packet: bytes of a full packet on the wire
 * @anchors: most segments that a path may have in it
 * @nodes: of it
 * @n_nodes: how many
 * @arcs: of it, in the order in which their links were added
 * @n_arcs: how many
 * @n_links: how many links they belong to
 * @groups: names of groups
 * @n_groups: how many
 * @out: arcs that leave, node by node; from topo_index()
 * @out_at: where a node's begin in @out; @n_nodes + 1 of them
 * @in: arcs that arrive, likewise
 * @in_at: likewise
 * @names: open hash table of nodes by name, for topo_find()
 * @n_names: its size, a power of two
 */
struct topo {
	char *name;
	uint32_t packet;
	uint32_t anchors;
	struct topo_node *nodes;
	uint32_t n_nodes;
	struct topo_arc *arcs;
	uint32_t n_arcs;
	uint32_t n_links;
	char **groups;
	uint32_t n_groups;
	uint32_t *out;
	uint32_t *out_at;
	uint32_t *in;
	uint32_t *in_at;
	uint32_t *names;
	uint32_t n_names;
};

/* Return: an empty network with default values. */
struct topo *topo_new(void);
/* @topo: or NULL. */
void topo_free(struct topo *topo);

/**
 * topo_add_node() - a node without links
 * @topo: the network
 * @name: copied; must not be there yet, see topo_find()
 * @kind: its transit is what such nodes do by default
 *
 * Return: the node, which the next one that is added may move.
 */
struct topo_node *topo_add_node(struct topo *topo, const char *name, enum topo_kind kind);

/* Return: the number of a group, a new one if there is none of this name. */
uint32_t topo_group(struct topo *topo, const char *name);

/**
 * topo_add_link() - a link
 * @topo: the network
 * @arc: its nodes and values; @link and @send_ns are filled in
 * @both: there is a way back, alike but for the SID
 *
 * Return: the number of its first arc; the way back has the next one.
 */
uint32_t topo_add_link(struct topo *topo, const struct topo_arc *arc, bool both);

/* After the last link: makes the lists of each node's arcs. */
void topo_index(struct topo *topo);

/* Return: the number of the node of this name, or TOPO_NONE. */
uint32_t topo_find(const struct topo *topo, const char *name);

/* Can routers and the module take it as a segment or as a host's address? */
bool topo_addr_ok(const struct in6_addr *addr);

#endif /* LAPSCTL_TOPO_GRAPH_H */
