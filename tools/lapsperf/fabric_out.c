// SPDX-License-Identifier: GPL-2.0
/*
 * What became of the flows: a line for each in the trace, and a summary.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fabric.h"
#include "info.h"
#include "lapsperf.h"
#include "stats.h"
#include "util.h"

static void out_trace(const struct fabric *f)
{
	FILE *out = fopen(f->p->trace, "w");
	const struct flow *flow;
	uint32_t i;

	if (!out)
		die(EXIT_RUN, "%s: %s", f->p->trace, strerror(errno));
	fprintf(out, "# id from to bytes start-ns end-ns; from the moment when all began\n");
	for (i = 0; i < f->n_file; i++) {
		flow = &f->flows[i];
		fprintf(out, "%" PRIu32 " %s %s %" PRIu64 " %" PRIu64 " ", flow->id,
			f->hosts[flow->src].name, f->hosts[flow->dst].name, flow->size,
			flow->due_ns ? flow->due_ns - f->base_ns : 0);
		if (flow->end_ns)
			fprintf(out, "%" PRIu64 "\n", flow->end_ns - f->base_ns);
		else
			fprintf(out, "-\n");
	}
	if (fclose(out))
		die(EXIT_RUN, "%s: %s", f->p->trace, strerror(errno));
}

static void out_sockets(const struct fabric *f)
{
	struct sock_info sum = { 0 };
	const struct sender *s;
	uint32_t n = 0;

	for (s = f->senders; s; s = s->next, n++)
		info_add(&sum, s->by->proto, s->fd);
	printf("\"sockets\": %" PRIu32 ", \"retransmits\": %" PRIu64, n, sum.retransmits);
	if (f->p->subflows > 1)
		printf(", \"subflows\": %" PRIu32, fabric_subflows(f));
	if (sum.laps.tx_segs)
		printf(", \"segments\": %" PRIu64 ", \"lost\": %" PRIu64 ", \"spurious\": %" PRIu64,
		       (uint64_t)sum.laps.tx_segs, (uint64_t)sum.laps.lost_segs,
		       (uint64_t)sum.laps.spurious_segs);
}

void fabric_report(const struct fabric *f)
{
	uint64_t bytes = 0, last = f->base_ns;
	struct samples took = { 0 };
	const struct flow *flow;
	struct summary sum;
	uint32_t i;

	for (i = 0; i < f->n_file; i++) {
		flow = &f->flows[i];
		if (!flow->end_ns)
			continue;
		samples_add(&took, flow->end_ns - flow->due_ns);
		bytes += flow->size;
		if (flow->end_ns > last)
			last = flow->end_ns;
	}
	samples_summary(&took, &sum);
	printf("{\"proto\": \"%s\", \"flows\": %" PRIu32 ", \"done\": %" PRIu32
	       ", \"bytes\": %" PRIu64 ", \"base_ns\": %" PRIu64
	       ", \"last_ns\": %" PRIu64 ", \"late_ns\": %" PRIu64
	       ", \"late_sockets\": %" PRIu32 ", ",
	       f->p->by[0].proto->name, f->n_file, took.seen > UINT32_MAX ? 0 : (uint32_t)took.seen,
	       bytes, f->base_ns, last - f->base_ns, f->late_ns, f->late_senders);
	printf("\"fct_ns\": {\"mean\": %" PRIu64 ", \"p50\": %" PRIu64 ", \"p99\": %" PRIu64
	       ", \"max\": %" PRIu64 "}, ", sum.mean, sum.p50, sum.p99, sum.max);
	out_sockets(f);
	printf("}\n");
	if (f->p->trace)
		out_trace(f);
}
