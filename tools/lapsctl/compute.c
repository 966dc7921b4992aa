// SPDX-License-Identifier: GPL-2.0
/* Computed paths as tables and requests; see compute.h. */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <linux/lapsmp.h>

#include "cmd.h"
#include "compute.h"
#include "json.h"
#include "nl.h"
#include "print.h"
#include "sysctl.h"
#include "util.h"

/* --- words ------------------------------------------------------------------------ */

static const char *node_at(const struct compute *c, const struct topo_choice *choice,
			   uint32_t place)
{
	const struct topo *topo = c->chooser.topo;

	return topo->nodes[topo_path_node(topo, &choice->path, place)].name;
}

char *compute_why(const struct compute *c, const struct topo_choice *choice)
{
	const struct topo_pin *pin = &choice->pin;
	uint32_t place = pin->place, until = pin->until;

	switch (pin->state) {
	case TOPO_PIN_MANY:
		return xprintf("it needs %" PRIu32 " segments, and may have %" PRIu32, pin->n,
			       c->chooser.wish.anchors);
	case TOPO_PIN_LINK:
		return xprintf("this link from %s to %s is not the only way of least cost between them, and has no SID of its own (a-sid, b-sid)",
			       node_at(c, choice, place), node_at(c, choice, place + 1));
	case TOPO_PIN_NODE:
		return xprintf("behind %s it needs a segment, and no node up to %s has a sid",
			       node_at(c, choice, place), node_at(c, choice, until));
	default:
		return xprintf("%s", "");
	}
}

/* --- tables and JSON -------------------------------------------------------------- */

static const struct column choice_columns[] = {
	{ "path", .min = 2 }, { "hops", .min = 4 }, { "cost", .min = 4 }, { "delay", .min = 7 },
	{ "margin", .min = 7 }, { "base", .min = 7 }, { "rate", .min = 10 },
	{ "segs", .left = true }, { "by", .left = true },
};

/* Nodes between the ends; of many, the first and the last ones. */
static void choice_by(const struct compute *c, const struct topo_choice *choice, char *buf,
		      size_t room)
{
	uint32_t n = choice->path.n, i;
	size_t at = 0;

	snprintf(buf, room, "-");
	for (i = 1; i < n; i++) {
		if (n > 10 && i == 5) {
			at += (size_t)snprintf(buf + at, room - at, " (%" PRIu32 " more)", n - 9);
			i = n - 4;
		}
		at += (size_t)snprintf(buf + at, room - at, "%s%s", i > 1 ? " " : "",
				       node_at(c, choice, i));
	}
}

static void choice_line(const struct compute *c, struct table *t, const struct topo_choice *choice,
			uint32_t number)
{
	const struct topo_facts *facts = &choice->facts;
	const struct topo_pin *pin = &choice->pin;
	char buf[TEXT_MAX];

	table_add(t, COLOR_NONE, "%" PRIu32, number);
	table_add(t, COLOR_NONE, "%" PRIu32, choice->path.n);
	table_add(t, COLOR_NONE, "%" PRIu64, compute_cost(c->chooser.topo, &choice->path));
	table_add(t, COLOR_NONE, "%s", text_ns(buf, (int64_t)facts->delay_ns));
	table_add(t, COLOR_NONE, "%s", text_ns(buf, (int64_t)facts->margin_ns));
	table_add(t, COLOR_NONE, "%s", text_ns(buf, (int64_t)(facts->delay_ns + facts->margin_ns)));
	table_add(t, COLOR_NONE, "%s", text_rate(buf, facts->rate));
	if (compute_by_ports(c, choice))
		table_add(t, COLOR_NONE, "%" PRIu32 " ports", c->ports);
	else if (pin->state == TOPO_PINNED)
		table_add(t, COLOR_NONE, "%s", pin->n ? text_addrs(buf, pin->sid, pin->n, false) : "-");
	else
		table_add(t, COLOR_RED, "impossible");
	choice_by(c, choice, buf, sizeof(buf));
	table_add(t, COLOR_NONE, "%s", buf);
}

static void show_text(const struct compute *c, const struct topo_chosen *chosen, uint32_t from,
		      uint32_t to)
{
	const struct topo_node *nodes = c->chooser.topo->nodes;
	const struct topo_wish *wish = &c->chooser.wish;
	struct table *t = table_new(choice_columns, ARRAY_SIZE(choice_columns), 2);
	uint32_t i;
	char *why;

	printf("%s%s to %s%s\n", color_on(COLOR_BOLD), nodes[from].name, nodes[to].name,
	       color_off(COLOR_BOLD));
	for (i = 0; i < chosen->n; i++)
		choice_line(c, t, &chosen->v[i], i + 1);
	table_print(t, stdout);
	if (chosen->n < wish->k && chosen->gave_up)
		puts("  there may be others: the search was too large with so many anchors");
	else if (chosen->n < wish->k && wish->anchors < TOPO_SEGS_MAX)
		printf("  none other is pinned by so few segments (--anchors %" PRIu32 ")\n",
		       wish->anchors);
	else if (chosen->n < wish->k)
		puts("  there is no other");
	for (i = 0; i < chosen->n; i++) {
		if (chosen->v[i].pin.state == TOPO_PINNED || compute_by_ports(c, &chosen->v[i]))
			continue;
		why = compute_why(c, &chosen->v[i]);
		printf("  path %" PRIu32 " cannot be pinned: %s\n", i + 1, why);
		free(why);
	}
}

static void choice_json(const struct compute *c, const struct topo_choice *choice)
{
	const struct topo_facts *facts = &choice->facts;
	bool pinned = choice->pin.state == TOPO_PINNED;
	char buf[TEXT_MAX], *why;
	uint32_t i;

	json_open_object(NULL);
	json_open_array("nodes");
	for (i = 0; i <= choice->path.n; i++)
		json_text(NULL, node_at(c, choice, i));
	json_close_array();
	json_u64("hops", choice->path.n);
	json_u64("cost", compute_cost(c->chooser.topo, &choice->path));
	json_u64("delay-ns", facts->delay_ns);
	json_u64("margin-ns", facts->margin_ns);
	json_u64("base-ns", facts->delay_ns + facts->margin_ns);
	json_u64("rate", facts->rate);
	json_bool("pinned", pinned);
	if (compute_by_ports(c, choice))
		json_u64("by-ports", c->ports);
	if (pinned) {
		json_open_array("segs");
		for (i = 0; i < choice->pin.n; i++)
			json_text(NULL, text_addr(buf, &choice->pin.sid[i]));
		json_close_array();
	} else {
		why = compute_why(c, choice);
		json_text("why", why);
		free(why);
	}
	json_close_object();
}

void compute_show(const struct compute *c, const struct topo_chosen *chosen, uint32_t from,
		  uint32_t to)
{
	uint32_t i;

	if (!opt.json) {
		show_text(c, chosen, from, to);
		return;
	}
	json_start(opt.pretty);
	json_open_object(NULL);
	json_text("from", c->chooser.topo->nodes[from].name);
	json_text("to", c->chooser.topo->nodes[to].name);
	json_open_array("paths");
	for (i = 0; i < chosen->n; i++)
		choice_json(c, &chosen->v[i]);
	json_close_array();
	json_close_object();
	json_end();
}

/* --- requests --------------------------------------------------------------------- */

/* Is it an address of this network namespace? EXIT_OK if so. */
static int apply_is_here(const struct topo_node *node)
{
	struct ifaddrs *list, *i;
	char text[TEXT_MAX];
	bool here = false;

	if (!node->has_addr)
		return usage_error("%s has no addr in the file, so that it cannot be told whether it is this host; add it",
				   node->name);
	if (getifaddrs(&list))
		return system_error("cannot list this host's addresses");
	for (i = list; i; i = i->ifa_next)
		here = here || (i->ifa_addr && i->ifa_addr->sa_family == AF_INET6 &&
				!memcmp(&((struct sockaddr_in6 *)i->ifa_addr)->sin6_addr,
					&node->addr, sizeof(node->addr)));
	freeifaddrs(list);
	if (!here)
		return usage_error("%s is not this host: its addr, %s, is none of this network namespace's; see -n NETNS",
				   node->name, text_addr(text, &node->addr));
	return EXIT_OK;
}

/* All of it, or nothing: a path that cannot be pinned would take another's way. */
static int apply_check(const struct compute *c, const struct topo_chosen *chosen, uint32_t from,
		       uint32_t to)
{
	const struct topo_node *nodes = c->chooser.topo->nodes;
	uint32_t i;
	char *why;

	if (!nodes[to].has_addr)
		return usage_error("%s has no addr in the file, so that no peer can be named; add it",
				   nodes[to].name);
	for (i = 0; i < chosen->n; i++) {
		if (chosen->v[i].pin.state == TOPO_PINNED || compute_by_ports(c, &chosen->v[i]))
			continue;
		why = compute_why(c, &chosen->v[i]);
		usage_error("nothing is added: path %" PRIu32 " cannot be pinned: %s; --anchors leaves such paths out",
			    i + 1, why);
		free(why);
		return EXIT_USAGE;
	}
	return apply_is_here(&nodes[from]);
}

/* The words of a command that needs no blanks within one. */
static int apply_words(char *line)
{
	const char *doing = opt.doing;
	char *words[16], *save, *word;
	struct args args = { 0, words };
	int ret;

	for (word = strtok_r(line, " ", &save); word; word = strtok_r(NULL, " ", &save))
		words[args.n++] = word;
	ret = cmd_run(&args);
	opt.doing = doing;
	return ret;
}

/* Paths that were added to a peer that is named by its address alone. */
static bool apply_has(const struct rows *rows, const struct in6_addr *peer)
{
	static const uint16_t keys[] = {
		LAPSMP_A_PATH_LOCAL, LAPSMP_A_PATH_IFINDEX, LAPSMP_A_PATH_MARK, LAPSMP_A_PATH_TOS,
		LAPSMP_A_PATH_AUTOMATIC
	};
	uint64_t port = LAPSMP_PORT;
	size_t i, k;

	sysctl_read("net/lapsmp/port", &port, 1);
	for (i = 0; i < rows->n; i++) {
		const struct in6_addr *addr = row_addr(&rows->v[i], LAPSMP_A_PATH_PEER);

		for (k = 0; k < ARRAY_SIZE(keys) && !row_has(&rows->v[i], keys[k]); k++)
			;
		if (addr && !memcmp(addr, peer, sizeof(*peer)) && k == ARRAY_SIZE(keys) &&
		    row_u64(&rows->v[i], LAPSMP_A_PATH_PORT) == port)
			return true;
	}
	return false;
}

static int apply_flush(const struct in6_addr *peer)
{
	char text[TEXT_MAX], *line;
	struct rows rows = { 0 };
	int ret = nl_dump(LAPSMP_CMD_PATH_GET, &rows);

	if (!ret && apply_has(&rows, peer)) {
		line = xprintf("path flush peer %s", text_addr(text, peer));
		ret = apply_words(line);
		free(line);
	}
	rows_free(&rows);
	return ret;
}

int compute_apply(const struct compute *c, const struct topo_chosen *chosen, uint32_t from,
		  uint32_t to)
{
	int ret = apply_check(c, chosen, from, to);
	struct options outer = opt;
	struct compute_lines lines;
	uint32_t i;

	if (ret)
		return ret;
	lines = compute_lines(c, chosen);
	/* One document was printed; the requests' answers would be more of them. */
	opt.json = false;
	ret = apply_flush(&c->chooser.topo->nodes[to].addr);
	for (i = 0; !ret && i < lines.n; i++)
		ret = apply_words(lines.v[i]);
	opt = outer;
	if (ret && i)
		complain("%" PRIu32 " of %" PRIu32 " paths were added before that", i - 1, lines.n);
	compute_lines_free(&lines);
	return ret;
}
