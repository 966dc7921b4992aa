// SPDX-License-Identifier: GPL-2.0
/* Numbers as people read them, and colours; see print.h. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <math.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print.h"
#include "util.h"

static bool colors;

void color_init(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	colors = isatty(STDOUT_FILENO) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

const char *color_on(enum color color)
{
	static const char *const sequences[COLOR_COUNT] = {
		"", "\033[1m", "\033[2m", "\033[32m", "\033[33m", "\033[31m", "\033[36m"
	};

	return colors ? sequences[color] : "";
}

const char *color_off(enum color color)
{
	return colors && color != COLOR_NONE ? "\033[0m" : "";
}

enum color color_of_state(const char *state)
{
	static const struct {
		const char *state;
		enum color color;
	} list[] = {
		{ "up", COLOR_GREEN }, { "open", COLOR_GREEN }, { "degraded", COLOR_YELLOW },
		{ "down", COLOR_RED }, { "dead", COLOR_RED }, { "probing", COLOR_CYAN },
		{ "sent", COLOR_CYAN }, { "opening", COLOR_CYAN }, { "unknown", COLOR_DIM },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		if (!strcmp(list[i].state, state))
			return list[i].color;
	}
	return COLOR_NONE;
}

/* Three digits and a unit. */
static const char *text_scaled(char *buf, double value, double step, const char *const *units,
			       size_t n)
{
	size_t i = 0;
	int digits;

	/* What would be rounded to four digits belongs to the next unit. */
	while (fabs(value) >= 999.5 && i + 1 < n) {
		value /= step;
		i++;
	}
	digits = i == 0 && value == rint(value) ? 0 :
		 fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
	snprintf(buf, TEXT_MAX, "%.*f%s%s", digits, value, *units[i] ? " " : "", units[i]);
	return buf;
}

const char *text_ns(char *buf, int64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };

	return text_scaled(buf, (double)ns, 1000, units, ARRAY_SIZE(units));
}

const char *text_rate(char *buf, uint64_t rate)
{
	static const char *const units[] = { "bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s" };

	return text_scaled(buf, 8 * (double)rate, 1000, units, ARRAY_SIZE(units));
}

const char *text_bytes(char *buf, uint64_t bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };

	return text_scaled(buf, (double)bytes, 1000, units, ARRAY_SIZE(units));
}

const char *text_count(char *buf, uint64_t count)
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P" };

	if (count < 100000)
		snprintf(buf, TEXT_MAX, "%" PRIu64, count);
	else
		text_scaled(buf, (double)count, 1000, units, ARRAY_SIZE(units));
	return buf;
}

const char *text_share(char *buf, uint64_t part, uint64_t whole)
{
	if (!whole)
		return "-";
	snprintf(buf, TEXT_MAX, "%.1f %%", 100 * (double)part / (double)whole);
	return buf;
}

const char *text_addr(char *buf, const struct in6_addr *addr)
{
	if (!addr)
		return "-";
	if (IN6_IS_ADDR_V4MAPPED(addr))
		inet_ntop(AF_INET, &addr->s6_addr[12], buf, TEXT_MAX);
	else
		inet_ntop(AF_INET6, addr, buf, TEXT_MAX);
	return buf;
}

const char *text_addrs(char *buf, const struct in6_addr *addrs, size_t n, bool all)
{
	char one[INET6_ADDRSTRLEN];
	size_t i, at = 0;

	*buf = '\0';
	for (i = 0; i < n; i++) {
		if (!all && n > 3 && i == 1) {
			at += (size_t)snprintf(buf + at, TEXT_MAX - at, ",(%zu more)", n - 2);
			i = n - 1;
		}
		inet_ntop(AF_INET6, &addrs[i], one, sizeof(one));
		at += (size_t)snprintf(buf + at, TEXT_MAX - at, "%s%s", i ? "," : "", one);
	}
	return buf;
}

const char *text_device(char *buf, uint32_t ifindex)
{
	if (!if_indextoname(ifindex, buf))
		snprintf(buf, TEXT_MAX, "if%" PRIu32, ifindex);
	return buf;
}
