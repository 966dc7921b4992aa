/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who of several senders may go on: the one with the fewest bytes left, and how far
 * (grants.c has the flows, and tells them).
 *
 * Serving the smallest rest first makes the mean time of completion smallest, and the
 * last one ends when it would anyway (Schrage, "A proof of the optimality of the
 * shortest remaining processing time discipline", 1968). pHost and Homa let receivers
 * decide it, as is done here. This file knows no flow and reads no clock.
 */
#ifndef _LAPSMP_ALG_GRANT_H
#define _LAPSMP_ALG_GRANT_H

#include <linux/types.h>

/*
 * Turns are looked at so often, ns; and how many parts of a grant must have arrived
 * in that time at least. With grants of 512 KB that is 52 Mbit/s: who sends less does
 * not fill a link, so nobody waits for him.
 */
#define LAPSMP_GRANT_PERIOD_NS	(10 * 1000 * 1000)
#define LAPSMP_GRANT_PARTS	8
/*
 * What part of a grant one of those that wait gets in that time: 8 of
 * 512 KB are 6.5 Mbit/s, which takes little from slow links, too.
 */
#define LAPSMP_GRANT_RATIONS	64

/**
 * struct lapsmp_grant_need - what is known of a flow; all but @rest in credits
 * @used: by what has arrived, modulo 2^32
 * @limit: what the sender was told that it may use
 * @law: what buffer and budget would allow
 * @rest: bytes still to come of the messages that have begun
 */
struct lapsmp_grant_need {
	u32	used;
	u32	limit;
	u32	law;
	u64	rest;
};

/* Would a higher limit help? Is there more to come than it covers, and room? */
bool lapsmp_grant_wants(const struct lapsmp_grant_need *need);

/**
 * lapsmp_grant_limit() - the limit of a flow that may go on
 * @need: of the flow
 * @bytes: what may be under way, credits; below 2^31
 *
 * Return: never less than need->limit.
 */
u32 lapsmp_grant_limit(const struct lapsmp_grant_need *need, u32 bytes);

/**
 * lapsmp_grant_before() - does one go before another?
 * @rest: its bytes to come
 * @no: when it began to want, as a number
 * @other_rest: of the other
 * @other_no: of the other; not equal to @no
 *
 * Return: a strict order, in which equals go by @no.
 */
bool lapsmp_grant_before(u64 rest, u64 no, u64 other_rest, u64 other_no);

/* Has so little arrived in a period that nobody should wait for it? */
bool lapsmp_grant_is_slow(u32 arrived, u32 bytes);

#endif /* _LAPSMP_ALG_GRANT_H */
