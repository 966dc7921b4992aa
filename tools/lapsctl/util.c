// SPDX-License-Identifier: GPL-2.0
/* Errors and memory; see util.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util.h"

struct options opt;

static void say(const char *fmt, va_list ap)
{
	/* What was printed before comes first, also where both go to one file. */
	fflush(stdout);
	fputs("lapsctl: ", stderr);
	if (opt.file)
		fprintf(stderr, "%s:%u: ", opt.file, opt.line);
	if (opt.doing)
		fprintf(stderr, "%s: ", opt.doing);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void complain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

int usage_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	return EXIT_USAGE;
}

int system_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	return EXIT_KERNEL;
}

void *xalloc(size_t size)
{
	return xrealloc(NULL, size);
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size);

	if (p)
		return p;
	complain("out of memory");
	exit(EXIT_KERNEL);
}

char *xprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	if (s)
		return s;
	complain("out of memory");
	exit(EXIT_KERNEL);
}
