// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of every size that is somebody's limit: sizes_test FROM TO ADDR MTU,
 * between two namespaces, over paths of this MTU.
 */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ktap.h"
#include "msg.h"
#include "util.h"

#define DATA_HEADER	36
#define KIB64		(64 << 10)
#define MIB1		(1 << 20)
#define MIB64		(64 << 20)

static const char *from_ns, *to_ns;
static struct addr to;
static int mss;
/* SO_RCVBUF and SO_SNDBUF, if not as they are. */
static int buffers;

static int open_receiver(void)
{
	int fd = open_socket_in(to_ns, to.ss.ss_family);

	/* Any port: that of the test before may still be in use. */
	((struct sockaddr_in *)&to.ss)->sin_port = 0;
	bind_socket(fd, &to);
	addr_of(fd, &to);
	if (buffers)
		set_int(fd, SOL_SOCKET, SO_RCVBUF, buffers);
	set_timeout(fd, SO_RCVTIMEO, 30000);
	return fd;
}

static int open_sender(void)
{
	int fd = open_socket_in(from_ns, to.ss.ss_family);

	if (buffers)
		set_int(fd, SOL_SOCKET, SO_SNDBUF, buffers);
	return fd;
}

/* In a process of its own: what is larger than the buffers needs a reader. */
static void send_later(int fd, const size_t *sizes, int n)
{
	int i;

	if (fork())
		return;
	for (i = 0; i < n; i++) {
		void *buf = xcalloc(1, sizes[i] + 1);

		msg_fill(buf, sizes[i], (struct msg_id){ 9, i });
		if (sendto(fd, buf, sizes[i], 0, addr_sa(&to), to.len) != (ssize_t)sizes[i])
			die("message %d of %zu bytes: %s", i, sizes[i], strerror(errno));
		free(buf);
	}
	wait_drained(fd, 60000);
	_exit(0);
}

static void exchange(const size_t *sizes, int n)
{
	int rx = open_receiver(), tx = open_sender(), i;
	uint8_t *buf = xcalloc(1, MIB64 + 1);

	send_later(tx, sizes, n);
	for (i = 0; i < n; i++) {
		EXPECT_EQ(recv(rx, buf, MIB64 + 1, 0), sizes[i]);
		EXPECT(msg_is(buf, sizes[i], (struct msg_id){ 9, i }));
	}
	EXPECT_ERR(recv(rx, buf, 1, MSG_DONTWAIT), EAGAIN);
	free(buf);
}

TEST(around_nothing_and_a_segment)
{
	const size_t sizes[] = {
		0, 1, 2, mss - 1, mss, mss + 1, 2 * mss - 1, 2 * mss, 2 * mss + 1, 0, 1,
	};

	exchange(sizes, ARRAY_LEN(sizes));
}

TEST(every_size_near_a_segment)
{
	size_t sizes[130];
	unsigned int i;

	/* The first packets of a flow have a longer header. */
	for (i = 0; i < ARRAY_LEN(sizes); i++)
		sizes[i] = mss - 100 + i;
	exchange(sizes, ARRAY_LEN(sizes));
}

TEST(around_64_kib)
{
	/* Less a message's overhead is the credit that a flow begins with. */
	const size_t sizes[] = {
		KIB64 - 513, KIB64 - 512, KIB64 - 511, KIB64 - 1, KIB64, KIB64 + 1,
	};

	exchange(sizes, ARRAY_LEN(sizes));
}

TEST(one_mib)
{
	const size_t sizes[] = { MIB1 - 1, MIB1, MIB1 + 1, 1 };

	exchange(sizes, ARRAY_LEN(sizes));
}

TEST(larger_than_both_buffers)
{
	const size_t large = slow_kernel() ? 2 * MIB1 : 8 * MIB1;
	const size_t sizes[] = { large, 1, large + 1 };

	buffers = slow_kernel() ? 500000 : 0;
	exchange(sizes, ARRAY_LEN(sizes));
}

TEST(a_very_large_one)
{
	const size_t sizes[] = { slow_kernel() ? 4 * MIB1 : MIB64 };

	exchange(sizes, ARRAY_LEN(sizes));
}

TEST(larger_than_allowed_is_emsgsize)
{
	int rx = open_receiver(), tx = open_sender();
	void *buf = xcalloc(1, MIB64 + 1);

	EXPECT_ERR(sendto(tx, buf, MIB64 + 1, 0, addr_sa(&to), to.len), EMSGSIZE);
	EXPECT_EQ(sendto(tx, "ok", 2, 0, addr_sa(&to), to.len), 2);
	EXPECT_EQ(recv(rx, buf, MIB64, 0), 2);
}

TEST(what_never_fits_is_emsgsize_without_blocking)
{
	int rx = open_receiver(), tx = open_sender();
	void *buf = xcalloc(1, MIB1);

	set_int(tx, SOL_SOCKET, SO_SNDBUF, 50000);
	EXPECT_ERR(sendto(tx, buf, MIB1, MSG_DONTWAIT, addr_sa(&to), to.len), EMSGSIZE);
	EXPECT_EQ(sendto(tx, buf, 60000, MSG_DONTWAIT, addr_sa(&to), to.len), 60000);
	EXPECT_EQ(recv(rx, buf, MIB1, 0), 60000);
}

/* Whole message @i of @len bytes, read in pieces of @room. */
static void read_pieces(int rx, int i, size_t len, size_t room)
{
	uint8_t *buf = xcalloc(1, len + room);
	struct iovec v = { .iov_len = room };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
	size_t got = 0;
	int pieces = 0;
	ssize_t n;

	do {
		v.iov_base = buf + got;
		n = recvmsg(rx, &m, 0);
		if (n < 0) {
			ktap_fail(__FILE__, __LINE__, "after %zu bytes: %s", got, strerror(errno));
			break;
		}
		got += n;
		pieces++;
		EXPECT(!(m.msg_flags & MSG_TRUNC));
	} while (!(m.msg_flags & MSG_EOR) && got <= len);
	EXPECT_EQ(got, len);
	EXPECT(pieces >= (int)(len / room));
	EXPECT(msg_is(buf, len, (struct msg_id){ 9, i }));
	free(buf);
}

TEST(pieces_end_with_msg_eor)
{
	const size_t sizes[] = { 10, 0, 100000, 1, 3 * MIB1 };
	int rx = open_receiver(), tx = open_sender();
	unsigned int i;

	set_int(rx, SOL_LAPSMP, LAPSMP_PARTIAL, 1);
	send_later(tx, sizes, ARRAY_LEN(sizes));
	for (i = 0; i < ARRAY_LEN(sizes); i++)
		read_pieces(rx, i, sizes[i], 7000);
}

TEST(pieces_need_no_room_for_the_whole)
{
	const size_t sizes[] = { slow_kernel() ? 2 * MIB1 : 16 * MIB1 };
	int rx = open_receiver(), tx = open_sender();

	set_int(rx, SOL_SOCKET, SO_RCVBUF, 100000);
	set_int(tx, SOL_SOCKET, SO_SNDBUF, 100000);
	set_int(rx, SOL_LAPSMP, LAPSMP_PARTIAL, 1);
	send_later(tx, sizes, ARRAY_LEN(sizes));
	read_pieces(rx, 0, sizes[0], 65536);
}

TEST(unordered_messages_all_arrive)
{
	size_t sizes[200];
	struct msg_seen seen = { 0 };
	int rx = open_receiver(), tx = open_sender();
	uint8_t *buf = xcalloc(1, MIB1);
	struct msg_id id;
	unsigned int i;

	set_int(rx, SOL_LAPSMP, LAPSMP_UNORDERED, 1);
	set_int(tx, SOL_LAPSMP, LAPSMP_UNORDERED, 1);
	for (i = 0; i < ARRAY_LEN(sizes); i++)
		sizes[i] = i % 10 ? 100 + i : 100000 + i;
	send_later(tx, sizes, ARRAY_LEN(sizes));
	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		ssize_t n = recv(rx, buf, MIB1, 0);

		NEED(n > 0 && msg_parse(buf, n, &id));
		EXPECT_EQ(n, sizes[id.number]);
		msg_seen_add(&seen, id.number);
	}
	EXPECT_EQ(seen.count, ARRAY_LEN(sizes));
	EXPECT_EQ(seen.duplicates, 0);
}

int main(int argc, char **argv)
{
	if (argc < 5)
		die("usage: sizes_test FROM TO ADDR MTU [TEST...]");
	from_ns = argv[1];
	to_ns = argv[2];
	addr_set(&to, argv[3], 0);
	mss = atoi(argv[4]) - (to.ss.ss_family == AF_INET ? 20 : 40) - 8 - DATA_HEADER;
	return ktap_main(argc - 5, argv + 5);
}
