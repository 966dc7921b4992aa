// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of wire.c: what is built is read back, what is cut is refused, and the
 * worked example of Documentation/protocol.md is exact.
 */
#include "wire_set.h"

/**
 * struct wire_good - a packet that is well formed
 * @name: of the case
 * @h: its fields; hlen and payload_len are what parsing shall say
 */
struct wire_good {
	const char *name;
	struct lapsmp_hdr h;
};

static const struct lapsmp_also wire_alsos[] = {
	{ .path_id = 0xf001, .seq = 0xf1f2f3f4, .map = 1 },
	{ .path_id = 0xf002, .owd_ns = 0xe1e2e3e4 },
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
	{ "DATA from another address", { COMMON(DATA), MSG, FROM, .hlen = 64,
	  .payload_len = 9 } },
	{ "ACK", { COMMON(ACK), ACKED, .hlen = 56 } },
	{ "ACK with ECN counts", { COMMON(ACK), ACKED, ECN, .hlen = 72 } },
	{ "ACK of three paths", { COMMON(ACK), ACKED, .n_also = 2,
	  .also = wire_alsos, .hlen = 112 } },
	{ "ACK of two paths with ECN counts of one", { COMMON(ACK), ACKED, ECN,
	  .n_also = 1, .also = wire_alsos, .hlen = 100 } },
	{ "PROBE", { COMMON(PROBE), .hlen = 24, .payload_len = 1400 } },
	{ "PROBE that opens", { COMMON(PROBE), OPEN, .hlen = 56 } },
	{ "PROBE that opens with a cookie", { COMMON(PROBE), OPEN, COOKIE,
	  .hlen = 76 } },
	{ "PROBE from another address", { COMMON(PROBE), FROM, .hlen = 52,
	  .payload_len = 4 } },
	{ "PROBE_ACK", { COMMON(PROBE_ACK), ACKED, .hlen = 56 } },
	{ "PROBE_ACK with ECN counts", { COMMON(PROBE_ACK), ACKED, ECN,
	  .hlen = 72 } },
	{ "WPROBE", { COMMON(WPROBE), .hlen = 24, .payload_len = 32 } },
	{ "WPROBE that opens", { COMMON(WPROBE), OPEN, .hlen = 56 } },
	{ "WPROBE from another address", { COMMON(WPROBE), FROM, .hlen = 52,
	  .payload_len = 4 } },
	{ "WUPDATE", { COMMON(WUPDATE), ACKED, .hlen = 56 } },
	{ "WUPDATE of two paths", { COMMON(WUPDATE), ACKED, .n_also = 1,
	  .also = wire_alsos, .hlen = 84 } },
	{ "ABORT", { COMMON(ABORT), MSG, .reason = 0xc1c2, .hlen = 36 } },
	{ "ABORT that opens", { COMMON(ABORT), MSG, OPEN, .hlen = 68 } },
	{ "ABORT from another address", { COMMON(ABORT), MSG, FROM,
	  .hlen = 64 } },
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
	{ "CHALLENGE", { COMMON(CHALLENGE), COOKIE_FIELDS, .hlen = 40 } },
};

static void wire_good_desc(const struct wire_good *param, char *desc)
{
	strscpy(desc, param->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(wire_good, wire_good, wire_good_desc);

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
	/* It is read by lapsmp_also_next(). */
	want.also = NULL;
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
		    (param->h.has_open || param->h.has_from || param->h.has_ecn ||
		     param->h.n_also))
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
	.owd_ns = 999999000, .owd_mean_ns = 999999000, .ack_delay_ns = 1000,
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
	u8 buf[LAPSMP_VERSION_HLEN] = {};
	unsigned int version;

	/* In this version it would be longer than all of the packet. */
	buf[1] = 0xff;
	put_unaligned_be64(0x0123456789abcdefULL, buf + 8);
	for (version = 0; version < 16; version++) {
		if (version == LAPSMP_VERSION)
			continue;
		buf[0] = version << 4 | LAPSMP_T_DATA;
		KUNIT_EXPECT_EQ(test, LAPSMP_HDR_LEN, lapsmp_wire_peek(buf));
		KUNIT_EXPECT_EQ(test, -EPROTONOSUPPORT,
				wire_parse(test, &h, buf, 16));
		KUNIT_EXPECT_EQ(test, -EPROTONOSUPPORT,
				wire_parse(test, &h, buf, sizeof(buf)));
		KUNIT_EXPECT_EQ(test, h.version, version);
		KUNIT_EXPECT_EQ(test, h.flow_id, 0x0123456789abcdefULL);
		KUNIT_EXPECT_EQ(test, h.hlen, 0);
		KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&h, buf,
							    sizeof(buf)));
		KUNIT_EXPECT_EQ(test, -EBADMSG,
				wire_parse(test, &h, buf, 15));
	}
}

static void wire_quote_of_nonsense_is_refused(struct kunit *test)
{
	struct lapsmp_hdr h;
	u8 buf[ROOM];

	lapsmp_wire_build(buf, &wire_any);
	buf[0] = 0x1f;
	KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&h, buf, 36));
	buf[0] = 0x1d;
	KUNIT_EXPECT_FALSE(test, lapsmp_wire_quoted(&h, buf, 36));
	/* A known type, but its header is longer. */
	buf[0] = 0x1c;
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
