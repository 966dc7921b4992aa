// SPDX-License-Identifier: GPL-2.0
/* Events as they happen, a line for each. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "json.h"
#include "nl.h"
#include "show.h"
#include "util.h"

/**
 * struct monitor - what is wanted
 * @cmds: mask of the events' commands
 * @left: events that are still wanted
 */
struct monitor {
	uint32_t cmds;
	uint64_t left;
};

static const struct {
	const char *word;
	const char *event;
	uint8_t cmd;
} monitor_events[] = {
	{ "path", "path-event", LAPSMP_CMD_PATH_EVENT },
	{ "peer", "peer-event", LAPSMP_CMD_PEER_EVENT },
	{ "flow", "flow-event", LAPSMP_CMD_FLOW_EVENT },
};

static void monitor_json(const struct row *row, const char *event, const struct timespec *now)
{
	json_start(opt.pretty);
	json_open_object(NULL);
	json_text("event", event);
	json_u64("time-ns", (uint64_t)now->tv_sec * 1000000000 + (uint64_t)now->tv_nsec);
	show_json_row(row);
	json_close_object();
	json_end();
}

static void monitor_path(const struct row *row)
{
	char buf[TEXT_MAX], words[SHOW_PATH_MAX];
	const char *old, *new;

	old = show_value(row, LAPSMP_A_PATH_OLD_STATE, buf);
	new = show_value(row, LAPSMP_A_PATH_STATE, buf);
	printf(" id %" PRIu64 " sport %" PRIu64, row_u64(row, LAPSMP_A_PATH_ID),
	       row_u64(row, LAPSMP_A_PATH_SPORT));
	if (row_has(row, LAPSMP_A_PATH_FLOWLABEL))
		printf(" flowlabel %s", show_value(row, LAPSMP_A_PATH_FLOWLABEL, buf));
	printf("%s  ", show_path_words(row, false, words, sizeof(words)));
	if (strcmp(old, new))
		printf("%s%s%s -> ", color_on(color_of_state(old)), old,
		       color_off(color_of_state(old)));
	printf("%s%s%s", color_on(color_of_state(new)), new, color_off(color_of_state(new)));
}

static void monitor_flow(const struct row *row)
{
	char buf[TEXT_MAX];

	printf(" %" PRIu64 ">%" PRIu64 "  %s", row_u64(row, LAPSMP_A_FLOW_SPORT),
	       row_u64(row, LAPSMP_A_FLOW_DPORT), show_value(row, LAPSMP_A_FLOW_ERROR, buf));
}

static void monitor_text(const struct row *row, const char *word, const struct timespec *now)
{
	char name[SHOW_PEER_MAX], clock[16];
	uint16_t reason = LAPSMP_A_PEER_REASON;
	struct tm tm;

	strftime(clock, sizeof(clock), "%T", localtime_r(&now->tv_sec, &tm));
	printf("%s.%06ld  %s %s", clock, now->tv_nsec / 1000, word,
	       show_peer(row, name, sizeof(name)));
	if (row->cmd == LAPSMP_CMD_PATH_EVENT) {
		reason = LAPSMP_A_PATH_REASON;
		monitor_path(row);
	} else if (row->cmd == LAPSMP_CMD_FLOW_EVENT) {
		reason = LAPSMP_A_FLOW_REASON;
		monitor_flow(row);
	}
	printf("  %s\n", row_string(row, reason));
}

static bool monitor_seen(const struct row *row, void *data)
{
	struct monitor *m = data;
	struct timespec now;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(monitor_events); i++) {
		if (monitor_events[i].cmd == row->cmd)
			break;
	}
	if (i == ARRAY_SIZE(monitor_events) || !(m->cmds & 1u << row->cmd))
		return true;
	clock_gettime(CLOCK_REALTIME, &now);
	if (opt.json)
		monitor_json(row, monitor_events[i].event, &now);
	else
		monitor_text(row, monitor_events[i].word, &now);
	/* Whoever reads it wants to know now, and may have gone away. */
	return !fflush(stdout) && --m->left;
}

static int monitor_parse(struct monitor *m, struct args *args)
{
	size_t i;

	while (args->n) {
		for (i = 0; i < ARRAY_SIZE(monitor_events); i++) {
			if (args_take(args, monitor_events[i].word))
				break;
		}
		if (i < ARRAY_SIZE(monitor_events)) {
			m->cmds |= 1u << monitor_events[i].cmd;
			continue;
		}
		if (!args_take(args, "count"))
			return args_end(args);
		if (!args->n)
			return usage_error("count needs a value: count N");
		if (parse_u64("count", args_next(args), UINT32_MAX, &m->left))
			return EXIT_USAGE;
	}
	if (!m->cmds)
		m->cmds = UINT32_MAX;
	return EXIT_OK;
}

static int monitor_run(const struct object *object, const struct verb *verb, struct args *args)
{
	struct monitor m = { 0 };
	int ret = monitor_parse(&m, args);

	(void)object;
	(void)verb;
	return ret ? ret : nl_listen(monitor_seen, &m);
}

static const struct param monitor_params[] = {
	{ "path", "", 0, NULL },
	{ "peer", "", 0, NULL },
	{ "flow", "", 0, NULL },
	{ "count", "N", 0, NULL },
};

static const struct params monitor_params_list = { monitor_params, ARRAY_SIZE(monitor_params) };

static const struct verb monitor_verbs[] = {
	{ NULL, monitor_run, 0, 0,
	  PARAM_OWN(0) | PARAM_OWN(1) | PARAM_OWN(2) | PARAM_OWN(3),
	  .text = "Print events, of all objects or of some, as they happen; end after N." },
};

const struct object cmd_monitor = {
	"monitor", monitor_verbs, ARRAY_SIZE(monitor_verbs), &monitor_params_list,
	"print events as they happen"
};
