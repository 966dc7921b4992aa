/* SPDX-License-Identifier: GPL-2.0 */
/* Telling the receiver that a flow ends. */
#ifndef _LAPSMP_CLOSE_H
#define _LAPSMP_CLOSE_H

#include "flow.h"

/* One CLOSE on the path that answered last, best effort. f->lock held. */
void lapsmp_close_send(struct lapsmp_flow *f, u16 reason);

#endif /* _LAPSMP_CLOSE_H */
