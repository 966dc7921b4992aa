// SPDX-License-Identifier: GPL-2.0
/* What was discovered, in words and as JSON; see report.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "print.h"
#include "report.h"
#include "tree.h"
#include "util.h"

/* Width at which lists of ports are broken. */
#define REPORT_COLUMNS	96
/* The branches of a tree: three places each, and as many as a cell holds. */
#define REPORT_BRANCHES	120

static const char *report_noun(const struct report *r, unsigned int n)
{
	if (r->prober->to.labels)
		return n == 1 ? "flow label" : "flow labels";
	return n == 1 ? "port" : "ports";
}

static const char *report_value(const struct report *r, uint32_t value, char *buf)
{
	snprintf(buf, TEXT_MAX, r->prober->to.labels ? "0x%05" PRIx32 : "%" PRIu32, value);
	return buf;
}

static const char *report_rtt(uint64_t rtt_ns, char *buf)
{
	return rtt_ns ? text_ns(buf, (int64_t)rtt_ns) : "-";
}

unsigned int report_ends(const struct report *r, enum hop_kind kind)
{
	unsigned int i, n = 0;

	for (i = 0; i < r->walk->n; i++) {
		const struct trace *t = &r->walk->traces[i];

		n += (t->len ? t->hops[t->len].kind : HOP_UNKNOWN) == kind;
	}
	return n;
}

/* --- the tree ----------------------------------------------------------------- */

static const struct column tree_columns[] = {
	{ "hop", .left = true, .min = 24 }, { "delay", .min = 8 }, { "", .min = 5 },
};

static const char *report_hop(const struct hop *hop, char *buf)
{
	return hop_is_known(hop->kind) ? text_addr(buf, &hop->addr) : "*";
}

static const char *report_remark(const struct hop *hop)
{
	switch (hop->kind) {
	case HOP_PEER:
		return "lapsmp";
	case HOP_PORT:
		return "no lapsmp answers";
	case HOP_REJECT:
		return strerror(hop->code);
	case HOP_SILENT:
		return "silent";
	default:
		return "";
	}
}

static void report_node(struct table *table, const struct tree *tree, unsigned int at,
			const char *before, const char *after)
{
	const struct tree_node *node = &tree->v[at];
	char inner[REPORT_BRANCHES], outer[REPORT_BRANCHES];
	char addr[TEXT_MAX], rtt[TEXT_MAX];
	unsigned int child = node->child;
	bool forks = child && tree->v[child].next;
	const char *remark;

	if (at) {
		remark = report_remark(&node->hop);
		table_add(table, COLOR_NONE, "%s%s%s%s", before, report_hop(&node->hop, addr),
			  *remark ? "  " : "", remark);
		table_add(table, COLOR_NONE, "%s", report_rtt(node->hop.rtt_ns, rtt));
		table_add(table, COLOR_NONE, "%u", node->ports);
	}
	for (; child; child = tree->v[child].next) {
		bool last = !tree->v[child].next;

		/* Where there is one way on, nothing needs to be drawn. */
		snprintf(inner, sizeof(inner), "%s%s", after, !forks ? "" : last ? "`- " : "|- ");
		snprintf(outer, sizeof(outer), "%s%s", after, !forks ? "" : last ? "   " : "|  ");
		report_node(table, tree, child, inner, outer);
	}
}

static void report_tree(const struct report *r)
{
	struct column columns[ARRAY_SIZE(tree_columns)];
	struct tree tree = { 0 };
	struct table *table;
	unsigned int i;

	memcpy(columns, tree_columns, sizeof(columns));
	columns[2].head = report_noun(r, 2);
	for (i = 0; i < r->walk->n; i++) {
		if (r->groups->of[i] == GROUP_NONE)
			continue;
		if (!tree_add(&tree, &r->walk->traces[i])) {
			complain("out of memory");
			exit(EXIT_KERNEL);
		}
	}
	if (tree.n > 1) {
		table = table_new(columns, ARRAY_SIZE(columns), 2);
		report_node(table, &tree, 0, "", "");
		table_print(table, stdout);
	}
	tree_free(&tree);
}

/* --- what is to be said about it ------------------------------------------------- */

/* Hops that did not answer are not hidden. */
static void report_silence(const struct report *r)
{
	unsigned int ttl, i, n;

	for (ttl = 1; ttl <= r->walk->max_hops; ttl++) {
		n = 0;
		for (i = 0; i < r->walk->n; i++)
			n += ttl < trace_hops(&r->walk->traces[i]) &&
			     !hop_is_known(r->walk->traces[i].hops[ttl].kind);
		if (n)
			printf("hop %u is silent for %u of %u %s: no answer to %d probes or more\n",
			       ttl, n, r->walk->n, report_noun(r, 2), WALK_TRIES);
	}
	n = report_ends(r, HOP_UNKNOWN);
	if (n && n < r->walk->n)
		printf("the peer did not answer to %u of %u %s\n", n, r->walk->n,
		       report_noun(r, 2));
	if (r->groups->holes)
		puts("routes that differ only in silent hops are not told apart");
	if (r->groups->unsure)
		printf("%u %s: silent where routes part; counted to the first that fits\n",
		       r->groups->unsure, report_noun(r, r->groups->unsure));
}

/* A router that spreads packets, not ports. */
static void report_unsteady(const struct report *r)
{
	char one[TEXT_MAX], other[TEXT_MAX], value[TEXT_MAX];
	unsigned int i, ttl;

	for (i = 0; i < r->walk->n; i++) {
		const struct trace *t = &r->walk->traces[i];

		ttl = trace_varies(t);
		if (!ttl)
			continue;
		printf("%u %s: no fixed route; at hop %u packets of %s %s meet %s and %s:\n"
		       "balanced by packet (or routes were changing), so that no path can be pinned\n",
		       r->groups->unsteady, report_noun(r, r->groups->unsteady), ttl,
		       report_noun(r, 1), report_value(r, t->value, value),
		       text_addr(one, &t->hops[ttl].addr), text_addr(other, &t->hops[ttl].other));
		return;
	}
}

/* How sure it is that none is balanced by packet, and that no route was missed. */
static void report_doubt(const struct report *r)
{
	unsigned int i, ttl, hops = 0, twice = 0, needed;

	for (i = 0; i < r->walk->n; i++) {
		const struct trace *t = &r->walk->traces[i];

		for (ttl = 1; ttl <= trace_hops(t); ttl++) {
			hops += t->hops[ttl].kind == HOP_ROUTER;
			twice += t->hops[ttl].kind == HOP_ROUTER && t->hops[ttl].answers > 1;
		}
	}
	if (twice < hops)
		printf("%u of %u answers of routers were confirmed by a second one; the others not, for routers limit them\n",
		       twice, hops);
	needed = groups_ports_needed(r->groups->n + 1);
	if (r->walk->n < needed)
		printf("if there were one route more, it would take %u %s to find it with 99 %%\n",
		       needed, report_noun(r, needed));
}

/* "  route 1: 17 ports, 80 us: 40001 40007 ..." */
static void report_route(const struct report *r, unsigned int group)
{
	const struct group *g = &r->groups->v[group];
	char text[TEXT_MAX];
	unsigned int i;
	int at;

	at = printf("  route %u: %u %s, %s:", group + 1, g->members, report_noun(r, g->members),
		    report_rtt(trace_rtt(&g->seen), text));
	for (i = 0; i < r->walk->n; i++) {
		if (r->groups->of[i] != group)
			continue;
		if (at > REPORT_COLUMNS - 8)
			at = printf("\n   ") - 1;
		at += printf(" %s", report_value(r, r->walk->traces[i].value, text));
	}
	putchar('\n');
}

static void report_routes(const struct report *r)
{
	unsigned int steady = r->walk->n - r->groups->unsteady, i;

	printf("\n%u %s %s %s%u different %s\n", steady, report_noun(r, steady),
	       steady == 1 ? "takes" : "take", r->groups->holes ? "at least " : "",
	       r->groups->n, r->groups->n == 1 ? "route" : "routes");
	for (i = 0; i < r->groups->n; i++)
		report_route(r, i);
	report_silence(r);
	report_unsteady(r);
	report_doubt(r);
}

/* What a pick shares with the one before it that it shares most with. */
static unsigned int report_shared(const struct report *r, unsigned int pick)
{
	unsigned int i, shared, most = 0;

	for (i = 0; i < pick; i++) {
		shared = group_shared(&r->groups->v[r->picked[pick]].seen,
				      &r->groups->v[r->picked[i]].seen);
		if (shared > most)
			most = shared;
	}
	return most;
}

static const struct trace *report_pick(const struct report *r, unsigned int pick)
{
	return &r->walk->traces[r->groups->v[r->picked[pick]].best];
}

static void report_picks(const struct report *r)
{
	static const struct column columns[] = {
		{ "path", .min = 4, .rare = true }, { "sport", .min = 5 },
		{ "flowlabel", .min = 9, .rare = true }, { "route", .min = 5 },
		{ "delay", .min = 8 }, { "shares", .min = 6 },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns), 2);
	char text[TEXT_MAX];
	unsigned int i;

	for (i = 0; i < r->n_picked; i++) {
		const struct trace *t = report_pick(r, i);
		bool labels = r->prober->to.labels;

		snprintf(text, sizeof(text), "%u", r->ids ? r->ids[i] : 0);
		table_add(table, COLOR_GREEN, "%s", r->ids ? text : "");
		table_add(table, COLOR_NONE, "%" PRIu32, labels ? r->prober->sport : t->value);
		table_add(table, COLOR_NONE, "%s", labels ? report_value(r, t->value, text) : "");
		table_add(table, COLOR_NONE, "%u", r->picked[i] + 1);
		table_add(table, COLOR_NONE, "%s", report_rtt(trace_rtt(t), text));
		table_add(table, COLOR_NONE, "%u", report_shared(r, i));
	}
	printf("\n%u kept, with least in common%s; shares: routers and links also of one above\n",
	       r->n_picked, r->ids ? ", and added as paths" : "");
	table_print(table, stdout);
}

void report_text(const struct report *r)
{
	char peer[TEXT_MAX], from[TEXT_MAX];

	printf("%speer %s%s port %u from %s: %u %s, %" PRIu64 " probes, %" PRIu64 " answers\n",
	       color_on(COLOR_BOLD), text_addr(peer, &r->prober->to.peer), color_off(COLOR_BOLD),
	       r->prober->to.port, text_addr(from, &r->prober->from), r->walk->n,
	       report_noun(r, r->walk->n), r->prober->sent, r->prober->answered);
	report_tree(r);
	report_routes(r);
	if (report_ends(r, HOP_PORT))
		puts("no lapsmp answers at the peer: it is not loaded there, or no program has used it yet");
	if (r->n_picked)
		report_picks(r);
}

/* --- JSON ---------------------------------------------------------------------- */

static void report_json_hop(const struct hop *hop, unsigned int ttl)
{
	static const char *const kinds[] = {
		[HOP_UNKNOWN] = "unknown", [HOP_SILENT] = "silent", [HOP_ROUTER] = "router",
		[HOP_REJECT] = "rejected", [HOP_PORT] = "no-lapsmp", [HOP_PEER] = "peer",
	};
	char text[TEXT_MAX];

	json_open_object(NULL);
	json_u64("ttl", ttl);
	json_text("kind", kinds[hop->kind]);
	if (hop_is_known(hop->kind)) {
		json_text("addr", text_addr(text, &hop->addr));
		json_u64("answers", hop->answers);
	}
	if (hop->rtt_ns)
		json_u64("rtt-ns", hop->rtt_ns);
	if (hop->kind == HOP_REJECT)
		json_text("error", strerror(hop->code));
	if (hop->varies)
		json_text("other-addr", text_addr(text, &hop->other));
	json_close_object();
}

static void report_json_trace(const struct report *r, unsigned int i)
{
	const struct trace *t = &r->walk->traces[i];
	unsigned int ttl;

	json_open_object(NULL);
	json_u64("sport", r->prober->to.labels ? r->prober->sport : t->value);
	if (r->prober->to.labels)
		json_u64("flowlabel", t->value);
	if (r->groups->of[i] != GROUP_NONE)
		json_u64("route", r->groups->of[i] + 1);
	else
		json_bool("unsteady", true);
	if (t->hops[0].rtt_ns)
		json_u64("rtt-ns", t->hops[0].rtt_ns);
	json_open_array("hops");
	for (ttl = 1; ttl <= trace_hops(t); ttl++)
		report_json_hop(&t->hops[ttl], ttl);
	json_close_array();
	json_close_object();
}

static void report_json_group(const struct report *r, unsigned int i)
{
	const struct group *g = &r->groups->v[i];
	char text[TEXT_MAX];
	unsigned int ttl;

	json_open_object(NULL);
	json_u64("route", i + 1);
	json_u64("members", g->members);
	json_u64("silent", trace_unknown(&g->seen));
	if (trace_rtt(&g->seen))
		json_u64("rtt-ns", trace_rtt(&g->seen));
	json_open_array("hops");
	for (ttl = 1; ttl <= trace_hops(&g->seen); ttl++)
		json_text(NULL, report_hop(&g->seen.hops[ttl], text));
	json_close_array();
	json_close_object();
}

static void report_json_pick(const struct report *r, unsigned int i)
{
	const struct trace *t = report_pick(r, i);

	json_open_object(NULL);
	json_u64("sport", r->prober->to.labels ? r->prober->sport : t->value);
	if (r->prober->to.labels)
		json_u64("flowlabel", t->value);
	json_u64("route", r->picked[i] + 1);
	json_u64("shares", report_shared(r, i));
	if (r->ids)
		json_u64("id", r->ids[i]);
	json_close_object();
}

void report_json(const struct report *r)
{
	char text[TEXT_MAX];
	unsigned int i;

	json_start(opt.pretty);
	json_open_object(NULL);
	json_text("peer", text_addr(text, &r->prober->to.peer));
	json_u64("port", r->prober->to.port);
	json_text("local", text_addr(text, &r->prober->from));
	json_u64("probes", r->prober->sent);
	json_u64("answers", r->prober->answered);
	json_u64("unsteady", r->groups->unsteady);
	json_u64("unsure", r->groups->unsure);
	json_open_array("ways");
	for (i = 0; i < r->walk->n; i++)
		report_json_trace(r, i);
	json_close_array();
	json_open_array("routes");
	for (i = 0; i < r->groups->n; i++)
		report_json_group(r, i);
	json_close_array();
	json_open_array("kept");
	for (i = 0; i < r->n_picked; i++)
		report_json_pick(r, i);
	json_close_array();
	json_close_object();
	json_end();
}
