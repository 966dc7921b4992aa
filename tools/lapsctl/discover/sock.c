// SPDX-License-Identifier: GPL-2.0
/* The sockets of probes; see sock.h and probe.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>
#include <netinet/in.h>
#include <linux/in6.h>

#include "print.h"
#include "sysctl.h"
#include "util.h"
#include "sock.h"

/* Draws of a source port before it is said that none is free. */
#define PROBE_DRAWS	64
/* Files that a process has open beside the sockets. */
#define PROBE_FILES	16

#define LABEL_MAX	0xfffffu

socklen_t probe_addr(union probe_addr *a, const struct probe_to *to, const struct in6_addr *addr,
		     uint16_t port)
{
	memset(a, 0, sizeof(*a));
	if (probe_is_v4(to)) {
		a->v4.sin_family = AF_INET;
		a->v4.sin_port = htons(port);
		memcpy(&a->v4.sin_addr, &addr->s6_addr[12], sizeof(a->v4.sin_addr));
		return sizeof(a->v4);
	}
	a->v6.sin6_family = AF_INET6;
	a->v6.sin6_port = htons(port);
	a->v6.sin6_addr = *addr;
	if (IN6_IS_ADDR_LINKLOCAL(addr))
		a->v6.sin6_scope_id = to->ifindex;
	return sizeof(a->v6);
}

struct in6_addr probe_mapped(const struct in_addr *v4)
{
	struct in6_addr addr = { .s6_addr = { [10] = 0xff, [11] = 0xff } };

	memcpy(&addr.s6_addr[12], v4, sizeof(*v4));
	return addr;
}

bool probe_option(int fd, int level, int name, int value)
{
	return !setsockopt(fd, level, name, &value, sizeof(value));
}

/*
 * What makes them look like data: DF, and over IPv6 the flow label of data, which is
 * 0, where the kernel would give a socket's packets one of its own.
 */
static bool probe_options(const struct probe_to *to, int fd)
{
	if (to->ifindex && !probe_option(fd, SOL_SOCKET, SO_BINDTOIFINDEX, (int)to->ifindex))
		return false;
	if (to->mark && !probe_option(fd, SOL_SOCKET, SO_MARK, (int)to->mark))
		return false;
	if (probe_is_v4(to))
		return probe_option(fd, SOL_IP, IP_RECVERR, 1) &&
		       probe_option(fd, SOL_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE) &&
		       probe_option(fd, SOL_IP, IP_TOS, to->tos);
	return probe_option(fd, SOL_IPV6, IPV6_V6ONLY, 1) &&
	       probe_option(fd, SOL_IPV6, IPV6_RECVERR, 1) &&
	       probe_option(fd, SOL_IPV6, IPV6_AUTOFLOWLABEL, 0) &&
	       probe_option(fd, SOL_IPV6, IPV6_FLOWINFO_SEND, to->labels) &&
	       probe_option(fd, SOL_IPV6, IPV6_TCLASS, to->tos);
}

/* Return: a socket that is set up, or -1 after a complaint. */
static int probe_socket(const struct probe_to *to)
{
	int fd = socket(probe_is_v4(to) ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0) {
		system_error("cannot open a UDP socket: %s", strerror(errno));
		return -1;
	}
	if (probe_options(to, fd))
		return fd;
	system_error("cannot set up a UDP socket: %s", strerror(errno));
	close(fd);
	return -1;
}

/* To a free port of those that programs get. Return: false: errno says why. */
static bool prober_bind(const struct prober *p, int fd, uint16_t *port)
{
	uint64_t range[2] = { 32768, 60999 };
	union probe_addr a;
	socklen_t len;
	int i;

	sysctl_read("net/ipv4/ip_local_port_range", range, 2);
	for (i = 0; i < PROBE_DRAWS; i++) {
		*port = (uint16_t)(range[0] + arc4random_uniform((uint32_t)(range[1] - range[0] + 1)));
		len = probe_addr(&a, &p->to, &p->from, *port);
		if (!bind(fd, &a.sa, len))
			return true;
		if (errno != EADDRINUSE)
			break;
	}
	return false;
}

/*
 * One socket more. It is not connected: a connected socket's packets carry a hash of its
 * own, by which software routers (and veth pairs) would choose instead of by the ports.
 * Return: an exit status.
 */
static int prober_open_sock(struct prober *p, uint16_t *port)
{
	int fd = probe_socket(&p->to);

	if (fd < 0)
		return EXIT_KERNEL;
	p->socks[p->n_socks++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	if (!prober_bind(p, fd, port))
		return system_error("cannot bind a source port: %s", strerror(errno));
	return EXIT_OK;
}

/*
 * Our address, as the first route chooses it: what all data to a peer comes from, too.
 * Return: whether it could; else errno says why not.
 */
static bool prober_learn(struct prober *p, int fd)
{
	const struct probe_to *to = &p->to;
	union probe_addr a;
	socklen_t len;

	len = probe_addr(&a, to, &to->local, 0);
	if (!IN6_IS_ADDR_UNSPECIFIED(&to->local) && bind(fd, &a.sa, len))
		return false;
	len = probe_addr(&a, to, &to->peer, to->port);
	if (connect(fd, &a.sa, len) || getsockname(fd, &a.sa, &len))
		return false;
	if (probe_is_v4(to))
		p->from = probe_mapped(&a.v4.sin_addr);
	else
		p->from = a.v6.sin6_addr;
	return true;
}

static int prober_learn_from(struct prober *p)
{
	char text[TEXT_MAX];
	int ret = EXIT_OK, fd = probe_socket(&p->to);

	if (fd < 0)
		return EXIT_KERNEL;
	if (!prober_learn(p, fd))
		ret = system_error("no way to %s: %s", text_addr(text, &p->to.peer),
				   strerror(errno));
	close(fd);
	return ret;
}

/* Each port has a file; what the system lets us have of them at all is enough. */
static void probe_raise_files(unsigned int n)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur >= n + PROBE_FILES)
		return;
	lim.rlim_cur = lim.rlim_max;
	setrlimit(RLIMIT_NOFILE, &lim);
}

static bool prober_has_label(const struct prober *p, unsigned int n, uint32_t label)
{
	while (n--) {
		if (p->walk->traces[n].value == label)
			return true;
	}
	return false;
}

static int prober_open_labels(struct prober *p)
{
	int ret = prober_open_sock(p, &p->sport);
	unsigned int i = 0;
	uint32_t label;

	while (!ret && i < p->walk->n) {
		label = 1 + arc4random_uniform(LABEL_MAX);
		if (!prober_has_label(p, i, label))
			p->walk->traces[i++].value = label;
	}
	return ret;
}

static int prober_open_ports(struct prober *p)
{
	uint64_t labels = 0;
	int ret = EXIT_OK;
	unsigned int i;
	uint16_t port;

	/* 3: whatever a program asks for. The module's packets still have none. */
	if (!probe_is_v4(&p->to) && sysctl_read("net/ipv6/auto_flowlabels", &labels, 1) &&
	    labels == 3)
		return system_error("net.ipv6.auto_flowlabels=3 gives probes flow labels, which data has not; set it to 0, 1 or 2");
	probe_raise_files(p->walk->n);
	for (i = 0; !ret && i < p->walk->n; i++) {
		ret = prober_open_sock(p, &port);
		p->walk->traces[i].value = port;
	}
	return ret;
}

int prober_open(struct prober *p)
{
	unsigned int n = p->walk->n;
	int ret;

	p->socks = xalloc(n * sizeof(*p->socks));
	p->out = xalloc(n * sizeof(*p->out));
	memset(p->out, 0, n * sizeof(*p->out));
	/* Never 0, which no flow id may be. */
	p->run = 1 + arc4random_uniform(UINT32_MAX);
	ret = prober_learn_from(p);
	if (ret)
		return ret;
	return p->to.labels ? prober_open_labels(p) : prober_open_ports(p);
}

void prober_close(struct prober *p)
{
	while (p->n_socks)
		close(p->socks[--p->n_socks].fd);
	free(p->socks);
	free(p->out);
	p->socks = NULL;
	p->out = NULL;
}
