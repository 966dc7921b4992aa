// SPDX-License-Identifier: GPL-2.0
/* Members of JSON objects; see field.h. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "field.h"

int field_bad(const struct field_place *at, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	usage_error("%s: %s%s%s", at->file, at->name, at->what, text ? text : " is wrong");
	free(text);
	return EXIT_USAGE;
}

bool field_printable(const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		/* U+0080 to U+009F are control characters, too. */
		if (c < ' ' || c == 0x7f || (c == 0xc2 && (unsigned char)text[1] < 0xa0))
			return false;
	}
	return true;
}

int field_known(const struct field_place *at, const char *known)
{
	const char *key, *found;
	json_t *value;
	size_t len;

	if (!json_is_object(at->object))
		return field_bad(at, " is not an object; write {...} with: %s", known);
	json_object_foreach((json_t *)at->object, key, value) {
		len = strlen(key);
		if (!field_printable(key))
			return field_bad(at, " has a name with control characters; it may have: %s", known);
		/* An empty one is found everywhere, past the end of the list, too. */
		found = len && !strchr(key, ' ') ? strstr(known, key) : NULL;
		for (; found; found = strstr(found + 1, key)) {
			if ((found == known || found[-1] == ' ') &&
			    (found[len] == ' ' || !found[len]))
				break;
		}
		if (!found)
			return field_bad(at, ": '%s' is not known here; it may have: %s", key, known);
	}
	return EXIT_OK;
}

int field_string(const struct field_place *at, const char *key, const char **value)
{
	const json_t *v = json_object_get(at->object, key);

	*value = json_string_value(v);
	if (v && !*value)
		return field_bad(at, ": %s is not a string; write \"%s\": \"...\"", key, key);
	if (v && !field_printable(*value))
		return field_bad(at, ": %s has control characters; leave them out", key);
	return EXIT_OK;
}

int field_bool(const struct field_place *at, const char *key, bool *value)
{
	const json_t *v = json_object_get(at->object, key);

	if (v && !json_is_boolean(v))
		return field_bad(at, ": %s is neither true nor false", key);
	if (v)
		*value = json_is_true(v);
	return EXIT_OK;
}

int field_number(const struct field_place *at, const char *key, uint64_t min, uint64_t max,
		 uint64_t *value)
{
	const json_t *v = json_object_get(at->object, key);
	json_int_t number = json_integer_value(v);

	if (!v)
		return EXIT_OK;
	if (!json_is_integer(v))
		return field_bad(at, ": %s is not a whole number; write one from %" PRIu64 " to %" PRIu64,
				 key, min, max);
	if (number < 0 || (uint64_t)number < min || (uint64_t)number > max)
		return field_bad(at, ": %s %" JSON_INTEGER_FORMAT " is out of range; it is from %" PRIu64
				 " to %" PRIu64, key, number, min, max);
	*value = (uint64_t)number;
	return EXIT_OK;
}

int field_scaled(const struct field_place *at, const char *key, uint64_t min, uint64_t max,
		 int (*parse)(const char *what, const char *word, uint64_t *value),
		 const char *unit, uint64_t *value)
{
	const json_t *v = json_object_get(at->object, key);
	const char *word = NULL;
	uint64_t number = 0;
	char *what;
	int ret;

	if (json_is_string(v) && field_string(at, key, &word))
		return EXIT_USAGE;
	if (!word && v && !json_is_integer(v))
		return field_bad(at, ": %s is neither a string with a unit nor a whole number of %s", key,
				 unit);
	if (!word)
		return field_number(at, key, min, max, value);
	what = xprintf("%s: %s%s: %s", at->file, at->name, at->what, key);
	ret = parse(what, word, &number);
	free(what);
	if (!ret && (number < min || number > max))
		return field_bad(at, ": %s '%s' is out of range; it is from %" PRIu64 " to %" PRIu64 " %s",
				 key, word, min, max, unit);
	*value = number;
	return ret;
}

int field_addr(const struct field_place *at, const char *key, struct in6_addr *addr, bool *has)
{
	const char *word;

	if (field_string(at, key, &word))
		return EXIT_USAGE;
	*has = word;
	if (!word)
		return EXIT_OK;
	if (inet_pton(AF_INET6, word, addr) != 1)
		return field_bad(at, ": %s '%s' is no IPv6 address; write it like 2001:db8::1", key, word);
	if (!topo_addr_ok(addr))
		return field_bad(at, ": %s '%s' cannot be used as one: it is unspecified, loopback, IPv4, link-local or multicast; give a routed address",
				 key, word);
	return EXIT_OK;
}

int field_word(const struct field_place *at, const char *key, const char *const *words, int n,
	       int *value)
{
	char all[64] = "";
	const char *word;
	size_t len = 0;
	int i;

	if (field_string(at, key, &word))
		return EXIT_USAGE;
	if (!word)
		return EXIT_OK;
	for (i = 0; i < n; i++) {
		if (!strcmp(word, words[i])) {
			*value = i;
			return EXIT_OK;
		}
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "",
					words[i]);
	}
	return field_bad(at, ": %s '%s' is none of: %s", key, word, all);
}
