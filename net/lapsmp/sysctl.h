/* SPDX-License-Identifier: GPL-2.0 */
/* Settings of a namespace under /proc/sys/net/lapsmp. */
#ifndef _LAPSMP_SYSCTL_H
#define _LAPSMP_SYSCTL_H

struct lapsmp_net;

/* Return: 0, -ENOMEM. ln->net is set. */
int lapsmp_sysctl_net_init(struct lapsmp_net *ln);
void lapsmp_sysctl_net_exit(struct lapsmp_net *ln);

#endif /* _LAPSMP_SYSCTL_H */
