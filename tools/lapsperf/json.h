/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_JSON_H
#define LAPSPERF_JSON_H

#include "info.h"
#include "lapsperf.h"
#include "stats.h"

struct flow_result {
	uint64_t sent;
	uint64_t done;
	uint64_t messages, bytes;
	uint64_t duplicates, reordered, corrupt, truncated, errors;
	uint64_t first_send_ns, last_recv_ns, max_gap_ns;
};

/**
 * struct results - a finished run
 * @shared_clock: client and server have one clock; if not, times count from a
 *	message's arrival and @fct is empty
 * @connect_ns: time that connect() took, of the flow that took longest
 * @error: what went wrong, or NULL
 */
struct results {
	const struct params *p;
	struct flow_result *flow;
	struct summary fct;
	bool shared_clock;
	uint64_t connect_ns;
	struct sock_info tx, rx;
	const char *error;
};

uint64_t results_missing(const struct results *r);
bool results_intact(const struct results *r);
void results_json(const struct results *r);
void results_text(const struct results *r);

#endif
