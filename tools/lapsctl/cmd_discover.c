// SPDX-License-Identifier: GPL-2.0
/*
 * "path discover": probes with many source ports (or flow labels), groups these by
 * the routers that they meet, and keeps one port for each of the routes with least in
 * common. Documentation/discovery.md says what is sent and what can be concluded.
 *
 *	discover/walk.c, trace.c, group.c, tree.c	pure: whom to ask, what it means
 *	discover/packet.c, probe.c			bytes, sockets
 *	discover/report.c				output
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <linux/capability.h>
#include <linux/genetlink.h>

#include <linux/lapsmp.h>

#include "cmd_discover.h"
#include "nl.h"
#include "print.h"
#include "sysctl.h"
#include "util.h"
#include "discover/report.h"

#define NSEC_PER_MSEC	1000000ull

#define DISCOVER_PORTS_MAX	1024
/* Ports, if nobody says how many: they see all of nine equal routes with 99 %. */
#define DISCOVER_PORTS_USUAL	64

enum discover_option {
	DISCOVER_PORTS,
	DISCOVER_LABELS,
	DISCOVER_KEEP,
	DISCOVER_APPLY,
	DISCOVER_RATE,
	DISCOVER_MAX_HOPS,
	DISCOVER_TIMEOUT,
	DISCOVER_OPTIONS
};

/* Of each option: what it may be, and what it is if it is not given. */
static const struct {
	uint64_t min;
	uint64_t max;
	uint64_t usual;
} discover_limits[DISCOVER_OPTIONS] = {
	[DISCOVER_PORTS] = { 1, DISCOVER_PORTS_MAX, 0 },
	[DISCOVER_LABELS] = { 1, DISCOVER_PORTS_MAX, 0 },
	[DISCOVER_KEEP] = { 1, DISCOVER_PORTS_MAX, 0 },
	[DISCOVER_APPLY] = { 0, 0, 0 },
	/* A host's stateless answers end at 20,000 a second, for all who ask. */
	[DISCOVER_RATE] = { 1, 10000, 100 },
	[DISCOVER_MAX_HOPS] = { 1, HOPS_MAX, 30 },
	/* Linux routers answer us once a second: what is missed is asked again later. */
	[DISCOVER_TIMEOUT] = { 1, 60000, 1100 },
};

static uint64_t discover_options[DISCOVER_OPTIONS];

static int discover_put(struct nlmsghdr *req, const struct param *param, const char *word)
{
	uint64_t *value = &discover_options[param->attr];

	(void)req;
	if (!*word) {
		*value = 1;
		return EXIT_OK;
	}
	if (parse_u64(param->name, word, discover_limits[param->attr].max, value))
		return EXIT_USAGE;
	if (*value < discover_limits[param->attr].min)
		return usage_error("%s 0 makes no sense", param->name);
	return EXIT_OK;
}

static const struct param discover_list[] = {
	{ NULL, "PEER", LAPSMP_A_PATH_PEER, put_addr },
	{ "--ports", "N", DISCOVER_PORTS, discover_put },
	{ "--labels", "N", DISCOVER_LABELS, discover_put },
	{ "--keep", "K", DISCOVER_KEEP, discover_put },
	{ "--apply", "", DISCOVER_APPLY, discover_put },
	{ "--rate", "N", DISCOVER_RATE, discover_put },
	{ "--max-hops", "N", DISCOVER_MAX_HOPS, discover_put },
	{ "--timeout", "MS", DISCOVER_TIMEOUT, discover_put },
};

const struct params discover_params = { discover_list, ARRAY_SIZE(discover_list) };

/**
 * struct discovery - one run
 * @key: what names the peer, as a request that paths can be added to
 * @prober: sockets
 * @walk: what was seen
 * @groups: the routes
 * @picked: those that are kept; [n_picked]
 * @n_picked: how many
 * @ids: the paths of these, if they were added
 */
struct discovery {
	struct nlmsghdr *key;
	struct prober prober;
	struct walk walk;
	struct groups groups;
	unsigned int *picked;
	unsigned int n_picked;
	uint16_t *ids;
};

/* --- what is asked for ------------------------------------------------------------ */

/* The peer's key, out of the request that the words became. */
static void discover_key(struct discovery *d)
{
	struct probe_to *to = &d->prober.to;
	uint64_t port = LAPSMP_PORT;
	struct row row;

	row_parse(&row, d->key);
	sysctl_read("net/lapsmp/port", &port, 1);
	to->peer = *row_addr(&row, LAPSMP_A_PATH_PEER);
	if (row_has(&row, LAPSMP_A_PATH_PORT))
		port = row_u64(&row, LAPSMP_A_PATH_PORT);
	to->port = (uint16_t)port;
	if (row_has(&row, LAPSMP_A_PATH_LOCAL))
		to->local = *row_addr(&row, LAPSMP_A_PATH_LOCAL);
	to->ifindex = (unsigned int)row_u64(&row, LAPSMP_A_PATH_IFINDEX);
	to->mark = (uint32_t)row_u64(&row, LAPSMP_A_PATH_MARK);
	to->tos = (uint8_t)row_u64(&row, LAPSMP_A_PATH_TOS);
	to->labels = discover_options[DISCOVER_LABELS];
	to->rate = (unsigned int)discover_options[DISCOVER_RATE];
	to->timeout_ns = discover_options[DISCOVER_TIMEOUT] * NSEC_PER_MSEC;
}

/* It would be a pity to find out after a minute of probing. */
static bool discover_may_apply(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return syscall(SYS_capget, &head, data) ||
	       data[CAP_TO_INDEX(CAP_NET_ADMIN)].effective & CAP_TO_MASK(CAP_NET_ADMIN);
}

static bool discover_is_many(const struct in6_addr *addr)
{
	if (!IN6_IS_ADDR_V4MAPPED(addr))
		return IN6_IS_ADDR_MULTICAST(addr) || IN6_IS_ADDR_UNSPECIFIED(addr);
	return IN_MULTICAST(ntohl(addr->s6_addr32[3])) || !addr->s6_addr32[3];
}

/* Return: an exit status. */
static int discover_check(const struct discovery *d)
{
	const struct probe_to *to = &d->prober.to;
	bool v4 = IN6_IS_ADDR_V4MAPPED(&to->peer);
	bool any = IN6_IS_ADDR_UNSPECIFIED(&to->local);

	if (discover_options[DISCOVER_PORTS] && discover_options[DISCOVER_LABELS])
		return usage_error("--ports and --labels: give one of them");
	if (to->labels && v4)
		return usage_error("--labels: IPv4 has no flow labels");
	if (discover_is_many(&to->peer))
		return usage_error("peer: not the address of one host");
	if (!to->port)
		return usage_error("port 0 is none");
	if (!any && v4 != IN6_IS_ADDR_V4MAPPED(&to->local))
		return usage_error("bound: not of the same family as the peer");
	if (discover_options[DISCOVER_APPLY] && !discover_may_apply())
		return system_error("--apply: not permitted: adding paths needs CAP_NET_ADMIN; try as root");
	/* Without lapsmp in the kernel: the kernel's answer says so. */
	if (discover_options[DISCOVER_APPLY])
		return nl_run(nl_begin(LAPSMP_CMD_STATS_GET, 0), NULL);
	return EXIT_OK;
}

/* As many as lapsmp would have by itself, if nobody says more. */
static unsigned int discover_keep(void)
{
	uint64_t keep = discover_options[DISCOVER_KEEP], usual = DISCOVER_PORTS_MAX;

	if (keep)
		return (unsigned int)keep;
	sysctl_read("net/lapsmp/auto_paths", &usual, 1);
	return usual ? (unsigned int)usual : 1;
}

/* --- adding paths ------------------------------------------------------------------- */

static struct nlmsghdr *discover_request(const struct discovery *d, uint8_t cmd)
{
	struct nlmsghdr *req = nl_begin(cmd, 0);

	memcpy(req, d->key, d->key->nlmsg_len);
	((struct genlmsghdr *)mnl_nlmsg_get_payload(req))->cmd = cmd;
	return req;
}

static int discover_add(struct discovery *d, unsigned int pick)
{
	const struct group *g = &d->groups.v[d->picked[pick]];
	uint32_t value = d->walk.traces[g->best].value;
	struct nlmsghdr *req = discover_request(d, LAPSMP_CMD_PATH_NEW);
	bool labels = d->prober.to.labels;
	struct rows rows = { 0 };
	int ret;

	mnl_attr_put_u16(req, LAPSMP_A_PATH_SPORT, labels ? d->prober.sport : (uint16_t)value);
	if (labels)
		mnl_attr_put_u32(req, LAPSMP_A_PATH_FLOWLABEL, value);
	ret = nl_run(req, &rows);
	if (!ret && rows.n)
		d->ids[pick] = (uint16_t)row_u64(&rows.v[0], LAPSMP_A_PATH_ID);
	rows_free(&rows);
	return ret;
}

/* All of them or, as far as that is possible, none. */
static int discover_apply(struct discovery *d)
{
	struct nlmsghdr *req;
	unsigned int i;
	int ret = EXIT_OK;

	d->ids = xalloc(d->n_picked * sizeof(*d->ids));
	memset(d->ids, 0, d->n_picked * sizeof(*d->ids));
	for (i = 0; !ret && i < d->n_picked; i++)
		ret = discover_add(d, i);
	if (!ret)
		return EXIT_OK;
	for (i--; i--; ) {
		req = discover_request(d, LAPSMP_CMD_PATH_DEL);
		mnl_attr_put_u16(req, LAPSMP_A_PATH_ID, d->ids[i]);
		nl_run(req, NULL);
	}
	return ret;
}

/* --- the run -------------------------------------------------------------------- */

static void discover_init(struct discovery *d)
{
	uint64_t ports = discover_options[DISCOVER_PORTS], labels = discover_options[DISCOVER_LABELS];
	unsigned int n = (unsigned int)(labels ? labels : ports ? ports : DISCOVER_PORTS_USUAL);
	struct walk *w = &d->walk;

	w->n = n;
	w->max_hops = (unsigned int)discover_options[DISCOVER_MAX_HOPS];
	w->traces = xalloc(n * sizeof(*w->traces));
	memset(w->traces, 0, n * sizeof(*w->traces));
	w->asked = xalloc(n * sizeof(*w->asked));
	d->groups.v = xalloc(n * sizeof(*d->groups.v));
	d->groups.of = xalloc(n * sizeof(*d->groups.of));
	d->picked = xalloc(n * sizeof(*d->picked));
	d->prober.walk = w;
	walk_begin(w);
}

static void discover_free(struct discovery *d)
{
	free(d->walk.traces);
	free(d->walk.asked);
	free(d->groups.v);
	free(d->groups.of);
	free(d->picked);
	free(d->ids);
	free(d->key);
}

/* It may take a minute: on a terminal it says how far it is, or takes that back. */
static void discover_progress(const struct discovery *d, bool over)
{
	if (!isatty(STDERR_FILENO))
		return;
	if (over)
		fputs("\r\033[K", stderr);
	else
		fprintf(stderr, "\r%" PRIu64 " probes, %" PRIu64 " answers ", d->prober.sent,
			d->prober.answered);
}

static int discover_probe(struct discovery *d)
{
	struct walk_ask *asks = xalloc(d->walk.n * sizeof(*asks));
	int ret = prober_open(&d->prober);
	unsigned int n;

	while (!ret && (n = walk_plan(&d->walk, asks))) {
		ret = prober_round(&d->prober, asks, n);
		walk_close(&d->walk);
		discover_progress(d, false);
	}
	discover_progress(d, true);
	/* Paths need the ports. */
	prober_close(&d->prober);
	free(asks);
	return ret;
}

/* The way that leads farthest, of those that were rejected if any were. */
static const struct trace *discover_farthest(const struct discovery *d)
{
	const struct trace *far = &d->walk.traces[0];
	unsigned int i;

	for (i = 1; i < d->walk.n; i++) {
		const struct trace *t = &d->walk.traces[i];

		if (!!t->len > !!far->len ||
		    (!!t->len == !!far->len && trace_hops(t) > trace_hops(far)))
			far = t;
	}
	return far;
}

/* The peer, or its host, has answered what was not limited. */
static bool discover_is_far(const struct discovery *d)
{
	unsigned int i;

	for (i = 0; i < d->walk.n; i++)
		if (d->walk.traces[i].hops[0].kind == HOP_PEER ||
		    d->walk.traces[i].hops[0].kind == HOP_PORT)
			return true;
	return false;
}

/* The way did not lead to the peer. Return: an exit status. */
static int discover_unreached(const struct discovery *d, const struct report *r)
{
	char peer[TEXT_MAX], last[TEXT_MAX];
	const struct trace *far = discover_farthest(d);
	unsigned int top = trace_hops(far);

	if (report_ends(r, HOP_PEER) || report_ends(r, HOP_PORT))
		return EXIT_OK;
	text_addr(peer, &d->prober.to.peer);
	if (discover_is_far(d))
		return system_error("%s answers, but is farther than %" PRIu64 " hops; give a larger --max-hops",
				    peer, discover_options[DISCOVER_MAX_HOPS]);
	if (!top)
		return system_error("%s does not answer, nor does any router on the way", peer);
	text_addr(last, &far->hops[top].addr);
	if (far->len)
		return system_error("%s is not reached: %s at hop %u says: %s", peer, last, top,
				    strerror(far->hops[top].code));
	return system_error("%s does not answer; the last that does is %s at hop %u", peer, last,
			    top);
}

static int discover_conclude(struct discovery *d)
{
	struct report r = { &d->prober, &d->walk, &d->groups, d->picked, 0, NULL };
	int ret = EXIT_OK, unreached;

	groups_make(&d->groups, d->walk.traces, d->walk.n);
	d->n_picked = groups_pick(&d->groups, discover_keep(), d->picked);
	if (discover_options[DISCOVER_APPLY] && d->n_picked)
		ret = discover_apply(d);
	r.n_picked = d->n_picked;
	r.ids = ret ? NULL : d->ids;
	if (opt.json)
		report_json(&r);
	else
		report_text(&r);
	unreached = discover_unreached(d, &r);
	if (discover_options[DISCOVER_APPLY] && !d->n_picked && !unreached)
		return system_error("--apply: no route that a path could be pinned to");
	return ret ? ret : unreached;
}

int discover_run(const struct object *object, const struct verb *verb, struct args *args)
{
	struct nlmsghdr *req = nl_begin(verb->cmd, 0);
	struct discovery d = { 0 };
	int ret, i;

	(void)object;
	for (i = 0; i < DISCOVER_OPTIONS; i++)
		discover_options[i] = discover_limits[i].usual;
	ret = params_parse(args, verb->params, verb->need, verb->may, req, NULL);
	/* Checked only: a file of commands that is read for the first time. */
	if (ret || nl_is_dry())
		return ret;
	d.key = xalloc(req->nlmsg_len);
	memcpy(d.key, req, req->nlmsg_len);
	discover_key(&d);
	ret = discover_check(&d);
	if (!ret) {
		discover_init(&d);
		ret = discover_probe(&d);
	}
	if (!ret)
		ret = discover_conclude(&d);
	discover_free(&d);
	return ret;
}
