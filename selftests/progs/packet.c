// SPDX-License-Identifier: GPL-2.0
/* Packets made by hand, and the frames that carry them. */
#include <arpa/inet.h>
#include <string.h>

#include "packet.h"

#define OPT_OPEN	0x81
#define ETH_LEN		14
#define UDP_LEN		8

static const uint8_t header_len[T_COUNT] = {
	[T_DATA] = 36, [T_ACK] = 56, [T_PROBE] = 24, [T_PROBE_ACK] = 56, [T_WPROBE] = 24,
	[T_WUPDATE] = 56, [T_ABORT] = 36, [T_CLOSE] = 32, [T_RESET] = 32, [T_COOKIE] = 48,
	[T_VERSION] = 28, [T_CHALLENGE] = 40,
};

uint64_t rnd_next(struct rnd *r)
{
	uint64_t x = r->state += 0x9e3779b97f4a7c15ull;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

void packet_put(struct packet *p, size_t at, unsigned int bytes, uint64_t value)
{
	while (bytes--) {
		p->data[at + bytes] = (uint8_t)value;
		value >>= 8;
	}
}

/* What a type must have to be accepted. */
static void packet_fields(struct packet *p, enum packet_type type, size_t payload)
{
	switch (type) {
	case T_DATA:
		packet_put(p, 24, 4, 1);
		packet_put(p, 32, 4, payload);
		memset(p->data + 36, 'f', payload);
		break;
	case T_ACK:
	case T_PROBE_ACK:
	case T_WUPDATE:
		packet_put(p, 44, 4, 1);
		packet_put(p, 52, 4, 65536);
		break;
	case T_ABORT:
	case T_CLOSE:
		packet_put(p, 24, 4, 1);
		break;
	case T_RESET:
		packet_put(p, 24, 2, 1);
		break;
	case T_COOKIE:
		packet_put(p, 24, 8, 0x1122334455667788);
		break;
	case T_VERSION:
		packet_put(p, 24, 4, 4);
		break;
	default:
		break;
	}
}

void packet_make(struct packet *p, enum packet_type type, uint64_t flow_id, size_t payload)
{
	size_t hlen = header_len[type];

	memset(p, 0, sizeof(*p));
	p->len = hlen + (type == T_DATA ? payload : 0);
	if (p->len < 56 && (type == T_PROBE || type == T_WPROBE))
		p->len = 56;
	p->data[0] = 0x10 | type;
	p->data[1] = hlen / 4;
	packet_put(p, 4, 2, 1);
	packet_put(p, 8, 8, flow_id);
	packet_put(p, 16, 4, 1);
	packet_put(p, 20, 4, 12345678);
	packet_fields(p, type, payload);
}

void packet_option(struct packet *p, uint8_t kind, const void *body, size_t len)
{
	size_t hlen = p->data[1] * 4, size = len + 2;

	if (p->len + size > PACKET_MAX || hlen + size > 1020)
		return;
	memmove(p->data + hlen + size, p->data + hlen, p->len - hlen);
	p->data[hlen] = kind;
	p->data[hlen + 1] = (uint8_t)size;
	memcpy(p->data + hlen + 2, body, len);
	p->len += size;
	p->data[1] += size / 4;
}

void packet_open(struct packet *p, uint16_t dport, uint64_t number, uint64_t own_inc,
		 uint64_t his_inc)
{
	struct packet body = { 0 };

	packet_put(&body, 2, 2, 40000);
	packet_put(&body, 4, 2, dport);
	packet_put(&body, 6, 8, number);
	packet_put(&body, 14, 8, own_inc);
	packet_put(&body, 22, 8, his_inc);
	packet_option(p, OPT_OPEN, body.data, 30);
}

bool packet_advance(struct packet *p, uint64_t flow_id, uint64_t more)
{
	size_t head, at, i;
	uint64_t number = 0;

	if (p->len < 2 || (p->data[0] & 0xf) >= T_COUNT)
		return false;
	head = p->data[1] * 4;
	if (head > p->len)
		return false;
	/* From option to option: what is in other fields may look like one. */
	for (at = header_len[p->data[0] & 0xf]; at + 32 <= head; at += p->data[at + 1])
		if (p->data[at] == OPT_OPEN || p->data[at + 1] < 2)
			break;
	if (at + 32 > head || p->data[at] != OPT_OPEN || p->data[at + 1] != 32)
		return false;
	for (i = 0; i < 8; i++)
		number = number << 8 | p->data[at + 8 + i];
	packet_put(p, at + 8, 8, number + more);
	packet_put(p, 8, 8, flow_id);
	return true;
}

/* Values at which arithmetic goes wrong, if it does. */
static uint32_t packet_odd_value(struct rnd *r)
{
	static const uint32_t values[] = {
		0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0xffff, 0x10000, 8192, 65,
	};

	return values[rnd_below(r, sizeof(values) / sizeof(values[0]))];
}

static void packet_mutate_once(struct packet *p, struct rnd *r)
{
	size_t head = p->len < 112 ? p->len : 112;

	if (!p->len)
		return;
	switch (rnd_below(r, 8)) {
	case 0:
		p->data[rnd_below(r, head)] ^= 1 << rnd_below(r, 8);
		break;
	case 1:
		p->data[rnd_below(r, p->len)] = (uint8_t)rnd_next(r);
		break;
	case 2:
		p->len = rnd_below(r, p->len + 1);
		break;
	case 3:
		p->len += rnd_below(r, 64);
		if (p->len > 1400)
			p->len = 1400;
		break;
	case 4:
		p->data[0] = (p->data[0] & 0xf0) | rnd_below(r, 16);
		break;
	case 5:
		p->data[1] = (uint8_t)rnd_next(r);
		break;
	default:
		if (head >= 4)
			packet_put(p, rnd_below(r, head / 4) * 4, 4, packet_odd_value(r));
	}
}

void packet_mutate(struct packet *p, struct rnd *r)
{
	int n = 1 + rnd_below(r, 4);

	while (n--)
		packet_mutate_once(p, r);
}

/* --- frames ------------------------------------------------------------------- */

static uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static void put16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static uint32_t sum16(const uint8_t *p, size_t len, uint32_t sum)
{
	for (; len > 1; p += 2, len -= 2)
		sum += get16(p);
	return len ? sum + (*p << 8) : sum;
}

static uint16_t fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

bool frame_parse(struct frame *f, uint16_t port)
{
	const uint8_t *ip = f->data + ETH_LEN;

	if (f->len < ETH_LEN + 48)
		return false;
	f->v6 = get16(f->data + 12) == 0x86dd;
	if (!f->v6 && get16(f->data + 12) != 0x0800)
		return false;
	if ((f->v6 ? ip[6] : ip[9]) != 17 || (!f->v6 && ip[0] != 0x45))
		return false;
	f->udp = ETH_LEN + (f->v6 ? 40 : 20);
	return get16(f->data + f->udp) == port || get16(f->data + f->udp + 2) == port;
}

bool frame_get(const struct frame *f, struct packet *p)
{
	size_t len = get16(f->data + f->udp + 4);

	if (len < UDP_LEN || f->udp + len > f->len || len - UDP_LEN > PACKET_MAX)
		return false;
	p->len = len - UDP_LEN;
	memcpy(p->data, f->data + f->udp + UDP_LEN, p->len);
	return true;
}

void frame_source(struct frame *f, const char *addr)
{
	uint8_t *ip = f->data + ETH_LEN, to[16];

	if (inet_pton(f->v6 ? AF_INET6 : AF_INET, addr, to) == 1)
		memcpy(f->v6 ? ip + 8 : ip + 12, to, f->v6 ? 16 : 4);
}

void frame_checksums(struct frame *f)
{
	uint8_t *ip = f->data + ETH_LEN, *udp = f->data + f->udp;
	size_t len = get16(udp + 4);
	uint32_t sum;

	if (!f->v6) {
		put16(ip + 10, 0);
		put16(ip + 10, fold(sum16(ip, 20, 0)));
	}
	put16(udp + 6, 0);
	sum = sum16(f->v6 ? ip + 8 : ip + 12, f->v6 ? 32 : 8, 17 + (uint32_t)len);
	sum = fold(sum16(udp, len, sum));
	put16(udp + 6, sum ? sum : 0xffff);
}

void frame_set(struct frame *f, const struct packet *p)
{
	size_t len = UDP_LEN + p->len;
	uint8_t *ip = f->data + ETH_LEN;

	memcpy(f->data + f->udp + UDP_LEN, p->data, p->len);
	put16(f->data + f->udp + 4, (uint32_t)len);
	if (f->v6)
		put16(ip + 4, (uint32_t)len);
	else
		put16(ip + 2, (uint32_t)len + 20);
	f->len = f->udp + len;
	frame_checksums(f);
}
