// SPDX-License-Identifier: GPL-2.0
/* Values of the command line into attributes; see parse.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "util.h"

static const char *param_name(const struct param *param)
{
	return param->name ? param->name : param->value;
}

int parse_u64(const char *what, const char *word, uint64_t max, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(word, &end, 0);
	if (*word < '0' || *word > '9' || *end || errno == ERANGE || *value > max)
		return usage_error("%s '%s' is not a number from 0 to %" PRIu64, what, word, max);
	return EXIT_OK;
}

int put_u8(struct nlmsghdr *req, const struct param *param, const char *word)
{
	uint64_t value;
	int ret = parse_u64(param_name(param), word, UINT8_MAX, &value);

	if (!ret)
		mnl_attr_put_u8(req, param->attr, (uint8_t)value);
	return ret;
}

int put_u16(struct nlmsghdr *req, const struct param *param, const char *word)
{
	uint64_t value;
	int ret = parse_u64(param_name(param), word, UINT16_MAX, &value);

	if (!ret)
		mnl_attr_put_u16(req, param->attr, (uint16_t)value);
	return ret;
}

int put_u32(struct nlmsghdr *req, const struct param *param, const char *word)
{
	uint64_t value;
	int ret = parse_u64(param_name(param), word, UINT32_MAX, &value);

	if (!ret)
		mnl_attr_put_u32(req, param->attr, (uint32_t)value);
	return ret;
}

int put_u64(struct nlmsghdr *req, const struct param *param, const char *word)
{
	uint64_t value;
	int ret = parse_u64(param_name(param), word, UINT64_MAX, &value);

	if (!ret)
		mnl_attr_put_u64(req, param->attr, value);
	return ret;
}

int put_addr(struct nlmsghdr *req, const struct param *param, const char *word)
{
	struct in6_addr addr = { .s6_addr = { [10] = 0xff, [11] = 0xff } };

	if (inet_pton(AF_INET, word, &addr.s6_addr[12]) != 1 &&
	    inet_pton(AF_INET6, word, &addr) != 1)
		return usage_error("%s '%s' is no IPv4 or IPv6 address; names are not resolved",
				   param_name(param), word);
	mnl_attr_put(req, param->attr, sizeof(addr), &addr);
	return EXIT_OK;
}

/* How many of them are too many is the kernel's to say; these are as many as fit. */
#define PUT_ADDRS_MAX	64

int put_addrs6(struct nlmsghdr *req, const struct param *param, const char *word)
{
	struct in6_addr addrs[PUT_ADDRS_MAX];
	char one[INET6_ADDRSTRLEN];
	size_t len, n = 0;

	do {
		len = strcspn(word, ",");
		if (n == PUT_ADDRS_MAX)
			return usage_error("%s: more than %d addresses", param_name(param),
					   PUT_ADDRS_MAX);
		snprintf(one, sizeof(one), "%.*s", (int)len, word);
		if (len >= sizeof(one) || inet_pton(AF_INET6, one, &addrs[n++]) != 1)
			return usage_error("%s '%.*s' is no IPv6 address; write A,B,...",
					   param_name(param), (int)len, word);
		word += len;
	} while (*word++);
	mnl_attr_put(req, param->attr, n * sizeof(addrs[0]), addrs);
	return EXIT_OK;
}

/* Such a list, or "plain" for none. */
int put_answers(struct nlmsghdr *req, const struct param *param, const char *word)
{
	if (strcmp(word, "plain"))
		return put_addrs6(req, param, word);
	mnl_attr_put(req, param->attr, 0, NULL);
	return EXIT_OK;
}

int put_device(struct nlmsghdr *req, const struct param *param, const char *word)
{
	unsigned int index = if_nametoindex(word);

	if (!index)
		return usage_error("there is no device '%s' in this network namespace", word);
	mnl_attr_put_u32(req, param->attr, index);
	return EXIT_OK;
}

int put_direction(struct nlmsghdr *req, const struct param *param, const char *word)
{
	if (strcmp(word, "tx") && strcmp(word, "rx"))
		return usage_error("direction '%s' is neither tx nor rx", word);
	mnl_attr_put_u8(req, param->attr, strcmp(word, "tx") ? LAPSMP_DIRECTION_RX :
							       LAPSMP_DIRECTION_TX);
	return EXIT_OK;
}

int put_name(struct nlmsghdr *req, const struct param *param, const char *word)
{
	if (!*word)
		return usage_error("%s is empty", param_name(param));
	mnl_attr_put_strz(req, param->attr, word);
	return EXIT_OK;
}

int put_policy(struct nlmsghdr *req, const struct param *param, const char *word)
{
	if (strcmp(word, "default"))
		return put_name(req, param, word);
	mnl_attr_put_strz(req, param->attr, "");
	return EXIT_OK;
}

struct unit {
	const char *name;
	double factor;
};

/* "2.5gbit" by a table of units; 0 needs none. */
static int parse_scaled(const char *what, const char *word, const struct unit *units, size_t n,
			const char *example, uint64_t *value)
{
	double number;
	char *end;
	size_t i;

	number = strtod(word, &end);
	if (end == word || !isfinite(number) || number < 0 || *word < '0' || *word > '9')
		return usage_error("%s '%s' is not a number with a unit, such as %s", what, word,
				   example);
	for (i = 0; i < n && strcmp(end, units[i].name); i++)
		;
	if (i == n && number > 0)
		return usage_error("%s '%s' has %s unit; write it like %s", what, word,
				   *end ? "an unknown" : "no", example);
	number = i == n ? 0 : round(number * units[i].factor);
	if (number >= 18446744073709551615.0)
		return usage_error("%s '%s' is too large", what, word);
	*value = (uint64_t)number;
	return EXIT_OK;
}

int parse_rate(const char *what, const char *word, uint64_t *value)
{
	static const struct unit units[] = {
		{ "bit", 1 / 8.0 }, { "kbit", 1e3 / 8 }, { "mbit", 1e6 / 8 },
		{ "gbit", 1e9 / 8 }, { "tbit", 1e12 / 8 }, { "Bps", 1 }, { "kBps", 1e3 },
		{ "MBps", 1e6 }, { "GBps", 1e9 },
	};

	return parse_scaled(what, word, units, ARRAY_SIZE(units), "10gbit, 800mbit or 125000Bps",
			    value);
}

int put_rate(struct nlmsghdr *req, const struct param *param, const char *word)
{
	uint64_t value;
	int ret = parse_rate(param_name(param), word, &value);

	if (!ret)
		mnl_attr_put_u64(req, param->attr, value);
	return ret;
}

int parse_time(const char *what, const char *word, uint64_t *value)
{
	static const struct unit units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	};

	return parse_scaled(what, word, units, ARRAY_SIZE(units), "250us, 1.5ms or 3000ns", value);
}

int put_time(struct nlmsghdr *req, const struct param *param, const char *word)
{
	uint64_t value;
	int ret = parse_time(param_name(param), word, &value);

	if (!ret)
		mnl_attr_put_u64(req, param->attr, value);
	return ret;
}
