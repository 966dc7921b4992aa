/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_INFO_H
#define LAPSPERF_INFO_H

#include <linux/lapsmp.h>

#include "net.h"

/**
 * struct sock_info - what the kernel counted, summed over sockets
 * @valid: the kernel answered
 * @retransmits: segments sent again
 * @subflows: of MPTCP, of the socket that has most
 * @laps: for lapsmp only
 */
struct sock_info {
	bool valid;
	uint64_t retransmits;
	uint64_t subflows;
	struct lapsmp_info laps;
};

void info_add(struct sock_info *sum, const struct proto *p, int fd);

#endif
