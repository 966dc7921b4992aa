// SPDX-License-Identifier: GPL-2.0
/*
 * The side that sends: one socket and one thread per flow, and the control
 * connection over which the server's results come back.
 */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/lapsmp.h>

#include "client.h"
#include "ctl.h"
#include "info.h"
#include "json.h"
#include "net.h"
#include "pattern.h"
#include "stats.h"
#include "util.h"

#define RETRY_NS	(50 * 1000000ull)
#define UDP_REPLY_NS	NSEC_PER_SEC

struct client;

/* One sending thread. */
struct sender {
	struct client *c;
	pthread_t thread;
	uint32_t flow;
	int fd;
	uint8_t *buf, *reply;
	uint64_t sent, errors;
	struct flow_stats fs;
};

struct client {
	const struct params *p;
	struct ctl ctl;
	struct addr server;
	struct sender *s;
	struct results r;
	atomic_ullong bytes;
	uint64_t begin_ns;
	char error[200];
};

static void client_error(struct client *c, const char *what, int err)
{
	if (!c->error[0])
		snprintf(c->error, sizeof(c->error), "%s: %s", what, strerror(err));
}

static void option_name(const struct client *c, int fd, int level, int opt, const char *flag,
			const char *value)
{
	if (!value || !setsockopt(fd, level, opt, value, (socklen_t)strlen(value) + 1))
		return;
	die(EXIT_RUN, "%s %s: %s; is it registered in this kernel for %s?", flag, value,
	    strerror(errno), c->p->proto->name);
}

static void sender_bind(struct sender *s)
{
	const struct params *p = s->c->p;
	int family = s->c->server.ss.ss_family, port = p->cport ? p->cport + (int)s->flow : 0;
	const char *why = NULL;
	struct addr a;

	if (!p->local && !port)
		return;
	addr_any(&a, family, port);
	if (p->local && addr_resolve(&a, p->local, port, family, false, &why))
		die(EXIT_USAGE, "--local %s: %s", p->local, why);
	if (bind(s->fd, (const struct sockaddr *)&a.ss, a.len))
		die(EXIT_RUN, "cannot send from %s: %s (--local, --cport)", addr_str(&a),
		    strerror(errno));
}

static void sender_open(struct sender *s)
{
	const struct params *p = s->c->p;
	const struct addr *to = &s->c->server;
	uint64_t start, took;
	int err;

	s->fd = sock_open(p->proto, to->ss.ss_family, p->sndbuf, p->rcvbuf);
	if (s->fd < 0)
		die(EXIT_RUN, "a socket of %s: %s", p->proto->name,
		    sock_explain(p->proto, -s->fd));
	sender_bind(s);
	if (p->proto->stream) {
		option_name(s->c, s->fd, IPPROTO_TCP, TCP_CONGESTION, "--cc", p->cc);
	} else {
		option_name(s->c, s->fd, SOL_LAPSMP, LAPSMP_CC, "--cc", p->cc);
		option_name(s->c, s->fd, SOL_LAPSMP, LAPSMP_SCHED, "--sched", p->sched);
	}
	start = now_ns();
	err = sock_connect(s->fd, to, p->connect_ns);
	took = now_ns() - start;
	if (err)
		die(EXIT_RUN, "cannot connect to %s over %s: %s", addr_str(to), p->proto->name,
		    strerror(-err));
	if (took > s->c->r.connect_ns)
		s->c->r.connect_ns = took;
	if (p->proto->reliable)
		sock_timeout(s->fd, SO_SNDTIMEO, p->idle_ns);
	if (p->mode == MODE_RR)
		sock_timeout(s->fd, SO_RCVTIMEO, p->proto->reliable ? p->idle_ns : UDP_REPLY_NS);
	s->buf = xcalloc(1, p->size);
	s->reply = xcalloc(1, p->reply);
}

static bool send_all(int fd, const uint8_t *buf, size_t len)
{
	ssize_t n;

	while (len) {
		n = send(fd, buf, len, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		buf += n;
		len -= (size_t)n;
	}
	return true;
}

/* Returns whether to go on. */
static bool sender_send(struct sender *s, uint64_t seq, uint64_t now)
{
	const struct params *p = s->c->p;
	struct msg_hdr hdr = {
		.magic = htole32(MSG_MAGIC),
		.flow = htole32(s->flow),
		.seq = htole64(seq),
		.send_ns = htole64(now),
		.size = htole64(p->size),
	};

	memcpy(s->buf, &hdr, sizeof(hdr));
	if (!send_all(s->fd, s->buf, p->size)) {
		s->errors++;
		client_error(s->c, "sending", errno == EAGAIN ? ETIMEDOUT : errno);
		/* What a datagram protocol refuses is only that datagram. */
		return !p->proto->reliable && errno != ECONNREFUSED;
	}
	s->sent++;
	s->c->bytes += p->size;
	return true;
}

/* Waits for the answer to @seq; late ones to others are skipped. */
static bool sender_await(struct sender *s, uint64_t seq)
{
	const struct params *p = s->c->p;
	uint64_t got;
	size_t have;
	ssize_t n;

	do {
		for (have = 0; have < p->reply; have += (size_t)n) {
			n = recv(s->fd, s->reply + have, p->reply - have, 0);
			if (n == 0)
				errno = ECONNRESET;
			if (n <= 0)
				goto fail;
			if (!p->proto->stream)
				break;
		}
		memcpy(&got, s->reply, sizeof(got));
	} while (le64toh(got) != seq);
	return true;
fail:
	s->errors++;
	if (p->proto->reliable)
		client_error(s->c, "waiting for an answer",
			     errno == EAGAIN ? ETIMEDOUT : errno);
	return !p->proto->reliable && errno == EAGAIN;
}

static bool sender_step(struct sender *s, uint64_t seq)
{
	const struct params *p = s->c->p;
	uint64_t now, errors = s->errors;

	if (p->verify)
		pattern_fill(s->buf + MSG_MIN, p->size - MSG_MIN, s->flow, seq);
	now = now_ns();
	if (!sender_send(s, seq, now))
		return false;
	if (p->mode == MODE_RR) {
		if (!sender_await(s, seq))
			return false;
		if (s->errors == errors) {
			if (seq >= p->warm)
				stats_count(&s->fs, p->size, now, now_ns());
			if (p->trace)
				stats_trace(&s->fs, s->flow, seq, now, now_ns());
		}
	}
	return true;
}

static void *sender_run(void *arg)
{
	struct sender *s = arg;
	const struct params *p = s->c->p;
	uint64_t seq, end = s->c->begin_ns + p->time_ns;

	if (p->start_at_ns)
		sleep_until_ns(p->start_at_ns);
	for (seq = 0; p->count ? seq < p->count : now_ns() < end; seq++) {
		if (!sender_step(s, seq))
			break;
		if (p->interval_ns)
			sleep_ns(p->interval_ns);
	}
	if (p->proto->stream)
		shutdown(s->fd, SHUT_WR);
	return NULL;
}

/* Joins all threads; on a terminal, says every second how far they are. */
static void client_wait(struct client *c)
{
	bool tty = isatty(STDERR_FILENO) && !c->p->json;
	struct timespec ts;
	uint64_t before = 0, now;
	uint32_t i;

	for (i = 0; i < c->p->flows; i++) {
		while (tty) {
			clock_gettime(CLOCK_REALTIME, &ts);
			ts.tv_sec++;
			if (!pthread_timedjoin_np(c->s[i].thread, NULL, &ts))
				break;
			now = c->bytes;
			fprintf(stderr, "\r%.1f MB sent, %.3f Gbit/s  ", now / 1e6,
				(now - before) * 8 / 1e9);
			before = now;
		}
		if (!tty)
			pthread_join(c->s[i].thread, NULL);
	}
	if (tty && before)
		fprintf(stderr, "\r\033[K");
}

static void client_connect_ctl(struct client *c)
{
	const struct params *p = c->p;
	const struct proto *tcp = proto_find("tcp");
	uint64_t end = now_ns() + p->connect_ns, left;
	const char *why;
	struct addr from;
	int fd, err;

	if (addr_resolve(&c->server, p->host, p->port, AF_UNSPEC, false, &why))
		die(EXIT_USAGE, "host %s: %s", p->host, why);
	for (;;) {
		fd = sock_open(tcp, c->server.ss.ss_family, 0, 0);
		if (fd < 0)
			die(EXIT_RUN, "a TCP socket: %s", strerror(-fd));
		if (p->local &&
		    (addr_resolve(&from, p->local, 0, c->server.ss.ss_family, false, &why) ||
		     bind(fd, (const struct sockaddr *)&from.ss, from.len)))
			die(EXIT_USAGE, "--local %s: not an address of this host for %s",
			    p->local, addr_str(&c->server));
		left = end - now_ns();
		err = sock_connect(fd, &c->server, left);
		if (!err)
			break;
		close(fd);
		/* The server may be about to start. */
		if (err != -ECONNREFUSED || now_ns() + RETRY_NS >= end)
			die(EXIT_RUN, "no lapsperf server at TCP %s: %s; is it running there?",
			    addr_str(&c->server), strerror(-err));
		sleep_ns(RETRY_NS);
	}
	ctl_init(&c->ctl, fd);
}

static void client_negotiate(struct client *c)
{
	const char *line;

	ctl_say_run(&c->ctl, c->p);
	line = ctl_read(&c->ctl);
	if (!line)
		die(EXIT_RUN, "the server at %s hung up", addr_str(&c->server));
	if (strncmp(line, "ok ", 3))
		die(EXIT_RUN, "the server at %s refuses: %s", addr_str(&c->server),
		    strncmp(line, "error ", 6) ? line : line + 6);
	addr_set_port(&c->server, (int)ctl_get_u64(line, "port"));
}

static void client_take_flow(struct client *c, const char *line)
{
	uint64_t i = ctl_get_u64(line, "i");
	struct flow_result *f;

	if (i >= c->p->flows)
		return;
	f = &c->r.flow[i];
	f->done = ctl_get_u64(line, "done");
	f->duplicates = ctl_get_u64(line, "dup");
	f->reordered = ctl_get_u64(line, "reordered");
	f->corrupt = ctl_get_u64(line, "corrupt");
	f->truncated = ctl_get_u64(line, "truncated");
	if (c->p->mode == MODE_RR)
		return;
	f->messages = ctl_get_u64(line, "messages");
	f->bytes = ctl_get_u64(line, "bytes");
	f->first_send_ns = ctl_get_u64(line, "first");
	f->last_recv_ns = ctl_get_u64(line, "last");
	f->max_gap_ns = ctl_get_u64(line, "gap");
}

static void client_take_line(struct client *c, const char *line, FILE *trace)
{
	struct summary *f = &c->r.fct;
	struct lapsmp_info *li = &c->r.rx.laps;

	if (!strncmp(line, "flow ", 5)) {
		client_take_flow(c, line);
	} else if (!strncmp(line, "trace ", 6) && trace && c->p->mode == MODE_STREAM) {
		fprintf(trace, "%s\n", line + 6);
	} else if (!strncmp(line, "trouble ", 8) && !c->error[0]) {
		snprintf(c->error, sizeof(c->error), "%s", line + 8);
	} else if (!strncmp(line, "info ", 5)) {
		li->rx_messages = ctl_get_u64(line, "rx_messages");
		li->rx_dup_segs = ctl_get_u64(line, "rx_dup");
		li->rx_ooo_segs = ctl_get_u64(line, "rx_ooo");
		li->rx_overflow_segs = ctl_get_u64(line, "rx_overflow");
	} else if (!strncmp(line, "fct ", 4) && c->p->mode == MODE_STREAM) {
		c->r.shared_clock = ctl_get_u64(line, "shared");
		f->min = ctl_get_u64(line, "min");
		f->mean = ctl_get_u64(line, "mean");
		f->p50 = ctl_get_u64(line, "p50");
		f->p90 = ctl_get_u64(line, "p90");
		f->p99 = ctl_get_u64(line, "p99");
		f->p999 = ctl_get_u64(line, "p999");
		f->max = ctl_get_u64(line, "max");
	}
}

/* In MODE_RR the client itself has measured. */
static void client_own_results(struct client *c, FILE *trace)
{
	struct samples all = { 0 };
	struct flow_result *f;
	struct sender *s;
	uint64_t k;
	uint32_t i;

	for (i = 0; i < c->p->flows; i++) {
		s = &c->s[i];
		f = &c->r.flow[i];
		f->sent = s->sent;
		f->errors = s->errors;
		if (c->p->mode != MODE_RR)
			continue;
		f->messages = s->fs.messages;
		f->bytes = s->fs.bytes;
		f->first_send_ns = s->fs.first_send_ns;
		f->last_recv_ns = s->fs.last_recv_ns;
		f->max_gap_ns = s->fs.max_gap_ns;
		samples_merge(&all, &s->fs.fct);
		for (k = 0; trace && k < s->fs.trace_n; k++)
			fprintf(trace, "%" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
				i, s->fs.trace[k].seq, s->fs.trace[k].send_ns,
				s->fs.trace[k].recv_ns);
	}
	if (c->p->mode == MODE_RR) {
		samples_summary(&all, &c->r.fct);
		c->r.shared_clock = true;
	}
	free(all.v);
}

static void client_results(struct client *c)
{
	const char *line;
	FILE *trace = NULL;

	if (c->p->trace) {
		trace = fopen(c->p->trace, "w");
		if (!trace)
			die(EXIT_RUN, "--trace %s: %s", c->p->trace, strerror(errno));
		fprintf(trace, "# flow message sent_ns received_ns\n");
	}
	sock_timeout(c->ctl.fd, SO_RCVTIMEO, c->p->idle_ns + 30 * NSEC_PER_SEC);
	while ((line = ctl_read(&c->ctl)) && strcmp(line, "done"))
		client_take_line(c, line, trace);
	if (!line)
		client_error(c, "waiting for the server's results",
			     errno == EAGAIN ? ETIMEDOUT : ECONNRESET);
	client_own_results(c, trace);
	if (trace)
		fclose(trace);
}

/*
 * The server knows by itself when it has everything, unless it was not told
 * how much that is or some of it may be lost: silence in mid-run otherwise.
 */
static void client_say_end(struct client *c)
{
	uint64_t total = 0;
	uint32_t i;

	for (i = 0; i < c->p->flows; i++)
		total += c->s[i].sent;
	if (!c->p->proto->reliable || !c->p->count || c->p->mode == MODE_RR || c->error[0])
		ctl_say(&c->ctl, "end total=%" PRIu64, total);
}

static int client_report(struct client *c)
{
	if (c->error[0])
		c->r.error = c->error;
	if (c->p->json)
		results_json(&c->r);
	else
		results_text(&c->r);
	if (c->error[0]) {
		warn("%s", c->error);
		return EXIT_RUN;
	}
	if (!results_intact(&c->r)) {
		warn("%s did not deliver every message once and intact", c->p->proto->name);
		return EXIT_DATA;
	}
	return 0;
}

int client_run(const struct params *p)
{
	struct client c = { .p = p, .r.p = p };
	uint32_t i;

	client_connect_ctl(&c);
	client_negotiate(&c);
	c.s = xcalloc(p->flows, sizeof(*c.s));
	c.r.flow = xcalloc(p->flows, sizeof(*c.r.flow));
	for (i = 0; i < p->flows; i++) {
		c.s[i].c = &c;
		c.s[i].flow = i;
		sender_open(&c.s[i]);
	}
	c.begin_ns = p->start_at_ns ? p->start_at_ns : now_ns();
	for (i = 0; i < p->flows; i++) {
		if (pthread_create(&c.s[i].thread, NULL, sender_run, &c.s[i]))
			die(EXIT_RUN, "cannot start %" PRIu32 " threads (--flows)", p->flows);
	}
	client_wait(&c);
	client_say_end(&c);
	client_results(&c);
	for (i = 0; i < p->flows; i++) {
		info_add(&c.r.tx, p->proto, c.s[i].fd);
		close(c.s[i].fd);
		free(c.s[i].buf);
		free(c.s[i].reply);
		stats_free(&c.s[i].fs);
	}
	i = (uint32_t)client_report(&c);
	ctl_close(&c.ctl);
	free(c.s);
	free(c.r.flow);
	return (int)i;
}
