// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of wire.c: what is built is read back, what is cut, bent or unknown is
 * refused, and the worked example of Documentation/protocol.md is exact.
 * Packets are copied into memory of just their size, so that KASAN sees a read
 * past the end.
 */
#include <kunit/test.h>

#include "../compat.h"
#include "../wire.h"

#define ROOM	256

#define COMMON(t) \
	.type = LAPSMP_T_##t, .path_id = 0x0304, .seq = 0x05060708, \
	.flow_id = 0x0123456789abcdefULL, .time_ns = 0xfffefdfc
#define MSG \
	.msg = 0x11121314, .msg_len = 0x00010008
#define OPEN \
	.has_open = true, .sport = cpu_to_be16(0x2122), \
	.dport = cpu_to_be16(0x2324), .number = 0x3132333435363738ULL, \
	.snd_inc = 0x4142434445464748ULL, .rcv_inc = 0x5152535455565758ULL
#define COOKIE_FIELDS \
	.cookie_time = 0x6162636465666768ULL, \
	.cookie_mac = 0x7172737475767778ULL
#define COOKIE \
	.has_cookie = true, COOKIE_FIELDS
#define ACKED \
	.map = 0x8182838485868788ULL, .owd_ns = 0x91929394, \
	.owd_min_ns = 0x95969798, .ack_delay_ns = 0x999a9b9c, \
	.rcv_msg = 0xa1a2a3a4, .rcv_off = 0xa5a6a7a8, .limit = 0xa9aaabac
#define ECN \
	.has_ecn = true, .ect0 = 0xb1b2b3b4, .ect1 = 0xb5b6b7b8, .ce = 0xb9babbbc

/**
 * struct wire_good - a packet that is well formed
 * @name: of the case
 * @h: its fields; hlen and payload_len are what parsing shall say
 */
struct wire_good {
	const char *name;
	struct lapsmp_hdr h;
};

static const struct wire_good wire_good[] = {
	{ "DATA", { COMMON(DATA), MSG, .off = 0x10000, .hlen = 36,
	  .payload_len = 8 } },
	{ "DATA of an empty message", { COMMON(DATA), .msg = 1, .hlen = 36 } },
	{ "DATA with flags", { COMMON(DATA), MSG, .hlen = 36, .payload_len = 1,
	  .flags = LAPSMP_F_RTX | LAPSMP_F_ACKNOW | LAPSMP_F_UNORDERED } },
	{ "DATA that opens", { COMMON(DATA), MSG, OPEN, .hlen = 68,
	  .payload_len = 9 } },
	{ "DATA that opens with a cookie", { COMMON(DATA), MSG, OPEN, COOKIE,
	  .hlen = 88, .payload_len = 9 } },
	{ "ACK", { COMMON(ACK), ACKED, .hlen = 56 } },
	{ "ACK with ECN counts", { COMMON(ACK), ACKED, ECN, .hlen = 72 } },
	{ "PROBE", { COMMON(PROBE), .hlen = 24, .payload_len = 1400 } },
	{ "PROBE that opens", { COMMON(PROBE), OPEN, .hlen = 56 } },
	{ "PROBE that opens with a cookie", { COMMON(PROBE), OPEN, COOKIE,
	  .hlen = 76 } },
	{ "PROBE_ACK", { COMMON(PROBE_ACK), ACKED, .hlen = 56 } },
	{ "PROBE_ACK with ECN counts", { COMMON(PROBE_ACK), ACKED, ECN,
	  .hlen = 72 } },
	{ "WPROBE", { COMMON(WPROBE), .hlen = 24, .payload_len = 32 } },
	{ "WPROBE that opens", { COMMON(WPROBE), OPEN, .hlen = 56 } },
	{ "WUPDATE", { COMMON(WUPDATE), ACKED, .hlen = 56 } },
	{ "ABORT", { COMMON(ABORT), MSG, .reason = 0xc1c2, .hlen = 36 } },
	{ "ABORT that opens", { COMMON(ABORT), MSG, OPEN, .hlen = 68 } },
	{ "CLOSE of an idle flow", { COMMON(CLOSE), .msg = 0x11121314,
	  .hlen = 32 } },
	{ "CLOSE with a reason", { COMMON(CLOSE), .msg = 0x11121314,
	  .reason = LAPSMP_CLOSE_ABORT, .hlen = 32 } },
	{ "RESET", { COMMON(RESET), .reason = LAPSMP_RESET_UNREAD,
	  .msg = 0x11121314, .hlen = 32 } },
	{ "RESET that knows no message", { COMMON(RESET),
	  .reason = LAPSMP_RESET_UNKNOWN, .hlen = 32 } },
	{ "COOKIE", { COMMON(COOKIE), COOKIE_FIELDS,
	  .cookie_inc = 0xd1d2d3d4d5d6d7d8ULL, .hlen = 48 } },
	{ "VERSION", { COMMON(VERSION), .versions = 0xe1e2e3e4, .hlen = 28 } },
};

static void wire_good_desc(const struct wire_good *param, char *desc)
{
	strscpy(desc, param->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(wire_good, wire_good, wire_good_desc);

/* Parses a copy of @len bytes, the rest of @total being elsewhere. */
static int wire_parse_part(struct kunit *test, struct lapsmp_hdr *h,
			   const u8 *buf, unsigned int len, unsigned int total)
{
	u8 *copy = kmalloc(len, GFP_KERNEL);
	int err;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	memcpy(copy, buf, len);
	memset(h, 0x5a, sizeof(*h));
	err = lapsmp_wire_parse(h, copy, len, total);
	kfree(copy);
	return err;
}

static int wire_parse(struct kunit *test, struct lapsmp_hdr *h, const u8 *buf,
		      unsigned int len)
{
	return wire_parse_part(test, h, buf, len, len);
}

static void wire_is_read_back(struct kunit *test)
{
	const struct wire_good *param = test->param_value;
	struct lapsmp_hdr want;
	struct lapsmp_hdr got;
	u8 buf[ROOM];
	unsigned int hlen;

	memcpy(&want, &param->h, sizeof(want));
	want.version = LAPSMP_VERSION;
	memset(buf, 0xa5, sizeof(buf));
	hlen = lapsmp_wire_build(buf, &param->h);
	KUNIT_EXPECT_EQ(test, hlen, param->h.hlen);
	KUNIT_EXPECT_EQ(test, hlen, lapsmp_wire_hlen(&param->h));
	KUNIT_EXPECT_EQ(test, hlen, lapsmp_wire_peek(buf));
	KUNIT_EXPECT_LE(test, hlen, LAPSMP_HLEN_MAX);
	KUNIT_EXPECT_EQ(test, buf[hlen], 0xa5);
	KUNIT_ASSERT_EQ(test, 0, wire_parse_part(test, &got, buf, hlen,
						 hlen + want.payload_len));
	KUNIT_EXPECT_EQ(test, 0, memcmp(&got, &want, sizeof(got)));
}

static void wire_cut_header_is_refused(struct kunit *test)
{
	const struct wire_good *param = test->param_value;
	struct lapsmp_hdr got;
	u8 buf[ROOM];
	unsigned int hlen = lapsmp_wire_build(buf, &param->h);
	unsigned int total = hlen + param->h.payload_len;
	unsigned int len;

	for (len = 0; len < hlen; len++) {
		KUNIT_EXPECT_EQ(test, -EBADMSG,
				wire_parse(test, &got, buf, len));
		KUNIT_EXPECT_EQ(test, -EBADMSG,
				wire_parse_part(test, &got, buf, len, total));
	}
}

/* A header length that covers less, or more, than what is there. */
static void wire_bent_header_length_is_refused(struct kunit *test)
{
	const struct wire_good *param = test->param_value;
	struct lapsmp_hdr got;
	u8 buf[ROOM] = {};
	unsigned int hlen = lapsmp_wire_build(buf, &param->h);
	unsigned int units;

	for (units = 0; units < 256; units++) {
		if (units * 4 == hlen)
			continue;
		/* Without its options a packet can be well formed again. */
		if (units * 4 < hlen && units * 4 >= LAPSMP_PROBE_HLEN &&
		    (param->h.has_open || param->h.has_ecn))
			continue;
		buf[1] = units;
		KUNIT_EXPECT_EQ(test, -EBADMSG,
				wire_parse(test, &got, buf, hlen));
	}
}

static void wire_reserved_fields_are_ignored(struct kunit *test)
{
	const struct wire_good *param = test->param_value;
	struct lapsmp_hdr before;
	struct lapsmp_hdr after;
	u8 buf[ROOM];
	unsigned int hlen = lapsmp_wire_build(buf, &param->h);
	unsigned int total = hlen + param->h.payload_len;

	KUNIT_EXPECT_EQ(test, 0, buf[3]);
	KUNIT_EXPECT_EQ(test, 0, get_unaligned_be16(buf + 6));
	wire_parse_part(test, &before, buf, hlen, total);
	buf[3] = 0xff;
	put_unaligned_be16(0xffff, buf + 6);
	KUNIT_EXPECT_EQ(test, 0,
			wire_parse_part(test, &after, buf, hlen, total));
	KUNIT_EXPECT_EQ(test, 0, memcmp(&before, &after, sizeof(after)));
}

static void wire_zero_flow_id_is_refused(struct kunit *test)
{
	const struct wire_good *param = test->param_value;
	struct lapsmp_hdr got;
	u8 buf[ROOM];
	unsigned int hlen = lapsmp_wire_build(buf, &param->h);

	memset(buf + 8, 0, 8);
	KUNIT_EXPECT_EQ(test, -EBADMSG,
			wire_parse_part(test, &got, buf, hlen,
					hlen + param->h.payload_len));
	KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&got, buf, hlen));
}

static void wire_quote_names_flow_and_path(struct kunit *test)
{
	const struct wire_good *param = test->param_value;
	struct lapsmp_hdr got;
	u8 buf[ROOM];

	lapsmp_wire_build(buf, &param->h);
	KUNIT_EXPECT_TRUE(test,
			  lapsmp_wire_quoted(&got, buf, LAPSMP_HDR_LEN));
	KUNIT_EXPECT_EQ(test, got.flow_id, param->h.flow_id);
	KUNIT_EXPECT_EQ(test, got.path_id, param->h.path_id);
	KUNIT_EXPECT_EQ(test, got.type, param->h.type);
	KUNIT_EXPECT_EQ(test, got.seq, param->h.seq);
	KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&got, buf,
						    LAPSMP_HDR_LEN - 1));
	KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&got, buf, 0));
}

static void wire_stamp_changes_the_time_alone(struct kunit *test)
{
	const struct wire_good *param = test->param_value;
	struct lapsmp_hdr h;
	u8 want[ROOM];
	u8 buf[ROOM];
	unsigned int hlen;

	memcpy(&h, &param->h, sizeof(h));
	hlen = lapsmp_wire_build(buf, &h);
	lapsmp_wire_stamp(buf, 0x01020304);
	h.time_ns = 0x01020304;
	lapsmp_wire_build(want, &h);
	KUNIT_EXPECT_EQ(test, 0, memcmp(buf, want, hlen));
}

/**
 * struct wire_bent - a field changed in a packet that was well formed
 * @name: of the case
 * @type: of the packet
 * @open: it carries OPEN and COOKIE
 * @payload: bytes behind the header
 * @at: first byte changed
 * @width: bytes changed
 * @value: what they become
 * @err: what parsing shall return
 */
struct wire_bent {
	const char *name;
	u8 type;
	bool open;
	u16 payload;
	u8 at;
	u8 width;
	u64 value;
	int err;
};

#define T(t)		.type = LAPSMP_T_##t
#define SET(a, w, v)	.at = (a), .width = (w), .value = (v)
#define BAD		.err = -EBADMSG
#define UNKNOWN		.err = -EOPNOTSUPP

static const struct wire_bent wire_bent[] = {
	{ "type 0", T(DATA), 0, 8, SET(0, 1, 0x10), BAD },
	{ "type 12, reserved", T(DATA), 0, 8, SET(0, 1, 0x1c), UNKNOWN },
	{ "type 13, reserved", T(DATA), 0, 8, SET(0, 1, 0x1d), UNKNOWN },
	{ "type 14, reserved", T(DATA), 0, 8, SET(0, 1, 0x1e), UNKNOWN },
	{ "type 15, unassigned", T(DATA), 0, 8, SET(0, 1, 0x1f), UNKNOWN },
	{ "unknown flags", T(DATA), 0, 8, SET(2, 1, 0xff), 0 },

	{ "DATA of message 0", T(DATA), 0, 8, SET(24, 4, 0), BAD },
	{ "DATA of the last message", T(DATA), 0, 8, SET(24, 4, U32_MAX), 0 },
	{ "DATA up to the end", T(DATA), 0, 8, SET(28, 4, 92), 0 },
	{ "DATA a byte too far", T(DATA), 0, 8, SET(28, 4, 93), BAD },
	{ "DATA at the end", T(DATA), 0, 8, SET(28, 4, 100), BAD },
	{ "DATA beyond the end", T(DATA), 0, 8, SET(28, 4, 101), BAD },
	{ "DATA at the last offset", T(DATA), 0, 8, SET(28, 4, U32_MAX), BAD },
	{ "DATA longer than its message", T(DATA), 0, 8, SET(32, 4, 7), BAD },
	{ "DATA of an empty message", T(DATA), 0, 8, SET(32, 4, 0), BAD },
	{ "DATA of the longest message", T(DATA), 0, 8, SET(32, 4, U32_MAX), 0 },
	{ "empty DATA", T(DATA), 0, 0, SET(28, 4, 0), BAD },
	{ "empty DATA at the end", T(DATA), 0, 0, SET(28, 4, 100), BAD },
	{ "empty DATA of nothing", T(DATA), 0, 0, SET(28, 8, 0), 0 },
	{ "empty DATA of nothing, offset 1", T(DATA), 0, 0,
	  SET(28, 8, 1ULL << 32), BAD },

	{ "ACK below message 0", T(ACK), 0, 0, SET(44, 4, 0), BAD },
	{ "PROBE_ACK below message 0", T(PROBE_ACK), 0, 0, SET(44, 4, 0), BAD },
	{ "WUPDATE below message 0", T(WUPDATE), 0, 0, SET(44, 4, 0), BAD },
	{ "ACK followed by bytes", T(ACK), 0, 5, SET(2, 1, 0), 0 },
	{ "ABORT of message 0", T(ABORT), 0, 0, SET(24, 4, 0), BAD },
	{ "ABORT of an empty message", T(ABORT), 0, 0, SET(28, 4, 0), 0 },
	{ "ABORT for reason 0", T(ABORT), 0, 0, SET(32, 2, 0), 0 },
	{ "CLOSE at message 0", T(CLOSE), 0, 0, SET(24, 4, 0), BAD },
	{ "RESET for reason 0", T(RESET), 0, 0, SET(24, 2, 0), BAD },
	{ "RESET for an unknown reason", T(RESET), 0, 0, SET(24, 2, 999), 0 },
	{ "RESET below message 0", T(RESET), 0, 0, SET(28, 4, 0), 0 },
	{ "COOKIE of incarnation 0", T(COOKIE), 0, 0, SET(24, 8, 0), BAD },
	{ "COOKIE of time 0", T(COOKIE), 0, 0, SET(32, 8, 0), 0 },
	{ "COOKIE of mac 0", T(COOKIE), 0, 0, SET(40, 8, 0), 0 },
	{ "VERSION that knows none", T(VERSION), 0, 0, SET(24, 4, 0), BAD },

	{ "PROBE of 55 bytes", T(PROBE), 0, 31, SET(2, 1, 0), BAD },
	{ "PROBE of 56 bytes", T(PROBE), 0, 32, SET(2, 1, 0), 0 },
	{ "WPROBE of 55 bytes", T(WPROBE), 0, 31, SET(2, 1, 0), BAD },
	{ "WPROBE of 56 bytes", T(WPROBE), 0, 32, SET(2, 1, 0), 0 },

	{ "OPEN from port 0", T(DATA), 1, 8, SET(40, 2, 0), BAD },
	{ "OPEN to port 0", T(DATA), 1, 8, SET(42, 2, 0), BAD },
	{ "OPEN of number 0", T(DATA), 1, 8, SET(44, 8, 0), BAD },
	{ "OPEN by incarnation 0", T(DATA), 1, 8, SET(52, 8, 0), BAD },
	{ "OPEN to incarnation 0", T(DATA), 1, 8, SET(60, 8, 0), 0 },
	{ "OPEN with its reserved field set", T(DATA), 1, 8,
	  SET(38, 2, 0xffff), 0 },
	{ "OPEN of length 0", T(DATA), 1, 8, SET(37, 1, 0), BAD },
	{ "OPEN of length 2", T(DATA), 1, 8, SET(37, 1, 2), BAD },
	{ "OPEN of length 28", T(DATA), 1, 8, SET(37, 1, 28), BAD },
	{ "OPEN of length 31", T(DATA), 1, 8, SET(37, 1, 31), BAD },
	{ "OPEN over all of the header", T(DATA), 1, 8, SET(37, 1, 52), BAD },
	{ "OPEN beyond the header", T(DATA), 1, 8, SET(37, 1, 56), BAD },
	{ "OPEN of length 255", T(DATA), 1, 8, SET(37, 1, 255), BAD },
	{ "COOKIE option with its reserved field set", T(DATA), 1, 8,
	  SET(70, 2, 0xffff), 0 },
	{ "COOKIE option of length 16", T(DATA), 1, 8, SET(69, 1, 16), BAD },
	{ "COOKIE option beyond the header", T(DATA), 1, 8,
	  SET(69, 1, 24), BAD },
	{ "OPEN turned into padding", T(DATA), 1, 8, SET(36, 1, 0), BAD },
	{ "COOKIE option turned into padding", T(DATA), 1, 8,
	  SET(68, 1, 0), 0 },
	{ "COOKIE option turned critical, unknown", T(DATA), 1, 8,
	  SET(68, 1, 0xff), UNKNOWN },
};

static void wire_bent_desc(const struct wire_bent *param, char *desc)
{
	strscpy(desc, param->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(wire_bent, wire_bent, wire_bent_desc);

/* A packet whose every field is good, whatever its type. */
static const struct lapsmp_hdr wire_any = {
	COMMON(DATA), .msg = 9, .off = 4, .msg_len = 100, ACKED, COOKIE_FIELDS,
	.reason = LAPSMP_RESET_UNREAD, .cookie_inc = 1,
	.versions = 1 << LAPSMP_VERSION,
};

static void wire_bent_field(struct kunit *test)
{
	const struct wire_bent *param = test->param_value;
	struct lapsmp_hdr h;
	u8 buf[ROOM];
	unsigned int hlen;
	unsigned int i;

	memcpy(&h, &wire_any, sizeof(h));
	h.type = param->type;
	if (param->open) {
		h.has_cookie = true;
		h.has_open = true;
		h.sport = cpu_to_be16(1);
		h.dport = cpu_to_be16(1);
		h.number = 1;
		h.snd_inc = 1;
	}
	hlen = lapsmp_wire_build(buf, &h);
	for (i = 0; i < param->width; i++)
		buf[param->at + i] = param->value >> 8 * (param->width - 1 - i);
	KUNIT_EXPECT_EQ(test, param->err,
			wire_parse_part(test, &h, buf, hlen,
					hlen + param->payload));
}

/* Options as bytes: each field holds a small number of its own. */
#define OPEN_BYTES \
	"\x81\x20\0\0\0\1\0\2\0\0\0\0\0\0\0\3" \
	"\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\5"
#define COOKIE_BYTES \
	"\x82\x14\0\0\0\0\0\0\0\0\0\6\0\0\0\0\0\0\0\7"
#define ECN_BYTES \
	"\x03\x10\0\0\0\0\0\x08\0\0\0\x09\0\0\0\x0a"

/**
 * struct wire_options - a packet with any options
 * @name: of the case
 * @type: of the packet
 * @len: bytes of @bytes used
 * @err: what parsing shall return
 * @open: OPEN shall be found
 * @cookie: the COOKIE option shall be found
 * @ecn: ECN shall be found
 * @bytes: the options
 */
struct wire_options {
	const char *name;
	u8 type;
	u8 len;
	int err;
	bool open;
	bool cookie;
	bool ecn;
	u8 bytes[96];
};

#define FOUND_OPEN	.open = true
#define FOUND_COOKIE	.cookie = true
#define FOUND_ECN	.ecn = true
#define BYTES(n, b)	.len = (n), .bytes = { b }

static const struct wire_options wire_options[] = {
	{ "padding is skipped", T(DATA),
	  BYTES(8, "\x00\x04\x00\x00\x00\x04\x01\x02") },
	{ "unknown is skipped", T(ACK),
	  BYTES(8, "\x7f\x08\x01\x02\x03\x04\x05\x06") },
	{ "unknown before known", T(DATA), FOUND_OPEN,
	  BYTES(40, "\x07\x08\x01\x02\x03\x04\x05\x06" OPEN_BYTES) },
	{ "unknown after known", T(ACK), FOUND_ECN,
	  BYTES(20, ECN_BYTES "\x04\x04\x01\x02") },
	{ "unknown critical", T(DATA), UNKNOWN, BYTES(4, "\xfe\x04\x00\x00") },
	{ "reserved GRANT is unknown", T(DATA), UNKNOWN,
	  BYTES(4, "\x85\x04\x00\x00") },
	{ "reserved AUTH is unknown", T(ACK), UNKNOWN,
	  BYTES(4, "\x86\x04\x00\x00") },
	{ "critical ECN is another option", T(ACK), UNKNOWN,
	  BYTES(4, "\x83\x04\x00\x00") },
	{ "uncritical OPEN is another option", T(DATA),
	  BYTES(4, "\x01\x04\x00\x00") },
	{ "unknown that is too long", T(ACK), BAD,
	  BYTES(8, "\x7f\x0c\x01\x02\x03\x04\x05\x06") },
	{ "padding of length 0", T(ACK), BAD, BYTES(4, "\x00\x00\x00\x00") },
	{ "padding of odd length", T(ACK), BAD, BYTES(8, "\x00\x06\x00\x00") },

	{ "OPEN on DATA", T(DATA), FOUND_OPEN, BYTES(32, OPEN_BYTES) },
	{ "OPEN on PROBE", T(PROBE), FOUND_OPEN, BYTES(32, OPEN_BYTES) },
	{ "OPEN on WPROBE", T(WPROBE), FOUND_OPEN, BYTES(32, OPEN_BYTES) },
	{ "OPEN on ABORT", T(ABORT), FOUND_OPEN, BYTES(32, OPEN_BYTES) },
	{ "OPEN on ACK", T(ACK), BAD, BYTES(32, OPEN_BYTES) },
	{ "OPEN on PROBE_ACK", T(PROBE_ACK), BAD, BYTES(32, OPEN_BYTES) },
	{ "OPEN on WUPDATE", T(WUPDATE), BAD, BYTES(32, OPEN_BYTES) },
	{ "OPEN on CLOSE", T(CLOSE), BAD, BYTES(32, OPEN_BYTES) },
	{ "OPEN on RESET", T(RESET), BAD, BYTES(32, OPEN_BYTES) },
	{ "OPEN on COOKIE", T(COOKIE), BAD, BYTES(32, OPEN_BYTES) },
	{ "OPEN on VERSION", T(VERSION), BAD, BYTES(32, OPEN_BYTES) },
	{ "OPEN twice", T(DATA), BAD, BYTES(64, OPEN_BYTES OPEN_BYTES) },
	{ "COOKIE after OPEN", T(ABORT), FOUND_OPEN, FOUND_COOKIE,
	  BYTES(52, OPEN_BYTES COOKIE_BYTES) },
	{ "COOKIE before OPEN", T(WPROBE), FOUND_OPEN, FOUND_COOKIE,
	  BYTES(52, COOKIE_BYTES OPEN_BYTES) },
	{ "COOKIE without OPEN", T(PROBE), BAD, BYTES(20, COOKIE_BYTES) },
	{ "COOKIE twice", T(DATA), BAD,
	  BYTES(72, OPEN_BYTES COOKIE_BYTES COOKIE_BYTES) },
	{ "COOKIE option on ACK", T(ACK), BAD, BYTES(20, COOKIE_BYTES) },
	{ "COOKIE option on COOKIE", T(COOKIE), BAD, BYTES(20, COOKIE_BYTES) },

	{ "ECN on ACK", T(ACK), FOUND_ECN, BYTES(16, ECN_BYTES) },
	{ "ECN on PROBE_ACK", T(PROBE_ACK), FOUND_ECN, BYTES(16, ECN_BYTES) },
	{ "ECN on WUPDATE", T(WUPDATE), FOUND_ECN, BYTES(16, ECN_BYTES) },
	{ "ECN on DATA is skipped", T(DATA), BYTES(16, ECN_BYTES) },
	{ "ECN on RESET is skipped", T(RESET), BYTES(16, ECN_BYTES) },
	{ "ECN twice", T(ACK), BAD, BYTES(32, ECN_BYTES ECN_BYTES) },
	{ "ECN too short", T(ACK), BAD, BYTES(12, "\x03\x0c") },
	{ "ECN too long", T(ACK), BAD, BYTES(20, "\x03\x14") },
};

static void wire_options_desc(const struct wire_options *param, char *desc)
{
	strscpy(desc, param->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(wire_options, wire_options, wire_options_desc);

static void wire_options_found(struct kunit *test, const struct lapsmp_hdr *h)
{
	if (h->has_open) {
		KUNIT_EXPECT_EQ(test, be16_to_cpu(h->sport), 1);
		KUNIT_EXPECT_EQ(test, be16_to_cpu(h->dport), 2);
		KUNIT_EXPECT_EQ(test, h->number, 3);
		KUNIT_EXPECT_EQ(test, h->snd_inc, 4);
		KUNIT_EXPECT_EQ(test, h->rcv_inc, 5);
	}
	if (h->has_cookie) {
		KUNIT_EXPECT_EQ(test, h->cookie_time, 6);
		KUNIT_EXPECT_EQ(test, h->cookie_mac, 7);
	}
	if (h->has_ecn) {
		KUNIT_EXPECT_EQ(test, h->ect0, 8);
		KUNIT_EXPECT_EQ(test, h->ect1, 9);
		KUNIT_EXPECT_EQ(test, h->ce, 10);
	}
}

static void wire_options_case(struct kunit *test)
{
	const struct wire_options *param = test->param_value;
	struct lapsmp_hdr h;
	u8 buf[ROOM];
	unsigned int hlen;

	memcpy(&h, &wire_any, sizeof(h));
	h.type = param->type;
	hlen = lapsmp_wire_build(buf, &h);
	memcpy(buf + hlen, param->bytes, param->len);
	hlen += param->len;
	buf[1] = hlen / 4;
	KUNIT_ASSERT_EQ(test, param->err,
			wire_parse_part(test, &h, buf, hlen, hlen + 40));
	if (param->err)
		return;
	KUNIT_EXPECT_EQ(test, h.hlen, hlen);
	KUNIT_EXPECT_EQ(test, h.payload_len, 40);
	KUNIT_EXPECT_EQ(test, h.has_open, param->open);
	KUNIT_EXPECT_EQ(test, h.has_cookie, param->cookie);
	KUNIT_EXPECT_EQ(test, h.has_ecn, param->ecn);
	wire_options_found(test, &h);
}

/* The worked example of Documentation/protocol.md, byte for byte. */
static const u8 wire_example_data[] = {
	0x11, 0x11, 0x02, 0x00, 0x00, 0x03, 0x00, 0x00,
	0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6, 0x07, 0x18,
	0x00, 0x00, 0x00, 0x01, 0x3b, 0x9a, 0xca, 0x00,
	0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x05, 0x81, 0x20, 0x00, 0x00,
	0x9c, 0x40, 0x1b, 0x58, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x2a, 0x10, 0x20, 0x30, 0x40,
	0x50, 0x60, 0x70, 0x80, 0x0f, 0x1e, 0x2d, 0x3c,
	0x4b, 0x5a, 0x69, 0x78, 'h', 'e', 'l', 'l', 'o',
};

static const struct lapsmp_hdr wire_example_data_hdr = {
	.type = LAPSMP_T_DATA, .version = LAPSMP_VERSION,
	.flags = LAPSMP_F_ACKNOW, .hlen = 68, .payload_len = 5, .path_id = 3,
	.flow_id = 0xa1b2c3d4e5f60718ULL, .seq = 1, .time_ns = 1000000000,
	.msg = 1, .off = 0, .msg_len = 5,
	.has_open = true, .sport = cpu_to_be16(40000),
	.dport = cpu_to_be16(7000), .number = 42,
	.snd_inc = 0x1020304050607080ULL, .rcv_inc = 0x0f1e2d3c4b5a6978ULL,
};

static const u8 wire_example_ack[] = {
	0x12, 0x0e, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00,
	0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6, 0x07, 0x18,
	0x00, 0x00, 0x00, 0x01, 0x77, 0x35, 0x94, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x3b, 0x9a, 0xc6, 0x18, 0x3b, 0x9a, 0xc6, 0x18,
	0x00, 0x00, 0x03, 0xe8, 0x00, 0x00, 0x00, 0x02,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00,
};

static const struct lapsmp_hdr wire_example_ack_hdr = {
	.type = LAPSMP_T_ACK, .version = LAPSMP_VERSION, .hlen = 56,
	.path_id = 3, .flow_id = 0xa1b2c3d4e5f60718ULL, .seq = 1,
	.time_ns = 2000000000, .map = 0,
	.owd_ns = 999999000, .owd_min_ns = 999999000, .ack_delay_ns = 1000,
	.rcv_msg = 2, .rcv_off = 0, .limit = 1048576,
};

static void wire_example(struct kunit *test, const struct lapsmp_hdr *want,
			 const u8 *bytes, unsigned int len)
{
	struct lapsmp_hdr got;
	u8 buf[ROOM];

	KUNIT_EXPECT_EQ(test, len - want->payload_len,
			lapsmp_wire_build(buf, want));
	KUNIT_EXPECT_EQ(test, 0, memcmp(buf, bytes, len - want->payload_len));
	KUNIT_EXPECT_EQ(test, 0, wire_parse(test, &got, bytes, len));
	KUNIT_EXPECT_EQ(test, 0, memcmp(&got, want, sizeof(got)));
}

static void wire_documented_example(struct kunit *test)
{
	wire_example(test, &wire_example_data_hdr, wire_example_data,
		     sizeof(wire_example_data));
	wire_example(test, &wire_example_ack_hdr, wire_example_ack,
		     sizeof(wire_example_ack));
}

static void wire_other_versions_show_their_flow(struct kunit *test)
{
	struct lapsmp_hdr h;
	u8 buf[16] = {};
	unsigned int version;

	put_unaligned_be64(0x0123456789abcdefULL, buf + 8);
	for (version = 0; version < 16; version++) {
		if (version == LAPSMP_VERSION)
			continue;
		buf[0] = version << 4 | LAPSMP_T_DATA;
		KUNIT_EXPECT_EQ(test, -EPROTONOSUPPORT,
				wire_parse(test, &h, buf, sizeof(buf)));
		KUNIT_EXPECT_EQ(test, h.version, version);
		KUNIT_EXPECT_EQ(test, h.flow_id, 0x0123456789abcdefULL);
		KUNIT_EXPECT_EQ(test, h.hlen, 0);
		KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&h, buf,
							    sizeof(buf)));
		KUNIT_EXPECT_EQ(test, -EBADMSG,
				wire_parse(test, &h, buf, sizeof(buf) - 1));
	}
}

static void wire_quote_of_nonsense_is_refused(struct kunit *test)
{
	struct lapsmp_hdr h;
	u8 buf[ROOM];

	lapsmp_wire_build(buf, &wire_any);
	buf[0] = 0x1f;
	KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&h, buf, 36));
	buf[0] = 0x21;
	KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&h, buf, 36));
	buf[0] = 0x11;
	KUNIT_EXPECT_TRUE(test, lapsmp_wire_quoted(&h, buf, 36));
	buf[1] = 8;
	KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&h, buf, 36));
}

static void wire_payload_may_be_elsewhere(struct kunit *test)
{
	struct lapsmp_hdr h;
	u8 buf[ROOM];

	memcpy(&h, &wire_any, sizeof(h));
	h.off = 0;
	h.msg_len = U32_MAX;
	lapsmp_wire_build(buf, &h);
	KUNIT_EXPECT_EQ(test, 0, wire_parse_part(test, &h, buf, 36, 1472));
	KUNIT_EXPECT_EQ(test, h.payload_len, 1436);
	KUNIT_EXPECT_EQ(test, 0,
			wire_parse_part(test, &h, buf, 36, 36 + U16_MAX));
	KUNIT_EXPECT_EQ(test, h.payload_len, U16_MAX);
	KUNIT_EXPECT_EQ(test, -EBADMSG,
			wire_parse_part(test, &h, buf, 36, 37 + U16_MAX));
	KUNIT_EXPECT_EQ(test, -EBADMSG,
			wire_parse_part(test, &h, buf, 36, 35));
}

static struct kunit_case wire_cases[] = {
	KUNIT_CASE_PARAM(wire_is_read_back, wire_good_gen_params),
	KUNIT_CASE_PARAM(wire_cut_header_is_refused, wire_good_gen_params),
	KUNIT_CASE_PARAM(wire_bent_header_length_is_refused,
			 wire_good_gen_params),
	KUNIT_CASE_PARAM(wire_reserved_fields_are_ignored,
			 wire_good_gen_params),
	KUNIT_CASE_PARAM(wire_zero_flow_id_is_refused, wire_good_gen_params),
	KUNIT_CASE_PARAM(wire_quote_names_flow_and_path, wire_good_gen_params),
	KUNIT_CASE_PARAM(wire_stamp_changes_the_time_alone,
			 wire_good_gen_params),
	KUNIT_CASE_PARAM(wire_bent_field, wire_bent_gen_params),
	KUNIT_CASE_PARAM(wire_options_case, wire_options_gen_params),
	KUNIT_CASE(wire_documented_example),
	KUNIT_CASE(wire_other_versions_show_their_flow),
	KUNIT_CASE(wire_quote_of_nonsense_is_refused),
	KUNIT_CASE(wire_payload_may_be_elsewhere),
	{}
};

struct kunit_suite lapsmp_wire_suite = {
	.name = "lapsmp_wire",
	.test_cases = wire_cases,
};
