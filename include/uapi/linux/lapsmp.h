/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * lapsmp: reliable datagrams over several unequal paths. What a program needs
 * to open and tune a socket:
 *
 *	fd = socket(AF_INET6, SOCK_DGRAM, IPPROTO_LAPSMP);
 *
 * Everything else is the ordinary datagram socket API. Paths, policies and
 * counters are controlled over generic netlink (<linux/lapsmp_nl.h>).
 */
#ifndef _UAPI_LINUX_LAPSMP_H
#define _UAPI_LINUX_LAPSMP_H

#include <linux/types.h>

/* An API number like MPTCP's 262; it never travels on the wire. */
#ifndef IPPROTO_LAPSMP
#define IPPROTO_LAPSMP		260
#endif

#ifndef SOL_LAPSMP
#define SOL_LAPSMP		290
#endif

/* The UDP port that a namespace listens on unless it is told otherwise. */
#define LAPSMP_PORT		4795

/* Longest name of a scheduler or congestion control, with its final NUL. */
#define LAPSMP_NAME_MAX		16

/**
 * enum lapsmp_sockopt - options at level SOL_LAPSMP
 * @LAPSMP_UNORDERED: int, 0 or 1. Deliver each message to this socket the
 *	moment it is whole, and mark those sent from it so that their receiver
 *	does the same. Default 0: in order per sender.
 * @LAPSMP_PARTIAL: int, 0 or 1. recvmsg() may return a message in pieces as it
 *	arrives; the last one carries MSG_EOR. Needed for messages larger than
 *	both the receive buffer and the namespace's budget.
 * @LAPSMP_SCHED: string, name of the scheduler for flows opened from now on.
 * @LAPSMP_CC: string, name of the congestion control for flows opened from
 *	now on.
 * @LAPSMP_INFO: struct lapsmp_info, read only.
 * @LAPSMP_NOTIFY: int, 0 or 1. Put a notice on the error queue for each sent
 *	message when all of it is in the receiving kernel, or when it failed.
 * @LAPSMP_USER_TIMEOUT: unsigned int, milliseconds without an answer from the
 *	peer after which what is under way fails with ETIMEDOUT; 0 takes the
 *	namespace's setting.
 */
enum lapsmp_sockopt {
	LAPSMP_UNORDERED	= 1,
	LAPSMP_PARTIAL		= 2,
	LAPSMP_SCHED		= 3,
	LAPSMP_CC		= 4,
	LAPSMP_INFO		= 5,
	LAPSMP_NOTIFY		= 6,
	LAPSMP_USER_TIMEOUT	= 7,
};

/**
 * struct lapsmp_info - what LAPSMP_INFO tells of a socket
 * @size: bytes of this struct that the kernel filled; fields are only ever
 *	added at the end
 * @flows: flows that this socket sends on now
 * @tx_messages: messages accepted by send calls
 * @tx_bytes: their bytes
 * @tx_acked_messages: messages that are whole in the receiving kernel
 * @tx_failed_messages: messages given up
 * @tx_segs: data segments sent, retransmissions included
 * @retrans_segs: data segments sent again
 * @lost_segs: data segments deemed lost
 * @spurious_segs: data segments deemed lost that had arrived
 * @rx_messages: messages queued for this socket
 * @rx_bytes: their bytes
 * @rx_dup_segs: data segments that arrived more than once
 * @rx_overflow_segs: data segments dropped unacknowledged for want of memory
 * @rx_ooo_segs: data segments that arrived ahead of a gap in their flow
 * @tx_queued_bytes: bytes sent but not yet acknowledged
 * @rx_queued_bytes: bytes received and not yet read
 */
struct lapsmp_info {
	__u32	size;
	__u32	flows;
	__u64	tx_messages;
	__u64	tx_bytes;
	__u64	tx_acked_messages;
	__u64	tx_failed_messages;
	__u64	tx_segs;
	__u64	retrans_segs;
	__u64	lost_segs;
	__u64	spurious_segs;
	__u64	rx_messages;
	__u64	rx_bytes;
	__u64	rx_dup_segs;
	__u64	rx_overflow_segs;
	__u64	rx_ooo_segs;
	__u64	tx_queued_bytes;
	__u64	rx_queued_bytes;
};

/*
 * A notice on the error queue (LAPSMP_NOTIFY, IP_RECVERR, IPV6_RECVERR) is a
 * struct sock_extended_err with this origin: ee_errno is 0 for a message that
 * is in the receiving kernel, or why it failed; ee_info is the number of the
 * message, counted from 1 per socket in the order of the send calls. The
 * address that recvmsg() returns is the one the message was sent to.
 */
#define LAPSMP_EE_ORIGIN	24

#endif /* _UAPI_LINUX_LAPSMP_H */
