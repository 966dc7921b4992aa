// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes alg/srh.c: what comes from the network, in memory of just its size. What
 * is taken is gone back as it came, and survives being built and taken again.
 */
#include <string.h>

#include "alg/srh.h"
#include "alg_fuzz.h"

/* The same nodes in the other order, and only such as packets may be sent to. */
static void srh_check(const u8 *srh, u32 len, const struct lapsmp_segs *back)
{
	unsigned int i;

	MUST(back->n >= 1 && back->n <= LAPSMP_SEGS_MAX);
	MUST(lapsmp_srh_len(back) <= len);
	MUST(!back->hmac || back->n <= LAPSMP_SEGS_HMAC_MAX);
	for (i = 0; i < back->n; i++) {
		MUST(lapsmp_srh_sid_ok(back->sid[i]));
		MUST(!memcmp(back->sid[i],
			     srh + LAPSMP_SRH_FIXED + LAPSMP_SID_LEN * (i + 1),
			     LAPSMP_SID_LEN));
	}
}

static void srh_round_trip(const struct lapsmp_segs *segs, const u8 *dst)
{
	u32 len = lapsmp_srh_len(segs);
	struct lapsmp_segs back, again;
	u8 *buf = malloc(len);

	MUST(buf);
	lapsmp_srh_build(buf, segs, dst, 17);
	/* It is not at its end yet. */
	MUST(!lapsmp_srh_back(buf, len, dst, &back));
	buf[3] = 0;
	MUST(lapsmp_srh_back(buf, len, dst, &back));
	lapsmp_srh_build(buf, &back, dst, 17);
	buf[3] = 0;
	MUST(lapsmp_srh_back(buf, len, dst, &again));
	MUST(lapsmp_srh_same(segs, &again));
	MUST(!lapsmp_srh_back(buf, len - 1, dst, &again));
	free(buf);
}

void fuzz_srh(struct fuzz_in *in)
{
	u8 how = fuzz_u8(in), dst[LAPSMP_SID_LEN] = { 0 };
	u32 len = in->size;
	u8 *srh = malloc(len ? len : 1);
	struct lapsmp_segs back;

	MUST(srh);
	memcpy(srh, in->data, len);
	/* Few inputs would get past these by themselves. */
	if (how & 1 && len > 4) {
		srh[2] = 4;
		srh[3] = 0;
	}
	if (how & 2 && len > 4) {
		srh[1] = len / 8 - 1;
		srh[4] = (len - 8) / 16 - 1;
	}
	if (how & 4 && len >= LAPSMP_SRH_FIXED + LAPSMP_SID_LEN)
		memcpy(dst, srh + LAPSMP_SRH_FIXED, LAPSMP_SID_LEN);
	if (lapsmp_srh_back(srh, len, dst, &back)) {
		srh_check(srh, len, &back);
		srh_round_trip(&back, dst);
	}
	free(srh);
}
