// SPDX-License-Identifier: GPL-2.0
/*
 * filesend ADDR FILE [BYTES]: sends a file, or its first BYTES, to filerecv over
 * an lapsmp socket, and says in one line what the kernel had to do for it.
 */
#include <fcntl.h>

#include "demo.h"

static void send_piece(int fd, const struct piece *piece, size_t len)
{
	if (send(fd, piece, PIECE_HEADER + len, 0) < 0)
		die("sending at offset %" PRIu64 ": %s", be64toh(piece->offset),
		    errno == EAGAIN ? "nothing got through for long" : strerror(errno));
}

/* Return: bytes sent, which is all of the file if it is not longer than @limit. */
static uint64_t send_file(int fd, const char *path, uint64_t limit)
{
	static struct piece piece;
	int in = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t offset = 0;
	size_t want;
	ssize_t n;

	if (in < 0)
		die("%s: %s", path, strerror(errno));
	do {
		want = limit - offset < PIECE_MAX ? limit - offset : PIECE_MAX;
		n = read(in, piece.data, want);
		if (n < 0)
			die("%s: %s", path, strerror(errno));
		/* Without bytes it is the end. */
		piece.offset = htobe64(offset);
		send_piece(fd, &piece, (size_t)n);
		offset += (size_t)n;
	} while (n);
	close(in);
	return offset;
}

static void await_answer(int fd, uint64_t sent)
{
	__be64 got;
	ssize_t n = recv(fd, &got, sizeof(got), 0);

	if (n < 0)
		die("no answer from the receiver: %s",
		    errno == EAGAIN ? "it is silent" : strerror(errno));
	if (n != sizeof(got) || be64toh(got) != sent)
		die("the receiver does not confirm %" PRIu64 " bytes", sent);
}

int main(int argc, char **argv)
{
	struct sockaddr_in to;
	struct lapsmp_info info;
	uint64_t sent, begin;
	int fd;

	if (argc < 3 || argc > 4)
		die("usage: filesend ADDR FILE [BYTES]");
	to = parse_addr(argv[1]);
	fd = open_socket();
	if (connect(fd, (const struct sockaddr *)&to, sizeof(to)))
		die("%s: %s", argv[1], strerror(errno));
	begin = now_ns();
	sent = send_file(fd, argv[2], argc > 3 ? parse_bytes("BYTES", argv[3]) : UINT64_MAX);
	await_answer(fd, sent);
	info = get_info(fd);
	printf("sent=%" PRIu64 " send_ns=%" PRIu64 " segs=%llu resent=%llu\n",
	       sent, now_ns() - begin, info.tx_segs, info.retrans_segs);
	return 0;
}
