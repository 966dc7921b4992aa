/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sockets of probes: opened as probe.h says, and what their addresses look like to
 * the system.
 */
#ifndef LAPSCTL_DISCOVER_SOCK_H
#define LAPSCTL_DISCOVER_SOCK_H

#include <sys/socket.h>

#include "probe.h"

union probe_addr {
	struct sockaddr sa;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static inline bool probe_is_v4(const struct probe_to *to)
{
	return IN6_IS_ADDR_V4MAPPED(&to->peer);
}

/* An address of the peer's family, with the port, in host order. Return: its length. */
socklen_t probe_addr(union probe_addr *a, const struct probe_to *to, const struct in6_addr *addr,
		     uint16_t port);

/* IPv4 as all addresses here are. */
struct in6_addr probe_mapped(const struct in_addr *v4);

/* An option that is an int. Return: false: errno says why not. */
bool probe_option(int fd, int level, int name, int value);

#endif /* LAPSCTL_DISCOVER_SOCK_H */
