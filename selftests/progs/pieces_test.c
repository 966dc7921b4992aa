// SPDX-License-Identifier: GPL-2.0
/*
 * Readers of pieces that wait beside each other, and a sender by hand: pieces_test TO ADDR, whose
 * receiver is in TO.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "byhand.h"
#include "ktap.h"
#include "util.h"
#include <linux/lapsmp.h>

#define PORT		7000
#define READERS		3
#define BYTES		100
/* Longer than the tries take: at its end a reader looks once more. */
#define IDLE_MS		20000
#define TRIES		100
/* The kernel doubles it, and half of that is the window, of which this stays. */
#define BUFFER		(1 << 19)
#define ROOM		50000
#define BULK		1000
/* More than that, and no reason to reserve room. */
#define LARGE		120000

static const char *to_ns, *to_addr;
static int fd;
static atomic_int pieces;

/* What a reader asks for: one piece of so many bytes, and no more. */
struct wish {
	size_t bytes;
	int flags;
};

static void *read_piece(void *arg)
{
	const struct wish *wish = arg;
	char buf[BYTES];

	if (recv(fd, buf, wish->bytes, wish->flags) > 0)
		pieces++;
	return NULL;
}

static pthread_t readers[READERS];

/* So many wait, each with this wish, which has to be there until they have ended. */
static void readers_wait(struct wish *wish)
{
	int i;

	pieces = 0;
	for (i = 0; i < READERS; i++)
		NEED(!pthread_create(&readers[i], NULL, read_piece, wish));
	sleep_ns(100 * NSEC_PER_MSEC);
}

/* All of them have read something, or there is nothing for them. */
static void readers_end(void)
{
	int i;

	for (i = 0; i < TRIES && pieces < READERS; i++)
		sleep_ns(100 * NSEC_PER_MSEC);
	EXPECT_EQ(pieces, READERS);
	for (i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
}

static struct byhand_segment stretch(uint32_t msg, uint32_t from, uint32_t to)
{
	return (struct byhand_segment){
		.msg = msg, .msg_len = BYTES, .off = from, .len = to - from,
		.unordered = msg > 1,
	};
}

static void listen_in_pieces(void)
{
	struct addr a;

	addr_set(&a, to_addr, PORT);
	fd = open_socket_in(to_ns, a.ss.ss_family);
	bind_socket(fd, &a);
	set_int(fd, SOL_LAPSMP, LAPSMP_PARTIAL, 1);
	set_timeout(fd, SO_RCVTIMEO, IDLE_MS);
}

/*
 * Who is woken for a message that has to wait for the end of another one sleeps again. Whoever
 * reads that end and goes has to pass it on.
 */
TEST(what_was_kept_back_wakes_the_next_one)
{
	struct byhand_segment half = stretch(1, 0, BYTES / 2), rest = stretch(1, BYTES / 2, BYTES);
	struct byhand_segment behind = stretch(2, 0, BYTES);
	struct wish wish = { .bytes = BYTES };

	listen_in_pieces();
	readers_wait(&wish);
	byhand_connect(to_addr);
	byhand_open(&half);
	sleep_ns(100 * NSEC_PER_MSEC);
	EXPECT_EQ(pieces, 1);
	byhand_send(&behind);
	sleep_ns(100 * NSEC_PER_MSEC);
	EXPECT_EQ(pieces, 1);
	byhand_send(&rest);
	readers_end();
}

/* A message comes whole, which wakes one of them; none reads all of it. */
static void read_beside_each_other(struct wish wish)
{
	struct byhand_segment all = stretch(1, 0, BYTES);

	listen_in_pieces();
	readers_wait(&wish);
	byhand_connect(to_addr);
	byhand_open(&all);
	readers_end();
	close(fd);
}

TEST(what_is_left_of_a_piece_wakes_the_next_one)
{
	read_beside_each_other((struct wish){ .bytes = BYTES / (READERS + 1) });
}

TEST(what_was_only_looked_at_wakes_the_next_one)
{
	read_beside_each_other((struct wish){ .bytes = BYTES, .flags = MSG_PEEK });
}

/* Who waits by poll() knows what he has looked at: else he would look for ever. */
TEST(what_was_looked_at_is_no_news)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };
	struct byhand_segment all = stretch(1, 0, BYTES);
	int epoll = epoll_create1(0);
	char buf[BYTES];

	listen_in_pieces();
	NEED(epoll >= 0 && !epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &ev));
	byhand_connect(to_addr);
	byhand_open(&all);
	EXPECT_EQ(epoll_wait(epoll, &ev, 1, IDLE_MS), 1);
	EXPECT_EQ(recv(fd, buf, sizeof(buf), MSG_PEEK), BYTES);
	EXPECT_EQ(epoll_wait(epoll, &ev, 1, 100), 0);
	close(epoll);
	close(fd);
}

/* Sends the rest of message 1 until it is taken. */
static bool is_taken(uint32_t from, uint32_t to)
{
	struct byhand_segment rest = stretch(1, from, to);
	int tries = TRIES;

	while (byhand_first_missing <= 1 && tries--)
		byhand_send(&rest);
	return byhand_first_missing > 1;
}

/*
 * The window is nearly full of what stands behind a missing half when another flow comes, and has
 * half of it; then a long message ends that is read in part. The half is within what was allowed.
 */
TEST(what_is_given_up_while_it_is_read_takes_no_room)
{
	struct byhand_segment half = stretch(1, BYTES / 2, BYTES);
	struct byhand_segment large = { .msg_len = LARGE, .len = 1, .unordered = true };
	struct byhand_segment whole = { .msg_len = BULK, .len = BULK };
	uint32_t msg = 1, used = BYTES + BYHAND_MSG_COST;
	struct addr a;
	char byte;
	int other;

	listen_in_pieces();
	set_int(fd, SOL_SOCKET, SO_RCVBUFFORCE, BUFFER);
	byhand_connect(to_addr);
	byhand_open(&half);
	for (; byhand_limit - used > ROOM; used += BULK + BYHAND_MSG_COST) {
		whole.msg = ++msg;
		NEED(byhand_send(&whole));
	}
	large.msg = ++msg;
	byhand_send(&large);
	EXPECT_EQ(recv(fd, &byte, 1, 0), 1);
	addr_set(&a, to_addr, PORT);
	other = socket(a.ss.ss_family, SOCK_DGRAM, IPPROTO_LAPSMP);
	NEED(sendto(other, "x", 1, 0, addr_sa(&a), a.len) == 1);
	EXPECT_EQ(recv(fd, &byte, 1, 0), 1);
	EXPECT_EQ(byte, 'x');
	byhand_abort(large.msg, LARGE);
	/* Its reader is told, and that is all of it. */
	EXPECT(recv(fd, &byte, 1, 0) <= 0);
	EXPECT(is_taken(0, BYTES / 2));
	close(other);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		die("usage: pieces_test TO ADDR");
	to_ns = argv[1];
	to_addr = argv[2];
	return ktap_main(0, NULL);
}
