// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/lapsmp.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "nl_gen.h"

#include <uapi/linux/lapsmp_nl.h>

/* Integer value ranges */
static const struct netlink_range_validation lapsmp_a_path_ifindex_range = {
	.max	= S32_MAX,
};

static const struct netlink_range_validation lapsmp_a_path_conf_rate_range = {
	.max	= LAPSMP_RATE_MAX,
};

static const struct netlink_range_validation lapsmp_a_path_conf_base_ns_range = {
	.max	= LAPSMP_BASE_MAX_NS,
};

static const struct netlink_range_validation lapsmp_a_path_weight_range = {
	.min	= 1ULL,
	.max	= 65535ULL,
};

static const struct netlink_range_validation lapsmp_a_path_flowlabel_range = {
	.min	= 1ULL,
	.max	= LAPSMP_FLOWLABEL_MAX,
};

static const struct netlink_range_validation lapsmp_a_path_device_range = {
	.min	= 1ULL,
	.max	= S32_MAX,
};

static const struct netlink_range_validation lapsmp_a_peer_ifindex_range = {
	.max	= S32_MAX,
};

/* LAPSMP_CMD_PATH_NEW - do */
const struct nla_policy lapsmp_path_new_nl_policy[LAPSMP_A_PATH_COST + 1] = {
	[LAPSMP_A_PATH_PEER] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_PORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[LAPSMP_A_PATH_LOCAL] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_path_ifindex_range),
	[LAPSMP_A_PATH_MARK] = { .type = NLA_U32, },
	[LAPSMP_A_PATH_TOS] = { .type = NLA_U8, },
	[LAPSMP_A_PATH_ID] = { .type = NLA_U16, },
	[LAPSMP_A_PATH_SPORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[LAPSMP_A_PATH_FLOWLABEL] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_path_flowlabel_range),
	[LAPSMP_A_PATH_SEGS] = { .type = NLA_BINARY, },
	[LAPSMP_A_PATH_SOURCE] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_REMOTE] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_DEVICE] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_path_device_range),
	[LAPSMP_A_PATH_HMAC] = NLA_POLICY_MIN(NLA_U32, 1),
	[LAPSMP_A_PATH_CONF_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &lapsmp_a_path_conf_rate_range),
	[LAPSMP_A_PATH_CONF_BASE_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &lapsmp_a_path_conf_base_ns_range),
	[LAPSMP_A_PATH_WEIGHT] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_path_weight_range),
	[LAPSMP_A_PATH_COST] = { .type = NLA_U32, },
};

/* LAPSMP_CMD_PATH_SET - do */
const struct nla_policy lapsmp_path_set_nl_policy[LAPSMP_A_PATH_COST + 1] = {
	[LAPSMP_A_PATH_PEER] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_PORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[LAPSMP_A_PATH_LOCAL] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_path_ifindex_range),
	[LAPSMP_A_PATH_MARK] = { .type = NLA_U32, },
	[LAPSMP_A_PATH_TOS] = { .type = NLA_U8, },
	[LAPSMP_A_PATH_ID] = { .type = NLA_U16, },
	[LAPSMP_A_PATH_CONF_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &lapsmp_a_path_conf_rate_range),
	[LAPSMP_A_PATH_CONF_BASE_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &lapsmp_a_path_conf_base_ns_range),
	[LAPSMP_A_PATH_WEIGHT] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_path_weight_range),
	[LAPSMP_A_PATH_COST] = { .type = NLA_U32, },
};

/* LAPSMP_CMD_PATH_DEL - do */
const struct nla_policy lapsmp_path_del_nl_policy[LAPSMP_A_PATH_ID + 1] = {
	[LAPSMP_A_PATH_PEER] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_PORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[LAPSMP_A_PATH_LOCAL] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_path_ifindex_range),
	[LAPSMP_A_PATH_MARK] = { .type = NLA_U32, },
	[LAPSMP_A_PATH_TOS] = { .type = NLA_U8, },
	[LAPSMP_A_PATH_ID] = { .type = NLA_U16, },
};

/* LAPSMP_CMD_PATH_FLUSH - do */
const struct nla_policy lapsmp_path_flush_nl_policy[LAPSMP_A_PATH_TOS + 1] = {
	[LAPSMP_A_PATH_PEER] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_PORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[LAPSMP_A_PATH_LOCAL] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_path_ifindex_range),
	[LAPSMP_A_PATH_MARK] = { .type = NLA_U32, },
	[LAPSMP_A_PATH_TOS] = { .type = NLA_U8, },
};

/* LAPSMP_CMD_PATH_GET - do */
const struct nla_policy lapsmp_path_get_nl_policy[LAPSMP_A_PATH_ID + 1] = {
	[LAPSMP_A_PATH_PEER] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_PORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[LAPSMP_A_PATH_LOCAL] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PATH_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_path_ifindex_range),
	[LAPSMP_A_PATH_MARK] = { .type = NLA_U32, },
	[LAPSMP_A_PATH_TOS] = { .type = NLA_U8, },
	[LAPSMP_A_PATH_ID] = { .type = NLA_U16, },
};

/* LAPSMP_CMD_PEER_SET - do */
const struct nla_policy lapsmp_peer_set_nl_policy[LAPSMP_A_PEER_ANSWERS + 1] = {
	[LAPSMP_A_PEER_PEER] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PEER_PORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[LAPSMP_A_PEER_LOCAL] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PEER_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_peer_ifindex_range),
	[LAPSMP_A_PEER_MARK] = { .type = NLA_U32, },
	[LAPSMP_A_PEER_TOS] = { .type = NLA_U8, },
	[LAPSMP_A_PEER_SCHED] = { .type = NLA_NUL_STRING, .len = LAPSMP_POLICY_NAME_LEN, },
	[LAPSMP_A_PEER_CC] = { .type = NLA_NUL_STRING, .len = LAPSMP_POLICY_NAME_LEN, },
	[LAPSMP_A_PEER_ANSWERS] = { .type = NLA_BINARY, },
};

/* LAPSMP_CMD_PEER_DEL - do */
const struct nla_policy lapsmp_peer_del_nl_policy[LAPSMP_A_PEER_TOS + 1] = {
	[LAPSMP_A_PEER_PEER] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PEER_PORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[LAPSMP_A_PEER_LOCAL] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PEER_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_peer_ifindex_range),
	[LAPSMP_A_PEER_MARK] = { .type = NLA_U32, },
	[LAPSMP_A_PEER_TOS] = { .type = NLA_U8, },
};

/* LAPSMP_CMD_PEER_FLUSH - do */
const struct nla_policy lapsmp_peer_flush_nl_policy[LAPSMP_A_PEER_PEER + 1] = {
	[LAPSMP_A_PEER_PEER] = NLA_POLICY_EXACT_LEN(16),
};

/* LAPSMP_CMD_PEER_GET - do */
const struct nla_policy lapsmp_peer_get_nl_policy[LAPSMP_A_PEER_TOS + 1] = {
	[LAPSMP_A_PEER_PEER] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PEER_PORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[LAPSMP_A_PEER_LOCAL] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_PEER_IFINDEX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lapsmp_a_peer_ifindex_range),
	[LAPSMP_A_PEER_MARK] = { .type = NLA_U32, },
	[LAPSMP_A_PEER_TOS] = { .type = NLA_U8, },
};

/* LAPSMP_CMD_FLOW_GET - do */
const struct nla_policy lapsmp_flow_get_nl_policy[LAPSMP_A_FLOW_ID + 1] = {
	[LAPSMP_A_FLOW_PEER] = NLA_POLICY_EXACT_LEN(16),
	[LAPSMP_A_FLOW_DIRECTION] = NLA_POLICY_MAX(NLA_U8, 1),
	[LAPSMP_A_FLOW_ID] = { .type = NLA_U64, },
};

/* LAPSMP_CMD_SCHED_GET - do */
const struct nla_policy lapsmp_sched_get_nl_policy[LAPSMP_A_POLICY_NAME + 1] = {
	[LAPSMP_A_POLICY_NAME] = { .type = NLA_NUL_STRING, .len = LAPSMP_POLICY_NAME_LEN, },
};

/* LAPSMP_CMD_SCHED_SET - do */
const struct nla_policy lapsmp_sched_set_nl_policy[LAPSMP_A_POLICY_NAME + 1] = {
	[LAPSMP_A_POLICY_NAME] = { .type = NLA_NUL_STRING, .len = LAPSMP_POLICY_NAME_LEN, },
};

/* LAPSMP_CMD_CC_GET - do */
const struct nla_policy lapsmp_cc_get_nl_policy[LAPSMP_A_POLICY_NAME + 1] = {
	[LAPSMP_A_POLICY_NAME] = { .type = NLA_NUL_STRING, .len = LAPSMP_POLICY_NAME_LEN, },
};

/* LAPSMP_CMD_CC_SET - do */
const struct nla_policy lapsmp_cc_set_nl_policy[LAPSMP_A_POLICY_NAME + 1] = {
	[LAPSMP_A_POLICY_NAME] = { .type = NLA_NUL_STRING, .len = LAPSMP_POLICY_NAME_LEN, },
};

/* LAPSMP_CMD_STATS_GET - do */
const struct nla_policy lapsmp_stats_get_nl_policy[LAPSMP_A_STATS_PAD + 1] = {
};

/* Ops table for lapsmp */
const struct genl_ops lapsmp_nl_ops[15] = {
	{
		.cmd		= LAPSMP_CMD_PATH_NEW,
		.doit		= lapsmp_nl_path_new_doit,
		.policy		= lapsmp_path_new_nl_policy,
		.maxattr	= LAPSMP_A_PATH_COST,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= LAPSMP_CMD_PATH_SET,
		.doit		= lapsmp_nl_path_set_doit,
		.policy		= lapsmp_path_set_nl_policy,
		.maxattr	= LAPSMP_A_PATH_COST,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= LAPSMP_CMD_PATH_DEL,
		.doit		= lapsmp_nl_path_del_doit,
		.policy		= lapsmp_path_del_nl_policy,
		.maxattr	= LAPSMP_A_PATH_ID,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= LAPSMP_CMD_PATH_FLUSH,
		.doit		= lapsmp_nl_path_flush_doit,
		.policy		= lapsmp_path_flush_nl_policy,
		.maxattr	= LAPSMP_A_PATH_TOS,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= LAPSMP_CMD_PATH_GET,
		.doit		= lapsmp_nl_path_get_doit,
		.dumpit		= lapsmp_nl_path_get_dumpit,
		.policy		= lapsmp_path_get_nl_policy,
		.maxattr	= LAPSMP_A_PATH_ID,
	},
	{
		.cmd		= LAPSMP_CMD_PEER_SET,
		.doit		= lapsmp_nl_peer_set_doit,
		.policy		= lapsmp_peer_set_nl_policy,
		.maxattr	= LAPSMP_A_PEER_ANSWERS,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= LAPSMP_CMD_PEER_DEL,
		.doit		= lapsmp_nl_peer_del_doit,
		.policy		= lapsmp_peer_del_nl_policy,
		.maxattr	= LAPSMP_A_PEER_TOS,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= LAPSMP_CMD_PEER_FLUSH,
		.doit		= lapsmp_nl_peer_flush_doit,
		.policy		= lapsmp_peer_flush_nl_policy,
		.maxattr	= LAPSMP_A_PEER_PEER,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= LAPSMP_CMD_PEER_GET,
		.doit		= lapsmp_nl_peer_get_doit,
		.dumpit		= lapsmp_nl_peer_get_dumpit,
		.policy		= lapsmp_peer_get_nl_policy,
		.maxattr	= LAPSMP_A_PEER_TOS,
	},
	{
		.cmd		= LAPSMP_CMD_FLOW_GET,
		.doit		= lapsmp_nl_flow_get_doit,
		.dumpit		= lapsmp_nl_flow_get_dumpit,
		.policy		= lapsmp_flow_get_nl_policy,
		.maxattr	= LAPSMP_A_FLOW_ID,
	},
	{
		.cmd		= LAPSMP_CMD_SCHED_GET,
		.doit		= lapsmp_nl_sched_get_doit,
		.dumpit		= lapsmp_nl_sched_get_dumpit,
		.policy		= lapsmp_sched_get_nl_policy,
		.maxattr	= LAPSMP_A_POLICY_NAME,
	},
	{
		.cmd		= LAPSMP_CMD_SCHED_SET,
		.doit		= lapsmp_nl_sched_set_doit,
		.policy		= lapsmp_sched_set_nl_policy,
		.maxattr	= LAPSMP_A_POLICY_NAME,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= LAPSMP_CMD_CC_GET,
		.doit		= lapsmp_nl_cc_get_doit,
		.dumpit		= lapsmp_nl_cc_get_dumpit,
		.policy		= lapsmp_cc_get_nl_policy,
		.maxattr	= LAPSMP_A_POLICY_NAME,
	},
	{
		.cmd		= LAPSMP_CMD_CC_SET,
		.doit		= lapsmp_nl_cc_set_doit,
		.policy		= lapsmp_cc_set_nl_policy,
		.maxattr	= LAPSMP_A_POLICY_NAME,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= LAPSMP_CMD_STATS_GET,
		.doit		= lapsmp_nl_stats_get_doit,
		.policy		= lapsmp_stats_get_nl_policy,
		.maxattr	= LAPSMP_A_STATS_PAD,
	},
};
