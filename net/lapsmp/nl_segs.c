// SPDX-License-Identifier: GPL-2.0
/* Netlink: lists of SRv6 segments. */
#include "compat.h"
#include "nl_segs.h"

int lapsmp_nl_segs_check(struct genl_info *info, struct nlattr *attr)
{
	int i, len;

	if (!attr)
		return 0;
	len = nla_len(attr);
	if (!len || len % LAPSMP_SID_LEN) {
		LAPSMP_ERR_VALUE(info->extack, attr,
				 "segments are IPv6 addresses of 16 bytes each",
				 "%d bytes", len);
		return -EINVAL;
	}
	if (len > LAPSMP_SEGS_MAX * LAPSMP_SID_LEN) {
		LAPSMP_ERR_VALUE(info->extack, attr,
				 "at most 16 segments can be listed", "%d",
				 len / LAPSMP_SID_LEN);
		return -E2BIG;
	}
	for (i = 0; i < len; i += LAPSMP_SID_LEN) {
		if (lapsmp_srh_sid_ok(nla_data(attr) + i))
			continue;
		LAPSMP_ERR_VALUE(info->extack, attr, "not a usable segment",
				 "%pI6c", nla_data(attr) + i);
		return -EINVAL;
	}
	return 0;
}

void lapsmp_nl_segs_get(struct nlattr *attr, struct lapsmp_segs *segs)
{
	segs->n = nla_len(attr) / LAPSMP_SID_LEN;
	memcpy(segs->sid, nla_data(attr), nla_len(attr));
}

int lapsmp_nl_segs_put(struct sk_buff *skb, int type,
		       const struct lapsmp_segs *segs)
{
	return segs ? nla_put(skb, type, segs->n * LAPSMP_SID_LEN, segs->sid) : 0;
}
