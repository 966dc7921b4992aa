// SPDX-License-Identifier: GPL-2.0
/*
 * Protocols, addresses and sockets. Nothing here knows what is sent.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <arpa/inet.h>
#include <unistd.h>
#include <linux/lapsmp.h>

#include "lapsperf.h"
#include "net.h"
#include "util.h"

#define PORT_TRIES	200

static const struct proto protos[] = {
	{ "lapsmp", SOCK_DGRAM, IPPROTO_LAPSMP, false, true, PERF_MAX_SIZE },
	{ "udp", SOCK_DGRAM, IPPROTO_UDP, false, false, PERF_MAX_UDP },
	{ "tcp", SOCK_STREAM, IPPROTO_TCP, true, true, PERF_MAX_SIZE },
	{ "mptcp", SOCK_STREAM, IPPROTO_MPTCP, true, true, PERF_MAX_SIZE },
};

const struct proto *proto_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(protos) / sizeof(protos[0]); i++) {
		if (!strcmp(protos[i].name, name))
			return &protos[i];
	}
	return NULL;
}

const char *proto_names(void)
{
	return "lapsmp, udp, tcp or mptcp";
}

/* @family of AF_UNSPEC takes what comes first. Returns 0, or -1 and @why. */
int addr_resolve(struct addr *a, const char *host, int port, int family, bool passive,
		 const char **why)
{
	struct addrinfo hints = {
		.ai_family = family,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICSERV | (passive ? AI_PASSIVE : 0),
	};
	struct addrinfo *res;
	char service[16];
	int err;

	snprintf(service, sizeof(service), "%d", port);
	err = getaddrinfo(host, service, &hints, &res);
	if (err) {
		*why = gai_strerror(err);
		return -1;
	}
	memset(a, 0, sizeof(*a));
	memcpy(&a->ss, res->ai_addr, res->ai_addrlen);
	a->len = res->ai_addrlen;
	freeaddrinfo(res);
	return 0;
}

void addr_any(struct addr *a, int family, int port)
{
	memset(a, 0, sizeof(*a));
	a->ss.ss_family = (sa_family_t)family;
	a->len = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
	addr_set_port(a, port);
}

/* Both address families keep the port at the same place. */
void addr_set_port(struct addr *a, int port)
{
	((struct sockaddr_in *)&a->ss)->sin_port = htons((uint16_t)port);
}

int addr_port(const struct addr *a)
{
	return ntohs(((const struct sockaddr_in *)&a->ss)->sin_port);
}

/* AF_INET also for an IPv4 address in IPv6 clothes. */
int addr_family(const struct addr *a)
{
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)&a->ss;

	if (a->ss.ss_family == AF_INET6 && !IN6_IS_ADDR_V4MAPPED(&sin6->sin6_addr))
		return AF_INET6;
	return AF_INET;
}

const char *addr_str(const struct addr *a)
{
	static __thread char text[NI_MAXHOST + 16];
	char host[NI_MAXHOST] = "?";

	getnameinfo((const struct sockaddr *)&a->ss, a->len, host, sizeof(host), NULL, 0,
		    NI_NUMERICHOST);
	snprintf(text, sizeof(text), a->ss.ss_family == AF_INET6 ? "[%s]:%d" : "%s:%d",
		 host, addr_port(a));
	return text;
}

static void sock_buffer(int fd, int opt, const char *name, int bytes)
{
	int got = 0;
	socklen_t len = sizeof(got);

	if (!bytes)
		return;
	if (setsockopt(fd, SOL_SOCKET, opt, &bytes, sizeof(bytes)))
		warn("%s %d: %s", name, bytes, strerror(errno));
	else if (!getsockopt(fd, SOL_SOCKET, opt, &got, &len) && got / 2 < bytes)
		warn("%s %d: the kernel grants %d; raise net.core.%s", name, bytes, got / 2,
		     opt == SO_SNDBUF ? "wmem_max" : "rmem_max");
}

/* Returns the socket or -errno. */
int sock_open(const struct proto *p, int family, int sndbuf, int rcvbuf)
{
	int fd, one = 1;

	fd = socket(family, p->type | SOCK_CLOEXEC, p->ipproto);
	if (fd < 0)
		return -errno;
	if (p->stream) {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	}
	sock_buffer(fd, SO_SNDBUF, "--sndbuf", sndbuf);
	sock_buffer(fd, SO_RCVBUF, "--rcvbuf", rcvbuf);
	return fd;
}

/* @opt is SO_RCVTIMEO or SO_SNDTIMEO. */
void sock_timeout(int fd, int opt, uint64_t ns)
{
	struct timeval tv = {
		.tv_sec = (time_t)(ns / NSEC_PER_SEC),
		.tv_usec = (suseconds_t)(ns % NSEC_PER_SEC / 1000),
	};

	setsockopt(fd, SOL_SOCKET, opt, &tv, sizeof(tv));
}

/* connect() waits as long as SO_SNDTIMEO says. Returns 0 or -errno. */
int sock_connect(int fd, const struct addr *to, uint64_t timeout_ns)
{
	int err = 0;

	sock_timeout(fd, SO_SNDTIMEO, timeout_ns);
	if (connect(fd, (const struct sockaddr *)&to->ss, to->len))
		err = errno == EINPROGRESS || errno == EAGAIN ? -ETIMEDOUT : -errno;
	sock_timeout(fd, SO_SNDTIMEO, 0);
	return err;
}

/* Returns the listening socket or -errno. */
int sock_listen(const struct proto *p, const struct addr *local, int backlog)
{
	int fd, err, off = 0;

	fd = sock_open(p, local->ss.ss_family, 0, 0);
	if (fd < 0)
		return fd;
	if (local->ss.ss_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (bind(fd, (const struct sockaddr *)&local->ss, local->len) ||
	    (backlog && listen(fd, backlog))) {
		err = errno;
		close(fd);
		return -err;
	}
	return fd;
}

/*
 * Binds to the first free port from @port on: other sessions of this server may
 * hold some, and a predictable port keeps a run repeatable. Returns 0 or -errno.
 */
int sock_bind_near(int fd, struct addr *a, int port)
{
	int i;

	for (i = 0; i < PORT_TRIES && port + i < 65536; i++) {
		addr_set_port(a, port + i);
		if (!bind(fd, (const struct sockaddr *)&a->ss, a->len))
			return 0;
		if (errno != EADDRINUSE)
			return -errno;
	}
	return -EADDRINUSE;
}

/* What can be done about @err of socket(). */
const char *sock_explain(const struct proto *p, int err)
{
	if (err != EPROTONOSUPPORT && err != EINVAL && err != ENOPROTOOPT)
		return strerror(err);
	if (p->ipproto == IPPROTO_LAPSMP)
		return "this kernel does not know lapsmp; modprobe lapsmp";
	if (p->ipproto == IPPROTO_MPTCP)
		return "this kernel has no MPTCP, or net.mptcp.enabled is 0";
	return strerror(err);
}
