/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_SEQMAP_H
#define _LAPSMP_ALG_SEQMAP_H

#include <linux/types.h>

/* How many sequences below the highest are told apart: an ACK's map. */
#define LAPSMP_SEQMAP_BITS	64

/**
 * struct lapsmp_seqmap - which sequences arrived; zeroed when new
 * @map: bit i: @high - 1 - i has arrived
 * @high: highest that arrived, modulo 2^32; 0 before the first
 * @any: there was one
 */
struct lapsmp_seqmap {
	u64	map;
	u32	high;
	bool	any;
};

/**
 * lapsmp_seqmap_add() - a sequence arrived
 * @s: what arrived so far
 * @seq: any number; one that is half of all numbers away counts as older
 *
 * What is older than the map is not noted.
 *
 * Return: whether it is the highest now, and was not before.
 */
bool lapsmp_seqmap_add(struct lapsmp_seqmap *s, u32 seq);

#endif /* _LAPSMP_ALG_SEQMAP_H */
