/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_NET_H
#define LAPSPERF_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP	262
#endif

/**
 * struct proto - a protocol that can be measured
 * @stream: bytes, not datagrams
 * @reliable: the receiver may wait for every message
 */
struct proto {
	const char *name;
	int type;
	int ipproto;
	bool stream;
	bool reliable;
	uint32_t max_size;
};

struct addr {
	struct sockaddr_storage ss;
	socklen_t len;
};

const struct proto *proto_find(const char *name);
const char *proto_names(void);

int addr_resolve(struct addr *a, const char *host, int port, int family, bool passive,
		 const char **why);
void addr_any(struct addr *a, int family, int port);
void addr_set_port(struct addr *a, int port);
int addr_port(const struct addr *a);
int addr_family(const struct addr *a);
const char *addr_str(const struct addr *a);

int sock_open(const struct proto *p, int family, int sndbuf, int rcvbuf);
void sock_timeout(int fd, int opt, uint64_t ns);
int sock_connect(int fd, const struct addr *to, uint64_t timeout_ns);
int sock_listen(const struct proto *p, const struct addr *local, int backlog);
int sock_bind_near(int fd, struct addr *a, int port);
const char *sock_explain(const struct proto *p, int err);

#endif
