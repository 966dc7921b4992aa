// SPDX-License-Identifier: GPL-2.0
/*
 * All memory that there is for sending: fill ADDR PORT [SOCKETS].
 *
 * Queues messages for one that does not answer, on as many sockets as it takes until the
 * kernel says ENOBUFS, says how much that was, and keeps it until it is killed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

/* Of a message: a twelfth of what a socket may have queued. */
#define SIZE	(256 << 10)

static char nothing[SIZE];

/* Return: whether the socket's own limit was reached, and not that of all. */
static bool fill_one(int fd, struct addr *to, uint64_t *bytes)
{
	while (sendto(fd, nothing, SIZE, MSG_DONTWAIT, addr_sa(to), to->len) == SIZE)
		*bytes += SIZE;
	if (errno != EAGAIN && errno != ENOBUFS)
		die("sendto: %s", strerror(errno));
	return errno == EAGAIN;
}

int main(int argc, char **argv)
{
	uint64_t most, n = 0, bytes = 0;
	bool more = true;
	struct addr to;

	if (argc < 3)
		die("usage: fill ADDR PORT [SOCKETS]");
	addr_set(&to, argv[1], (int)parse_number("PORT", argv[2]));
	most = argc > 3 ? parse_number("SOCKETS", argv[3]) : 1000;
	while (more && n++ < most)
		more = fill_one(open_socket(to.ss.ss_family), &to, &bytes);
	printf("%s sockets %llu bytes %llu\n", more ? "room" : "full", (unsigned long long)n,
	       (unsigned long long)bytes);
	fflush(stdout);
	pause();
	return EXIT_SUCCESS;
}
