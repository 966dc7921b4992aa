/* SPDX-License-Identifier: GPL-2.0 */
/* Automatic paths that stay down get another source port. */
#ifndef _LAPSMP_RENEW_H
#define _LAPSMP_RENEW_H

#include "netns.h"

/* Look at the peers that flows use. Context: the collector; takes ln->peer_lock. */
void lapsmp_renew_run(struct lapsmp_net *ln, u64 now_ns);

#endif /* _LAPSMP_RENEW_H */
