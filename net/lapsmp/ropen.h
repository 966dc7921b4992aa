/* SPDX-License-Identifier: GPL-2.0 */
/* Receiving flows: their table, their opening and their end. */
#ifndef _LAPSMP_ROPEN_H
#define _LAPSMP_ROPEN_H

#include "rflow.h"

struct lapsmp_hdr;

/* May a remote host open one more, of this id? Context: RCU. */
bool lapsmp_rflow_has_room(struct lapsmp_net *ln, u64 id);

/**
 * lapsmp_rflow_open() - a flow that a remote host opens
 * @ln: namespace
 * @sk: the socket it is for
 * @key: who opens it
 * @h: the packet, admitted, and there is room
 * @skb: it came in
 *
 * Context: softirq, RCU. Return: flow with a reference, or NULL: memory is short, or the
 * socket is closing.
 */
struct lapsmp_rflow *lapsmp_rflow_open(struct lapsmp_net *ln, struct sock *sk,
				       const struct lapsmp_rflow_key *key,
				       const struct lapsmp_hdr *h,
				       const struct sk_buff *skb);

/**
 * lapsmp_rflow_end() - the flow ends: nothing more is taken in
 * @rf: unlocked
 *
 * What is whole stays readable. Context: RCU (the socket must not vanish).
 */
void lapsmp_rflow_end(struct lapsmp_rflow *rf);

/*
 * By id, and an address that opened it or that it knows since (rjoin.c); takes a
 * reference. Context: RCU.
 */
struct lapsmp_rflow *lapsmp_rflow_lookup(struct lapsmp_net *ln,
					 const struct lapsmp_rflow_key *key);

/* By id and the sender's incarnation; likewise. */
struct lapsmp_rflow *lapsmp_rflow_of_sender(struct lapsmp_net *ln, u64 id,
					    u64 snd_inc);

/**
 * lapsmp_rflow_detach_all() - the socket is closing
 * @ls: socket, already out of the bind table
 *
 * Ends every flow that delivers to it; those with unread or unfinished messages
 * are told by a RESET. Frees what was queued. Context: process.
 */
void lapsmp_rflow_detach_all(struct lapsmp_sock *ls);

int lapsmp_rflow_net_init(struct lapsmp_net *ln);
void lapsmp_rflow_net_exit(struct lapsmp_net *ln);
void lapsmp_rflow_gc(struct lapsmp_net *ln, u64 now_ns, bool all);

#endif /* _LAPSMP_ROPEN_H */
