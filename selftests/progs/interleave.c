// SPDX-License-Identifier: GPL-2.0
/*
 * A sender of its own, that begins its second message before the first one, and
 * then goes on with the first, within the credit that it has.
 *
 * Exit status: 0 if both are whole in the end; 1 if it had no more credit; 2 if it
 * could not be tried.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "packet.h"
#include "util.h"

#define SEGMENT		1000
#define MSG_COST	512
#define FLOW_ID		0x1234567890abcdefull
#define INCARNATION	0x1122334455667788ull
#define TRIES		20

static int fd;
static uint32_t seq, limit = 65536, used, first_missing = 1, whole;

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

/* Return: whether there was an answer. */
static bool answer(struct packet *p)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	ssize_t n;

	if (poll(&pfd, 1, 200) < 1)
		return false;
	n = recv(fd, p->data, sizeof(p->data), 0);
	if (n < 0)
		die("recv: %s", strerror(errno));
	p->len = n;
	if (packet_type(p) == T_RESET)
		die("reset: %" PRIu64, field(p, 24, 2));
	if (packet_type(p) == T_ACK || packet_type(p) == T_WUPDATE) {
		first_missing = field(p, 44, 4);
		if ((int32_t)(field(p, 52, 4) - limit) > 0)
			limit = field(p, 52, 4);
	}
	return true;
}

static void segment(struct packet *p, uint32_t msg, uint32_t len, uint32_t off)
{
	packet_make(p, T_DATA, FLOW_ID, len - off < SEGMENT ? len - off : SEGMENT);
	packet_put(p, 2, 1, 2);		/* ACKNOW */
	packet_put(p, 16, 4, ++seq);
	packet_put(p, 24, 4, msg);
	packet_put(p, 28, 4, off);
	packet_put(p, 32, 4, len);
}

/* Asks for a cookie, and opens the flow with it. */
static void open_flow(int dport, uint32_t msg, uint32_t len)
{
	struct packet p, cookie;
	uint8_t body[18] = {};

	segment(&p, msg, len, 0);
	packet_open(&p, dport, 1, INCARNATION, 0);
	transmit(&p);
	if (!answer(&cookie) || packet_type(&cookie) != T_COOKIE)
		die("no cookie");
	seq = 0;
	segment(&p, msg, len, 0);
	packet_open(&p, dport, 1, INCARNATION, field(&cookie, 24, 8));
	memcpy(body + 2, cookie.data + 32, 16);
	packet_option(&p, 0x82, body, sizeof(body));
	transmit(&p);
	if (!answer(&p) || packet_type(&p) != T_ACK)
		die("not opened");
	used += MSG_COST + SEGMENT;
}

/* Return: false if there is no credit, and none comes. */
static bool wait_credit(uint32_t n)
{
	struct packet p;
	int i;

	for (i = 0; i < TRIES && (int32_t)(limit - used - n) < 0; i++) {
		packet_make(&p, T_WPROBE, FLOW_ID, 0);
		transmit(&p);
		answer(&p);
		sleep_ns(100 * NSEC_PER_MSEC);
	}
	return (int32_t)(limit - used - n) >= 0;
}

static bool send_rest(uint32_t msg, uint32_t len, uint32_t from)
{
	uint32_t n, cost, off;
	struct packet p;

	for (off = from; off < len; off += n) {
		n = len - off < SEGMENT ? len - off : SEGMENT;
		cost = n + (off ? 0 : MSG_COST);
		if (!wait_credit(cost))
			return false;
		segment(&p, msg, len, off);
		do
			transmit(&p);
		while (!answer(&p));
		used += cost;
	}
	whole++;
	return true;
}

int main(int argc, char **argv)
{
	uint32_t first, second;
	struct packet p;
	struct addr a;

	if (argc != 4)
		die("usage: interleave ADDR BYTES_OF_FIRST BYTES_OF_SECOND");
	first = parse_number("first", argv[2]);
	second = parse_number("second", argv[3]);
	addr_set(&a, argv[1], LAPSMP_PORT);
	fd = socket(a.ss.ss_family, SOCK_DGRAM, 0);
	if (fd < 0 || connect(fd, addr_sa(&a), a.len))
		die("connect to %s: %s", argv[1], strerror(errno));
	open_flow(7000, 2, second);
	if (send_rest(1, first, 0))
		send_rest(2, second, SEGMENT);
	/* There may be more answers than questions: the window grows when a message is read. */
	while (answer(&p))
		;
	printf("whole=%u first_missing=%u used=%u limit=%u\n", whole, first_missing, used, limit);
	return whole != 2 || first_missing != 3;
}
