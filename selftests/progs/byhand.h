/* SPDX-License-Identifier: GPL-2.0 */
/* A flow whose segments are sent by hand, in any order and size; for one at a time. */
#ifndef SELFTESTS_BYHAND_H
#define SELFTESTS_BYHAND_H

#include <stdbool.h>
#include <stdint.h>

#include "packet.h"

/* Credits that a message costs beside its bytes. */
#define BYHAND_MSG_COST	512

/* What the receiver said last: its window, and the first message that is not whole. */
extern uint32_t byhand_limit, byhand_first_missing;

/* Is a RESET an answer like others, and not the end? And the last one's reason. */
extern bool byhand_takes_resets;
extern uint16_t byhand_reset;

/* A stretch of a message. */
struct byhand_segment {
	uint32_t msg, msg_len;
	uint32_t off, len;
	const void *data;	/* NULL: any bytes */
	bool unordered;
};

/* By which UDP socket; to port 7000 there. */
void byhand_connect(const char *host);

/* Opens the flow with this segment, after a cookie. */
void byhand_open(const struct byhand_segment *s);

/* Sends it, and waits for an answer up to 200 ms. Return: whether there was one. */
bool byhand_send(const struct byhand_segment *s);

/* Gives it up, likewise. */
bool byhand_abort(uint32_t msg, uint32_t msg_len);

/* And @n of them that are as long, from @msg on, 40 at most, in one turn of the receiver's. */
void byhand_abort_at_once(uint32_t msg, uint32_t n, uint32_t msg_len);

/* Asks for the window. */
void byhand_probe(void);

/* What has come in, within 200 ms. Return: whether anything. */
bool byhand_answer(struct packet *p);

#endif /* SELFTESTS_BYHAND_H */
