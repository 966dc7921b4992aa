/* SPDX-License-Identifier: GPL-2.0 */
/* Watching this host's devices, addresses and routes on behalf of paths. */
#ifndef _LAPSMP_WATCH_H
#define _LAPSMP_WATCH_H

#include "netns.h"

/* Of a namespace, whose tables are there. Return: 0 or an error of the notifier. */
int lapsmp_watch_net_init(struct lapsmp_net *ln);

/* The namespace goes: routes are no longer watched. */
void lapsmp_watch_net_stop(struct lapsmp_net *ln);

/*
 * Nobody is left who could ask for a look. Devices and addresses tell nothing of a
 * namespace that goes: they have left it, or the module is unloaded and
 * lapsmp_watch_exit() was first. The tables may go when it returns.
 */
void lapsmp_watch_net_exit(struct lapsmp_net *ln);

int lapsmp_watch_init(void);
void lapsmp_watch_exit(void);

#endif /* _LAPSMP_WATCH_H */
