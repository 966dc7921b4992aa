/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_INFO_H
#define LAPSPERF_INFO_H

#include <linux/lapsmp.h>

#include "net.h"

#ifndef SOL_MPTCP
#define SOL_MPTCP	284
#endif

/* That a socket of MPTCP is asked about. */
#define SUBFLOWS_MAX	16

/**
 * struct sock_info - what the kernel counted, summed over sockets
 * @valid: the kernel answered
 * @retransmits: segments sent again
 * @subflows: of MPTCP, of the socket that has most
 * @established: of MPTCP, subflows whose handshake has ended
 * @laps: for lapsmp only
 */
struct sock_info {
	bool valid;
	uint64_t retransmits;
	uint64_t subflows, established;
	struct lapsmp_info laps;
};

void info_add(struct sock_info *sum, const struct proto *p, int fd);

#endif
