// SPDX-License-Identifier: GPL-2.0
/*
 * Packets: bytes to plain fields and back. Documentation/protocol.md defines
 * the format; the offsets below are those of its diagrams. A packet is
 *
 *	| common, 24 bytes | fixed part of its type | options | payload or padding |
 *	 <--------------------- hlen ---------------------->
 *
 * Each step reads only what an earlier one has measured: the common part, then
 * hlen against what can be read, then the type's fixed part against hlen, then
 * each option against the rest of it. This file must not know of skbs, sockets,
 * flows or time.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "compat.h"
#include "wire.h"
#include "wire_also.h"

/* The part that no version may change: the version, and where the flow id is. */
#define LAPSMP_WIRE_INVARIANT	16
#define LAPSMP_WIRE_UNIT	4	/* of the header length, and of options */

#define LAPSMP_WIRE_BIT(type)	(1U << LAPSMP_T_##type)
/* What can be the first packet that a receiver sees of a flow. */
#define LAPSMP_WIRE_OPENERS \
	(LAPSMP_WIRE_BIT(DATA) | LAPSMP_WIRE_BIT(PROBE) | \
	 LAPSMP_WIRE_BIT(WPROBE) | LAPSMP_WIRE_BIT(ABORT))
#define LAPSMP_WIRE_ACKS \
	(LAPSMP_WIRE_BIT(ACK) | LAPSMP_WIRE_BIT(PROBE_ACK) | \
	 LAPSMP_WIRE_BIT(WUPDATE))

/* Header without options, for the 16 values of a type; 0 if it is not known. */
static const u8 lapsmp_wire_fixed[16] = {
	[LAPSMP_T_DATA]		= LAPSMP_DATA_HLEN,
	[LAPSMP_T_ACK]		= LAPSMP_ACK_HLEN,
	[LAPSMP_T_PROBE]	= LAPSMP_PROBE_HLEN,
	[LAPSMP_T_PROBE_ACK]	= LAPSMP_ACK_HLEN,
	[LAPSMP_T_WPROBE]	= LAPSMP_PROBE_HLEN,
	[LAPSMP_T_WUPDATE]	= LAPSMP_ACK_HLEN,
	[LAPSMP_T_ABORT]	= LAPSMP_ABORT_HLEN,
	[LAPSMP_T_CLOSE]	= LAPSMP_CLOSE_HLEN,
	[LAPSMP_T_RESET]	= LAPSMP_RESET_HLEN,
	[LAPSMP_T_COOKIE]	= LAPSMP_COOKIE_HLEN,
	[LAPSMP_T_VERSION]	= LAPSMP_VERSION_HLEN,
	[LAPSMP_T_CHALLENGE]	= LAPSMP_CHALLENGE_HLEN,
};

static bool lapsmp_wire_is(const struct lapsmp_hdr *h, unsigned int types)
{
	return types & (1U << h->type);
}

static void lapsmp_wire_get_common(struct lapsmp_hdr *h, const u8 *buf)
{
	h->type = buf[0] & 0x0f;
	h->hlen = lapsmp_wire_peek(buf);
	h->flags = buf[2];
	h->path_id = get_unaligned_be16(buf + 4);
	h->seq = get_unaligned_be32(buf + 16);
	h->time_ns = get_unaligned_be32(buf + 20);
}

static void lapsmp_wire_get_ack(struct lapsmp_hdr *h, const u8 *buf)
{
	h->map = get_unaligned_be64(buf + 24);
	h->owd_ns = get_unaligned_be32(buf + 32);
	h->owd_mean_ns = get_unaligned_be32(buf + 36);
	h->ack_delay_ns = get_unaligned_be32(buf + 40);
	h->rcv_msg = get_unaligned_be32(buf + 44);
	h->rcv_off = get_unaligned_be32(buf + 48);
	h->limit = get_unaligned_be32(buf + 52);
}

static void lapsmp_wire_get_fixed(struct lapsmp_hdr *h, const u8 *buf)
{
	switch (h->type) {
	case LAPSMP_T_DATA:
		h->msg = get_unaligned_be32(buf + 24);
		h->off = get_unaligned_be32(buf + 28);
		h->msg_len = get_unaligned_be32(buf + 32);
		break;
	case LAPSMP_T_ACK:
	case LAPSMP_T_PROBE_ACK:
	case LAPSMP_T_WUPDATE:
		lapsmp_wire_get_ack(h, buf);
		break;
	case LAPSMP_T_ABORT:
		h->msg = get_unaligned_be32(buf + 24);
		h->msg_len = get_unaligned_be32(buf + 28);
		h->reason = get_unaligned_be16(buf + 32);
		break;
	case LAPSMP_T_CLOSE:
		h->msg = get_unaligned_be32(buf + 24);
		h->reason = get_unaligned_be16(buf + 28);
		break;
	case LAPSMP_T_RESET:
		h->reason = get_unaligned_be16(buf + 24);
		h->msg = get_unaligned_be32(buf + 28);
		break;
	case LAPSMP_T_COOKIE:
		h->cookie_inc = get_unaligned_be64(buf + 24);
		h->cookie_time = get_unaligned_be64(buf + 32);
		h->cookie_mac = get_unaligned_be64(buf + 40);
		break;
	case LAPSMP_T_VERSION:
		h->versions = get_unaligned_be32(buf + 24);
		break;
	case LAPSMP_T_CHALLENGE:
		h->cookie_time = get_unaligned_be64(buf + 24);
		h->cookie_mac = get_unaligned_be64(buf + 32);
		break;
	}
}

static bool lapsmp_wire_data_ok(const struct lapsmp_hdr *h)
{
	if (!h->msg || h->off > h->msg_len)
		return false;
	if (!h->payload_len)
		return !h->msg_len;
	return h->payload_len <= h->msg_len - h->off;
}

/* The fields of the fixed part, and how long the packet must be. */
static bool lapsmp_wire_fixed_ok(const struct lapsmp_hdr *h)
{
	switch (h->type) {
	case LAPSMP_T_DATA:
		return lapsmp_wire_data_ok(h);
	case LAPSMP_T_ACK:
	case LAPSMP_T_PROBE_ACK:
	case LAPSMP_T_WUPDATE:
		return h->rcv_msg;
	case LAPSMP_T_PROBE:
	case LAPSMP_T_WPROBE:
		return h->hlen + h->payload_len >= LAPSMP_ACK_HLEN;
	case LAPSMP_T_ABORT:
	case LAPSMP_T_CLOSE:
		return h->msg;
	case LAPSMP_T_RESET:
		return h->reason;
	case LAPSMP_T_COOKIE:
		return h->cookie_inc;
	case LAPSMP_T_VERSION:
		return h->versions;
	case LAPSMP_T_CHALLENGE:
		return true;
	}
	return false;
}

static int lapsmp_wire_get_open(struct lapsmp_hdr *h, const u8 *opt,
				unsigned int olen)
{
	if (!lapsmp_wire_is(h, LAPSMP_WIRE_OPENERS) || h->has_open ||
	    olen != LAPSMP_OPEN_OLEN)
		return -EBADMSG;

	h->has_open = true;
	memcpy(&h->sport, opt + 4, sizeof(h->sport));
	memcpy(&h->dport, opt + 6, sizeof(h->dport));
	h->number = get_unaligned_be64(opt + 8);
	h->snd_inc = get_unaligned_be64(opt + 16);
	h->rcv_inc = get_unaligned_be64(opt + 24);
	if (!h->sport || !h->dport || !h->number || !h->snd_inc)
		return -EBADMSG;
	return 0;
}

static int lapsmp_wire_get_cookie(struct lapsmp_hdr *h, const u8 *opt,
				  unsigned int olen)
{
	if (!lapsmp_wire_is(h, LAPSMP_WIRE_OPENERS) || h->has_cookie ||
	    olen != LAPSMP_COOKIE_OLEN)
		return -EBADMSG;

	h->has_cookie = true;
	h->cookie_time = get_unaligned_be64(opt + 4);
	h->cookie_mac = get_unaligned_be64(opt + 12);
	return 0;
}

static int lapsmp_wire_get_from(struct lapsmp_hdr *h, const u8 *opt,
				unsigned int olen)
{
	if (!lapsmp_wire_is(h, LAPSMP_WIRE_OPENERS) || h->has_from ||
	    olen != LAPSMP_FROM_OLEN)
		return -EBADMSG;

	h->has_from = true;
	h->snd_inc = get_unaligned_be64(opt + 4);
	h->cookie_time = get_unaligned_be64(opt + 12);
	h->cookie_mac = get_unaligned_be64(opt + 20);
	return h->snd_inc ? 0 : -EBADMSG;
}

static int lapsmp_wire_get_ecn(struct lapsmp_hdr *h, const u8 *opt,
			       unsigned int olen)
{
	/* Not critical: where it has no meaning it is skipped. */
	if (!lapsmp_wire_is(h, LAPSMP_WIRE_ACKS))
		return 0;
	if (h->has_ecn || olen != LAPSMP_ECN_OLEN)
		return -EBADMSG;

	h->has_ecn = true;
	h->ect0 = get_unaligned_be32(opt + 4);
	h->ect1 = get_unaligned_be32(opt + 8);
	h->ce = get_unaligned_be32(opt + 12);
	return 0;
}

static int lapsmp_wire_get_also(struct lapsmp_hdr *h, unsigned int olen)
{
	if (!lapsmp_wire_is(h, LAPSMP_WIRE_ACKS))
		return 0;
	if (olen != LAPSMP_ALSO_OLEN)
		return -EBADMSG;
	/* No more than 34 are in a header's 1020 bytes. */
	h->n_also++;
	return 0;
}

static int lapsmp_wire_get_option(struct lapsmp_hdr *h, const u8 *opt,
				  unsigned int olen)
{
	switch (opt[0]) {
	case LAPSMP_O_OPEN:
		return lapsmp_wire_get_open(h, opt, olen);
	case LAPSMP_O_COOKIE:
		return lapsmp_wire_get_cookie(h, opt, olen);
	case LAPSMP_O_FROM:
		return lapsmp_wire_get_from(h, opt, olen);
	case LAPSMP_O_ECN:
		return lapsmp_wire_get_ecn(h, opt, olen);
	case LAPSMP_O_ALSO:
		return lapsmp_wire_get_also(h, olen);
	}
	return opt[0] & LAPSMP_O_CRITICAL ? -EOPNOTSUPP : 0;
}

/* hlen and the fixed part are multiples of a unit, so two bytes are there. */
static int lapsmp_wire_get_options(struct lapsmp_hdr *h, const u8 *buf)
{
	unsigned int pos = lapsmp_wire_fixed[h->type];
	unsigned int olen;
	int err;

	for (; pos < h->hlen; pos += olen) {
		olen = buf[pos + 1];
		if (!olen || olen % LAPSMP_WIRE_UNIT || olen > h->hlen - pos)
			return -EBADMSG;
		err = lapsmp_wire_get_option(h, buf + pos, olen);
		if (err)
			return err;
	}
	/* FROM and OPEN share fields, and a flow is opened from one address. */
	if (h->has_from)
		return h->has_open || h->has_cookie ? -EBADMSG : 0;
	return h->has_cookie && !h->has_open ? -EBADMSG : 0;
}

int lapsmp_wire_parse(struct lapsmp_hdr *h, const u8 *buf, unsigned int len,
		      unsigned int total)
{
	memset(h, 0, sizeof(*h));
	if (len < LAPSMP_WIRE_INVARIANT || len > total)
		return -EBADMSG;

	h->version = buf[0] >> 4;
	h->flow_id = get_unaligned_be64(buf + 8);
	if (!h->flow_id)
		return -EBADMSG;
	if (h->version != LAPSMP_VERSION)
		return -EPROTONOSUPPORT;
	if (len < LAPSMP_HDR_LEN)
		return -EBADMSG;

	lapsmp_wire_get_common(h, buf);
	if (!h->type || h->hlen < LAPSMP_HDR_LEN || h->hlen > len ||
	    total - h->hlen > U16_MAX)
		return -EBADMSG;
	h->payload_len = total - h->hlen;

	if (!lapsmp_wire_fixed[h->type])
		return -EOPNOTSUPP;
	if (h->hlen < lapsmp_wire_fixed[h->type])
		return -EBADMSG;
	lapsmp_wire_get_fixed(h, buf);
	if (!lapsmp_wire_fixed_ok(h))
		return -EBADMSG;
	return lapsmp_wire_get_options(h, buf);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_wire_parse);

unsigned int lapsmp_wire_peek(const u8 *buf)
{
	/* What another version has in this place is not known. */
	if (buf[0] >> 4 != LAPSMP_VERSION)
		return LAPSMP_HDR_LEN;
	return buf[1] * LAPSMP_WIRE_UNIT;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_wire_peek);

unsigned int lapsmp_wire_hlen(const struct lapsmp_hdr *h)
{
	unsigned int hlen = lapsmp_wire_fixed[h->type & 0x0f];

	if (h->has_open)
		hlen += LAPSMP_OPEN_OLEN;
	if (h->has_cookie)
		hlen += LAPSMP_COOKIE_OLEN;
	if (h->has_from)
		hlen += LAPSMP_FROM_OLEN;
	if (h->has_ecn)
		hlen += LAPSMP_ECN_OLEN;
	return hlen + h->n_also * LAPSMP_ALSO_OLEN;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_wire_hlen);

static void lapsmp_wire_put_common(u8 *buf, const struct lapsmp_hdr *h,
				   unsigned int hlen)
{
	buf[0] = LAPSMP_VERSION << 4 | (h->type & 0x0f);
	buf[1] = hlen / LAPSMP_WIRE_UNIT;
	buf[2] = h->flags;
	put_unaligned_be16(h->path_id, buf + 4);
	put_unaligned_be64(h->flow_id, buf + 8);
	put_unaligned_be32(h->seq, buf + 16);
	put_unaligned_be32(h->time_ns, buf + 20);
}

static void lapsmp_wire_put_ack(u8 *buf, const struct lapsmp_hdr *h)
{
	put_unaligned_be64(h->map, buf + 24);
	put_unaligned_be32(h->owd_ns, buf + 32);
	put_unaligned_be32(h->owd_mean_ns, buf + 36);
	put_unaligned_be32(h->ack_delay_ns, buf + 40);
	put_unaligned_be32(h->rcv_msg, buf + 44);
	put_unaligned_be32(h->rcv_off, buf + 48);
	put_unaligned_be32(h->limit, buf + 52);
}

static void lapsmp_wire_put_fixed(u8 *buf, const struct lapsmp_hdr *h)
{
	switch (h->type) {
	case LAPSMP_T_DATA:
		put_unaligned_be32(h->msg, buf + 24);
		put_unaligned_be32(h->off, buf + 28);
		put_unaligned_be32(h->msg_len, buf + 32);
		break;
	case LAPSMP_T_ACK:
	case LAPSMP_T_PROBE_ACK:
	case LAPSMP_T_WUPDATE:
		lapsmp_wire_put_ack(buf, h);
		break;
	case LAPSMP_T_ABORT:
		put_unaligned_be32(h->msg, buf + 24);
		put_unaligned_be32(h->msg_len, buf + 28);
		put_unaligned_be16(h->reason, buf + 32);
		break;
	case LAPSMP_T_CLOSE:
		put_unaligned_be32(h->msg, buf + 24);
		put_unaligned_be16(h->reason, buf + 28);
		break;
	case LAPSMP_T_RESET:
		put_unaligned_be16(h->reason, buf + 24);
		put_unaligned_be32(h->msg, buf + 28);
		break;
	case LAPSMP_T_COOKIE:
		put_unaligned_be64(h->cookie_inc, buf + 24);
		put_unaligned_be64(h->cookie_time, buf + 32);
		put_unaligned_be64(h->cookie_mac, buf + 40);
		break;
	case LAPSMP_T_VERSION:
		put_unaligned_be32(h->versions, buf + 24);
		break;
	case LAPSMP_T_CHALLENGE:
		put_unaligned_be64(h->cookie_time, buf + 24);
		put_unaligned_be64(h->cookie_mac, buf + 32);
		break;
	}
}

static u8 *lapsmp_wire_put_open(u8 *opt, const struct lapsmp_hdr *h)
{
	opt[0] = LAPSMP_O_OPEN;
	opt[1] = LAPSMP_OPEN_OLEN;
	memcpy(opt + 4, &h->sport, sizeof(h->sport));
	memcpy(opt + 6, &h->dport, sizeof(h->dport));
	put_unaligned_be64(h->number, opt + 8);
	put_unaligned_be64(h->snd_inc, opt + 16);
	put_unaligned_be64(h->rcv_inc, opt + 24);
	return opt + LAPSMP_OPEN_OLEN;
}

static u8 *lapsmp_wire_put_cookie(u8 *opt, const struct lapsmp_hdr *h)
{
	opt[0] = LAPSMP_O_COOKIE;
	opt[1] = LAPSMP_COOKIE_OLEN;
	put_unaligned_be64(h->cookie_time, opt + 4);
	put_unaligned_be64(h->cookie_mac, opt + 12);
	return opt + LAPSMP_COOKIE_OLEN;
}

static u8 *lapsmp_wire_put_from(u8 *opt, const struct lapsmp_hdr *h)
{
	opt[0] = LAPSMP_O_FROM;
	opt[1] = LAPSMP_FROM_OLEN;
	put_unaligned_be64(h->snd_inc, opt + 4);
	put_unaligned_be64(h->cookie_time, opt + 12);
	put_unaligned_be64(h->cookie_mac, opt + 20);
	return opt + LAPSMP_FROM_OLEN;
}

static u8 *lapsmp_wire_put_ecn(u8 *opt, const struct lapsmp_hdr *h)
{
	opt[0] = LAPSMP_O_ECN;
	opt[1] = LAPSMP_ECN_OLEN;
	put_unaligned_be32(h->ect0, opt + 4);
	put_unaligned_be32(h->ect1, opt + 8);
	put_unaligned_be32(h->ce, opt + 12);
	return opt + LAPSMP_ECN_OLEN;
}

unsigned int lapsmp_wire_build(u8 *buf, const struct lapsmp_hdr *h)
{
	unsigned int hlen = lapsmp_wire_hlen(h);
	u8 *opt = buf + lapsmp_wire_fixed[h->type & 0x0f];
	unsigned int i;

	/* Reserved fields are sent as 0, whatever the buffer held. */
	memset(buf, 0, hlen);
	lapsmp_wire_put_common(buf, h, hlen);
	lapsmp_wire_put_fixed(buf, h);
	if (h->has_open)
		opt = lapsmp_wire_put_open(opt, h);
	if (h->has_cookie)
		opt = lapsmp_wire_put_cookie(opt, h);
	if (h->has_from)
		opt = lapsmp_wire_put_from(opt, h);
	if (h->has_ecn)
		opt = lapsmp_wire_put_ecn(opt, h);
	for (i = 0; i < h->n_also; i++)
		lapsmp_also_put(opt + i * LAPSMP_ALSO_OLEN, &h->also[i]);
	return hlen;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_wire_build);

void lapsmp_wire_stamp(u8 *buf, u32 time_ns)
{
	put_unaligned_be32(time_ns, buf + 20);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_wire_stamp);

bool lapsmp_wire_quoted(struct lapsmp_hdr *h, const u8 *buf, unsigned int len)
{
	memset(h, 0, sizeof(*h));
	if (len < LAPSMP_HDR_LEN || buf[0] >> 4 != LAPSMP_VERSION)
		return false;

	h->version = LAPSMP_VERSION;
	h->flow_id = get_unaligned_be64(buf + 8);
	lapsmp_wire_get_common(h, buf);
	return h->flow_id && lapsmp_wire_fixed[h->type] &&
	       h->hlen >= lapsmp_wire_fixed[h->type];
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_wire_quoted);
