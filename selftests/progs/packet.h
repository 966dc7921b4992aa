/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets made by hand, as Documentation/protocol.md defines them, and Ethernet
 * frames that carry them. Independent of the kernel's own parser, on purpose.
 */
#ifndef SELFTESTS_PACKET_H
#define SELFTESTS_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKET_MAX	2048

enum packet_type {
	T_DATA = 1, T_ACK, T_PROBE, T_PROBE_ACK, T_WPROBE, T_WUPDATE, T_ABORT, T_CLOSE, T_RESET,
	T_COOKIE, T_VERSION, T_CHALLENGE, T_COUNT,
};

struct packet {
	uint8_t data[PACKET_MAX];
	size_t len;
};

/* A generator that gives the same for the same seed. */
struct rnd {
	uint64_t state;
};

uint64_t rnd_next(struct rnd *r);
static inline uint32_t rnd_below(struct rnd *r, uint32_t n)
{
	return (uint32_t)(rnd_next(r) >> 32) % n;
}

static inline uint8_t packet_type(const struct packet *p)
{
	return p->len ? p->data[0] & 15 : 0;
}

void packet_put(struct packet *p, size_t at, unsigned int bytes, uint64_t value);

/* A correct packet of @type; DATA carries @payload bytes. */
void packet_make(struct packet *p, enum packet_type type, uint64_t flow_id, size_t payload);

/* Inserts an option behind the header, whose @len bytes follow kind and length. */
void packet_option(struct packet *p, uint8_t kind, const void *body, size_t len);

/* The option that opens a flow to port @dport. */
void packet_open(struct packet *p, uint16_t dport, uint64_t number, uint64_t own_inc,
		 uint64_t his_inc);

/* If it opens a flow: another flow, whose number is @more above. Else false. */
bool packet_advance(struct packet *p, uint64_t flow_id, uint64_t more);

/* Changes one to four things in it. */
void packet_mutate(struct packet *p, struct rnd *r);

/* --- frames ------------------------------------------------------------------- */

struct frame {
	uint8_t data[65536];
	size_t len;
	size_t udp;		/* where the UDP header is */
	bool v6;
};

/* Finds the UDP header: whether it is a packet to or from lapsmp's port @port. */
bool frame_parse(struct frame *f, uint16_t port);

/* Takes the UDP payload out, if it fits; and back, with lengths and checksums. */
bool frame_get(const struct frame *f, struct packet *p);
void frame_set(struct frame *f, const struct packet *p);

/*
 * Another source address, of the frame's family or nothing is changed; the checksums
 * are left as they are.
 */
void frame_source(struct frame *f, const char *addr);

/* Only the checksums: what was captured may lack them. */
void frame_checksums(struct frame *f);

#endif /* SELFTESTS_PACKET_H */
