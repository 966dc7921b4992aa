/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What filesend and filerecv agree on.
 *
 * A file travels as numbered pieces, one message each, in order. A message is the
 * header and up to PIECE_MAX bytes; one without bytes marks the end, and its
 * offset is the file's size. The receiver answers the end with the same header,
 * so that the sender knows that the program over there, and not only its kernel,
 * has everything.
 */
#ifndef SELFTESTS_DEMO_H
#define SELFTESTS_DEMO_H

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <linux/lapsmp.h>

#define FILE_PORT	7000
#define PIECE_MAX	65536

/* Nothing happens for so long: the other side is gone. */
#define PATIENCE_S	30

struct piece {
	__be64 offset;
	char data[PIECE_MAX];
};

#define PIECE_HEADER	offsetof(struct piece, data)

__attribute__((noreturn, format(printf, 1, 2)))
static inline void die(const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static inline uint64_t parse_bytes(const char *what, const char *text)
{
	char *end;
	uint64_t n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || end == text || *end)
		die("%s: '%s' is not a number of bytes", what, text);
	return n;
}

/* An ordinary datagram socket but for its protocol. */
static inline int open_socket(void)
{
	const struct timeval patience = { .tv_sec = PATIENCE_S };
	int fd = socket(AF_INET, SOCK_DGRAM, IPPROTO_LAPSMP);

	if (fd < 0)
		die("no lapsmp socket: %s; is the module loaded (modprobe lapsmp)?",
		    strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	return fd;
}

static inline struct sockaddr_in parse_addr(const char *text)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = htons(FILE_PORT) };

	if (inet_pton(AF_INET, text, &sin.sin_addr) != 1)
		die("'%s' is not an IPv4 address", text);
	return sin;
}

static inline struct lapsmp_info get_info(int fd)
{
	struct lapsmp_info info = { 0 };
	socklen_t len = sizeof(info);

	if (getsockopt(fd, SOL_LAPSMP, LAPSMP_INFO, &info, &len))
		die("LAPSMP_INFO: %s", strerror(errno));
	return info;
}

#endif /* SELFTESTS_DEMO_H */
