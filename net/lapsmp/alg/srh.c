// SPDX-License-Identifier: GPL-2.0
/*
 * The segment routing header (SRH, RFC 8754 section 2):
 *
 *	next header | length | type 4 | segments left
 *	last entry  | flags  | tag
 *	entry 0		where the packet goes in the end
 *	...
 *	entry n		the first node
 *	TLVs
 *
 * Its length is in units of 8 bytes, without the first. The kernel of each node on
 * the way checks what it needs; what comes from the network is checked here again,
 * since a way back is made of it.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "../compat.h"
#include "srh.h"

/* Routing type (RFC 8754 section 8.1). */
#define LAPSMP_SRH_TYPE		4

/* There is an HMAC TLV (RFC 8754 leaves the flag open, Linux wants it), at the end. */
#define LAPSMP_SRH_F_HMAC	0x08
#define LAPSMP_SRH_TLV_HMAC	5

enum {
	LAPSMP_SRH_NEXTHDR,
	LAPSMP_SRH_HDRLEN,
	LAPSMP_SRH_RTYPE,
	LAPSMP_SRH_LEFT,
	LAPSMP_SRH_LAST,
	LAPSMP_SRH_FLAGS,
};

bool lapsmp_srh_sid_ok(const u8 *sid)
{
	static const u8 zero[LAPSMP_SID_LEN];

	/* ::/96 has the unspecified address, loopback and IPv4-compatible ones. */
	if (!memcmp(sid, zero, 12))
		return false;
	/* ::ffff:0:0/96: IPv4-mapped. */
	if (!memcmp(sid, zero, 10) && sid[10] == 0xff && sid[11] == 0xff)
		return false;
	/* fe80::/10, and ff00::/8. */
	return sid[0] != 0xff && !(sid[0] == 0xfe && (sid[1] & 0xc0) == 0x80);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_srh_sid_ok);

bool lapsmp_srh_same(const struct lapsmp_segs *a, const struct lapsmp_segs *b)
{
	unsigned int n = a ? a->n : 0;

	if (n != (b ? b->n : 0) || (n && a->hmac != b->hmac))
		return false;
	return !n || !memcmp(a->sid, b->sid, n * LAPSMP_SID_LEN);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_srh_same);

/* The nodes in reverse order, as entries; and the room for what signs them. */
static void lapsmp_srh_entries(u8 *buf, const struct lapsmp_segs *segs)
{
	unsigned int i;

	for (i = segs->n; i--; buf += LAPSMP_SID_LEN)
		memcpy(buf, segs->sid[i], LAPSMP_SID_LEN);
	if (!segs->hmac)
		return;
	memset(buf, 0, LAPSMP_SRH_HMAC_LEN);
	buf[0] = LAPSMP_SRH_TLV_HMAC;
	buf[1] = LAPSMP_SRH_HMAC_LEN - 2;
	put_unaligned_be32(segs->hmac, buf + 4);
}

static void lapsmp_srh_head(u8 *buf, const struct lapsmp_segs *segs, u32 len,
			    u8 left, u8 nexthdr)
{
	memset(buf, 0, LAPSMP_SRH_FIXED);
	buf[LAPSMP_SRH_NEXTHDR] = nexthdr;
	buf[LAPSMP_SRH_HDRLEN] = len / 8 - 1;
	buf[LAPSMP_SRH_RTYPE] = LAPSMP_SRH_TYPE;
	buf[LAPSMP_SRH_LEFT] = left;
	buf[LAPSMP_SRH_LAST] = left;
	if (segs->hmac)
		buf[LAPSMP_SRH_FLAGS] = LAPSMP_SRH_F_HMAC;
}

void lapsmp_srh_build(u8 *buf, const struct lapsmp_segs *segs, const u8 *dst,
		      u8 nexthdr)
{
	lapsmp_srh_head(buf, segs, lapsmp_srh_len(segs), segs->n, nexthdr);
	buf += LAPSMP_SRH_FIXED;
	memcpy(buf, dst, LAPSMP_SID_LEN);
	lapsmp_srh_entries(buf + LAPSMP_SID_LEN, segs);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_srh_build);

void lapsmp_srh_build_encap(u8 *buf, const struct lapsmp_segs *segs, u8 nexthdr)
{
	lapsmp_srh_head(buf, segs, lapsmp_srh_encap_len(segs), segs->n - 1, nexthdr);
	lapsmp_srh_entries(buf + LAPSMP_SRH_FIXED, segs);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_srh_build_encap);

static bool lapsmp_srh_lists(const struct lapsmp_segs *segs, const u8 *sid)
{
	unsigned int i;

	for (i = 0; i < segs->n; i++)
		if (!memcmp(segs->sid[i], sid, LAPSMP_SID_LEN))
			return true;
	return false;
}

/*
 * The key that a list of @n + 1 entries is signed with, or 0. @len: of the header, as
 * it says. A header may have other TLVs before this one.
 */
static u32 lapsmp_srh_key(const u8 *srh, u32 len, unsigned int n)
{
	u32 entries = LAPSMP_SRH_FIXED + LAPSMP_SID_LEN * (n + 1);
	const u8 *tlv = srh + len - LAPSMP_SRH_HMAC_LEN;

	if (!(srh[LAPSMP_SRH_FLAGS] & LAPSMP_SRH_F_HMAC) ||
	    len < entries + LAPSMP_SRH_HMAC_LEN || n > LAPSMP_SEGS_HMAC_MAX ||
	    tlv[0] != LAPSMP_SRH_TLV_HMAC || tlv[1] != LAPSMP_SRH_HMAC_LEN - 2)
		return 0;
	return get_unaligned_be32(tlv + 4);
}

bool lapsmp_srh_back(const u8 *srh, u32 len, const u8 *dst,
		     struct lapsmp_segs *back)
{
	const u8 *entry = srh + LAPSMP_SRH_FIXED;
	unsigned int i, n;
	u32 whole;

	if (len < LAPSMP_SRH_FIXED || srh[LAPSMP_SRH_RTYPE] != LAPSMP_SRH_TYPE ||
	    srh[LAPSMP_SRH_LEFT])
		return false;
	n = srh[LAPSMP_SRH_LAST];
	whole = (srh[LAPSMP_SRH_HDRLEN] + 1) * 8;
	if (!n || n > LAPSMP_SEGS_MAX || whole > len ||
	    LAPSMP_SRH_FIXED + LAPSMP_SID_LEN * (n + 1) > whole)
		return false;
	if (memcmp(entry, dst, LAPSMP_SID_LEN))
		return false;
	back->n = 0;
	back->hmac = lapsmp_srh_key(srh, whole, n);
	for (i = 0; i < n; i++) {
		entry += LAPSMP_SID_LEN;
		if (!lapsmp_srh_sid_ok(entry) || lapsmp_srh_lists(back, entry) ||
		    !memcmp(entry, dst, LAPSMP_SID_LEN))
			return false;
		memcpy(back->sid[back->n++], entry, LAPSMP_SID_LEN);
	}
	return true;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_srh_back);
