/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_NUMBER_H
#define LAPSPERF_NUMBER_H

#include <stdint.h>

double number_any(const char *opt, const char *s, double min, double max);
uint64_t number_whole(const char *opt, const char *s, double min, double max);

#endif
