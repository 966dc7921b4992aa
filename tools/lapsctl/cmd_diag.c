// SPDX-License-Identifier: GPL-2.0
/* What stands in the way on this host, most important first; see diag.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "diag.h"
#include "json.h"
#include "print.h"
#include "util.h"

/*
 * By importance: what is first here comes first among those that are as bad. Whether
 * lapsmp has its port is known to those behind that check. A node needs no module, so
 * what it does need comes before it.
 */
static void (*const checks[])(struct diag *d) = {
	diag_port, diag_seg6_paths, diag_seg6_forwarding, diag_seg6_node, diag_module,
	diag_ipv6, diag_vrf, diag_local, diag_routes, diag_paths, diag_multipath,
	diag_rp_filter, diag_mtu, diag_seg6_answers, diag_counters,
};

static const char *const severities[] = {
	[DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_NOTE] = "note"
};

/* --- looking ---------------------------------------------------------------------- */

/* All that more than one check needs. Return: an exit status. */
static int diag_gather(struct diag *d, struct nlmsghdr *req)
{
	int ret = EXIT_OK;

	if (access("/proc/sys/net", F_OK))
		return system_error("cannot read settings in /proc/sys/net: %s", strerror(errno));
	d->loaded = !access("/proc/sys/net/lapsmp", F_OK);
	if (getifaddrs(&d->addrs))
		return system_error("cannot read addresses: %s", strerror(errno));
	if (d->loaded)
		ret = nl_run(req, &d->paths);
	if (!ret && d->loaded)
		ret = nl_run(nl_begin(LAPSMP_CMD_STATS_GET, 0), &d->stats);
	return ret ? ret : rtnl_tables(&d->tables);
}

/* --- telling ---------------------------------------------------------------------- */

static void diag_text(const struct finding *f)
{
	static const enum color colors[] = {
		[DIAG_ERROR] = COLOR_RED, [DIAG_WARNING] = COLOR_YELLOW, [DIAG_NOTE] = COLOR_CYAN
	};

	printf("%s%s%s: %s\n    %s\n    do: %s\n", color_on(colors[f->severity]),
	       severities[f->severity], color_off(colors[f->severity]), f->what, f->value, f->cure);
}

static void diag_json(const struct finding *f)
{
	json_open_object(NULL);
	json_text("severity", severities[f->severity]);
	json_text("what", f->what);
	json_text("value", f->value);
	json_text("do", f->cure);
	json_close_object();
}

/* Return: how many stand in the way. */
static size_t diag_tell(const struct diag *d, void (*tell)(const struct finding *f))
{
	enum diag_severity severity;
	size_t i, n = 0;

	for (severity = DIAG_ERROR; severity <= DIAG_NOTE; severity++) {
		if (severity == DIAG_NOTE && !n && !opt.json)
			puts("nothing stands in the way here");
		for (i = 0; i < d->n; i++) {
			if (d->findings[i].severity != severity)
				continue;
			tell(&d->findings[i]);
			n += severity != DIAG_NOTE;
		}
	}
	return n;
}

static size_t diag_tell_json(const struct diag *d)
{
	size_t n;

	json_start(opt.pretty);
	json_open_array(NULL);
	n = diag_tell(d, diag_json);
	json_close_array();
	json_end();
	return n;
}

/* --- the command ------------------------------------------------------------------ */

static int diag_run(const struct object *object, const struct verb *verb, struct args *args)
{
	struct nlmsghdr *req = nl_begin(verb->cmd, NLM_F_DUMP);
	struct diag d = { 0 };
	uint32_t given;
	size_t i, n;
	int ret;

	ret = params_parse(args, object->params, verb->need, verb->may, req, &given);
	if (ret || nl_is_dry())
		return ret;
	if (given && !(given & PARAM_PEER))
		return usage_error("missing: peer ADDRESS");
	if (given)
		rows_add(&d.asked, req);
	ret = diag_gather(&d, req);
	for (i = 0; !ret && i < ARRAY_SIZE(checks); i++)
		checks[i](&d);
	if (!ret) {
		n = opt.json ? diag_tell_json(&d) : diag_tell(&d, diag_text);
		ret = n ? EXIT_FOUND : EXIT_OK;
	}
	rtnl_close();
	diag_free(&d);
	return ret;
}

static const struct verb diag_verbs[] = {
	{ NULL, diag_run, LAPSMP_CMD_PATH_GET, 0, PARAM_PEER | PARAM_KEY,
	  .text = "Say what stands in the way here, most important first, and what to do about it;\n"
		  "      or only what stands in the way to a peer. The exit status is 1 if something\n"
		  "      does. The other hosts and the nodes between say it of themselves." },
};

const struct object cmd_diag = {
	"diag", diag_verbs, ARRAY_SIZE(diag_verbs), NULL,
	"what stands in the way on this host"
};
