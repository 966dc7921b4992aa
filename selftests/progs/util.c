// SPDX-License-Identifier: GPL-2.0
/* Sockets, addresses and the clock, for all programs of the selftests. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "util.h"

void die(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		die("no memory for %zu bytes", n * size);
	return p;
}

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

void sleep_ns(uint64_t ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(ns / NSEC_PER_SEC),
		.tv_nsec = (long)(ns % NSEC_PER_SEC),
	};

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}

uint64_t parse_number(const char *what, const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);

	if (end != text && !strcmp(end, "k"))
		return n * 1000;
	if (end != text && !strcmp(end, "M"))
		return n * 1000000;
	if (end != text && !strcmp(end, "Ki"))
		return n << 10;
	if (end != text && !strcmp(end, "Mi"))
		return n << 20;
	if (end == text || *end)
		die("%s %s: not a number", what, text);
	return n;
}

void addr_set(struct addr *a, const char *host, int port)
{
	struct sockaddr_in6 *sin6 = (struct sockaddr_in6 *)&a->ss;
	struct sockaddr_in *sin = (struct sockaddr_in *)&a->ss;

	memset(a, 0, sizeof(*a));
	if (inet_pton(AF_INET, host, &sin->sin_addr) == 1) {
		sin->sin_family = AF_INET;
		sin->sin_port = htons(port);
		a->len = sizeof(*sin);
	} else if (inet_pton(AF_INET6, host, &sin6->sin6_addr) == 1) {
		sin6->sin6_family = AF_INET6;
		sin6->sin6_port = htons(port);
		a->len = sizeof(*sin6);
	} else {
		die("%s is not an address", host);
	}
}

int addr_port(const struct addr *a)
{
	/* At the same place in both. */
	return ntohs(((const struct sockaddr_in *)&a->ss)->sin_port);
}

int open_socket(int family)
{
	int fd = socket(family, SOCK_DGRAM, IPPROTO_LAPSMP);

	if (fd < 0)
		die("socket: %s", strerror(errno));
	return fd;
}

void enter_netns(const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die("cannot enter %s: %s", path, strerror(errno));
	close(fd);
}

int open_socket_in(const char *netns, int family)
{
	int own, fd;

	if (!netns || !*netns)
		return open_socket(family);
	own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	enter_netns(netns);
	fd = open_socket(family);
	if (own < 0 || setns(own, CLONE_NEWNET))
		die("cannot leave %s: %s", netns, strerror(errno));
	close(own);
	return fd;
}

void bind_socket(int fd, const struct addr *a)
{
	if (bind(fd, (const struct sockaddr *)&a->ss, a->len))
		die("bind to port %d: %s", addr_port(a), strerror(errno));
}

void bind_device(int fd, const char *name)
{
	if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name, (socklen_t)strlen(name)))
		die("bind to device %s: %s", name, strerror(errno));
}

void addr_of(int fd, struct addr *a)
{
	a->len = sizeof(a->ss);
	if (getsockname(fd, addr_sa(a), &a->len))
		die("getsockname: %s", strerror(errno));
}

void set_int(int fd, int level, int name, int value)
{
	if (setsockopt(fd, level, name, &value, sizeof(value)))
		die("option %d of level %d to %d: %s", name, level, value, strerror(errno));
}

void set_timeout(int fd, int name, uint64_t ms)
{
	struct timeval tv = {
		.tv_sec = (time_t)(ms / 1000),
		.tv_usec = (suseconds_t)(ms % 1000 * 1000),
	};

	if (setsockopt(fd, SOL_SOCKET, name, &tv, sizeof(tv)))
		die("time-out option %d: %s", name, strerror(errno));
}

void set_linger(int fd, int seconds)
{
	struct linger l = { .l_onoff = 1, .l_linger = seconds };

	if (setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof(l)))
		die("SO_LINGER: %s", strerror(errno));
}

struct lapsmp_info get_info(int fd)
{
	struct lapsmp_info info = { 0 };
	socklen_t len = sizeof(info);

	if (getsockopt(fd, SOL_LAPSMP, LAPSMP_INFO, &info, &len))
		die("LAPSMP_INFO: %s", strerror(errno));
	return info;
}

bool wait_drained(int fd, uint64_t ms)
{
	uint64_t end = now_ns() + ms * NSEC_PER_MSEC, pause = NSEC_PER_MSEC;
	struct lapsmp_info info;

	do {
		info = get_info(fd);
		if (info.tx_acked_messages + info.tx_failed_messages >= info.tx_messages)
			return true;
		sleep_ns(pause);
		/* Looking costs nothing but time, and of that much when simulated. */
		if (pause < 50 * NSEC_PER_MSEC)
			pause += pause / 4;
	} while (now_ns() < end);
	return false;
}

void want_files(unsigned int n)
{
	struct rlimit lim = { .rlim_cur = n, .rlim_max = n };

	if (setrlimit(RLIMIT_NOFILE, &lim))
		die("no %u open files: %s", n, strerror(errno));
}

bool slow_kernel(void)
{
	const char *kernel = getenv("LAPSMP_KERNEL");

	return kernel && strcmp(kernel, "uml");
}
