// SPDX-License-Identifier: GPL-2.0
/*
 * Notices that nobody reads: notices ADDR PORT COUNT.
 *
 * Sends COUNT messages, asks for a notice of each, and says how many there are when all have
 * arrived.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

#define DRAIN_MS	60000

int main(int argc, char **argv)
{
	uint64_t count, n, notices = 0;
	struct addr to;
	int fd;

	if (argc != 4)
		die("usage: notices ADDR PORT COUNT");
	count = parse_number("COUNT", argv[3]);
	addr_set(&to, argv[1], (int)parse_number("PORT", argv[2]));
	fd = open_socket(to.ss.ss_family);
	set_int(fd, SOL_LAPSMP, LAPSMP_NOTIFY, 1);
	for (n = 0; n < count; n++)
		if (sendto(fd, "", 1, 0, addr_sa(&to), to.len) != 1)
			die("sendto: %s", strerror(errno));
	if (!wait_drained(fd, DRAIN_MS))
		die("not all have arrived");
	while (!recv(fd, NULL, 0, MSG_ERRQUEUE | MSG_DONTWAIT))
		notices++;
	printf("notices=%llu\n", (unsigned long long)notices);
	return EXIT_SUCCESS;
}
