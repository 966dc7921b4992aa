/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LAPSPERF_UTIL_H
#define LAPSPERF_UTIL_H

#include <stddef.h>
#include <stdint.h>

#define NSEC_PER_SEC	UINT64_C(1000000000)

void die(int status, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void *xrealloc(void *p, size_t n);
void *xcalloc(size_t n, size_t size);
uint64_t now_ns(void);
void sleep_until_ns(uint64_t t);
void sleep_ns(uint64_t ns);
const char *boot_id(void);

#endif
