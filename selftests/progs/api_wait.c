// SPDX-License-Identifier: GPL-2.0
/* Waiting: blocked calls, time limits, signals, poll, epoll, shutdown, linger. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "api.h"

#define TICK_MS		100
/*
 * An emulated machine may be late. Early it is by no more than its ticks, which
 * timeouts count, run ahead of its clock after it stood still; simulated time is
 * never early.
 */
#define SLACK_MS	20000
#define EARLY_PART	10

static bool took(uint64_t since, uint64_t ms)
{
	uint64_t is = (now_ns() - since) / NSEC_PER_MSEC;
	const char *time = getenv("LAPSMP_TIME");
	uint64_t early = time && !strcmp(time, "virtual") ? 1 : ms / EARLY_PART;

	if (is + early >= ms && is < ms + SLACK_MS)
		return true;
	ktap_note("took %llu ms, not %llu", (unsigned long long)is, (unsigned long long)ms);
	return false;
}

static short poll_now(int fd, short events, int ms)
{
	struct pollfd p = { .fd = fd, .events = events };

	poll(&p, 1, ms);
	return p.revents;
}

TEST(a_blocked_reader_wakes)
{
	struct addr to;
	int rx = api_bound(&to);
	uint64_t start = now_ns();
	char buf[8];

	api_say_later(&to, "late", TICK_MS);
	EXPECT_EQ(recv(rx, buf, sizeof(buf), 0), 4);
	EXPECT(took(start, TICK_MS));
}

TEST(nothing_there_is_eagain)
{
	struct addr to;
	int rx = api_bound(&to);
	char c;

	EXPECT_ERR(recv(rx, &c, 1, MSG_DONTWAIT), EAGAIN);
	fcntl(rx, F_SETFL, O_NONBLOCK);
	EXPECT_ERR(recv(rx, &c, 1, 0), EAGAIN);
	EXPECT_ERR(read(rx, &c, 1), EAGAIN);
}

TEST(reading_ends_after_so_rcvtimeo)
{
	struct addr to;
	int rx = api_bound(&to);
	uint64_t start = now_ns();
	char c;

	set_timeout(rx, SO_RCVTIMEO, 3 * TICK_MS);
	EXPECT_ERR(recv(rx, &c, 1, 0), EAGAIN);
	EXPECT(took(start, 3 * TICK_MS));
}

TEST(a_full_sender_blocks_until_so_sndtimeo)
{
	struct addr to;
	int rx = api_bound(&to), tx;
	uint64_t bytes, start;

	set_int(rx, SOL_SOCKET, SO_RCVBUF, 100000);
	tx = api_connected(&to);
	set_int(tx, SOL_SOCKET, SO_SNDBUF, 100000);
	bytes = api_stuff(tx, &to);
	EXPECT(bytes > 50000);
	/* Two buffers of 200,000 bytes, and what the first credit allows. */
	EXPECT(bytes < 1000000);
	EXPECT_EQ(poll_now(tx, POLLOUT, 0), 0);
	set_timeout(tx, SO_SNDTIMEO, 3 * TICK_MS);
	start = now_ns();
	EXPECT_ERR(send(tx, "x", 1, 0), EAGAIN);
	EXPECT(took(start, 3 * TICK_MS));
}

static void read_later(int rx, int ms)
{
	static char buf[65536];

	if (fork())
		return;
	sleep_ns(ms * NSEC_PER_MSEC);
	set_timeout(rx, SO_RCVTIMEO, 2000);
	while (recv(rx, buf, sizeof(buf), 0) > 0)
		;
	_exit(0);
}

/* Another writer's call, without a limit, has its turn on the flow and no room. */
TEST(so_sndtimeo_counts_while_another_writes)
{
	struct addr to;
	int rx = api_bound(&to), tx;
	uint64_t start;

	set_int(rx, SOL_SOCKET, SO_RCVBUF, 50000);
	tx = api_connected(&to);
	set_int(tx, SOL_SOCKET, SO_SNDBUF, 50000);
	api_stuff(tx, &to);
	if (!fork()) {
		send(tx, "first", 5, 0);
		_exit(0);
	}
	sleep_ns(TICK_MS * NSEC_PER_MSEC);
	set_timeout(tx, SO_SNDTIMEO, 3 * TICK_MS);
	start = now_ns();
	EXPECT_ERR(send(tx, "x", 1, 0), EAGAIN);
	EXPECT(took(start, 3 * TICK_MS));
	api_signal_later(SIGUSR1, TICK_MS, 0);
	EXPECT_ERR(send(tx, "x", 1, 0), EINTR);
	read_later(rx, TICK_MS);
	set_timeout(tx, SO_SNDTIMEO, 20000);
	EXPECT_EQ(send(tx, "x", 1, 0), 1);
	EXPECT(wait_drained(tx, 20000));
}

TEST(a_full_sender_goes_on_when_read)
{
	struct addr to;
	int rx = api_bound(&to), tx;

	set_int(rx, SOL_SOCKET, SO_RCVBUF, 100000);
	tx = api_connected(&to);
	set_int(tx, SOL_SOCKET, SO_SNDBUF, 100000);
	api_stuff(tx, &to);
	read_later(rx, TICK_MS);
	EXPECT_EQ(poll_now(tx, POLLOUT, 20000) & POLLOUT, POLLOUT);
	EXPECT_EQ(send(tx, "x", 1, 0), 1);
	EXPECT(wait_drained(tx, 20000));
}

TEST(a_peer_that_never_reads_does_not_stop_others)
{
	struct addr dead, live;
	int dfd = api_bound(&dead), lfd = api_bound(&live), tx = open_socket(api_family);

	set_int(dfd, SOL_SOCKET, SO_RCVBUF, 50000);
	set_int(tx, SOL_SOCKET, SO_SNDBUF, 200000);
	api_stuff(tx, &dead);
	EXPECT_EQ(sendto(tx, "x", 1, MSG_DONTWAIT, addr_sa(&live), live.len), 1);
	EXPECT(api_hears(lfd, "x"));
	EXPECT_ERR(sendto(tx, "x", 1, MSG_DONTWAIT, addr_sa(&dead), dead.len), EAGAIN);
}

TEST(a_signal_interrupts_a_reader)
{
	struct addr to;
	int rx = api_bound(&to);
	char buf[8];

	api_signal_later(SIGUSR1, TICK_MS, 0);
	EXPECT_ERR(recv(rx, buf, sizeof(buf), 0), EINTR);
	/* One that restarts calls does not show, unless there is a time limit. */
	api_signal_later(SIGUSR1, TICK_MS, SA_RESTART);
	api_say_later(&to, "on", 2 * TICK_MS);
	EXPECT_EQ(recv(rx, buf, sizeof(buf), 0), 2);
	set_timeout(rx, SO_RCVTIMEO, 20 * TICK_MS);
	api_signal_later(SIGUSR1, TICK_MS, SA_RESTART);
	EXPECT_ERR(recv(rx, buf, sizeof(buf), 0), EINTR);
}

TEST(a_signal_interrupts_a_writer)
{
	struct addr to;
	int rx = api_bound(&to), tx;

	set_int(rx, SOL_SOCKET, SO_RCVBUF, 50000);
	tx = api_connected(&to);
	set_int(tx, SOL_SOCKET, SO_SNDBUF, 50000);
	api_stuff(tx, &to);
	api_signal_later(SIGUSR1, TICK_MS, 0);
	EXPECT_ERR(send(tx, "x", 1, 0), EINTR);
}

TEST(a_message_interrupted_halfway_is_never_delivered)
{
	static char big[1 << 20], buf[1 << 20];
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);

	set_int(rx, SOL_SOCKET, SO_RCVBUF, 100000);
	set_int(tx, SOL_SOCKET, SO_SNDBUF, 50000);
	EXPECT_EQ(send(tx, "before", 6, 0), 6);
	api_stuff(tx, &to);
	api_signal_later(SIGUSR1, TICK_MS, 0);
	EXPECT_ERR(send(tx, big, sizeof(big), 0), EINTR);
	set_timeout(rx, SO_RCVTIMEO, 3000);
	EXPECT(api_hears(rx, "before"));
	set_timeout(rx, SO_RCVTIMEO, 3000);
	while (recv(rx, buf, sizeof(buf), MSG_TRUNC) == 4000)
		;
	EXPECT_EQ(errno, EAGAIN);
	EXPECT_EQ(send(tx, "after", 5, 0), 5);
	EXPECT(api_hears(rx, "after"));
}

TEST(poll_tells_what_can_be_done)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);
	char c;

	EXPECT_EQ(poll_now(rx, POLLIN, 0), 0);
	EXPECT_EQ(poll_now(rx, POLLIN | POLLOUT, 0), POLLOUT);
	EXPECT_EQ(send(tx, "x", 1, 0), 1);
	EXPECT_EQ(poll_now(rx, POLLIN | POLLRDNORM, 10000), POLLIN | POLLRDNORM);
	EXPECT_EQ(recv(rx, &c, 1, 0), 1);
	EXPECT_EQ(poll_now(rx, POLLIN, 0), 0);
	api_say_later(&to, "y", TICK_MS);
	EXPECT_EQ(poll_now(rx, POLLIN, 10000), POLLIN);
}

TEST(epoll_edges)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET }, got;
	int ep = epoll_create1(0);
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);

	EXPECT_EQ(epoll_ctl(ep, EPOLL_CTL_ADD, rx, &ev), 0);
	EXPECT_EQ(epoll_wait(ep, &got, 1, 0), 0);
	EXPECT_EQ(send(tx, "one", 3, 0), 3);
	EXPECT_EQ(epoll_wait(ep, &got, 1, 10000), 1);
	EXPECT_EQ(epoll_wait(ep, &got, 1, TICK_MS), 0);
	/* Another message is another edge, though the first was not read. */
	EXPECT_EQ(send(tx, "two", 3, 0), 3);
	EXPECT_EQ(epoll_wait(ep, &got, 1, 10000), 1);
	EXPECT(api_hears(rx, "one"));
	EXPECT(api_hears(rx, "two"));
	EXPECT_EQ(epoll_wait(ep, &got, 1, TICK_MS), 0);
}

TEST(shutdown_ends_reading)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);
	struct addr from;
	char c;

	addr_of(tx, &from);
	EXPECT_EQ(api_say(rx, &from, "queued"), 6);
	EXPECT_EQ(poll_now(tx, POLLIN, 10000), POLLIN);
	EXPECT_EQ(shutdown(tx, SHUT_RD), 0);
	EXPECT_EQ(poll_now(tx, POLLIN | POLLRDHUP, 0), POLLIN | POLLRDHUP);
	EXPECT(api_hears(tx, "queued"));
	EXPECT_EQ(recv(tx, &c, 1, 0), 0);
	/* It can still send. */
	EXPECT_EQ(send(tx, "x", 1, 0), 1);
	EXPECT(api_hears(rx, "x"));
}

TEST(shutdown_wakes_a_blocked_reader)
{
	struct addr to;
	int rx = api_bound(&to), fd = api_connected(&to);
	char c;

	EXPECT(rx >= 0);
	if (!fork()) {
		sleep_ns(TICK_MS * NSEC_PER_MSEC);
		shutdown(fd, SHUT_RDWR);
		_exit(0);
	}
	EXPECT_EQ(recv(fd, &c, 1, 0), 0);
	EXPECT_EQ(poll_now(fd, POLLIN, 0) & POLLHUP, POLLHUP);
}

TEST(shutdown_ends_writing)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);

	EXPECT_EQ(send(tx, "last", 4, 0), 4);
	EXPECT_EQ(shutdown(tx, SHUT_WR), 0);
	EXPECT_ERR(send(tx, "x", 1, MSG_NOSIGNAL), EPIPE);
	EXPECT(api_hears(rx, "last"));
	EXPECT_ERR(shutdown(tx, 17), EINVAL);
	EXPECT_ERR(shutdown(rx, SHUT_WR), ENOTCONN);
}

TEST(so_linger_waits_for_the_peer)
{
	struct addr to;
	int rx = api_bound(&to), tx;
	uint64_t start;

	set_int(rx, SOL_SOCKET, SO_RCVBUF, 50000);
	tx = api_connected(&to);
	api_stuff(tx, &to);
	set_linger(tx, 1);
	start = now_ns();
	close(tx);
	EXPECT(took(start, 1000));

	/* With nothing under way it does not wait. */
	tx = open_socket(api_family);
	set_linger(tx, 30);
	start = now_ns();
	close(tx);
	EXPECT((now_ns() - start) < 20 * NSEC_PER_SEC);
}

TEST(so_linger_0_aborts)
{
	static char buf[65536];
	struct addr to;
	int rx = api_bound(&to), tx;
	uint64_t bytes, got = 0;
	long n;

	set_int(rx, SOL_SOCKET, SO_RCVBUF, 50000);
	tx = api_connected(&to);
	bytes = api_stuff(tx, &to);
	set_linger(tx, 0);
	close(tx);
	set_timeout(rx, SO_RCVTIMEO, 2000);
	while ((n = recv(rx, buf, sizeof(buf), 0)) > 0)
		got += n;
	EXPECT(got < bytes);
}
