/* SPDX-License-Identifier: GPL-2.0 */
/* The socket families: what socket(2) makes, and its life. */
#ifndef _LAPSMP_AF_H
#define _LAPSMP_AF_H

int lapsmp_af_init(void);
void lapsmp_af_exit(void);

#endif /* _LAPSMP_AF_H */
