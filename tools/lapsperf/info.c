// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own counters of a socket.
 */
#include <netinet/in.h>
#include <linux/tcp.h>
#include <linux/mptcp.h>
#include <string.h>
#include <sys/socket.h>

#include "info.h"
#include "util.h"

/* The kernel's TCP_ESTABLISHED: <netinet/tcp.h>, which has it, and <linux/tcp.h> collide. */
#define STATE_ESTABLISHED	1

static void info_tcp(struct sock_info *sum, int fd)
{
	struct tcp_info ti = { 0 };
	socklen_t len = sizeof(ti);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &ti, &len))
		return;
	sum->valid = true;
	sum->retransmits += ti.tcpi_total_retrans;
}

static void info_mptcp(struct sock_info *sum, int fd)
{
	struct {
		struct mptcp_subflow_data d;
		struct tcp_info ti[SUBFLOWS_MAX];
	} arg = {
		.d.size_subflow_data = sizeof(arg.d),
		.d.size_user = sizeof(arg.ti[0]),
	};
	socklen_t len = sizeof(arg);
	uint32_t i;

	if (getsockopt(fd, SOL_MPTCP, MPTCP_TCPINFO, &arg, &len)) {
		info_tcp(sum, fd);
		return;
	}
	sum->valid = true;
	if (arg.d.num_subflows > sum->subflows)
		sum->subflows = arg.d.num_subflows;
	for (i = 0; i < arg.d.num_subflows && i < SUBFLOWS_MAX; i++) {
		sum->retransmits += arg.ti[i].tcpi_total_retrans;
		sum->established += arg.ti[i].tcpi_state == STATE_ESTABLISHED;
	}
}

static void info_lapsmp(struct sock_info *sum, int fd)
{
	struct lapsmp_info li = { 0 };
	socklen_t len = sizeof(li);
	const uint64_t *from;
	uint64_t *to;
	size_t i, n;

	if (getsockopt(fd, SOL_LAPSMP, LAPSMP_INFO, &li, &len))
		return;
	sum->valid = true;
	sum->retransmits += li.retrans_segs;
	/* Two 32-bit fields, then counters of 64 bits only. */
	sum->laps.flows += li.flows;
	from = (const uint64_t *)&li.tx_messages;
	to = (uint64_t *)&sum->laps.tx_messages;
	n = (sizeof(li) - offsetof(struct lapsmp_info, tx_messages)) / sizeof(*to);
	for (i = 0; i < n; i++)
		to[i] += from[i];
}

void info_add(struct sock_info *sum, const struct proto *p, int fd)
{
	if (p->ipproto == IPPROTO_LAPSMP)
		info_lapsmp(sum, fd);
	else if (p->ipproto == IPPROTO_TCP)
		info_tcp(sum, fd);
	else if (p->stream)
		info_mptcp(sum, fd);
}
