// SPDX-License-Identifier: GPL-2.0
/* Errors, numbers and memory; see util.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util.h"

static struct {
	const char *file;
	unsigned int line;
} at;

void util_at_line(const char *file, unsigned int line)
{
	at.file = file;
	at.line = line;
}

static void say(const char *fmt, va_list ap)
{
	/* What was printed before comes first, also where both go to one file. */
	fflush(stdout);
	fputs("fablink: ", stderr);
	if (at.file)
		fprintf(stderr, "%s:%u: ", at.file, at.line);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

int usage_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	return STATUS_USAGE;
}

int failure(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	return STATUS_FAILED;
}

bool parse_number(const char *text, uint64_t *value)
{
	char *end;

	/* Else strtoull() would take signs and blanks, too. */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && !*end;
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size);

	if (!p)
		exit(failure("no memory for %zu bytes", size));
	return p;
}
