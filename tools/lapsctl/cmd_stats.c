// SPDX-License-Identifier: GPL-2.0
/* Counters of the namespace, and the version. */
#include <inttypes.h>

#include "cmd.h"
#include "json.h"
#include "nl.h"
#include "show.h"
#include "util.h"

#define LAPSCTL_VERSION	"0.1"

static const struct param stats_params[] = {
	{ "all", "", 0, NULL },
};

static const struct params stats_params_list = { stats_params, ARRAY_SIZE(stats_params) };

static void stats_text(const struct row *row, bool all)
{
	uint16_t type;

	for (type = 1; type <= row->set->max; type++) {
		const struct attr *attr = attr_get(row->set, type);

		if (row_has(row, type) && (all || row_u64(row, type)))
			printf("%20" PRIu64 "  %-18s  %s%s%s\n", row_u64(row, type), attr->name,
			       color_on(COLOR_DIM), attr->text, color_off(COLOR_DIM));
	}
}

static int stats_show(const struct object *object, const struct verb *verb, struct args *args)
{
	bool all = args_take(args, "all");
	struct rows rows = { 0 };
	int ret = args_end(args);

	(void)object;
	if (!ret)
		ret = nl_run(nl_begin(verb->cmd, 0), &rows);
	if (!ret && rows.n && opt.json) {
		json_start(opt.pretty);
		json_open_object(NULL);
		show_json_row(&rows.v[0]);
		json_close_object();
		json_end();
	} else if (!ret && rows.n) {
		stats_text(&rows.v[0], all);
	}
	rows_free(&rows);
	return ret;
}

static const struct verb stats_verbs[] = {
	{ "show", stats_show, LAPSMP_CMD_STATS_GET, 0, PARAM_OWN(0),
	  .text = "Show the counters that are not 0, or all." },
};

const struct object cmd_stats = {
	"stats", stats_verbs, ARRAY_SIZE(stats_verbs), &stats_params_list,
	"counters of the network namespace"
};

static int version_run(const struct object *object, const struct verb *verb, struct args *args)
{
	int ret = args_end(args);

	(void)object;
	(void)verb;
	if (ret)
		return ret;
	if (!opt.json) {
		printf("lapsctl %s, netlink family %s version %d\n", LAPSCTL_VERSION,
		       LAPSMP_FAMILY_NAME, LAPSMP_FAMILY_VERSION);
		return EXIT_OK;
	}
	json_start(opt.pretty);
	json_open_object(NULL);
	json_text("lapsctl", LAPSCTL_VERSION);
	json_text("family", LAPSMP_FAMILY_NAME);
	json_u64("version", LAPSMP_FAMILY_VERSION);
	json_close_object();
	json_end();
	return EXIT_OK;
}

static const struct verb version_verbs[] = {
	{ NULL, version_run, 0, 0, 0,
	  .text = "Print the versions of this program and of its protocol." },
};

const struct object cmd_version = {
	"version", version_verbs, ARRAY_SIZE(version_verbs), NULL, "print the version"
};
