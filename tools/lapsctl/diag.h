/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stands in the way on this host. A check looks at one thing, and adds a
 * finding if something is wrong with it; one that cannot look says nothing.
 */
#ifndef LAPSCTL_DIAG_H
#define LAPSCTL_DIAG_H

#include <ifaddrs.h>
#include <stdbool.h>

#include "nl.h"
#include "rtnl.h"

/* The first two stand in the way. */
enum diag_severity {
	/* Something does not work. */
	DIAG_ERROR,
	/* Something works less well than it could, or for some packets only. */
	DIAG_WARNING,
	/* It depends on what is wanted, or was in the past. */
	DIAG_NOTE,
};

struct finding {
	enum diag_severity severity;
	char *what;
	char *value;
	char *cure;
};

/**
 * struct diag - what the checks look at, and what they have found
 * @findings: in the order of the checks
 * @n: how many
 * @loaded: lapsmp is in the kernel
 * @used: it has opened its port in this namespace
 * @asked: the peer that was asked for, as a row; none: all of them
 * @paths: of it, or all
 * @stats: the namespace's counters
 * @addrs: devices and their addresses
 * @tables: what is in the routing tables
 */
struct diag {
	struct finding *findings;
	size_t n;
	bool loaded;
	bool used;
	struct rows asked;
	struct rows paths;
	struct rows stats;
	struct ifaddrs *addrs;
	struct rtnl_tables tables;
};

/**
 * diag_add() - add a finding
 * @d: to this
 * @severity: how bad it is; of two that are the same the worse one stays
 * @what: is wrong
 * @value: that says so
 * @cure: what to do about it
 *
 * The texts are from xprintf(), and are taken over.
 */
void diag_add(struct diag *d, enum diag_severity severity, char *what, char *value, char *cure);

void diag_free(struct diag *d);

/* Write behind a text that is in @text, or NULL: "a", "a, b" with @between ", ". */
void diag_join(char **text, const char *between, const char *word);

/* A setting, such as "net/lapsmp/port". Return: is there such a number? */
bool diag_setting(const char *name, long *value);

/* The same of a device, with @family "ipv4" or "ipv6". */
bool diag_setting_dev(const char *family, const char *dev, const char *name, long *value);

/* Its name as sysctl(8) takes it, to be freed. */
char *diag_setting_name(const char *family, const char *dev, const char *name);

/* A counter of the kernel's IPv6, or of its TCP/IP extensions; 0 if there is none. */
unsigned long diag_count_ip6(const char *name);
unsigned long diag_count_ext(const char *name);

/* Where a path's packets go, by its first segment if it has any. */
const struct in6_addr *diag_path_to(const struct row *path);

/* From what address, if that was chosen; else NULL. */
const struct in6_addr *diag_path_from(const struct row *path);

/* By what device, or from which the sockets are bound to; else 0. */
uint32_t diag_path_device(const struct row *path);

/* Has it an address or a device that is not its peer's? */
bool diag_path_is_own(const struct row *path);

/* The route that its packets take. Return: as rtnl_route(). */
int diag_path_route(const struct row *path, struct rtnl_route *route);

/* Is it about IPv6, or IPv4? */
static inline bool diag_is_v4(const struct row *row)
{
	return IN6_IS_ADDR_V4MAPPED(row_addr(row, LAPSMP_A_PATH_PEER));
}

/* The checks: of the host, ... */
void diag_module(struct diag *d);
void diag_port(struct diag *d);
void diag_ipv6(struct diag *d);
void diag_vrf(struct diag *d);
void diag_multipath(struct diag *d);
void diag_rp_filter(struct diag *d);
void diag_counters(struct diag *d);
/* ... of it as sender, node or receiver of packets by SRv6 segments, ... */
void diag_seg6_paths(struct diag *d);
void diag_seg6_node(struct diag *d);
void diag_seg6_forwarding(struct diag *d);
void diag_seg6_answers(struct diag *d);
/* ... and of what leads to peers. */
void diag_local(struct diag *d);
void diag_routes(struct diag *d);
void diag_paths(struct diag *d);
void diag_mtu(struct diag *d);

#endif /* LAPSCTL_DIAG_H */
