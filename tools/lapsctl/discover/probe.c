// SPDX-License-Identifier: GPL-2.0
/* Probes on the wire; see probe.h. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <linux/errqueue.h>
#include <linux/icmp.h>
#include <linux/icmpv6.h>

#include "packet.h"
#include "print.h"
#include "sock.h"
#include "util.h"

#define NSEC_PER_SEC	1000000000ull

/* The TTL of data. */
#define PROBE_TTL_FAR	64
/* Errors of earlier probes that a send may have to take first. */
#define PROBE_SENDS	4
/* Room for the ancillary data of an error: more than any has. */
#define PROBE_CONTROL	512

static uint64_t probe_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* --- what comes in ------------------------------------------------------------- */

static enum hop_kind probe_kind(const struct sock_extended_err *ee, bool of_peer)
{
	bool v4 = ee->ee_origin == SO_EE_ORIGIN_ICMP;

	if (!v4 && ee->ee_origin != SO_EE_ORIGIN_ICMP6)
		return HOP_UNKNOWN;
	if (ee->ee_type == (v4 ? ICMP_TIME_EXCEEDED : ICMPV6_TIME_EXCEED))
		return ee->ee_code ? HOP_UNKNOWN : HOP_ROUTER;
	if (ee->ee_type != (v4 ? ICMP_DEST_UNREACH : ICMPV6_DEST_UNREACH) ||
	    (v4 && ee->ee_code == ICMP_FRAG_NEEDED))
		return HOP_UNKNOWN;
	if (of_peer && ee->ee_code == (v4 ? ICMP_PORT_UNREACH : ICMPV6_PORT_UNREACH))
		return HOP_PORT;
	return HOP_REJECT;
}

/* The error itself and who sent it, out of ancillary data. Return: whether it is there. */
static bool probe_error(struct msghdr *msg, struct sock_extended_err *ee, struct in6_addr *from)
{
	struct sockaddr_in6 v6;
	struct sockaddr_in v4;
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level == SOL_IP && c->cmsg_type == IP_RECVERR &&
		    c->cmsg_len >= CMSG_LEN(sizeof(*ee) + sizeof(v4))) {
			memcpy(ee, CMSG_DATA(c), sizeof(*ee));
			memcpy(&v4, CMSG_DATA(c) + sizeof(*ee), sizeof(v4));
			*from = probe_mapped(&v4.sin_addr);
			return v4.sin_family == AF_INET;
		}
		if (c->cmsg_level == SOL_IPV6 && c->cmsg_type == IPV6_RECVERR &&
		    c->cmsg_len >= CMSG_LEN(sizeof(*ee) + sizeof(v6))) {
			memcpy(ee, CMSG_DATA(c), sizeof(*ee));
			memcpy(&v6, CMSG_DATA(c) + sizeof(*ee), sizeof(v6));
			*from = v6.sin6_addr;
			return v6.sin6_family == AF_INET6;
		}
	}
	return false;
}

/* Is it of this discovery, and of this socket? */
static bool prober_knows(const struct prober *p, unsigned int sock, const struct packet_id *id)
{
	return id->run == p->run && id->trace < p->walk->n && id->ttl <= HOPS_MAX &&
	       (p->to.labels || id->trace == sock);
}

/*
 * Routers that quote the UDP header only (RFC 792): the port is right, since it found
 * the socket, and each has one probe on its way at a time.
 */
static bool prober_guess(const struct prober *p, unsigned int sock, struct packet_id *id)
{
	if (p->to.labels || !p->out[sock].waits)
		return false;
	*id = (struct packet_id){
		.run = p->run, .trace = (uint16_t)sock, .ttl = p->out[sock].ttl,
		.seq = p->out[sock].seq,
	};
	return true;
}

static void prober_seen(struct prober *p, const struct packet_id *id, struct walk_seen *seen)
{
	struct probe_out *out = &p->out[id->trace];

	p->answered++;
	seen->ask = (struct walk_ask){ id->trace, id->ttl };
	/* Of one that was given up it is not known how long it took, but who it was. */
	if (out->waits && out->ttl == id->ttl && out->seq == id->seq) {
		seen->rtt_ns = probe_clock() - out->sent_ns;
		/* A simulated clock may stand still; 0 is not known. */
		if (!seen->rtt_ns)
			seen->rtt_ns = 1;
		out->waits = false;
		p->waiting--;
	}
	walk_answer(p->walk, seen);
}

/* Return: whether there was one. */
static bool prober_read_error(struct prober *p, unsigned int sock)
{
	char control[PROBE_CONTROL] __attribute__((aligned(8)));
	struct sock_extended_err ee;
	struct walk_seen seen = { 0 };
	uint8_t quoted[PACKET_LEN];
	struct packet_id id;
	struct iovec iov = { quoted, sizeof(quoted) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
		.msg_controllen = sizeof(control),
	};
	bool known;
	ssize_t n;

	n = recvmsg(p->socks[sock].fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT);
	if (n < 0)
		return false;
	if (!probe_error(&msg, &ee, &seen.addr))
		return true;
	seen.kind = probe_kind(&ee, IN6_ARE_ADDR_EQUAL(&seen.addr, &p->to.peer));
	seen.code = (uint8_t)ee.ee_errno;
	if (n < PACKET_HEAD)
		known = prober_guess(p, sock, &id);
	else
		known = packet_quoted(quoted, (size_t)n, &id) && prober_knows(p, sock, &id);
	if (known && seen.kind != HOP_UNKNOWN)
		prober_seen(p, &id, &seen);
	return true;
}

/* Is that the address of the peer's service? */
static bool prober_is_peer(const struct prober *p, const union probe_addr *a)
{
	struct in6_addr addr = a->v6.sin6_addr;

	/* The port is at the same place in both. */
	if (a->sa.sa_family == AF_INET)
		addr = probe_mapped(&a->v4.sin_addr);
	return IN6_ARE_ADDR_EQUAL(&addr, &p->to.peer) && a->v4.sin_port == htons(p->to.port);
}

/* Return: whether there was anything, be it an error that a probe has met. */
static bool prober_read_answer(struct prober *p, unsigned int sock)
{
	struct walk_seen seen = { .kind = HOP_PEER, .addr = p->to.peer };
	union probe_addr a = { 0 };
	socklen_t len = sizeof(a);
	uint8_t buf[PACKET_LEN];
	struct packet_id id;
	ssize_t n;

	n = recvfrom(p->socks[sock].fd, buf, sizeof(buf), MSG_DONTWAIT, &a.sa, &len);
	if (n < 0)
		return errno != EAGAIN && errno != EINTR;
	if (prober_is_peer(p, &a) && packet_answer(buf, (size_t)n, &id) &&
	    prober_knows(p, sock, &id))
		prober_seen(p, &id, &seen);
	return true;
}

static void prober_read(struct prober *p, unsigned int sock)
{
	while (prober_read_error(p, sock) || prober_read_answer(p, sock))
		;
}

/* Take what comes until then; with @answered, only until no answer is missing. */
static int prober_wait(struct prober *p, uint64_t until_ns, bool answered)
{
	struct timespec ts;
	uint64_t now, left;
	unsigned int i;

	do {
		now = probe_clock();
		left = now < until_ns ? until_ns - now : 0;
		ts.tv_sec = (time_t)(left / NSEC_PER_SEC);
		ts.tv_nsec = (long)(left % NSEC_PER_SEC);
		if (ppoll(p->socks, p->n_socks, &ts, NULL) < 0 && errno != EINTR)
			return system_error("cannot wait for answers: %s", strerror(errno));
		for (i = 0; i < p->n_socks; i++) {
			if (p->socks[i].revents)
				prober_read(p, i);
		}
	} while (probe_clock() < until_ns && !(answered && !p->waiting));
	return EXIT_OK;
}

/* --- what goes out ------------------------------------------------------------- */

/* With its TTL and label. Return: false: errno says why not. */
static bool prober_emit(struct prober *p, int fd, const struct walk_ask *ask, const uint8_t *buf)
{
	int ttl = ask->ttl ? (int)ask->ttl : PROBE_TTL_FAR;
	union probe_addr a;
	socklen_t len;

	if (!(probe_is_v4(&p->to) ? probe_option(fd, SOL_IP, IP_TTL, ttl) :
				    probe_option(fd, SOL_IPV6, IPV6_UNICAST_HOPS, ttl)))
		return false;
	len = probe_addr(&a, &p->to, &p->to.peer, p->to.port);
	if (p->to.labels)
		a.v6.sin6_flowinfo = htonl(p->walk->traces[ask->trace].value);
	return sendto(fd, buf, PACKET_LEN, 0, &a.sa, len) >= 0;
}

static int prober_send(struct prober *p, const struct walk_ask *ask)
{
	unsigned int sock = p->to.labels ? 0 : ask->trace;
	struct probe_out *out = &p->out[ask->trace];
	struct packet_id id = {
		.run = p->run, .trace = (uint16_t)ask->trace, .ttl = (uint8_t)ask->ttl,
		.seq = ++out->seq,
	};
	char text[TEXT_MAX];
	uint8_t buf[PACKET_LEN];
	int i;

	packet_build(buf, &id);
	out->ttl = id.ttl;
	/* The first tries may but tell what became of earlier probes. */
	for (i = 0; i < PROBE_SENDS; i++) {
		out->sent_ns = probe_clock();
		if (prober_emit(p, p->socks[sock].fd, ask, buf))
			break;
		/* A full queue: the probe is lost, as it might be anywhere. */
		if (errno == ENOBUFS || errno == EAGAIN)
			break;
		if (i == PROBE_SENDS - 1)
			return system_error("cannot send to %s: %s",
					    text_addr(text, &p->to.peer), strerror(errno));
		prober_read(p, sock);
	}
	out->waits = true;
	p->waiting++;
	p->sent++;
	return EXIT_OK;
}

int prober_round(struct prober *p, const struct walk_ask *asks, unsigned int n)
{
	uint64_t now = probe_clock();
	int ret = EXIT_OK;
	unsigned int i;

	for (i = 0; !ret && i < n; i++) {
		ret = prober_wait(p, p->next_ns, false);
		if (ret)
			return ret;
		now = probe_clock();
		p->next_ns = now + NSEC_PER_SEC / p->to.rate;
		ret = prober_send(p, &asks[i]);
	}
	if (!ret)
		ret = prober_wait(p, now + p->to.timeout_ns, true);
	for (i = 0; i < p->walk->n; i++)
		p->out[i].waits = false;
	p->waiting = 0;
	return ret;
}
