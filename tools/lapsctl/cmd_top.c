// SPDX-License-Identifier: GPL-2.0
/*
 * What every path does now: a table that is drawn again and again, over itself on
 * a terminal, else one below the other. Its numbers are totals, but for what is
 * called "sending" and "now", which are of the time since the table before.
 */
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "json.h"
#include "nl.h"
#include "show.h"
#include "util.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_MSEC	1000000ULL

/* Where no terminal says how wide it is, and the table without its bars. */
#define TOP_WIDTH	100
#define TOP_FIXED	93
#define BAR_MIN		4
#define BAR_MAX		30

/* What was at one time. */
struct sample {
	struct rows rows;
	uint64_t at_ns;
};

struct top {
	uint64_t start_ns;
	struct sample now, before;
	/* The request, with which peers to show. */
	struct nlmsghdr *filter;
	/* Terminal: draw over the lines that are there. */
	bool terminal;
	bool utf8;
	int lines;
	int bar;
};

static volatile sig_atomic_t top_stop;

/* What the command line says. */
static uint64_t top_interval_ms, top_count;

/* What few paths have, and its columns, from this one on. */
#define TOP_RARE	2

static const uint16_t top_rare[] = {
	LAPSMP_A_PATH_FLOWLABEL, LAPSMP_A_PATH_SOURCE, LAPSMP_A_PATH_REMOTE, LAPSMP_A_PATH_DEVICE
};

static const struct column top_columns[] = {
	{ "id", .min = 2 }, { "sport", .min = 5 },
	[TOP_RARE] = { "flowlabel", .rare = true }, { "local", .left = true, .rare = true },
	{ "remote", .left = true, .rare = true }, { "dev", .left = true, .rare = true },
	{ "state", .left = true, .min = 8 },
	{ "sending", .min = 11 }, { "rate", .min = 11 }, { "delay", .min = 7 },
	{ "base", .min = 7 }, { "share", .min = 6 }, { "now", .left = true },
	{ "lost", .min = 5 }, { "resent", .min = 6 },
};

/* --- what changed ----------------------------------------------------------------- */

static uint64_t top_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

/* The same path before, or NULL. */
static const struct row *top_before(const struct top *top, const struct row *row)
{
	size_t i;

	for (i = 0; i < top->before.rows.n; i++) {
		const struct row *b = &top->before.rows.v[i];

		if (row_u64(b, LAPSMP_A_PATH_ID) == row_u64(row, LAPSMP_A_PATH_ID) &&
		    row_same_peer(b, row))
			return b;
	}
	return NULL;
}

/* How much a counter rose; from 0 if the path is new. */
static uint64_t top_rise(const struct top *top, const struct row *row, uint16_t type)
{
	const struct row *b = top_before(top, row);
	uint64_t was = b ? row_u64(b, type) : 0, is = row_u64(row, type);

	return top->before.at_ns && is > was ? is - was : 0;
}

static uint64_t top_per_second(const struct top *top, uint64_t n)
{
	uint64_t ns = top->now.at_ns - top->before.at_ns;

	return top->before.at_ns && ns ? (uint64_t)((double)n * NSEC_PER_SEC / (double)ns) : 0;
}

/* --- one table -------------------------------------------------------------------- */

struct top_sum {
	uint64_t bytes, now_bytes, segs, lost;
	unsigned int paths, up;
};

static const char *top_bar(const struct top *top, uint64_t part, uint64_t whole, char *buf)
{
	int full = whole ? (int)((double)part * top->bar / (double)whole + 0.5) : 0;
	char *at = buf;
	int i;

	for (i = 0; i < top->bar; i++)
		at = stpcpy(at, top->utf8 ? i < full ? "█" : "░" : i < full ? "#" : ".");
	return buf;
}

static void top_line(const struct top *top, struct table *t, const struct row *row,
		     const struct top_sum *sum)
{
	uint64_t sent = top_rise(top, row, LAPSMP_A_PATH_TX_BYTES);
	bool fresh_loss = top_rise(top, row, LAPSMP_A_PATH_LOST_SEGS);
	char buf[TEXT_MAX];
	const char *state;
	enum color color;
	size_t i;

	state = show_value(row, LAPSMP_A_PATH_STATE, buf);
	color = color_of_state(state);
	table_add(t, COLOR_NONE, "%" PRIu64, row_u64(row, LAPSMP_A_PATH_ID));
	table_add(t, COLOR_NONE, "%" PRIu64, row_u64(row, LAPSMP_A_PATH_SPORT));
	for (i = 0; i < ARRAY_SIZE(top_rare); i++)
		table_add(t, COLOR_NONE, "%s", show_rare(row, top_rare[i], buf));
	table_add(t, color, "%s", state);
	table_add(t, COLOR_BOLD, "%s", top->before.at_ns ?
				       text_rate(buf, top_per_second(top, sent)) : "-");
	table_add(t, COLOR_NONE, "%s", row_u64(row, LAPSMP_A_PATH_RATE) ?
				       show_value(row, LAPSMP_A_PATH_RATE, buf) : "-");
	table_add(t, COLOR_NONE, "%s", show_path_time(row, LAPSMP_A_PATH_OWD_NS, buf));
	table_add(t, COLOR_NONE, "%s", show_path_time(row, LAPSMP_A_PATH_BASE_NS, buf));
	table_add(t, COLOR_NONE, "%s",
		  text_share(buf, row_u64(row, LAPSMP_A_PATH_TX_BYTES), sum->bytes));
	table_add(t, color, "%s", top_bar(top, sent, sum->now_bytes, buf));
	table_add(t, fresh_loss ? COLOR_YELLOW : COLOR_NONE, "%s",
		  text_count(buf, row_u64(row, LAPSMP_A_PATH_LOST_SEGS)));
	table_add(t, COLOR_NONE, "%s",
		  text_count(buf, row_u64(row, LAPSMP_A_PATH_RETRANS_SEGS)));
}

static void top_title(const struct top *top, const struct row *row, const struct top_sum *sum,
		      FILE *out)
{
	char name[SHOW_PEER_MAX], rate[TEXT_MAX], sent[TEXT_MAX], lost[TEXT_MAX];

	fprintf(out, "%s%.1f s  peer %s%s  ", color_on(COLOR_BOLD),
		(double)(top->now.at_ns - top->start_ns) / NSEC_PER_SEC,
		show_peer(row, name, sizeof(name)), color_off(COLOR_BOLD));
	fprintf(out, "%u of %u paths up", sum->up, sum->paths);
	if (top->before.at_ns)
		fprintf(out, "  %s%s%s", color_on(COLOR_BOLD),
			text_rate(rate, top_per_second(top, sum->now_bytes)),
			color_off(COLOR_BOLD));
	fprintf(out, "  %s sent  %s lost\n", text_bytes(sent, sum->bytes),
		text_share(lost, sum->lost, sum->segs));
}

/* One peer, whose rows begin at @first. Return: where the next one's do. */
static size_t top_peer(const struct top *top, size_t first, FILE *out)
{
	struct table *t = table_new(top_columns, ARRAY_SIZE(top_columns), 2);
	const struct rows *rows = &top->now.rows;
	struct top_sum sum = { 0 };
	size_t i, end;

	for (end = first; end < rows->n && row_same_peer(&rows->v[first], &rows->v[end]); end++) {
		const struct row *row = &rows->v[end];

		sum.bytes += row_u64(row, LAPSMP_A_PATH_TX_BYTES);
		sum.now_bytes += top_rise(top, row, LAPSMP_A_PATH_TX_BYTES);
		sum.segs += row_u64(row, LAPSMP_A_PATH_TX_SEGS);
		sum.lost += row_u64(row, LAPSMP_A_PATH_LOST_SEGS);
		sum.paths++;
		sum.up += row_u64(row, LAPSMP_A_PATH_STATE) == LAPSMP_PATH_STATE_UP;
	}
	for (i = first; i < end; i++)
		top_line(top, t, &rows->v[i], &sum);
	top_title(top, &rows->v[first], &sum, out);
	table_print(t, out);
	return end;
}

/* --- drawing ---------------------------------------------------------------------- */

/* Places that a column takes which few paths need; 0 if none does. */
static int top_rare_width(const struct top *top, size_t rare)
{
	size_t width = 0, len, i;
	char buf[TEXT_MAX];

	for (i = 0; i < top->now.rows.n; i++) {
		len = strlen(show_rare(&top->now.rows.v[i], top_rare[rare], buf));
		if (len > width)
			width = len;
	}
	len = strlen(top_columns[TOP_RARE + rare].head);
	return width ? (int)(width > len ? width : len) + 2 : 0;
}

/* How many lines fit; sets how long the bars are. */
static int top_fit(struct top *top)
{
	struct winsize size = { 0 };
	int width = TOP_WIDTH;
	size_t i;

	if (top->terminal && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		width = size.ws_col;
	top->bar = width - TOP_FIXED;
	for (i = 0; i < ARRAY_SIZE(top_rare); i++)
		top->bar -= top_rare_width(top, i);
	if (top->bar < BAR_MIN)
		top->bar = BAR_MIN;
	if (top->bar > BAR_MAX)
		top->bar = BAR_MAX;
	return size.ws_row > 1 ? size.ws_row - 1 : INT32_MAX;
}

/* Over what was drawn before; lines that do not fit are left out, not wrapped. */
static void top_draw(struct top *top, char *text, int fit)
{
	char *line, *next = text;
	int n = 0;

	fputs("\033[?7l", stdout);
	if (top->lines)
		printf("\033[%dA\r", top->lines);
	while (n < fit && (line = strsep(&next, "\n")) && next) {
		printf("%s\033[K\n", line);
		n++;
	}
	fputs("\033[J\033[?7h", stdout);
	top->lines = n;
}

static void top_text(struct top *top)
{
	int fit = top_fit(top);
	char *text;
	size_t len, i;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		xalloc(SIZE_MAX);
	for (i = 0; i < top->now.rows.n; ) {
		i = top_peer(top, i, out);
		fputc('\n', out);
	}
	if (!top->now.rows.n)
		fprintf(out, "%.1f s  no paths: nothing was sent, and none was added\n",
			(double)(top->now.at_ns - top->start_ns) / NSEC_PER_SEC);
	fclose(out);
	if (top->terminal)
		top_draw(top, text, fit);
	else
		fputs(text, stdout);
	free(text);
}

/* One document a line, with the spec's names and what was computed from them. */
static void top_json(const struct top *top)
{
	size_t i;

	json_start(opt.pretty);
	json_open_object(NULL);
	json_u64("elapsed-ns", top->now.at_ns - top->start_ns);
	json_u64("interval-ns", top->before.at_ns ? top->now.at_ns - top->before.at_ns : 0);
	json_open_array("paths");
	for (i = 0; i < top->now.rows.n; i++) {
		const struct row *row = &top->now.rows.v[i];

		json_open_object(NULL);
		show_json_row(row);
		json_u64("sending", top_per_second(top, top_rise(top, row,
								 LAPSMP_A_PATH_TX_BYTES)));
		json_close_object();
	}
	json_close_array();
	json_close_object();
	json_end();
}

/* --- the command ------------------------------------------------------------------ */

static void top_interrupt(int signal)
{
	(void)signal;
	top_stop = 1;
}

/* Until the next table is due; signals end it. */
static void top_wait(const struct top *top)
{
	uint64_t at = top->now.at_ns + top_interval_ms * NSEC_PER_MSEC;
	struct timespec t = {
		.tv_sec = (time_t)(at / NSEC_PER_SEC), .tv_nsec = (long)(at % NSEC_PER_SEC)
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static int top_tick(struct top *top)
{
	struct nlmsghdr *req = nl_begin(LAPSMP_CMD_PATH_GET, NLM_F_DUMP);
	int ret;

	memcpy(req, top->filter, top->filter->nlmsg_len);
	rows_free(&top->before.rows);
	top->before = top->now;
	top->now = (struct sample){ 0 };
	ret = nl_run(req, &top->now.rows);
	top->now.at_ns = top_clock();
	if (ret)
		return ret;
	if (opt.json)
		top_json(top);
	else
		top_text(top);
	return fflush(stdout) ? EXIT_KERNEL : EXIT_OK;
}

static int top_loop(struct top *top)
{
	/* Without SA_RESTART: the wait ends. */
	struct sigaction action = { .sa_handler = top_interrupt };
	int ret;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	top->terminal = isatty(STDOUT_FILENO) && !opt.json;
	setlocale(LC_CTYPE, "");
	top->utf8 = top->terminal && !strcmp(nl_langinfo(CODESET), "UTF-8");
	top->start_ns = top_clock();
	do {
		ret = top_tick(top);
		if (ret || (top_count && !--top_count))
			break;
		top_wait(top);
	} while (!top_stop);
	rows_free(&top->now.rows);
	rows_free(&top->before.rows);
	return top_stop ? EXIT_OK : ret;
}

static int put_interval(struct nlmsghdr *req, const struct param *param, const char *word)
{
	(void)req;
	if (parse_u64(param->name, word, 24 * 3600 * 1000, &top_interval_ms))
		return EXIT_USAGE;
	return top_interval_ms ? EXIT_OK : usage_error("interval 0 is no interval; it is in ms");
}

static int put_count(struct nlmsghdr *req, const struct param *param, const char *word)
{
	(void)req;
	return parse_u64(param->name, word, UINT32_MAX, &top_count);
}

static const struct param top_params[] = {
	{ "interval", "MS", 0, put_interval },
	{ "count", "N", 0, put_count },
};

static const struct params top_params_list = { top_params, ARRAY_SIZE(top_params) };

static int top_run(const struct object *object, const struct verb *verb, struct args *args)
{
	struct nlmsghdr *req = nl_begin(verb->cmd, NLM_F_DUMP);
	struct top top = { 0 };
	int ret;

	top_interval_ms = 1000;
	top_count = 0;
	ret = params_parse(args, object->params, verb->need, verb->may, req, NULL);
	if (ret)
		return ret;
	top.filter = xalloc(req->nlmsg_len);
	memcpy(top.filter, req, req->nlmsg_len);
	ret = top_loop(&top);
	free(top.filter);
	return ret;
}

static const struct verb top_verbs[] = {
	{ NULL, top_run, LAPSMP_CMD_PATH_GET, 0,
	  PARAM_PEER | PARAM_KEY | PARAM_OWN(0) | PARAM_OWN(1),
	  .text = "Show what every path does, again and again: each second, or as told; N times,\n"
		  "      or until it is interrupted." },
};

const struct object cmd_top = {
	"top", top_verbs, ARRAY_SIZE(top_verbs), &top_params_list, "a live table of all paths"
};
