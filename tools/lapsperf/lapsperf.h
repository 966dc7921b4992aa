/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lapsperf: sends messages over lapsmp, UDP, TCP or MPTCP and measures how long
 * each of them takes. What all its files share: the parameters of a run and the
 * header at the front of every message.
 */
#ifndef LAPSPERF_H
#define LAPSPERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_PORT	5201
#define PERF_MAX_FLOWS	1024
#define PERF_MAX_SIZE	(64u << 20)
#define PERF_MAX_UDP	65507u

enum exit_status {
	EXIT_USAGE	= 1,	/* wrong arguments */
	EXIT_RUN	= 2,	/* could not connect, send, receive */
	EXIT_DATA	= 3,	/* messages missing, doubled or damaged */
};

enum perf_mode { MODE_STREAM, MODE_RR };

/**
 * struct params - a run, as the client's command line says
 * @proto: one of the table in net.c
 * @size: bytes of a message, its header included
 * @reply: bytes of an answer in MODE_RR
 * @count: messages per flow, those of @warm included; 0 if @time_ns decides
 * @time_ns: how long to send; 0 if @count decides
 * @warm: messages per flow that are sent first and not counted
 * @interval_ns: pause after each message (MODE_RR: after each answer)
 * @start_at_ns: CLOCK_MONOTONIC time of the first send; 0 for at once
 * @idle_ns: the receiver gives up after so long without a message
 */
struct params {
	const struct proto *proto;
	enum perf_mode mode;
	uint32_t flows;
	uint32_t size;
	uint32_t reply;
	uint64_t count;
	uint64_t time_ns;
	uint64_t warm;
	uint64_t interval_ns;
	uint64_t start_at_ns;
	uint64_t idle_ns;
	uint64_t connect_ns;
	int sndbuf, rcvbuf;
	int cport;
	bool verify;
	bool json;
	bool once;
	const char *host, *local;
	const char *cc, *sched;
	const char *trace;
	int port;
};

/* At the front of every message, little endian. */
struct msg_hdr {
	uint32_t magic;
	uint32_t flow;
	uint64_t seq;
	uint64_t send_ns;
	uint64_t size;
};

#define MSG_MAGIC	0x6c706d31u
#define MSG_MIN		((uint32_t)sizeof(struct msg_hdr))
#define REPLY_MIN	8u

#endif
