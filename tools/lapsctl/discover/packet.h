/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packet that probes the way, and what comes back of it, as bytes: a PROBE of a
 * flow that nobody has opened. Whoever has lapsmp answers with RESET, which is
 * shorter, and keeps nothing (Documentation/protocol.md, 5.3).
 *
 * Of all that is in it only the flow id is sure to come back: it says which probe is
 * answered, beside random bits that who did not see the probe has to guess.
 */
#ifndef LAPSCTL_DISCOVER_PACKET_H
#define LAPSCTL_DISCOVER_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PROBE needs so many, lest its answer be larger. */
#define PACKET_LEN	56
/* And so many tell which it is. */
#define PACKET_HEAD	24

/**
 * struct packet_id - what a probe is known by
 * @run: random, of this discovery
 * @trace: index of the port
 * @ttl: that it was sent with; 0: all the way
 * @seq: how many were sent to this port before, modulo 256
 */
struct packet_id {
	uint32_t run;
	uint16_t trace;
	uint8_t ttl;
	uint8_t seq;
};

/* Writes PACKET_LEN bytes. @id->run is not 0. */
void packet_build(uint8_t *buf, const struct packet_id *id);

/**
 * packet_answer() - what the peer's lapsmp sent
 * @buf: a UDP datagram's payload
 * @len: its bytes
 * @id: result
 *
 * Return: whether it is an answer of lapsmp to a probe: RESET, COOKIE or VERSION.
 */
bool packet_answer(const uint8_t *buf, size_t len, struct packet_id *id);

/**
 * packet_quoted() - what an ICMP error quotes of a probe
 * @buf: what is quoted behind the UDP header
 * @len: its bytes, perhaps 0
 * @id: result
 *
 * Return: whether enough is there to tell, and it is a probe.
 */
bool packet_quoted(const uint8_t *buf, size_t len, struct packet_id *id);

#endif /* LAPSCTL_DISCOVER_PACKET_H */
