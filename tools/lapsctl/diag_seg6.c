// SPDX-License-Identifier: GPL-2.0
/*
 * Checks of SRv6; see diag.h. Packets by segments vanish without a trace on a host
 * that does not take them, so what is set is all that there is to see:
 *
 *   taken      net.ipv6.conf.all.seg6_enabled and that of the device where they come
 *		in; the kernel takes the smaller of both
 *   sent on    net.ipv6.conf.all.forwarding, on a node of the way
 *   not taken  seg6_require_hmac=1 of the device: paths without hmac have none
 *
 * A host that has paths over IPv6 by segments needs the first for its answers; those
 * of IPv4 are taken out by a route, or come plainly. Whether another one is a node or
 * receiver of paths only its administrator knows: that it takes segments on some
 * devices says that it should. A route of type seg6local takes them without
 * seg6_enabled, and with some actions says that it is a node.
 */
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "util.h"

#define SETTING	"seg6_enabled"

/**
 * struct seg6 - which devices take segments
 * @router: IPv6 packets are sent on
 * @all: seg6_enabled of all
 * @on: how many devices have it
 * @off: "net.ipv6.conf.DEV.seg6_enabled=0, ..." of those that have not, or NULL
 * @off_names: "DEV, DEV", or NULL
 * @cure: what sets it, or NULL
 * @hmac: "net.ipv6.conf.DEV.seg6_require_hmac=1, ...", or NULL
 * @hmac_cure: what takes that back
 * @global: there is an address that paths could lead to
 * @still: how many of them do not send on by a setting of their own
 */
struct seg6 {
	long router;
	long all;
	int on;
	char *off;
	char *off_names;
	char *cure;
	char *hmac;
	char *hmac_cure;
	bool global;
	int still;
};

/* Do answers of this path come by segments, and are taken as those are? */
static bool is_segs_path(const struct row *row)
{
	return row_has(row, LAPSMP_A_PATH_SEGS) && !diag_is_v4(row);
}

static bool has_segs_paths(const struct diag *d)
{
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		if (is_segs_path(&d->paths.v[i]))
			return true;
	}
	return false;
}

/* Put a setting of a device, or of all, into what is wrong and what mends it. */
static void seg6_wrong(const char *dev, const char *is, const char *should, char **values,
		       char **cure)
{
	char *value = diag_setting_name("ipv6", dev, is);
	char *set = diag_setting_name("ipv6", dev, should);

	diag_join(values, ", ", value);
	if (!*cure)
		diag_join(cure, "", "sysctl -w");
	diag_join(cure, " ", set);
	free(value);
	free(set);
}

static void seg6_off(const char *dev, char **values, char **cure)
{
	seg6_wrong(dev, SETTING "=0", SETTING "=1", values, cure);
}

static void seg6_hmac(const char *dev, char **values, char **cure)
{
	seg6_wrong(dev, "seg6_require_hmac=1", "seg6_require_hmac=0", values, cure);
}

/* --- this host's own paths -------------------------------------------------------- */

static void seg6_check_device(struct diag *d, const char *dev, bool up, bool is_signed)
{
	char *values = NULL, *cure = NULL;
	long all = 0, own = 0, hmac = 0;

	diag_setting_dev("ipv6", "all", SETTING, &all);
	diag_setting_dev("ipv6", dev, SETTING, &own);
	diag_setting_dev("ipv6", dev, "seg6_require_hmac", &hmac);
	if (!all)
		seg6_off("all", &values, &cure);
	if (!own)
		seg6_off(dev, &values, &cure);
	/* One that is up may have answers by the plain route, or be up no longer. */
	if (values)
		diag_add(d, up ? DIAG_WARNING : DIAG_ERROR,
			 xprintf("answers of paths by segments are dropped on %s", dev), values,
			 cure);
	if (hmac <= 0 || is_signed)
		return;
	values = NULL;
	cure = NULL;
	seg6_hmac(dev, &values, &cure);
	diag_add(d, up ? DIAG_WARNING : DIAG_ERROR,
		 xprintf("answers of paths by segments are dropped on %s: they have no HMAC", dev),
		 values, cure);
}

/* They come back, as far as can be known, where the packets leave. */
void diag_seg6_paths(struct diag *d)
{
	struct rtnl_route route;
	char dev[IF_NAMESIZE];
	size_t i;

	for (i = 0; i < d->paths.n; i++) {
		const struct row *row = &d->paths.v[i];

		if (!is_segs_path(row) || diag_path_route(row, &route) ||
		    !if_indextoname(route.ifindex, dev))
			continue;
		seg6_check_device(d, dev,
				  row_u64(row, LAPSMP_A_PATH_STATE) == LAPSMP_PATH_STATE_UP,
				  row_has(row, LAPSMP_A_PATH_HMAC));
	}
}

/* --- nodes and receivers ---------------------------------------------------------- */

static void seg6_look_at(struct seg6 *s, const char *dev)
{
	long own, hmac = 0, forced = 0;

	if (!diag_setting_dev("ipv6", dev, SETTING, &own))
		return;
	diag_setting_dev("ipv6", dev, "seg6_require_hmac", &hmac);
	/* Newer kernels have it. */
	diag_setting_dev("ipv6", dev, "force_forwarding", &forced);
	if (own) {
		s->on++;
		s->still += !forced;
		if (hmac > 0)
			seg6_hmac(dev, &s->hmac, &s->hmac_cure);
	} else {
		diag_join(&s->off_names, ", ", dev);
		seg6_off(dev, &s->off, &s->cure);
	}
}

/*
 * Devices that are up and have an IPv6 address that paths could lead to; on a router,
 * any. getifaddrs() has the addresses of a device together.
 */
static void seg6_look(const struct diag *d, struct seg6 *s)
{
	const struct ifaddrs *a;
	const char *last = "";
	bool global;

	*s = (struct seg6){ 0 };
	diag_setting_dev("ipv6", "all", SETTING, &s->all);
	diag_setting_dev("ipv6", "all", "forwarding", &s->router);
	for (a = d->addrs; a; a = a->ifa_next) {
		const struct sockaddr_in6 *addr = (const void *)a->ifa_addr;

		if (!addr || addr->sin6_family != AF_INET6 || !(a->ifa_flags & IFF_UP))
			continue;
		global = !IN6_IS_ADDR_LINKLOCAL(&addr->sin6_addr) &&
			 !IN6_IS_ADDR_LOOPBACK(&addr->sin6_addr);
		s->global = s->global || global;
		if (!(global || s->router) || a->ifa_flags & IFF_LOOPBACK ||
		    !strcmp(a->ifa_name, last))
			continue;
		last = a->ifa_name;
		seg6_look_at(s, last);
	}
}

static void seg6_free(struct seg6 *s)
{
	free(s->off);
	free(s->off_names);
	free(s->cure);
	free(s->hmac);
	free(s->hmac_cure);
}

/* Nobody says that segments should be taken here, and only they would come to harm. */
static void seg6_note(struct diag *d, const struct seg6 *s)
{
	char *values = NULL, *cure = NULL;

	seg6_off("all", &values, &cure);
	diag_join(&values, ", ", s->off);
	diag_join(&cure, " ", s->cure + strlen("sysctl -w "));
	diag_add(d, DIAG_NOTE, xprintf("packets by SRv6 segments are dropped here"), values,
		 xprintf("if this host is a node or the end of such paths: %s", cure));
	free(cure);
}

/* Where this host's own paths end was looked at already, unless it is a router, too. */
void diag_seg6_node(struct diag *d)
{
	bool own = has_segs_paths(d);
	struct seg6 s;

	if (d->asked.n || d->tables.seg6local)
		return;
	seg6_look(d, &s);
	if (own && !s.router)
		goto out;
	if (!s.all && !s.on && s.off && s.global && !own)
		seg6_note(d, &s);
	else if (!s.all && s.on)
		diag_add(d, DIAG_WARNING,
			 xprintf("packets by SRv6 segments are dropped here, on all devices"),
			 xprintf("net.ipv6.conf.all." SETTING "=0"),
			 xprintf("sysctl -w net.ipv6.conf.all." SETTING "=1"));
	else if (s.all && s.off)
		diag_add(d, DIAG_WARNING,
			 xprintf("packets by SRv6 segments that come in by %s are dropped",
				 s.off_names),
			 xprintf("%s", s.off), xprintf("%s", s.cure));
	if (s.all && s.hmac)
		diag_add(d, DIAG_WARNING,
			 xprintf("packets by SRv6 segments are dropped where they must have an HMAC, if their path has none"),
			 xprintf("%s", s.hmac), xprintf("%s", s.hmac_cure));
out:
	seg6_free(&s);
}

/* What says that packets are not sent on, and that they should be. */
static char *seg6_forwarding_value(const struct diag *d, unsigned long dropped)
{
	char *text = xprintf("net.ipv6.conf.all.forwarding=0"), *more;

	if (d->tables.seg6end)
		diag_join(&text, ", ", "a route of type seg6local");
	if (!dropped)
		return text;
	more = xprintf("Ip6InAddrErrors %lu", dropped);
	diag_join(&text, ", ", more);
	free(more);
	return text;
}

/*
 * Who takes segments and does not forward is right at the end of paths, and wrong on
 * the way. It is on the way if packets were dropped for it, or if there is no lapsmp
 * that they could end at; it may be if nothing uses that here, and there are devices
 * to pass them between.
 */
void diag_seg6_forwarding(struct diag *d)
{
	unsigned long dropped = diag_count_ip6("Ip6InAddrErrors");
	enum diag_severity severity;
	long on = 1;
	struct seg6 s;

	diag_setting_dev("ipv6", "all", "forwarding", &on);
	if (on || d->asked.n)
		return;
	seg6_look(d, &s);
	seg6_free(&s);
	if (d->tables.seg6end || (s.all && s.still && (dropped || !d->loaded)))
		severity = DIAG_ERROR;
	else if (s.all && s.still && !d->used && !has_segs_paths(d))
		severity = s.still > 1 ? DIAG_WARNING : DIAG_NOTE;
	else
		return;
	diag_add(d, severity,
		 xprintf("IPv6 packets are not sent on: a node of paths by segments must, their ends need not"),
		 seg6_forwarding_value(d, dropped), xprintf("sysctl -w net.ipv6.conf.all.forwarding=1"));
}

void diag_seg6_answers(struct diag *d)
{
	long on = 1;
	struct seg6 s;

	if (d->asked.n || !diag_setting("net/lapsmp/ack_segs", &on) || on)
		return;
	seg6_look(d, &s);
	seg6_free(&s);
	if (s.all && s.on)
		diag_add(d, DIAG_NOTE,
			 xprintf("answers to packets by segments go by the plain route"),
			 xprintf("net.lapsmp.ack_segs=0"),
			 xprintf("if all who can send them are trusted: sysctl -w net.lapsmp.ack_segs=1"));
}
