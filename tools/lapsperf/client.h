/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_CLIENT_H
#define LAPSPERF_CLIENT_H

#include "lapsperf.h"

int client_run(const struct params *p);

#endif
