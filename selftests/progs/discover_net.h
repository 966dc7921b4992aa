/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of "lapsctl path discover" call routers: numbers from 1; the peer is 99. */
#ifndef SELFTESTS_DISCOVER_NET_H
#define SELFTESTS_DISCOVER_NET_H

#include <netinet/in.h>
#include <stdint.h>

#define PEER		99
#define TRACES_MAX	128

static inline struct in6_addr addr(unsigned int router)
{
	return (struct in6_addr){ .s6_addr = { 0xfd, [15] = (uint8_t)router } };
}

#endif /* SELFTESTS_DISCOVER_NET_H */
