// SPDX-License-Identifier: GPL-2.0
/* Tests of wire.c: each field with values at the edge of what is allowed. */
#include "wire_set.h"

/**
 * struct wire_bent - a field changed in a packet that was well formed
 * @name: of the case
 * @type: of the packet
 * @open: it carries OPEN and COOKIE
 * @payload: bytes behind the header
 * @from: it carries FROM
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
	bool from;
	u8 at;
	u8 width;
	u64 value;
	int err;
};

#define SET(a, w, v)	.at = (a), .width = (w), .value = (v)
#define WITH_FROM	.from = true

static const struct wire_bent wire_bent[] = {
	{ "type 0", T(DATA), 0, 8, SET(0, 1, 0x10), BAD },
	{ "type 12, shorter than its header", T(DATA), 0, 8,
	  SET(0, 1, 0x1c), BAD },
	{ "type 13, unassigned", T(DATA), 0, 8, SET(0, 1, 0x1d), UNKNOWN },
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
	{ "CHALLENGE of time 0", T(CHALLENGE), 0, 0, SET(24, 8, 0), 0 },
	{ "CHALLENGE of mac 0", T(CHALLENGE), 0, 0, SET(32, 8, 0), 0 },
	{ "CHALLENGE of the last time", T(CHALLENGE), 0, 0,
	  SET(24, 8, U64_MAX), 0 },
	{ "CHALLENGE a unit too short", T(CHALLENGE), 0, 0, SET(1, 1, 9), BAD },
	{ "CHALLENGE of the common header", T(CHALLENGE), 0, 0,
	  SET(1, 1, 6), BAD },
	{ "CHALLENGE followed by bytes", T(CHALLENGE), 0, 5, SET(2, 1, 0), 0 },

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

	{ "FROM by incarnation 0", T(DATA), 0, 8, WITH_FROM,
	  SET(40, 8, 0), BAD },
	{ "FROM by incarnation 1", T(DATA), 0, 8, WITH_FROM, SET(40, 8, 1), 0 },
	{ "FROM by incarnation 2^63", T(DATA), 0, 8, WITH_FROM,
	  SET(40, 8, 1ULL << 63), 0 },
	{ "FROM of time 0", T(DATA), 0, 8, WITH_FROM, SET(48, 8, 0), 0 },
	{ "FROM of mac 0", T(DATA), 0, 8, WITH_FROM, SET(56, 8, 0), 0 },
	{ "FROM with its reserved field set", T(DATA), 0, 8, WITH_FROM,
	  SET(38, 2, 0xffff), 0 },
	{ "FROM of length 0", T(DATA), 0, 8, WITH_FROM, SET(37, 1, 0), BAD },
	{ "FROM of length 24", T(DATA), 0, 8, WITH_FROM, SET(37, 1, 24), BAD },
	{ "FROM of length 27", T(DATA), 0, 8, WITH_FROM, SET(37, 1, 27), BAD },
	{ "FROM beyond the header", T(DATA), 0, 8, WITH_FROM,
	  SET(37, 1, 32), BAD },
	{ "FROM of length 255", T(DATA), 0, 8, WITH_FROM,
	  SET(37, 1, 255), BAD },
	{ "FROM turned into padding", T(DATA), 0, 8, WITH_FROM,
	  SET(36, 1, 0), 0 },
	{ "FROM turned into OPEN", T(DATA), 0, 8, WITH_FROM,
	  SET(36, 1, 0x81), BAD },
	{ "FROM turned critical, unknown", T(DATA), 0, 8, WITH_FROM,
	  SET(36, 1, 0xff), UNKNOWN },
	{ "PROBE with FROM, of 55 bytes", T(PROBE), 0, 3, WITH_FROM,
	  SET(2, 1, 0), BAD },
	{ "PROBE with FROM, of 56 bytes", T(PROBE), 0, 4, WITH_FROM,
	  SET(2, 1, 0), 0 },
};

static void wire_bent_desc(const struct wire_bent *param, char *desc)
{
	strscpy(desc, param->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(wire_bent, wire_bent, wire_bent_desc);

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
	if (param->from) {
		h.has_from = true;
		h.snd_inc = 1;
	}
	hlen = lapsmp_wire_build(buf, &h);
	for (i = 0; i < param->width; i++)
		buf[param->at + i] = param->value >> 8 * (param->width - 1 - i);
	KUNIT_EXPECT_EQ(test, param->err,
			wire_parse_part(test, &h, buf, hlen,
					hlen + param->payload));
}

static struct kunit_case wire_fields_cases[] = {
	KUNIT_CASE_PARAM(wire_bent_field, wire_bent_gen_params),
	{}
};

struct kunit_suite lapsmp_wire_fields_suite = {
	.name = "lapsmp_wire_fields",
	.test_cases = wire_fields_cases,
};
