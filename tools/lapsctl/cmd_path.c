// SPDX-License-Identifier: GPL-2.0
/* Paths to peers. */
#include <inttypes.h>

#include "cmd.h"
#include "cmd_compute.h"
#include "cmd_discover.h"
#include "nl.h"
#include "show.h"
#include "util.h"

static const struct param path_params[] = {
	{ "id", "ID", LAPSMP_A_PATH_ID, put_u16 },
	{ "sport", "PORT", LAPSMP_A_PATH_SPORT, put_u16 },
	{ "flowlabel", "LABEL", LAPSMP_A_PATH_FLOWLABEL, put_u32 },
	{ "segs", "SID[,SID]...", LAPSMP_A_PATH_SEGS, put_addrs6 },
	{ "local", "ADDRESS", LAPSMP_A_PATH_SOURCE, put_addr },
	{ "remote", "ADDRESS", LAPSMP_A_PATH_REMOTE, put_addr },
	{ "dev", "DEVICE", LAPSMP_A_PATH_DEVICE, put_device },
	{ "hmac", "KEYID", LAPSMP_A_PATH_HMAC, put_u32 },
	{ "rate", "RATE", LAPSMP_A_PATH_CONF_RATE, put_rate },
	{ "base", "TIME", LAPSMP_A_PATH_CONF_BASE_NS, put_time },
	{ "weight", "WEIGHT", LAPSMP_A_PATH_WEIGHT, put_u32 },
	{ "cost", "COST", LAPSMP_A_PATH_COST, put_u32 },
};

enum {
	PATH_ID = PARAM_OWN(0),
	/* What makes it take another way: one of them at least. */
	PATH_WAY = PARAM_OWN(1) | PARAM_OWN(2) | PARAM_OWN(3) | PARAM_OWN(4) | PARAM_OWN(5) |
		   PARAM_OWN(6),
	PATH_HMAC = PARAM_OWN(7),
	PATH_CONF = PARAM_OWN(8) | PARAM_OWN(9) | PARAM_OWN(10) | PARAM_OWN(11),
};

static const struct params path_params_list = { path_params, ARRAY_SIZE(path_params) };

static const struct column path_columns[] = {
	{ "id", .min = 2 }, { "sport", .min = 5 }, { "flowlabel", .rare = true },
	{ "segs", .left = true, .rare = true }, { "local", .left = true, .rare = true },
	{ "remote", .left = true, .rare = true }, { "dev", .left = true, .rare = true },
	{ "made", .left = true },
	{ "state", .left = true, .min = 8 }, { "why", .left = true, .rare = true },
	{ "rate", .min = 10 }, { "delay", .min = 7 },
	{ "base", .min = 7 }, { "rtt", .min = 7 }, { "sent", .min = 7 }, { "share", .min = 6 },
	{ "lost", .min = 4 }, { "resent", .min = 6 },
};

static void path_line(struct table *t, const struct row *row, uint64_t peer_bytes)
{
	uint64_t lost = row_u64(row, LAPSMP_A_PATH_LOST_SEGS);
	const char *state;
	char buf[TEXT_MAX];

	table_add(t, COLOR_NONE, "%" PRIu64, row_u64(row, LAPSMP_A_PATH_ID));
	table_add(t, COLOR_NONE, "%" PRIu64, row_u64(row, LAPSMP_A_PATH_SPORT));
	table_add(t, COLOR_NONE, "%s", show_rare(row, LAPSMP_A_PATH_FLOWLABEL, buf));
	table_add(t, COLOR_NONE, "%s", show_path_segs(row, buf));
	table_add(t, COLOR_NONE, "%s", show_rare(row, LAPSMP_A_PATH_SOURCE, buf));
	table_add(t, COLOR_NONE, "%s", show_rare(row, LAPSMP_A_PATH_REMOTE, buf));
	table_add(t, COLOR_NONE, "%s", show_rare(row, LAPSMP_A_PATH_DEVICE, buf));
	table_add(t, COLOR_NONE, "%s", row_has(row, LAPSMP_A_PATH_AUTOMATIC) ? "auto" : "set");
	state = show_value(row, LAPSMP_A_PATH_STATE, buf);
	table_add(t, color_of_state(state), "%s", state);
	table_add(t, COLOR_NONE, "%s", row_u64(row, LAPSMP_A_PATH_STATE) == LAPSMP_PATH_STATE_DOWN ?
				       row_string(row, LAPSMP_A_PATH_REASON) : "");
	table_add(t, COLOR_NONE, "%s", row_u64(row, LAPSMP_A_PATH_RATE) ?
				       show_value(row, LAPSMP_A_PATH_RATE, buf) : "-");
	table_add(t, COLOR_NONE, "%s", show_path_time(row, LAPSMP_A_PATH_OWD_NS, buf));
	table_add(t, COLOR_NONE, "%s", show_path_time(row, LAPSMP_A_PATH_BASE_NS, buf));
	table_add(t, COLOR_NONE, "%s", show_path_time(row, LAPSMP_A_PATH_SRTT_NS, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_PATH_TX_BYTES, buf));
	table_add(t, COLOR_NONE, "%s", text_share(buf, row_u64(row, LAPSMP_A_PATH_TX_BYTES),
						  peer_bytes));
	table_add(t, lost ? COLOR_YELLOW : COLOR_NONE, "%s", text_count(buf, lost));
	table_add(t, COLOR_NONE, "%s",
		  text_count(buf, row_u64(row, LAPSMP_A_PATH_RETRANS_SEGS)));
}

/* The rows from @first on that are of one peer. Return: where the next begins. */
static size_t path_group(const struct rows *rows, size_t first)
{
	struct table *t = table_new(path_columns, ARRAY_SIZE(path_columns), 2);
	char name[SHOW_PEER_MAX];
	uint64_t bytes = 0;
	size_t i, end;

	for (end = first; end < rows->n && row_same_peer(&rows->v[first], &rows->v[end]); end++)
		bytes += row_u64(&rows->v[end], LAPSMP_A_PATH_TX_BYTES);
	for (i = first; i < end; i++)
		path_line(t, &rows->v[i], bytes);
	printf("%speer %s%s\n", color_on(COLOR_BOLD), show_peer(&rows->v[first], name,
								sizeof(name)),
	       color_off(COLOR_BOLD));
	table_print(t, stdout);
	return end;
}

static int path_show(const struct object *object, const struct verb *verb, struct args *args)
{
	struct rows rows = { 0 };
	uint32_t given;
	size_t i;
	int ret;

	ret = cmd_get(object, verb, args, PATH_ID, &rows, &given);
	if (!ret && opt.json)
		show_json_rows(&rows);
	else if (!ret && given & PATH_ID && rows.n)
		show_details(&rows.v[0]);
	else if (!ret)
		for (i = 0; i < rows.n; )
			i = path_group(&rows, i);
	rows_free(&rows);
	return ret;
}

static const struct verb path_verbs[] = {
	{ "show", path_show, LAPSMP_CMD_PATH_GET, 0, PARAM_PEER | PARAM_KEY | PATH_ID,
	  .text = "Show paths, or all about the one with this id." },
	{ "add", cmd_send, LAPSMP_CMD_PATH_NEW, PARAM_PEER | PATH_WAY,
	  PARAM_KEY | PATH_WAY | PATH_HMAC | PATH_ID | PATH_CONF,
	  .text = "Add a path, by its source port, its IPv6 flow label, SRv6 segments, another local or\n"
		  "      remote address than the peer's, its device, or several of these. The first that\n"
		  "      has the peer's own addresses replaces the automatic ones." },
	{ "change", cmd_send, LAPSMP_CMD_PATH_SET, PARAM_PEER | PATH_ID, PARAM_KEY | PATH_CONF,
	  .text = "Change what is configured of a path; 0 means measured." },
	{ "del", cmd_send, LAPSMP_CMD_PATH_DEL, PARAM_PEER | PATH_ID, PARAM_KEY,
	  .text = "Remove a path." },
	{ "flush", cmd_send, LAPSMP_CMD_PATH_FLUSH, PARAM_PEER, PARAM_KEY,
	  .text = "Remove all paths of a peer; automatic ones take their place." },
	{ "compute", path_compute, 0, COMPUTE_NEED, COMPUTE_MAY, .params = &compute_params,
	  .text = "Find the shortest paths between two nodes of a network that a file describes,\n"
		  "      and the segments that pin them; add them if this host is the first node.\n"
		  "      Or for all pairs of hosts, with files of commands for each." },
	{ "discover", discover_run, LAPSMP_CMD_PATH_NEW, DISCOVER_NEED, DISCOVER_MAY,
	  .params = &discover_params,
	  .text = "Find out which routes N source ports, or N flow labels on one, take to a peer, show\n"
		  "      them, and pick the K that have least in common; add paths for these if told to." },
};

const struct object cmd_path = {
	"path", path_verbs, ARRAY_SIZE(path_verbs), &path_params_list, "ways to a remote host"
};
