// SPDX-License-Identifier: GPL-2.0
/*
 * The files that a fabric's hosts and flows are read from. A host is a line
 * "NAME ADDRESS", a flow "ID START-NS FROM TO BYTES [AFTER ID,ID...]"; what begins
 * with # is a remark.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"
#include "lapsperf.h"
#include "util.h"

#define WORDS_MAX	8

struct reader {
	const char *name;
	FILE *file;
	char *line;
	size_t room;
	unsigned int number;
	char *words[WORDS_MAX];
	int n;
};

static void reader_open(struct reader *r, const char *name)
{
	*r = (struct reader){ .name = name, .file = fopen(name, "r") };
	if (!r->file)
		die(EXIT_USAGE, "%s: %s", name, strerror(errno));
}

static void reader_close(struct reader *r)
{
	free(r->line);
	fclose(r->file);
}

static void reader_split(struct reader *r)
{
	char *at = r->line, *word;

	r->n = 0;
	while ((word = strsep(&at, " \t\r\n"))) {
		if (!*word)
			continue;
		if (r->n == WORDS_MAX)
			die(EXIT_USAGE, "%s:%u: too many words", r->name, r->number);
		r->words[r->n++] = word;
	}
}

/* The words of the next line that has some. Returns whether there is one. */
static bool reader_next(struct reader *r)
{
	char *remark;

	while (getline(&r->line, &r->room, r->file) >= 0) {
		r->number++;
		remark = strchr(r->line, '#');
		if (remark)
			*remark = '\0';
		reader_split(r);
		if (r->n)
			return true;
	}
	return false;
}

static uint64_t reader_number(const struct reader *r, const char *word, uint64_t min,
			      uint64_t max)
{
	uint64_t v;
	char *end;

	errno = 0;
	v = strtoull(word, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*word) || v < min || v > max)
		die(EXIT_USAGE, "%s:%u: '%s' is not a whole number from %" PRIu64 " to %" PRIu64,
		    r->name, r->number, word, min, max);
	return v;
}

static int host_cmp(const void *a, const void *b)
{
	return strcmp(((const struct host *)a)->name, ((const struct host *)b)->name);
}

void fabric_read_hosts(struct fabric *f)
{
	const char *why = "";
	struct reader r;
	struct host *h;

	reader_open(&r, f->p->hosts);
	while (reader_next(&r)) {
		if (r.n != 2)
			die(EXIT_USAGE, "%s:%u: a host is NAME ADDRESS", r.name, r.number);
		f->hosts = xrealloc(f->hosts, (f->n_hosts + 1) * sizeof(*f->hosts));
		h = &f->hosts[f->n_hosts++];
		memset(h, 0, sizeof(*h));
		if ((size_t)snprintf(h->name, sizeof(h->name), "%s", r.words[0]) >= sizeof(h->name))
			die(EXIT_USAGE, "%s:%u: '%s' is too long a name", r.name, r.number,
			    r.words[0]);
		if (addr_resolve(&h->addr, r.words[1], FABRIC_PORT, AF_UNSPEC, false, &why))
			die(EXIT_USAGE, "%s:%u: '%s': %s", r.name, r.number, r.words[1], why);
	}
	reader_close(&r);
	qsort(f->hosts, f->n_hosts, sizeof(*f->hosts), host_cmp);
}

static uint32_t reader_host(const struct fabric *f, const struct reader *r, const char *name)
{
	struct host key = { 0 }, *h;

	snprintf(key.name, sizeof(key.name), "%s", name);
	h = bsearch(&key, f->hosts, f->n_hosts, sizeof(key), host_cmp);
	if (!h)
		die(EXIT_USAGE, "%s:%u: no host '%s' in %s", r->name, r->number, name, f->p->hosts);
	return (uint32_t)(h - f->hosts);
}

/* Flows are in the order of their ids, so that one is found by it. */
static struct flow *reader_flow(const struct fabric *f, const struct reader *r, const char *word)
{
	uint64_t id = reader_number(r, word, 0, UINT32_MAX);
	uint32_t low = 0, high = f->n_flows, at;

	while (low < high) {
		at = low + (high - low) / 2;
		if (f->flows[at].id < id)
			low = at + 1;
		else
			high = at;
	}
	if (low == f->n_flows || f->flows[low].id != id)
		die(EXIT_USAGE, "%s:%u: there was no flow '%s' before", r->name, r->number, word);
	return &f->flows[low];
}

/* Only those above can be waited for, so nobody waits in a circle. */
static void reader_after(const struct fabric *f, const struct reader *r, struct flow *flow)
{
	char *list = r->words[6], *word;
	struct flow *before;

	while ((word = strsep(&list, ","))) {
		before = reader_flow(f, r, word);
		if (before == flow)
			die(EXIT_USAGE, "%s:%u: it waits for itself", r->name, r->number);
		before->waiters = xrealloc(before->waiters,
					   (before->n_waiters + 1) * sizeof(*before->waiters));
		before->waiters[before->n_waiters++] = (uint32_t)(flow - f->flows);
		flow->deps++;
	}
}

static void reader_line(struct fabric *f, const struct reader *r)
{
	struct flow *flow;

	if (r->n != 5 && (r->n != 7 || strcmp(r->words[5], "AFTER")))
		die(EXIT_USAGE, "%s:%u: a flow is ID START-NS FROM TO BYTES [AFTER ID,ID...]",
		    r->name, r->number);
	flow = &f->flows[f->n_flows++];
	*flow = (struct flow){
		.id = (uint32_t)reader_number(r, r->words[0], 0, UINT32_MAX),
		.by = &f->p->by[(f->n_flows - 1) % f->p->n_by],
		.offset_ns = reader_number(r, r->words[1], 0, UINT64_MAX / 4),
		.src = reader_host(f, r, r->words[2]),
		.dst = reader_host(f, r, r->words[3]),
		.size = reader_number(r, r->words[4], 1, UINT64_MAX / 4),
	};
	if (flow->src == flow->dst)
		die(EXIT_USAGE, "%s:%u: from '%s' to itself", r->name, r->number, r->words[2]);
	/* What says whose bytes they are is part of the flow. */
	if (flow->size < FABRIC_HDR)
		flow->size = FABRIC_HDR;
	if (f->n_flows > 1 && flow->id <= flow[-1].id)
		die(EXIT_USAGE, "%s:%u: ids must rise, and '%s' follows %" PRIu32, r->name,
		    r->number, r->words[0], flow[-1].id);
	if (r->n == 7)
		reader_after(f, r, flow);
}

void fabric_read_flows(struct fabric *f)
{
	uint32_t room = 0;
	struct reader r;

	reader_open(&r, f->p->flows);
	while (reader_next(&r)) {
		if (f->n_flows == room) {
			room = room ? room * 2 : 1024;
			f->flows = xrealloc(f->flows, room * sizeof(*f->flows));
		}
		reader_line(f, &r);
	}
	reader_close(&r);
	if (!f->n_flows)
		die(EXIT_USAGE, "%s: no flows", f->p->flows);
	f->n_file = f->n_flows;
}
