// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family: what it consists of is in nl_gen.c, generated from
 * Documentation/netlink/specs/lapsmp.yaml; what its requests do is in one file
 * per object. Here are the counters, and registration.
 */
#include "event.h"
#include "mib.h"
#include "nl.h"
#include "nl_util.h"

static_assert(LAPSMP_A_STATS_MAX - LAPSMP_A_STATS_PAD == LAPSMP_MIB_COUNT);
static_assert(LAPSMP_POLICY_NAME_LEN == LAPSMP_NAME_MAX - 1);

int lapsmp_nl_stats_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct lapsmp_net *ln = lapsmp_net(genl_info_net(info));
	u64 sum[LAPSMP_MIB_COUNT];
	struct lapsmp_nl_reply r;
	unsigned int i;
	int err;

	err = lapsmp_nl_reply_begin(&r, info);
	if (err)
		return err;
	lapsmp_mib_read(ln, sum);
	for (i = 0; i < LAPSMP_MIB_COUNT && !err; i++)
		err = nla_put_u64_64bit(r.skb, LAPSMP_A_STATS_PAD + 1 + i,
					sum[i], LAPSMP_A_STATS_PAD);
	return lapsmp_nl_reply_end(&r, info, err);
}

/* The generator knows no start and done for operations of this kind. */
static struct genl_ops lapsmp_nl_live_ops[ARRAY_SIZE(lapsmp_nl_ops)];

static const struct genl_multicast_group lapsmp_nl_mcgrps[] = {
	[LAPSMP_NLGRP_EVENTS] = { .name = LAPSMP_MCGRP_EVENTS },
};

struct genl_family lapsmp_nl_family __ro_after_init = {
	.name		= LAPSMP_FAMILY_NAME,
	.version	= LAPSMP_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.ops		= lapsmp_nl_live_ops,
	.n_ops		= ARRAY_SIZE(lapsmp_nl_live_ops),
	.resv_start_op	= LAPSMP_CMD_PATH_NEW,
	.mcgrps		= lapsmp_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(lapsmp_nl_mcgrps),
};

static bool lapsmp_nl_walks(u8 cmd)
{
	return cmd == LAPSMP_CMD_PATH_GET || cmd == LAPSMP_CMD_PEER_GET ||
	       cmd == LAPSMP_CMD_FLOW_GET;
}

int __init lapsmp_nl_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(lapsmp_nl_ops); i++) {
		lapsmp_nl_live_ops[i] = lapsmp_nl_ops[i];
		if (lapsmp_nl_walks(lapsmp_nl_ops[i].cmd)) {
			lapsmp_nl_live_ops[i].start = lapsmp_nl_walk_start;
			lapsmp_nl_live_ops[i].done = lapsmp_nl_walk_done;
		}
	}
	err = genl_register_family(&lapsmp_nl_family);
	if (!err)
		lapsmp_event_attach(&lapsmp_nl_family);
	return err;
}

void lapsmp_nl_exit(void)
{
	lapsmp_event_attach(NULL);
	genl_unregister_family(&lapsmp_nl_family);
}

MODULE_ALIAS_GENL_FAMILY(LAPSMP_FAMILY_NAME);
