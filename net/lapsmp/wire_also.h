/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an ACK says of further paths: its option ALSO, once for each of them. wire.c finds
 * options, and this knows what is in this one.
 */
#ifndef _LAPSMP_WIRE_ALSO_H
#define _LAPSMP_WIRE_ALSO_H

#include "wire.h"

/**
 * struct lapsmp_also - what was received on a path; the fields of struct lapsmp_hdr
 */
struct lapsmp_also {
	u64	map;
	u32	seq;
	u32	owd_ns;
	u32	owd_mean_ns;
	u32	ack_delay_ns;
	u16	path_id;
};

/* The packet's own path is the one of @a, and it says of it what that does. */
void lapsmp_also_own(struct lapsmp_hdr *h, const struct lapsmp_also *a);

/* @opt: room for LAPSMP_ALSO_OLEN bytes, all of them 0. */
void lapsmp_also_put(u8 *opt, const struct lapsmp_also *a);

/**
 * lapsmp_also_next() - the next one of a packet
 * @a: where it goes
 * @buf: the packet
 * @h: what lapsmp_wire_parse() made of it
 * @pos: 0 for the first; where the last one ended
 *
 * Return: whether there is one.
 */
bool lapsmp_also_next(struct lapsmp_also *a, const u8 *buf, const struct lapsmp_hdr *h,
		      unsigned int *pos);

#endif /* _LAPSMP_WIRE_ALSO_H */
