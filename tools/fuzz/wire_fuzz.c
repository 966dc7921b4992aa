// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes net/lapsmp/wire.c. An input is two bytes, how much of the packet lies
 * beyond what can be read, and then what can be read of it. libFuzzer puts each
 * input into memory of just its size, so that the sanitizer sees any read past
 * the end. The Makefile gives wire_fuzz_one() the name that libFuzzer calls.
 *
 * Checked: whatever parses survives being built and parsed again unchanged, and
 * what parsing promises about lengths holds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"
#include "wire_also.h"

#define MUST(cond) \
	do { \
		if (!(cond)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond); \
			abort(); \
		} \
	} while (0)

/* Long enough for any header, and for a padded probe. */
#define ROOM	1024
/* Of a header of 255 units. */
#define ALSO_MAX	((255 * 4 - LAPSMP_ACK_HLEN) / LAPSMP_ALSO_OLEN)

/* What is left of a packet whose unknown options are gone may need padding. */
static unsigned int total_again(const struct lapsmp_hdr *h, unsigned int hlen)
{
	unsigned int total = hlen + h->payload_len;

	if (total < LAPSMP_ACK_HLEN &&
	    (h->type == LAPSMP_T_PROBE || h->type == LAPSMP_T_WPROBE))
		return LAPSMP_ACK_HLEN;
	return total;
}

static void check_promises(const struct lapsmp_hdr *h, const u8 *buf,
			   unsigned int len, unsigned int total)
{
	MUST(h->version == LAPSMP_VERSION);
	MUST(h->flow_id);
	MUST(h->hlen <= len);
	MUST(h->hlen == lapsmp_wire_peek(buf));
	MUST(h->hlen + h->payload_len == total);
	MUST(lapsmp_wire_hlen(h) <= h->hlen);
	MUST(h->n_also > LAPSMP_ALSO_MAX || lapsmp_wire_hlen(h) <= LAPSMP_HLEN_MAX);
	MUST(h->n_also <= ALSO_MAX);
	MUST(!h->also);
	MUST(!h->has_cookie || h->has_open);
	MUST(!h->has_from || !h->has_open);
	MUST(h->snd_inc || (!h->has_open && !h->has_from));
	if (h->type == LAPSMP_T_DATA)
		MUST((u64)h->off + h->payload_len <= h->msg_len);
}

/* What it says of further paths: as many as it says. */
static void read_also(struct lapsmp_also *also, const struct lapsmp_hdr *h, const u8 *buf)
{
	struct lapsmp_also a = {};
	unsigned int n = 0, pos = 0;

	while (lapsmp_also_next(&a, buf, h, &pos)) {
		MUST(n < h->n_also);
		MUST(pos <= h->hlen);
		also[n++] = a;
	}
	MUST(n == h->n_also);
}

static void check_round_trip(struct lapsmp_hdr *h, const u8 *from)
{
	struct lapsmp_also also[ALSO_MAX] = {}, also_again[ALSO_MAX] = {};
	struct lapsmp_hdr again;
	unsigned int total;
	unsigned int hlen;
	u8 buf[ROOM];

	read_also(also, h, from);
	h->also = also;
	memset(buf, 0xa5, sizeof(buf));
	hlen = lapsmp_wire_build(buf, h);
	MUST(hlen == lapsmp_wire_hlen(h));
	MUST(buf[hlen] == 0xa5);
	total = total_again(h, hlen);
	MUST(!lapsmp_wire_parse(&again, buf, hlen, total));

	h->also = NULL;
	h->hlen = hlen;
	h->payload_len = total - hlen;
	MUST(!memcmp(h, &again, sizeof(again)));
	read_also(also_again, &again, buf);
	MUST(!memcmp(also, also_again, sizeof(also)));
}

static void check_quoted(const u8 *buf, unsigned int len, bool parsed)
{
	struct lapsmp_hdr h;
	bool quoted = lapsmp_wire_quoted(&h, buf, len);

	MUST(quoted || !parsed);
	if (!quoted)
		return;
	MUST(len >= LAPSMP_HDR_LEN);
	MUST(h.flow_id);
}

int wire_fuzz_one(const u8 *data, size_t size)
{
	unsigned int total;
	struct lapsmp_hdr h;
	int err;

	if (size < 2 || size > U16_MAX)
		return 0;
	total = data[0] << 8 | data[1];
	data += 2;
	size -= 2;
	total += size;

	/* A parser that leaves a field unset must not pass by luck. */
	memset(&h, 0x5a, sizeof(h));
	err = lapsmp_wire_parse(&h, data, size, total);
	check_quoted(data, size, !err);
	if (err)
		return 0;
	check_promises(&h, data, size, total);
	check_round_trip(&h, data);
	return 0;
}
