/* SPDX-License-Identifier: GPL-2.0 */
/* Errors, numbers and memory of fablink. */
#ifndef FABLINK_UTIL_H
#define FABLINK_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_LEN(a)	(sizeof(a) / sizeof((a)[0]))

/* What fablink exits with: all done; it was asked for nonsense; it could not be done. */
enum {
	STATUS_OK,
	STATUS_USAGE,
	STATUS_FAILED,
};

/* Complaints name this line from here on; NULL for none. */
void util_at_line(const char *file, unsigned int line);

/* Return: STATUS_USAGE, after saying why. */
int usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Return: STATUS_FAILED, after saying why. */
int failure(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Whether @text is a decimal number, without a sign or a unit. */
bool parse_number(const char *text, uint64_t *value);

/* realloc(), or the end of the program. */
void *xrealloc(void *old, size_t size);

#endif /* FABLINK_UTIL_H */
