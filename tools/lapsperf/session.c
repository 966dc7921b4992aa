// SPDX-License-Identifier: GPL-2.0
/*
 * The server's side of one run: a control connection, the sockets that receive,
 * and a thread for each of them. Threads sleep in the kernel until there is
 * something to do; only every TICK_NS do they look whether they should give up.
 *
 * A datagram protocol has one socket for all flows, TCP and MPTCP one for each.
 */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctl.h"
#include "info.h"
#include "lapsperf.h"
#include "net.h"
#include "pattern.h"
#include "session.h"
#include "stats.h"
#include "util.h"

#define TICK_NS		(200 * 1000000ull)
/* Of a stream, messages from here on are read when there are CHUNK bytes of them, */
#define LARGE		(64u << 10)
#define CHUNK		(1u << 10)
/* shorter ones so many bytes at a time. */
#define BATCH		(256u << 10)

/**
 * struct session - one run
 * @total: messages to expect over all flows; UINT64_MAX if not known yet
 * @ended: the client has said "end"
 * @gone: the client has closed the control connection
 */
struct session {
	struct params p;
	struct ctl ctl;
	struct addr local, peer;
	bool shared_clock;
	int fd;
	struct flow_stats *flow;
	struct sock_info info;
	atomic_ullong total;
	atomic_bool ended, gone;
	char error[200];
};

/* One receiving thread. */
struct receiver {
	struct session *s;
	pthread_t thread;
	int fd;
	struct flow_stats *fs;
	uint8_t *buf, *reply;
	uint64_t done;
	uint64_t last_ns;
	uint32_t lowat;
};

static void session_error(struct session *s, const char *what, int err)
{
	if (!s->error[0])
		snprintf(s->error, sizeof(s->error), "server: %s: %s", what, strerror(err));
}

/* Nothing came for a tick. Returns whether to give up, after saying why. */
static bool receiver_over(struct receiver *r)
{
	struct session *s = r->s;
	uint64_t idle = now_ns() - r->last_ns;

	if (s->gone || r->done >= s->total)
		return true;
	if (s->ended && (!s->p.proto->reliable || s->p.mode == MODE_RR))
		return idle >= TICK_NS;
	if (idle < s->p.idle_ns)
		return false;
	if (!s->error[0])
		snprintf(s->error, sizeof(s->error),
			 "server: nothing arrived for %" PRIu64 " s after %" PRIu64
			 " messages (--timeout)", s->p.idle_ns / NSEC_PER_SEC, r->done);
	return true;
}

/*
 * Takes one message of @len bytes. Returns its flow, or NULL if it is not one
 * of ours.
 */
static struct flow_stats *receiver_take(struct receiver *r, const uint8_t *msg, size_t len)
{
	struct session *s = r->s;
	uint64_t now = now_ns(), seq, sent;
	struct flow_stats *fs;
	struct msg_hdr hdr;
	uint32_t flow;

	memcpy(&hdr, msg, sizeof(hdr));
	flow = le32toh(hdr.flow);
	seq = le64toh(hdr.seq);
	r->last_ns = now;
	if (len < sizeof(hdr) || le32toh(hdr.magic) != MSG_MAGIC || flow >= s->p.flows ||
	    le64toh(hdr.size) != s->p.size || (s->p.count && seq >= s->p.count)) {
		s->flow[0].corrupt++;
		return NULL;
	}
	fs = &s->flow[flow];
	if (len != s->p.size) {
		fs->truncated++;
		return NULL;
	}
	if (s->p.verify &&
	    !pattern_check(msg + sizeof(hdr), len - sizeof(hdr), flow, seq))
		fs->corrupt++;
	if (!stats_new_seq(fs, seq))
		return fs;
	r->done++;
	sent = s->shared_clock ? le64toh(hdr.send_ns) : now;
	if (seq >= s->p.warm)
		stats_count(fs, s->p.size, sent, now);
	if (s->p.trace)
		stats_trace(fs, flow, seq, sent, now);
	return fs;
}

static bool reply_all(int fd, const uint8_t *buf, size_t len, const struct addr *to)
{
	ssize_t n;

	while (len) {
		n = sendto(fd, buf, len, MSG_NOSIGNAL,
			   to ? (const struct sockaddr *)&to->ss : NULL, to ? to->len : 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		buf += n;
		len -= (size_t)n;
	}
	return true;
}

/* An answer starts with the number of the message that it answers. */
static bool receiver_reply(struct receiver *r, const uint8_t *msg, const struct addr *to)
{
	memcpy(r->reply, msg + offsetof(struct msg_hdr, seq), REPLY_MIN);
	if (reply_all(r->fd, r->reply, r->s->p.reply, to))
		return true;
	session_error(r->s, "sending an answer", errno);
	return false;
}

static void *receive_dgrams(void *arg)
{
	struct receiver *r = arg;
	struct session *s = r->s;
	struct addr from;
	ssize_t n;

	while (r->done < s->total) {
		from.len = sizeof(from.ss);
		n = recvfrom(r->fd, r->buf, s->p.size, MSG_TRUNC,
			     (struct sockaddr *)&from.ss, &from.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN) {
			session_error(s, "receiving", errno);
			break;
		}
		if (n < 0) {
			if (receiver_over(r))
				break;
			continue;
		}
		if (receiver_take(r, r->buf, (size_t)n) && s->p.mode == MODE_RR &&
		    !receiver_reply(r, r->buf, &from))
			break;
	}
	return NULL;
}

/*
 * Waits until @want bytes are there, waking once for all of them, and reads up
 * to @room. Returns bytes, 0 at the end, -1 for an error or a tick without any.
 */
static ssize_t stream_read_large(struct receiver *r, uint8_t *to, uint32_t want)
{
	struct pollfd pfd = { .fd = r->fd, .events = POLLIN };
	int lowat = (int)(want < CHUNK ? want : CHUNK);

	if (r->lowat != (uint32_t)lowat) {
		setsockopt(r->fd, SOL_SOCKET, SO_RCVLOWAT, &lowat, sizeof(lowat));
		r->lowat = (uint32_t)lowat;
	}
	/* What a full window keeps below the mark is read after a tick. */
	poll(&pfd, 1, TICK_NS / 1000000);
	return recv(r->fd, to, want, MSG_DONTWAIT);
}

/* Whole messages in the buffer: taken, and answered if need be. */
static bool stream_take(struct receiver *r, size_t *used, size_t have)
{
	struct session *s = r->s;
	struct flow_stats *fs;

	for (; have - *used >= s->p.size; *used += s->p.size) {
		fs = receiver_take(r, r->buf + *used, s->p.size);
		if (!fs) {
			session_error(s, "a message does not start where it should", EBADMSG);
			return false;
		}
		r->fs = fs;
		if (s->p.mode == MODE_RR && !receiver_reply(r, r->buf + *used, NULL))
			return false;
	}
	return true;
}

/* The buffer holds a whole number of messages, so none of them wraps. */
static void *receive_stream(void *arg)
{
	struct receiver *r = arg;
	struct session *s = r->s;
	size_t cap = s->p.size * (size_t)(s->p.size < LARGE ? BATCH / s->p.size : 1);
	size_t have = 0, used = 0;
	ssize_t n;

	while (!s->p.count || r->done < s->p.count) {
		if (s->p.size < LARGE)
			n = recv(r->fd, r->buf + have, cap - have, 0);
		else
			n = stream_read_large(r, r->buf + have, (uint32_t)(cap - have));
		if (n == 0)
			break;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN) {
			session_error(s, "receiving", errno);
			break;
		}
		if (n < 0) {
			if (receiver_over(r))
				break;
			continue;
		}
		have += (size_t)n;
		if (!stream_take(r, &used, have))
			break;
		if (used == cap) {
			have = 0;
			used = 0;
		}
	}
	return NULL;
}

static bool receiver_start(struct receiver *r, struct session *s, int fd)
{
	size_t room = s->p.size;
	int err;

	if (s->p.proto->stream && s->p.size < LARGE)
		room = s->p.size * (size_t)(BATCH / s->p.size);
	r->s = s;
	r->fd = fd;
	r->buf = xcalloc(1, room < sizeof(struct msg_hdr) ? sizeof(struct msg_hdr) : room);
	r->reply = xcalloc(1, s->p.reply > REPLY_MIN ? s->p.reply : REPLY_MIN);
	r->last_ns = now_ns();
	sock_timeout(fd, SO_RCVTIMEO, TICK_NS);
	err = pthread_create(&r->thread, NULL,
			     s->p.proto->stream ? receive_stream : receive_dgrams, r);
	if (err)
		session_error(s, "pthread_create", err);
	return !err;
}

static void receiver_finish(struct receiver *r, bool started)
{
	if (started)
		pthread_join(r->thread, NULL);
	info_add(&r->s->info, r->s->p.proto, r->fd);
	if (r->fd != r->s->fd)
		close(r->fd);
	free(r->buf);
	free(r->reply);
}

/* The one thread that reads the control connection during the run. */
static void *session_listen(void *arg)
{
	struct session *s = arg;
	const char *line;

	while ((line = ctl_read(&s->ctl))) {
		if (strncmp(line, "end", 3))
			continue;
		s->total = ctl_get_u64(line, "total");
		s->ended = true;
	}
	s->gone = true;
	return NULL;
}

static int session_accept(struct session *s)
{
	uint64_t start = now_ns();
	int fd;

	do {
		fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	} while (!s->gone && now_ns() - start < s->p.idle_ns);
	if (fd < 0)
		session_error(s, "accepting a flow's connection", errno);
	return fd;
}

static void session_receive(struct session *s)
{
	uint32_t n = s->p.proto->stream ? s->p.flows : 1, i, started = 0, opened = 0;
	struct receiver *r = xcalloc(n, sizeof(*r));
	int fd = s->fd;

	for (i = 0; i < n; i++) {
		if (s->p.proto->stream)
			fd = session_accept(s);
		if (fd < 0)
			break;
		opened++;
		if (!receiver_start(&r[i], s, fd))
			break;
		started++;
	}
	for (i = 0; i < opened; i++)
		receiver_finish(&r[i], i < started);
	free(r);
}

static void session_say_flow(struct session *s, uint32_t i, struct samples *all)
{
	struct flow_stats *fs = &s->flow[i];
	uint64_t k;

	ctl_say(&s->ctl, "flow i=%" PRIu32 " done=%" PRIu64 " messages=%" PRIu64 " bytes=%" PRIu64
		" dup=%" PRIu64 " reordered=%" PRIu64 " corrupt=%" PRIu64 " truncated=%" PRIu64
		" first=%" PRIu64 " last=%" PRIu64 " gap=%" PRIu64,
		i, fs->done, fs->messages, fs->bytes, fs->duplicates, fs->reordered,
		fs->corrupt, fs->truncated, fs->first_send_ns, fs->last_recv_ns, fs->max_gap_ns);
	for (k = 0; k < fs->trace_n; k++)
		ctl_say(&s->ctl, "trace %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64,
			fs->trace[k].flow, fs->trace[k].seq, fs->trace[k].send_ns,
			fs->trace[k].recv_ns);
	if (s->shared_clock)
		samples_merge(all, &fs->fct);
}

static void session_say_results(struct session *s)
{
	const struct lapsmp_info *li = &s->info.laps;
	struct samples all = { 0 };
	struct summary sum;
	uint32_t i;

	for (i = 0; i < s->p.flows; i++)
		session_say_flow(s, i, &all);
	samples_summary(&all, &sum);
	ctl_say(&s->ctl, "fct min=%" PRIu64 " mean=%" PRIu64 " p50=%" PRIu64 " p90=%" PRIu64
		" p99=%" PRIu64 " p999=%" PRIu64 " max=%" PRIu64 " shared=%d",
		sum.min, sum.mean, sum.p50, sum.p90, sum.p99, sum.p999, sum.max,
		s->shared_clock);
	ctl_say(&s->ctl, "info rx_messages=%" PRIu64 " rx_dup=%" PRIu64 " rx_ooo=%" PRIu64
		" rx_overflow=%" PRIu64, (uint64_t)li->rx_messages, (uint64_t)li->rx_dup_segs,
		(uint64_t)li->rx_ooo_segs, (uint64_t)li->rx_overflow_segs);
	if (s->error[0])
		ctl_say(&s->ctl, "trouble %s", s->error);
	ctl_say(&s->ctl, "done");
	free(all.v);
}

/* Opens what receives the data. Returns NULL or what is wrong. */
static const char *session_open(struct session *s)
{
	const struct proto *proto = s->p.proto;
	struct addr a = s->local;
	int family = addr_family(&s->peer), err;

	/* A wildcard of both families can only be bound as that of one. */
	if (a.ss.ss_family != family)
		addr_any(&a, family, 0);
	s->fd = sock_open(proto, family, s->p.sndbuf, s->p.rcvbuf);
	if (s->fd < 0)
		return sock_explain(proto, -s->fd);
	err = sock_bind_near(s->fd, &a, addr_port(&s->local) + proto->stream);
	if (!err && proto->stream && listen(s->fd, (int)s->p.flows))
		err = -errno;
	if (err)
		return strerror(-err);
	sock_timeout(s->fd, SO_RCVTIMEO, TICK_NS);
	ctl_say(&s->ctl, "ok port=%d", addr_port(&a));
	s->flow = xcalloc(s->p.flows, sizeof(*s->flow));
	s->total = s->p.count ? s->p.count * s->p.flows : UINT64_MAX;
	return NULL;
}

static int session_serve(struct session *s)
{
	const char *wrong, *line = ctl_read(&s->ctl);
	pthread_t listener;
	char boot[64];
	uint32_t i;

	if (!line)
		return EXIT_RUN;
	wrong = ctl_parse_run(line, &s->p);
	s->shared_clock = ctl_get(line, "boot", boot, sizeof(boot)) && !strcmp(boot, boot_id());
	if (!wrong)
		wrong = session_open(s);
	if (wrong) {
		ctl_say(&s->ctl, "error %s", wrong);
		warn("%s: refused: %s", addr_str(&s->peer), wrong);
		return EXIT_RUN;
	}
	if (pthread_create(&listener, NULL, session_listen, s))
		die(EXIT_RUN, "no more threads");
	session_receive(s);
	session_say_results(s);
	pthread_join(listener, NULL);
	for (i = 0; i < s->p.flows; i++)
		stats_free(&s->flow[i]);
	free(s->flow);
	return s->error[0] ? EXIT_RUN : 0;
}

/* Serves the control connection @fd to its end and closes it. */
int session_run(int fd, const struct addr *local, const struct addr *peer)
{
	struct session *s = xcalloc(1, sizeof(*s));
	int status;

	s->fd = -1;
	s->local = *local;
	s->peer = *peer;
	ctl_init(&s->ctl, fd);
	status = session_serve(s);
	if (s->error[0])
		warn("%s: %s", addr_str(peer), s->error);
	ctl_close(&s->ctl);
	if (s->fd >= 0)
		close(s->fd);
	free(s);
	return status;
}
