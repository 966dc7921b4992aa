// SPDX-License-Identifier: GPL-2.0
/* Remote hosts. */
#include <inttypes.h>

#include "cmd.h"
#include "nl.h"
#include "show.h"
#include "util.h"

static const struct param peer_params[] = {
	{ NULL, "ADDRESS", LAPSMP_A_PEER_PEER, put_addr },
	{ "sched", "NAME|default", LAPSMP_A_PEER_SCHED, put_policy },
	{ "cc", "NAME|default", LAPSMP_A_PEER_CC, put_policy },
	{ "answers", "SID[,SID]...|plain", LAPSMP_A_PEER_ANSWERS, put_answers },
};

enum {
	PEER_ADDR = PARAM_OWN(0),
	PEER_SCHED = PARAM_OWN(1),
	PEER_CC = PARAM_OWN(2),
	PEER_ANSWERS = PARAM_OWN(3),
};

static const struct params peer_params_list = { peer_params, ARRAY_SIZE(peer_params) };

static const struct column peer_columns[] = {
	{ "peer", .left = true, .min = 12 }, { "paths up", .min = 8 },
	{ "sched", .left = true, .min = 7 }, { "cc", .left = true, .min = 7 },
	{ "line rate", .min = 10 }, { "source", .left = true, .min = 10 },
	{ "clock offset", .min = 12 }, { "skew", .min = 7 }, { "idle", .min = 7 },
	{ "made", .left = true },
};

static const char *peer_choice(const struct row *row, uint16_t type)
{
	return row_has(row, type) ? row_string(row, type) : "default";
}

static void peer_line(struct table *t, const struct row *row)
{
	uint64_t paths = row_u64(row, LAPSMP_A_PEER_PATHS);
	uint64_t up = row_u64(row, LAPSMP_A_PEER_PATHS_UP);
	char buf[TEXT_MAX], name[SHOW_PEER_MAX];

	table_add(t, COLOR_NONE, "%s", show_peer(row, name, sizeof(name)));
	table_add(t, paths && up == paths ? COLOR_GREEN : COLOR_NONE,
		  "%" PRIu64 "/%" PRIu64, up, paths);
	table_add(t, COLOR_NONE, "%s", peer_choice(row, LAPSMP_A_PEER_SCHED));
	table_add(t, COLOR_NONE, "%s", peer_choice(row, LAPSMP_A_PEER_CC));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_PEER_LINE_RATE, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_PEER_SOURCE, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_PEER_OFFSET_NS, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_PEER_SKEW_PPB, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_PEER_IDLE_NS, buf));
	table_add(t, COLOR_NONE, "%s", row_has(row, LAPSMP_A_PEER_CONFIGURED) ? "set" : "auto");
}

static int peer_show(const struct object *object, const struct verb *verb, struct args *args)
{
	struct rows rows = { 0 };
	struct table *t;
	size_t i;
	int ret;

	ret = cmd_get(object, verb, args, 0, &rows, NULL);
	if (!ret && opt.json) {
		show_json_rows(&rows);
	} else if (!ret && rows.n) {
		t = table_new(peer_columns, ARRAY_SIZE(peer_columns), 0);
		for (i = 0; i < rows.n; i++)
			peer_line(t, &rows.v[i]);
		table_print(t, stdout);
	}
	rows_free(&rows);
	return ret;
}

static const struct verb peer_verbs[] = {
	{ "show", peer_show, LAPSMP_CMD_PEER_GET, 0, PEER_ADDR | PARAM_KEY,
	  .text = "Show remote hosts, or those of this address (and port, ...)." },
	{ "set", cmd_send, LAPSMP_CMD_PEER_SET, PEER_ADDR,
	  PARAM_KEY | PEER_SCHED | PEER_CC | PEER_ANSWERS,
	  .text = "Choose policies for new flows to a peer; 'default' takes back the choice. Choose\n"
		  "      SRv6 segments for answers to an IPv4 peer, or the plain route." },
	{ "del", cmd_send, LAPSMP_CMD_PEER_DEL, PEER_ADDR, PARAM_KEY,
	  .text = "Forget a peer. Flows that use it go on; new ones make a new one." },
	{ "flush", cmd_send, LAPSMP_CMD_PEER_FLUSH, 0, PEER_ADDR,
	  .text = "Forget all peers, or those of this address." },
};

const struct object cmd_peer = {
	"peer", peer_verbs, ARRAY_SIZE(peer_verbs), &peer_params_list, "remote hosts"
};
