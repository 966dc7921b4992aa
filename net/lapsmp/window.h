/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The receive window: how much a sender may use in all, in credits (protocol.md,
 * "Window"). All calls: rf->lock held.
 */
#ifndef _LAPSMP_WINDOW_H
#define _LAPSMP_WINDOW_H

#include "rflow.h"

struct lapsmp_rmsg;

/**
 * lapsmp_window_limit() - the limit to tell the sender now
 *
 * What was consumed, the flow's share of the socket's receive buffer, and what
 * large messages have reserved of the namespace's budget; and with grants not more
 * than is its turn (grants.h). Never goes back. Tries to reserve for large messages
 * that wait for it, in their order.
 */
u32 lapsmp_window_limit(struct lapsmp_rflow *rf);

/* Bytes from 0 on that are here of the first message that is not whole. */
u32 lapsmp_window_head(const struct lapsmp_rflow *rf);

/**
 * lapsmp_window_admit() - a message began that may be larger than the window
 * @m: message
 *
 * Return: false if it can never be received here.
 */
bool lapsmp_window_admit(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m);

/**
 * lapsmp_window_consumed() - credits come back
 * @credits: how many
 *
 * Return: whether the sender should be told now.
 */
bool lapsmp_window_consumed(struct lapsmp_rflow *rf, u32 credits);

/* May a message that has @credits left be given up, or is its sender to be told of others first? */
bool lapsmp_window_may_give_up(const struct lapsmp_rflow *rf, u32 credits);

/**
 * lapsmp_window_given_up() - a message is given up, and not, or no longer, being read
 * @rf: flow, with a socket
 * @m: the message; what it has reserved is not released yet
 *
 * Credits that it has not used are used, and what else was within the limit still is. They come
 * back by lapsmp_window_consumed(), with all others of the message, which is to follow.
 */
void lapsmp_window_given_up(struct lapsmp_rflow *rf, const struct lapsmp_rmsg *m);

/* A message no longer needs its reservation. */
void lapsmp_window_release(struct lapsmp_rflow *rf, struct lapsmp_rmsg *m);

#endif /* _LAPSMP_WINDOW_H */
