/* SPDX-License-Identifier: GPL-2.0 */
/* Settings of the network namespace. */
#ifndef LAPSCTL_SYSCTL_H
#define LAPSCTL_SYSCTL_H

#include <stdbool.h>
#include <stdint.h>

/**
 * sysctl_read() - the numbers of a setting
 * @name: below /proc/sys, "net/lapsmp/port"
 * @values: result
 * @n: how many there are to be
 *
 * Return: whether there are; if not, @values is as it was.
 */
bool sysctl_read(const char *name, uint64_t *values, int n);

#endif /* LAPSCTL_SYSCTL_H */
