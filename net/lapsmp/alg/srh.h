/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_SRH_H
#define _LAPSMP_ALG_SRH_H

#include <linux/stddef.h>
#include <linux/types.h>

#define LAPSMP_SEGS_MAX		16
#define LAPSMP_SRH_FIXED	8
#define LAPSMP_SID_LEN		16
/* The TLV by which nodes see that the list is of who knows a key (RFC 8754, 2.1.2). */
#define LAPSMP_SRH_HMAC_LEN	40
/* With it, what Linux can check. */
#define LAPSMP_SEGS_HMAC_MAX	13

/**
 * struct lapsmp_segs - the nodes that packets go by (SRv6, RFC 8754)
 * @n: how many, 0 to LAPSMP_SEGS_MAX; of the others there may be no memory
 * @sid: their segment identifiers, IPv6 addresses in network order, in the order
 *	of the way; where the packet goes in the end is not one of them
 * @hmac: id of the key that the list is signed with, or 0: it is not
 */
struct lapsmp_segs {
	u32	hmac;
	u8	n;
	u8	sid[LAPSMP_SEGS_MAX][LAPSMP_SID_LEN];
};

/* Bytes of the struct that are in use. */
static inline size_t lapsmp_segs_size(const struct lapsmp_segs *segs)
{
	return offsetof(struct lapsmp_segs, sid) + segs->n * LAPSMP_SID_LEN;
}

/* Bytes of a header with @n entries. */
static inline u32 lapsmp_srh_entries_len(const struct lapsmp_segs *segs,
					 unsigned int n)
{
	return LAPSMP_SRH_FIXED + LAPSMP_SID_LEN * n +
	       (segs->hmac ? LAPSMP_SRH_HMAC_LEN : 0);
}

/* Bytes of the header that makes packets go by these nodes. */
static inline u32 lapsmp_srh_len(const struct lapsmp_segs *segs)
{
	return segs->n ? lapsmp_srh_entries_len(segs, segs->n + 1) : 0;
}

/*
 * The same for a packet that another one is in, of which the last node takes it out
 * (H.Encaps, RFC 8986 section 5.1). One node, which is the packet's destination, takes
 * no header at all (H.Encaps.Red), unless there is something to be signed. Of several
 * the first is listed, too: Linux lets an address of a router be a segment, and does
 * not take a header there that leaves it out.
 */
static inline u32 lapsmp_srh_encap_len(const struct lapsmp_segs *segs)
{
	return segs->n > 1 || (segs->n && segs->hmac) ?
	       lapsmp_srh_entries_len(segs, segs->n) : 0;
}

/**
 * lapsmp_srh_sid_ok() - may packets be sent there?
 * @sid: an IPv6 address
 *
 * Return: false if it is unspecified, loopback, multicast, link-local, or stands
 * for an IPv4 address: none of these names one node to all others.
 */
bool lapsmp_srh_sid_ok(const u8 *sid);

/* The same nodes in the same order, signed alike. NULL is as good as none. */
bool lapsmp_srh_same(const struct lapsmp_segs *a, const struct lapsmp_segs *b);

/**
 * lapsmp_srh_build() - write the header
 * @buf: with room for lapsmp_srh_len(@segs)
 * @segs: at least one
 * @dst: where the packet goes in the end
 * @nexthdr: what is behind it
 *
 * All nodes are listed, the first one too, which the packet's destination tells:
 * the receiver is to know the way that it came. What signs it is left zero.
 */
void lapsmp_srh_build(u8 *buf, const struct lapsmp_segs *segs, const u8 *dst,
		      u8 nexthdr);

/**
 * lapsmp_srh_build_encap() - write the header of an encapsulation
 * @buf: with room for lapsmp_srh_encap_len(@segs), which is not 0
 * @segs: at least one
 * @nexthdr: what is behind it
 */
void lapsmp_srh_build_encap(u8 *buf, const struct lapsmp_segs *segs, u8 nexthdr);

/**
 * lapsmp_srh_back() - the way back by a received header
 * @srh: the header, at its last node
 * @len: bytes that can be read
 * @dst: our address, that the packet was sent to in the end
 * @back: result: the same nodes from here; undefined if there are none
 *
 * Return: whether it is well formed, not altered on its way as far as that can be
 * seen, lists one node at least and LAPSMP_SEGS_MAX at most, and all of them are
 * such as packets may be sent to. None is listed twice: who makes packets go to and
 * fro wants to make more of them than he sends. If the list is signed, @back is to be
 * signed with the same key; that it is signed rightly the kernel has seen,
 * unless it was told not to look (seg6_require_hmac=-1).
 */
bool lapsmp_srh_back(const u8 *srh, u32 len, const u8 *dst,
		     struct lapsmp_segs *back);

#endif /* _LAPSMP_ALG_SRH_H */
