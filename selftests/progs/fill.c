// SPDX-License-Identifier: GPL-2.0
/*
 * All memory that there is for sending: fill ADDR PORT.
 *
 * Queues messages for one that does not answer, on as many sockets as it takes until a new one
 * can queue nothing, says how much that was, and keeps it until it is killed.
 *
 * Exit status: 1 if poll() says that there is room where there is none; 2 if it could not be
 * tried.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

/* Of a message: a twelfth of what a socket may have queued. */
#define SIZE	(256 << 10)
#define SOCKETS	1000

static char nothing[SIZE];

/* Until it is full. Return: bytes. */
static uint64_t fill_one(int fd, struct addr *to)
{
	struct pollfd pfd = { .fd = fd, .events = POLLOUT };
	uint64_t bytes = 0;

	while (sendto(fd, nothing, SIZE, MSG_DONTWAIT, addr_sa(to), to->len) == SIZE)
		bytes += SIZE;
	if (errno != EAGAIN)
		die("sendto: %s", strerror(errno));
	if (poll(&pfd, 1, 0)) {
		printf("room, says poll(), and sendto() that there is none\n");
		exit(EXIT_FAILURE);
	}
	return bytes;
}

int main(int argc, char **argv)
{
	uint64_t n, one = 1, bytes = 0;
	struct addr to;

	if (argc != 3)
		die("usage: fill ADDR PORT");
	want_files(SOCKETS + 10);
	addr_set(&to, argv[1], (int)parse_number("PORT", argv[2]));
	for (n = 0; one && n < SOCKETS; n++) {
		one = fill_one(open_socket(to.ss.ss_family), &to);
		bytes += one;
	}
	printf("%s sockets=%llu bytes=%llu\n", one ? "room" : "full", (unsigned long long)n,
	       (unsigned long long)bytes);
	fflush(stdout);
	pause();
	return EXIT_SUCCESS;
}
