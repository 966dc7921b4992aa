// SPDX-License-Identifier: GPL-2.0
/*
 * Durations and their percentiles; which messages have arrived, and when.
 */
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "util.h"

#define SAMPLES_MAX	(1u << 22)

/* Room for one more: beyond the maximum, every second sample goes. */
static void samples_room(struct samples *s)
{
	uint32_t i;

	if (s->n < s->room)
		return;
	if (s->room < SAMPLES_MAX) {
		s->room = s->room ? s->room * 2 : 1024;
		s->v = xrealloc(s->v, s->room * sizeof(*s->v));
		return;
	}
	for (i = 0; i < s->n / 2; i++)
		s->v[i] = s->v[2 * i];
	s->n /= 2;
	s->stride *= 2;
}

void samples_add(struct samples *s, uint64_t v)
{
	if (!s->stride)
		s->stride = 1;
	if (s->seen++ % s->stride)
		return;
	samples_room(s);
	s->v[s->n++] = v;
}

/* The strides may differ; then the one with fewer samples weighs less. */
void samples_merge(struct samples *to, const struct samples *from)
{
	uint32_t i;

	for (i = 0; i < from->n; i++)
		samples_add(to, from->v[i]);
}

static int cmp_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The smallest value that at least @permille of the samples do not exceed. */
static uint64_t rank(const struct samples *s, uint64_t permille)
{
	uint64_t i = (s->n * permille + 999) / 1000;

	return s->v[i ? i - 1 : 0];
}

void samples_summary(struct samples *s, struct summary *sum)
{
	long double total = 0;
	uint32_t i;

	memset(sum, 0, sizeof(*sum));
	if (!s->n)
		return;
	qsort(s->v, s->n, sizeof(*s->v), cmp_u64);
	for (i = 0; i < s->n; i++)
		total += s->v[i];
	sum->min = s->v[0];
	sum->max = s->v[s->n - 1];
	sum->mean = (uint64_t)(total / s->n);
	sum->p50 = rank(s, 500);
	sum->p90 = rank(s, 900);
	sum->p99 = rank(s, 990);
	sum->p999 = rank(s, 999);
}

/* Returns false, and counts, if this message number was here before. */
bool stats_new_seq(struct flow_stats *fs, uint64_t seq)
{
	uint64_t word = seq / 64, bit = 1ull << (seq % 64), words;

	if (word >= fs->seen_words) {
		words = (word + 1) * 2;
		fs->seen = xrealloc(fs->seen, words * sizeof(*fs->seen));
		memset(fs->seen + fs->seen_words, 0,
		       (words - fs->seen_words) * sizeof(*fs->seen));
		fs->seen_words = words;
	}
	if (fs->seen[word] & bit) {
		fs->duplicates++;
		return false;
	}
	fs->seen[word] |= bit;
	if (fs->done && seq < fs->highest)
		fs->reordered++;
	else
		fs->highest = seq;
	fs->done++;
	return true;
}

void stats_count(struct flow_stats *fs, uint32_t size, uint64_t send_ns, uint64_t recv_ns)
{
	if (!fs->messages || send_ns < fs->first_send_ns)
		fs->first_send_ns = send_ns;
	if (fs->messages && recv_ns - fs->last_recv_ns > fs->max_gap_ns)
		fs->max_gap_ns = recv_ns - fs->last_recv_ns;
	fs->last_recv_ns = recv_ns;
	fs->messages++;
	fs->bytes += size;
	samples_add(&fs->fct, recv_ns - send_ns);
}

void stats_trace(struct flow_stats *fs, uint32_t flow, uint64_t seq, uint64_t send_ns,
		 uint64_t recv_ns)
{
	if (fs->trace_n == fs->trace_room) {
		fs->trace_room = fs->trace_room ? fs->trace_room * 2 : 1024;
		fs->trace = xrealloc(fs->trace, fs->trace_room * sizeof(*fs->trace));
	}
	fs->trace[fs->trace_n++] = (struct trace_rec){
		.seq = seq, .send_ns = send_ns, .recv_ns = recv_ns, .flow = flow,
	};
}

void stats_free(struct flow_stats *fs)
{
	free(fs->fct.v);
	free(fs->seen);
	free(fs->trace);
}
