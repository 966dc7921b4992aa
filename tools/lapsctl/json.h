/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A JSON writer: commas, quoting and indentation. Values in objects have a key,
 * those in arrays have NULL.
 */
#ifndef LAPSCTL_JSON_H
#define LAPSCTL_JSON_H

#include <stdbool.h>
#include <stdint.h>

/* All that follows goes to standard output; @pretty: on lines of their own. */
void json_start(bool pretty);
/* Ends the document's line. */
void json_end(void);

void json_open_object(const char *key);
void json_close_object(void);
void json_open_array(const char *key);
void json_close_array(void);

/* Not json_string(): Jansson has one. */
void json_text(const char *key, const char *value);
void json_u64(const char *key, uint64_t value);
void json_s64(const char *key, int64_t value);
void json_bool(const char *key, bool value);

#endif /* LAPSCTL_JSON_H */
