// SPDX-License-Identifier: GPL-2.0
/*
 * The flows' sockets. A sender keeps its sockets for later flows to the same host, as
 * what runs on such fabrics does; two flows at the same time have one each, or, where
 * they are serial, go one behind the other, as the messages of a collective do. A
 * receiver has one socket, or one per connection where there are connections; what
 * it does with them is fabric_recv.c's.
 *
 * What is sent is zeroes, and is not looked at: whether data is intact is the
 * business of other tests.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/lapsmp.h>

#include "fabric.h"
#include "fabric_sock.h"
#include "lapsperf.h"
#include "util.h"

#define PORTS_FIRST	10000
#define PORTS		50000
/* A prime, so that seeds do not meet soon. */
#define PORTS_SEED	7919

static uint8_t nothing[FABRIC_CHUNK_MAX];

static void sock_name(int fd, int level, int opt, const char *what, const char *name)
{
	if (name && setsockopt(fd, level, opt, name, (socklen_t)strlen(name)))
		die(EXIT_RUN, "%s %s: %s", what, name, strerror(errno));
}

/*
 * Of both ends: a listener that does not want marks, as DCTCP does, refuses a sender
 * that does.
 */
static void sock_options(const struct fabric *f, const struct transport *by, int fd)
{
	int low = (int)(2 * f->p->chunk);

	if (by->proto->stream) {
		sock_name(fd, IPPROTO_TCP, TCP_CONGESTION, "--cc", by->cc);
		/* Data that cannot be sent yet need not be in the kernel either. */
		setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &low, sizeof(low));
		return;
	}
	sock_name(fd, SOL_LAPSMP, LAPSMP_CC, "--cc", by->cc);
	sock_name(fd, SOL_LAPSMP, LAPSMP_SCHED, "--sched", by->sched);
}

/* The kernel finds the right sizes for streams; a message has to fit as a whole. */
static int sock_room(const struct transport *by, int asked, int best)
{
	return asked || by->proto->stream ? asked : best;
}

static int sock_in(const struct fabric *f, const struct transport *by, const struct host *h)
{
	int sndbuf = (int)(2 * f->p->chunk), fd;

	if (sndbuf < FABRIC_SNDBUF)
		sndbuf = FABRIC_SNDBUF;
	if (setns(h->netns, CLONE_NEWNET))
		die(EXIT_RUN, "network namespace %s: %s", h->name, strerror(errno));
	fd = sock_open(by->proto, addr_family(&h->addr),
		       sock_room(by, f->p->sndbuf, sndbuf),
		       sock_room(by, f->p->rcvbuf, FABRIC_RCVBUF));
	if (fd < 0)
		die(EXIT_RUN, "%s in %s: %s", by->proto->name, h->name,
		    sock_explain(by->proto, -fd));
	sock_options(f, by, fd);
	if (setns(f->home, CLONE_NEWNET) || fcntl(fd, F_SETFL, O_NONBLOCK))
		die(EXIT_RUN, "network namespace %s: %s", h->name, strerror(errno));
	return fd;
}

static void sock_watch(const struct fabric *f, int fd, void *what, uint32_t events, int op)
{
	struct epoll_event ev = { .events = events, .data.ptr = what };

	if (epoll_ctl(f->epoll, op, fd, &ev))
		die(EXIT_RUN, "epoll: %s", strerror(errno));
}

void receiver_add(struct fabric *f, int fd, const struct transport *by, uint32_t host,
		  bool listens)
{
	struct receiver *r = xcalloc(1, sizeof(*r));

	*r = (struct receiver){ .watch = WATCH_RECEIVER, .fd = fd, .by = by, .host = host,
				.listens = listens };
	sock_watch(f, fd, r, EPOLLIN, EPOLL_CTL_ADD);
}

/* Where a host waits for what comes by it: two may be of the same protocol. */
static struct addr receiver_addr(const struct fabric *f, const struct transport *by, uint32_t host)
{
	struct addr a = f->hosts[host].addr;

	addr_set_port(&a, FABRIC_PORT + (int)(by - f->p->by));
	return a;
}

static void receiver_listen(struct fabric *f, const struct transport *by, uint32_t host)
{
	struct addr at = receiver_addr(f, by, host);
	int fd = sock_in(f, by, &f->hosts[host]);

	if (bind(fd, (struct sockaddr *)&at.ss, at.len) || (by->proto->stream && listen(fd, 4096)))
		die(EXIT_RUN, "%s: %s: %s", f->hosts[host].name, addr_str(&at), strerror(errno));
	receiver_add(f, fd, by, host, by->proto->stream);
}

void fabric_listen(struct fabric *f)
{
	uint32_t host, i;

	for (host = 0; host < f->n_hosts; host++)
		for (i = 0; i < f->p->n_by; i++)
			receiver_listen(f, &f->p->by[i], host);
}

/* --- sending --- */

/*
 * Routers choose by the port, which the kernel would draw: each connection of a run
 * has another one, and each seed others.
 */
int fabric_port(struct fabric *f)
{
	return (int)(PORTS_FIRST + ((uint64_t)f->p->seed * PORTS_SEED + f->n_ports++) % PORTS);
}

static void sender_bind(struct fabric *f, const struct sender *s)
{
	struct addr from = f->hosts[s->src].addr;

	addr_set_port(&from, fabric_port(f));
	if (bind(s->fd, (const struct sockaddr *)&from.ss, from.len))
		die(EXIT_RUN, "%s: %s: %s", f->hosts[s->src].name, addr_str(&from), strerror(errno));
}

static struct sender *sender_new(struct fabric *f, const struct transport *by, uint32_t src,
				 uint32_t dst)
{
	struct addr to = receiver_addr(f, by, dst);
	struct sender *s = xcalloc(1, sizeof(*s));

	*s = (struct sender){ .watch = WATCH_SENDER, .by = by, .src = src, .dst = dst,
			      .next = f->senders };
	f->senders = s;
	s->fd = sock_in(f, by, &f->hosts[src]);
	if (by->proto->stream)
		sender_bind(f, s);
	if (connect(s->fd, (const struct sockaddr *)&to.ss, to.len) && errno != EINPROGRESS)
		die(EXIT_RUN, "%s to %s: %s", f->hosts[src].name, f->hosts[dst].name,
		    strerror(errno));
	sock_watch(f, s->fd, s, 0, EPOLL_CTL_ADD);
	return s;
}

static void sender_put(struct fabric *f, struct sender *s)
{
	struct sender **idle = &f->idle[fabric_pair(f, s->by, s->src, s->dst)];

	s->next_idle = *idle;
	*idle = s;
}

static struct sender *sender_get(struct fabric *f, const struct flow *flow)
{
	struct sender **idle = &f->idle[fabric_pair(f, flow->by, flow->src, flow->dst)];

	if (!*idle) {
		f->late_senders += f->base_ns && flow->by->proto->stream;
		sender_put(f, sender_new(f, flow->by, flow->src, flow->dst));
	}
	return *idle;
}

/* The pair's first idle one is the flow's now, or will be once others are sent. */
static void sender_take(struct fabric *f, struct sender *s, struct flow *flow)
{
	flow->sender = s;
	if (!f->p->serial)
		f->idle[fabric_pair(f, s->by, s->src, s->dst)] = s->next_idle;
	if (s->flow)
		s->last->behind = flow;
	else
		s->flow = flow;
	s->last = flow;
}

/* One more that is idle, and connected: a handshake is not part of any flow. */
void fabric_open(struct fabric *f, const struct transport *by, uint32_t src, uint32_t dst)
{
	struct sender *s = sender_new(f, by, src, dst);
	struct pollfd ready = { .fd = s->fd, .events = POLLOUT };

	if (poll(&ready, 1, (int)(f->p->idle_ns / 1000000)) != 1 ||
	    ready.revents & (POLLERR | POLLHUP))
		fabric_failed(f, s);
	sender_put(f, s);
}

/* Errors of the socket are always told, even if nothing is asked for. */
static void sender_poll(struct fabric *f, struct sender *s, bool on)
{
	if (s->polled == on)
		return;
	s->polled = on;
	sock_watch(f, s->fd, s, on ? EPOLLOUT : 0, EPOLL_CTL_MOD);
}

static void header_put(uint8_t *hdr, uint32_t flow, uint64_t bytes)
{
	uint32_t words[2] = { htole32(FABRIC_MAGIC), htole32(flow) };

	bytes = htole64(bytes);
	memcpy(hdr, words, sizeof(words));
	memcpy(hdr + sizeof(words), &bytes, sizeof(bytes));
}

static void sender_failed(const struct fabric *f, const struct sender *s)
{
	die(EXIT_RUN, "%s to %s: %s", f->hosts[s->src].name, f->hosts[s->dst].name,
	    strerror(errno));
}

/*
 * A message of the flow. Returns its bytes of the flow, 0 if it has to wait. The
 * header is the first of them; only a flow's end may be shorter than that.
 */
static uint64_t send_message(struct fabric *f, struct sender *s, uint64_t left)
{
	uint64_t n = left < f->p->chunk ? left : f->p->chunk;
	uint8_t hdr[FABRIC_HDR];
	struct iovec iov[2] = {
		{ .iov_base = hdr, .iov_len = FABRIC_HDR },
		{ .iov_base = nothing, .iov_len = n > FABRIC_HDR ? n - FABRIC_HDR : 0 },
	};
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };

	header_put(hdr, (uint32_t)(s->flow - f->flows), n);
	if (sendmsg(s->fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
		return n;
	if (!must_wait(errno))
		sender_failed(f, s);
	return 0;
}

/* Part of the stream; the header is the flow's first bytes. */
static uint64_t send_stream(struct fabric *f, struct sender *s, uint64_t left)
{
	uint64_t head = s->flow->sent < FABRIC_HDR ? FABRIC_HDR - s->flow->sent : 0;
	uint64_t n = left < f->p->chunk ? left : f->p->chunk;
	uint8_t hdr[FABRIC_HDR];
	struct iovec iov[2] = {
		{ .iov_base = hdr + FABRIC_HDR - head, .iov_len = head },
		{ .iov_base = nothing, .iov_len = n > head ? n - head : 0 },
	};
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
	ssize_t got;

	header_put(hdr, (uint32_t)(s->flow - f->flows), s->flow->size);
	got = sendmsg(s->fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (got >= 0)
		return (uint64_t)got;
	if (!must_wait(errno))
		sender_failed(f, s);
	return 0;
}

/* What a flow of so many bytes is sent with. */
static uint8_t class_of(const struct transport *by, uint64_t bytes)
{
	uint32_t i;

	for (i = 0; i < by->n_classes; i++)
		if (bytes <= by->classes[i].bytes)
			return by->classes[i].tclass;
	return 0;
}

/* A socket has one class, also for what is left in it of flows before. */
static void sender_class(const struct fabric *f, struct sender *s)
{
	int tclass = class_of(s->by, s->flow->size);
	bool v6 = addr_family(&f->hosts[s->src].addr) == AF_INET6;

	if (s->tclass == tclass)
		return;
	if (setsockopt(s->fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_TCLASS : IP_TOS,
		       &tclass, sizeof(tclass)))
		die(EXIT_RUN, "--class: %s: %s", s->by->proto->name, strerror(errno));
	s->tclass = (uint8_t)tclass;
}

/* Returns whether there is no more of the sender's flow. */
static bool send_flow(struct fabric *f, struct sender *s)
{
	uint64_t n;

	sender_class(f, s);
	while (s->flow->sent < s->flow->size) {
		n = s->by->proto->stream ? send_stream(f, s, s->flow->size - s->flow->sent) :
					   send_message(f, s, s->flow->size - s->flow->sent);
		if (!n)
			return false;
		s->flow->sent += n;
	}
	return true;
}

void fabric_send(struct fabric *f, struct sender *s)
{
	while (s->flow) {
		if (!send_flow(f, s)) {
			sender_poll(f, s, true);
			return;
		}
		if (!f->p->serial)
			break;
		s->flow = s->flow->behind;
	}
	sender_poll(f, s, false);
}

void fabric_begin(struct fabric *f, struct flow *flow)
{
	struct sender *s = sender_get(f, flow);

	sender_take(f, s, flow);
	fabric_send(f, s);
}

/*
 * So much has arrived. Unless it is meant to wait behind this one, another flow may have
 * the sender only when that is all: it would, as long as the protocol's buffers are large.
 */
void flow_got(struct fabric *f, struct flow *flow, uint64_t bytes)
{
	if (!fabric_got(f, flow, bytes))
		return;
	if (!f->p->serial) {
		flow->sender->flow = NULL;
		sender_put(f, flow->sender);
	}
	flow->sender = NULL;
}

/* An error that nobody asked for. */
void fabric_failed(const struct fabric *f, const struct sender *s)
{
	int err = 0;
	socklen_t len = sizeof(err);

	getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &err, &len);
	errno = err ? err : ECONNRESET;
	sender_failed(f, s);
}
