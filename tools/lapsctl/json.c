// SPDX-License-Identifier: GPL-2.0
/* JSON to standard output; see json.h. */
#include <inttypes.h>
#include <stdio.h>

#include "json.h"

static struct {
	bool pretty;
	int depth;
	/* Nothing was written yet since the innermost bracket. */
	bool first;
} json;

void json_start(bool pretty)
{
	json.pretty = pretty;
	json.depth = 0;
	json.first = true;
}

void json_end(void)
{
	putchar('\n');
}

static void json_newline(void)
{
	int i;

	if (!json.pretty)
		return;
	putchar('\n');
	for (i = 0; i < json.depth; i++)
		putchar('\t');
}

static void json_quote(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			printf("\\%c", *s);
		else if ((unsigned char)*s < ' ')
			printf("\\u%04x", *s);
		else
			putchar(*s);
	}
	putchar('"');
}

static void json_key(const char *key)
{
	if (!json.first)
		putchar(',');
	json.first = false;
	if (json.depth)
		json_newline();
	if (!key)
		return;
	json_quote(key);
	putchar(':');
	if (json.pretty)
		putchar(' ');
}

static void json_open(const char *key, char bracket)
{
	json_key(key);
	putchar(bracket);
	json.depth++;
	json.first = true;
}

static void json_close(char bracket)
{
	json.depth--;
	if (!json.first)
		json_newline();
	putchar(bracket);
	json.first = false;
}

void json_open_object(const char *key)
{
	json_open(key, '{');
}

void json_close_object(void)
{
	json_close('}');
}

void json_open_array(const char *key)
{
	json_open(key, '[');
}

void json_close_array(void)
{
	json_close(']');
}

void json_text(const char *key, const char *value)
{
	json_key(key);
	json_quote(value);
}

void json_u64(const char *key, uint64_t value)
{
	json_key(key);
	printf("%" PRIu64, value);
}

void json_s64(const char *key, int64_t value)
{
	json_key(key);
	printf("%" PRId64, value);
}

void json_bool(const char *key, bool value)
{
	json_key(key);
	fputs(value ? "true" : "false", stdout);
}
