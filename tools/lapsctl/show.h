/* SPDX-License-Identifier: GPL-2.0 */
/* Rows as JSON and in words. */
#ifndef LAPSCTL_SHOW_H
#define LAPSCTL_SHOW_H

#include <stdio.h>

#include "nl.h"
#include "print.h"

/* All that the kernel said, by the spec's names, into an open object. */
void show_json_row(const struct row *row);
/* A document: an array of objects. */
void show_json_rows(const struct rows *rows);

/* One attribute as people read it. */
const char *show_value(const struct row *row, uint16_t type, char *buf);

/* The same of what few have; "" if it is not there. */
const char *show_rare(const struct row *row, uint16_t type, char *buf);

/* A path's delay or the like, "-" if it is not known, or no longer. */
const char *show_path_time(const struct row *row, uint16_t type, char *buf);
/* By which nodes it goes, or "". */
const char *show_path_segs(const struct row *row, char *buf);
/*
 * " segs fd00::1 local fd01::1", or "": nodes, addresses and device of its own, as a
 * command's words; of many segments all, or only the first and the last.
 */
const char *show_path_words(const struct row *row, bool all, char *buf, size_t room);
/* Room for that. */
#define SHOW_PATH_MAX	1024

/* All that the kernel said, a line for each. */
void show_details(const struct row *row);

/* "10.0.2.1", and what else names the peer if it is not the usual. */
const char *show_peer(const struct row *row, char *buf, size_t room);
/* The same, as a command's words. */
const char *show_peer_words(const struct row *row, char *buf, size_t room);
/* Room for that. */
#define SHOW_PEER_MAX	192

#endif /* LAPSCTL_SHOW_H */
