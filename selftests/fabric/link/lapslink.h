/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel module sch_lapslink and its users share: the parameters of an
 * emulated link, as the attribute LAPSLINK_A_PARMS of TCA_OPTIONS, and what the
 * link has counted, as TCA_STATS_APP.
 */
#ifndef LAPSLINK_H
#define LAPSLINK_H

#include <linux/types.h>

#define LAPSLINK_KIND		"lapslink"

/* Bounds of the parameters. */
#define LAPSLINK_RATE_MIN	1000ULL
#define LAPSLINK_RATE_MAX	10000000000000ULL
#define LAPSLINK_DELAY_MAX_NS	10000000000ULL
/* Room for one frame, at least. */
#define LAPSLINK_LIMIT_MIN	2000U
#define LAPSLINK_DSCP_MAX	63
#define LAPSLINK_DSCP_NONE	255

/* Pure TCP acknowledgments go into the high band. */
#define LAPSLINK_F_TCP_ACKS	(1U << 0)
/* What arrives is dropped; what was accepted before still gets there. */
#define LAPSLINK_F_DOWN		(1U << 1)
/*
 * In a request to change a link: its statistics begin anew, and nothing else of the
 * request counts. Never reported.
 */
#define LAPSLINK_F_ZERO		(1U << 2)

enum {
	LAPSLINK_A_UNSPEC,
	LAPSLINK_A_PARMS,	/* struct lapslink_parms */
	__LAPSLINK_A_MAX
};

#define LAPSLINK_A_MAX		(__LAPSLINK_A_MAX - 1)

/* Packets of a DSCP each, which have a band of their own. */
#define LAPSLINK_CLASSES	4

/*
 * The bands, best first, and the index of what is counted for each: those of the classes,
 * of which the first one is the high band, and that of all else.
 */
enum {
	LAPSLINK_HIGH,
	LAPSLINK_DATA = LAPSLINK_CLASSES,
	LAPSLINK_BANDS
};

/**
 * struct lapslink_parms - what a link is
 * @rate: bytes/s
 * @delay_ns: of propagation, after the last byte was sent
 * @seed: of the random losses; they begin anew if it changes
 * @limit_bytes: that may wait in each band; or in all together, if alpha_q8 is not 0
 * @ecn_bytes: packets that find more than this waiting in their band, but the high one, are
 *	marked, if their transport can take it; 0 for never
 * @loss: probability of a loss, in parts per 2^32
 * @flags: LAPSLINK_F_*
 * @dscp: packets with one of these go into the band of the same index, the first one that
 *	fits; LAPSLINK_DSCP_NONE
 * @alpha_q8: a band may hold so many 256ths of what all leave free; 0 if each has limit_bytes
 */
struct lapslink_parms {
	__u64	rate;
	__u64	delay_ns;
	__u64	seed;
	__u32	limit_bytes;
	__u32	ecn_bytes;
	__u32	loss;
	__u32	flags;
	__u8	dscp[LAPSLINK_CLASSES];
	__u32	alpha_q8;
};

/*
 * The histogram of the data band's backlog: nothing, less than 1 KiB, less than
 * 2 KiB, ..., less than 8 MiB, and more.
 */
#define LAPSLINK_BUCKETS	16

/**
 * struct lapslink_xstats - what a link has seen
 * @since_ns: CLOCK_MONOTONIC when the counters were 0
 * @now_ns: CLOCK_MONOTONIC when they were read
 * @delivered_packets: handed to the far end, by band
 * @delivered_bytes: the same
 * @queue_drops: packets for which their band had no room
 * @loss_drops: packets that were lost at random, at the end of their way
 * @down_drops: packets that arrived while the link was down
 * @ce_marks: packets marked "congestion experienced"
 * @waiting_bytes: in each band, at @now_ns
 * @data_max_bytes: the most that has waited in the data band
 * @data_byte_us: the integral over time of what waits in the data band; it wraps
 *	after three days of 64 MB
 * @data_hist_ns: how long what waits in the data band was in each of the ranges of
 *	LAPSLINK_BUCKETS
 */
struct lapslink_xstats {
	__u64	since_ns;
	__u64	now_ns;
	__u64	delivered_packets[LAPSLINK_BANDS];
	__u64	delivered_bytes[LAPSLINK_BANDS];
	__u64	queue_drops[LAPSLINK_BANDS];
	__u64	loss_drops;
	__u64	down_drops;
	__u64	ce_marks;
	__u64	waiting_bytes[LAPSLINK_BANDS];
	__u64	data_max_bytes;
	__u64	data_byte_us;
	__u64	data_hist_ns[LAPSLINK_BUCKETS];
};

#endif /* LAPSLINK_H */
