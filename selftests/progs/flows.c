// SPDX-License-Identifier: GPL-2.0
/*
 * Flows by the thousand: flows ADDR SOCKETS.
 *
 * Each socket sends a byte to one port of ADDR after the other, which makes a flow each, until it
 * is refused. Says how many there are and by what the last socket was refused, and keeps them until
 * it is killed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

#define PORTS	65535

/* Return: how many. */
static int open_flows(int fd, const char *host)
{
	struct addr to;
	int port;

	for (port = 1; port <= PORTS; port++) {
		addr_set(&to, host, port);
		if (sendto(fd, "", 1, MSG_DONTWAIT, addr_sa(&to), to.len) != 1)
			break;
	}
	return port - 1;
}

int main(int argc, char **argv)
{
	uint64_t sockets, made = 0, n;
	struct addr to;

	if (argc != 3)
		die("usage: flows ADDR SOCKETS");
	sockets = parse_number("SOCKETS", argv[2]);
	addr_set(&to, argv[1], 1);
	want_files(sockets + 10);
	for (n = 0; n < sockets; n++) {
		errno = 0;
		made += open_flows(open_socket(to.ss.ss_family), argv[1]);
	}
	printf("flows=%llu last=%s\n", (unsigned long long)made, strerrorname_np(errno));
	fflush(stdout);
	pause();
	return EXIT_SUCCESS;
}
