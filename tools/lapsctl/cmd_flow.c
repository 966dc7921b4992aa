// SPDX-License-Identifier: GPL-2.0
/* Flows: messages in one direction between two ports. */
#include <inttypes.h>

#include "cmd.h"
#include "nl.h"
#include "show.h"
#include "util.h"

static const struct param flow_params[] = {
	{ "direction", "tx|rx", LAPSMP_A_FLOW_DIRECTION, put_direction },
	{ "id", "ID", LAPSMP_A_FLOW_ID, put_u64 },
};

enum {
	FLOW_DIRECTION = PARAM_OWN(0),
	FLOW_ID = PARAM_OWN(1),
};

static const struct params flow_params_list = { flow_params, ARRAY_SIZE(flow_params) };

static const struct column tx_columns[] = {
	{ "to", .left = true, .min = 15 }, { "state", .left = true, .min = 7 },
	{ "sched", .left = true, .min = 5 }, { "cc", .left = true, .min = 5 }, { .head = "paths" },
	{ "window", .min = 6 }, { "pace", .min = 10 }, { .head = "inflight" }, { .head = "msgs" },
	{ "queued", .min = 7 }, { "acked", .min = 7 }, { "resent", .min = 6 },
};

static const struct column rx_columns[] = {
	{ "from", .left = true, .min = 15 }, { .head = "paths" }, { .head = "msgs" },
	{ "queued", .min = 7 }, { "credit", .min = 7 }, { "idle", .min = 7 },
	{ "", .left = true },
};

/* "10.0.2.1 4000>5000": the sender's port first. */
static const char *flow_name(const struct row *row, char *buf, size_t room)
{
	char addr[TEXT_MAX];

	snprintf(buf, room, "%s %" PRIu64 ">%" PRIu64,
		 text_addr(addr, row_addr(row, LAPSMP_A_FLOW_PEER)),
		 row_u64(row, LAPSMP_A_FLOW_SPORT), row_u64(row, LAPSMP_A_FLOW_DPORT));
	return buf;
}

static void flow_tx_line(struct table *t, const struct row *row)
{
	char buf[TEXT_MAX], name[SHOW_PEER_MAX];
	const char *state;

	table_add(t, COLOR_NONE, "%s", flow_name(row, name, sizeof(name)));
	state = show_value(row, LAPSMP_A_FLOW_STATE, buf);
	table_add(t, color_of_state(state), "%s", state);
	table_add(t, COLOR_NONE, "%s", row_string(row, LAPSMP_A_FLOW_SCHED));
	table_add(t, COLOR_NONE, "%s", row_string(row, LAPSMP_A_FLOW_CC));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_PATHS, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_CWND_Q16, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_PACING_RATE, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_INFLIGHT, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_MESSAGES, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_QUEUED_BYTES, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_ACKED_BYTES, buf));
	table_add(t, COLOR_NONE, "%s",
		  text_count(buf, row_u64(row, LAPSMP_A_FLOW_RETRANS_SEGS)));
}

static void flow_rx_line(struct table *t, const struct row *row)
{
	char buf[TEXT_MAX], name[SHOW_PEER_MAX];

	table_add(t, COLOR_NONE, "%s", flow_name(row, name, sizeof(name)));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_PATHS, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_MESSAGES, buf));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_QUEUED_BYTES, buf));
	table_add(t, COLOR_NONE, "%s", text_count(buf, row_u64(row, LAPSMP_A_FLOW_CREDIT)));
	table_add(t, COLOR_NONE, "%s", show_value(row, LAPSMP_A_FLOW_IDLE_NS, buf));
	table_add(t, COLOR_DIM, "%s", row_has(row, LAPSMP_A_FLOW_ORPHAN) ? "socket closed" : "");
}

static void flow_table(const struct rows *rows, bool rx)
{
	struct table *t = rx ? table_new(rx_columns, ARRAY_SIZE(rx_columns), 2) :
			       table_new(tx_columns, ARRAY_SIZE(tx_columns), 2);
	size_t i, n = 0;

	for (i = 0; i < rows->n; i++) {
		if ((row_u64(&rows->v[i], LAPSMP_A_FLOW_DIRECTION) == LAPSMP_DIRECTION_RX) != rx)
			continue;
		if (rx)
			flow_rx_line(t, &rows->v[i]);
		else
			flow_tx_line(t, &rows->v[i]);
		n++;
	}
	if (n) {
		printf("%s%s%s\n", color_on(COLOR_BOLD), rx ? "receiving" : "sending",
		       color_off(COLOR_BOLD));
		table_print(t, stdout);
	} else {
		table_free(t);
	}
}

static int flow_show(const struct object *object, const struct verb *verb, struct args *args)
{
	struct rows rows = { 0 };
	uint32_t given;
	int ret;

	ret = cmd_get(object, verb, args, FLOW_ID, &rows, &given);
	if (!ret && opt.json) {
		show_json_rows(&rows);
	} else if (!ret && given & FLOW_ID && rows.n) {
		show_details(&rows.v[0]);
	} else if (!ret) {
		flow_table(&rows, false);
		flow_table(&rows, true);
	}
	rows_free(&rows);
	return ret;
}

static const struct verb flow_verbs[] = {
	{ "show", flow_show, LAPSMP_CMD_FLOW_GET, 0, PARAM_PEER | FLOW_DIRECTION | FLOW_ID,
	  .text = "Show flows, or all about the one with this id (which administrators can see;\n"
		  "      one that receives is named by peer, direction rx and id)." },
};

const struct object cmd_flow = {
	"flow", flow_verbs, ARRAY_SIZE(flow_verbs), &flow_params_list,
	"messages under way, per socket and remote port"
};
