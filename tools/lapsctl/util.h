/* SPDX-License-Identifier: GPL-2.0 */
/* Options of this run, errors, and memory. */
#ifndef LAPSCTL_UTIL_H
#define LAPSCTL_UTIL_H

#include <stdbool.h>
#include <stddef.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Exit statuses, and what commands return. */
enum {
	EXIT_OK = 0,
	/* The command line is wrong. */
	EXIT_USAGE = 1,
	/* What was looked for stands in the way: standard output says what. */
	EXIT_FOUND = 1,
	/* The kernel, or the system, refused. */
	EXIT_KERNEL = 2,
};

/**
 * struct options - of this run
 * @json: output is JSON
 * @pretty: and on many lines
 * @doing: what is being done, for errors: "path add"
 * @file: commands come from this file, or NULL
 * @line: and from this line of it
 */
struct options {
	bool json;
	bool pretty;
	const char *doing;
	const char *file;
	unsigned int line;
};

extern struct options opt;

/* Say on standard error what is wrong, after the program's name and the place. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same, about the command line. Return: EXIT_USAGE. */
int usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same, about the system. Return: EXIT_KERNEL. */
int system_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Memory, or the end of the program. */
void *xalloc(size_t size);
void *xrealloc(void *old, size_t size);
char *xprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* LAPSCTL_UTIL_H */
