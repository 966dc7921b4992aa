// SPDX-License-Identifier: GPL-2.0
/*
 * A sender of its own, that begins its second message before the first one, and
 * then goes on with the first, within the credit that it has.
 *
 * Exit status: 0 if both are whole in the end; 1 if it had no more credit; 2 if it
 * could not be tried.
 */
#include <stdio.h>

#include "byhand.h"
#include "util.h"

#define SEGMENT		1000
#define TRIES		20

static uint32_t used, whole;

/* Return: false if there is no credit, and none comes. */
static bool wait_credit(uint32_t n)
{
	int i;

	for (i = 0; i < TRIES && (int32_t)(byhand_limit - used - n) < 0; i++) {
		byhand_probe();
		sleep_ns(100 * NSEC_PER_MSEC);
	}
	return (int32_t)(byhand_limit - used - n) >= 0;
}

static bool send_rest(uint32_t msg, uint32_t len, uint32_t from)
{
	struct byhand_segment s = { .msg = msg, .msg_len = len };
	uint32_t cost;

	for (s.off = from; s.off < len; s.off += s.len) {
		s.len = len - s.off < SEGMENT ? len - s.off : SEGMENT;
		cost = s.len + (s.off ? 0 : BYHAND_MSG_COST);
		if (!wait_credit(cost))
			return false;
		while (!byhand_send(&s))
			;
		used += cost;
	}
	whole++;
	return true;
}

int main(int argc, char **argv)
{
	struct byhand_segment begin = { .msg = 2, .len = SEGMENT };
	uint32_t first;
	struct packet p;

	if (argc != 4)
		die("usage: interleave ADDR BYTES_OF_FIRST BYTES_OF_SECOND");
	first = parse_number("first", argv[2]);
	begin.msg_len = parse_number("second", argv[3]);
	byhand_connect(argv[1]);
	byhand_open(&begin);
	used = BYHAND_MSG_COST + SEGMENT;
	if (send_rest(1, first, 0))
		send_rest(2, begin.msg_len, SEGMENT);
	/* There may be more answers than questions: the window grows when a message is read. */
	while (byhand_answer(&p))
		;
	printf("whole=%u first_missing=%u used=%u limit=%u\n", whole, byhand_first_missing, used,
	       byhand_limit);
	return whole != 2 || byhand_first_missing != 3;
}
