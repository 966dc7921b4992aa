// SPDX-License-Identifier: GPL-2.0
/*
 * Many threads on one socket, all of which send and receive:
 * threads_test FROM TO ADDR SILENT [THREADS [MESSAGES]].
 *
 * Socket A in FROM has half of the threads' messages as its stream numbers, the
 * socket in TO sends every message back to where it came from, with threads of
 * its own. Each message must come to B once and back to A once. And one who may not wait,
 * beside another writer of the same flow, to SILENT, is told when he may try again.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ktap.h"
#include "msg.h"
#include "util.h"

#define PORT		7400
#define PAGE		4096
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
static struct addr to, silent;
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

/* To somebody who does not answer. */
static int writing;

/*
 * A page that is not there until somebody gives it: who sends it has begun his message, and waits.
 * Return: whoever gives it, or -1 where the kernel has no such thing.
 */
static int missing_page(void **page)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register r = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (uffd < 0)
		return -1;
	*page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	r.range = (struct uffdio_range){ (uintptr_t)*page, PAGE };
	if (*page == MAP_FAILED || ioctl(uffd, UFFDIO_API, &api) ||
	    ioctl(uffd, UFFDIO_REGISTER, &r))
		die("userfaultfd: %s", strerror(errno));
	return uffd;
}

static void *send_page(void *page)
{
	if (sendto(writing, page, PAGE, 0, addr_sa(&silent), silent.len) != PAGE)
		die("sendto: %s", strerror(errno));
	return NULL;
}

static bool try_it(void)
{
	return sendto(writing, "x", 1, MSG_DONTWAIT, addr_sa(&silent), silent.len) == 1;
}

/* Though nothing is acknowledged: there is room, it was not his turn. */
TEST(who_was_refused_beside_another_writer_sees_an_edge)
{
	struct epoll_event e = { .events = EPOLLOUT | EPOLLET };
	struct linger at_once = { .l_onoff = 1 };
	struct uffdio_zeropage zero = {};
	int ep = epoll_create1(0), uffd;
	pthread_t writer;
	void *page;

	uffd = missing_page(&page);
	if (uffd < 0)
		ktap_skip("no userfaultfd");
	/* What nobody takes does not outlive the test. */
	NEED(!setsockopt(writing, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)));
	NEED(!epoll_ctl(ep, EPOLL_CTL_ADD, writing, &e));
	/* It can be written to, which is said once. */
	EXPECT_EQ(epoll_wait(ep, &e, 1, 0), 1);
	start(&writer, send_page, page);
	while (try_it())
		sleep_ns(NSEC_PER_MSEC);
	EXPECT_EQ(errno, EAGAIN);
	EXPECT_EQ(epoll_wait(ep, &e, 1, 0), 0);
	zero.range = (struct uffdio_range){ (uintptr_t)page, PAGE };
	NEED(!ioctl(uffd, UFFDIO_ZEROPAGE, &zero));
	EXPECT_EQ(epoll_wait(ep, &e, 1, IDLE_MS), 1);
	EXPECT_EQ(e.events, EPOLLOUT);
	EXPECT(try_it());
	pthread_join(writer, NULL);
	close(ep);
	close(uffd);
}

int main(int argc, char **argv)
{
	if (argc < 5)
		die("usage: threads_test FROM TO ADDR SILENT [THREADS [MESSAGES]]");
	addr_set(&to, argv[3], PORT);
	if (argc > 5)
		threads = atoi(argv[5]);
	if (argc > 6)
		messages = atoi(argv[6]);
	if (threads < 1 || threads > MAX_THREADS || messages < 1)
		die("1 to %d threads", MAX_THREADS);
	near_side.fd = open_socket_in(argv[1], to.ss.ss_family);
	far_side.fd = open_socket_in(argv[2], to.ss.ss_family);
	bind_socket(far_side.fd, &to);
	set_timeout(near_side.fd, SO_RCVTIMEO, IDLE_MS);
	set_timeout(far_side.fd, SO_RCVTIMEO, IDLE_MS);
	addr_set(&silent, argv[4], PORT);
	writing = open_socket_in(argv[1], silent.ss.ss_family);
	return ktap_main(0, NULL);
}
