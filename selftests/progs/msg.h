/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbered messages, whose every byte follows from their stream, number and
 * length, so that a receiver can tell whether one is whole, and which it is.
 */
#ifndef SELFTESTS_MSG_H
#define SELFTESTS_MSG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Smaller messages have the bytes, but do not say who they are. */
#define MSG_HEAD	24

struct msg_id {
	uint32_t stream;
	uint64_t number;	/* from 0 on */
};

/* Fills @buf with message @id of @len bytes. */
void msg_fill(void *buf, size_t len, struct msg_id id);

/* Whether @buf is message @id. */
bool msg_is(const void *buf, size_t len, struct msg_id id);

/* Whether @buf, of MSG_HEAD bytes at least, is an unaltered message; which. */
bool msg_parse(const void *buf, size_t len, struct msg_id *id);

/* What has arrived of one stream. */
struct msg_seen {
	uint64_t *map;
	uint64_t room;		/* numbers that @map has bits for */
	uint64_t count;
	uint64_t next;		/* highest number seen, and 1 */
	uint64_t duplicates;
	uint64_t reordered;
};

void msg_seen_add(struct msg_seen *s, uint64_t number);

static inline uint64_t msg_seen_missing(const struct msg_seen *s)
{
	return s->next - s->count;
}

#endif /* SELFTESTS_MSG_H */
