/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of wire.c share: fields that are all different, and parsing of
 * a copy in memory of just its size, so that KASAN sees a read past the end.
 */
#ifndef _LAPSMP_TESTS_WIRE_SET_H
#define _LAPSMP_TESTS_WIRE_SET_H

#include <kunit/test.h>

#include "../compat.h"
#include "../wire.h"
#include "../wire_also.h"

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
#define FROM \
	.has_from = true, .snd_inc = 0x4142434445464748ULL, COOKIE_FIELDS
#define ACKED \
	.map = 0x8182838485868788ULL, .owd_ns = 0x91929394, \
	.owd_mean_ns = 0x95969798, .ack_delay_ns = 0x999a9b9c, \
	.rcv_msg = 0xa1a2a3a4, .rcv_off = 0xa5a6a7a8, .limit = 0xa9aaabac
#define ECN \
	.has_ecn = true, .ect0 = 0xb1b2b3b4, .ect1 = 0xb5b6b7b8, .ce = 0xb9babbbc

/* A packet's type, and why it is refused. */
#define T(t)		.type = LAPSMP_T_##t
#define BAD		.err = -EBADMSG
#define UNKNOWN		.err = -EOPNOTSUPP

/* A packet whose every field is good, whatever its type. */
static const struct lapsmp_hdr wire_any = {
	COMMON(DATA), .msg = 9, .off = 4, .msg_len = 100, ACKED, COOKIE_FIELDS,
	.reason = LAPSMP_RESET_UNREAD, .cookie_inc = 1,
	.versions = 1 << LAPSMP_VERSION,
};

/* Parses a copy of @len bytes, the rest of @total being elsewhere. */
static inline int wire_parse_part(struct kunit *test, struct lapsmp_hdr *h,
				  const u8 *buf, unsigned int len,
				  unsigned int total)
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

#endif /* _LAPSMP_TESTS_WIRE_SET_H */
