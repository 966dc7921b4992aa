// SPDX-License-Identifier: GPL-2.0
/*
 * One who gives up what he never sent: giveup ADDR COUNT | giveup ADDR huge BYTES.
 *
 * With COUNT: half of message 1, then so many messages behind it are given up, one after another,
 * until the receiver takes no more. It says how many that were and waits for SIGTERM; then comes
 * the other half, and one more message.
 *
 * Exit status: 0 if all is whole in the end, or the huge one was not answered by a reset; 1 if
 * not; 2 if it could not be tried.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "byhand.h"
#include "msg.h"
#include "util.h"

#define BYTES		100
#define TRIES		3
#define TRIES_LATER	200

static uint8_t data[BYTES];

static struct byhand_segment half(uint32_t msg, uint32_t number, uint32_t from, uint32_t to)
{
	msg_fill(data, BYTES, (struct msg_id){ .stream = 1, .number = number });
	return (struct byhand_segment){
		.msg = msg, .msg_len = BYTES, .off = from, .len = to - from, .data = data + from,
	};
}

static bool give_up(uint32_t msg)
{
	int tries = TRIES;

	while (tries--)
		if (byhand_abort(msg, 0))
			return true;
	return false;
}

static bool deliver(struct byhand_segment s)
{
	int tries = TRIES_LATER;

	while (tries--)
		if (byhand_send(&s) && byhand_first_missing > s.msg)
			return true;
	return false;
}

static int many(uint32_t count)
{
	struct byhand_segment s = half(1, 0, 0, BYTES / 2);
	uint32_t msg = 2;
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	byhand_open(&s);
	while (msg < 2 + count && give_up(msg))
		msg++;
	printf("held aborts=%u\n", msg - 2);
	fflush(stdout);
	sigwait(&set, &sig);
	return !deliver(half(1, 0, BYTES / 2, BYTES)) || !deliver(half(msg, 1, 0, BYTES));
}

static int huge(uint32_t bytes)
{
	struct byhand_segment s = half(1, 0, 0, BYTES);

	byhand_open(&s);
	byhand_abort(2, bytes);
	return !deliver(half(3, 1, 0, BYTES));
}

int main(int argc, char **argv)
{
	if (argc < 3)
		die("usage: giveup ADDR COUNT | giveup ADDR huge BYTES");
	byhand_connect(argv[1]);
	if (argc > 3 && !strcmp(argv[2], "huge"))
		return huge(parse_number("BYTES", argv[3]));
	return many(parse_number("COUNT", argv[2]));
}
