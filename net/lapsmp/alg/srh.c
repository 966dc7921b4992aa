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

enum {
	LAPSMP_SRH_NEXTHDR,
	LAPSMP_SRH_HDRLEN,
	LAPSMP_SRH_RTYPE,
	LAPSMP_SRH_LEFT,
	LAPSMP_SRH_LAST,
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

	if (n != (b ? b->n : 0))
		return false;
	return !n || !memcmp(a->sid, b->sid, n * LAPSMP_SID_LEN);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_srh_same);

/* The nodes in reverse order, as entries. */
static void lapsmp_srh_entries(u8 *buf, const struct lapsmp_segs *segs)
{
	unsigned int i;

	for (i = segs->n; i--; buf += LAPSMP_SID_LEN)
		memcpy(buf, segs->sid[i], LAPSMP_SID_LEN);
}

static void lapsmp_srh_head(u8 *buf, u32 len, u8 left, u8 nexthdr)
{
	memset(buf, 0, LAPSMP_SRH_FIXED);
	buf[LAPSMP_SRH_NEXTHDR] = nexthdr;
	buf[LAPSMP_SRH_HDRLEN] = len / 8 - 1;
	buf[LAPSMP_SRH_RTYPE] = LAPSMP_SRH_TYPE;
	buf[LAPSMP_SRH_LEFT] = left;
	buf[LAPSMP_SRH_LAST] = left;
}

void lapsmp_srh_build(u8 *buf, const struct lapsmp_segs *segs, const u8 *dst,
		      u8 nexthdr)
{
	lapsmp_srh_head(buf, lapsmp_srh_len(segs->n), segs->n, nexthdr);
	buf += LAPSMP_SRH_FIXED;
	memcpy(buf, dst, LAPSMP_SID_LEN);
	lapsmp_srh_entries(buf + LAPSMP_SID_LEN, segs);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_srh_build);

void lapsmp_srh_build_encap(u8 *buf, const struct lapsmp_segs *segs, u8 nexthdr)
{
	lapsmp_srh_head(buf, lapsmp_srh_encap_len(segs->n), segs->n - 1, nexthdr);
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

bool lapsmp_srh_back(const u8 *srh, u32 len, const u8 *dst,
		     struct lapsmp_segs *back)
{
	const u8 *entry = srh + LAPSMP_SRH_FIXED;
	unsigned int i, n;

	if (len < LAPSMP_SRH_FIXED || srh[LAPSMP_SRH_RTYPE] != LAPSMP_SRH_TYPE ||
	    srh[LAPSMP_SRH_LEFT])
		return false;
	n = srh[LAPSMP_SRH_LAST];
	if (!n || n > LAPSMP_SEGS_MAX || lapsmp_srh_len(n) > len ||
	    lapsmp_srh_len(n) > (srh[LAPSMP_SRH_HDRLEN] + 1) * 8)
		return false;
	if (memcmp(entry, dst, LAPSMP_SID_LEN))
		return false;
	back->n = 0;
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
