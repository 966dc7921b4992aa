// SPDX-License-Identifier: GPL-2.0
/*
 * filerecv ADDR EVENTS MARK1 MARK2: receives what filesend sends and writes it to
 * standard output. What happens is written to EVENTS, a line each:
 *
 *	ready		it can be sent to
 *	mark1, mark2	so many bytes are here
 *	end NAME=NUMBER...	the file is whole, and how that went
 *
 * The pause_* are the longest intervals between two received messages: before the
 * first mark, between the marks, and after the second.
 */
#include <fcntl.h>

#include "demo.h"

enum { MARKS = 2 };

struct receiver {
	int fd;
	FILE *events;
	uint64_t mark[MARKS];
	/* Which part of the transfer this is: marks passed so far. */
	unsigned int part;
	uint64_t pause_ns[MARKS + 1];
	uint64_t last_ns;
	uint64_t bytes, messages;
};

__attribute__((format(printf, 2, 3)))
static void event(struct receiver *r, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vfprintf(r->events, fmt, args);
	va_end(args);
	fputc('\n', r->events);
	if (fflush(r->events))
		die("nobody reads the events: %s", strerror(errno));
}

static void count(struct receiver *r, size_t len)
{
	uint64_t now = now_ns();

	if (r->messages++ && now - r->last_ns > r->pause_ns[r->part])
		r->pause_ns[r->part] = now - r->last_ns;
	r->last_ns = now;
	r->bytes += len;
	while (r->part < MARKS && r->bytes >= r->mark[r->part])
		event(r, "mark%u", ++r->part);
}

static void write_all(const char *data, size_t len)
{
	ssize_t n;

	for (; len; data += n, len -= (size_t)n) {
		n = write(STDOUT_FILENO, data, len);
		if (n < 0)
			die("writing what was received: %s", strerror(errno));
	}
}

/* Return: whether it was not the end. In order, once each, or it is an error. */
static bool receive_piece(struct receiver *r)
{
	static struct piece piece;
	struct sockaddr_in from;
	socklen_t len = sizeof(from);
	ssize_t n = recvfrom(r->fd, &piece, sizeof(piece), 0, (struct sockaddr *)&from, &len);

	if (n < 0 && errno == EAGAIN)
		die("no message for %d s after %" PRIu64 " bytes", PATIENCE_S, r->bytes);
	if (n < 0)
		die("receiving after %" PRIu64 " bytes: %s", r->bytes, strerror(errno));
	if ((size_t)n < PIECE_HEADER)
		die("a message of %zd bytes is not from filesend", n);
	if (be64toh(piece.offset) != r->bytes)
		die("a message for offset %" PRIu64 " came when %" PRIu64 " was next",
		    be64toh(piece.offset), r->bytes);
	n -= PIECE_HEADER;
	count(r, (size_t)n);
	if (n) {
		write_all(piece.data, (size_t)n);
		return true;
	}
	if (sendto(r->fd, &piece, PIECE_HEADER, 0, (const struct sockaddr *)&from, len) < 0)
		die("answering: %s", strerror(errno));
	return false;
}

int main(int argc, char **argv)
{
	struct receiver r = { 0 };
	struct lapsmp_info info;
	struct sockaddr_in at;

	if (argc != 5)
		die("usage: filerecv ADDR EVENTS MARK1 MARK2");
	at = parse_addr(argv[1]);
	r.mark[0] = parse_bytes("MARK1", argv[3]);
	r.mark[1] = parse_bytes("MARK2", argv[4]);
	r.events = fopen(argv[2], "we");
	if (!r.events)
		die("%s: %s", argv[2], strerror(errno));
	r.fd = open_socket();
	if (bind(r.fd, (const struct sockaddr *)&at, sizeof(at)))
		die("%s: %s", argv[1], strerror(errno));
	event(&r, "ready");
	while (receive_piece(&r))
		;
	info = get_info(r.fd);
	fprintf(r.events, "end got=%" PRIu64 " messages=%" PRIu64 " dup=%llu ", r.bytes,
		r.messages, info.rx_dup_segs);
	event(&r, "pause_0=%" PRIu64 " pause_1=%" PRIu64 " pause_2=%" PRIu64, r.pause_ns[0],
	      r.pause_ns[1], r.pause_ns[2]);
	return 0;
}
