// SPDX-License-Identifier: GPL-2.0
/*
 * Sends numbered messages to msg_recv and says in one line what became of them.
 *
 * Exit status: 0 if all were acknowledged; 1 if there was an error; 2 if it could
 * not be tried.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msg.h"
#include "util.h"

static const char usage_text[] =
"usage: msg_send ADDR [OPTION...]\n"
"  --port N           of the receiver (7000)\n"
"  --bind ADDR        send from this address\n"
"  --device NAME      send through this device or VRF\n"
"  --stream N         which of the receiver's streams (0)\n"
"  --count N          messages (100)\n"
"  --first N          number of the first (0)\n"
"  --time MS          instead of --count: for so long\n"
"  --size N[-M]       bytes of each (1000), or spread evenly between\n"
"  --head N           bytes of the first, if not as many\n"
"  --pause MS[,MS...] after the first message, the second...\n"
"  --rate N           messages per second, at most (any)\n"
"  --sndbuf BYTES\n"
"  --tos N            of its packets, a DSCP and two bits (0)\n"
"  --unordered        may be delivered in any order\n"
"  --connect          send() instead of sendto()\n"
"  --nonblock         poll() and try again\n"
"  --patience MS      go on after errors, unless nothing is acknowledged for so long (0)\n"
"  --user-timeout MS  until an unanswered message fails\n"
"  --drain MS         wait so long for the last acknowledgment (60000)\n"
"  --no-drain         close at once\n"
"  --cc NAME --sched NAME\n";

static struct {
	struct addr to;
	const char *bind, *device, *pause;
	int port, sndbuf, tos, user_timeout;
	uint32_t stream;
	uint64_t count, first, time, size_min, size_max, head, rate, patience, drain;
	bool unordered, connect, nonblock, no_drain;
	const char *cc, *sched;
} o = {
	.port = 7000, .count = 100, .size_min = 1000, .size_max = 1000, .drain = 60000,
};

static struct {
	uint64_t sent, bytes, errors, blocked, error_at, error_ns;
	uint64_t acked, acked_at;
	int error;
} did;

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

enum opt {
	OPT_PORT = 256, OPT_BIND, OPT_DEVICE, OPT_STREAM, OPT_COUNT, OPT_FIRST, OPT_TIME, OPT_SIZE, OPT_PAUSE, OPT_HEAD,
	OPT_RATE, OPT_SNDBUF, OPT_UNORDERED, OPT_CONNECT, OPT_NONBLOCK, OPT_PATIENCE,
	OPT_USER_TIMEOUT, OPT_DRAIN, OPT_NO_DRAIN, OPT_CC, OPT_SCHED, OPT_TOS,
};

static const struct option options[] = {
	{ "port", 1, NULL, OPT_PORT }, { "bind", 1, NULL, OPT_BIND },
	{ "device", 1, NULL, OPT_DEVICE },
	{ "stream", 1, NULL, OPT_STREAM }, { "count", 1, NULL, OPT_COUNT },
	{ "first", 1, NULL, OPT_FIRST }, { "time", 1, NULL, OPT_TIME },
	{ "size", 1, NULL, OPT_SIZE }, { "pause", 1, NULL, OPT_PAUSE },
	{ "head", 1, NULL, OPT_HEAD },
	{ "rate", 1, NULL, OPT_RATE },
	{ "sndbuf", 1, NULL, OPT_SNDBUF }, { "tos", 1, NULL, OPT_TOS }, { "unordered", 0, NULL, OPT_UNORDERED },
	{ "connect", 0, NULL, OPT_CONNECT }, { "nonblock", 0, NULL, OPT_NONBLOCK },
	{ "patience", 1, NULL, OPT_PATIENCE }, { "user-timeout", 1, NULL, OPT_USER_TIMEOUT },
	{ "drain", 1, NULL, OPT_DRAIN }, { "no-drain", 0, NULL, OPT_NO_DRAIN },
	{ "cc", 1, NULL, OPT_CC }, { "sched", 1, NULL, OPT_SCHED },
	{ NULL, 0, NULL, 0 },
};

static void parse_size(char *text)
{
	char *dash = strchr(text, '-');

	if (dash)
		*dash = 0;
	o.size_min = parse_number("--size", text);
	o.size_max = dash ? parse_number("--size", dash + 1) : o.size_min;
	if (o.size_min < MSG_HEAD || o.size_max < o.size_min)
		die("--size: from %d on", MSG_HEAD);
}

static void parse_number_option(int opt)
{
	uint64_t n = parse_number("option", optarg);

	switch (opt) {
	case OPT_PORT:		o.port = (int)n; break;
	case OPT_STREAM:	o.stream = (uint32_t)n; break;
	case OPT_COUNT:		o.count = n; break;
	case OPT_FIRST:		o.first = n; break;
	case OPT_TIME:		o.time = n; o.count = UINT64_MAX; break;
	case OPT_HEAD:		o.head = n; break;
	case OPT_RATE:		o.rate = n; break;
	case OPT_SNDBUF:	o.sndbuf = (int)n; break;
	case OPT_TOS:		o.tos = (int)n; break;
	case OPT_PATIENCE:	o.patience = n; break;
	case OPT_USER_TIMEOUT:	o.user_timeout = (int)n; break;
	case OPT_DRAIN:		o.drain = n; break;
	}
}

static void parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case '?':	fputs(usage_text, stderr); exit(2);
		case OPT_BIND:	o.bind = optarg; break;
		case OPT_DEVICE: o.device = optarg; break;
		case OPT_SIZE:	parse_size(optarg); break;
		case OPT_PAUSE:	o.pause = optarg; break;
		case OPT_UNORDERED: o.unordered = true; break;
		case OPT_CONNECT: o.connect = true; break;
		case OPT_NONBLOCK: o.nonblock = true; break;
		case OPT_NO_DRAIN: o.no_drain = true; break;
		case OPT_CC:	o.cc = optarg; break;
		case OPT_SCHED:	o.sched = optarg; break;
		default:	parse_number_option(opt);
		}
	}
	if (optind + 1 != argc) {
		fputs(usage_text, stderr);
		exit(2);
	}
	addr_set(&o.to, argv[optind], o.port);
}

static void choose(int fd, int option, const char *name)
{
	if (name && setsockopt(fd, SOL_LAPSMP, option, name, strlen(name)))
		die("%s: %s", name, strerror(errno));
}

static int open_sender(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	int fd = open_socket(o.to.ss.ss_family);
	struct addr own;

	sigaction(SIGTERM, &sa, NULL);
	if (o.sndbuf)
		set_int(fd, SOL_SOCKET, SO_SNDBUFFORCE, o.sndbuf);
	if (o.tos && o.to.ss.ss_family == AF_INET6)
		set_int(fd, IPPROTO_IPV6, IPV6_TCLASS, o.tos);
	else if (o.tos)
		set_int(fd, IPPROTO_IP, IP_TOS, o.tos);
	if (o.unordered)
		set_int(fd, SOL_LAPSMP, LAPSMP_UNORDERED, 1);
	if (o.user_timeout)
		set_int(fd, SOL_LAPSMP, LAPSMP_USER_TIMEOUT, o.user_timeout);
	choose(fd, LAPSMP_CC, o.cc);
	choose(fd, LAPSMP_SCHED, o.sched);
	if (o.device)
		bind_device(fd, o.device);
	if (o.bind) {
		addr_set(&own, o.bind, 0);
		bind_socket(fd, &own);
	}
	if (o.connect && connect(fd, addr_sa(&o.to), o.to.len))
		did.error = errno;
	return fd;
}

static uint64_t size_of(uint64_t number)
{
	if (o.head && number == o.first)
		return o.head;
	return o.size_min + number * 7919 % (o.size_max - o.size_min + 1);
}

static void wait_room(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	did.blocked++;
	/* Writable may mean: for others. */
	if (poll(&p, 1, 1000) == 1)
		sleep_ns(NSEC_PER_MSEC / 10);
}

static long send_one(int fd, const void *buf, size_t len)
{
	int flags = MSG_NOSIGNAL | (o.nonblock ? MSG_DONTWAIT : 0);

	if (o.connect)
		return send(fd, buf, len, flags);
	return sendto(fd, buf, len, flags, addr_sa(&o.to), o.to.len);
}

static void note_error(int err, uint64_t number, uint64_t start)
{
	did.errors++;
	did.error = err;
	did.error_at = number;
	did.error_ns = now_ns() - start;
}

/* After an error: has something been acknowledged lately? */
static bool may_go_on(int fd)
{
	uint64_t acked = get_info(fd).tx_acked_messages, now = now_ns();

	if (acked != did.acked) {
		did.acked = acked;
		did.acked_at = now;
	}
	return now - did.acked_at < o.patience * NSEC_PER_MSEC;
}

/* Return: false if it is time to end. */
static bool send_number(int fd, void *buf, uint64_t number, uint64_t start)
{
	size_t len = size_of(number);
	long n;

	msg_fill(buf, len, (struct msg_id){ o.stream, number });
	for (;;) {
		n = send_one(fd, buf, len);
		if (n >= 0 || errno != EAGAIN || stop)
			break;
		wait_room(fd);
	}
	if (n < 0 && stop)
		return false;
	if (n < 0) {
		note_error(errno, number, start);
		sleep_ns(10 * NSEC_PER_MSEC);
		return may_go_on(fd);
	}
	if ((size_t)n != len)
		die("%ld bytes of %zu were sent", n, len);
	did.sent++;
	did.bytes += len;
	return true;
}

/* As --pause and --rate say. */
static void wait_turn(uint64_t start, uint64_t i)
{
	uint64_t at, now = now_ns();

	if (o.pause && *o.pause) {
		sleep_ns(strtoull(o.pause, (char **)&o.pause, 10) * NSEC_PER_MSEC);
		if (*o.pause == ',')
			o.pause++;
	}
	if (!o.rate)
		return;
	at = start + (i + 1) * NSEC_PER_SEC / o.rate;
	if (at > now)
		sleep_ns(at - now);
}

static void send_all(int fd, uint64_t start)
{
	void *buf = xcalloc(1, o.head > o.size_max ? o.head : o.size_max);
	uint64_t i;

	for (i = 0; i < o.count && !stop; i++) {
		if (o.time && now_ns() - start > o.time * NSEC_PER_MSEC)
			break;
		if (!send_number(fd, buf, o.first + i, start))
			break;
		wait_turn(start, i);
	}
	free(buf);
}

static int pending_error(int fd)
{
	int err = 0;
	socklen_t len = sizeof(err);

	getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len);
	return err;
}

int main(int argc, char **argv)
{
	struct lapsmp_info info;
	bool drained = true;
	uint64_t start;
	int fd, err;

	parse(argc, argv);
	fd = open_sender();
	start = now_ns();
	did.acked_at = start;
	if (!did.error)
		send_all(fd, start);
	if (!o.no_drain && !stop)
		drained = wait_drained(fd, o.drain);
	err = pending_error(fd);
	if (err)
		note_error(err, o.first + did.sent, start);
	info = get_info(fd);
	printf("sent=%" PRIu64 " bytes=%" PRIu64 " acked=%" PRIu64 " failed=%" PRIu64
	       " elapsed_ns=%" PRIu64 " segs=%" PRIu64 " retrans=%" PRIu64 " spurious=%" PRIu64
	       " blocked=%" PRIu64 " errors=%" PRIu64 " error_at=%" PRIu64 " error_ns=%" PRIu64
	       " drained=%d error=%s\n",
	       did.sent, did.bytes, (uint64_t)info.tx_acked_messages,
	       (uint64_t)info.tx_failed_messages, now_ns() - start, (uint64_t)info.tx_segs,
	       (uint64_t)info.retrans_segs, (uint64_t)info.spurious_segs, did.blocked, did.errors,
	       did.error_at, did.error_ns, drained, did.error ? strerrorname_np(did.error) : "0");
	close(fd);
	return did.error || info.tx_failed_messages || !drained;
}
