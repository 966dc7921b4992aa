// SPDX-License-Identifier: GPL-2.0
/*
 * Reads numbered messages of any number of senders and says in one line what
 * came: whether each came once, in order and unaltered.
 *
 * Exit status: 0 if so, and all that were expected; 1 if not; 2 if it could not
 * be tried.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "util.h"

#define MAX_STREAMS	4096

static const char usage_text[] =
"usage: msg_recv [OPTION...]\n"
"  --bind ADDR --port N  (:: and 7000)\n"
"  --device NAME      receive from this device or VRF\n"
"  --count N          messages expected, of all senders (any)\n"
"  --wait MS          give up after so long without a message (60000)\n"
"  --settle MS        after the last expected one, look out for more (300)\n"
"  --no-read MS       wait before reading anything\n"
"  --pause-us N       after each message\n"
"  --rcvbuf BYTES\n"
"  --max BYTES        longest message (67108864)\n"
"  --partial          read in pieces of 64 KiB\n"
"  --unordered        deliver in any order\n"
"  --lossy            missing messages are no fault\n";

static struct {
	const char *bind, *device;
	int port;
	uint64_t count, wait, settle, no_read, pause_us, rcvbuf, max;
	bool partial, unordered, lossy;
} o = {
	.bind = "::", .port = 7000, .wait = 60000, .settle = 300, .max = 64 << 20,
};

static struct {
	uint64_t messages, bytes, damaged, aborted, first_ns, last_ns, max_gap_ns;
	int error;
} got;

static struct msg_seen seen[MAX_STREAMS];
static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

enum opt {
	OPT_BIND = 256, OPT_DEVICE, OPT_PORT, OPT_COUNT, OPT_WAIT, OPT_SETTLE, OPT_NO_READ, OPT_PAUSE,
	OPT_RCVBUF, OPT_MAX, OPT_PARTIAL, OPT_UNORDERED, OPT_LOSSY,
};

static const struct option options[] = {
	{ "bind", 1, NULL, OPT_BIND }, { "device", 1, NULL, OPT_DEVICE },
	{ "port", 1, NULL, OPT_PORT },
	{ "count", 1, NULL, OPT_COUNT }, { "wait", 1, NULL, OPT_WAIT },
	{ "settle", 1, NULL, OPT_SETTLE }, { "no-read", 1, NULL, OPT_NO_READ },
	{ "pause-us", 1, NULL, OPT_PAUSE }, { "rcvbuf", 1, NULL, OPT_RCVBUF },
	{ "max", 1, NULL, OPT_MAX }, { "partial", 0, NULL, OPT_PARTIAL },
	{ "unordered", 0, NULL, OPT_UNORDERED }, { "lossy", 0, NULL, OPT_LOSSY },
	{ NULL, 0, NULL, 0 },
};

static void parse_number_option(int opt)
{
	uint64_t n = parse_number("option", optarg);

	switch (opt) {
	case OPT_PORT:		o.port = (int)n; break;
	case OPT_COUNT:		o.count = n; break;
	case OPT_WAIT:		o.wait = n; break;
	case OPT_SETTLE:	o.settle = n; break;
	case OPT_NO_READ:	o.no_read = n; break;
	case OPT_PAUSE:		o.pause_us = n; break;
	case OPT_RCVBUF:	o.rcvbuf = n; break;
	case OPT_MAX:		o.max = n; break;
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
		case OPT_PARTIAL: o.partial = true; break;
		case OPT_UNORDERED: o.unordered = true; break;
		case OPT_LOSSY:	o.lossy = true; break;
		default:	parse_number_option(opt);
		}
	}
	if (optind < argc) {
		fputs(usage_text, stderr);
		exit(2);
	}
}

static int open_receiver(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct addr a;
	int fd;

	addr_set(&a, o.bind, o.port);
	fd = open_socket(a.ss.ss_family);
	if (o.rcvbuf)
		set_int(fd, SOL_SOCKET, SO_RCVBUFFORCE, (int)o.rcvbuf);
	if (o.partial)
		set_int(fd, SOL_LAPSMP, LAPSMP_PARTIAL, 1);
	if (o.unordered)
		set_int(fd, SOL_LAPSMP, LAPSMP_UNORDERED, 1);
	set_timeout(fd, SO_RCVTIMEO, o.wait);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	if (o.device)
		bind_device(fd, o.device);
	bind_socket(fd, &a);
	return fd;
}

static void note_message(const void *buf, size_t len)
{
	uint64_t now = now_ns();
	struct msg_id id;

	if (!got.messages)
		got.first_ns = now;
	else if (now - got.last_ns > got.max_gap_ns)
		got.max_gap_ns = now - got.last_ns;
	got.last_ns = now;
	got.messages++;
	got.bytes += len;
	if (!msg_parse(buf, len, &id) || id.stream >= MAX_STREAMS)
		got.damaged++;
	else
		msg_seen_add(&seen[id.stream], id.number);
}

/* In pieces: the length, or -1. Of one sender at a time. */
static long read_partial(int fd, uint8_t *buf)
{
	struct iovec v = { .iov_len = 65536 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
	uint64_t len = 0;
	long n;

	do {
		v.iov_base = buf + len;
		n = recvmsg(fd, &m, 0);
		if (n < 0 && errno == ECONNABORTED) {
			got.aborted++;
			len = 0;
			continue;
		}
		if (n < 0)
			return -1;
		len += n;
	} while (!(m.msg_flags & MSG_EOR) && len + 65536 <= o.max + 65536);
	return (long)len;
}

static void read_all(int fd)
{
	uint8_t *buf = xcalloc(1, o.max + 65536);
	long n;

	while (!stop) {
		n = o.partial ? read_partial(fd, buf) : recv(fd, buf, o.max + 1, 0);
		/* It may have been stopped, and go on: with a timeout, that is told, too. */
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			got.error = errno;
		if (n < 0)
			break;
		note_message(buf, n);
		if (o.count && got.messages == o.count)
			set_timeout(fd, SO_RCVTIMEO, o.settle);
		if (o.pause_us)
			sleep_ns(o.pause_us * 1000);
	}
	free(buf);
}

static int report(int fd)
{
	uint64_t duplicates = 0, missing = 0, reordered = 0, streams = 0;
	struct lapsmp_info info = get_info(fd);
	bool ok;
	int i;

	for (i = 0; i < MAX_STREAMS; i++) {
		streams += seen[i].count > 0;
		duplicates += seen[i].duplicates;
		reordered += seen[i].reordered;
		missing += msg_seen_missing(&seen[i]);
	}
	printf("messages=%" PRIu64 " bytes=%" PRIu64 " streams=%" PRIu64 " damaged=%" PRIu64
	       " duplicates=%" PRIu64 " missing=%" PRIu64 " reordered=%" PRIu64 " aborted=%" PRIu64
	       " elapsed_ns=%" PRIu64 " max_gap_ns=%" PRIu64 " dup_segs=%" PRIu64
	       " ooo_segs=%" PRIu64 " overflow_segs=%" PRIu64 " error=%s\n",
	       got.messages, got.bytes, streams, got.damaged, duplicates, missing, reordered,
	       got.aborted, got.last_ns - got.first_ns, got.max_gap_ns, (uint64_t)info.rx_dup_segs,
	       (uint64_t)info.rx_ooo_segs, (uint64_t)info.rx_overflow_segs,
	       got.error ? strerrorname_np(got.error) : "0");
	ok = !got.damaged && !duplicates && !got.error && (o.unordered || !reordered) &&
	     (o.lossy || (!missing && (!o.count || got.messages == o.count)));
	return !ok;
}

int main(int argc, char **argv)
{
	int fd;

	parse(argc, argv);
	fd = open_receiver();
	printf("ready\n");
	fflush(stdout);
	if (o.no_read)
		sleep_ns(o.no_read * NSEC_PER_MSEC);
	read_all(fd);
	return report(fd);
}
