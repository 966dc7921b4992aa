/* SPDX-License-Identifier: GPL-2.0 */
/* Messages to be sent, and the memory that their bytes are in. */
#ifndef _LAPSMP_TMSG_H
#define _LAPSMP_TMSG_H

#include "flow.h"

/* --- for writers ---------------------------------------------------------- */

/**
 * lapsmp_tmsg_begin() - queue a message, without bytes as yet
 * @f: flow; @f->write held
 * @len: bytes it will have
 * @unordered: flag on the wire
 *
 * Return: the message, which stays valid for the caller until
 * lapsmp_tmsg_end() or lapsmp_rtx_give_up(), or ERR_PTR: -ENOMEM, -ENOBUFS (charging
 * failed), or the flow's error if it died. Context: process.
 */
struct lapsmp_tmsg *lapsmp_tmsg_begin(struct lapsmp_flow *f, u32 len,
				      bool unordered);

/**
 * lapsmp_tmsg_append() - hand over bytes that were copied
 * @f: flow; @f->write held
 * @m: message
 * @page: holds them; the message takes a reference of its own
 * @page_off: where
 * @len: how many, charged here to the socket
 *
 * Return: 0; -ENOMEM; -ENOBUFS; the flow's error (negative). Context: process.
 */
int lapsmp_tmsg_append(struct lapsmp_flow *f, struct lapsmp_tmsg *m,
		       struct page *page, u32 page_off, u32 len);

/* The writer is done with a message that has all its bytes. */
void lapsmp_tmsg_end(struct lapsmp_flow *f, struct lapsmp_tmsg *m);

/* --- for the scoreboard; flow locked ---------------------------------------- */

void lapsmp_tmsg_put(struct lapsmp_tmsg *m);

/* The bytes of a chunk are no longer needed. */
void lapsmp_tmsg_chunk_free(struct lapsmp_flow *f, struct lapsmp_tmsg *m,
			    struct lapsmp_chunk *c);

/* No bytes of it are needed, or wanted, any more. */
void lapsmp_tmsg_empty(struct lapsmp_flow *f, struct lapsmp_tmsg *m);

/* The receiver has it all (@err 0), or it failed: notice, memory, the list. */
void lapsmp_tmsg_done(struct lapsmp_flow *f, struct lapsmp_tmsg *m, int err);

int lapsmp_tmsg_init(void);
void lapsmp_tmsg_exit(void);

#endif /* _LAPSMP_TMSG_H */
