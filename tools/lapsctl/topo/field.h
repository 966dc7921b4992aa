/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Members of the objects of a JSON file that a person wrote: each complaint says where
 * it is, what is wrong, and what would be right. All return 0 or, after a complaint,
 * EXIT_USAGE; where a member is not there, the value stays what it was.
 */
#ifndef LAPSCTL_TOPO_FIELD_H
#define LAPSCTL_TOPO_FIELD_H

#include <jansson.h>

#include "graph.h"

/**
 * struct field_place - an object in the file
 * @file: name of the file
 * @name: "links[3]"
 * @what: names of what it is about, or ""
 * @object: it
 */
struct field_place {
	const char *file;
	char name[32];
	char what[2 * TOPO_NAME_MAX + 8];
	const json_t *object;
};

/* Has it no control characters? What is printed must not command a terminal. */
bool field_printable(const char *text);

/* Complain; the text follows on the place. Return: EXIT_USAGE. */
int field_bad(const struct field_place *at, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Are all members in @known, which has blanks between them? */
int field_known(const struct field_place *at, const char *known);

/* Text without control characters; NULL if it is not there. It is the object's. */
int field_string(const struct field_place *at, const char *key, const char **value);

int field_bool(const struct field_place *at, const char *key, bool *value);

/* A whole number. */
int field_number(const struct field_place *at, const char *key, uint64_t min, uint64_t max,
		 uint64_t *value);

/* A whole number of @unit, or text that @parse understands. */
int field_scaled(const struct field_place *at, const char *key, uint64_t min, uint64_t max,
		 int (*parse)(const char *what, const char *word, uint64_t *value),
		 const char *unit, uint64_t *value);

/* An IPv6 address, and whether it is there. */
int field_addr(const struct field_place *at, const char *key, struct in6_addr *addr, bool *has);

/* One of @n words; the value is its number. */
int field_word(const struct field_place *at, const char *key, const char *const *words, int n,
	       int *value);

#endif /* LAPSCTL_TOPO_FIELD_H */
