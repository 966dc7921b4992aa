// SPDX-License-Identifier: GPL-2.0
/*
 * Commands from files: -b, save and restore. What save prints sets all that an
 * administrator has set; what lapsmp found out by itself is not in it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "nl.h"
#include "show.h"
#include "util.h"

#define WORDS_MAX	64

/* --- reading ---------------------------------------------------------------------- */

/* The file, to be freed; NULL after a complaint. */
static char *batch_read(const char *file)
{
	bool standard = !strcmp(file, "-");
	FILE *in = standard ? stdin : fopen(file, "r");
	char *text = NULL;
	size_t room = 0;

	if (!in) {
		complain("cannot open '%s': %s", file, strerror(errno));
		return NULL;
	}
	/* Up to a byte that no text has: all of it. */
	errno = 0;
	if (getdelim(&text, &room, '\0', in) < 0) {
		free(text);
		text = NULL;
		if (errno || ferror(in))
			complain("cannot read '%s': %s", file, strerror(errno));
		else
			text = xprintf("%s", "");
	}
	if (!standard)
		fclose(in);
	return text;
}

/* One line, which is cut into words. */
static int batch_line(char *line)
{
	char *words[WORDS_MAX], *word, *save;
	struct args args = { 0, words };

	line[strcspn(line, "#")] = '\0';
	for (word = strtok_r(line, " \t\r", &save); word; word = strtok_r(NULL, " \t\r", &save)) {
		if (args.n == WORDS_MAX)
			return usage_error("more than %d words", WORDS_MAX);
		words[args.n++] = word;
	}
	return args.n ? cmd_run(&args) : EXIT_OK;
}

/* All lines of a copy of @text, up to the first that fails. */
static int batch_lines(const char *file, const char *text)
{
	struct options outer = opt;
	char *copy = xprintf("%s", text), *next = copy, *line;
	int ret = EXIT_OK;

	opt.file = strcmp(file, "-") ? file : "standard input";
	opt.line = 0;
	opt.doing = NULL;
	while (!ret && (line = strsep(&next, "\n"))) {
		opt.line++;
		ret = batch_line(line);
	}
	opt = outer;
	free(copy);
	return ret;
}

int cmd_batch(const char *file)
{
	char *text = batch_read(file);
	int ret;

	if (!text)
		return EXIT_KERNEL;
	ret = batch_lines(file, text);
	free(text);
	return ret;
}

static int restore_run(const struct object *object, const struct verb *verb, struct args *args)
{
	const char *word = args_next(args), *file = word ? word : "-";
	int ret = args_end(args);
	char *text;

	(void)object;
	(void)verb;
	if (ret)
		return ret;
	text = batch_read(file);
	if (!text)
		return EXIT_KERNEL;
	/* A file with an error must not cost what was set before. */
	nl_set_dry(true);
	ret = batch_lines(file, text);
	nl_set_dry(false);
	if (!ret)
		ret = nl_run(nl_begin(LAPSMP_CMD_PEER_FLUSH, 0), NULL);
	if (!ret)
		ret = batch_lines(file, text);
	free(text);
	return ret;
}

/* --- writing ---------------------------------------------------------------------- */

/* An administrator set something of it; else it only has what another one has. */
static bool save_is_set(const struct rows *peers, const struct row *row)
{
	size_t i;

	for (i = 0; i < peers->n; i++) {
		if (row_same_peer(&peers->v[i], row))
			return row_has(&peers->v[i], LAPSMP_A_PEER_CONFIGURED);
	}
	return false;
}

/* One that begins with what was set for the same address alone. */
static bool save_is_special(const struct row *row)
{
	return row_has(row, LAPSMP_A_PEER_LOCAL) || row_has(row, LAPSMP_A_PEER_IFINDEX) ||
	       row_has(row, LAPSMP_A_PEER_MARK) || row_has(row, LAPSMP_A_PEER_TOS);
}

static void save_default(const char *what, const struct rows *rows, const struct rows *peers)
{
	size_t i;

	(void)peers;
	for (i = 0; i < rows->n; i++) {
		if (row_has(&rows->v[i], LAPSMP_A_POLICY_DEFAULT))
			printf("%s set %s\n", what, row_string(&rows->v[i], LAPSMP_A_POLICY_NAME));
	}
}

static void save_peers(const char *what, const struct rows *rows, const struct rows *peers)
{
	char name[SHOW_PEER_MAX], buf[TEXT_MAX];
	size_t i;

	(void)what;
	for (i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];

		if (!save_is_set(peers, row) ||
		    (!row_has(row, LAPSMP_A_PEER_SCHED) && !row_has(row, LAPSMP_A_PEER_CC) &&
		     !row_has(row, LAPSMP_A_PEER_ANSWERS)))
			continue;
		printf("peer set %s", show_peer_words(row, name, sizeof(name)));
		if (row_has(row, LAPSMP_A_PEER_SCHED))
			printf(" sched %s", row_string(row, LAPSMP_A_PEER_SCHED));
		if (row_has(row, LAPSMP_A_PEER_CC))
			printf(" cc %s", row_string(row, LAPSMP_A_PEER_CC));
		if (row_has(row, LAPSMP_A_PEER_ANSWERS))
			printf(" answers %s", show_value(row, LAPSMP_A_PEER_ANSWERS, buf));
		putchar('\n');
	}
}

static void save_path(const struct row *row)
{
	char name[SHOW_PEER_MAX], words[SHOW_PATH_MAX];

	printf("path add peer %s id %" PRIu64, show_peer_words(row, name, sizeof(name)),
	       row_u64(row, LAPSMP_A_PATH_ID));
	/* Else it has one that lapsmp chose. */
	if (row_has(row, LAPSMP_A_PATH_OWN_SPORT))
		printf(" sport %" PRIu64, row_u64(row, LAPSMP_A_PATH_SPORT));
	if (row_has(row, LAPSMP_A_PATH_FLOWLABEL))
		printf(" flowlabel %" PRIu64, row_u64(row, LAPSMP_A_PATH_FLOWLABEL));
	fputs(show_path_words(row, true, words, sizeof(words)), stdout);
	if (row_u64(row, LAPSMP_A_PATH_CONF_RATE))
		printf(" rate %" PRIu64 "Bps", row_u64(row, LAPSMP_A_PATH_CONF_RATE));
	if (row_u64(row, LAPSMP_A_PATH_CONF_BASE_NS))
		printf(" base %" PRIu64 "ns", row_u64(row, LAPSMP_A_PATH_CONF_BASE_NS));
	if (row_u64(row, LAPSMP_A_PATH_WEIGHT) != 1)
		printf(" weight %" PRIu64, row_u64(row, LAPSMP_A_PATH_WEIGHT));
	if (row_u64(row, LAPSMP_A_PATH_COST))
		printf(" cost %" PRIu64, row_u64(row, LAPSMP_A_PATH_COST));
	putchar('\n');
}

/* Special ones first: made after the others they would have their paths already. */
static void save_paths(const char *what, const struct rows *rows, const struct rows *peers)
{
	int pass;
	size_t i;

	(void)what;
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < rows->n; i++) {
			const struct row *row = &rows->v[i];

			if (save_is_special(row) == !pass && save_is_set(peers, row) &&
			    !row_has(row, LAPSMP_A_PATH_AUTOMATIC))
				save_path(row);
		}
	}
}

static int save_run(const struct object *object, const struct verb *verb, struct args *args)
{
	static const struct {
		const char *what;
		uint8_t cmd;
		void (*save)(const char *what, const struct rows *rows, const struct rows *peers);
	} parts[] = {
		{ "sched", LAPSMP_CMD_SCHED_GET, save_default },
		{ "cc", LAPSMP_CMD_CC_GET, save_default },
		{ "peer", LAPSMP_CMD_PEER_GET, save_peers },
		{ "path", LAPSMP_CMD_PATH_GET, save_paths },
	};
	struct rows peers = { 0 };
	int ret = args_end(args);
	size_t i;

	(void)object;
	(void)verb;
	if (!ret)
		ret = nl_dump(LAPSMP_CMD_PEER_GET, &peers);
	for (i = 0; !ret && i < ARRAY_SIZE(parts); i++) {
		struct rows rows = { 0 };

		ret = nl_dump(parts[i].cmd, &rows);
		if (!ret)
			parts[i].save(parts[i].what, &rows, &peers);
		rows_free(&rows);
	}
	rows_free(&peers);
	return ret;
}

static const struct verb save_verbs[] = {
	{ NULL, save_run, 0, 0, 0,
	  .text = "Print what is set, as commands for 'restore' and -b." },
};

const struct object cmd_save = {
	"save", save_verbs, ARRAY_SIZE(save_verbs), NULL, "print what is set, as commands"
};

static const struct param restore_params[] = {
	{ NULL, "FILE", 0, NULL },
};

static const struct params restore_params_list = { restore_params, ARRAY_SIZE(restore_params) };

static const struct verb restore_verbs[] = {
	{ NULL, restore_run, 0, 0, PARAM_OWN(0),
	  .text = "Forget all peers, then run the commands of FILE or of standard input. Nothing\n"
		  "      is done if a line is wrong." },
};

const struct object cmd_restore = {
	"restore", restore_verbs, ARRAY_SIZE(restore_verbs), &restore_params_list,
	"set what 'save' printed, and nothing else"
};
