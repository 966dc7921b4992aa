// SPDX-License-Identifier: GPL-2.0
/*
 * usage: in_ns NAMESPACE PROGRAM [ARG...]
 *
 * As "ip netns exec", without a /sys of the namespace's own, and without what it
 * takes in an emulated machine to load a program of nine libraries and make a mount
 * namespace.
 *
 * Exit status: the program's; 127 if there is no such program; 2 if there is no
 * such namespace.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

int main(int argc, char **argv)
{
	if (argc < 3)
		die("usage: in_ns NAMESPACE PROGRAM [ARG...]");
	enter_netns(argv[1]);
	execvp(argv[2], argv + 2);
	fprintf(stderr, "in_ns: %s: %s\n", argv[2], strerror(errno));
	return 127;
}
