// SPDX-License-Identifier: GPL-2.0
/* A small test harness; see ktap.h. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

/* Of one test; a simulated clock may jump there at once. */
#define KTAP_SECONDS	60
/* The status of one that was skipped, as of scripts. */
#define KTAP_SKIPPED	4

static struct ktap_test *ktap_tests, **ktap_tail = &ktap_tests;
static bool ktap_failed;

void ktap_add(struct ktap_test *t)
{
	*ktap_tail = t;
	ktap_tail = &t->next;
}

void ktap_note(const char *fmt, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

void ktap_fail(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	ktap_failed = true;
	printf("# %s:%d: ", file, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

bool ktap_expect_err(const char *file, int line, const char *text, long ret, int err, int want)
{
	if (ret == -1 && err == want)
		return true;
	if (ret != -1)
		ktap_fail(file, line, "%s returns %ld, not %s", text, ret, strerrorname_np(want));
	else
		ktap_fail(file, line, "%s says %s, not %s", text, strerrorname_np(err),
			  strerrorname_np(want));
	return false;
}

void ktap_skip(const char *why)
{
	ktap_note("%s", why);
	fflush(stdout);
	_exit(KTAP_SKIPPED);
}

static int ktap_run(const struct ktap_test *t)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(2);
	}
	if (!pid) {
		setpgid(0, 0);
		alarm(KTAP_SECONDS);
		t->run();
		exit(ktap_failed);
	}
	waitpid(pid, &status, 0);
	/* What it has started and not waited for. */
	kill(-pid, SIGKILL);
	if (WIFSIGNALED(status))
		ktap_note("%s ended by %s", t->name,
			  WTERMSIG(status) == SIGALRM ? "its time limit" :
							strsignal(WTERMSIG(status)));
	return status;
}

static bool ktap_wanted(const struct ktap_test *t, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (!strcmp(argv[i], t->name))
			return true;
	return !argc;
}

int ktap_main(int argc, char **argv)
{
	struct ktap_test *t;
	int n = 0, bad = 0;

	for (t = ktap_tests; t; t = t->next)
		n += ktap_wanted(t, argc, argv);
	printf("TAP version 13\n1..%d\n", n);
	n = 0;
	for (t = ktap_tests; t; t = t->next) {
		bool ok, skipped;
		int status;

		if (!ktap_wanted(t, argc, argv))
			continue;
		status = ktap_run(t);
		skipped = WIFEXITED(status) && WEXITSTATUS(status) == KTAP_SKIPPED;
		ok = skipped || !status;
		bad += !ok;
		printf("%s %d - %s%s\n", ok ? "ok" : "not ok", ++n, t->name,
		       skipped ? " # SKIP" : "");
	}
	return !n || bad;
}
