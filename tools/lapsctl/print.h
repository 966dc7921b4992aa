/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers as people read them, colours, and tables. */
#ifndef LAPSCTL_PRINT_H
#define LAPSCTL_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <netinet/in.h>

enum color {
	COLOR_NONE,
	COLOR_BOLD,
	COLOR_DIM,
	COLOR_GREEN,
	COLOR_YELLOW,
	COLOR_RED,
	COLOR_CYAN,
	COLOR_COUNT
};

/* Colours if standard output is a terminal and nobody objects (NO_COLOR). */
void color_init(void);
/* The sequence that starts a colour, or "". */
const char *color_on(enum color color);
/* The one that ends it. */
const char *color_off(enum color color);

/* How a path's or a flow's state looks. */
enum color color_of_state(const char *state);

/* Room for anything that the functions below write: sixteen addresses. */
#define TEXT_MAX	768

/* 12.3 us; a sign only if negative. */
const char *text_ns(char *buf, int64_t ns);
/* 9.31 Gbit/s, of bytes/s. */
const char *text_rate(char *buf, uint64_t rate);
/* 12.3 MB */
const char *text_bytes(char *buf, uint64_t bytes);
/* 12345, 1.23 M */
const char *text_count(char *buf, uint64_t count);
/* 41.3 %; "-" of nothing. */
const char *text_share(char *buf, uint64_t part, uint64_t whole);
/* An IPv4 address as such. */
const char *text_addr(char *buf, const struct in6_addr *addr);
/* Several, with commas; if @all is false only the first and the last of many. */
const char *text_addrs(char *buf, const struct in6_addr *addrs, size_t n, bool all);
/* A name, or "if3" of a device that is gone. */
const char *text_device(char *buf, uint32_t ifindex);

/**
 * struct column - of a table
 * @head: its title
 * @left: words stand on the left, numbers on the right
 * @rare: left out if all that is in it is ""; not for the last one
 * @min: width that it has in any case
 */
struct column {
	const char *head;
	bool left;
	bool rare;
	int min;
};

struct table;

/* Columns are as wide as what is in them, and @indent spaces from the edge. */
struct table *table_new(const struct column *columns, int n, int indent);
/* The next cell, row by row. */
void table_add(struct table *table, enum color color, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Into @out, and the end of the table. */
void table_print(struct table *table, FILE *out);
/* The end of a table that nobody needs. */
void table_free(struct table *table);

#endif /* LAPSCTL_PRINT_H */
