// SPDX-License-Identifier: GPL-2.0
/*
 * lapsctl: shows and sets what lapsmp does in a network namespace. This file has
 * the options; cmd.c the words behind them.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "nl.h"
#include "print.h"
#include "util.h"

#define NETNS_DIR	"/run/netns"

const struct cmd_option cmd_options[] = {
	{ 'n', "NETNS", "in this network namespace, a name in /run/netns or a path" },
	{ 'b', "FILE", "commands come from FILE, one in a line (- is standard input)" },
	{ 'j', "", "print JSON" },
	{ 'p', "", "print JSON on many lines" },
	{ 0 },
};

const char *const cmd_letters = "+:jpn:b:";

/* From here on everything is about this namespace. */
static int netns_enter(const char *name)
{
	char *path = strchr(name, '/') ? xprintf("%s", name) : xprintf("%s/%s", NETNS_DIR, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret = EXIT_OK;

	if (fd < 0)
		ret = system_error("cannot open network namespace '%s' (%s): %s", name, path,
				   strerror(errno));
	else if (setns(fd, CLONE_NEWNET))
		ret = system_error("cannot enter network namespace '%s': %s", name,
				   strerror(errno));
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

/* One try of getopt, whose own messages speak of characters only. */
static int take_option(int c, char **netns, char **batch)
{
	switch (c) {
	case 'p':
		opt.pretty = true;
		opt.json = true;
		return EXIT_OK;
	case 'j':
		opt.json = true;
		return EXIT_OK;
	case 'n':
		*netns = optarg;
		return EXIT_OK;
	case 'b':
		*batch = optarg;
		return EXIT_OK;
	case ':':
		return usage_error("option -%c needs a value; try: lapsctl help", optopt);
	default:
		return usage_error("there is no option '-%c'; try: lapsctl help", optopt);
	}
}

static int run(int argc, char **argv)
{
	char *netns = NULL, *batch = NULL;
	struct args args;
	int c, ret;

	while ((c = getopt(argc, argv, cmd_letters)) != -1) {
		ret = take_option(c, &netns, &batch);
		if (ret)
			return ret;
	}
	args = (struct args){ argc - optind, argv + optind };
	if (!args.n && !batch)
		return usage_error("what to do? try: lapsctl help");
	if (args.n && batch)
		return usage_error("-b %s and the words '%s ...': give one of them", batch,
				   args.v[0]);
	if (netns) {
		ret = netns_enter(netns);
		if (ret)
			return ret;
	}
	return batch ? cmd_batch(batch) : cmd_run(&args);
}

int main(int argc, char **argv)
{
	int ret;

	color_init();
	ret = run(argc, argv);
	nl_close();
	if (fflush(stdout) || ferror(stdout)) {
		complain("cannot write the output: %s", strerror(errno));
		return ret ? ret : EXIT_KERNEL;
	}
	return ret;
}
