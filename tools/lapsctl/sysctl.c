// SPDX-License-Identifier: GPL-2.0
/* Settings of the network namespace; see sysctl.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sysctl.h"
#include "util.h"

#define SYSCTL_NUMBERS	2

bool sysctl_read(const char *name, uint64_t *values, int n)
{
	char *path = xprintf("/proc/sys/%s", name);
	FILE *in = fopen(path, "re");
	uint64_t found[SYSCTL_NUMBERS];
	int got = 0, i;

	free(path);
	if (!in)
		return false;
	while (got < n && got < SYSCTL_NUMBERS && fscanf(in, "%" SCNu64, &found[got]) == 1)
		got++;
	fclose(in);
	for (i = 0; got == n && i < n; i++)
		values[i] = found[i];
	return got == n;
}
