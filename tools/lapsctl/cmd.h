/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands. An object has verbs, or is a verb itself; tables of them drive
 * dispatch, help and completion.
 */
#ifndef LAPSCTL_CMD_H
#define LAPSCTL_CMD_H

#include "parse.h"

struct object;

/**
 * struct verb - what can be done with an object
 * @name: exact word; the first verb of an object is done if none is given
 * @run: does it, with all words behind the verb; returns an exit status
 * @cmd: request to the kernel
 * @need: mask of the parameters that must be given; of those that are in @may as
 *	well, one at least
 * @may: mask of those that may
 * @text: for the help
 * @params: what it may take, if that is not its object's list
 */
struct verb {
	const char *name;
	int (*run)(const struct object *object, const struct verb *verb, struct args *args);
	uint8_t cmd;
	uint32_t need;
	uint32_t may;
	const char *text;
	const struct params *params;
};

/**
 * struct object - a word behind "lapsctl"
 * @name: exact word
 * @verbs: of the object; one without name: the object is the verb
 * @n_verbs: how many
 * @params: what the verbs may take, or NULL
 * @text: for the help
 */
struct object {
	const char *name;
	const struct verb *verbs;
	int n_verbs;
	const struct params *params;
	const char *text;
};

/* What a verb may take, beside what names a peer. */
static inline const struct params *verb_params(const struct object *object,
					       const struct verb *verb)
{
	return verb->params ? verb->params : object->params;
}

/**
 * struct cmd_option - what may stand before all words
 * @letter: of it; 0 behind the last
 * @value: what to write for its value in the help, or ""
 * @text: for the help
 */
struct cmd_option {
	char letter;
	const char *value;
	const char *text;
};

extern const struct cmd_option cmd_options[];
/* The same for getopt(). */
extern const char *const cmd_letters;

extern const struct object cmd_path, cmd_peer, cmd_flow, cmd_sched, cmd_cc, cmd_stats;
extern const struct object cmd_monitor, cmd_top, cmd_topology, cmd_save, cmd_restore;
extern const struct object cmd_version, cmd_help;
extern const struct object cmd_diag;

/* All of them, NULL at the end. */
extern const struct object *const objects[];

/* The object of this name, or NULL. */
const struct object *cmd_object(const char *word);

/*
 * The verb that the words begin with, which is taken; the first one if there are no
 * words, or if it has no name; else NULL.
 */
const struct verb *cmd_verb(const struct object *object, struct args *args);

/* Do what words say. Return: an exit status. */
int cmd_run(struct args *args);

/* Print what can be done with an object. */
void help_object(const struct object *object);

/* Print which words may follow these; see cmd_words.c. Return: an exit status. */
int words_print(struct args *args);

/* What most verbs do: one request, nothing to show but the reply in JSON. */
int cmd_send(const struct object *object, const struct verb *verb, struct args *args);

/**
 * cmd_get() - the rows that a show is about
 * @object: that is shown
 * @verb: its cmd, and what it may take
 * @args: the filter, used up
 * @one: mask of the parameters that, if given, name a single one
 * @rows: result
 * @given: mask of what was given, or NULL
 *
 * Return: an exit status.
 */
struct rows;
int cmd_get(const struct object *object, const struct verb *verb, struct args *args, uint32_t one,
	    struct rows *rows, uint32_t *given);

/* Lines of commands from a file, or from standard input ("-"). */
int cmd_batch(const char *file);

#endif /* LAPSCTL_CMD_H */
