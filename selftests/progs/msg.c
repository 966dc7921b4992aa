// SPDX-License-Identifier: GPL-2.0
/*
 * Message contents: a generator (SplitMix64) started by stream and number, whose
 * first bytes are replaced by a head that says which message this is.
 */
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "util.h"

#define MSG_MAGIC	0x4c41505au
#define MSG_STEP	0x9e3779b97f4a7c15ull

struct msg_head {
	uint32_t magic;
	uint32_t stream;
	uint64_t number;
	uint64_t len;
};

_Static_assert(sizeof(struct msg_head) == MSG_HEAD, "the head has no holes");

static uint64_t msg_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

static uint64_t msg_start(struct msg_id id)
{
	return msg_mix(((uint64_t)id.stream << 40) + id.number + 1);
}

static struct msg_head msg_head_of(struct msg_id id, size_t len)
{
	struct msg_head h = {
		.magic = MSG_MAGIC,
		.stream = id.stream,
		.number = id.number,
		.len = len,
	};

	return h;
}

void msg_fill(void *buf, size_t len, struct msg_id id)
{
	struct msg_head h = msg_head_of(id, len);
	uint64_t state = msg_start(id), word;
	size_t off, n;

	for (off = 0; off < len; off += n) {
		state += MSG_STEP;
		word = msg_mix(state);
		n = len - off < sizeof(word) ? len - off : sizeof(word);
		memcpy((uint8_t *)buf + off, &word, n);
	}
	if (len >= sizeof(h))
		memcpy(buf, &h, sizeof(h));
}

bool msg_is(const void *buf, size_t len, struct msg_id id)
{
	size_t from = len >= MSG_HEAD ? MSG_HEAD : 0, off, n;
	struct msg_head h = msg_head_of(id, len);
	uint64_t state = msg_start(id), word;

	if (from && memcmp(buf, &h, sizeof(h)))
		return false;
	/* The head is a whole number of words. */
	state += from / sizeof(word) * MSG_STEP;
	for (off = from; off < len; off += n) {
		state += MSG_STEP;
		word = msg_mix(state);
		n = len - off < sizeof(word) ? len - off : sizeof(word);
		if (memcmp((const uint8_t *)buf + off, &word, n))
			return false;
	}
	return true;
}

bool msg_parse(const void *buf, size_t len, struct msg_id *id)
{
	struct msg_head h;

	if (len < sizeof(h))
		return false;
	memcpy(&h, buf, sizeof(h));
	id->stream = h.stream;
	id->number = h.number;
	return h.magic == MSG_MAGIC && msg_is(buf, len, *id);
}

static void msg_seen_grow(struct msg_seen *s, uint64_t number)
{
	uint64_t room = s->room ? s->room : 4096;

	while (room <= number)
		room *= 2;
	if (room == s->room)
		return;
	s->map = realloc(s->map, room / 8);
	if (!s->map)
		die("no memory to count %llu messages", (unsigned long long)room);
	memset((uint8_t *)s->map + s->room / 8, 0, (room - s->room) / 8);
	s->room = room;
}

void msg_seen_add(struct msg_seen *s, uint64_t number)
{
	uint64_t bit = 1ull << number % 64;

	msg_seen_grow(s, number);
	if (s->map[number / 64] & bit) {
		s->duplicates++;
		return;
	}
	s->map[number / 64] |= bit;
	s->count++;
	if (number < s->next)
		s->reordered++;
	else
		s->next = number + 1;
}
