/* SPDX-License-Identifier: GPL-2.0 */
/* The files that fablink reads: links, and events of links. */
#ifndef FABLINK_LINES_H
#define FABLINK_LINES_H

#include <limits.h>
#include <net/if.h>
#include <stddef.h>
#include <stdint.h>

#include "lapslink.h"

/**
 * struct line - what one line asks for
 * @number: of the line, from 1
 * @at_ns: when, for an event
 * @ns: name of the network namespace
 * @dev: name of the device there
 * @parms: all parameters of the link from then on
 */
struct line {
	unsigned int number;
	uint64_t at_ns;
	char ns[NAME_MAX + 1];
	char dev[IFNAMSIZ];
	struct lapslink_parms parms;
};

struct lines {
	const char *file;
	struct line *line;
	size_t n;
};

/*
 * Both read all of @file, or of the standard input if that is "-", and return
 * STATUS_OK, or another STATUS_* after a complaint. What was read is the caller's to
 * free with lines_free(), in any case.
 */
int lines_read_links(struct lines *links, const char *file);

/*
 * Parameters that an event does not name are as they were after the events before it,
 * and at first as in @links, which are changed: they end up as after the last event.
 */
int lines_read_events(struct lines *events, const char *file, struct lines *links);

void lines_free(struct lines *lines);

#endif /* FABLINK_LINES_H */
