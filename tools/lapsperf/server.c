// SPDX-License-Identifier: GPL-2.0
/*
 * Accepts control connections and gives each a thread.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net.h"
#include "server.h"
#include "session.h"
#include "util.h"

struct visitor {
	int fd;
	struct addr local, peer;
};

static void *server_visit(void *arg)
{
	struct visitor *v = arg;

	session_run(v->fd, &v->local, &v->peer);
	free(v);
	return NULL;
}

static int server_listen(const struct params *p, struct addr *local)
{
	const struct proto *tcp = proto_find("tcp");
	const char *why;
	int fd;

	if (p->local) {
		if (addr_resolve(local, p->local, p->port, AF_UNSPEC, true, &why))
			die(EXIT_USAGE, "--bind %s: %s", p->local, why);
		fd = sock_listen(tcp, local, 64);
	} else {
		addr_any(local, AF_INET6, p->port);
		fd = sock_listen(tcp, local, 64);
		if (fd == -EAFNOSUPPORT || fd == -EADDRNOTAVAIL) {
			addr_any(local, AF_INET, p->port);
			fd = sock_listen(tcp, local, 64);
		}
	}
	if (fd < 0)
		die(EXIT_RUN, "cannot listen on TCP %s: %s; another server may be there (--port)",
		    addr_str(local), strerror(-fd));
	return fd;
}

/* Returns the status of the session with --once, else never. */
int server_run(const struct params *p)
{
	struct visitor *v;
	struct addr local;
	pthread_t thread;
	int fd = server_listen(p, &local);

	for (;;) {
		v = xcalloc(1, sizeof(*v));
		v->local = local;
		v->peer.len = sizeof(v->peer.ss);
		v->fd = accept4(fd, (struct sockaddr *)&v->peer.ss, &v->peer.len, SOCK_CLOEXEC);
		if (v->fd < 0) {
			if (errno != EINTR && errno != ECONNABORTED)
				die(EXIT_RUN, "accept: %s", strerror(errno));
			free(v);
		} else if (p->once) {
			return session_run(v->fd, &v->local, &v->peer);
		} else if (!pthread_create(&thread, NULL, server_visit, v)) {
			pthread_detach(thread);
		} else {
			close(v->fd);
			free(v);
		}
	}
}
