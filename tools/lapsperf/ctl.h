/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control connection: lines of text over TCP. The client says
 *
 *	run proto=udp mode=stream flows=2 size=1000 ...
 *
 * the server "ok port=5201" or "error TEXT"; then both are silent until the
 * client says "end total=N" (only if the server cannot know, or to stop it) and
 * the server answers with its results, the last line being "done".
 */
#ifndef LAPSPERF_CTL_H
#define LAPSPERF_CTL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lapsperf.h"

struct ctl {
	int fd;
	FILE *in, *out;
	char *line;
	size_t room;
};

void ctl_init(struct ctl *c, int fd);
void ctl_close(struct ctl *c);
char *ctl_read(struct ctl *c);
void ctl_say(struct ctl *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *ctl_get(const char *line, const char *key, char *buf, size_t room);
uint64_t ctl_get_u64(const char *line, const char *key);
void ctl_say_run(struct ctl *c, const struct params *p);
const char *ctl_parse_run(const char *line, struct params *p);

#endif
