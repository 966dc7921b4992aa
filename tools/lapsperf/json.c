// SPDX-License-Identifier: GPL-2.0
/*
 * The results of a run, for programs and for people.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "util.h"

/* Sums over flows, and what follows from them. */
struct totals {
	struct flow_result sum;
	uint64_t missing;
	uint64_t elapsed_ns;
	double goodput, slowest, fastest, jain;
};

static double flow_goodput(const struct flow_result *f)
{
	if (f->last_recv_ns <= f->first_send_ns)
		return 0;
	return 8e9 * (double)f->bytes / (double)(f->last_recv_ns - f->first_send_ns);
}

static void totals_add(struct totals *t, const struct flow_result *f)
{
	t->sum.sent += f->sent;
	t->sum.done += f->done;
	t->sum.messages += f->messages;
	t->sum.bytes += f->bytes;
	t->sum.duplicates += f->duplicates;
	t->sum.reordered += f->reordered;
	t->sum.corrupt += f->corrupt;
	t->sum.truncated += f->truncated;
	t->sum.errors += f->errors;
	t->missing += f->sent > f->done ? f->sent - f->done : 0;
	if (!f->messages)
		return;
	if (!t->sum.first_send_ns || f->first_send_ns < t->sum.first_send_ns)
		t->sum.first_send_ns = f->first_send_ns;
	if (f->last_recv_ns > t->sum.last_recv_ns)
		t->sum.last_recv_ns = f->last_recv_ns;
	if (f->max_gap_ns > t->sum.max_gap_ns)
		t->sum.max_gap_ns = f->max_gap_ns;
}

/* Jain's index: 1 if all flows get the same, 1/n if one gets all. */
static void totals_make(struct totals *t, const struct results *r)
{
	double g, sum = 0, squares = 0;
	uint32_t i;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < r->p->flows; i++) {
		totals_add(t, &r->flow[i]);
		g = flow_goodput(&r->flow[i]);
		sum += g;
		squares += g * g;
		if (!i || g < t->slowest)
			t->slowest = g;
		if (g > t->fastest)
			t->fastest = g;
	}
	if (squares > 0)
		t->jain = sum * sum / (r->p->flows * squares);
	t->elapsed_ns = t->sum.last_recv_ns - t->sum.first_send_ns;
	t->goodput = flow_goodput(&t->sum);
}

uint64_t results_missing(const struct results *r)
{
	struct totals t;

	totals_make(&t, r);
	return t.missing;
}

/* Whether everything arrived as promised. */
bool results_intact(const struct results *r)
{
	struct totals t;

	totals_make(&t, r);
	return !t.sum.corrupt && !t.sum.truncated &&
	       (!r->p->proto->reliable || (!t.missing && !t.sum.duplicates));
}

static void json_u64(const char *key, uint64_t v)
{
	printf("\t\"%s\": %" PRIu64 ",\n", key, v);
}

static void json_string(const char *key, const char *s)
{
	printf("\t\"%s\": \"", key);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		if ((unsigned char)*s >= ' ')
			putchar(*s);
	}
	printf("\",\n");
}

static void json_lapsmp(const struct results *r)
{
	const struct lapsmp_info *tx = &r->tx.laps, *rx = &r->rx.laps;

	printf("\t\"lapsmp\": {\n"
	       "\t\t\"tx_segs\": %" PRIu64 ",\n"
	       "\t\t\"retrans_segs\": %" PRIu64 ",\n"
	       "\t\t\"lost_segs\": %" PRIu64 ",\n"
	       "\t\t\"spurious_segs\": %" PRIu64 ",\n"
	       "\t\t\"rx_dup_segs\": %" PRIu64 ",\n"
	       "\t\t\"rx_ooo_segs\": %" PRIu64 ",\n"
	       "\t\t\"rx_overflow_segs\": %" PRIu64 "\n"
	       "\t},\n",
	       (uint64_t)tx->tx_segs, (uint64_t)tx->retrans_segs, (uint64_t)tx->lost_segs,
	       (uint64_t)tx->spurious_segs, (uint64_t)rx->rx_dup_segs,
	       (uint64_t)rx->rx_ooo_segs, (uint64_t)rx->rx_overflow_segs);
}

void results_json(const struct results *r)
{
	const struct summary *f = &r->fct;
	struct totals t;

	totals_make(&t, r);
	printf("{\n");
	json_string("proto", r->p->proto->name);
	json_string("mode", r->p->mode == MODE_RR ? "rr" : "stream");
	if (r->error)
		json_string("error", r->error);
	json_u64("flows", r->p->flows);
	json_u64("size", r->p->size);
	json_u64("sent", t.sum.sent);
	json_u64("messages", t.sum.messages);
	json_u64("bytes", t.sum.bytes);
	json_u64("elapsed_ns", t.elapsed_ns);
	json_u64("connect_ns", r->connect_ns);
	json_u64("first_send_ns", t.sum.first_send_ns);
	json_u64("last_recv_ns", t.sum.last_recv_ns);
	printf("\t\"goodput_bps\": %.0f,\n", t.goodput);
	printf("\t\"flow_goodput_bps\": { \"min\": %.0f, \"max\": %.0f, \"jain\": %.6f },\n",
	       t.slowest, t.fastest, t.jain);
	printf("\t\"fct_ns\": { \"min\": %" PRIu64 ", \"mean\": %" PRIu64 ", \"p50\": %" PRIu64
	       ", \"p90\": %" PRIu64 ", \"p99\": %" PRIu64 ", \"p999\": %" PRIu64
	       ", \"max\": %" PRIu64 " },\n",
	       f->min, f->mean, f->p50, f->p90, f->p99, f->p999, f->max);
	json_u64("max_gap_ns", t.sum.max_gap_ns);
	json_u64("errors", t.sum.errors);
	json_u64("missing", t.missing);
	json_u64("duplicates", t.sum.duplicates);
	json_u64("reordered", t.sum.reordered);
	json_u64("corrupt", t.sum.corrupt);
	json_u64("truncated", t.sum.truncated);
	if (r->tx.valid)
		json_u64("retransmits", r->tx.retransmits);
	else
		printf("\t\"retransmits\": null,\n");
	if (r->tx.subflows)
		json_u64("subflows", r->tx.subflows);
	if (r->tx.laps.tx_segs || r->rx.laps.rx_messages)
		json_lapsmp(r);
	printf("\t\"shared_clock\": %s\n}\n", r->shared_clock ? "true" : "false");
}

void results_text(const struct results *r)
{
	const struct summary *f = &r->fct;
	struct totals t;

	totals_make(&t, r);
	printf("%s %s: %" PRIu64 " messages of %" PRIu32 " bytes over %" PRIu32
	       " flow%s in %.6f s: %.3f Gbit/s\n",
	       r->p->proto->name, r->p->mode == MODE_RR ? "rr" : "stream", t.sum.messages,
	       r->p->size, r->p->flows, r->p->flows == 1 ? "" : "s",
	       (double)t.elapsed_ns / 1e9, t.goodput / 1e9);
	if (f->max)
		printf("%s us: min %.1f  mean %.1f  p50 %.1f  p90 %.1f  p99 %.1f  p99.9 %.1f  max %.1f\n",
		       r->p->mode == MODE_RR ? "round trip" : "completion", f->min / 1e3,
		       f->mean / 1e3, f->p50 / 1e3, f->p90 / 1e3, f->p99 / 1e3, f->p999 / 1e3,
		       f->max / 1e3);
	else
		printf("completion times: none, the two ends have different clocks\n");
	if (r->p->flows > 1)
		printf("per flow: %.3f to %.3f Gbit/s, Jain %.4f\n", t.slowest / 1e9,
		       t.fastest / 1e9, t.jain);
	printf("missing %" PRIu64 "  duplicates %" PRIu64 "  corrupt %" PRIu64
	       "  errors %" PRIu64 "  longest gap %.1f us",
	       t.missing, t.sum.duplicates, t.sum.corrupt + t.sum.truncated, t.sum.errors,
	       t.sum.max_gap_ns / 1e3);
	if (r->tx.valid)
		printf("  retransmits %" PRIu64, r->tx.retransmits);
	putchar('\n');
}
