// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of alg/srh.c: the header byte by byte, the way back from what was built,
 * and each way in which a received header can be wrong.
 */
#include <kunit/test.h>
#include <linux/in6.h>
#include <linux/inet.h>
#include <linux/string.h>

#include "../alg/srh.h"

static void srh_sid(struct kunit *test, const char *text, u8 *sid)
{
	KUNIT_ASSERT_EQ(test, in6_pton(text, -1, sid, -1, NULL), 1);
}

/* --- which segments --------------------------------------------------------------- */

struct sid_case {
	const char *name;
	bool ok;
};

static const struct sid_case sid_cases[] = {
	{ "2001:db8::1", true },
	{ "fc00:a::1", true },
	{ "fd00::", true },
	{ "0:0:0:1::", true },
	{ "::1:0:0", true },
	{ "::fffe:c000:201", true },
	{ "64:ff9b::c000:201", true },
	{ "fe7f:ffff::1", true },
	{ "fec0::1", true },
	{ "feff::1", true },
	{ "fe80::1", false },
	{ "febf:ffff::1", false },
	{ "ff00::", false },
	{ "ff02::1", false },
	{ "ffff:ffff::", false },
	{ "::", false },
	{ "::1", false },
	{ "::c000:201", false },
	{ "::ffff:c000:201", false },
};

KUNIT_ARRAY_PARAM_DESC(sid, sid_cases, name);

static void srh_sid_case(struct kunit *test)
{
	const struct sid_case *c = test->param_value;
	u8 sid[LAPSMP_SID_LEN];

	srh_sid(test, c->name, sid);
	KUNIT_EXPECT_EQ(test, lapsmp_srh_sid_ok(sid), c->ok);
}

/* --- what is written --------------------------------------------------------------- */

/* "By 2001:db8::a, then 2001:db8::b, to 2001:db8::2", before UDP. */
static const u8 srh_two[] = {
	17, 6, 4, 2, 2, 0, 0, 0,
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b,
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0a,
};

static void srh_exact(struct kunit *test)
{
	struct lapsmp_segs segs = { .n = 2 };
	u8 dst[LAPSMP_SID_LEN], buf[sizeof(srh_two)];

	srh_sid(test, "2001:db8::a", segs.sid[0]);
	srh_sid(test, "2001:db8::b", segs.sid[1]);
	srh_sid(test, "2001:db8::2", dst);
	KUNIT_ASSERT_EQ(test, lapsmp_srh_len(&segs), (u32)sizeof(srh_two));
	lapsmp_srh_build(buf, &segs, dst, 17);
	KUNIT_EXPECT_EQ(test, memcmp(buf, srh_two, sizeof(buf)), 0);
}

/* "By 2001:db8::a, then 2001:db8::b, which takes it out", before IPv4. */
static const u8 srh_encap[] = {
	4, 4, 4, 1, 1, 0, 0, 0,
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b,
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0a,
};

static void srh_exact_encap(struct kunit *test)
{
	struct lapsmp_segs segs = { .n = 2 };
	u8 buf[sizeof(srh_encap)];

	srh_sid(test, "2001:db8::a", segs.sid[0]);
	srh_sid(test, "2001:db8::b", segs.sid[1]);
	for (segs.n = 0; segs.n < 2; segs.n++)
		KUNIT_EXPECT_EQ(test, lapsmp_srh_encap_len(&segs), 0u);
	KUNIT_ASSERT_EQ(test, lapsmp_srh_encap_len(&segs), (u32)sizeof(srh_encap));
	lapsmp_srh_build_encap(buf, &segs, 4);
	KUNIT_EXPECT_EQ(test, memcmp(buf, srh_encap, sizeof(buf)), 0);
}

/* "By 2001:db8::a to 2001:db8::2", to be signed with key 7, before UDP. */
static const u8 srh_signed[] = {
	17, 9, 4, 1, 1, 8, 0, 0,
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0a,
	5, 38, 0, 0, 0, 0, 0, 7,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

/* "By 2001:db8::a, which takes it out", to be signed with it, before IPv4. */
static const u8 srh_encap_signed[] = {
	4, 7, 4, 0, 0, 8, 0, 0,
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0a,
	5, 38, 0, 0, 0, 0, 0, 7,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static void srh_exact_signed(struct kunit *test)
{
	struct lapsmp_segs segs = { .n = 1, .hmac = 7 };
	u8 dst[LAPSMP_SID_LEN], buf[sizeof(srh_signed)];

	srh_sid(test, "2001:db8::a", segs.sid[0]);
	srh_sid(test, "2001:db8::2", dst);
	KUNIT_ASSERT_EQ(test, lapsmp_srh_len(&segs), (u32)sizeof(srh_signed));
	memset(buf, 0xff, sizeof(buf));
	lapsmp_srh_build(buf, &segs, dst, 17);
	KUNIT_EXPECT_EQ(test, memcmp(buf, srh_signed, sizeof(buf)), 0);
	KUNIT_ASSERT_EQ(test, lapsmp_srh_encap_len(&segs),
			(u32)sizeof(srh_encap_signed));
	memset(buf, 0xff, sizeof(buf));
	lapsmp_srh_build_encap(buf, &segs, 4);
	KUNIT_EXPECT_EQ(test, memcmp(buf, srh_encap_signed,
				     sizeof(srh_encap_signed)), 0);
}

/* Which key the way back is to be signed with. */
struct srh_key_case {
	const char *name;
	u8 at;
	u8 value;
	u32 key;
};

static const struct srh_key_case srh_key_cases[] = {
	{ "signed", 3, 0, 7 },
	{ "another key", 47, 9, 9 },
	{ "a large id", 44, 0x80, 0x80000007 },
	{ "no flag", 5, 0, 0 },
	{ "other flags", 5, 0xf7, 0 },
	{ "all flags", 5, 0xff, 7 },
	{ "another TLV", 40, 4, 0 },
	{ "TLV too short", 41, 37, 0 },
	{ "TLV too long", 41, 39, 0 },
	{ "key 0", 47, 0, 0 },
};

KUNIT_ARRAY_PARAM_DESC(srh_key, srh_key_cases, name);

static void srh_key_case(struct kunit *test)
{
	const struct srh_key_case *c = test->param_value;
	u8 dst[LAPSMP_SID_LEN], buf[sizeof(srh_signed)];
	struct lapsmp_segs back;

	srh_sid(test, "2001:db8::2", dst);
	memcpy(buf, srh_signed, sizeof(buf));
	buf[3] = 0;
	buf[c->at] = c->value;
	KUNIT_ASSERT_TRUE(test, lapsmp_srh_back(buf, sizeof(buf), dst, &back));
	KUNIT_EXPECT_EQ(test, back.n, 1);
	KUNIT_EXPECT_EQ(test, back.hmac, c->key);
}

/* What Linux cannot check need not be signed; and a list may fill its header. */
static void srh_key_room(struct kunit *test)
{
	u8 buf[LAPSMP_SRH_FIXED + LAPSMP_SID_LEN * (LAPSMP_SEGS_MAX + 1) +
	       LAPSMP_SRH_HMAC_LEN];
	struct lapsmp_segs *segs, *back;
	u8 dst[LAPSMP_SID_LEN];
	unsigned int n;

	segs = kunit_kzalloc(test, sizeof(*segs), GFP_KERNEL);
	back = kunit_kzalloc(test, sizeof(*back), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, segs);
	KUNIT_ASSERT_NOT_NULL(test, back);
	srh_sid(test, "2001:db8::2", dst);
	segs->hmac = 7;
	for (n = 0; n < LAPSMP_SEGS_MAX; n++) {
		srh_sid(test, "2001:db8:1::", segs->sid[n]);
		segs->sid[n][15] = n + 1;
		segs->n = n + 1;
		lapsmp_srh_build(buf, segs, dst, 17);
		buf[3] = 0;
		KUNIT_ASSERT_TRUE(test, lapsmp_srh_back(buf, lapsmp_srh_len(segs),
							dst, back));
		KUNIT_EXPECT_EQ(test, back->n, n + 1);
		KUNIT_EXPECT_EQ(test, back->hmac,
				n + 1 > LAPSMP_SEGS_HMAC_MAX ? 0u : 7u);
		KUNIT_EXPECT_FALSE(test, lapsmp_srh_back(buf, lapsmp_srh_len(segs) - 1,
							 dst, back));
	}
	/* The flag, and no room for what it speaks of. */
	segs->hmac = 0;
	lapsmp_srh_build(buf, segs, dst, 17);
	buf[3] = 0;
	buf[5] = 8;
	KUNIT_ASSERT_TRUE(test, lapsmp_srh_back(buf, lapsmp_srh_len(segs), dst, back));
	KUNIT_EXPECT_EQ(test, back->hmac, 0u);
}

/* As many as there can be: one entry for each, the last one first. */
static void srh_longest_encap(struct kunit *test)
{
	const u32 len = LAPSMP_SRH_FIXED + LAPSMP_SID_LEN * LAPSMP_SEGS_MAX;
	struct lapsmp_segs *segs = kunit_kzalloc(test, sizeof(*segs), GFP_KERNEL);
	u8 *buf = kunit_kzalloc(test, len, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, segs);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	segs->n = LAPSMP_SEGS_MAX;
	for (i = 0; i < LAPSMP_SEGS_MAX; i++)
		segs->sid[i][0] = i + 1;
	KUNIT_ASSERT_EQ(test, lapsmp_srh_encap_len(segs), len);
	lapsmp_srh_build_encap(buf, segs, 4);
	KUNIT_EXPECT_EQ(test, buf[1], len / 8 - 1);
	KUNIT_EXPECT_EQ(test, buf[3], LAPSMP_SEGS_MAX - 1);
	KUNIT_EXPECT_EQ(test, buf[4], LAPSMP_SEGS_MAX - 1);
	for (i = 0; i < LAPSMP_SEGS_MAX; i++)
		KUNIT_EXPECT_EQ(test, buf[LAPSMP_SRH_FIXED + i * LAPSMP_SID_LEN],
				LAPSMP_SEGS_MAX - i);
}

/* As many as there can be, and one: what arrives is gone back in the other order. */
static void srh_there_and_back(struct kunit *test)
{
	static const unsigned int counts[] = { 1, 2, 3, 15, LAPSMP_SEGS_MAX };
	u8 buf[LAPSMP_SRH_FIXED + LAPSMP_SID_LEN * (LAPSMP_SEGS_MAX + 1)];
	u8 dst[LAPSMP_SID_LEN];
	struct lapsmp_segs *there, *back;
	unsigned int i, k, n;

	there = kunit_kzalloc(test, sizeof(*there), GFP_KERNEL);
	back = kunit_kzalloc(test, sizeof(*back), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, there);
	KUNIT_ASSERT_NOT_NULL(test, back);
	srh_sid(test, "2001:db8::2", dst);
	for (k = 0; k < ARRAY_SIZE(counts); k++) {
		n = counts[k];
		for (i = 0; i < n; i++) {
			srh_sid(test, "2001:db8:1::", there->sid[i]);
			there->sid[i][15] = i;
		}
		there->n = n;
		lapsmp_srh_build(buf, there, dst, 17);
		KUNIT_EXPECT_EQ(test, buf[3], n);
		buf[3] = 0;
		KUNIT_ASSERT_TRUE(test, lapsmp_srh_back(buf, lapsmp_srh_len(there),
							dst, back));
		KUNIT_EXPECT_EQ(test, back->n, n);
		for (i = 0; i < n; i++)
			KUNIT_EXPECT_EQ(test, memcmp(back->sid[i],
						     there->sid[n - 1 - i],
						     LAPSMP_SID_LEN), 0);
		KUNIT_EXPECT_TRUE(test, lapsmp_srh_same(back, back));
		KUNIT_EXPECT_EQ(test, lapsmp_srh_same(there, back), n == 1);
	}
}

static void srh_none(struct kunit *test)
{
	const struct lapsmp_segs none = {}, one = { .n = 1 };

	KUNIT_EXPECT_EQ(test, lapsmp_srh_len(&none), 0u);
	KUNIT_EXPECT_TRUE(test, lapsmp_srh_same(NULL, NULL));
	KUNIT_EXPECT_TRUE(test, lapsmp_srh_same(NULL, &none));
	KUNIT_EXPECT_TRUE(test, lapsmp_srh_same(&none, NULL));
	KUNIT_EXPECT_FALSE(test, lapsmp_srh_same(NULL, &one));
	KUNIT_EXPECT_FALSE(test, lapsmp_srh_same(&one, &none));
}

/* --- what is received --------------------------------------------------------------- */

/* srh_two at its last node, with one byte changed, or cut. */
struct bad_case {
	const char *name;
	unsigned int at;
	u8 value;
	unsigned int len;
	bool ok;
};

static const struct bad_case bad_cases[] = {
	{ "as it should be", 0, 17, 56, true },
	{ "something else behind", 0, 60, 56, true },
	{ "more that can be read", 0, 17, 80, true },
	{ "flags", 5, 0xff, 56, true },
	{ "a tag", 7, 0xff, 56, true },
	{ "TLVs, by its length", 1, 8, 72, true },
	{ "two entries of three", 4, 1, 56, true },
	{ "no byte", 0, 17, 0, false },
	{ "no entry can be read", 0, 17, 8, false },
	{ "half a head", 0, 17, 7, false },
	{ "cut by one byte", 0, 17, 55, false },
	{ "cut by an entry", 0, 17, 40, false },
	{ "another type", 2, 2, 56, false },
	{ "not at its last node", 3, 1, 56, false },
	{ "no node", 4, 0, 56, false },
	{ "more nodes than it is long", 4, 3, 80, false },
	{ "more nodes than there may be", 4, 17, 56, false },
	{ "all nodes", 4, 255, 56, false },
	{ "shorter by its length", 1, 5, 56, false },
	{ "of no length", 1, 0, 56, false },
	{ "not for us", 23, 3, 56, false },
	{ "a node twice", 55, 0x0b, 56, false },
	{ "by us", 55, 2, 56, false },
	{ "by multicast", 24, 0xff, 56, false },
	{ "last node first, by multicast", 40, 0xff, 56, false },
};

KUNIT_ARRAY_PARAM_DESC(bad, bad_cases, name);

static void srh_bad_case(struct kunit *test)
{
	const struct bad_case *c = test->param_value;
	struct lapsmp_segs back;
	u8 dst[LAPSMP_SID_LEN];
	u8 *buf;

	/* Of just its size, so that KASAN sees a read past the end. */
	buf = kunit_kzalloc(test, max(c->len, 1u), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	memcpy(buf, srh_two, min_t(size_t, c->len, sizeof(srh_two)));
	if (c->len > 3)
		buf[3] = 0;
	if (c->at < c->len)
		buf[c->at] = c->value;
	srh_sid(test, "2001:db8::2", dst);
	KUNIT_EXPECT_EQ(test, lapsmp_srh_back(buf, c->len, dst, &back), c->ok);
}

static struct kunit_case srh_cases[] = {
	KUNIT_CASE_PARAM(srh_sid_case, sid_gen_params),
	KUNIT_CASE(srh_exact),
	KUNIT_CASE(srh_exact_encap),
	KUNIT_CASE(srh_longest_encap),
	KUNIT_CASE(srh_exact_signed),
	KUNIT_CASE_PARAM(srh_key_case, srh_key_gen_params),
	KUNIT_CASE(srh_key_room),
	KUNIT_CASE(srh_there_and_back),
	KUNIT_CASE(srh_none),
	KUNIT_CASE_PARAM(srh_bad_case, bad_gen_params),
	{}
};

struct kunit_suite lapsmp_srh_suite = {
	.name = "lapsmp_srh",
	.test_cases = srh_cases,
};
