/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_SERVER_H
#define LAPSPERF_SERVER_H

#include "lapsperf.h"

int server_run(const struct params *p);

#endif
