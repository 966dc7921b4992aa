// SPDX-License-Identifier: GPL-2.0
/* The option ALSO; Documentation/protocol.md, section 4, has its offsets. */
#include <linux/kernel.h>
#include <linux/types.h>

#include "compat.h"
#include "wire_also.h"

void lapsmp_also_own(struct lapsmp_hdr *h, const struct lapsmp_also *a)
{
	h->path_id = a->path_id;
	h->seq = a->seq;
	h->map = a->map;
	h->owd_ns = a->owd_ns;
	h->owd_mean_ns = a->owd_mean_ns;
	h->ack_delay_ns = a->ack_delay_ns;
}

void lapsmp_also_put(u8 *opt, const struct lapsmp_also *a)
{
	opt[0] = LAPSMP_O_ALSO;
	opt[1] = LAPSMP_ALSO_OLEN;
	put_unaligned_be16(a->path_id, opt + 2);
	put_unaligned_be32(a->seq, opt + 4);
	put_unaligned_be64(a->map, opt + 8);
	put_unaligned_be32(a->owd_ns, opt + 16);
	put_unaligned_be32(a->owd_mean_ns, opt + 20);
	put_unaligned_be32(a->ack_delay_ns, opt + 24);
}

static void lapsmp_also_get(struct lapsmp_also *a, const u8 *opt)
{
	a->path_id = get_unaligned_be16(opt + 2);
	a->seq = get_unaligned_be32(opt + 4);
	a->map = get_unaligned_be64(opt + 8);
	a->owd_ns = get_unaligned_be32(opt + 16);
	a->owd_mean_ns = get_unaligned_be32(opt + 20);
	a->ack_delay_ns = get_unaligned_be32(opt + 24);
}

bool lapsmp_also_next(struct lapsmp_also *a, const u8 *buf, const struct lapsmp_hdr *h,
		      unsigned int *pos)
{
	unsigned int at = *pos ?: LAPSMP_ACK_HLEN;

	/* Nowhere else does it mean anything. */
	if (!h->n_also)
		return false;
	/* Lengths are good: the packet was parsed. */
	while (at < h->hlen) {
		const u8 *opt = buf + at;

		at += opt[1];
		if (opt[0] != LAPSMP_O_ALSO)
			continue;
		lapsmp_also_get(a, opt);
		*pos = at;
		return true;
	}
	*pos = at;
	return false;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_also_next);
