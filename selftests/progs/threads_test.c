// SPDX-License-Identifier: GPL-2.0
/*
 * Many threads on one socket, all of which send and receive:
 * threads_test FROM TO ADDR [THREADS [MESSAGES]].
 *
 * Socket A in FROM has half of the threads' messages as its stream numbers, the
 * socket in TO sends every message back to where it came from, with threads of
 * its own. Each message must come to B once and back to A once. And one who may not wait,
 * beside another writer of the same flow, is told when he may try again.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "ktap.h"
#include "msg.h"
#include "util.h"

#define PORT		7400
#define PORT_APART	7401
/* Several times what a socket's buffer holds. */
#define LARGE		(16 << 20)
#define MAX_THREADS	256
#define MAX_SIZE	6000
/* Nothing comes any more: longer than 64 threads take to begin where each packet is dear. */
#define IDLE_MS		10000

struct side {
	int fd;
	bool echo;
	pthread_mutex_t lock;
	struct msg_seen seen[MAX_THREADS];
	atomic_ulong received, damaged;
};

static struct side near_side = { .lock = PTHREAD_MUTEX_INITIALIZER };
static struct side far_side = { .lock = PTHREAD_MUTEX_INITIALIZER, .echo = true };
static struct addr to, apart;
static int threads = 64, messages = 100;

static void note_message(struct side *s, const void *buf, size_t len)
{
	struct msg_id id;

	if (!msg_parse(buf, len, &id) || id.stream >= MAX_THREADS) {
		s->damaged++;
		return;
	}
	pthread_mutex_lock(&s->lock);
	msg_seen_add(&s->seen[id.stream], id.number);
	pthread_mutex_unlock(&s->lock);
	s->received++;
}

static void *receive(void *arg)
{
	struct side *s = arg;
	char buf[MAX_SIZE];
	struct addr a;
	ssize_t n;

	for (;;) {
		a.len = sizeof(a.ss);
		n = recvfrom(s->fd, buf, sizeof(buf), 0, addr_sa(&a), &a.len);
		if (n < 0 && errno != EAGAIN)
			die("recvfrom: %s", strerror(errno));
		if (n < 0)
			return NULL;
		note_message(s, buf, n);
		if (s->echo && sendto(s->fd, buf, n, 0, addr_sa(&a), a.len) != n)
			die("echo: %s", strerror(errno));
	}
}

static void *transmit(void *arg)
{
	uint32_t me = (uint32_t)(uintptr_t)arg;
	char buf[MAX_SIZE];
	int i;

	for (i = 0; i < messages; i++) {
		size_t len = MSG_HEAD + (i * 7919 + me * 104729) % (MAX_SIZE - MSG_HEAD);

		msg_fill(buf, len, (struct msg_id){ me, i });
		if (sendto(near_side.fd, buf, len, 0, addr_sa(&to), to.len) != (ssize_t)len)
			die("sendto: %s", strerror(errno));
	}
	return receive(&near_side);
}

static void start(pthread_t *t, void *(*fn)(void *), void *arg)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 256 << 10);
	if (pthread_create(t, &attr, fn, arg))
		die("no more threads");
}

static void expect_once(struct side *s)
{
	int i;

	EXPECT_EQ(s->damaged, 0);
	EXPECT_EQ(s->received, threads * messages);
	for (i = 0; i < threads; i++) {
		EXPECT_EQ(s->seen[i].count, messages);
		EXPECT_EQ(s->seen[i].duplicates, 0);
	}
}

TEST(each_message_once_there_and_back)
{
	pthread_t near_t[MAX_THREADS], far_t[MAX_THREADS];
	int i;

	for (i = 0; i < threads; i++) {
		start(&far_t[i], receive, &far_side);
		start(&near_t[i], transmit, (void *)(uintptr_t)i);
	}
	for (i = 0; i < threads; i++) {
		pthread_join(near_t[i], NULL);
		pthread_join(far_t[i], NULL);
	}
	expect_once(&far_side);
	expect_once(&near_side);
}

static void *peek(void *arg)
{
	struct side *s = arg;
	char buf[MAX_SIZE];
	struct msg_id id;
	ssize_t n;

	while ((n = recv(s->fd, buf, sizeof(buf), MSG_PEEK)) >= 0)
		if (!msg_parse(buf, n, &id))
			s->damaged++;
		else
			sleep_ns(NSEC_PER_MSEC);
	return NULL;
}

TEST(readers_do_not_disturb_those_who_peek)
{
	pthread_t near_t[MAX_THREADS], far_t[MAX_THREADS], peekers[4];
	unsigned int i;
	int j;

	for (i = 0; i < ARRAY_LEN(peekers); i++)
		start(&peekers[i], peek, i % 2 ? &near_side : &far_side);
	for (j = 0; j < threads; j++) {
		start(&far_t[j], receive, &far_side);
		start(&near_t[j], transmit, (void *)(uintptr_t)j);
	}
	for (j = 0; j < threads; j++) {
		pthread_join(near_t[j], NULL);
		pthread_join(far_t[j], NULL);
	}
	for (i = 0; i < ARRAY_LEN(peekers); i++)
		pthread_join(peekers[i], NULL);
	expect_once(&far_side);
	expect_once(&near_side);
}

/* A pair of sockets beside the two sides'. */
static int writing, reading;

static void *discard(void *arg)
{
	char buf[MAX_SIZE];

	(void)arg;
	while (recv(reading, buf, sizeof(buf), MSG_TRUNC) >= 0)
		;
	return NULL;
}

static atomic_bool streamed;

/* As long as it is not wholly copied, nobody else's message may begin on that flow. */
static void *stream(void *arg)
{
	static const char large[LARGE];

	(void)arg;
	if (sendto(writing, large, sizeof(large), 0, addr_sa(&apart), apart.len) != sizeof(large))
		die("sendto: %s", strerror(errno));
	streamed = true;
	return NULL;
}

static bool try_it(void)
{
	return sendto(writing, "x", 1, MSG_DONTWAIT, addr_sa(&apart), apart.len) == 1;
}

TEST(who_was_refused_beside_another_writer_sees_an_edge)
{
	struct epoll_event e = { .events = EPOLLOUT | EPOLLET };
	pthread_t reader, writer;
	int ep = epoll_create1(0), ready = 1;

	NEED(!epoll_ctl(ep, EPOLL_CTL_ADD, writing, &e));
	start(&reader, discard, NULL);
	start(&writer, stream, NULL);
	while (!streamed && try_it())
		;
	/* Else there was no other writer. */
	EXPECT(!streamed);
	while (ready && !try_it())
		ready = epoll_wait(ep, &e, 1, IDLE_MS);
	EXPECT_EQ(ready, 1);
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	close(ep);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		die("usage: threads_test FROM TO ADDR [THREADS [MESSAGES]]");
	addr_set(&to, argv[3], PORT);
	if (argc > 4)
		threads = atoi(argv[4]);
	if (argc > 5)
		messages = atoi(argv[5]);
	if (threads < 1 || threads > MAX_THREADS || messages < 1)
		die("1 to %d threads", MAX_THREADS);
	near_side.fd = open_socket_in(argv[1], to.ss.ss_family);
	far_side.fd = open_socket_in(argv[2], to.ss.ss_family);
	bind_socket(far_side.fd, &to);
	set_timeout(near_side.fd, SO_RCVTIMEO, IDLE_MS);
	set_timeout(far_side.fd, SO_RCVTIMEO, IDLE_MS);
	addr_set(&apart, argv[3], PORT_APART);
	writing = open_socket_in(argv[1], apart.ss.ss_family);
	reading = open_socket_in(argv[2], apart.ss.ss_family);
	bind_socket(reading, &apart);
	set_timeout(reading, SO_RCVTIMEO, IDLE_MS);
	return ktap_main(0, NULL);
}
