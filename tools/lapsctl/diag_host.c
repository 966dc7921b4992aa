// SPDX-License-Identifier: GPL-2.0
/* Checks of the host: the module, its port, what the network stack does; see diag.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <net/if.h>

#include "diag.h"
#include "print.h"
#include "util.h"

/* --- the module ------------------------------------------------------------------- */

void diag_module(struct diag *d)
{
	long on4 = 0, on6 = 0;
	bool router;

	if (d->loaded)
		return;
	diag_setting("net/ipv4/ip_forward", &on4);
	diag_setting_dev("ipv6", "all", "forwarding", &on6);
	router = (on4 || on6) && !d->asked.n;
	diag_add(d, router ? DIAG_NOTE : DIAG_ERROR,
		 xprintf("lapsmp is not in the kernel%s",
			 router ? ", which only routers do without" : ""),
		 xprintf("no /proc/sys/net/lapsmp"), xprintf("modprobe lapsmp"));
}

/* --- the UDP port ----------------------------------------------------------------- */

struct holder {
	unsigned long inode;
	char pid[16];
	char name[64];
};

/* The inodes of sockets that have this UDP port. */
static size_t port_inodes(const char *file, unsigned int port, unsigned long *inodes, size_t max)
{
	FILE *in = fopen(file, "r");
	char *line = NULL;
	size_t room = 0, n = 0;
	unsigned int at;

	while (in && n < max && getline(&line, &room, in) > 0) {
		if (sscanf(line, " %*d: %*[0-9A-F]:%x %*[0-9A-F]:%*x %*x %*x:%*x %*x:%*x %*x %*u %*u %lu",
			   &at, &inodes[n]) == 2 && at == port)
			n++;
	}
	if (in)
		fclose(in);
	free(line);
	return n;
}

/* Does the process have a socket of one of these? */
static bool process_has(const char *pid, const unsigned long *inodes, size_t n)
{
	char *path = xprintf("/proc/%s/fd", pid), to[64];
	DIR *dir = opendir(path);
	struct dirent *entry;
	unsigned long inode;
	bool found = false;
	ssize_t len;
	size_t i;

	while (dir && !found && (entry = readdir(dir))) {
		len = readlinkat(dirfd(dir), entry->d_name, to, sizeof(to) - 1);
		to[len > 0 ? len : 0] = '\0';
		if (sscanf(to, "socket:[%lu]", &inode) != 1)
			continue;
		for (i = 0; i < n; i++)
			found = found || inodes[i] == inode;
	}
	if (dir)
		closedir(dir);
	free(path);
	return found;
}

/* Any process that has one of these sockets. The kernel's own belong to none. */
static bool port_holder(const unsigned long *inodes, size_t n, struct holder *holder)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	bool found = false;
	char *path, *at;
	FILE *in;

	while (dir && !found && (entry = readdir(dir)))
		found = isdigit((unsigned char)entry->d_name[0]) &&
			process_has(entry->d_name, inodes, n);
	if (found) {
		snprintf(holder->pid, sizeof(holder->pid), "%.15s", entry->d_name);
		path = xprintf("/proc/%s/comm", holder->pid);
		in = fopen(path, "r");
		if (!in || fscanf(in, "%63[^\n]", holder->name) != 1)
			snprintf(holder->name, sizeof(holder->name), "a program");
		/* Programs choose it: a terminal should not obey. */
		for (at = holder->name; *at; at++)
			*at = isprint((unsigned char)*at) ? *at : '?';
		if (in)
			fclose(in);
		free(path);
	}
	if (dir)
		closedir(dir);
	return found;
}

/* Only root sees everybody's sockets; for others one without a process may be anybody's. */
void diag_port(struct diag *d)
{
	unsigned long inodes[16];
	struct holder holder;
	long port;
	size_t n;

	if (!d->loaded || !diag_setting("net/lapsmp/port", &port))
		return;
	n = port_inodes("/proc/net/udp", (unsigned int)port, inodes, ARRAY_SIZE(inodes));
	n += port_inodes("/proc/net/udp6", (unsigned int)port, inodes + n, ARRAY_SIZE(inodes) - n);
	if (n && port_holder(inodes, n, &holder))
		diag_add(d, DIAG_ERROR,
			 xprintf("UDP port %ld, which lapsmp needs, is taken by %s", port,
				 holder.name),
			 xprintf("net.lapsmp.port=%ld, process %s", port, holder.pid),
			 xprintf("kill %s, or on all hosts: sysctl -w net.lapsmp.port=PORT",
				 holder.pid));
	else
		d->used = n;
}

/* --- the network stack ------------------------------------------------------------ */

/* The first IPv6 peer, or NULL. */
static const struct row *peer_of_ipv6(const struct diag *d)
{
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		if (!diag_is_v4(&d->paths.v[i]))
			return &d->paths.v[i];
	}
	return d->asked.n && !diag_is_v4(&d->asked.v[0]) ? &d->asked.v[0] : NULL;
}

void diag_ipv6(struct diag *d)
{
	const struct row *row = peer_of_ipv6(d);
	char buf[TEXT_MAX];
	long off = 0;
	bool there = diag_setting_dev("ipv6", "all", "disable_ipv6", &off);

	if (!row || (there && !off))
		return;
	text_addr(buf, row_addr(row, LAPSMP_A_PATH_PEER));
	diag_add(d, DIAG_ERROR, xprintf("IPv6 is off here, and peer %s has an IPv6 address", buf),
		 xprintf("%s", there ? "net.ipv6.conf.all.disable_ipv6=1" : "no /proc/sys/net/ipv6"),
		 xprintf("%s", there ? "sysctl -w net.ipv6.conf.all.disable_ipv6=0" :
				       "boot without ipv6.disable=1"));
}

void diag_vrf(struct diag *d)
{
	struct rtnl_link link;
	uint32_t ifindex;
	long on = 1;
	size_t i;

	diag_setting("net/ipv4/udp_l3mdev_accept", &on);
	if (on)
		return;
	for (i = 0; i < d->paths.n; i++) {
		ifindex = diag_path_device(&d->paths.v[i]);
		if (!ifindex || rtnl_link(ifindex, &link) || !link.vrf)
			continue;
		diag_add(d, DIAG_ERROR,
			 xprintf("nothing that comes in by %s, in a VRF, reaches lapsmp", link.name),
			 xprintf("net.ipv4.udp_l3mdev_accept=0"),
			 xprintf("sysctl -w net.ipv4.udp_l3mdev_accept=1"));
	}
}

/* Fields of a packet that policy 3 may look at (fib_multipath_hash_fields). */
#define HASH_FIELD_SRC_PORT	0x10

/* Do source ports choose among equal routes? */
static bool multipath_by_port(const char *family, char **value)
{
	char *policy_name = xprintf("net/%s/fib_multipath_hash_policy", family);
	char *fields_name = xprintf("net/%s/fib_multipath_hash_fields", family);
	long policy, fields = 0;
	bool good = true;

	if (diag_setting(policy_name, &policy)) {
		diag_setting(fields_name, &fields);
		good = policy == 1 || (policy == 3 && fields & HASH_FIELD_SRC_PORT);
		*value = policy == 3 ?
			xprintf("net.%s.fib_multipath_hash_policy=3, fib_multipath_hash_fields=0x%lx",
				family, fields) :
			xprintf("net.%s.fib_multipath_hash_policy=%ld", family, policy);
	}
	free(policy_name);
	free(fields_name);
	return good;
}

static void multipath_check(struct diag *d, const char *family, const char *title)
{
	char *value = NULL;

	if (multipath_by_port(family, &value)) {
		free(value);
		return;
	}
	diag_add(d, DIAG_WARNING,
		 xprintf("%s routes here have several next hops, and source ports do not choose among them%s",
			 title, strcmp(family, "ipv6") ? "" : " (flow labels may)"),
		 value, xprintf("sysctl -w net.%s.fib_multipath_hash_policy=1", family));
}

/* Is there a path of this family that only a port tells from others, or may there be? */
static bool multipath_matters(const struct diag *d, bool v4)
{
	bool other = false;
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		const struct row *row = &d->paths.v[i];

		if (diag_is_v4(row) != v4)
			continue;
		if (!row_has(row, LAPSMP_A_PATH_FLOWLABEL) &&
		    !row_has(row, LAPSMP_A_PATH_SEGS) &&
		    (row_has(row, LAPSMP_A_PATH_OWN_SPORT) || !diag_path_is_own(row)))
			return true;
		other = true;
	}
	return !other && (!d->asked.n || diag_is_v4(&d->asked.v[0]) == v4);
}

void diag_multipath(struct diag *d)
{
	if (d->tables.multipath4 && multipath_matters(d, true))
		multipath_check(d, "ipv4", "IPv4");
	if (d->tables.multipath6 && multipath_matters(d, false))
		multipath_check(d, "ipv6", "IPv6");
}

/*
 * With strict filtering a packet must come in where its answer would leave, which
 * not every path's packets do. Where there is only one device they all do.
 */
void diag_rp_filter(struct diag *d)
{
	unsigned long dropped = diag_count_ext("IPReversePathFilter");
	const struct ifaddrs *a;
	char *strict = NULL, *name;
	long all = 0, own;
	int devices = 0;

	diag_setting_dev("ipv4", "all", "rp_filter", &all);
	if (d->asked.n && !diag_is_v4(&d->asked.v[0]))
		return;
	for (a = d->addrs; dropped && a; a = a->ifa_next) {
		/* Each device once. */
		if (!a->ifa_addr || a->ifa_addr->sa_family != AF_PACKET ||
		    !(a->ifa_flags & IFF_UP) || a->ifa_flags & IFF_LOOPBACK)
			continue;
		devices++;
		if (!diag_setting_dev("ipv4", a->ifa_name, "rp_filter", &own) ||
		    (own > all ? own : all) != 1)
			continue;
		name = diag_setting_name("ipv4", own == 1 ? a->ifa_name : "all", "rp_filter=1");
		if (!strict || !strstr(strict, name))
			diag_join(&strict, ", ", name);
		free(name);
	}
	if (strict && devices > 1)
		diag_add(d, DIAG_WARNING,
			 xprintf("packets that came in by another device than their answers leave by were dropped"),
			 xprintf("IPReversePathFilter %lu, %s", dropped, strict),
			 xprintf("sysctl -w net.ipv4.conf.all.rp_filter=2"));
	free(strict);
}

/* --- counters --------------------------------------------------------------------- */

/* One segment in twenty sent again, and enough of them to say so. */
#define RETRANS_SHARE	20
#define RETRANS_ENOUGH	1000

static void counters_retrans(struct diag *d, const struct row *row)
{
	uint64_t sent = row_u64(row, LAPSMP_A_STATS_TX_SEGS);
	uint64_t again = row_u64(row, LAPSMP_A_STATS_RETRANS_SEGS);
	char share[TEXT_MAX];

	if (sent < RETRANS_ENOUGH || again < sent / RETRANS_SHARE)
		return;
	diag_add(d, DIAG_NOTE, xprintf("many segments had to be sent again"),
		 xprintf("retrans-segs %" PRIu64 ", %s of tx-segs", again,
			 text_share(share, again, sent)),
		 xprintf("lapsctl path show tells on which paths they are lost"));
}

/* They count from the beginning, so what they tell of may be over. */
void diag_counters(struct diag *d)
{
	static const struct {
		uint16_t type;
		const char *cure;
	} counters[] = {
		{ LAPSMP_A_STATS_RX_VERSION, "update lapsmp, here or on the other hosts" },
		{ LAPSMP_A_STATS_RX_NOCSUM,
		  "a host or tunnel on the way takes checksums off: tcpdump -vni any udp port" },
		{ LAPSMP_A_STATS_RX_FORGED,
		  "addresses are translated on the way, or somebody forges: tcpdump -ni any udp port" },
		{ LAPSMP_A_STATS_RX_BAD, "something else sends there: tcpdump -ni any udp port" },
		{ LAPSMP_A_STATS_RX_OVERFLOW_SEGS,
		  "give sockets more memory: sysctl net.lapsmp.rmem_default net.lapsmp.budget_bytes, SO_RCVBUF" },
		{ LAPSMP_A_STATS_ADDRS_REFUSED,
		  "a sender's addresses must all come in by one VRF, or none, and be 16 at most" },
		{ LAPSMP_A_STATS_NOMEM, "free memory; see dmesg" },
		{ LAPSMP_A_STATS_NOROUTE, "lapsctl monitor path tells when; ip route, ip -6 route" },
	};
	const struct row *row = d->stats.n ? &d->stats.v[0] : NULL;
	const struct attr *attr;
	long port = 0;
	size_t i;

	if (!row || d->asked.n)
		return;
	diag_setting("net/lapsmp/port", &port);
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		const char *cure = counters[i].cure;
		bool dump = strlen(cure) > 4 && !strcmp(cure + strlen(cure) - 4, "port");

		if (!row_u64(row, counters[i].type))
			continue;
		attr = attr_get(row->set, counters[i].type);
		diag_add(d, DIAG_NOTE, xprintf("since lapsmp began here: %s", attr->text),
			 xprintf("%s %" PRIu64, attr->name, row_u64(row, counters[i].type)),
			 dump ? xprintf("%s %ld", cure, port) : xprintf("%s", cure));
	}
	counters_retrans(d, row);
}
