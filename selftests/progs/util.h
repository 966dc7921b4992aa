/* SPDX-License-Identifier: GPL-2.0 */
/* Sockets, addresses and the clock, for all programs of the selftests. */
#ifndef SELFTESTS_UTIL_H
#define SELFTESTS_UTIL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <linux/lapsmp.h>

#define NSEC_PER_MSEC	1000000ull
#define NSEC_PER_SEC	1000000000ull

#define ARRAY_LEN(a)	(sizeof(a) / sizeof((a)[0]))

/* Ends the program with status 2: the test itself could not be done. */
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

void *xcalloc(size_t n, size_t size);

uint64_t now_ns(void);
void sleep_ns(uint64_t ns);

/* A whole number with the suffix k, M, Ki or Mi perhaps, or death. */
uint64_t parse_number(const char *what, const char *text);

struct addr {
	struct sockaddr_storage ss;
	socklen_t len;
};

/* @host is numeric. */
void addr_set(struct addr *a, const char *host, int port);
int addr_port(const struct addr *a);
static inline struct sockaddr *addr_sa(struct addr *a)
{
	return (struct sockaddr *)&a->ss;
}

/* An lapsmp socket, or death. */
int open_socket(int family);

/* From here on the program is in this namespace of "ip netns". */
void enter_netns(const char *name);

/* A socket in such a namespace; NULL or "" is this one. */
int open_socket_in(const char *netns, int family);

void bind_socket(int fd, const struct addr *a);
void bind_device(int fd, const char *name);

/* The address that a socket is bound to. */
void addr_of(int fd, struct addr *a);

void set_int(int fd, int level, int name, int value);
void set_timeout(int fd, int name, uint64_t ms);
void set_linger(int fd, int seconds);

struct lapsmp_info get_info(int fd);

/* Until everything that was sent is acknowledged or given up: whether it was. */
bool wait_drained(int fd, uint64_t ms);

/* Where every byte costs: emulated, instrumented, or both. */
bool slow_kernel(void);

/* Room for @n open files. */
void want_files(unsigned int n);

#endif /* SELFTESTS_UTIL_H */
