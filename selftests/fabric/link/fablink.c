// SPDX-License-Identifier: GPL-2.0
/*
 * fablink: sets, changes and shows the emulated links of a fabric's namespaces, of
 * which there may be thousands. The README says how.
 *
 * Exit status: 0; 1 if the command or a file makes no sense, and then nothing was
 * changed; 2 if something could not be done, and then nothing after it was.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "lines.h"
#include "show.h"
#include "tc.h"
#include "util.h"

#define NSEC_PER_SEC	1000000000ULL

static const char usage_text[] =
	"usage: fablink set FILE\n"
	"       fablink at FILE --links FILE [--base NS]\n"
	"       fablink show [NAMESPACE...]\n"
	"       fablink reset [NAMESPACE...]\n"
	"       fablink help\n"
	"\n"
	"set    each line of FILE: NAMESPACE DEVICE [KEY VALUE | FLAG]...\n"
	"at     each line of FILE: TIME NAMESPACE DEVICE [KEY VALUE | FLAG]...\n"
	"       times are in ns after --base, a time of CLOCK_MONOTONIC (now);\n"
	"       --links is what \"set\" had\n"
	"show   a line of JSON for each link\n"
	"reset  statistics begin anew\n"
	"\n"
	"keys   rate BYTES/S  delay NS  limit BYTES  ecn BYTES  loss PARTS-PER-2^32\n"
	"       seed NUMBER  dscp N[,N[,N[,N]]], 0..63 or 255 each, best first\n"
	"flags  tcp-acks no-tcp-acks  down up\n"
	"FILE may be - for the standard input.\n";

/* --- set, at ------------------------------------------------------------------------ */

/* Looks the device up, so that only the request itself is left to be done. */
static int find_device(const struct line *l, int *ifindex)
{
	int ret = tc_enter(l->ns);

	return ret ?: tc_ifindex(l->dev, ifindex);
}

static int cmd_set(int argc, char **argv)
{
	struct lines links;
	int ifindex, ret;
	size_t i;

	if (argc != 1)
		return usage_error("set: give one file; see fablink help");
	ret = lines_read_links(&links, argv[0]);
	for (i = 0; !ret && i < links.n; i++) {
		util_at_line(links.file, links.line[i].number);
		ret = find_device(&links.line[i], &ifindex);
		if (!ret)
			ret = tc_set(ifindex, &links.line[i].parms, true);
	}
	lines_free(&links);
	return ret;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static void sleep_until(uint64_t at_ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(at_ns / NSEC_PER_SEC),
		.tv_nsec = (long)(at_ns % NSEC_PER_SEC),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

static int run_events(const struct lines *events, uint64_t base_ns)
{
	int ifindex, ret = STATUS_OK;
	size_t i;

	/* Else timers of processes may be 50 us late. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	for (i = 0; !ret && i < events->n; i++) {
		util_at_line(events->file, events->line[i].number);
		ret = find_device(&events->line[i], &ifindex);
		if (ret)
			break;
		sleep_until(base_ns + events->line[i].at_ns);
		ret = tc_set(ifindex, &events->line[i].parms, false);
	}
	return ret;
}

static int read_and_run(const char *events_file, const char *links_file, uint64_t base_ns)
{
	struct lines links, events = { 0 };
	int ret = lines_read_links(&links, links_file);

	if (!ret)
		ret = lines_read_events(&events, events_file, &links);
	if (!ret)
		ret = run_events(&events, base_ns);
	lines_free(&events);
	lines_free(&links);
	return ret;
}

static int cmd_at(int argc, char **argv)
{
	const char *events = NULL, *links = NULL;
	uint64_t base_ns = now_ns();
	int i;

	for (i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "--links") && i + 1 < argc) {
			links = argv[++i];
		} else if (!strcmp(argv[i], "--base") && i + 1 < argc) {
			if (!parse_number(argv[++i], &base_ns))
				return usage_error("--base %s: give whole nanoseconds", argv[i]);
		} else if (!events) {
			events = argv[i];
		} else {
			return usage_error("at: what is %s? See fablink help", argv[i]);
		}
	}
	if (!events || !links)
		return usage_error("at: give a file of events, and --links FILE");
	return read_and_run(events, links, base_ns);
}

/* --- show, reset ---------------------------------------------------------------------- */

/* The links of the namespace that was entered. */
typedef int (*for_link)(const char *ns, const struct tc_link *link);

static int show_one(const char *ns, const struct tc_link *link)
{
	char dev[IFNAMSIZ];
	int ret = tc_ifname(link->ifindex, dev);

	if (!ret)
		show_link(ns, dev, link);
	return ret;
}

static int reset_one(const char *ns, const struct tc_link *link)
{
	static const struct lapslink_parms zero = { .flags = LAPSLINK_F_ZERO };

	(void)ns;
	return tc_set(link->ifindex, &zero, false);
}

static int each_link(const char *ns, for_link fn)
{
	struct tc_link *links = NULL;
	size_t i, n = 0;
	int ret = tc_enter(ns);

	if (!ret)
		ret = tc_links(&links, &n);
	for (i = 0; !ret && i < n; i++)
		ret = fn(ns, &links[i]);
	free(links);
	return ret;
}

static int is_name(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int each_namespace(for_link fn)
{
	struct dirent **names;
	int i, n, ret = STATUS_OK;

	n = scandir("/run/netns", &names, is_name, versionsort);
	/* It is made for the first namespace. */
	if (n < 0 && errno == ENOENT)
		return STATUS_OK;
	if (n < 0)
		return failure("cannot read /run/netns: %s", strerror(errno));
	for (i = 0; i < n; i++) {
		if (!ret)
			ret = each_link(names[i]->d_name, fn);
		free(names[i]);
	}
	free(names);
	return ret;
}

static int each(int argc, char **argv, for_link fn)
{
	int i, ret = STATUS_OK;

	if (!argc)
		return each_namespace(fn);
	for (i = 0; !ret && i < argc; i++)
		ret = each_link(argv[i], fn);
	return ret;
}

static int cmd_show(int argc, char **argv)
{
	int ret = each(argc, argv, show_one);

	if (fflush(stdout) || ferror(stdout))
		return failure("cannot write: %s", strerror(errno));
	return ret;
}

static int cmd_reset(int argc, char **argv)
{
	return each(argc, argv, reset_one);
}

/* --- main --------------------------------------------------------------------------------- */

static int cmd_help(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fputs(usage_text, stdout);
	return STATUS_OK;
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "set", cmd_set },
	{ "at", cmd_at },
	{ "show", cmd_show },
	{ "reset", cmd_reset },
	{ "help", cmd_help },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < ARRAY_LEN(commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 2, argv + 2);
	if (argc > 1)
		usage_error("%s is not a command", argv[1]);
	fputs(usage_text, stderr);
	return STATUS_USAGE;
}
