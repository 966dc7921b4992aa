// SPDX-License-Identifier: GPL-2.0
/*
 * Many sockets at once: sockets_test FROM TO ADDR [SOCKETS [ROUNDS]].
 *
 * A ball goes back and forth between each of the sockets in FROM and one of its
 * own in TO; every throw is a message with a number.
 */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "ktap.h"
#include "msg.h"
#include "util.h"

#define PORT		10000
#define MAX_SIZE	3000
#define WAIT_MS		30000

struct player {
	int fd;
	uint64_t heard;
	struct addr peer;
};

static const char *from_ns, *to_ns;
static struct addr to;
static int sockets = 1000, rounds = 10;

static size_t size_of(uint64_t number)
{
	return MSG_HEAD + number * 1543 % (MAX_SIZE - MSG_HEAD);
}

/* Throw @number of game @game. */
static bool throw_ball(struct player *p, int game, uint64_t number)
{
	char buf[MAX_SIZE];
	size_t len = size_of(number);

	msg_fill(buf, len, (struct msg_id){ game, number });
	return sendto(p->fd, buf, len, 0, addr_sa(&p->peer), p->peer.len) == (ssize_t)len;
}

/* The even throws start in FROM, the odd ones are answers. */
static bool catch_ball(struct player *p, int game, uint64_t want)
{
	struct msg_id id = { 0 };
	char buf[MAX_SIZE];
	ssize_t n;

	p->peer.len = sizeof(p->peer.ss);
	n = recvfrom(p->fd, buf, sizeof(buf), MSG_DONTWAIT, addr_sa(&p->peer), &p->peer.len);
	return n == (ssize_t)size_of(want) && msg_parse(buf, n, &id) &&
	       id.stream == (uint32_t)game && id.number == want;
}

static void open_all(struct player *p, const char *ns, int ep, bool far)
{
	struct addr a = to;
	int i;

	for (i = 0; i < sockets; i++) {
		struct epoll_event ev = { .events = EPOLLIN, .data.u32 = 2 * i + far };

		p[i].fd = open_socket_in(ns, to.ss.ss_family);
		((struct sockaddr_in *)&a.ss)->sin_port = htons(PORT + i);
		if (far)
			bind_socket(p[i].fd, &a);
		p[i].peer = a;
		epoll_ctl(ep, EPOLL_CTL_ADD, p[i].fd, &ev);
	}
}

/* Return: whether the game is over with this throw; -1: something is wrong. */
static int play(struct player *all[2], uint32_t who)
{
	bool far = who % 2;
	int game = who / 2;
	struct player *p = &all[far][game];
	uint64_t number = 2 * p->heard + !far;

	if (!catch_ball(p, game, number))
		return -1;
	p->heard++;
	if (number + 1 == (uint64_t)2 * rounds)
		return 1;
	return throw_ball(p, game, number + 1) ? 0 : -1;
}

TEST(every_ball_comes_back)
{
	struct player *all[2] = {
		xcalloc(sockets, sizeof(struct player)), xcalloc(sockets, sizeof(struct player)),
	};
	int ep = epoll_create1(0), i, n, over = 0, bad = 0;
	struct epoll_event ev[64];

	open_all(all[0], from_ns, ep, false);
	open_all(all[1], to_ns, ep, true);
	for (i = 0; i < sockets; i++)
		EXPECT(throw_ball(&all[0][i], i, 0));
	while (over < sockets && bad < 10) {
		n = epoll_wait(ep, ev, ARRAY_LEN(ev), WAIT_MS);
		if (n <= 0)
			break;
		for (i = 0; i < n; i++) {
			int ret = play(all, ev[i].data.u32);

			over += ret > 0;
			bad += ret < 0;
		}
	}
	EXPECT_EQ(bad, 0);
	EXPECT_EQ(over, sockets);
	for (i = 0; i < sockets; i++) {
		struct lapsmp_info info = get_info(all[0][i].fd);

		EXPECT_EQ(info.tx_messages, rounds);
		EXPECT_EQ(info.rx_messages, rounds);
		EXPECT_EQ(info.tx_failed_messages, 0);
	}
}

int main(int argc, char **argv)
{
	if (argc < 4)
		die("usage: sockets_test FROM TO ADDR [SOCKETS [ROUNDS]]");
	from_ns = argv[1];
	to_ns = argv[2];
	addr_set(&to, argv[3], PORT);
	if (argc > 4)
		sockets = atoi(argv[4]);
	if (argc > 5)
		rounds = atoi(argv[5]);
	want_files(2 * sockets + 64);
	return ktap_main(0, NULL);
}
