/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands. An object has verbs, or is a verb itself; tables of them drive
 * dispatch and help.
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
 * @need: mask of the object's parameters that must be given; of those that are in
 *	@may as well, one at least
 * @may: mask of those that may
 * @text: for the help
 */
struct verb {
	const char *name;
	int (*run)(const struct object *object, const struct verb *verb, struct args *args);
	uint8_t cmd;
	uint32_t need;
	uint32_t may;
	const char *text;
};

/**
 * struct object - a word behind "lapsctl"
 * @name: exact word
 * @verbs: of the object; one without name: the object is the verb
 * @n_verbs: how many
 * @params: what the verbs may take
 * @text: for the help
 */
struct object {
	const char *name;
	const struct verb *verbs;
	int n_verbs;
	const struct params *params;
	const char *text;
};

extern const struct object cmd_path, cmd_peer, cmd_flow, cmd_sched, cmd_cc, cmd_stats;
extern const struct object cmd_monitor, cmd_top, cmd_topology, cmd_save, cmd_restore;
extern const struct object cmd_version, cmd_help;
extern const struct object cmd_diag;

/* All of them, NULL at the end. */
extern const struct object *const objects[];

/* Do what words say. Return: an exit status. */
int cmd_run(struct args *args);

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
