// SPDX-License-Identifier: GPL-2.0
/*
 * MPTCP's subflows. The kernel's own path manager makes one for each address of a host, and
 * lets both ends do so; a fabric's hosts have one address. So this process is the path
 * manager (net.mptcp.pm_type is 1): a connection gets subflows that differ in their ports,
 * by which routers choose, and the ports are the seed's.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/mptcp.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fabric.h"
#include "info.h"
#include "lapsperf.h"
#include "util.h"

/* How often it is looked whether handshakes have ended. */
#define LOOK_NS		20000

struct message {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	uint8_t attrs[4096];
};

/**
 * struct manager - the kernel's names for what it tells path managers
 * @family: of generic netlink
 * @events: the group that a path manager is in: a host that has nobody there takes no
 *	subflows from others
 */
struct manager {
	uint16_t family;
	uint32_t events;
};

/* --- netlink --- */

static struct nlattr *put(struct message *m, int type, const void *data, size_t len)
{
	struct nlattr *a = (struct nlattr *)((uint8_t *)m + m->nl.nlmsg_len);

	a->nla_type = (uint16_t)type;
	a->nla_len = (uint16_t)(NLA_HDRLEN + len);
	memcpy((uint8_t *)a + NLA_HDRLEN, data, len);
	m->nl.nlmsg_len += (uint32_t)NLA_ALIGN(a->nla_len);
	return a;
}

static void put_addr(struct message *m, int type, const struct addr *a, uint8_t id)
{
	struct nlattr *nest = put(m, type | NLA_F_NESTED, "", 0);
	uint16_t family = a->ss.ss_family, port = (uint16_t)addr_port(a);

	put(m, MPTCP_PM_ADDR_ATTR_FAMILY, &family, sizeof(family));
	if (family == AF_INET6)
		put(m, MPTCP_PM_ADDR_ATTR_ADDR6,
		    &((const struct sockaddr_in6 *)&a->ss)->sin6_addr, sizeof(struct in6_addr));
	else
		put(m, MPTCP_PM_ADDR_ATTR_ADDR4,
		    &((const struct sockaddr_in *)&a->ss)->sin_addr, sizeof(struct in_addr));
	put(m, MPTCP_PM_ADDR_ATTR_PORT, &port, sizeof(port));
	put(m, MPTCP_PM_ADDR_ATTR_ID, &id, sizeof(id));
	nest->nla_len = (uint16_t)((uint8_t *)m + m->nl.nlmsg_len - (uint8_t *)nest);
}

static struct message message(uint16_t family, uint8_t cmd, uint8_t version)
{
	return (struct message){
		.nl = {
			.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN),
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
		.genl = { .cmd = cmd, .version = version },
	};
}

/* The answer takes the place of the question. Returns 0 or what errno would be. */
static int ask(int fd, struct message *m)
{
	const struct nlmsgerr *err = (const struct nlmsgerr *)&m->genl;

	if (send(fd, m, m->nl.nlmsg_len, 0) < 0 || recv(fd, m, sizeof(*m), 0) < 0)
		return errno;
	return m->nl.nlmsg_type == NLMSG_ERROR ? -err->error : 0;
}

/* What is in it, and in @len how much that is; or NULL. */
static const void *find(const void *attrs, size_t *len, int type)
{
	const uint8_t *at = attrs, *end = at + *len;
	const struct nlattr *a;

	for (; at + NLA_HDRLEN <= end; at += NLA_ALIGN(a->nla_len)) {
		a = (const struct nlattr *)at;
		if (a->nla_len < NLA_HDRLEN || at + a->nla_len > end)
			break;
		if ((a->nla_type & NLA_TYPE_MASK) == type) {
			*len = a->nla_len - NLA_HDRLEN;
			return at + NLA_HDRLEN;
		}
	}
	return NULL;
}

/* --- the path manager --- */

/* In a host's namespace. */
static int netlink_in(const struct fabric *f, const struct host *h)
{
	int fd = -1;

	if (!setns(h->netns, CLONE_NEWNET))
		fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (fd < 0 || setns(f->home, CLONE_NEWNET))
		die(EXIT_RUN, "netlink in %s: %s", h->name, strerror(errno));
	return fd;
}

/* Groups are numbered in a list of lists, from 1 on. */
static uint32_t find_group(const void *groups, size_t groups_len, const char *name)
{
	const void *group, *found;
	size_t len, part;
	int i;

	for (i = 1;; i++) {
		len = groups_len;
		group = find(groups, &len, i);
		if (!group)
			return 0;
		part = len;
		found = find(group, &part, CTRL_ATTR_MCAST_GRP_NAME);
		if (found && !strncmp(found, name, part))
			break;
	}
	found = find(group, &len, CTRL_ATTR_MCAST_GRP_ID);
	return found ? *(const uint32_t *)found : 0;
}

static struct manager manager_find(const struct fabric *f)
{
	struct message m = message(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1);
	int fd = netlink_in(f, &f->hosts[0]);
	struct manager manager = { 0 };
	const void *found;
	size_t len, all;

	put(&m, CTRL_ATTR_FAMILY_NAME, MPTCP_PM_NAME, sizeof(MPTCP_PM_NAME));
	errno = ask(fd, &m);
	if (errno)
		die(EXIT_RUN, "no path manager for MPTCP: %s", strerror(errno));
	close(fd);
	all = m.nl.nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN);
	len = all;
	found = find(m.attrs, &len, CTRL_ATTR_FAMILY_ID);
	if (found)
		manager.family = *(const uint16_t *)found;
	len = all;
	found = find(m.attrs, &len, CTRL_ATTR_MCAST_GROUPS);
	if (found)
		manager.events = find_group(found, len, MPTCP_PM_EV_GRP_NAME);
	if (!manager.family || !manager.events)
		die(EXIT_RUN, "the path manager for MPTCP is not as expected");
	return manager;
}

/* Nothing is read of it: to be there is enough, until the process ends. */
static void manager_begin(const struct fabric *f, const struct manager *manager)
{
	uint32_t i;
	int fd;

	for (i = 0; i < f->n_hosts; i++) {
		fd = netlink_in(f, &f->hosts[i]);
		if (setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &manager->events,
			       sizeof(manager->events)))
			die(EXIT_RUN, "netlink in %s: %s", f->hosts[i].name, strerror(errno));
	}
}

static uint32_t token_of(const struct fabric *f, const struct sender *s)
{
	struct mptcp_info info = { 0 };
	socklen_t len = sizeof(info);

	/* The kernel has room for four ends of connections for each MB of memory, about. */
	if (getsockopt(s->fd, SOL_MPTCP, MPTCP_INFO, &info, &len) ||
	    info.mptcpi_flags & MPTCP_INFO_FLAG_FALLBACK)
		die(EXIT_RUN, "%s to %s: MPTCP became TCP; are there too many for the memory?",
		    f->hosts[s->src].name, f->hosts[s->dst].name);
	return info.mptcpi_token;
}

static uint32_t subflows_of(const struct sender *s)
{
	struct sock_info info = { 0 };

	info_add(&info, s->by->proto, s->fd);
	return (uint32_t)info.established;
}

static void subflow_add(struct fabric *f, const struct manager *manager, int fd,
			const struct sender *s, uint8_t id)
{
	struct message m = message(manager->family, MPTCP_PM_CMD_SUBFLOW_CREATE, MPTCP_PM_VER);
	const struct host *src = &f->hosts[s->src], *dst = &f->hosts[s->dst];
	uint32_t token = token_of(f, s);
	struct addr from = src->addr;

	addr_set_port(&from, fabric_port(f));
	put(&m, MPTCP_PM_ATTR_TOKEN, &token, sizeof(token));
	put_addr(&m, MPTCP_PM_ATTR_ADDR, &from, id);
	put_addr(&m, MPTCP_PM_ATTR_ADDR_REMOTE, &dst->addr, 0);
	errno = ask(fd, &m);
	if (errno)
		die(EXIT_RUN, "a subflow from %s to %s: %s", addr_str(&from), dst->name,
		    strerror(errno));
}

static void subflows_wait(const struct fabric *f, const struct sender *s)
{
	uint64_t give_up = now_ns() + f->p->idle_ns;

	while (subflows_of(s) < f->p->subflows) {
		if (now_ns() > give_up)
			die(EXIT_RUN, "%s to %s: %u of %u subflows", f->hosts[s->src].name,
			    f->hosts[s->dst].name, subflows_of(s), f->p->subflows);
		sleep_ns(LOOK_NS);
	}
}

/*
 * Gives all connections their subflows. One after the other: nothing is to be lost. Each
 * has carried data before; without that it takes none.
 */
void fabric_join(struct fabric *f)
{
	struct manager manager = manager_find(f);
	const struct sender *s;
	uint32_t id;
	int fd;

	manager_begin(f, &manager);
	for (s = f->senders; s; s = s->next) {
		fd = netlink_in(f, &f->hosts[s->src]);
		for (id = 1; id < f->p->subflows; id++)
			subflow_add(f, &manager, fd, s, (uint8_t)id);
		close(fd);
		subflows_wait(f, s);
	}
}

/* Of the connection that has fewest. */
uint32_t fabric_subflows(const struct fabric *f)
{
	uint32_t least = UINT32_MAX, n;
	const struct sender *s;

	for (s = f->senders; s; s = s->next) {
		n = subflows_of(s);
		if (n < least)
			least = n;
	}
	return least;
}
