// SPDX-License-Identifier: GPL-2.0
/* The help; see cmd.h. */
#include <stdio.h>

#include "cmd.h"
#include "util.h"

static void help_all(void)
{
	int i;

	puts("usage: lapsctl [-j] [-p] [-n NETNS] OBJECT [VERB] [ARGUMENT...]\n"
	     "       lapsctl [-j] [-p] [-n NETNS] -b FILE\n"
	     "\n"
	     "Shows and sets what lapsmp, reliable datagrams over several paths, does.\n");
	for (i = 0; cmd_options[i].letter; i++)
		printf("  -%c %-6s %s\n", cmd_options[i].letter, cmd_options[i].value,
		       cmd_options[i].text);
	putchar('\n');
	for (i = 0; objects[i]; i++)
		printf("  %-8s  %s\n", objects[i]->name, objects[i]->text);
	puts("\n'lapsctl help OBJECT' tells more; an object alone is shown.");
}

void help_object(const struct object *object)
{
	char args[512];
	uint32_t keys = 0;
	int i;

	printf("lapsctl %s: %s\n", object->name, object->text);
	for (i = 0; i < object->n_verbs; i++) {
		const struct verb *v = &object->verbs[i];

		params_describe(verb_params(object, v), v->need, v->may, args, sizeof(args));
		printf("\n  lapsctl %s%s%s%s%s\n      %s\n", object->name, v->name ? " " : "",
		       v->name ? v->name : "", args[0] ? " " : "", args, v->text);
		keys |= v->may & PARAM_KEY;
	}
	if (!keys)
		return;
	params_describe(NULL, keys, 0, args, sizeof(args));
	printf("\nKEY is what else names the peer, where it is not the usual:\n");
	printf("      %s\n", args);
}

static int help_run(const struct object *self, const struct verb *verb, struct args *args)
{
	const struct object *object;
	const char *word;
	int ret;

	(void)self;
	(void)verb;
	/* For shells: not for people, who have the help. */
	if (args_take(args, "--words"))
		return words_print(args);
	word = args_next(args);
	ret = args_end(args);
	if (ret)
		return ret;
	if (!word) {
		help_all();
		return EXIT_OK;
	}
	object = cmd_object(word);
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
	  .text = "Print what can be done, with all objects or with one." },
};

const struct object cmd_help = {
	"help", help_verbs, ARRAY_SIZE(help_verbs), &help_params_list,
	"print this, or 'help OBJECT'"
};
