// SPDX-License-Identifier: GPL-2.0
/*
 * One message, within the window, in as many segments as can be: crumbs ADDR BYTES STEP OVERLAP
 * [gap]. Each segment has STEP new bytes, and OVERLAP that the one before it had. With "gap"
 * the first one comes last.
 *
 * When the receiver takes no more, or only the last segment is missing, it says so and waits
 * for SIGTERM; then it sends the rest, for as long as it takes.
 *
 * Exit status: 0 if the message is whole in the end; 1 if not; 2 if it could not be tried.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "byhand.h"
#include "msg.h"
#include "util.h"

#define TRIES		3
#define TRIES_LATER	200

static uint32_t step, overlap;
static uint64_t segments;

static void wait_term(const sigset_t *set)
{
	int sig;

	sigwait(set, &sig);
}

/* The segment whose new bytes begin at @off. */
static struct byhand_segment crumb(const uint8_t *msg, uint32_t len, uint32_t off)
{
	uint32_t from = off > overlap ? off - overlap : 0;
	uint32_t to = off + step < len ? off + step : len;

	return (struct byhand_segment){
		.msg = 1, .msg_len = len, .off = from, .len = to - from, .data = msg + from,
	};
}

static bool send_crumb(const uint8_t *msg, uint32_t len, uint32_t off, int tries)
{
	struct byhand_segment s = crumb(msg, len, off);

	while (tries--) {
		if (byhand_send(&s)) {
			segments++;
			return true;
		}
	}
	return false;
}

int main(int argc, char **argv)
{
	struct byhand_segment open;
	int tries = TRIES_LATER;
	uint32_t len, off;
	struct packet p;
	uint8_t *msg;
	sigset_t set;
	bool gap;

	if (argc < 5)
		die("usage: crumbs ADDR BYTES STEP OVERLAP [gap]");
	len = parse_number("BYTES", argv[2]);
	step = parse_number("STEP", argv[3]);
	overlap = parse_number("OVERLAP", argv[4]);
	gap = argc > 5 && !strcmp(argv[5], "gap");
	if (!step || len <= 2 * step)
		die("BYTES must be more than two times STEP");
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	msg = xcalloc(1, len);
	msg_fill(msg, len, (struct msg_id){ .stream = 1 });
	byhand_connect(argv[1]);

	open = crumb(msg, len, gap ? step + overlap : 0);
	byhand_open(&open);
	off = open.off + open.len;
	while (off + step < len && send_crumb(msg, len, off, TRIES))
		off += step;
	printf("held off=%u segments=%llu\n", off, (unsigned long long)segments);
	fflush(stdout);
	wait_term(&set);
	if (gap) {
		open = crumb(msg, len, 0);
		open.len = step + overlap;
		while (tries-- && !byhand_send(&open))
			;
	}
	while (off < len && send_crumb(msg, len, off, TRIES_LATER))
		off += step;
	while (byhand_answer(&p))
		;
	printf("off=%u segments=%llu first_missing=%u\n", off, (unsigned long long)segments,
	       byhand_first_missing);
	return byhand_first_missing != 2;
}
