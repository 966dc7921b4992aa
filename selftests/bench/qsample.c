// SPDX-License-Identifier: GPL-2.0
/*
 * qsample: how long the queues of some devices are, in time, sampled while
 * something else runs.
 *
 *	qsample INTERVAL_US DEV:RATE_MBIT:DELAY_US...
 *
 * A netem queue counts what is still in propagation. A packet leaves it once
 * it was serialised and has travelled for the delay, so what a packet would
 * wait for at the end of a backlog of B bytes is 8 B / rate - delay.
 *
 * Runs until SIGTERM or SIGINT, then prints JSON: percentiles in ns for each
 * device and for all of them together. Samples before the first and after the
 * last with anything queued anywhere are left out.
 */
#include <errno.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define DEVS_MAX	16

struct dev {
	char name[IFNAMSIZ];
	int ifindex;
	double rate_bps, delay_ns;
	uint32_t backlog;
	uint32_t *samples;
};

static struct dev devs[DEVS_MAX];
static int ndevs;
static size_t nsamples, room;
static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void fail(const char *what)
{
	fprintf(stderr, "qsample: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void parse_dev(const char *arg)
{
	struct dev *d = &devs[ndevs++];
	double mbit, us;

	if (sscanf(arg, "%15[^:]:%lf:%lf", d->name, &mbit, &us) != 3 || mbit <= 0) {
		fprintf(stderr, "qsample: '%s' is not DEV:RATE_MBIT:DELAY_US\n", arg);
		exit(1);
	}
	d->rate_bps = mbit * 1e6;
	d->delay_ns = us * 1e3;
	d->ifindex = (int)if_nametoindex(d->name);
	if (!d->ifindex)
		fail(d->name);
}

/* The backlog attribute of one qdisc's message. */
static void take_qdisc(const struct nlmsghdr *nlh)
{
	const struct tcmsg *tcm = NLMSG_DATA(nlh);
	int len = (int)nlh->nlmsg_len - (int)NLMSG_LENGTH(sizeof(*tcm));
	const struct rtattr *a = (const void *)((const char *)tcm + NLMSG_ALIGN(sizeof(*tcm)));
	const struct rtattr *b;
	struct gnet_stats_queue q;
	int i, blen;

	if (tcm->tcm_parent != TC_H_ROOT)
		return;
	for (i = 0; i < ndevs && devs[i].ifindex != tcm->tcm_ifindex; i++)
		;
	if (i == ndevs)
		return;
	for (; RTA_OK(a, len); a = RTA_NEXT(a, len)) {
		if (a->rta_type != TCA_STATS2)
			continue;
		blen = RTA_PAYLOAD(a);
		for (b = RTA_DATA(a); RTA_OK(b, blen); b = RTA_NEXT(b, blen)) {
			if (b->rta_type != TCA_STATS_QUEUE)
				continue;
			memcpy(&q, RTA_DATA(b), sizeof(q));
			devs[i].backlog = q.backlog;
		}
	}
}

static void dump(int fd)
{
	static char buf[65536];
	static uint32_t seq;
	struct {
		struct nlmsghdr nlh;
		struct tcmsg tcm;
	} req = {
		.nlh.nlmsg_len = sizeof(req),
		.nlh.nlmsg_type = RTM_GETQDISC,
		.nlh.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		.nlh.nlmsg_seq = ++seq,
	};
	struct nlmsghdr *nlh;
	ssize_t n;

	if (send(fd, &req, sizeof(req), 0) < 0)
		fail("asking for queues");
	for (;;) {
		n = recv(fd, buf, sizeof(buf), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			fail("reading queues");
		for (nlh = (void *)buf; NLMSG_OK(nlh, (size_t)n); nlh = NLMSG_NEXT(nlh, n)) {
			if (nlh->nlmsg_type == NLMSG_DONE || nlh->nlmsg_type == NLMSG_ERROR)
				return;
			take_qdisc(nlh);
		}
	}
}

static void store(void)
{
	int i, any = 0;

	for (i = 0; i < ndevs; i++)
		any |= devs[i].backlog != 0;
	if (!any && !nsamples)
		return;
	if (nsamples == room) {
		room = room ? room * 2 : 4096;
		for (i = 0; i < ndevs; i++) {
			devs[i].samples = realloc(devs[i].samples, room * sizeof(uint32_t));
			if (!devs[i].samples)
				fail("memory");
		}
	}
	for (i = 0; i < ndevs; i++)
		devs[i].samples[nsamples] = devs[i].backlog;
	nsamples++;
}

static void trim(void)
{
	int i;

	for (; nsamples; nsamples--) {
		for (i = 0; i < ndevs; i++) {
			if (devs[i].samples[nsamples - 1])
				return;
		}
	}
}

static double queue_ns(const struct dev *d, uint32_t backlog)
{
	double ns = 8e9 * backlog / d->rate_bps - d->delay_ns;

	return ns > 0 ? ns : 0;
}

static int cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_one(const char *name, double *v, size_t n, const char *end)
{
	double sum = 0;
	size_t i;

	qsort(v, n, sizeof(*v), cmp);
	for (i = 0; i < n; i++)
		sum += v[i];
	if (!n)
		printf("\t\"%s\": null%s\n", name, end);
	else
		printf("\t\"%s\": { \"mean\": %.0f, \"p50\": %.0f, \"p90\": %.0f, \"p99\": %.0f, \"max\": %.0f }%s\n",
		       name, sum / n, v[n / 2], v[n * 9 / 10], v[n * 99 / 100], v[n - 1], end);
}

static void print_all(void)
{
	double *one = calloc(nsamples + 1, sizeof(*one));
	double *all = calloc(nsamples * ndevs + 1, sizeof(*all));
	size_t k, n = 0;
	int i;

	if (!one || !all)
		fail("memory");
	printf("{\n\t\"samples\": %zu,\n", nsamples);
	for (i = 0; i < ndevs; i++) {
		for (k = 0; k < nsamples; k++)
			one[k] = all[n++] = queue_ns(&devs[i], devs[i].samples[k]);
		print_one(devs[i].name, one, nsamples, ",");
	}
	print_one("all", all, n, "");
	printf("}\n");
	free(one);
	free(all);
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct timespec ts;
	long interval_us;
	int fd, i;

	if (argc < 3 || argc - 2 > DEVS_MAX) {
		fprintf(stderr, "usage: qsample INTERVAL_US DEV:RATE_MBIT:DELAY_US...\n");
		return 1;
	}
	interval_us = atol(argv[1]);
	if (interval_us <= 0) {
		fprintf(stderr, "qsample: interval '%s' must be 1 us or more\n", argv[1]);
		return 1;
	}
	for (i = 2; i < argc; i++)
		parse_dev(argv[i]);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fd < 0)
		fail("netlink");
	ts.tv_sec = interval_us / 1000000;
	ts.tv_nsec = interval_us % 1000000 * 1000;
	while (!stop) {
		for (i = 0; i < ndevs; i++)
			devs[i].backlog = 0;
		dump(fd);
		store();
		clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	}
	trim();
	print_all();
	return 0;
}
