// SPDX-License-Identifier: GPL-2.0
/* Dispatch, and what verbs have in common; see cmd.h. */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "nl.h"
#include "show.h"
#include "util.h"

const struct object *const objects[] = {
	&cmd_path, &cmd_peer, &cmd_flow, &cmd_sched, &cmd_cc, &cmd_stats, &cmd_monitor,
	&cmd_top, &cmd_diag, &cmd_topology, &cmd_save, &cmd_restore, &cmd_version, &cmd_help,
	NULL
};

/* --- dispatch ----------------------------------------------------------------------- */

const struct object *cmd_object(const char *word)
{
	int i;

	for (i = 0; objects[i]; i++) {
		if (!strcmp(objects[i]->name, word))
			return objects[i];
	}
	return NULL;
}

/* The first verb is what an object alone means: "path" is "path show". */
const struct verb *cmd_verb(const struct object *object, struct args *args)
{
	int i;

	for (i = 0; i < object->n_verbs; i++) {
		if (object->verbs[i].name && args_take(args, object->verbs[i].name))
			return &object->verbs[i];
	}
	return args->n && object->verbs[0].name ? NULL : &object->verbs[0];
}

static int verb_unknown(const struct object *object, const char *word)
{
	char verbs[128] = "";
	size_t at = 0;
	int i;

	for (i = 0; i < object->n_verbs; i++)
		at += (size_t)snprintf(verbs + at, sizeof(verbs) - at, "%s%s", i ? ", " : "",
				       object->verbs[i].name);
	return usage_error("there is no '%s'; there is: %s, help", word, verbs);
}

static int object_run(const struct object *object, struct args *args)
{
	const struct verb *verb;
	char doing[64];
	int ret;

	if (object != &cmd_help && args->n == 1 && args_take(args, "help")) {
		help_object(object);
		return EXIT_OK;
	}
	opt.doing = object->name;
	verb = cmd_verb(object, args);
	if (!verb)
		return verb_unknown(object, args->v[0]);
	snprintf(doing, sizeof(doing), "%s%s%s", object->name, verb->name ? " " : "",
		 verb->name ? verb->name : "");
	opt.doing = doing;
	ret = verb->run(object, verb, args);
	opt.doing = object->name;
	return ret;
}

int cmd_run(struct args *args)
{
	const char *word = args_next(args);
	const struct object *object = cmd_object(word);
	int ret;

	if (!object)
		return usage_error("there is no object '%s'; try: lapsctl help", word);
	ret = object_run(object, args);
	opt.doing = NULL;
	return ret;
}

/* --- what verbs have in common ------------------------------------------------------ */

int cmd_send(const struct object *object, const struct verb *verb, struct args *args)
{
	struct nlmsghdr *req = nl_begin(verb->cmd, 0);
	struct rows rows = { 0 };
	int ret;

	ret = params_parse(args, verb_params(object, verb), verb->need, verb->may, req, NULL);
	if (!ret)
		ret = nl_run(req, &rows);
	if (!ret && opt.json && rows.n)
		show_json_rows(&rows);
	rows_free(&rows);
	return ret;
}

int cmd_get(const struct object *object, const struct verb *verb, struct args *args, uint32_t one,
	    struct rows *rows, uint32_t *given)
{
	struct nlmsghdr *req = nl_begin(verb->cmd, NLM_F_DUMP);
	uint32_t seen;
	int ret;

	ret = params_parse(args, verb_params(object, verb), verb->need, verb->may, req, &seen);
	if (ret)
		return ret;
	if (seen & one)
		req->nlmsg_flags &= (uint16_t)~NLM_F_DUMP;
	if (given)
		*given = seen;
	return nl_run(req, rows);
}
