// SPDX-License-Identifier: GPL-2.0
/* The protocol's parts of the machine's memory; see parts.h. */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/percpu_counter.h>
#include <linux/sizes.h>
#include <linux/swap.h>
#include "parts.h"

/* A part is the memory divided by this, or less if that is asked for, */
#define LAPSMP_PARTS_OF		4
/* but not less than this, if there is as much: CPUs' counts are not exact. */
#define LAPSMP_PARTS_LEAST	SZ_16M
/* A socket may have so many times what is free; a power of 2. */
#define LAPSMP_PARTS_SHARE	4
/* Beyond a part: itself divided by this. */
#define LAPSMP_PARTS_MORE	8
/* Of the part for receiving that may be promised: 2 / 5, whose buffers are 4 / 5 of it. */
#define LAPSMP_PARTS_RESERVED(most)	((most) / 5 * 2)
/* Bytes that a CPU counts by itself. */
#define LAPSMP_PARTS_BATCH	SZ_256K

static struct percpu_counter lapsmp_parts_tx, lapsmp_parts_rx;
/* Of what is taken for sending: by orphans; of what is to be received: promised. */
static atomic64_t lapsmp_parts_orphans = ATOMIC64_INIT(0);
static atomic64_t lapsmp_parts_reserved = ATOMIC64_INIT(0);
/* The size of a part, if nothing else is asked for. */
static s64 lapsmp_parts_default __read_mostly;

static unsigned int lapsmp_parts_mb __read_mostly;
module_param_named(memory_mb, lapsmp_parts_mb, uint, 0644);
MODULE_PARM_DESC(memory_mb,
		 "MiB that all sockets may have queued to send, and as much again of what was received: from 16 on, to a quarter of the machine's memory at most, which 0 means, too (0)");

/* The size of a part: others may change it at any time. */
static s64 lapsmp_parts_most(void)
{
	s64 asked = (s64)READ_ONCE(lapsmp_parts_mb) * SZ_1M;

	if (!asked)
		return lapsmp_parts_default;
	return min(max_t(s64, asked, LAPSMP_PARTS_LEAST), lapsmp_parts_default);
}

/* @rest: of what is given out: is there anything of it for who has @mine? */
static bool lapsmp_parts_shares(s64 rest, u64 mine)
{
	return rest > 0 && mine < LAPSMP_PARTS_SHARE * (u64)rest;
}

static bool lapsmp_parts_take(struct percpu_counter *used, u32 bytes)
{
	s64 most = lapsmp_parts_most();

	if (percpu_counter_read_positive(used) + bytes > most + most / LAPSMP_PARTS_MORE)
		return false;
	percpu_counter_add_batch(used, bytes, LAPSMP_PARTS_BATCH);
	return true;
}

static void lapsmp_parts_give(struct percpu_counter *used, u64 bytes)
{
	percpu_counter_add_batch(used, -(s64)bytes, LAPSMP_PARTS_BATCH);
}

u64 lapsmp_parts_size(void)
{
	return lapsmp_parts_most();
}

/*
 * Who looks before he copies may take more than there is, so that nothing is left for the
 * others: who has nothing may go on into the first half of what is kept.
 */
bool lapsmp_parts_may_send(u64 mine, u64 more)
{
	s64 most = lapsmp_parts_most(), beyond = most / LAPSMP_PARTS_MORE;
	s64 rest = most - percpu_counter_read_positive(&lapsmp_parts_tx);

	/* It may have been refused when there was a larger part: it will be told so. */
	if (more && min_t(s64, more, most) > rest + beyond)
		return false;
	if (!mine)
		return rest > -beyond / 2;
	return lapsmp_parts_shares(rest, mine);
}

bool lapsmp_parts_take_tx(u32 bytes)
{
	return lapsmp_parts_take(&lapsmp_parts_tx, bytes);
}

void lapsmp_parts_take_tx_anyway(u32 bytes)
{
	percpu_counter_add_batch(&lapsmp_parts_tx, bytes, LAPSMP_PARTS_BATCH);
}

void lapsmp_parts_give_tx(u32 bytes)
{
	lapsmp_parts_give(&lapsmp_parts_tx, bytes);
}

bool lapsmp_parts_take_rx(u32 bytes, u64 mine, bool awaited)
{
	s64 most = lapsmp_parts_most();
	s64 rest = most - percpu_counter_read_positive(&lapsmp_parts_rx);

	if (!lapsmp_parts_shares(awaited ? rest + most / LAPSMP_PARTS_MORE : rest, mine))
		return false;
	return lapsmp_parts_take(&lapsmp_parts_rx, bytes);
}

void lapsmp_parts_give_rx(u64 bytes)
{
	lapsmp_parts_give(&lapsmp_parts_rx, bytes);
}

bool lapsmp_parts_may_orphan(u64 bytes)
{
	return atomic64_read(&lapsmp_parts_orphans) + (s64)bytes <= lapsmp_parts_most() / 2;
}

void lapsmp_parts_take_orphan(u64 bytes)
{
	atomic64_add(bytes, &lapsmp_parts_orphans);
}

void lapsmp_parts_give_orphan(u64 bytes)
{
	atomic64_sub(bytes, &lapsmp_parts_orphans);
	lapsmp_parts_give(&lapsmp_parts_tx, bytes);
}

u64 lapsmp_parts_most_reserved(void)
{
	return LAPSMP_PARTS_RESERVED(lapsmp_parts_most());
}

bool lapsmp_parts_reserve(u32 bytes, u64 mine, bool anyway)
{
	s64 rest = lapsmp_parts_most_reserved() -
		   atomic64_add_return(bytes, &lapsmp_parts_reserved);

	if (anyway || (rest >= 0 && mine <= LAPSMP_PARTS_SHARE * (u64)rest))
		return true;
	atomic64_sub(bytes, &lapsmp_parts_reserved);
	return false;
}

void lapsmp_parts_unreserve(u32 bytes)
{
	atomic64_sub(bytes, &lapsmp_parts_reserved);
}

/**
 * lapsmp_parts_init() - how much there is
 *
 * Context: process, before there is a socket.
 * Return: 0 or -errno.
 */
int lapsmp_parts_init(void)
{
	int err;

	lapsmp_parts_default = (s64)nr_free_buffer_pages() / LAPSMP_PARTS_OF * PAGE_SIZE;
	err = percpu_counter_init(&lapsmp_parts_tx, 0, GFP_KERNEL);
	if (err)
		return err;
	err = percpu_counter_init(&lapsmp_parts_rx, 0, GFP_KERNEL);
	if (err)
		percpu_counter_destroy(&lapsmp_parts_tx);
	return err;
}

/**
 * lapsmp_parts_exit() - nobody has any left
 *
 * Context: process.
 */
void lapsmp_parts_exit(void)
{
	WARN_ON_ONCE(percpu_counter_sum(&lapsmp_parts_tx) ||
		     percpu_counter_sum(&lapsmp_parts_rx) ||
		     atomic64_read(&lapsmp_parts_orphans) ||
		     atomic64_read(&lapsmp_parts_reserved));
	percpu_counter_destroy(&lapsmp_parts_rx);
	percpu_counter_destroy(&lapsmp_parts_tx);
}
