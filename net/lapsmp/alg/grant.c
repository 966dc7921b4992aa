// SPDX-License-Identifier: GPL-2.0
/* Who of several senders may go on, and how far. */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "grant.h"

/* Of @to, beyond @from; none if it is behind it. */
static u32 lapsmp_grant_beyond(u32 to, u32 from)
{
	return max_t(s32, to - from, 0);
}

bool lapsmp_grant_wants(const struct lapsmp_grant_need *need)
{
	/* An aborted message is counted as a whole: used may be above the limit. */
	return need->rest > lapsmp_grant_beyond(need->limit, need->used) &&
	       lapsmp_grant_beyond(need->law, need->limit);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_grant_wants);

u32 lapsmp_grant_limit(const struct lapsmp_grant_need *need, u32 bytes)
{
	u32 law = lapsmp_grant_beyond(need->law, need->limit);
	u32 grant = lapsmp_grant_beyond(need->used + bytes, need->limit);

	return need->limit + min(law, grant);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_grant_limit);

bool lapsmp_grant_before(u64 rest, u64 no, u64 other_rest, u64 other_no)
{
	return rest < other_rest || (rest == other_rest && no < other_no);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_grant_before);

bool lapsmp_grant_is_slow(u32 arrived, u32 bytes)
{
	return arrived < bytes / LAPSMP_GRANT_PARTS;
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_grant_is_slow);
