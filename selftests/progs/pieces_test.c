// SPDX-License-Identifier: GPL-2.0
/*
 * Readers of pieces that wait beside each other, and a sender by hand: pieces_test TO ADDR, whose
 * receiver is in TO.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>

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

static const char *to_ns, *to_addr;
static int fd;
static atomic_int pieces;

/* One piece, and no more. */
static void *read_piece(void *arg)
{
	char buf[BYTES];

	(void)arg;
	if (recv(fd, buf, sizeof(buf), 0) > 0)
		pieces++;
	return NULL;
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
	pthread_t t[READERS];
	int i;

	listen_in_pieces();
	for (i = 0; i < READERS; i++)
		NEED(!pthread_create(&t[i], NULL, read_piece, NULL));
	sleep_ns(100 * NSEC_PER_MSEC);
	byhand_connect(to_addr);
	byhand_open(&half);
	sleep_ns(100 * NSEC_PER_MSEC);
	EXPECT_EQ(pieces, 1);
	byhand_send(&behind);
	sleep_ns(100 * NSEC_PER_MSEC);
	EXPECT_EQ(pieces, 1);
	byhand_send(&rest);
	for (i = 0; i < TRIES && pieces < READERS; i++)
		sleep_ns(100 * NSEC_PER_MSEC);
	EXPECT_EQ(pieces, READERS);
	for (i = 0; i < READERS; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		die("usage: pieces_test TO ADDR");
	to_ns = argv[1];
	to_addr = argv[2];
	return ktap_main(0, NULL);
}
