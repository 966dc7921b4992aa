/* SPDX-License-Identifier: GPL-2.0 */
/* Networks as files, for topo_load(). */
#ifndef LAPSCTL_TOPO_SAVE_H
#define LAPSCTL_TOPO_SAVE_H

#include "graph.h"

/* To standard output, on many lines. */
void topo_save(const struct topo *topo);

#endif /* LAPSCTL_TOPO_SAVE_H */
