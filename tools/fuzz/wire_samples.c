// SPDX-License-Identifier: GPL-2.0
/* See wire_samples.h. */
#include <arpa/inet.h>

#include <linux/kernel.h>

#include "wire_samples.h"

#define COMMON(t, n) \
	.type = LAPSMP_T_##t, .path_id = 3, .flow_id = 0x0123456789abcdefULL, \
	.seq = 100 + (n), .time_ns = 0xfffffff0U
#define OPEN(to) \
	.has_open = true, .number = 7, .snd_inc = 0x1111222233334444ULL, \
	.rcv_inc = (to)
#define COOKIE_FIELDS \
	.cookie_time = 123456, .cookie_mac = 0xa1a2a3a4a5a6a7a8ULL
#define TOKEN_FIELDS \
	.cookie_time = 654321, .cookie_mac = 0xb1b2b3b4b5b6b7b8ULL
#define FROM(inc) \
	.has_from = true, .snd_inc = (inc), TOKEN_FIELDS
#define ACK_FIELDS \
	.map = 0xf0f0f0f000000001ULL, .owd_ns = 25000, .owd_mean_ns = 21000, \
	.ack_delay_ns = 900, .rcv_msg = 5, .rcv_off = 1460, .limit = 65536

/* Of two further paths. */
static const struct lapsmp_also alsos[] = {
	{ .path_id = 4, .seq = 200, .map = 1, .owd_ns = 30000, .owd_mean_ns = 29000,
	  .ack_delay_ns = 700 },
	{ .path_id = 9, .seq = 201, .map = 0x8000000000000000ULL, .owd_ns = 40000,
	  .owd_mean_ns = 39000, .ack_delay_ns = 500 },
};

const struct wire_sample wire_samples[] = {
	{ "data", { COMMON(DATA, 1), .msg = 5, .off = 1460, .msg_len = 1480 }, 20 },
	{ "data-empty", { COMMON(DATA, 2), .msg = 6, .flags = LAPSMP_F_ACKNOW } },
	{ "data-rtx", { COMMON(DATA, 3), .msg = 5, .msg_len = 8,
	  .flags = LAPSMP_F_RTX | LAPSMP_F_UNORDERED }, 8 },
	{ "data-open", { COMMON(DATA, 4), .msg = 1, .msg_len = 4, OPEN(0) }, 4 },
	{ "data-open-cookie", { COMMON(DATA, 5), .msg = 1, .msg_len = 4,
	  OPEN(0x5555666677778888ULL), .has_cookie = true, COOKIE_FIELDS }, 4 },
	{ "ack", { COMMON(ACK, 6), ACK_FIELDS } },
	{ "ack-ecn", { COMMON(ACK, 7), ACK_FIELDS, .has_ecn = true, .ect0 = 90,
	  .ect1 = 4, .ce = 6 } },
	{ "probe", { COMMON(PROBE, 8), .flags = LAPSMP_F_ACKNOW }, 72 },
	{ "probe-open", { COMMON(PROBE, 9), OPEN(0x5555666677778888ULL) } },
	{ "probe-ack", { COMMON(PROBE_ACK, 10), ACK_FIELDS } },
	{ "wprobe", { COMMON(WPROBE, 11) }, 32 },
	{ "wupdate", { COMMON(WUPDATE, 12), ACK_FIELDS } },
	{ "abort", { COMMON(ABORT, 13), .msg = 5, .msg_len = 1480 } },
	{ "close-idle", { COMMON(CLOSE, 14), .msg = 9 } },
	{ "close-abort", { COMMON(CLOSE, 15), .msg = 9,
	  .reason = LAPSMP_CLOSE_ABORT } },
	{ "reset-unknown", { COMMON(RESET, 16), .reason = LAPSMP_RESET_UNKNOWN } },
	{ "reset-unread", { COMMON(RESET, 17), .msg = 5,
	  .reason = LAPSMP_RESET_UNREAD } },
	{ "cookie", { COMMON(COOKIE, 18), COOKIE_FIELDS,
	  .cookie_inc = 0x5555666677778888ULL } },
	{ "version", { COMMON(VERSION, 19), .versions = 1 << LAPSMP_VERSION } },
	{ "challenge", { COMMON(CHALLENGE, 20), TOKEN_FIELDS } },
	{ "data-from", { COMMON(DATA, 21), .msg = 5, .msg_len = 4,
	  FROM(0x1111222233334444ULL) }, 4 },
	{ "probe-from", { COMMON(PROBE, 22), FROM(9) }, 4 },
	{ "wprobe-from", { COMMON(WPROBE, 23), FROM(0x1111222233334444ULL) }, 4 },
	{ "abort-from", { COMMON(ABORT, 24), .msg = 5, .msg_len = 1480,
	  FROM(0x1111222233334444ULL) } },
	{ "ack-also", { COMMON(ACK, 25), ACK_FIELDS, .n_also = 2, .also = alsos } },
	{ "ack-ecn-also", { COMMON(ACK, 26), ACK_FIELDS, .has_ecn = true, .ect0 = 90,
	  .ect1 = 4, .ce = 6, .n_also = 1, .also = alsos } },
};

const unsigned int wire_samples_nr = ARRAY_SIZE(wire_samples);

unsigned int wire_sample_build(u8 *buf, const struct wire_sample *sample)
{
	struct lapsmp_hdr h = sample->h;
	unsigned int len;
	unsigned int i;

	h.sport = htons(2000);
	h.dport = htons(4000);
	len = lapsmp_wire_build(buf, &h);
	for (i = 0; i < sample->payload_len; i++)
		buf[len++] = (u8)i;
	return len;
}
