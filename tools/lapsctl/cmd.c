// SPDX-License-Identifier: GPL-2.0
/* Dispatch, help, and what verbs have in common; see cmd.h. */
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

/* --- help ------------------------------------------------------------------------- */

static void help_all(void)
{
	int i;

	puts("usage: lapsctl [-j] [-p] [-n NETNS] OBJECT [VERB] [ARGUMENT...]\n"
	     "       lapsctl [-j] [-p] [-n NETNS] -b FILE\n"
	     "\n"
	     "Shows and sets what lapsmp, reliable datagrams over several paths, does.\n"
	     "\n"
	     "  -n NETNS  in this network namespace, a name in /run/netns or a path\n"
	     "  -b FILE   commands come from FILE, one in a line (- is standard input)\n"
	     "  -j        print JSON\n"
	     "  -p        print JSON on many lines\n");
	for (i = 0; objects[i]; i++)
		printf("  %-8s  %s\n", objects[i]->name, objects[i]->text);
	puts("\n'lapsctl help OBJECT' tells more; an object alone is shown.");
}

static void help_object(const struct object *object)
{
	char args[512] = "";
	uint32_t keys = 0;
	int i;

	printf("lapsctl %s: %s\n", object->name, object->text);
	for (i = 0; i < object->n_verbs; i++) {
		const struct verb *v = &object->verbs[i];

		if (object->params)
			params_describe(object->params, v->need, v->may, args, sizeof(args));
		printf("\n  lapsctl %s%s%s%s%s\n      %s\n", object->name, v->name ? " " : "",
		       v->name ? v->name : "", args[0] ? " " : "", args, v->text);
		keys |= v->may & PARAM_KEY;
	}
	if (!keys)
		return;
	params_describe(object->params, keys, 0, args, sizeof(args));
	printf("\nKEY is what else names the peer, where it is not the usual:\n");
	printf("      %s\n", args);
}

static const struct object *object_find(const char *word)
{
	int i;

	for (i = 0; objects[i]; i++) {
		if (!strcmp(objects[i]->name, word))
			return objects[i];
	}
	return NULL;
}

static int help_run(const struct object *self, const struct verb *verb, struct args *args)
{
	const char *word = args_next(args);
	const struct object *object;
	int ret = args_end(args);

	(void)self;
	(void)verb;
	if (ret)
		return ret;
	if (!word) {
		help_all();
		return EXIT_OK;
	}
	object = object_find(word);
	if (!object)
		return usage_error("there is no object '%s'; try: lapsctl help", word);
	help_object(object);
	return EXIT_OK;
}

static const struct param help_params[] = {
	{ NULL, "OBJECT", 0, NULL },
};

static const struct params help_params_list = { help_params, ARRAY_SIZE(help_params) };

static const struct verb help_verbs[] = {
	{ NULL, help_run, 0, 0, PARAM_OWN(0),
	  "Print what can be done, with all objects or with one." },
};

const struct object cmd_help = {
	"help", help_verbs, ARRAY_SIZE(help_verbs), &help_params_list,
	"print this, or 'help OBJECT'"
};

/* --- dispatch ----------------------------------------------------------------------- */

/* The first verb is what an object alone means: "path" is "path show". */
static const struct verb *verb_find(const struct object *object, struct args *args)
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
	verb = verb_find(object, args);
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
	const struct object *object = object_find(word);
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

	ret = params_parse(args, object->params, verb->need, verb->may, req, NULL);
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

	ret = params_parse(args, object->params, verb->need, verb->may, req, &seen);
	if (ret)
		return ret;
	if (seen & one)
		req->nlmsg_flags &= (uint16_t)~NLM_F_DUMP;
	if (given)
		*given = seen;
	return nl_run(req, rows);
}
