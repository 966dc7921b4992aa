// SPDX-License-Identifier: GPL-2.0
/* Words of the command line and which parameters they name; see parse.h. */
#include <stdio.h>
#include <string.h>

#include "parse.h"
#include "util.h"

/* --- words ---------------------------------------------------------------------- */

const char *args_next(struct args *args)
{
	if (!args->n)
		return NULL;
	args->n--;
	return *args->v++;
}

bool args_take(struct args *args, const char *word)
{
	if (!args->n || strcmp(args->v[0], word))
		return false;
	args_next(args);
	return true;
}

int args_end(const struct args *args)
{
	if (!args->n)
		return EXIT_OK;
	return usage_error("'%s' is not expected here; try: lapsctl help", args->v[0]);
}

/* --- parameters ------------------------------------------------------------------- */

static const struct param key_params[PARAM_OWN_FIRST] = {
	{ "peer", "ADDRESS", LAPSMP_A_PEER_PEER, put_addr },
	{ "port", "PORT", LAPSMP_A_PEER_PORT, put_u16 },
	{ "bound", "ADDRESS", LAPSMP_A_PEER_LOCAL, put_addr },
	{ "bound-dev", "DEVICE", LAPSMP_A_PEER_IFINDEX, put_device },
	{ "mark", "MARK", LAPSMP_A_PEER_MARK, put_u32 },
	{ "tos", "TOS", LAPSMP_A_PEER_TOS, put_u8 },
};

const struct param *param_at(const struct params *params, int bit)
{
	int own = bit - PARAM_OWN_FIRST;

	if (own < 0)
		return &key_params[bit];
	return params && own < params->n ? &params->v[own] : NULL;
}

int param_find(const struct params *params, uint32_t may, const char *word)
{
	const struct param *p;
	int i;

	for (i = 0; (p = param_at(params, i)); i++) {
		if (may & 1u << i && p->name && !strcmp(p->name, word))
			return i;
	}
	return -1;
}

/*
 * The one whose value stands alone, if it is allowed and was not given yet. What looks
 * like an option is none of it: more likely it is misspelt.
 */
static int param_unnamed(const struct params *params, uint32_t may, const char *word)
{
	const struct param *p;
	int i;

	if (word[0] == '-' && word[1])
		return -1;

	for (i = 0; (p = param_at(params, i)); i++) {
		if (may & 1u << i && !p->name)
			return i;
	}
	return -1;
}

static int param_unknown(const struct params *params, uint32_t all, const char *word)
{
	char takes[512];

	params_describe(params, 0, all, takes, sizeof(takes));
	return usage_error("'%s' is not known here; it takes: %s", word,
			   takes[0] ? takes : "nothing");
}

int param_next(struct args *args, const struct params *params, uint32_t may, uint32_t *seen,
	       const char **value)
{
	const char *word = args_next(args);
	int i = param_find(params, may, word);
	const struct param *param;

	if (i >= 0 && *seen & 1u << i) {
		usage_error("%s is given twice", word);
		return -1;
	}
	if (i >= 0) {
		param = param_at(params, i);
		word = *param->value ? args_next(args) : "";
		if (!word) {
			usage_error("%s needs a value: %s %s", param->name, param->name,
				    param->value);
			return -1;
		}
	} else {
		i = param_unnamed(params, may & ~*seen, word);
		if (i < 0) {
			param_unknown(params, may, word);
			return -1;
		}
	}
	*seen |= 1u << i;
	*value = word;
	return i;
}

/* Complains if one that is needed is not there. */
static int params_missing(const struct params *params, uint32_t need, uint32_t may, uint32_t seen)
{
	char missing[256];

	if (need & ~may & ~seen) {
		params_describe(params, need & ~may & ~seen, 0, missing, sizeof(missing));
		return usage_error("missing: %s", missing);
	}
	if (need & may && !(need & may & seen)) {
		params_describe(params, need & may, 0, missing, sizeof(missing));
		return usage_error("missing, at least one of: %s", missing);
	}
	return EXIT_OK;
}

int params_parse(struct args *args, const struct params *params, uint32_t need, uint32_t may,
		 struct nlmsghdr *req, uint32_t *given)
{
	const struct param *param;
	const char *word = NULL;
	uint32_t seen = 0;
	int i, ret;

	while (args->n) {
		i = param_next(args, params, need | may, &seen, &word);
		if (i < 0)
			return EXIT_USAGE;
		param = param_at(params, i);
		ret = param->put(req, param, word);
		if (ret)
			return ret;
	}
	if (given)
		*given = seen;
	return params_missing(params, need, may, seen);
}

int params_words(struct args *args, const struct params *params, uint32_t need, uint32_t may,
		 const char **values)
{
	const char *word = NULL;
	uint32_t seen = 0;
	int i;

	while (args->n) {
		i = param_next(args, params, need | may, &seen, &word);
		if (i < 0)
			return EXIT_USAGE;
		values[i - PARAM_OWN_FIRST] = word;
	}
	return params_missing(params, need, may, seen);
}

/* Adds those of a mask; with brackets, if they may be left out. */
static void params_add(const struct params *params, uint32_t mask, const char *brackets,
		       char *buf, size_t room)
{
	size_t at = strlen(buf);
	const struct param *p;
	int i;

	for (i = 0; at < room && (p = param_at(params, i)); i++) {
		if (mask & 1u << i)
			at += (size_t)snprintf(buf + at, room - at, "%s%.1s%s%s%s%s", at ? " " : "",
					       brackets, p->name ? p->name : "",
					       p->name && *p->value ? " " : "", p->value,
					       *brackets ? brackets + 1 : "");
	}
}

void params_describe(const struct params *params, uint32_t need, uint32_t may, char *buf,
		     size_t room)
{
	bool keys = (may & PARAM_KEY) == PARAM_KEY;
	size_t at;

	buf[0] = '\0';
	params_add(params, need & ~may, "", buf, room);
	params_add(params, may & PARAM_PEER, "[]", buf, room);
	if (!keys)
		params_add(params, may & PARAM_KEY, "[]", buf, room);
	params_add(params, may & ~(uint32_t)(PARAM_PEER | PARAM_KEY), "[]", buf, room);
	at = strlen(buf);
	if (keys)
		snprintf(buf + at, room - at, "%s[KEY]...", at ? " " : "");
}
