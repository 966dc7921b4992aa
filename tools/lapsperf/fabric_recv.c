// SPDX-License-Identifier: GPL-2.0
/*
 * What arrives at the flows' sockets, and which flow it is of. Only the headers are
 * copied: the rest is zeroes, and is not looked at.
 */
#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "fabric.h"
#include "fabric_sock.h"
#include "lapsperf.h"
#include "util.h"

/* Bytes of what follows, or -1: it is not one of ours. */
static int64_t header_get(struct fabric *f, const uint8_t *hdr, struct flow **flow)
{
	uint32_t words[2];
	uint64_t bytes;

	memcpy(words, hdr, sizeof(words));
	memcpy(&bytes, hdr + sizeof(words), sizeof(bytes));
	if (le32toh(words[0]) != FABRIC_MAGIC || le32toh(words[1]) >= f->n_flows)
		return -1;
	*flow = &f->flows[le32toh(words[1])];
	bytes = le64toh(bytes);
	return bytes > (*flow)->size - (*flow)->received ? -1 : (int64_t)bytes;
}

static void receiver_failed(const struct fabric *f, const struct receiver *r, const char *why)
{
	die(EXIT_RUN, "receiving at %s: %s", f->hosts[r->host].name, why);
}

static void receiver_accept(struct fabric *f, struct receiver *r)
{
	int fd;

	while ((fd = accept4(r->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
		receiver_add(f, fd, r->by, r->host, false);
	if (errno != EAGAIN)
		receiver_failed(f, r, strerror(errno));
}

/*
 * Without this the process would be woken for every packet. MPTCP's has to be: what is
 * out of order may fill its buffer while less than this is in order, and unlike TCP's it
 * then wakes nobody.
 */
static void receiver_lowat(struct fabric *f, struct receiver *r)
{
	uint64_t left = r->flow ? r->flow->size - r->flow->received : FABRIC_HDR - r->hdr_len;
	int low = (int)(left < f->p->chunk ? left : f->p->chunk);

	if (r->by->proto->ipproto != IPPROTO_MPTCP)
		setsockopt(r->fd, SOL_SOCKET, SO_RCVLOWAT, &low, sizeof(low));
}

/* Returns how much there was of @len bytes, 0 if nothing yet. */
static size_t stream_recv(struct fabric *f, struct receiver *r, void *to, size_t len, int flags)
{
	ssize_t n = recv(r->fd, to, len, MSG_DONTWAIT | flags);

	if (n == 0)
		receiver_failed(f, r, "the connection was closed");
	if (n < 0 && !must_wait(errno))
		receiver_failed(f, r, strerror(errno));
	return n < 0 ? 0 : (size_t)n;
}

/* Returns whether the flow is known now. */
static bool stream_header(struct fabric *f, struct receiver *r)
{
	size_t n = stream_recv(f, r, r->hdr + r->hdr_len, FABRIC_HDR - r->hdr_len, 0);
	int64_t size;

	if (!n)
		return false;
	r->hdr_len += (uint32_t)n;
	if (r->hdr_len < FABRIC_HDR) {
		receiver_lowat(f, r);
		return false;
	}
	size = header_get(f, r->hdr, &r->flow);
	if (size < 0 || size != (int64_t)r->flow->size || r->flow->received)
		receiver_failed(f, r, "what came is not a flow");
	r->hdr_len = 0;
	flow_got(f, r->flow, FABRIC_HDR);
	receiver_lowat(f, r);
	return true;
}

static void stream_body(struct fabric *f, struct receiver *r)
{
	uint64_t left = r->flow->size - r->flow->received;
	size_t n = 0;

	if (left) {
		/* TCP throws away what MSG_TRUNC asks for, and copies nothing. */
		n = stream_recv(f, r, NULL, left < INT32_MAX ? left : INT32_MAX, MSG_TRUNC);
		if (!n)
			return;
		flow_got(f, r->flow, n);
	}
	if (n == left)
		r->flow = NULL;
	if (!r->flow || left - n < f->p->chunk)
		receiver_lowat(f, r);
}

/*
 * Neither of these goes on until there is nothing more: epoll tells again of what is left, and a
 * system call that finds nothing takes 10 ns of simulated time, nearly as much as RPCs leave for
 * each of them.
 */
static void receive_stream(struct fabric *f, struct receiver *r)
{
	if (r->flow || stream_header(f, r))
		stream_body(f, r);
}

static void receive_message(struct fabric *f, struct receiver *r)
{
	uint8_t hdr[FABRIC_HDR];
	ssize_t n = recv(r->fd, hdr, sizeof(hdr), MSG_DONTWAIT | MSG_TRUNC);
	struct flow *flow;
	int64_t bytes;

	if (n < 0) {
		if (!must_wait(errno))
			receiver_failed(f, r, strerror(errno));
		return;
	}
	bytes = n < (ssize_t)FABRIC_HDR ? -1 : header_get(f, hdr, &flow);
	if (bytes < 0 || (n > (ssize_t)FABRIC_HDR && bytes != n))
		receiver_failed(f, r, "what came is not part of a flow");
	flow_got(f, flow, (uint64_t)bytes);
}

void fabric_receive(struct fabric *f, struct receiver *r)
{
	if (r->listens)
		receiver_accept(f, r);
	else if (r->by->proto->stream)
		receive_stream(f, r);
	else
		receive_message(f, r);
}
