// SPDX-License-Identifier: GPL-2.0
/* Schedulers and congestion controls. */
#include "cmd.h"
#include "nl.h"
#include "show.h"
#include "util.h"

static const struct param policy_params[] = {
	{ NULL, "NAME", LAPSMP_A_POLICY_NAME, put_name },
};

enum {
	POLICY_NAME = PARAM_OWN(0),
};

static const struct params policy_params_list = { policy_params, ARRAY_SIZE(policy_params) };

static int policy_show(const struct object *object, const struct verb *verb, struct args *args)
{
	struct rows rows = { 0 };
	size_t i;
	int ret;

	ret = cmd_get(object, verb, args, POLICY_NAME, &rows, NULL);
	if (!ret && opt.json) {
		show_json_rows(&rows);
	} else if (!ret) {
		for (i = 0; i < rows.n; i++)
			printf("%s%s\n", row_string(&rows.v[i], LAPSMP_A_POLICY_NAME),
			       row_has(&rows.v[i], LAPSMP_A_POLICY_DEFAULT) ? "  (default)" : "");
	}
	rows_free(&rows);
	return ret;
}

static const struct verb sched_verbs[] = {
	{ "show", policy_show, LAPSMP_CMD_SCHED_GET, 0, POLICY_NAME,
	  .text = "Show the schedulers that are loaded." },
	{ "set", cmd_send, LAPSMP_CMD_SCHED_SET, POLICY_NAME, 0,
	  .text = "Choose the scheduler of new flows." },
};

const struct object cmd_sched = {
	"sched", sched_verbs, ARRAY_SIZE(sched_verbs), &policy_params_list,
	"schedulers: which path for a segment"
};

static const struct verb cc_verbs[] = {
	{ "show", policy_show, LAPSMP_CMD_CC_GET, 0, POLICY_NAME,
	  .text = "Show the congestion controls that are loaded." },
	{ "set", cmd_send, LAPSMP_CMD_CC_SET, POLICY_NAME, 0,
	  .text = "Choose the congestion control of new flows." },
};

const struct object cmd_cc = {
	"cc", cc_verbs, ARRAY_SIZE(cc_verbs), &policy_params_list, "congestion controls: how fast"
};
