// SPDX-License-Identifier: GPL-2.0
/* The attributes of the netlink family; see attrs.h. */
#include <netinet/in.h>

#include <libmnl/libmnl.h>

#include "attrs.h"
#include "util.h"

static const char *const path_kinds[] = { "?", "sport", "flowlabel", "segs", "addrs", NULL };
static const char *const path_states[] = {
	"unknown", "probing", "up", "degraded", "down", NULL
};

static const char *const directions[] = { "tx", "rx", NULL };
static const char *const flow_states[] = { "opening", "sent", "open", "dead", NULL };

/* What names a peer is numbered alike everywhere. */
#define PEER_NAME								\
	[LAPSMP_A_PEER_PEER] = { .name = "peer", .type = ATTR_ADDR },		\
	[LAPSMP_A_PEER_PORT] = { .name = "port", .type = ATTR_U16 },		\
	[LAPSMP_A_PEER_LOCAL] = { .name = "local", .type = ATTR_ADDR },		\
	[LAPSMP_A_PEER_IFINDEX] = { .name = "ifindex", .type = ATTR_U32,	\
				    .unit = UNIT_DEVICE },			\
	[LAPSMP_A_PEER_MARK] = { .name = "mark", .type = ATTR_U32 },		\
	[LAPSMP_A_PEER_TOS] = { .name = "tos", .type = ATTR_U8 },		\
	[LAPSMP_A_PEER_PAD] = { .name = "pad" }

static const struct attr path_table[] = {
	PEER_NAME,
	[LAPSMP_A_PATH_ID] = { .name = "id", .type = ATTR_U16 },
	[LAPSMP_A_PATH_KIND] = { .name = "kind", .type = ATTR_U8, .values = path_kinds },
	[LAPSMP_A_PATH_SPORT] = { .name = "sport", .type = ATTR_U16 },
	[LAPSMP_A_PATH_AUTOMATIC] = { .name = "automatic", .type = ATTR_FLAG },
	[LAPSMP_A_PATH_STATE] = { .name = "state", .type = ATTR_U8, .values = path_states },
	[LAPSMP_A_PATH_OLD_STATE] = {
		.name = "old-state", .type = ATTR_U8, .values = path_states
	},
	[LAPSMP_A_PATH_REASON] = { .name = "reason", .type = ATTR_STRING },
	[LAPSMP_A_PATH_CONF_RATE] = {
		.name = "conf-rate", .type = ATTR_U64, .unit = UNIT_RATE, .zero = "measured"
	},
	[LAPSMP_A_PATH_CONF_BASE_NS] = {
		.name = "conf-base-ns", .type = ATTR_U64, .unit = UNIT_NS, .zero = "measured"
	},
	[LAPSMP_A_PATH_WEIGHT] = { .name = "weight", .type = ATTR_U32 },
	[LAPSMP_A_PATH_COST] = { .name = "cost", .type = ATTR_U32 },
	[LAPSMP_A_PATH_LEAN_Q16] = { .name = "lean-q16", .type = ATTR_U32 },
	[LAPSMP_A_PATH_OWD_NS] = { .name = "owd-ns", .type = ATTR_S64, .unit = UNIT_NS },
	[LAPSMP_A_PATH_BASE_NS] = { .name = "base-ns", .type = ATTR_S64, .unit = UNIT_NS },
	[LAPSMP_A_PATH_MARGIN_NS] = { .name = "margin-ns", .type = ATTR_S64, .unit = UNIT_NS },
	[LAPSMP_A_PATH_SRTT_NS] = { .name = "srtt-ns", .type = ATTR_U64, .unit = UNIT_NS },
	[LAPSMP_A_PATH_RTO_NS] = { .name = "rto-ns", .type = ATTR_U64, .unit = UNIT_NS },
	[LAPSMP_A_PATH_MIN_RTT_NS] = {
		.name = "min-rtt-ns", .type = ATTR_U64, .unit = UNIT_NS
	},
	[LAPSMP_A_PATH_JITTER_NS] = { .name = "jitter-ns", .type = ATTR_U32, .unit = UNIT_NS },
	[LAPSMP_A_PATH_NOISE_NS] = { .name = "noise-ns", .type = ATTR_U32, .unit = UNIT_NS },
	[LAPSMP_A_PATH_RATE] = { .name = "rate", .type = ATTR_U64, .unit = UNIT_RATE },
	[LAPSMP_A_PATH_MTU] = { .name = "mtu", .type = ATTR_U32 },
	[LAPSMP_A_PATH_INFLIGHT] = { .name = "inflight", .type = ATTR_U32 },
	[LAPSMP_A_PATH_BACKOFF] = { .name = "backoff", .type = ATTR_U32 },
	[LAPSMP_A_PATH_LAST_ACK_AGE_NS] = {
		.name = "last-ack-age-ns", .type = ATTR_U64, .unit = UNIT_NS
	},
	[LAPSMP_A_PATH_TX_SEGS] = { .name = "tx-segs", .type = ATTR_U64 },
	[LAPSMP_A_PATH_TX_BYTES] = { .name = "tx-bytes", .type = ATTR_U64, .unit = UNIT_BYTES },
	[LAPSMP_A_PATH_ACKED_SEGS] = { .name = "acked-segs", .type = ATTR_U64 },
	[LAPSMP_A_PATH_LOST_SEGS] = { .name = "lost-segs", .type = ATTR_U64 },
	[LAPSMP_A_PATH_RETRANS_SEGS] = { .name = "retrans-segs", .type = ATTR_U64 },
	[LAPSMP_A_PATH_SPURIOUS_SEGS] = { .name = "spurious-segs", .type = ATTR_U64 },
	[LAPSMP_A_PATH_TIMEOUTS] = { .name = "timeouts", .type = ATTR_U64 },
	[LAPSMP_A_PATH_PROBES] = { .name = "probes", .type = ATTR_U64 },
	[LAPSMP_A_PATH_FLOWLABEL] = {
		.name = "flowlabel", .type = ATTR_U32, .unit = UNIT_LABEL
	},
	[LAPSMP_A_PATH_SEGS] = { .name = "segs", .type = ATTR_ADDRS },
	[LAPSMP_A_PATH_OWN_SPORT] = { .name = "own-sport", .type = ATTR_FLAG },
	[LAPSMP_A_PATH_SOURCE] = { .name = "source", .type = ATTR_ADDR },
	[LAPSMP_A_PATH_REMOTE] = { .name = "remote", .type = ATTR_ADDR },
	[LAPSMP_A_PATH_DEVICE] = { .name = "device", .type = ATTR_U32, .unit = UNIT_DEVICE },
	[LAPSMP_A_PATH_HMAC] = { .name = "hmac", .type = ATTR_U32 },
};

static const struct attr peer_table[] = {
	PEER_NAME,
	[LAPSMP_A_PEER_SCHED] = { .name = "sched", .type = ATTR_STRING },
	[LAPSMP_A_PEER_CC] = { .name = "cc", .type = ATTR_STRING },
	[LAPSMP_A_PEER_CONFIGURED] = { .name = "configured", .type = ATTR_FLAG },
	[LAPSMP_A_PEER_PATHS] = { .name = "paths", .type = ATTR_U32 },
	[LAPSMP_A_PEER_PATHS_UP] = { .name = "paths-up", .type = ATTR_U32 },
	[LAPSMP_A_PEER_OFFSET_NS] = { .name = "offset-ns", .type = ATTR_S64, .unit = UNIT_NS },
	[LAPSMP_A_PEER_SKEW_PPB] = { .name = "skew-ppb", .type = ATTR_S64, .unit = UNIT_PPB },
	[LAPSMP_A_PEER_SOURCE] = { .name = "source", .type = ATTR_ADDR },
	[LAPSMP_A_PEER_LINE_RATE] = {
		.name = "line-rate", .type = ATTR_U64, .unit = UNIT_RATE
	},
	[LAPSMP_A_PEER_IDLE_NS] = { .name = "idle-ns", .type = ATTR_U64, .unit = UNIT_NS },
	[LAPSMP_A_PEER_REASON] = { .name = "reason", .type = ATTR_STRING },
	[LAPSMP_A_PEER_ANSWERS] = { .name = "answers", .type = ATTR_ADDRS },
};

static const struct attr flow_table[] = {
	PEER_NAME,
	[LAPSMP_A_FLOW_DIRECTION] = {
		.name = "direction", .type = ATTR_U8, .values = directions
	},
	[LAPSMP_A_FLOW_ID] = { .name = "id", .type = ATTR_HEX },
	[LAPSMP_A_FLOW_SPORT] = { .name = "sport", .type = ATTR_U16 },
	[LAPSMP_A_FLOW_DPORT] = { .name = "dport", .type = ATTR_U16 },
	[LAPSMP_A_FLOW_NUMBER] = { .name = "number", .type = ATTR_U64 },
	[LAPSMP_A_FLOW_STATE] = { .name = "state", .type = ATTR_U8, .values = flow_states },
	[LAPSMP_A_FLOW_ERROR] = { .name = "error", .type = ATTR_U32, .unit = UNIT_ERRNO },
	[LAPSMP_A_FLOW_ORPHAN] = { .name = "orphan", .type = ATTR_FLAG },
	[LAPSMP_A_FLOW_SCHED] = { .name = "sched", .type = ATTR_STRING },
	[LAPSMP_A_FLOW_CC] = { .name = "cc", .type = ATTR_STRING },
	[LAPSMP_A_FLOW_PATHS] = { .name = "paths", .type = ATTR_U32 },
	[LAPSMP_A_FLOW_CWND_Q16] = { .name = "cwnd-q16", .type = ATTR_U64, .unit = UNIT_Q16 },
	[LAPSMP_A_FLOW_PACING_RATE] = {
		.name = "pacing-rate", .type = ATTR_U64, .unit = UNIT_RATE, .zero = "not paced"
	},
	[LAPSMP_A_FLOW_INFLIGHT] = { .name = "inflight", .type = ATTR_U32 },
	[LAPSMP_A_FLOW_LOST] = { .name = "lost", .type = ATTR_U32 },
	[LAPSMP_A_FLOW_MESSAGES] = { .name = "messages", .type = ATTR_U32 },
	[LAPSMP_A_FLOW_QUEUED_BYTES] = {
		.name = "queued-bytes", .type = ATTR_U64, .unit = UNIT_BYTES
	},
	[LAPSMP_A_FLOW_CREDIT] = { .name = "credit", .type = ATTR_U32 },
	[LAPSMP_A_FLOW_TX_SEGS] = { .name = "tx-segs", .type = ATTR_U64 },
	[LAPSMP_A_FLOW_RETRANS_SEGS] = { .name = "retrans-segs", .type = ATTR_U64 },
	[LAPSMP_A_FLOW_LOST_SEGS] = { .name = "lost-segs", .type = ATTR_U64 },
	[LAPSMP_A_FLOW_SPURIOUS_SEGS] = { .name = "spurious-segs", .type = ATTR_U64 },
	[LAPSMP_A_FLOW_ACKED_BYTES] = {
		.name = "acked-bytes", .type = ATTR_U64, .unit = UNIT_BYTES
	},
	[LAPSMP_A_FLOW_IDLE_NS] = { .name = "idle-ns", .type = ATTR_U64, .unit = UNIT_NS },
	[LAPSMP_A_FLOW_REASON] = { .name = "reason", .type = ATTR_STRING },
	[LAPSMP_A_FLOW_ANSWERS] = { .name = "answers", .type = ATTR_ADDRS },
};

static const struct attr policy_table[] = {
	[LAPSMP_A_POLICY_NAME] = { .name = "name", .type = ATTR_STRING },
	[LAPSMP_A_POLICY_DEFAULT] = { .name = "default", .type = ATTR_FLAG },
};

#define COUNTER(_name, _unit, _text)					\
	{ .name = _name, .type = ATTR_U64, .unit = _unit, .text = _text }

static const struct attr stats_table[] = {
	[LAPSMP_A_STATS_PAD] = { .name = "pad" },
	[LAPSMP_A_STATS_TX_MESSAGES] =
		COUNTER("tx-messages", UNIT_NONE, "messages accepted from programs"),
	[LAPSMP_A_STATS_TX_ACKED_MESSAGES] =
		COUNTER("tx-acked-messages", UNIT_NONE, "messages whole in the receiving kernel"),
	[LAPSMP_A_STATS_TX_FAILED_MESSAGES] =
		COUNTER("tx-failed-messages", UNIT_NONE, "messages given up"),
	[LAPSMP_A_STATS_TX_SEGS] =
		COUNTER("tx-segs", UNIT_NONE, "data segments sent, retransmissions included"),
	[LAPSMP_A_STATS_TX_BYTES] =
		COUNTER("tx-bytes", UNIT_BYTES, "payload bytes sent, retransmissions included"),
	[LAPSMP_A_STATS_RETRANS_SEGS] =
		COUNTER("retrans-segs", UNIT_NONE, "data segments sent again"),
	[LAPSMP_A_STATS_LOST_SEGS] =
		COUNTER("lost-segs", UNIT_NONE, "data segments deemed lost"),
	[LAPSMP_A_STATS_SPURIOUS_SEGS] =
		COUNTER("spurious-segs", UNIT_NONE, "data segments deemed lost that had arrived"),
	[LAPSMP_A_STATS_TIMEOUTS] =
		COUNTER("timeouts", UNIT_NONE, "path timeouts"),
	[LAPSMP_A_STATS_TX_PROBES] =
		COUNTER("tx-probes", UNIT_NONE, "probes sent"),
	[LAPSMP_A_STATS_TX_ACKS] =
		COUNTER("tx-acks", UNIT_NONE, "acknowledgments sent"),
	[LAPSMP_A_STATS_RX_ACKS] =
		COUNTER("rx-acks", UNIT_NONE, "acknowledgments received"),
	[LAPSMP_A_STATS_RX_MESSAGES] =
		COUNTER("rx-messages", UNIT_NONE, "messages queued for programs"),
	[LAPSMP_A_STATS_RX_SEGS] =
		COUNTER("rx-segs", UNIT_NONE, "data segments received"),
	[LAPSMP_A_STATS_RX_BYTES] =
		COUNTER("rx-bytes", UNIT_BYTES, "payload bytes received, duplicates not counted"),
	[LAPSMP_A_STATS_RX_DUP_SEGS] =
		COUNTER("rx-dup-segs", UNIT_NONE, "data segments received more than once"),
	[LAPSMP_A_STATS_RX_OOO_SEGS] =
		COUNTER("rx-ooo-segs", UNIT_NONE, "data segments received ahead of a gap"),
	[LAPSMP_A_STATS_RX_OVERFLOW_SEGS] =
		COUNTER("rx-overflow-segs", UNIT_NONE, "data segments dropped for want of memory"),
	[LAPSMP_A_STATS_RX_WINDOW_SEGS] =
		COUNTER("rx-window-segs", UNIT_NONE, "data segments dropped beyond the window"),
	[LAPSMP_A_STATS_RX_PARTIAL_EXPIRED] =
		COUNTER("rx-partial-expired", UNIT_NONE, "unfinished messages that timed out"),
	[LAPSMP_A_STATS_RX_BAD] =
		COUNTER("rx-bad", UNIT_NONE, "malformed packets dropped"),
	[LAPSMP_A_STATS_RX_VERSION] =
		COUNTER("rx-version", UNIT_NONE, "packets of an unknown version"),
	[LAPSMP_A_STATS_RX_NOCSUM] =
		COUNTER("rx-nocsum", UNIT_NONE, "packets without UDP checksum dropped"),
	[LAPSMP_A_STATS_RX_FORGED] =
		COUNTER("rx-forged", UNIT_NONE, "packets whose flow belongs to another address"),
	[LAPSMP_A_STATS_RX_STALE] =
		COUNTER("rx-stale", UNIT_NONE, "packets that fit no state any more"),
	[LAPSMP_A_STATS_TX_RESETS] =
		COUNTER("tx-resets", UNIT_NONE, "resets sent"),
	[LAPSMP_A_STATS_RX_RESETS] =
		COUNTER("rx-resets", UNIT_NONE, "resets received"),
	[LAPSMP_A_STATS_TX_COOKIES] =
		COUNTER("tx-cookies", UNIT_NONE, "cookies sent"),
	[LAPSMP_A_STATS_RX_COOKIES] =
		COUNTER("rx-cookies", UNIT_NONE, "cookies received"),
	[LAPSMP_A_STATS_RX_BAD_COOKIES] =
		COUNTER("rx-bad-cookies", UNIT_NONE, "cookies that did not verify"),
	[LAPSMP_A_STATS_TX_RATELIMITED] =
		COUNTER("tx-ratelimited", UNIT_NONE,
			"stateless answers withheld by the rate limit"),
	[LAPSMP_A_STATS_FLOWS_OPENED] =
		COUNTER("flows-opened", UNIT_NONE, "flows opened by sockets here"),
	[LAPSMP_A_STATS_RFLOWS_OPENED] =
		COUNTER("rflows-opened", UNIT_NONE, "flows opened by remote hosts"),
	[LAPSMP_A_STATS_RFLOWS_REFUSED] =
		COUNTER("rflows-refused", UNIT_NONE, "flows of remote hosts refused"),
	[LAPSMP_A_STATS_FLOW_TIMEOUTS] =
		COUNTER("flow-timeouts", UNIT_NONE, "flows failed for want of an answer"),
	[LAPSMP_A_STATS_PATH_DOWN] =
		COUNTER("path-down", UNIT_NONE, "times that a path went down"),
	[LAPSMP_A_STATS_PATH_UP] =
		COUNTER("path-up", UNIT_NONE, "times that a path came up"),
	[LAPSMP_A_STATS_PMTU_CHANGES] =
		COUNTER("pmtu-changes", UNIT_NONE, "changes of a path MTU"),
	[LAPSMP_A_STATS_ICMP_ERRORS] =
		COUNTER("icmp-errors", UNIT_NONE, "ICMP errors that quoted a live flow"),
	[LAPSMP_A_STATS_NOMEM] =
		COUNTER("nomem", UNIT_NONE, "allocations that failed"),
	[LAPSMP_A_STATS_NOROUTE] =
		COUNTER("noroute", UNIT_NONE, "packets not sent: no route, carrier or address"),
	[LAPSMP_A_STATS_RX_CE_SEGS] =
		COUNTER("rx-ce-segs", UNIT_NONE, "data segments received with a congestion mark"),
	[LAPSMP_A_STATS_CE_ACKS] =
		COUNTER("ce-acks", UNIT_NONE, "acknowledgments that told of new congestion marks"),
	[LAPSMP_A_STATS_PATHS_RENEWED] =
		COUNTER("paths-renewed", UNIT_NONE, "automatic paths given another port"),
	[LAPSMP_A_STATS_TX_CHALLENGES] =
		COUNTER("tx-challenges", UNIT_NONE,
			"challenges sent to addresses not yet proven"),
	[LAPSMP_A_STATS_RX_CHALLENGES] =
		COUNTER("rx-challenges", UNIT_NONE, "challenges received"),
	[LAPSMP_A_STATS_ADDRS_PROVEN] =
		COUNTER("addrs-proven", UNIT_NONE,
			"further addresses taken into flows of remote hosts"),
	[LAPSMP_A_STATS_ADDRS_REFUSED] =
		COUNTER("addrs-refused", UNIT_NONE, "further addresses refused"),
	[LAPSMP_A_STATS_TAIL_SEGS] =
		COUNTER("tail-segs", UNIT_NONE,
			"data segments sent again to hear of what came last"),
	[LAPSMP_A_STATS_GRANTS_TOLD] =
		COUNTER("grants-told", UNIT_NONE,
			"flows told that it is their turn to go on"),
	[LAPSMP_A_STATS_GRANTS_SLOW] =
		COUNTER("grants-slow", UNIT_NONE, "turns of flows that sent too little"),
	[LAPSMP_A_STATS_EXPRESS_MESSAGES] =
		COUNTER("express-messages", UNIT_NONE, "short messages that passed others"),
	[LAPSMP_A_STATS_EXPRESS_LOST_SEGS] =
		COUNTER("express-lost-segs", UNIT_NONE, "data segments of those deemed lost"),
	[LAPSMP_A_STATS_DRAINS] =
		COUNTER("drains", UNIT_NONE,
			"times that a host's paths were let run empty, for their bases or noise"),
	[LAPSMP_A_STATS_DRAINS_FAILED] =
		COUNTER("drains-failed", UNIT_NONE, "of those, times that nobody found them empty in time"),
	[LAPSMP_A_STATS_ALSO_ACKS] =
		COUNTER("also-acks", UNIT_NONE, "paths acknowledged in what was sent for another one"),
};

const struct attr_set path_attrs = { path_table, ARRAY_SIZE(path_table) - 1 };
const struct attr_set peer_attrs = { peer_table, ARRAY_SIZE(peer_table) - 1 };
const struct attr_set flow_attrs = { flow_table, ARRAY_SIZE(flow_table) - 1 };
const struct attr_set policy_attrs = { policy_table, ARRAY_SIZE(policy_table) - 1 };
const struct attr_set stats_attrs = { stats_table, ARRAY_SIZE(stats_table) - 1 };

_Static_assert(ARRAY_SIZE(path_table) <= ATTRS_MAX, "ATTRS_MAX holds all of a path");
_Static_assert(ARRAY_SIZE(flow_table) <= ATTRS_MAX, "ATTRS_MAX holds all of a flow");
_Static_assert(ARRAY_SIZE(stats_table) <= ATTRS_MAX, "ATTRS_MAX holds all counters");

const struct attr_set *attrs_of_cmd(uint8_t cmd)
{
	switch (cmd) {
	case LAPSMP_CMD_PATH_NEW ... LAPSMP_CMD_PATH_GET:
	case LAPSMP_CMD_PATH_EVENT:
		return &path_attrs;
	case LAPSMP_CMD_PEER_SET ... LAPSMP_CMD_PEER_GET:
	case LAPSMP_CMD_PEER_EVENT:
		return &peer_attrs;
	case LAPSMP_CMD_FLOW_GET:
	case LAPSMP_CMD_FLOW_EVENT:
		return &flow_attrs;
	case LAPSMP_CMD_SCHED_GET ... LAPSMP_CMD_CC_SET:
		return &policy_attrs;
	default:
		return &stats_attrs;
	}
}

const struct attr *attr_get(const struct attr_set *set, uint16_t type)
{
	return type <= set->max && set->attrs[type].name ? &set->attrs[type] : NULL;
}

const char *attr_value_name(const struct attr *attr, uint64_t value)
{
	uint64_t i;

	for (i = 0; attr->values[i]; i++) {
		if (i == value)
			return attr->values[i];
	}
	return "?";
}

bool attr_fits(const struct attr *attr, const struct nlattr *nla)
{
	static const uint8_t sizes[] = {
		[ATTR_U8] = 1, [ATTR_U16] = 2, [ATTR_U32] = 4, [ATTR_U64] = 8,
		[ATTR_S64] = 8, [ATTR_HEX] = 8, [ATTR_ADDR] = sizeof(struct in6_addr)
	};
	uint16_t len = mnl_attr_get_payload_len(nla);

	if (attr->type == ATTR_NONE)
		return false;
	if (attr->type == ATTR_STRING)
		return len && !mnl_attr_get_str(nla)[len - 1];
	if (attr->type == ATTR_ADDRS)
		return len && len % sizeof(struct in6_addr) == 0 &&
		       len / sizeof(struct in6_addr) <= ADDRS_MAX;
	return attr->type == ATTR_FLAG || len == sizes[attr->type];
}
