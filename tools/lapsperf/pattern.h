/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_PATTERN_H
#define LAPSPERF_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void pattern_fill(uint8_t *buf, size_t len, uint32_t flow, uint64_t seq);
bool pattern_check(const uint8_t *buf, size_t len, uint32_t flow, uint64_t seq);

#endif
