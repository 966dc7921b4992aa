/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of a namespace. Each is explained once, here. */
#ifndef _LAPSMP_MIB_H
#define _LAPSMP_MIB_H

#include <linux/percpu.h>
#include "netns.h"

/*
 * X(field, "text for lapsctl stats"). The order is the order of the netlink
 * attributes: add at the end.
 */
#define LAPSMP_MIB_LIST(X)						\
	X(tx_messages, "messages accepted from programs")		\
	X(tx_acked_messages, "messages whole in the receiving kernel")	\
	X(tx_failed_messages, "messages given up")			\
	X(tx_segs, "data segments sent, retransmissions included")	\
	X(tx_bytes, "payload bytes sent, retransmissions included")	\
	X(retrans_segs, "data segments sent again")			\
	X(lost_segs, "data segments deemed lost")			\
	X(spurious_segs, "data segments deemed lost that had arrived")	\
	X(timeouts, "path timeouts")					\
	X(tx_probes, "probes sent")					\
	X(tx_acks, "acknowledgments sent")				\
	X(rx_acks, "acknowledgments received")				\
	X(rx_messages, "messages queued for programs")			\
	X(rx_segs, "data segments received")				\
	X(rx_bytes, "payload bytes received, duplicates not counted")	\
	X(rx_dup_segs, "data segments received more than once")	\
	X(rx_ooo_segs, "data segments received ahead of a gap")		\
	X(rx_overflow_segs, "data segments dropped for want of memory")	\
	X(rx_window_segs, "data segments dropped beyond the window")	\
	X(rx_partial_expired, "unfinished messages that timed out")	\
	X(rx_bad, "malformed packets dropped")				\
	X(rx_version, "packets of an unknown version")			\
	X(rx_nocsum, "packets without UDP checksum dropped")		\
	X(rx_forged, "packets whose flow belongs to another address")	\
	X(rx_stale, "packets that fit no state any more")		\
	X(tx_resets, "resets sent")					\
	X(rx_resets, "resets received")					\
	X(tx_cookies, "cookies sent")					\
	X(rx_cookies, "cookies received")				\
	X(rx_bad_cookies, "cookies that did not verify")		\
	X(tx_ratelimited, "stateless answers withheld by the rate limit") \
	X(flows_opened, "flows opened by sockets here")			\
	X(rflows_opened, "flows opened by remote hosts")		\
	X(rflows_refused, "flows of remote hosts refused")		\
	X(flow_timeouts, "flows failed for want of an answer")		\
	X(path_down, "times that a path went down")			\
	X(path_up, "times that a path came up")				\
	X(pmtu_changes, "changes of a path MTU")			\
	X(icmp_errors, "ICMP errors that quoted a live flow")		\
	X(nomem, "allocations that failed")				\
	X(noroute, "packets not sent: no route, carrier or address")	\
	X(rx_ce_segs, "data segments received with a congestion mark")	\
	X(ce_acks, "acknowledgments that told of new congestion marks")	\
	X(paths_renewed, "automatic paths given another port")		\
	X(tx_challenges, "challenges sent to addresses not yet proven")	\
	X(rx_challenges, "challenges received")				\
	X(addrs_proven, "further addresses taken into flows of remote hosts") \
	X(addrs_refused, "further addresses refused")			\
	X(tail_segs, "data segments sent again to hear of what came last") \
	X(grants_told, "flows told that it is their turn to go on")	\
	X(grants_slow, "turns of flows that sent too little")		\
	X(express_messages, "short messages that passed others")	\
	X(express_lost_segs, "data segments of those deemed lost")	\
	X(drains, "times that a host's paths were let run empty, for their bases or noise") \
	X(drains_failed, "of those, times that nobody found them empty in time") \
	X(also_acks, "paths acknowledged in what was sent for another one")

struct lapsmp_mib {
#define LAPSMP_MIB_FIELD(f, text)	u64 f;
	LAPSMP_MIB_LIST(LAPSMP_MIB_FIELD)
#undef LAPSMP_MIB_FIELD
};

#define LAPSMP_MIB_COUNT	(sizeof(struct lapsmp_mib) / sizeof(u64))

#define LAPSMP_INC(ln, field)		this_cpu_inc((ln)->mib->field)
#define LAPSMP_ADD(ln, field, n)	this_cpu_add((ln)->mib->field, (n))

/* Names of the counters, in the order of the struct. */
extern const char * const lapsmp_mib_names[LAPSMP_MIB_COUNT];

/* Sum over the CPUs. @sum is in the order of the struct. */
void lapsmp_mib_read(const struct lapsmp_net *ln, u64 sum[LAPSMP_MIB_COUNT]);

int lapsmp_mib_init(struct lapsmp_net *ln);
void lapsmp_mib_exit(struct lapsmp_net *ln);

#endif /* _LAPSMP_MIB_H */
