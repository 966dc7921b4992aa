// SPDX-License-Identifier: GPL-2.0
/* Messages: whole, peeked at, cut, gathered, many at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <linux/sockios.h>
#include <unistd.h>

#include "api.h"
#include "msg.h"

TEST(messages_keep_their_ends_and_order)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to), i;
	char buf[3000], want[3000];

	for (i = 0; i < 50; i++) {
		msg_fill(want, i * 57, (struct msg_id){ 1, i });
		EXPECT_EQ(send(tx, want, i * 57, 0), i * 57);
	}
	for (i = 0; i < 50; i++) {
		EXPECT_EQ(recv(rx, buf, sizeof(buf), 0), i * 57);
		EXPECT(msg_is(buf, i * 57, (struct msg_id){ 1, i }));
	}
}

TEST(empty_messages_arrive)
{
	struct addr to, from = { .len = sizeof(from.ss) };
	int rx = api_bound(&to), tx = api_connected(&to);
	char c = 'q';

	EXPECT_EQ(send(tx, "", 0, 0), 0);
	EXPECT_EQ(send(tx, "a", 1, 0), 1);
	EXPECT_EQ(send(tx, NULL, 0, 0), 0);
	EXPECT_EQ(recvfrom(rx, &c, 1, 0, addr_sa(&from), &from.len), 0);
	EXPECT(addr_port(&from) != 0);
	EXPECT_EQ(c, 'q');
	EXPECT_EQ(recv(rx, &c, 1, 0), 1);
	EXPECT_EQ(recv(rx, &c, 1, 0), 0);
	EXPECT_ERR(recv(rx, &c, 1, MSG_DONTWAIT), EAGAIN);
}

TEST(peeking_leaves_the_message)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to), i;
	char buf[16];

	EXPECT_EQ(send(tx, "first", 5, 0), 5);
	EXPECT_EQ(send(tx, "2nd", 3, 0), 3);
	for (i = 0; i < 3; i++) {
		memset(buf, 0, sizeof(buf));
		EXPECT_EQ(recv(rx, buf, sizeof(buf), MSG_PEEK), 5);
		EXPECT(!memcmp(buf, "first", 6));
	}
	EXPECT_EQ(recv(rx, buf, 2, MSG_PEEK), 2);
	EXPECT_EQ(recv(rx, buf, 2, MSG_PEEK | MSG_TRUNC), 5);
	EXPECT(api_hears(rx, "first"));
	EXPECT(api_hears(rx, "2nd"));
}

TEST(what_does_not_fit_is_cut_and_told)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);
	char buf[4];
	struct iovec iov = { .iov_base = buf, .iov_len = sizeof(buf) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	EXPECT_EQ(send(tx, "abcdefgh", 8, 0), 8);
	EXPECT_EQ(send(tx, "ijklmnop", 8, 0), 8);
	EXPECT_EQ(send(tx, "next", 4, 0), 4);
	EXPECT_EQ(recvmsg(rx, &m, 0), 4);
	EXPECT(m.msg_flags & MSG_TRUNC);
	EXPECT(!memcmp(buf, "abcd", 4));
	EXPECT_EQ(recv(rx, buf, sizeof(buf), MSG_TRUNC), 8);
	m.msg_flags = 0;
	EXPECT_EQ(recvmsg(rx, &m, 0), 4);
	EXPECT(!(m.msg_flags & MSG_TRUNC));
	EXPECT(!memcmp(buf, "next", 4));
}

TEST(gather_and_scatter)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);
	char in[3][4] = { "" };
	struct iovec out_v[] = { { "ab", 2 }, { "", 0 }, { "cdefg", 5 }, { "h", 1 } };
	struct iovec in_v[] = { { in[0], 1 }, { in[1], 4 }, { in[2], 4 } };
	struct msghdr out_m = { .msg_iov = out_v, .msg_iovlen = 4 };
	struct msghdr in_m = { .msg_iov = in_v, .msg_iovlen = 3 };

	EXPECT_EQ(sendmsg(tx, &out_m, 0), 8);
	EXPECT_EQ(recvmsg(rx, &in_m, 0), 8);
	EXPECT(!memcmp(in[0], "a", 1) && !memcmp(in[1], "bcde", 4) && !memcmp(in[2], "fgh", 3));
	EXPECT_EQ(writev(tx, out_v, 4), 8);
	EXPECT_EQ(readv(rx, in_v, 3), 8);
}

#define BATCH	16

struct batch {
	struct mmsghdr m[BATCH];
	struct iovec v[BATCH];
	char buf[BATCH][64];
};

static void batch_init(struct batch *b)
{
	int i;

	memset(b, 0, sizeof(*b));
	for (i = 0; i < BATCH; i++) {
		b->v[i] = (struct iovec){ .iov_base = b->buf[i], .iov_len = sizeof(b->buf[i]) };
		b->m[i].msg_hdr = (struct msghdr){ .msg_iov = &b->v[i], .msg_iovlen = 1 };
	}
}

TEST(many_messages_by_one_call)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to), i, n = 0;
	static struct batch out, in;

	batch_init(&out);
	batch_init(&in);
	for (i = 0; i < BATCH; i++) {
		out.v[i].iov_len = i + 1;
		msg_fill(out.buf[i], i + 1, (struct msg_id){ 7, i });
	}
	EXPECT_EQ(sendmmsg(tx, out.m, BATCH, 0), BATCH);
	for (i = 0; i < BATCH; i++)
		EXPECT_EQ(out.m[i].msg_len, i + 1);
	while (n < BATCH) {
		i = recvmmsg(rx, in.m + n, BATCH - n, MSG_WAITFORONE, NULL);
		NEED(i > 0);
		n += i;
	}
	for (i = 0; i < BATCH; i++) {
		EXPECT_EQ(in.m[i].msg_len, i + 1);
		EXPECT(msg_is(in.buf[i], i + 1, (struct msg_id){ 7, i }));
	}
	EXPECT_ERR(recvmmsg(rx, in.m, BATCH, MSG_DONTWAIT, NULL), EAGAIN);
}

TEST(queues_can_be_measured)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to), n;

	EXPECT_EQ(send(tx, "abc", 3, 0), 3);
	EXPECT_EQ(send(tx, "defgh", 5, 0), 5);
	EXPECT(wait_drained(tx, 10000));
	EXPECT_EQ(ioctl(rx, SIOCINQ, &n), 0);
	EXPECT_EQ(n, 3);
	EXPECT_EQ(ioctl(tx, SIOCOUTQ, &n), 0);
	EXPECT_EQ(n, 0);
	EXPECT(api_hears(rx, "abc"));
	EXPECT_EQ(ioctl(rx, SIOCINQ, &n), 0);
	EXPECT_EQ(n, 5);
	EXPECT_EQ(ioctl(rx, 0x1234, &n), -1);
}

TEST(many_peers_on_one_socket)
{
	struct addr to;
	int rx = api_bound(&to), i, n;
	char buf[16];

	for (i = 0; i < 100; i++) {
		int fd = open_socket(api_family);

		snprintf(buf, sizeof(buf), "%d", i);
		EXPECT_EQ(api_say(fd, &to, buf), strlen(buf));
		close(fd);
	}
	set_timeout(rx, SO_RCVTIMEO, 10000);
	for (i = 0, n = 0; i < 100; i++) {
		long len = recv(rx, buf, sizeof(buf) - 1, 0);

		NEED(len > 0);
		buf[len] = 0;
		n += atoi(buf);
	}
	EXPECT_EQ(n, 99 * 100 / 2);
}

TEST(close_delivers_what_was_sent)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to), i;
	static char buf[20000];

	for (i = 0; i < 30; i++) {
		msg_fill(buf, sizeof(buf), (struct msg_id){ 3, i });
		EXPECT_EQ(send(tx, buf, sizeof(buf), 0), sizeof(buf));
	}
	close(tx);
	set_timeout(rx, SO_RCVTIMEO, 10000);
	for (i = 0; i < 30; i++) {
		EXPECT_EQ(recv(rx, buf, sizeof(buf), 0), sizeof(buf));
		EXPECT(msg_is(buf, sizeof(buf), (struct msg_id){ 3, i }));
	}
}

TEST(bad_buffers)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);
	char buf[8];

	EXPECT_ERR(send(tx, (void *)8, 100, 0), EFAULT);
	EXPECT_EQ(send(tx, "hello", 5, 0), 5);
	EXPECT_ERR(recv(rx, (void *)8, 100, 0), EFAULT);
	EXPECT_ERR(recv(rx, (void *)8, 100, MSG_PEEK), EFAULT);
	EXPECT(api_hears(rx, "hello"));
	EXPECT_ERR(sendmsg(tx, (void *)8, 0), EFAULT);
	EXPECT_ERR(recvmsg(rx, (void *)8, MSG_DONTWAIT), EFAULT);
	EXPECT_ERR(recv(rx, buf, sizeof(buf), MSG_DONTWAIT), EAGAIN);
}

TEST(flags_that_mean_nothing_are_refused)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);
	char c;

	EXPECT_ERR(send(tx, "x", 1, MSG_OOB), EOPNOTSUPP);
	EXPECT_ERR(send(tx, "x", 1, MSG_MORE), EOPNOTSUPP);
	EXPECT_ERR(send(tx, "x", 1, MSG_DONTROUTE), EOPNOTSUPP);
	EXPECT_ERR(recv(rx, &c, 1, MSG_OOB), EOPNOTSUPP);
	EXPECT_ERR(recv(rx, &c, 1, MSG_ERRQUEUE), EAGAIN);
	EXPECT_ERR(recv(rx, &c, 1, MSG_DONTWAIT), EAGAIN);
}
