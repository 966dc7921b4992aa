// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that are given up before anything of them came, or hardly anything: aborts ADDR COUNT,
 * aborts ADDR huge BYTES, aborts ADDR begun BYTES, aborts ADDR early BYTES, or
 * aborts ADDR shrunk BYTES.
 *
 * COUNT: message 2, and not 1; then as many ABORTs behind it, until one is refused. It says
 * how many were taken and waits for SIGTERM; then come message 1 and another one.
 *
 * huge: one ABORT of a message of BYTES; then messages for as long as they are taken, to one
 * who reads nothing yet; and one more when he does.
 *
 * begun: the first byte of each of 40 messages of BYTES, all of which are given up at once; then
 * one after another what was not taken; and one that is whole. It says what the window is then,
 * beyond all that was used.
 *
 * early: two ABORTs of BYTES at once, the first byte of the second one, and its ABORT; and one that
 * is whole.
 *
 * shrunk: half of message 1; all that the window allows but 50000 bytes; the first byte of one of
 * BYTES. Then it waits for SIGTERM, gives that up, and sends what is missing, and one more.
 *
 * Exit status: 0 if all are whole in the end; 1 if not; 2 if it could not be tried.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "byhand.h"
#include "msg.h"
#include "util.h"

#define BYTES		1000
#define COST		(BYTES + BYHAND_MSG_COST)
#define MOST		1000
#define BEGUN		40
#define ROOM		50000
#define TRIES		3
#define TRIES_LATER	500

static uint8_t data[BYTES];

/* Message @msg, which is @number of those that are to be delivered. */
static struct byhand_segment message(uint32_t msg, uint32_t number)
{
	msg_fill(data, BYTES, (struct msg_id){ .stream = 1, .number = number });
	return (struct byhand_segment){
		.msg = msg, .msg_len = BYTES, .len = BYTES, .data = data,
	};
}

static bool taken(uint32_t msg, uint32_t number)
{
	struct byhand_segment s = message(msg, number);
	int tries = TRIES;

	while (tries--)
		if (byhand_send(&s))
			return true;
	return false;
}

static bool given_up(uint32_t msg, uint32_t bytes)
{
	int tries = TRIES;

	while (tries--)
		if (byhand_abort(msg, bytes))
			return true;
	return false;
}

/* An answer may be an older one, or of a window. */
static bool delivered(uint32_t msg, uint32_t number)
{
	struct byhand_segment s = message(msg, number);
	int tries = TRIES_LATER;

	while (byhand_first_missing <= msg && tries--)
		byhand_send(&s);
	return byhand_first_missing > msg;
}

/* What it waits for may come at any time from now on. */
static sigset_t signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return set;
}

static int many(uint32_t count)
{
	struct byhand_segment late = message(2, 1);
	sigset_t set = signals();
	uint32_t n = 0;
	int sig;

	byhand_open(&late);
	while (n < count && given_up(3 + n, 0))
		n++;
	printf("held aborts=%u\n", n);
	fflush(stdout);
	sigwait(&set, &sig);
	return !delivered(1, 0) || !delivered(3 + n, 2);
}

static int huge(uint32_t bytes)
{
	struct byhand_segment first = message(1, 0);
	uint32_t n = 1, used, limit;
	int tries = TRIES_LATER;

	byhand_takes_resets = true;
	byhand_open(&first);
	byhand_abort(2, bytes);
	while (n < MOST && taken(1 + n, n))
		n++;
	used = n * COST;
	limit = byhand_limit;
	printf("reset=%u taken=%u used=%u limit=%u cost=%u\n", byhand_reset, n, used, limit, COST);
	fflush(stdout);
	/* Until he reads. */
	while (byhand_limit == limit && tries--)
		byhand_probe();
	return !delivered(1 + n, n);
}

static int begun(uint32_t bytes)
{
	struct byhand_segment s = message(1, 0), first = { .msg_len = bytes, .len = 1 };
	int tries = TRIES_LATER;
	uint32_t msg;

	byhand_open(&s);
	for (msg = 2; msg < 2 + BEGUN; msg++) {
		first.msg = msg;
		byhand_send(&first);
	}
	byhand_abort_at_once(2, BEGUN, bytes);
	for (msg = 2; msg < 2 + BEGUN; msg++)
		while (byhand_first_missing <= msg && tries--)
			byhand_abort(msg, bytes);
	if (!delivered(2 + BEGUN, 1))
		return 1;
	byhand_probe();
	printf("room=%d\n", (int32_t)(byhand_limit - BEGUN * (bytes + BYHAND_MSG_COST) - 2 * COST));
	return 0;
}

static int early(uint32_t bytes)
{
	struct byhand_segment s = message(1, 0), first = { .msg = 3, .msg_len = bytes, .len = 1 };
	int tries = TRIES_LATER;

	byhand_takes_resets = true;
	byhand_open(&s);
	byhand_abort_at_once(2, 2, bytes);
	byhand_send(&first);
	printf("reset=%u\n", byhand_reset);
	while (byhand_first_missing <= first.msg && tries--)
		byhand_abort(first.msg, bytes);
	return !delivered(4, 1);
}

/* This half of it: 0 or 1. */
static struct byhand_segment half(uint32_t msg, uint32_t number, int which)
{
	struct byhand_segment s = message(msg, number);

	s.len = BYTES / 2;
	s.off = which * s.len;
	s.data = data + s.off;
	return s;
}

static int shrunk(uint32_t bytes)
{
	struct byhand_segment s = half(1, 0, 1), first = { .msg_len = bytes, .len = 1 };
	int sig, tries = TRIES_LATER;
	sigset_t set = signals();
	uint32_t n = 1;

	byhand_open(&s);
	while (n < MOST && byhand_limit - n * COST > ROOM && taken(1 + n, n))
		n++;
	first.msg = 1 + n;
	byhand_send(&first);
	printf("full messages=%u limit=%u\n", n, byhand_limit);
	fflush(stdout);
	sigwait(&set, &sig);
	if (!given_up(first.msg, bytes))
		return 1;
	while (byhand_first_missing <= 1 && tries--) {
		s = half(1, 0, 0);
		byhand_send(&s);
	}
	return !delivered(2 + n, n);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		die("usage: aborts ADDR COUNT | aborts ADDR huge|begun|early|shrunk BYTES");
	byhand_connect(argv[1]);
	if (argc > 3 && !strcmp(argv[2], "huge"))
		return huge(parse_number("BYTES", argv[3]));
	if (argc > 3 && !strcmp(argv[2], "begun"))
		return begun(parse_number("BYTES", argv[3]));
	if (argc > 3 && !strcmp(argv[2], "early"))
		return early(parse_number("BYTES", argv[3]));
	if (argc > 3 && !strcmp(argv[2], "shrunk"))
		return shrunk(parse_number("BYTES", argv[3]));
	return many(parse_number("COUNT", argv[2]));
}
