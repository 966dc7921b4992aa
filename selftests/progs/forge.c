// SPDX-License-Identifier: GPL-2.0
/*
 * An attacker: forged packets by an ordinary UDP socket, captured ones once more,
 * and changed copies of those that pass by.
 *
 * Exit status: 0; 1 if an answer was larger than what provoked it, or of a kind
 * that must not be; 2 if it could not be tried.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "packet.h"
#include "util.h"

static const char usage_text[] =
"usage: forge types ADDR      every type, cut at every length; odd headers\n"
"       forge flood ADDR      first packets of new flows\n"
"       forge random ADDR     bytes without any sense\n"
"       forge live DEV        changed copies of what leaves by this device\n"
"       forge replay DEV FILE send what tcpdump -w captured, once more\n"
"  --port N           lapsmp's UDP port (4795)\n"
"  --dport N          lapsmp port that flows are opened to (7000)\n"
"  --count N          packets (10000; types, replay: all)\n"
"  --every N          types: only each Nth of them\n"
"  --seconds N        for so long instead\n"
"  --seed N\n"
"  --blind            live: with another flow id, as who sees nothing must\n"
"  --mutate           replay: changed\n"
"  --advance N        replay: first packets only, as other flows, numbered N above\n"
"  --source ADDR      replay: as if they came from there\n";

static struct {
	const char *where, *file, *source;
	int port, dport;
	uint64_t count, seconds, seed, every, advance;
	bool blind, mutate;
} o = { .port = LAPSMP_PORT, .dport = 7000, .count = 10000, .seed = 1, .every = 1 };

static uint64_t sent, answers[16], larger, wrong;
static struct rnd rnd;
static int fd;

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static bool finished(uint64_t start)
{
	if (o.seconds)
		return stop || now_ns() - start > o.seconds * NSEC_PER_SEC;
	return stop || sent >= o.count;
}

/* --- by a UDP socket --------------------------------------------------------------- */

static void open_udp(void)
{
	struct addr a;

	addr_set(&a, o.where, o.port);
	fd = socket(a.ss.ss_family, SOCK_DGRAM, 0);
	if (fd < 0 || connect(fd, addr_sa(&a), a.len))
		die("connect to %s: %s", o.where, strerror(errno));
}

/* What answers there are by now, against the packet that was sent last. */
static void listen_udp(const struct packet *p, int ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	struct packet a;
	ssize_t n;

	while (poll(&pfd, 1, ms) > 0) {
		n = recv(fd, a.data, sizeof(a.data), 0);
		/* Nobody there: an ICMP error. */
		if (n < 0)
			continue;
		a.len = n;
		answers[packet_type(&a)]++;
		larger += a.len > p->len;
		if (packet_type(&a) != T_RESET && packet_type(&a) != T_COOKIE &&
		    packet_type(&a) != T_VERSION)
			wrong++;
		ms = 0;
	}
}

static void send_udp(const struct packet *p)
{
	if (send(fd, p->data, p->len, 0) < 0 && errno != ECONNREFUSED && errno != EMSGSIZE)
		die("send: %s", strerror(errno));
	sent++;
	listen_udp(p, 1);
}

/* Of very many. */
static void send_each(const struct packet *p)
{
	static uint64_t n;

	if (!(n++ % o.every))
		send_udp(p);
}

static void send_cut(const struct packet *p)
{
	struct packet q = *p;

	for (q.len = 0; q.len < p->len; q.len++)
		send_each(&q);
}

/* Each byte of the header, one after the other, with odd values. */
static void send_bent(const struct packet *p)
{
	static const uint8_t odd[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t i, j, head = p->data[1] * 4;

	for (i = 0; i < head && i < p->len; i++) {
		for (j = 0; j < ARRAY_LEN(odd); j++) {
			struct packet q = *p;

			q.data[i] = odd[j];
			send_each(&q);
		}
	}
}

static void send_options(const struct packet *p)
{
	static const uint8_t body[62];
	static const uint8_t lens[] = { 2, 6, 14, 18, 30, 62 };
	int kind, value;
	size_t i;

	for (kind = 0; kind < 256; kind++) {
		for (i = 0; i < ARRAY_LEN(lens); i++) {
			struct packet q = *p;

			packet_option(&q, kind, body, lens[i]);
			send_each(&q);
			if (kind % 32 == 1) {
				/* Lengths that lie. */
				for (value = 0; value < 256; value += 5) {
					q.data[p->data[1] * 4 + 1] = value;
					send_each(&q);
				}
			}
		}
	}
}

static void forge_types(void)
{
	int type, version;
	struct packet p, q;

	open_udp();
	for (type = T_DATA; type < T_COUNT; type++) {
		packet_make(&p, type, rnd_next(&rnd) | 1, 20);
		send_udp(&p);
		send_cut(&p);
		send_bent(&p);
		if (type == T_DATA || type == T_ACK)
			send_options(&p);
		packet_open(&p, o.dport, 1, 0x1234, 0);
		send_udp(&p);
		send_cut(&p);
		send_bent(&p);
		for (version = 0; version < 16; version++) {
			p.data[0] = version << 4 | type;
			send_udp(&p);
			/* What is a length in version 1 may be anything. */
			q = p;
			q.data[1] = 0xff;
			send_udp(&q);
			send_cut(&p);
		}
	}
}

static void forge_flood(void)
{
	uint64_t start = now_ns();
	struct packet p;

	open_udp();
	while (!finished(start)) {
		packet_make(&p, T_DATA, rnd_next(&rnd) | 1, 1000);
		packet_open(&p, o.dport, 1 + sent, rnd_next(&rnd) | 1,
			    sent % 2 ? 0 : rnd_next(&rnd));
		send_udp(&p);
	}
}

static void forge_random(void)
{
	uint64_t start = now_ns();
	struct packet p;
	size_t i;

	open_udp();
	while (!finished(start)) {
		p.len = rnd_below(&rnd, 200);
		for (i = 0; i < p.len; i++)
			p.data[i] = (uint8_t)rnd_next(&rnd);
		if (sent % 2 && p.len)
			p.data[0] = 0x10 | (p.data[0] & 15);
		send_udp(&p);
	}
}

/* --- by frames --------------------------------------------------------------------- */

static void open_device(void)
{
	struct sockaddr_ll ll = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(o.where),
	};

	fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
	if (fd < 0 || !ll.sll_ifindex || bind(fd, (struct sockaddr *)&ll, sizeof(ll)))
		die("%s: %s", o.where, strerror(errno));
}

static void send_frame(const struct frame *f)
{
	if (send(fd, f->data, f->len, 0) < 0 && errno != EMSGSIZE && errno != ENOBUFS &&
	    errno != ENETDOWN)
		die("send on %s: %s", o.where, strerror(errno));
	sent++;
}

static void send_changed(struct frame *f)
{
	struct packet p;

	if (!frame_get(f, &p))
		return;
	packet_mutate(&p, &rnd);
	if (o.blind && p.len >= 16)
		packet_put(&p, 8, 8, rnd_next(&rnd) | 1);
	frame_set(f, &p);
	send_frame(f);
}

static void send_advanced(struct frame *f)
{
	struct packet p;

	if (!frame_get(f, &p) || !packet_advance(&p, rnd_next(&rnd) | 1, o.advance))
		return;
	frame_set(f, &p);
	send_frame(f);
}

static void forge_live(void)
{
	struct pollfd pfd = { .events = POLLIN };
	uint64_t start = now_ns();
	static struct frame f;
	struct sockaddr_ll ll;
	socklen_t len;
	ssize_t n;

	open_device();
	pfd.fd = fd;
	puts("ready");
	fflush(stdout);
	while (!finished(start)) {
		if (poll(&pfd, 1, 100) <= 0)
			continue;
		len = sizeof(ll);
		n = recvfrom(fd, f.data, sizeof(f.data), 0, (struct sockaddr *)&ll, &len);
		if (n < 0 || ll.sll_pkttype != PACKET_OUTGOING)
			continue;
		f.len = n;
		if (frame_parse(&f, o.port))
			send_changed(&f);
	}
}

/* Of the host that wrote it, microseconds or nanoseconds: times do not matter. */
static void forge_replay(void)
{
	struct { uint32_t sec, frac, len, orig; } rec;
	FILE *in = fopen(o.file, "rb");
	static struct frame f;
	uint32_t head[6];

	open_device();
	if (!in || fread(head, sizeof(head), 1, in) != 1 || head[5] != 1)
		die("%s: not a capture of Ethernet frames", o.file);
	while (fread(&rec, sizeof(rec), 1, in) == 1 && rec.len <= sizeof(f.data) &&
	       fread(f.data, rec.len, 1, in) == 1 && !stop) {
		f.len = rec.len;
		if (!frame_parse(&f, o.port))
			continue;
		if (o.mutate) {
			send_changed(&f);
		} else if (o.advance) {
			send_advanced(&f);
		} else {
			if (o.source)
				frame_source(&f, o.source);
			frame_checksums(&f);
			send_frame(&f);
		}
	}
	fclose(in);
}

/* --- the command line --------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(void);
} commands[] = {
	{ "types", forge_types }, { "flood", forge_flood }, { "random", forge_random },
	{ "live", forge_live }, { "replay", forge_replay },
};

static const struct option options[] = {
	{ "port", 1, NULL, 'p' }, { "dport", 1, NULL, 'd' }, { "count", 1, NULL, 'c' },
	{ "seconds", 1, NULL, 't' }, { "seed", 1, NULL, 's' }, { "every", 1, NULL, 'e' },
	{ "blind", 0, NULL, 'b' }, { "advance", 1, NULL, 'a' },
	{ "mutate", 0, NULL, 'm' }, { "source", 1, NULL, 'f' }, { NULL, 0, NULL, 0 },
};

static void parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case 'p': o.port = (int)parse_number("--port", optarg); break;
		case 'd': o.dport = (int)parse_number("--dport", optarg); break;
		case 'c': o.count = parse_number("--count", optarg); break;
		case 't': o.seconds = parse_number("--seconds", optarg); break;
		case 's': o.seed = parse_number("--seed", optarg); break;
		case 'e': o.every = parse_number("--every", optarg); break;
		case 'b': o.blind = true; break;
		case 'a': o.advance = parse_number("--advance", optarg); break;
		case 'm': o.mutate = true; break;
		case 'f': o.source = optarg; break;
		default: fputs(usage_text, stderr); exit(2);
		}
	}
	if (optind + 2 > argc || optind + 3 < argc)
		die("%s", usage_text);
	o.where = argv[optind + 1];
	o.file = argv[optind + 2] ?: "";
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_signal };
	size_t i;

	parse(argc, argv);
	rnd.state = o.seed;
	sigaction(SIGTERM, &sa, NULL);
	for (i = 0; i < ARRAY_LEN(commands); i++) {
		if (strcmp(argv[optind], commands[i].name))
			continue;
		commands[i].run();
		printf("sent=%" PRIu64 " resets=%" PRIu64 " cookies=%" PRIu64 " versions=%" PRIu64
		       " larger=%" PRIu64 " wrong=%" PRIu64 "\n", sent, answers[T_RESET],
		       answers[T_COOKIE], answers[T_VERSION], larger, wrong);
		return larger || wrong;
	}
	die("%s", usage_text);
}
