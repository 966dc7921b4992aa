// SPDX-License-Identifier: GPL-2.0
/* What senders are told: nobody there, gone, notices, the error queue. */
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <linux/errqueue.h>

#include "api.h"

/* A port that nobody listens on. */
static void nobody(struct addr *a)
{
	close(api_bound(a));
}

static int so_error(int fd)
{
	int err = -1;
	socklen_t len = sizeof(err);

	getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len);
	return err;
}

static bool wait_event(int fd, short event)
{
	struct pollfd p = { .fd = fd, .events = event };

	poll(&p, 1, 10000);
	return p.revents & event;
}

/* The next notice; to where the message went goes to @to. */
static bool read_notice(int fd, struct sock_extended_err *ee, struct addr *to)
{
	char control[256], data[16];
	struct iovec v = { .iov_base = data, .iov_len = sizeof(data) };
	struct msghdr m = {
		.msg_name = &to->ss, .msg_namelen = sizeof(to->ss), .msg_iov = &v, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;

	if (!wait_event(fd, POLLERR) || recvmsg(fd, &m, MSG_ERRQUEUE) < 0)
		return false;
	to->len = m.msg_namelen;
	EXPECT(m.msg_flags & MSG_ERRQUEUE);
	for (c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
		if ((c->cmsg_level == SOL_IP && c->cmsg_type == IP_RECVERR) ||
		    (c->cmsg_level == SOL_IPV6 && c->cmsg_type == IPV6_RECVERR)) {
			memcpy(ee, CMSG_DATA(c), sizeof(*ee));
			return true;
		}
	}
	return false;
}

TEST(nobody_listens_is_econnrefused)
{
	struct addr to;
	int tx;
	char c;

	nobody(&to);
	tx = api_connected(&to);
	EXPECT_EQ(send(tx, "x", 1, 0), 1);
	EXPECT(wait_event(tx, POLLERR));
	EXPECT_ERR(recv(tx, &c, 1, 0), ECONNREFUSED);
	/* Told once. */
	EXPECT_EQ(so_error(tx), 0);
	EXPECT_ERR(recv(tx, &c, 1, MSG_DONTWAIT), EAGAIN);
}

TEST(so_error_takes_the_error)
{
	struct addr to;
	int tx;

	nobody(&to);
	tx = api_connected(&to);
	EXPECT_EQ(send(tx, "x", 1, 0), 1);
	EXPECT(wait_event(tx, POLLERR));
	EXPECT_EQ(so_error(tx), ECONNREFUSED);
	EXPECT_EQ(so_error(tx), 0);
}

TEST(a_refused_socket_can_be_used_again)
{
	struct addr to;
	int tx, rx = open_socket(api_family);

	nobody(&to);
	tx = api_connected(&to);
	EXPECT_EQ(send(tx, "x", 1, 0), 1);
	EXPECT(wait_event(tx, POLLERR));
	bind_socket(rx, &to);
	EXPECT_ERR(send(tx, "x", 1, 0), ECONNREFUSED);
	EXPECT_EQ(send(tx, "now", 3, 0), 3);
	EXPECT(api_hears(rx, "now"));
}

TEST(one_dead_peer_does_not_poison_a_socket)
{
	struct addr dead, live;
	int rx = api_bound(&live), tx = open_socket(api_family), i;

	nobody(&dead);
	for (i = 0; i < 3; i++) {
		/* Its own error may come back here, and nowhere else. */
		if (api_say(tx, &dead, "x") < 0)
			EXPECT_EQ(errno, ECONNREFUSED);
		sleep_ns(100 * NSEC_PER_MSEC);
		EXPECT_EQ(api_say(tx, &live, "ok"), 2);
		EXPECT(api_hears(rx, "ok"));
		EXPECT_EQ(so_error(tx), 0);
	}
}

TEST(errors_come_to_the_error_queue_with_the_address)
{
	struct sock_extended_err ee = { 0 };
	struct addr to, seen;
	int tx = open_socket(api_family);

	nobody(&to);
	if (api_family == AF_INET)
		set_int(tx, SOL_IP, IP_RECVERR, 1);
	else
		set_int(tx, SOL_IPV6, IPV6_RECVERR, 1);
	EXPECT_EQ(api_say(tx, &to, "x"), 1);
	NEED(read_notice(tx, &ee, &seen));
	EXPECT_EQ(ee.ee_errno, ECONNREFUSED);
	EXPECT_EQ(ee.ee_origin, LAPSMP_EE_ORIGIN);
	EXPECT_EQ(addr_port(&seen), addr_port(&to));
	EXPECT_EQ(seen.ss.ss_family, api_family);
}

TEST(notices_tell_of_each_message)
{
	struct sock_extended_err ee = { 0 };
	struct addr to, seen;
	int rx = api_bound(&to), tx = open_socket(api_family), i;

	set_int(tx, SOL_LAPSMP, LAPSMP_NOTIFY, 1);
	for (i = 1; i <= 3; i++) {
		EXPECT_EQ(api_say(tx, &to, "abc"), 3);
		NEED(read_notice(tx, &ee, &seen));
		EXPECT_EQ(ee.ee_errno, 0);
		EXPECT_EQ(ee.ee_origin, LAPSMP_EE_ORIGIN);
		EXPECT_EQ(ee.ee_info, i);
		EXPECT_EQ(addr_port(&seen), addr_port(&to));
		/* In the receiving kernel, read or not. */
		EXPECT(api_hears(rx, "abc"));
	}
	nobody(&to);
	EXPECT_EQ(api_say(tx, &to, "abc"), 3);
	NEED(read_notice(tx, &ee, &seen));
	EXPECT_EQ(ee.ee_errno, ECONNREFUSED);
	EXPECT_EQ(ee.ee_info, 4);
}

TEST(closing_with_unread_data_tells_the_sender)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);

	EXPECT_EQ(send(tx, "unread", 6, 0), 6);
	EXPECT(wait_event(rx, POLLIN));
	close(rx);
	EXPECT(wait_event(tx, POLLERR));
	EXPECT_EQ(so_error(tx), ECONNRESET);
}

TEST(closing_after_reading_tells_nothing)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);

	EXPECT_EQ(send(tx, "read", 4, 0), 4);
	EXPECT(api_hears(rx, "read"));
	EXPECT(wait_drained(tx, 10000));
	close(rx);
	sleep_ns(200 * NSEC_PER_MSEC);
	/* What comes later has nobody to read it. */
	if (!so_error(tx)) {
		EXPECT_EQ(send(tx, "late", 4, 0), 4);
		EXPECT(wait_event(tx, POLLERR));
	}
	EXPECT_EQ(get_info(tx).tx_acked_messages, 1);
}

TEST(a_new_receiver_on_the_port_hears_again)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to), i, n = 0;

	EXPECT_EQ(send(tx, "one", 3, 0), 3);
	EXPECT(api_hears(rx, "one"));
	EXPECT(wait_drained(tx, 10000));
	close(rx);
	rx = open_socket(api_family);
	bind_socket(rx, &to);
	for (i = 0; i < 20 && n != 3; i++) {
		n = send(tx, "two", 3, 0);
		sleep_ns(20 * NSEC_PER_MSEC);
		if (n == 3 && so_error(tx))
			n = 0;
	}
	EXPECT(api_hears(rx, "two"));
}
