/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to the kernel, and what it answers. A request that fails is reported
 * on standard error, with the kernel's own text.
 */
#ifndef LAPSCTL_NL_H
#define LAPSCTL_NL_H

#include <stdbool.h>
#include <stdint.h>
#include <netinet/in.h>

#include <libmnl/libmnl.h>

#include "attrs.h"

/**
 * struct row - one object that the kernel described
 * @set: which attributes it has
 * @msg: its message
 * @cmd: of the message
 * @tb: attributes of @msg by number, NULL if not there
 */
struct row {
	const struct attr_set *set;
	const struct nlmsghdr *msg;
	uint8_t cmd;
	const struct nlattr *tb[ATTRS_MAX];
};

/* Begin with all zero. */
struct rows {
	struct row *v;
	size_t n;
};

/* Only check requests, send none that changes anything. */
void nl_set_dry(bool dry);
bool nl_is_dry(void);

/**
 * nl_begin() - start a request
 * @cmd: enum LAPSMP_CMD_*
 * @flags: NLM_F_DUMP or 0
 *
 * Return: a message to put attributes into; there is one at a time.
 */
struct nlmsghdr *nl_begin(uint8_t cmd, uint16_t flags);

/**
 * nl_run() - send a request and wait for the answer
 * @req: from nl_begin()
 * @rows: what the kernel answers is added here, or NULL
 *
 * Return: 0, or EXIT_KERNEL: the error was reported.
 */
int nl_run(struct nlmsghdr *req, struct rows *rows);

void rows_free(struct rows *rows);

/* All objects of a kind, in order of what names them. Return: as nl_run(). */
int nl_dump(uint8_t cmd, struct rows *rows);

/* Take a message as a row, which lives as long as the message does. */
void row_parse(struct row *row, const struct nlmsghdr *msg);

/* Add a copy of a message. */
void rows_add(struct rows *rows, const struct nlmsghdr *msg);

/* Listen to events, until @seen returns false or fails. Return: as nl_run(). */
int nl_listen(bool (*seen)(const struct row *row, void *data), void *data);

/* The value of an attribute, or 0 if it is not there. */
uint64_t row_u64(const struct row *row, uint16_t type);
int64_t row_s64(const struct row *row, uint16_t type);
/* The same for strings and addresses: "" and NULL. */
const char *row_string(const struct row *row, uint16_t type);
/* The addresses of one that has several; NULL if it is not there. */
const struct in6_addr *row_addrs(const struct row *row, uint16_t type, size_t *n);
const struct in6_addr *row_addr(const struct row *row, uint16_t type);

static inline bool row_has(const struct row *row, uint16_t type)
{
	return row->tb[type];
}

/* Into order of what names them, and each only once. */
void rows_sort(struct rows *rows);
/* Do two rows belong to the same peer? */
bool row_same_peer(const struct row *a, const struct row *b);

void nl_close(void);

#endif /* LAPSCTL_NL_H */
