// SPDX-License-Identifier: GPL-2.0
/* A flow whose segments are sent by hand. */
#include <errno.h>
#include <netinet/udp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "byhand.h"
#include "util.h"

#define DPORT		7000

uint32_t byhand_limit = 65536, byhand_first_missing = 1;
bool byhand_takes_resets;
uint16_t byhand_reset;

static int fd;
static uint32_t seq;
#define TRIES		20

/* Not those of another one that was here before. */
static uint64_t flow_id, incarnation;

static uint64_t field(const struct packet *p, size_t at, unsigned int bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | p->data[at++];
	return v;
}

static void transmit(const struct packet *p)
{
	if (send(fd, p->data, p->len, 0) != (ssize_t)p->len)
		die("send: %s", strerror(errno));
}

bool byhand_answer(struct packet *p)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	ssize_t n;

	if (poll(&pfd, 1, 200) < 1)
		return false;
	n = recv(fd, p->data, sizeof(p->data), 0);
	if (n < 0)
		die("recv: %s", strerror(errno));
	p->len = n;
	if (packet_type(p) == T_RESET) {
		byhand_reset = field(p, 24, 2);
		if (!byhand_takes_resets)
			die("reset: %u", byhand_reset);
	}
	if (packet_type(p) == T_ACK || packet_type(p) == T_WUPDATE) {
		byhand_first_missing = field(p, 44, 4);
		if ((int32_t)(field(p, 52, 4) - byhand_limit) > 0)
			byhand_limit = field(p, 52, 4);
	}
	return true;
}

static void segment(struct packet *p, const struct byhand_segment *s)
{
	packet_make(p, T_DATA, flow_id, s->len);
	packet_put(p, 2, 1, s->unordered ? 6 : 2);	/* ACKNOW, UNORDERED */
	packet_put(p, 16, 4, ++seq);
	packet_put(p, 24, 4, s->msg);
	packet_put(p, 28, 4, s->off);
	packet_put(p, 32, 4, s->msg_len);
	if (s->data)
		memcpy(p->data + p->len - s->len, s->data, s->len);
}

void byhand_open(const struct byhand_segment *s)
{
	struct packet p, cookie;
	uint8_t body[18] = {};
	int tries;

	segment(&p, s);
	packet_open(&p, DPORT, 1, incarnation, 0);
	for (tries = 0; !tries || !byhand_answer(&cookie); tries++) {
		if (tries == TRIES)
			die("no answer");
		transmit(&p);
	}
	if (packet_type(&cookie) != T_COOKIE)
		die("no cookie");
	seq = 0;
	segment(&p, s);
	packet_open(&p, DPORT, 1, incarnation, field(&cookie, 24, 8));
	memcpy(body + 2, cookie.data + 32, 16);
	packet_option(&p, 0x82, body, sizeof(body));
	transmit(&p);
	if (!byhand_answer(&p) || packet_type(&p) != T_ACK)
		die("not opened");
}

bool byhand_send(const struct byhand_segment *s)
{
	struct packet p;

	segment(&p, s);
	transmit(&p);
	return byhand_answer(&p);
}

static void give_up(struct packet *p, uint32_t msg, uint32_t msg_len)
{
	packet_make(p, T_ABORT, flow_id, 0);
	packet_put(p, 2, 1, 2);	/* ACKNOW */
	packet_put(p, 16, 4, ++seq);
	packet_put(p, 24, 4, msg);
	packet_put(p, 28, 4, msg_len);
}

bool byhand_abort(uint32_t msg, uint32_t msg_len)
{
	struct packet p;

	give_up(&p, msg, msg_len);
	transmit(&p);
	return byhand_answer(&p);
}

void byhand_abort_at_once(uint32_t msg, uint32_t n, uint32_t msg_len)
{
	struct packet p, all = {};
	int bytes = 0;

	while (n--) {
		give_up(&p, msg++, msg_len);
		/* Of few of a path there is an answer at once, which tells the window. */
		packet_put(&p, 2, 1, 0);
		packet_put(&p, 4, 2, 100 + n / 8);
		packet_put(&p, 16, 4, n % 8 + 1);
		memcpy(all.data + all.len, p.data, p.len);
		all.len += p.len;
		bytes = p.len;
	}
	if (setsockopt(fd, SOL_UDP, UDP_SEGMENT, &bytes, sizeof(bytes)))
		die("UDP_SEGMENT: %s", strerror(errno));
	transmit(&all);
	bytes = 0;
	setsockopt(fd, SOL_UDP, UDP_SEGMENT, &bytes, sizeof(bytes));
	while (byhand_answer(&p))
		;
}

void byhand_probe(void)
{
	struct packet p;

	packet_make(&p, T_WPROBE, flow_id, 0);
	transmit(&p);
	byhand_answer(&p);
}

void byhand_connect(const char *host)
{
	struct addr a;

	flow_id = now_ns() | 1;
	incarnation = flow_id + 2;
	addr_set(&a, host, LAPSMP_PORT);
	fd = socket(a.ss.ss_family, SOCK_DGRAM, 0);
	if (fd < 0 || connect(fd, addr_sa(&a), a.len))
		die("connect to %s: %s", host, strerror(errno));
}
