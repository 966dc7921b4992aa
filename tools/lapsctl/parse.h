/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of the command line, and how they become attributes of a request. What
 * a verb takes is a set of parameters of a list, its own or its object's; the same
 * tables make the help, and tell a shell which word may come next. Only what cannot
 * be sent at all is refused here: ranges and what fits together are the kernel's to
 * judge.
 */
#ifndef LAPSCTL_PARSE_H
#define LAPSCTL_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include <libmnl/libmnl.h>

#include <linux/lapsmp_nl.h>

/* Words that are left. */
struct args {
	int n;
	char **v;
};

/* The next word, or NULL. */
const char *args_next(struct args *args);
/* Take the next word if it is this one. */
bool args_take(struct args *args, const char *word);
/* Complains if a word is left. Return: 0, EXIT_USAGE. */
int args_end(const struct args *args);

/**
 * struct param - a parameter
 * @name: its keyword, or NULL if the value stands alone
 * @value: what to write for it, in the help; "" if the keyword is all
 * @attr: number of its attribute
 * @put: adds the attribute; returns 0 or complains and returns EXIT_USAGE; not needed
 *	by params_words()
 */
struct param {
	const char *name;
	const char *value;
	uint16_t attr;
	int (*put)(struct nlmsghdr *req, const struct param *param, const char *word);
};

/* What verbs may take, beside what names a peer. NULL: nothing. */
struct params {
	const struct param *v;
	int n;
};

/* Bits of masks of parameters: what names a peer, what else does, then those of a list. */
enum {
	PARAM_PEER = 1 << 0,
	PARAM_KEY = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5,
	PARAM_OWN_FIRST = 6,
};

#define PARAM_OWN(n)	(1u << (PARAM_OWN_FIRST + (n)))
/* That one of a list, and all behind it. */
#define PARAM_OWN_FROM(n)	(~(PARAM_OWN(n) - 1))

/* By its bit; NULL behind the last. */
const struct param *param_at(const struct params *params, int bit);

/* The bit of the one of this keyword that is allowed, or -1. */
int param_find(const struct params *params, uint32_t may, const char *word);

/**
 * param_next() - one parameter
 * @args: its word or words are taken
 * @params: of the verb
 * @may: mask of those that are allowed
 * @seen: mask of those that were there; it is added
 * @value: its value; "" if it has none
 *
 * Return: its bit, or -1 after a complaint.
 */
int param_next(struct args *args, const struct params *params, uint32_t may, uint32_t *seen,
	       const char **value);

/**
 * params_parse() - words into attributes
 * @args: all that is left is used up
 * @params: of the verb
 * @need: mask of those that must be there; of those that are in @may as well, one
 * @may: mask of those that may
 * @req: request, or NULL to check only
 * @given: mask of those that were there, or NULL
 *
 * Return: 0, EXIT_USAGE.
 */
int params_parse(struct args *args, const struct params *params, uint32_t need, uint32_t may,
		 struct nlmsghdr *req, uint32_t *given);

/**
 * params_words() - words into values, for what is not asked of the kernel
 * @args: all that is left is used up
 * @params: of the verb; its own ones only
 * @need: as in params_parse()
 * @may: likewise
 * @values: by number of the parameter; those that were there are set, to "" if they
 *	have no value
 *
 * Return: 0, EXIT_USAGE.
 */
int params_words(struct args *args, const struct params *params, uint32_t need, uint32_t may,
		 const char **values);

/* "peer ADDRESS [id ID] [KEY]..." into @buf. */
void params_describe(const struct params *params, uint32_t need, uint32_t may, char *buf,
		     size_t room);

/* For struct param's put. */
int put_addr(struct nlmsghdr *req, const struct param *param, const char *word);
/* IPv6 addresses, with commas between them. */
int put_addrs6(struct nlmsghdr *req, const struct param *param, const char *word);
int put_answers(struct nlmsghdr *req, const struct param *param, const char *word);
int put_u8(struct nlmsghdr *req, const struct param *param, const char *word);
int put_u16(struct nlmsghdr *req, const struct param *param, const char *word);
int put_u32(struct nlmsghdr *req, const struct param *param, const char *word);
int put_u64(struct nlmsghdr *req, const struct param *param, const char *word);
int put_rate(struct nlmsghdr *req, const struct param *param, const char *word);
int put_time(struct nlmsghdr *req, const struct param *param, const char *word);
int put_device(struct nlmsghdr *req, const struct param *param, const char *word);
int put_direction(struct nlmsghdr *req, const struct param *param, const char *word);
/* A name; "default" takes back a choice. */
int put_policy(struct nlmsghdr *req, const struct param *param, const char *word);
int put_name(struct nlmsghdr *req, const struct param *param, const char *word);

/* A number for a command's own use. Return: 0, EXIT_USAGE. */
int parse_u64(const char *what, const char *word, uint64_t max, uint64_t *value);
/* "2.5gbit" to bytes/s, "1.5ms" to ns. Return: 0, EXIT_USAGE. */
int parse_rate(const char *what, const char *word, uint64_t *value);
int parse_time(const char *what, const char *word, uint64_t *value);

#endif /* LAPSCTL_PARSE_H */
