/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_SESSION_H
#define LAPSPERF_SESSION_H

#include "net.h"

int session_run(int fd, const struct addr *local, const struct addr *peer);

#endif
