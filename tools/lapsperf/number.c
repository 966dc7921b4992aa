// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers that a person writes.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lapsperf.h"
#include "number.h"
#include "util.h"

static double number_unit(const char *s)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = {
		{ "", 1 }, { "k", 1e3 }, { "M", 1e6 }, { "G", 1e9 },
		{ "Ki", 1024 }, { "Mi", 1048576 }, { "Gi", 1073741824 },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(s, units[i].name))
			return units[i].factor;
	}
	return 0;
}

/* @s, what option @opt was given, from @min to @max, with a unit perhaps; or the end. */
double number_any(const char *opt, const char *s, double min, double max)
{
	double v, unit;
	char *end;

	errno = 0;
	v = strtod(s, &end);
	unit = number_unit(end);
	if (end == s || errno || unit == 0 || !isfinite(v))
		die(EXIT_USAGE, "%s %s: not a number", opt, s);
	v *= unit;
	if (v < min || v > max)
		die(EXIT_USAGE, "%s %s: must be from %.0f to %.0f", opt, s, min, max);
	return v;
}

uint64_t number_whole(const char *opt, const char *s, double min, double max)
{
	return (uint64_t)number_any(opt, s, min, max);
}
