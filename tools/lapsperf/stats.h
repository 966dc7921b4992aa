/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_STATS_H
#define LAPSPERF_STATS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct samples - durations, kept one by one up to SAMPLES_MAX, then every
 *	second, every fourth...
 */
struct samples {
	uint64_t *v;
	uint32_t n, room;
	uint64_t seen, stride;
};

struct summary {
	uint64_t min, mean, p50, p90, p99, p999, max;
};

struct trace_rec {
	uint64_t seq, send_ns, recv_ns;
	uint32_t flow;
};

/**
 * struct flow_stats - what the counting end knows of one flow
 * @seen: one bit per message number
 * @done: messages that arrived, whether counted or not, doubles excluded
 */
struct flow_stats {
	struct samples fct;
	uint64_t *seen;
	uint64_t seen_words;
	uint64_t done;
	uint64_t messages, bytes;
	uint64_t highest;
	uint64_t duplicates, reordered, corrupt, truncated, errors;
	uint64_t first_send_ns, last_recv_ns, max_gap_ns;
	struct trace_rec *trace;
	uint64_t trace_n, trace_room;
};

void samples_add(struct samples *s, uint64_t v);
void samples_merge(struct samples *to, const struct samples *from);
void samples_summary(struct samples *s, struct summary *sum);
bool stats_new_seq(struct flow_stats *fs, uint64_t seq);
void stats_count(struct flow_stats *fs, uint32_t size, uint64_t send_ns, uint64_t recv_ns);
void stats_trace(struct flow_stats *fs, uint32_t flow, uint64_t seq, uint64_t send_ns,
		 uint64_t recv_ns);
void stats_free(struct flow_stats *fs);

#endif
