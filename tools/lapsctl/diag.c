// SPDX-License-Identifier: GPL-2.0
/* Findings, and where checks read what they judge; see diag.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "util.h"

/* --- findings --------------------------------------------------------------------- */

static struct finding *diag_find(struct diag *d, const char *what, const char *value)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		if (!strcmp(d->findings[i].what, what) && !strcmp(d->findings[i].value, value))
			return &d->findings[i];
	}
	return NULL;
}

static void finding_free(struct finding *f)
{
	free(f->what);
	free(f->value);
	free(f->cure);
}

void diag_add(struct diag *d, enum diag_severity severity, char *what, char *value, char *cure)
{
	struct finding new = { severity, what, value, cure };
	struct finding *old = diag_find(d, what, value);

	if (!old) {
		d->findings = xrealloc(d->findings, (d->n + 1) * sizeof(*d->findings));
		d->findings[d->n++] = new;
		return;
	}
	if (severity < old->severity)
		old->severity = severity;
	finding_free(&new);
}

void diag_free(struct diag *d)
{
	size_t i;

	for (i = 0; i < d->n; i++)
		finding_free(&d->findings[i]);
	free(d->findings);
	rows_free(&d->asked);
	rows_free(&d->paths);
	rows_free(&d->stats);
	freeifaddrs(d->addrs);
}

void diag_join(char **text, const char *between, const char *word)
{
	char *old = *text;

	*text = xprintf("%s%s%s", old ? old : "", old ? between : "", word);
	free(old);
}

/* --- settings and counters -------------------------------------------------------- */

bool diag_setting(const char *name, long *value)
{
	char *path = xprintf("/proc/sys/%s", name);
	FILE *in = fopen(path, "r");
	bool there = in && fscanf(in, "%ld", value) == 1;

	if (in)
		fclose(in);
	free(path);
	return there;
}

bool diag_setting_dev(const char *family, const char *dev, const char *name, long *value)
{
	char *path = xprintf("net/%s/conf/%s/%s", family, dev, name);
	bool there = diag_setting(path, value);

	free(path);
	return there;
}

/* Dots in the name of a device are slashes there. */
char *diag_setting_name(const char *family, const char *dev, const char *name)
{
	char *text = xprintf("net.%s.conf.%s.%s", family, dev, name);
	char *at = text + strlen("net..conf.") + strlen(family);
	char *end = at + strlen(dev);

	for (; at < end; at++) {
		if (*at == '.')
			*at = '/';
	}
	return text;
}

/* A name and a number in each line. */
unsigned long diag_count_ip6(const char *name)
{
	FILE *in = fopen("/proc/net/snmp6", "r");
	unsigned long value = 0;
	char word[64];

	while (in && fscanf(in, "%63s %lu", word, &value) == 2 && strcmp(word, name))
		value = 0;
	if (in)
		fclose(in);
	return value;
}

/* A line of names, and below it one of numbers, each behind the same word. */
unsigned long diag_count_ext(const char *name)
{
	static const char blanks[] = { ' ', '\n', '\0' };
	FILE *in = fopen("/proc/net/netstat", "r");
	char *names = NULL, *numbers = NULL, *a, *b, *next_name, *next_number;
	size_t room = 0, room2 = 0;
	unsigned long value = 0;

	if (in && getline(&names, &room, in) > 0 && getline(&numbers, &room2, in) > 0) {
		next_name = names;
		next_number = numbers;
		while ((a = strsep(&next_name, blanks)) && (b = strsep(&next_number, blanks))) {
			if (!strcmp(a, name))
				value = strtoul(b, NULL, 10);
		}
	}
	if (in)
		fclose(in);
	free(names);
	free(numbers);
	return value;
}

/* --- routes ----------------------------------------------------------------------- */

/* The address of the first of these that it has. */
static const struct in6_addr *diag_first(const struct row *path, const uint16_t *types, size_t n)
{
	size_t i;

	for (i = 0; i < n && !row_has(path, types[i]); i++)
		;
	return i < n ? row_addr(path, types[i]) : NULL;
}

const struct in6_addr *diag_path_to(const struct row *path)
{
	static const uint16_t types[] = {
		LAPSMP_A_PATH_SEGS, LAPSMP_A_PATH_REMOTE, LAPSMP_A_PATH_PEER
	};

	return diag_first(path, types, ARRAY_SIZE(types));
}

const struct in6_addr *diag_path_from(const struct row *path)
{
	static const uint16_t types[] = { LAPSMP_A_PATH_SOURCE, LAPSMP_A_PATH_LOCAL };

	return diag_first(path, types, ARRAY_SIZE(types));
}

uint32_t diag_path_device(const struct row *path)
{
	return (uint32_t)row_u64(path, row_has(path, LAPSMP_A_PATH_DEVICE) ?
				       LAPSMP_A_PATH_DEVICE : LAPSMP_A_PATH_IFINDEX);
}

bool diag_path_is_own(const struct row *path)
{
	return row_has(path, LAPSMP_A_PATH_SOURCE) || row_has(path, LAPSMP_A_PATH_REMOTE) ||
	       row_has(path, LAPSMP_A_PATH_DEVICE);
}

/* Does it leave by the device that was chosen? By a VRF it may leave by any of it. */
static bool diag_leaves_by(uint32_t ifindex, const struct rtnl_route *route)
{
	struct rtnl_link link;

	return route->ifindex == ifindex || rtnl_link(ifindex, &link) || link.vrf;
}

int diag_path_route(const struct row *path, struct rtnl_route *route)
{
	bool segs = row_has(path, LAPSMP_A_PATH_SEGS);
	/* Packets of IPv4 travel in others by them, whose address and ports are others. */
	bool inside = segs && diag_is_v4(path);
	struct rtnl_key key = {
		.to = diag_path_to(path),
		.from = inside ? NULL : diag_path_from(path),
		.ifindex = diag_path_device(path),
		.exact = row_has(path, LAPSMP_A_PATH_DEVICE),
		.mark = (uint32_t)row_u64(path, LAPSMP_A_PATH_MARK),
		.tos = (uint8_t)row_u64(path, LAPSMP_A_PATH_TOS),
		.sport = inside ? 0 : (uint16_t)row_u64(path, LAPSMP_A_PATH_SPORT),
		.dport = (uint16_t)row_u64(path, LAPSMP_A_PATH_PORT),
	};

	int err = rtnl_route(&key, route);

	if (err || !key.exact || diag_leaves_by(key.ifindex, route))
		return err;
	/* From an address the kernel takes a device for a wish. lapsmp does not. */
	key.from = NULL;
	err = rtnl_route(&key, route);
	return err || diag_leaves_by(key.ifindex, route) ? err : -ENETUNREACH;
}
