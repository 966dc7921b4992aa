/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/lapsmp.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_LAPSMP_GEN_H
#define _LINUX_LAPSMP_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/lapsmp_nl.h>

extern const struct nla_policy lapsmp_path_new_nl_policy[LAPSMP_A_PATH_COST + 1];

extern const struct nla_policy lapsmp_path_set_nl_policy[LAPSMP_A_PATH_COST + 1];

extern const struct nla_policy lapsmp_path_del_nl_policy[LAPSMP_A_PATH_ID + 1];

extern const struct nla_policy lapsmp_path_flush_nl_policy[LAPSMP_A_PATH_TOS + 1];

extern const struct nla_policy lapsmp_path_get_nl_policy[LAPSMP_A_PATH_ID + 1];

extern const struct nla_policy lapsmp_peer_set_nl_policy[LAPSMP_A_PEER_ANSWERS + 1];

extern const struct nla_policy lapsmp_peer_del_nl_policy[LAPSMP_A_PEER_TOS + 1];

extern const struct nla_policy lapsmp_peer_flush_nl_policy[LAPSMP_A_PEER_PEER + 1];

extern const struct nla_policy lapsmp_peer_get_nl_policy[LAPSMP_A_PEER_TOS + 1];

extern const struct nla_policy lapsmp_flow_get_nl_policy[LAPSMP_A_FLOW_ID + 1];

extern const struct nla_policy lapsmp_sched_get_nl_policy[LAPSMP_A_POLICY_NAME + 1];

extern const struct nla_policy lapsmp_sched_set_nl_policy[LAPSMP_A_POLICY_NAME + 1];

extern const struct nla_policy lapsmp_cc_get_nl_policy[LAPSMP_A_POLICY_NAME + 1];

extern const struct nla_policy lapsmp_cc_set_nl_policy[LAPSMP_A_POLICY_NAME + 1];

extern const struct nla_policy lapsmp_stats_get_nl_policy[LAPSMP_A_STATS_PAD + 1];

/* Ops table for lapsmp */
extern const struct genl_ops lapsmp_nl_ops[15];

int lapsmp_nl_path_new_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_path_set_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_path_del_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_path_flush_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_path_get_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_path_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int lapsmp_nl_peer_set_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_peer_del_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_peer_flush_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_peer_get_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_peer_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int lapsmp_nl_flow_get_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_flow_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int lapsmp_nl_sched_get_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_sched_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);
int lapsmp_nl_sched_set_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_cc_get_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_cc_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int lapsmp_nl_cc_set_doit(struct sk_buff *skb, struct genl_info *info);
int lapsmp_nl_stats_get_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	LAPSMP_NLGRP_EVENTS,
};

#endif /* _LINUX_LAPSMP_GEN_H */
