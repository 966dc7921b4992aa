/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packet format: plain structs on one side, bytes on the other. It knows
 * nothing of skbs, sockets or time; Documentation/protocol.md is its definition
 * in prose, and whatever it accepts there is fit to be used without a further
 * check of lengths. All fields on the wire are in network byte order.
 */
#ifndef _LAPSMP_WIRE_H
#define _LAPSMP_WIRE_H

#include <linux/types.h>

#define LAPSMP_VERSION		1

enum lapsmp_type {
	LAPSMP_T_DATA		= 1,	/* sender -> receiver */
	LAPSMP_T_ACK		= 2,	/* receiver -> sender */
	LAPSMP_T_PROBE		= 3,	/* sender -> receiver, padded at will */
	LAPSMP_T_PROBE_ACK	= 4,	/* an ACK that answers a PROBE */
	LAPSMP_T_WPROBE		= 5,	/* sender -> receiver: window probe */
	LAPSMP_T_WUPDATE	= 6,	/* an ACK that tells of a window */
	LAPSMP_T_ABORT		= 7,	/* sender -> receiver: one message */
	LAPSMP_T_CLOSE		= 8,	/* sender -> receiver: the flow ends */
	LAPSMP_T_RESET		= 9,	/* receiver -> sender: flow refused */
	LAPSMP_T_COOKIE		= 10,	/* receiver -> sender: prove your address */
	LAPSMP_T_VERSION	= 11,	/* receiver -> sender: versions known */
	LAPSMP_T_CHALLENGE	= 12,	/* receiver -> sender: prove this address, too */
	LAPSMP_T_GRANT		= 14,	/* reserved: receiver-driven credit */
};

/* Flags of the common header. Unknown flags are ignored. */
#define LAPSMP_F_RTX		0x01	/* DATA: sent before, at least in part */
#define LAPSMP_F_ACKNOW		0x02	/* answer at once, do not batch */
#define LAPSMP_F_UNORDERED	0x04	/* DATA: deliver as soon as whole */

enum lapsmp_reset_reason {
	LAPSMP_RESET_UNKNOWN	= 1,	/* no such flow here (any more) */
	LAPSMP_RESET_REFUSED	= 2,	/* nobody listens on that port */
	LAPSMP_RESET_TOOBIG	= 3,	/* message exceeds what is admitted */
	LAPSMP_RESET_UNREAD	= 4,	/* socket closed with data unread */
	LAPSMP_RESET_NOMEM	= 5,	/* out of room for another flow */
	LAPSMP_RESET_STALE	= 6,	/* flow number already used or too old */
};

enum lapsmp_close_reason {
	LAPSMP_CLOSE_IDLE	= 0,	/* all acknowledged, forget the flow */
	LAPSMP_CLOSE_ABORT	= 1,	/* sender gave up: drop what is not whole */
};

/* Options: the high bit of the kind says that who does not know it must drop. */
#define LAPSMP_O_CRITICAL	0x80
enum lapsmp_opt {
	LAPSMP_O_PAD		= 0x00,	/* skipped; length as any other */
	LAPSMP_O_OPEN		= 0x81,	/* ports, number, incarnations */
	LAPSMP_O_COOKIE		= 0x82,	/* cookie, echoed */
	LAPSMP_O_ECN		= 0x03,	/* ACK: ECN counts of the path */
	LAPSMP_O_ENTROPY	= 0x04,	/* reserved: entropy echo */
	LAPSMP_O_GRANT		= 0x85,	/* reserved: receiver grants */
	LAPSMP_O_AUTH		= 0x86,	/* reserved: authentication tag */
	LAPSMP_O_FROM		= 0x87,	/* from another address: whose, and its token */
	LAPSMP_O_ALSO		= 0x08,	/* ACK: the same of another path, wire_also.h */
};

#define LAPSMP_HDR_LEN		24	/* common part */
#define LAPSMP_DATA_HLEN	36	/* DATA of a confirmed flow */
#define LAPSMP_ACK_HLEN		56	/* ACK, PROBE_ACK, WUPDATE w/o options */
#define LAPSMP_PROBE_HLEN	24	/* then padding: at least LAPSMP_ACK_HLEN in all */
#define LAPSMP_ABORT_HLEN	36
#define LAPSMP_CLOSE_HLEN	32
#define LAPSMP_RESET_HLEN	32
#define LAPSMP_COOKIE_HLEN	48
#define LAPSMP_VERSION_HLEN	28
#define LAPSMP_CHALLENGE_HLEN	40
#define LAPSMP_OPEN_OLEN	32
#define LAPSMP_COOKIE_OLEN	20
#define LAPSMP_ECN_OLEN		16
#define LAPSMP_FROM_OLEN	28
#define LAPSMP_ALSO_OLEN	28
/* In one ACK that this version builds; it reads as many as a header holds. */
#define LAPSMP_ALSO_MAX		15
/*
 * A path that was told of so often by others' ACKs has one of its own; a sender that has heard of
 * it four times as often without one believes that its way back is dead.
 */
#define LAPSMP_ALSO_TURN	16
#define LAPSMP_ALSO_DEAD	64
/* The longest header that this version builds: ACK + ECN + ALSO for all that it may. */
#define LAPSMP_HLEN_MAX		(LAPSMP_ACK_HLEN + LAPSMP_ECN_OLEN + \
				 LAPSMP_ALSO_MAX * LAPSMP_ALSO_OLEN)

/*
 * What a receiver's window counts. Every message costs its bytes and this many
 * more, so that the memory for a million empty messages is counted too.
 */
#define LAPSMP_MSG_CREDIT	512
/* Credits a sender has before the first ACK. */
#define LAPSMP_INITIAL_CREDIT	65536
/* A sender keeps within this many messages from the receiver's rcv_msg. */
#define LAPSMP_MSG_WINDOW	8192
/* Numbers that a flow's messages have at most: they are compared modulo 2^32, and 0 is none. */
#define LAPSMP_FLOW_MSGS	(U32_MAX - 2 * LAPSMP_MSG_WINDOW)

struct lapsmp_also;

/**
 * struct lapsmp_hdr - any packet, parsed
 * @type: enum lapsmp_type
 * @flags: LAPSMP_F_*
 * @version: as received; anything but LAPSMP_VERSION leaves the rest unset,
 *	except @flow_id
 * @hlen: bytes of header, options included
 * @payload_len: bytes behind the header (DATA: payload; PROBE: padding)
 * @path_id: the flow's sender's name for the path
 * @flow_id: random, never 0
 * @seq: DATA, PROBE, ABORT: sequence on this flow and path; ACKs: the highest
 *	one received on this path
 * @time_ns: departure, low 32 bits of the clock of whoever sent the packet
 */
struct lapsmp_hdr {
	u8	type;
	u8	flags;
	u8	version;
	u16	hlen;
	u16	payload_len;
	u16	path_id;
	u64	flow_id;
	u32	seq;
	u32	time_ns;

	/* DATA; ABORT uses msg and msg_len, CLOSE msg */
	u32	msg;		/* number of the message, from 1 */
	u32	off;		/* of the payload's first byte in it */
	u32	msg_len;	/* of the whole message, bytes */

	/* ACK, PROBE_ACK, WUPDATE */
	u64	map;		/* bit i: seq - 1 - i has arrived as well */
	u32	owd_ns;		/* of @seq: arrival minus departure, mod 2^32 */
	u32	owd_mean_ns;	/* mean of batches since the last ACK */
	u32	ack_delay_ns;	/* between arrival of @seq and this ACK */
	u32	rcv_msg;	/* all messages below it are whole */
	u32	rcv_off;	/* bytes from 0 on that are there of rcv_msg */
	u32	limit;		/* credits that may be used in all, mod 2^32 */

	u16	reason;		/* RESET, CLOSE, ABORT */

	/* COOKIE packet and option; CHALLENGE packet, FROM option: the token */
	u64	cookie_time;	/* opaque to the sender */
	u64	cookie_mac;
	u64	cookie_inc;	/* COOKIE packet: the receiver's incarnation */

	/* OPEN option */
	bool	has_open;
	bool	has_cookie;	/* the option, not the packet */
	bool	has_from;	/* never together with has_open */
	bool	has_ecn;
	__be16	sport;		/* lapsmp ports */
	__be16	dport;
	u64	number;		/* of the flow, rising per sender incarnation */
	u64	snd_inc;	/* sender's incarnation, never 0; also of FROM */
	u64	rcv_inc;	/* incarnation it believes it talks to, or 0 */

	/* ECN option: totals of the path in this flow, mod 2^32 */
	u32	ect0;
	u32	ect1;
	u32	ce;

	/* ALSO options: how many, and what is in them, which is for lapsmp_wire_build() */
	u8	n_also;
	const struct lapsmp_also *also;

	/* VERSION packet: a bit per version known */
	u32	versions;
};

/**
 * lapsmp_wire_parse() - read a packet
 * @h: where the fields go; all of it is written
 * @buf: the packet from the first byte behind the UDP header
 * @len: bytes of the header that can be read at @buf; may be less than
 *	@total if the payload is elsewhere, but if the header goes beyond it
 *	the packet is refused
 * @total: bytes of the packet behind the UDP header
 *
 * Checks everything that can be checked without state: type, lengths, each
 * option, offsets against the message's length, numbers that may not be 0.
 *
 * Context: any.
 * Return: 0; -EPROTONOSUPPORT for another version (h->version and h->flow_id
 * are set); -EBADMSG if it is malformed (type 0 is); -EOPNOTSUPP for a type
 * (13 to 15) or a critical option that is not known. After an error nothing
 * else in @h may be used.
 */
int lapsmp_wire_parse(struct lapsmp_hdr *h, const u8 *buf, unsigned int len,
		      unsigned int total);

/**
 * lapsmp_wire_peek() - bytes of header that must be readable to parse a packet
 * @buf: at least LAPSMP_HDR_LEN bytes of it
 *
 * Return: what it claims, in bytes (a multiple of 4, up to 1020), not checked;
 * LAPSMP_HDR_LEN if it is of another version.
 */
unsigned int lapsmp_wire_peek(const u8 *buf);

/**
 * lapsmp_wire_hlen() - bytes of header that lapsmp_wire_build() will write
 * @h: as for lapsmp_wire_build()
 */
unsigned int lapsmp_wire_hlen(const struct lapsmp_hdr *h);

/**
 * lapsmp_wire_build() - write a header
 * @buf: room for lapsmp_wire_hlen() bytes
 * @h: what to write: the fields of h->type, and the options whose has_* is set.
 *	version, hlen and payload_len are not read.
 *
 * Return: bytes written.
 */
unsigned int lapsmp_wire_build(u8 *buf, const struct lapsmp_hdr *h);

/**
 * lapsmp_wire_stamp() - set the departure time of a header already built
 * @buf: the header
 * @time_ns: low 32 bits of the sender's clock
 */
void lapsmp_wire_stamp(u8 *buf, u32 time_ns);

/**
 * lapsmp_wire_quoted() - flow and path of a packet quoted by an ICMP error
 * @buf: what follows the quoted UDP header
 * @len: bytes that can be read there
 * @h: flow_id, path_id, type and seq are set
 *
 * Return: true if at least the common header is there and makes sense.
 */
bool lapsmp_wire_quoted(struct lapsmp_hdr *h, const u8 *buf, unsigned int len);

#endif /* _LAPSMP_WIRE_H */
