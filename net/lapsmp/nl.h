/* SPDX-License-Identifier: GPL-2.0 */
/* The netlink family. */
#ifndef _LAPSMP_NL_H
#define _LAPSMP_NL_H

int lapsmp_nl_init(void);
void lapsmp_nl_exit(void);

#endif /* _LAPSMP_NL_H */
