// SPDX-License-Identifier: GPL-2.0
/* Tests of wire.c: options, known and not, where they may be and where not. */
#include "wire_set.h"

/* Options as bytes: each field holds a small number of its own. */
#define OPEN_BYTES \
	"\x81\x20\0\0\0\1\0\2\0\0\0\0\0\0\0\3" \
	"\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\5"
#define COOKIE_BYTES \
	"\x82\x14\0\0\0\0\0\0\0\0\0\6\0\0\0\0\0\0\0\7"
#define FROM_BYTES \
	"\x87\x1c\0\0\0\0\0\0\0\0\0\x0b" \
	"\0\0\0\0\0\0\0\x0c\0\0\0\0\0\0\0\x0d"
#define ECN_BYTES \
	"\x03\x10\0\0\0\0\0\x08\0\0\0\x09\0\0\0\x0a"
#define ALSO_BYTES \
	"\x08\x1c\0\x0e\0\0\0\x0f\0\0\0\0\0\0\0\x10" \
	"\0\0\0\x11\0\0\0\x12\0\0\0\x13"

/**
 * struct wire_options - a packet with any options
 * @name: of the case
 * @type: of the packet
 * @len: bytes of @bytes used
 * @err: what parsing shall return
 * @open: OPEN shall be found
 * @cookie: the COOKIE option shall be found
 * @from: FROM shall be found
 * @ecn: ECN shall be found
 * @also: so many of ALSO shall be found
 * @bytes: the options
 */
struct wire_options {
	const char *name;
	u8 type;
	u8 len;
	int err;
	bool open;
	bool cookie;
	bool from;
	bool ecn;
	u8 also;
	u8 bytes[96];
};

#define FOUND_OPEN	.open = true
#define FOUND_COOKIE	.cookie = true
#define FOUND_FROM	.from = true
#define FOUND_ECN	.ecn = true
#define FOUND_ALSO(n)	.also = (n)
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
	{ "uncritical FROM is another option", T(DATA),
	  BYTES(4, "\x07\x04\x00\x00") },
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
	{ "OPEN on CHALLENGE", T(CHALLENGE), BAD, BYTES(32, OPEN_BYTES) },
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
	{ "COOKIE option on CHALLENGE", T(CHALLENGE), BAD,
	  BYTES(20, COOKIE_BYTES) },

	{ "FROM on DATA", T(DATA), FOUND_FROM, BYTES(28, FROM_BYTES) },
	{ "FROM on PROBE", T(PROBE), FOUND_FROM, BYTES(28, FROM_BYTES) },
	{ "FROM on WPROBE", T(WPROBE), FOUND_FROM, BYTES(28, FROM_BYTES) },
	{ "FROM on ABORT", T(ABORT), FOUND_FROM, BYTES(28, FROM_BYTES) },
	{ "FROM on ACK", T(ACK), BAD, BYTES(28, FROM_BYTES) },
	{ "FROM on PROBE_ACK", T(PROBE_ACK), BAD, BYTES(28, FROM_BYTES) },
	{ "FROM on WUPDATE", T(WUPDATE), BAD, BYTES(28, FROM_BYTES) },
	{ "FROM on CLOSE", T(CLOSE), BAD, BYTES(28, FROM_BYTES) },
	{ "FROM on RESET", T(RESET), BAD, BYTES(28, FROM_BYTES) },
	{ "FROM on COOKIE", T(COOKIE), BAD, BYTES(28, FROM_BYTES) },
	{ "FROM on VERSION", T(VERSION), BAD, BYTES(28, FROM_BYTES) },
	{ "FROM on CHALLENGE", T(CHALLENGE), BAD, BYTES(28, FROM_BYTES) },
	{ "FROM twice", T(DATA), BAD, BYTES(56, FROM_BYTES FROM_BYTES) },
	{ "FROM too short", T(DATA), BAD,
	  BYTES(24, "\x87\x18\0\0\0\0\0\0\0\0\0\x0b") },
	{ "FROM too long", T(DATA), BAD,
	  BYTES(32, "\x87\x20\0\0\0\0\0\0\0\0\0\x0b") },
	{ "FROM by incarnation 0", T(ABORT), BAD, BYTES(28, "\x87\x1c") },
	{ "FROM before OPEN", T(DATA), BAD, BYTES(60, FROM_BYTES OPEN_BYTES) },
	{ "FROM after OPEN", T(DATA), BAD, BYTES(60, OPEN_BYTES FROM_BYTES) },
	{ "FROM before COOKIE", T(PROBE), BAD,
	  BYTES(48, FROM_BYTES COOKIE_BYTES) },
	{ "FROM after COOKIE", T(PROBE), BAD,
	  BYTES(48, COOKIE_BYTES FROM_BYTES) },
	{ "FROM after OPEN and COOKIE", T(WPROBE), BAD,
	  BYTES(80, OPEN_BYTES COOKIE_BYTES FROM_BYTES) },
	{ "FROM before OPEN and COOKIE", T(WPROBE), BAD,
	  BYTES(80, FROM_BYTES OPEN_BYTES COOKIE_BYTES) },
	{ "FROM between unknown ones", T(DATA), FOUND_FROM,
	  BYTES(36, "\x7f\x04\x01\x02" FROM_BYTES "\x00\x04\x00\x00") },

	{ "ECN on ACK", T(ACK), FOUND_ECN, BYTES(16, ECN_BYTES) },
	{ "ECN on PROBE_ACK", T(PROBE_ACK), FOUND_ECN, BYTES(16, ECN_BYTES) },
	{ "ECN on WUPDATE", T(WUPDATE), FOUND_ECN, BYTES(16, ECN_BYTES) },
	{ "ECN on DATA is skipped", T(DATA), BYTES(16, ECN_BYTES) },
	{ "ECN beside FROM is skipped", T(DATA), FOUND_FROM,
	  BYTES(44, ECN_BYTES FROM_BYTES) },
	{ "ECN on CHALLENGE is skipped", T(CHALLENGE), BYTES(16, ECN_BYTES) },
	{ "ECN on RESET is skipped", T(RESET), BYTES(16, ECN_BYTES) },
	{ "ECN twice", T(ACK), BAD, BYTES(32, ECN_BYTES ECN_BYTES) },
	{ "ECN too short", T(ACK), BAD, BYTES(12, "\x03\x0c") },
	{ "ECN too long", T(ACK), BAD, BYTES(20, "\x03\x14") },

	{ "ALSO on ACK", T(ACK), FOUND_ALSO(1), BYTES(28, ALSO_BYTES) },
	{ "ALSO on PROBE_ACK", T(PROBE_ACK), FOUND_ALSO(1), BYTES(28, ALSO_BYTES) },
	{ "ALSO on WUPDATE", T(WUPDATE), FOUND_ALSO(1), BYTES(28, ALSO_BYTES) },
	{ "ALSO on DATA is skipped", T(DATA), BYTES(28, ALSO_BYTES) },
	{ "ALSO of any length on RESET is skipped", T(RESET), BYTES(8, "\x08\x08") },
	{ "ALSO three times", T(ACK), FOUND_ALSO(3),
	  BYTES(84, ALSO_BYTES ALSO_BYTES ALSO_BYTES) },
	{ "ALSO around others", T(ACK), FOUND_ALSO(2), FOUND_ECN,
	  BYTES(76, ALSO_BYTES "\x7f\x04\x08\x1c" ECN_BYTES ALSO_BYTES) },
	{ "ALSO too short", T(ACK), BAD, BYTES(24, "\x08\x18") },
	{ "ALSO too long", T(ACK), BAD, BYTES(32, "\x08\x20") },
	{ "the second ALSO too short", T(ACK), BAD,
	  BYTES(52, ALSO_BYTES "\x08\x18") },
	{ "critical ALSO is another option", T(ACK), UNKNOWN,
	  BYTES(28, "\x88\x1c") },
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
	if (h->has_from) {
		KUNIT_EXPECT_EQ(test, h->snd_inc, 11);
		KUNIT_EXPECT_EQ(test, h->cookie_time, 12);
		KUNIT_EXPECT_EQ(test, h->cookie_mac, 13);
	}
	if (h->has_ecn) {
		KUNIT_EXPECT_EQ(test, h->ect0, 8);
		KUNIT_EXPECT_EQ(test, h->ect1, 9);
		KUNIT_EXPECT_EQ(test, h->ce, 10);
	}
}

static void wire_options_also(struct kunit *test, const struct lapsmp_hdr *h, const u8 *buf)
{
	struct lapsmp_also a;
	unsigned int pos = 0, n = 0;

	while (lapsmp_also_next(&a, buf, h, &pos)) {
		KUNIT_ASSERT_LE(test, ++n, h->n_also);
		KUNIT_EXPECT_EQ(test, a.path_id, 14);
		KUNIT_EXPECT_EQ(test, a.seq, 15);
		KUNIT_EXPECT_EQ(test, a.map, 16);
		KUNIT_EXPECT_EQ(test, a.owd_ns, 17);
		KUNIT_EXPECT_EQ(test, a.owd_mean_ns, 18);
		KUNIT_EXPECT_EQ(test, a.ack_delay_ns, 19);
	}
	KUNIT_EXPECT_EQ(test, n, h->n_also);
	/* And none comes after the last one. */
	KUNIT_EXPECT_FALSE(test, lapsmp_also_next(&a, buf, h, &pos));
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
	KUNIT_EXPECT_EQ(test, h.has_from, param->from);
	KUNIT_EXPECT_EQ(test, h.has_ecn, param->ecn);
	KUNIT_EXPECT_EQ(test, h.n_also, param->also);
	wire_options_found(test, &h);
	wire_options_also(test, &h, buf);
}

/* As many as this version sends, each with its own fields. */
static void wire_options_also_to_the_end(struct kunit *test)
{
	struct lapsmp_also alsos[LAPSMP_ALSO_MAX];
	u8 buf[LAPSMP_ACK_HLEN + LAPSMP_ALSO_MAX * LAPSMP_ALSO_OLEN];
	struct lapsmp_also a = {};
	struct lapsmp_hdr h;
	unsigned int pos = 0, i;

	for (i = 0; i < ARRAY_SIZE(alsos); i++)
		alsos[i] = (struct lapsmp_also){
			.path_id = 0xf001 + i, .seq = 0xf1f2f301 + i,
			.map = 0xf8f9fafbfcfdfe01ULL + i, .owd_ns = 0xe1e2e301 + i,
			.owd_mean_ns = 0xe4e5e601 + i, .ack_delay_ns = 0xe7e8e901 + i,
		};
	memcpy(&h, &wire_any, sizeof(h));
	h.type = LAPSMP_T_ACK;
	h.n_also = ARRAY_SIZE(alsos);
	h.also = alsos;
	KUNIT_ASSERT_EQ(test, lapsmp_wire_build(buf, &h), sizeof(buf));
	KUNIT_ASSERT_EQ(test, 0, wire_parse_part(test, &h, buf, sizeof(buf), sizeof(buf)));
	KUNIT_EXPECT_EQ(test, h.n_also, ARRAY_SIZE(alsos));
	for (i = 0; i < ARRAY_SIZE(alsos); i++) {
		KUNIT_ASSERT_TRUE(test, lapsmp_also_next(&a, buf, &h, &pos));
		KUNIT_EXPECT_EQ(test, a.path_id, alsos[i].path_id);
		KUNIT_EXPECT_EQ(test, a.seq, alsos[i].seq);
		KUNIT_EXPECT_EQ(test, a.map, alsos[i].map);
		KUNIT_EXPECT_EQ(test, a.owd_ns, alsos[i].owd_ns);
		KUNIT_EXPECT_EQ(test, a.owd_mean_ns, alsos[i].owd_mean_ns);
		KUNIT_EXPECT_EQ(test, a.ack_delay_ns, alsos[i].ack_delay_ns);
	}
	KUNIT_EXPECT_FALSE(test, lapsmp_also_next(&a, buf, &h, &pos));
	KUNIT_EXPECT_EQ(test, pos, sizeof(buf));
}

static struct kunit_case wire_options_cases[] = {
	KUNIT_CASE_PARAM(wire_options_case, wire_options_gen_params),
	KUNIT_CASE(wire_options_also_to_the_end),
	{}
};

struct kunit_suite lapsmp_wire_options_suite = {
	.name = "lapsmp_wire_options",
	.test_cases = wire_options_cases,
};
