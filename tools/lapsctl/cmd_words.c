// SPDX-License-Identifier: GPL-2.0
/*
 * "help --words [WORD...]": what may follow these words of a command line, for the
 * completion of shells. A line each:
 *
 *	word WORD			this very word
 *	value OBJECT KEYWORD NAME	a value, which the help calls NAME; - is no
 *					object yet, or no keyword
 *
 * and, before these, what questions to the kernel about such values need to know:
 *
 *	option -n NETNS			is among the words, as are other options with values
 *	key peer ADDRESS		likewise, as is what else names the peer
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "util.h"

/* "NAME|default" is a value that has a name, or a word. */
static void words_value(const char *object, const char *keyword, const char *value)
{
	int len;

	do {
		len = (int)strcspn(value, "|");
		if (isupper((unsigned char)*value))
			printf("value %s %s %.*s\n", object, keyword, len, value);
		else
			printf("word %.*s\n", len, value);
		value += len;
	} while (*value++);
}

/* --- parameters ------------------------------------------------------------------- */

static void words_param(const struct object *object, const struct param *param)
{
	if (param->name)
		printf("word %s\n", param->name);
	else
		words_value(object->name, "-", param->value);
}

/* The one whose keyword is the last word, so that its value is next; or NULL. */
static const struct param *words_awaited(const struct args *args, const struct params *params,
					 uint32_t mask)
{
	int i = args->n == 1 ? param_find(params, mask, args->v[0]) : -1;

	return i >= 0 && *param_at(params, i)->value ? param_at(params, i) : NULL;
}

static int words_params(const struct object *object, const struct verb *verb, struct args *args)
{
	const struct params *params = verb_params(object, verb);
	uint32_t mask = verb->need | verb->may, seen = 0;
	const struct param *param;
	const char *value;
	int i;

	while (args->n) {
		param = words_awaited(args, params, mask & ~seen);
		if (param) {
			words_value(object->name, param->name, param->value);
			return EXIT_OK;
		}
		i = param_next(args, params, mask, &seen, &value);
		if (i < 0)
			return EXIT_USAGE;
		if (i < PARAM_OWN_FIRST)
			printf("key %s %s\n", param_at(params, i)->name, value);
	}
	for (i = 0; (param = param_at(params, i)); i++) {
		if (mask & ~seen & 1u << i)
			words_param(object, param);
	}
	return EXIT_OK;
}

/* --- objects, verbs, options ------------------------------------------------------ */

static void words_objects(void)
{
	int i;

	for (i = 0; objects[i]; i++)
		printf("word %s\n", objects[i]->name);
}

static void words_verbs(const struct object *object)
{
	int i;

	for (i = 0; i < object->n_verbs; i++)
		printf("word %s\n", object->verbs[i].name);
	puts("word help");
}

static int words_object(const struct object *object, struct args *args)
{
	const struct verb *verb;

	if (!args->n && object == &cmd_help) {
		words_objects();
	} else if (!args->n && object->verbs[0].name) {
		words_verbs(object);
	} else {
		verb = cmd_verb(object, args);
		return verb ? words_params(object, verb, args) : EXIT_USAGE;
	}
	return EXIT_OK;
}

static void words_options(void)
{
	int i;

	for (i = 0; cmd_options[i].letter; i++)
		printf("word -%c\n", cmd_options[i].letter);
}

static void words_option_value(char letter)
{
	char keyword[] = { '-', letter, '\0' };
	int i;

	for (i = 0; cmd_options[i].letter; i++) {
		if (cmd_options[i].letter == letter)
			words_value("-", keyword, cmd_options[i].value);
	}
}

/*
 * The options are taken, and @batch is set if one says that commands come from a file.
 * Return: the last character of getopt(), -1 if all is well.
 */
static int words_take_options(struct args *args, bool *batch)
{
	/* What stands before the first of them is no option. */
	char **v = args->v - 1;
	int c;

	optind = 0;
	while ((c = getopt(args->n + 1, v, cmd_letters)) != -1 && c != ':' && c != '?') {
		if (optarg)
			printf("option -%c %s\n", c, optarg);
		*batch = *batch || c == 'b';
	}
	args->n -= optind - 1;
	args->v += optind - 1;
	return c;
}

int words_print(struct args *args)
{
	const struct object *object;
	bool batch = false;
	int c = words_take_options(args, &batch);

	if (c == '?' || (batch && args->n))
		return EXIT_USAGE;
	if (c == ':') {
		words_option_value((char)optopt);
		return EXIT_OK;
	}
	if (!args->n) {
		words_options();
		if (!batch)
			words_objects();
		return EXIT_OK;
	}
	object = cmd_object(args_next(args));
	return object ? words_object(object, args) : EXIT_USAGE;
}
