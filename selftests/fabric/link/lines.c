// SPDX-License-Identifier: GPL-2.0
/*
 * The files that fablink reads. A line is
 *
 *	[TIME_NS] NS DEV [KEY VALUE | FLAG]...
 *
 * Empty lines, and what follows a word that begins with #, do not count. All numbers
 * are decimal and without a unit.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "util.h"

/* Each key once, with its value, is less. */
#define WORDS_MAX	64

/* The words of a line that are not used yet. */
struct words {
	char *word[WORDS_MAX];
	size_t n;
	size_t used;
};

enum key_id { KEY_RATE, KEY_DELAY, KEY_LIMIT, KEY_ALPHA, KEY_ECN, KEY_LOSS, KEY_SEED };

/**
 * struct key - a parameter that is a number
 * @name: of the key
 * @unit: of the value, for messages
 * @id: says which field it is
 * @min: the least value
 * @max: the largest one, which fits into the field
 */
struct key {
	const char *name;
	const char *unit;
	enum key_id id;
	uint64_t min;
	uint64_t max;
};

static const struct key keys[] = {
	{ "rate", "bytes/s", KEY_RATE, LAPSLINK_RATE_MIN, LAPSLINK_RATE_MAX },
	{ "delay", "ns", KEY_DELAY, 0, LAPSLINK_DELAY_MAX_NS },
	{ "limit", "bytes", KEY_LIMIT, LAPSLINK_LIMIT_MIN, UINT32_MAX },
	{ "alpha", "256ths of what is free", KEY_ALPHA, 0, UINT32_MAX },
	{ "ecn", "bytes", KEY_ECN, 0, UINT32_MAX },
	{ "loss", "parts per 2^32", KEY_LOSS, 0, UINT32_MAX },
	{ "seed", "any number", KEY_SEED, 0, UINT64_MAX },
};

static const struct flag {
	const char *name;
	uint32_t bit;
	bool on;
} flags[] = {
	{ "tcp-acks", LAPSLINK_F_TCP_ACKS, true },
	{ "no-tcp-acks", LAPSLINK_F_TCP_ACKS, false },
	{ "down", LAPSLINK_F_DOWN, true },
	{ "up", LAPSLINK_F_DOWN, false },
};

/* --- parameters ---------------------------------------------------------------- */

/* FNV-1a, so that links differ in what they lose, and runs do not. */
static uint64_t seed_of(const char *text, uint64_t hash)
{
	while (*text)
		hash = (hash ^ (unsigned char)*text++) * 0x100000001b3ULL;
	return hash;
}

/* What the README says of parameters that are not given. */
static void set_defaults(struct line *l)
{
	l->parms = (struct lapslink_parms) {
		.rate = 1250000000,
		.limit_bytes = 250000,
		.seed = seed_of(l->dev, seed_of(l->ns, 0xcbf29ce484222325ULL)),
	};
	memset(l->parms.dscp, LAPSLINK_DSCP_NONE, sizeof(l->parms.dscp));
}

static void store(struct lapslink_parms *p, enum key_id id, uint64_t value)
{
	switch (id) {
	case KEY_RATE: p->rate = value; break;
	case KEY_DELAY: p->delay_ns = value; break;
	case KEY_LIMIT: p->limit_bytes = (__u32)value; break;
	case KEY_ALPHA: p->alpha_q8 = (__u32)value; break;
	case KEY_ECN: p->ecn_bytes = (__u32)value; break;
	case KEY_LOSS: p->loss = (__u32)value; break;
	case KEY_SEED: p->seed = value; break;
	}
}

static int set_number(struct lapslink_parms *p, const struct key *k, const char *text)
{
	uint64_t value;

	if (!text)
		return usage_error("%s has no value (%s)", k->name, k->unit);
	if (!parse_number(text, &value) || value < k->min || value > k->max)
		return usage_error("%s %s: give a number from %" PRIu64 " to %" PRIu64 " (%s)",
				   k->name, text, k->min, k->max, k->unit);
	store(p, k->id, value);
	return STATUS_OK;
}

static const struct key *find_key(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(keys); i++)
		if (!strcmp(keys[i].name, name))
			return &keys[i];
	return NULL;
}

/* Numbers with commas between them, to @dscp; of classes that have none there is none. */
static bool parse_dscps(const char *text, __u8 *dscp)
{
	char word[sizeof("255")];
	uint64_t value;
	size_t i, len;

	memset(dscp, LAPSLINK_DSCP_NONE, LAPSLINK_CLASSES);
	for (i = 0; i < LAPSLINK_CLASSES; i++) {
		len = strcspn(text, ",");
		if (len >= sizeof(word))
			return false;
		memcpy(word, text, len);
		word[len] = '\0';
		if (!parse_number(word, &value) ||
		    (value > LAPSLINK_DSCP_MAX && value != LAPSLINK_DSCP_NONE))
			return false;
		dscp[i] = (__u8)value;
		if (!text[len])
			return true;
		text += len + 1;
	}
	return false;
}

static int set_dscps(struct lapslink_parms *p, const char *text)
{
	static const char unit[] = "with commas, best first; 255 for none";

	if (!text)
		return usage_error("dscp has no value (%s)", unit);
	if (!parse_dscps(text, p->dscp))
		return usage_error("dscp %s: give one to %d numbers from 0 to %d (%s)", text,
				   LAPSLINK_CLASSES, LAPSLINK_DSCP_MAX, unit);
	return STATUS_OK;
}

/* @text: its value, or NULL */
static int set_key(struct lapslink_parms *p, const char *name, const char *text)
{
	const struct key *k = find_key(name);

	if (!strcmp(name, "dscp"))
		return set_dscps(p, text);
	if (!k)
		return usage_error("%s is neither a key nor a flag; fablink help lists them", name);
	return set_number(p, k, text);
}

static bool set_flag(struct lapslink_parms *p, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(flags); i++) {
		if (strcmp(flags[i].name, name))
			continue;
		p->flags &= ~flags[i].bit;
		if (flags[i].on)
			p->flags |= flags[i].bit;
		return true;
	}
	return false;
}

static const char *next_word(struct words *w)
{
	return w->used < w->n ? w->word[w->used++] : NULL;
}

/* That a class may hold, with nothing in the others. */
static uint32_t most_bytes(const struct lapslink_parms *p)
{
	uint64_t parts = 256ULL + p->alpha_q8;

	return p->alpha_q8 ? (uint64_t)p->limit_bytes * p->alpha_q8 / parts : p->limit_bytes;
}

/* What one number alone does not tell. */
static int check_parms(const struct lapslink_parms *p)
{
	uint32_t most = most_bytes(p);

	if (most < LAPSLINK_LIMIT_MIN)
		return usage_error("alpha %u of a limit of %u leaves a class %u bytes: at least %u are a frame",
				   p->alpha_q8, p->limit_bytes, most, LAPSLINK_LIMIT_MIN);
	if (p->ecn_bytes > most)
		return usage_error("ecn %u would never mark: make it at most what a class may hold, %u",
				   p->ecn_bytes, most);
	return STATUS_OK;
}

static int parse_parms(struct words *w, struct lapslink_parms *p)
{
	const char *word;
	int ret;

	while ((word = next_word(w))) {
		if (set_flag(p, word))
			continue;
		ret = set_key(p, word, next_word(w));
		if (ret)
			return ret;
	}
	return check_parms(p);
}

/* --- lines ------------------------------------------------------------------------ */

static int parse_link(struct words *w, struct line *l)
{
	const char *ns = next_word(w), *dev = next_word(w);

	if (!ns || !dev)
		return usage_error("a link is given as NAMESPACE DEVICE");
	if (strlen(ns) >= sizeof(l->ns) || strchr(ns, '/'))
		return usage_error("%s is not the name of a namespace", ns);
	if (strlen(dev) >= sizeof(l->dev))
		return usage_error("%s is not the name of a device", dev);
	memcpy(l->ns, ns, strlen(ns) + 1);
	memcpy(l->dev, dev, strlen(dev) + 1);
	return STATUS_OK;
}

static int parse_set(struct words *w, struct line *l)
{
	int ret = parse_link(w, l);

	if (ret)
		return ret;
	set_defaults(l);
	return parse_parms(w, &l->parms);
}

/* The last one, if a link is there several times. */
static struct line *find_link(const struct lines *links, const struct line *l)
{
	size_t i = links->n;

	while (i--)
		if (!strcmp(links->line[i].dev, l->dev) && !strcmp(links->line[i].ns, l->ns))
			return &links->line[i];
	return NULL;
}

static int parse_event(struct words *w, struct line *l, struct lines *links, uint64_t last_ns)
{
	const char *time = next_word(w);
	struct line *link;
	int ret;

	if (!parse_number(time, &l->at_ns))
		return usage_error("%s is not a time: give whole nanoseconds", time);
	if (l->at_ns < last_ns)
		return usage_error("%s is before the event above, at %" PRIu64 ": sort the file",
				   time, last_ns);
	ret = parse_link(w, l);
	if (ret)
		return ret;
	link = find_link(links, l);
	if (!link)
		return usage_error("%s %s is not in %s", l->ns, l->dev, links->file);
	ret = parse_parms(w, &link->parms);
	l->parms = link->parms;
	return ret;
}

static int split(char *text, struct words *w)
{
	char *save, *word = strtok_r(text, " \t\r\n", &save);

	w->n = 0;
	w->used = 0;
	for (; word && *word != '#'; word = strtok_r(NULL, " \t\r\n", &save)) {
		if (w->n == WORDS_MAX)
			return usage_error("more than %d words", WORDS_MAX);
		w->word[w->n++] = word;
	}
	return STATUS_OK;
}

static struct line *add_line(struct lines *lines, unsigned int number)
{
	struct line *l;

	/* Doubled whenever it is full. */
	if (!(lines->n & (lines->n - 1)))
		lines->line = xrealloc(lines->line, (lines->n ? 2 * lines->n : 1) * sizeof(*l));
	l = &lines->line[lines->n++];
	memset(l, 0, sizeof(*l));
	l->number = number;
	return l;
}

/* @links: for events; NULL for links. */
static int read_lines(struct lines *lines, struct lines *links, FILE *f)
{
	unsigned int number = 0;
	size_t room = 0;
	char *text = NULL;
	uint64_t last_ns = 0;
	struct words w;
	struct line *l;
	int ret = STATUS_OK;

	while (!ret && getline(&text, &room, f) >= 0) {
		util_at_line(lines->file, ++number);
		ret = split(text, &w);
		if (ret || !w.n)
			continue;
		l = add_line(lines, number);
		ret = links ? parse_event(&w, l, links, last_ns) : parse_set(&w, l);
		last_ns = l->at_ns;
	}
	free(text);
	util_at_line(NULL, 0);
	if (!ret && ferror(f))
		ret = failure("cannot read %s: %s", lines->file, strerror(errno));
	return ret;
}

static int read_file(struct lines *lines, struct lines *links, const char *file)
{
	bool is_stdin = !strcmp(file, "-");
	FILE *f = is_stdin ? stdin : fopen(file, "re");
	int ret;

	memset(lines, 0, sizeof(*lines));
	lines->file = is_stdin ? "(standard input)" : file;
	if (!f)
		return failure("cannot open %s: %s", file, strerror(errno));
	ret = read_lines(lines, links, f);
	if (!is_stdin)
		fclose(f);
	return ret;
}

int lines_read_links(struct lines *links, const char *file)
{
	return read_file(links, NULL, file);
}

int lines_read_events(struct lines *events, const char *file, struct lines *links)
{
	return read_file(events, links, file);
}

void lines_free(struct lines *lines)
{
	free(lines->line);
	lines->line = NULL;
	lines->n = 0;
}
