// SPDX-License-Identifier: GPL-2.0
/*
 * The command line.
 */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "fabric.h"
#include "lapsperf.h"
#include "net.h"
#include "number.h"
#include "server.h"
#include "util.h"

static const char usage_text[] =
"usage: lapsperf server [--port N] [--bind ADDR] [--once]\n"
"       lapsperf client HOST [OPTION...]\n"
"       lapsperf fabric HOSTS FLOWS [OPTION...]\n"
"       lapsperf clock\n"
"\n"
"Sends messages from client to server and measures how long each of them takes.\n"
"'clock' prints CLOCK_MONOTONIC in ns, for --start-at. For 'fabric', many hosts in\n"
"one kernel, there is lapsperf fabric --help.\n"
"\n"
"  --proto P         lapsmp (default), udp, tcp or mptcp\n"
"  --mode M          stream (default): one way, a message's time ends when the\n"
"                    receiver has all of it; rr: ask, wait for the answer\n"
"  --size BYTES      of a message, 32 or more (default 65536; udp 1400)\n"
"  --reply BYTES     of an answer in mode rr, 8 or more (default 8)\n"
"  --count N         messages per flow (default 1000)\n"
"  --bytes TOTAL     instead of --count: as many as make this up, over all flows\n"
"  --time SECONDS    instead of --count\n"
"  --flows N         sockets, each with a thread and a source port (default 1)\n"
"  --warm N          messages per flow that come first and are not counted\n"
"  --interval-us N   pause after each message\n"
"  --start-at NS     send the first message at this CLOCK_MONOTONIC time\n"
"  --verify          check every byte at the receiver\n"
"  --cc NAME         congestion control of the sender\n"
"  --sched NAME      scheduler of the sender (lapsmp)\n"
"  --local ADDR      send from this address (also --bind)\n"
"  --cport N         send from port N, N+1...\n"
"  --sndbuf BYTES, --rcvbuf BYTES\n"
"                    socket buffers at both ends; default: as the kernel does\n"
"  --connect-timeout SECONDS  (default 5)\n"
"  --timeout SECONDS give up after so long without a message (default 30)\n"
"  --trace FILE      write flow, number, time sent and received of each message\n"
"  --json            results for programs\n"
"  --port N          of the server's control connection (default 5201)\n"
"\n"
"Sizes take the suffixes k, M, G (1000) and Ki, Mi, Gi (1024).\n"
"Exit status: 1 usage, 2 failure, 3 messages missing, doubled or damaged.\n";

enum opt {
	OPT_PROTO = 256, OPT_PORT, OPT_BIND, OPT_ONCE, OPT_SIZE, OPT_REPLY, OPT_COUNT, OPT_BYTES,
	OPT_TIME, OPT_FLOWS, OPT_MODE, OPT_CC, OPT_SCHED, OPT_VERIFY, OPT_JSON, OPT_WARM,
	OPT_INTERVAL, OPT_START_AT, OPT_LOCAL, OPT_CPORT, OPT_SNDBUF, OPT_RCVBUF, OPT_CONNECT,
	OPT_TIMEOUT, OPT_TRACE,
};

static const struct option options[] = {
	{ "proto", required_argument, NULL, OPT_PROTO },
	{ "port", required_argument, NULL, OPT_PORT },
	{ "bind", required_argument, NULL, OPT_LOCAL },
	{ "local", required_argument, NULL, OPT_LOCAL },
	{ "once", no_argument, NULL, OPT_ONCE },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "reply", required_argument, NULL, OPT_REPLY },
	{ "count", required_argument, NULL, OPT_COUNT },
	{ "bytes", required_argument, NULL, OPT_BYTES },
	{ "time", required_argument, NULL, OPT_TIME },
	{ "flows", required_argument, NULL, OPT_FLOWS },
	{ "mode", required_argument, NULL, OPT_MODE },
	{ "cc", required_argument, NULL, OPT_CC },
	{ "sched", required_argument, NULL, OPT_SCHED },
	{ "verify", no_argument, NULL, OPT_VERIFY },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "warm", required_argument, NULL, OPT_WARM },
	{ "interval-us", required_argument, NULL, OPT_INTERVAL },
	{ "start-at", required_argument, NULL, OPT_START_AT },
	{ "cport", required_argument, NULL, OPT_CPORT },
	{ "sndbuf", required_argument, NULL, OPT_SNDBUF },
	{ "rcvbuf", required_argument, NULL, OPT_RCVBUF },
	{ "connect-timeout", required_argument, NULL, OPT_CONNECT },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "trace", required_argument, NULL, OPT_TRACE },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* What is not a property of a run before all options are known. */
struct later {
	uint64_t bytes;
	uint64_t size;
	int amounts;
};

static void parse_protocol(struct params *p, int opt, const char *arg)
{
	if (opt == OPT_PROTO) {
		p->proto = proto_find(arg);
		if (!p->proto)
			die(EXIT_USAGE, "--proto %s: not known; take %s", arg, proto_names());
	} else if (!strcmp(arg, "rr")) {
		p->mode = MODE_RR;
	} else if (strcmp(arg, "stream")) {
		die(EXIT_USAGE, "--mode %s: not known; take stream or rr", arg);
	}
}

static void parse_amount(struct params *p, struct later *l, int opt, const char *arg)
{
	switch (opt) {
	case OPT_COUNT:
		p->count = number_whole("--count", arg, 1, 1e12);
		l->amounts++;
		break;
	case OPT_BYTES:
		l->bytes = number_whole("--bytes", arg, 1, 1e18);
		l->amounts++;
		break;
	case OPT_TIME:
		p->time_ns = (uint64_t)(number_any("--time", arg, 0.000001, 1e6) * 1e9);
		l->amounts++;
		break;
	case OPT_SIZE:
		l->size = number_whole("--size", arg, MSG_MIN, PERF_MAX_SIZE);
		break;
	case OPT_REPLY:
		p->reply = (uint32_t)number_whole("--reply", arg, REPLY_MIN, PERF_MAX_SIZE);
		break;
	case OPT_FLOWS:
		p->flows = (uint32_t)number_whole("--flows", arg, 1, PERF_MAX_FLOWS);
		break;
	case OPT_WARM:
		p->warm = number_whole("--warm", arg, 0, 1e12);
		break;
	}
}

static void parse_other(struct params *p, int opt, const char *arg)
{
	switch (opt) {
	case OPT_PORT:
		p->port = (int)number_whole("--port", arg, 1, 65535);
		break;
	case OPT_CPORT:
		p->cport = (int)number_whole("--cport", arg, 1, 65535);
		break;
	case OPT_SNDBUF:
		p->sndbuf = (int)number_whole("--sndbuf", arg, 1, 1 << 30);
		break;
	case OPT_RCVBUF:
		p->rcvbuf = (int)number_whole("--rcvbuf", arg, 1, 1 << 30);
		break;
	case OPT_INTERVAL:
		p->interval_ns = (uint64_t)(number_any("--interval-us", arg, 0, 1e12) * 1e3);
		break;
	case OPT_START_AT:
		p->start_at_ns = number_whole("--start-at", arg, 0, 1e18);
		break;
	case OPT_CONNECT:
		p->connect_ns = (uint64_t)(number_any("--connect-timeout", arg, 0.001, 1e6) * 1e9);
		break;
	case OPT_TIMEOUT:
		p->idle_ns = (uint64_t)(number_any("--timeout", arg, 1, 1e6) * 1e9);
		break;
	case OPT_LOCAL:
		p->local = arg;
		break;
	case OPT_CC:
		p->cc = arg;
		break;
	case OPT_SCHED:
		p->sched = arg;
		break;
	case OPT_TRACE:
		p->trace = arg;
		break;
	case OPT_ONCE:
		p->once = true;
		break;
	case OPT_VERIFY:
		p->verify = true;
		break;
	case OPT_JSON:
		p->json = true;
		break;
	}
}

static void parse_options(struct params *p, struct later *l, int argc, char **argv)
{
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (opt == 'h') {
			fputs(usage_text, stdout);
			exit(0);
		} else if (opt == '?') {
			die(EXIT_USAGE, "try: lapsperf --help");
		} else if (opt == OPT_PROTO || opt == OPT_MODE) {
			parse_protocol(p, opt, optarg);
		} else {
			parse_amount(p, l, opt, optarg);
			parse_other(p, opt, optarg);
		}
	}
}

static void check_client(struct params *p, struct later *l)
{
	uint64_t size = l->size;

	if (l->amounts > 1)
		die(EXIT_USAGE, "--count, --bytes and --time exclude each other");
	if (!size)
		size = !p->proto->stream && !p->proto->reliable ? 1400 : 65536;
	if (size > p->proto->max_size || p->reply > p->proto->max_size)
		die(EXIT_USAGE, "%s %" PRIu64 " is too large for %s, at most %" PRIu32,
		    size > p->proto->max_size ? "--size" : "--reply",
		    size > p->proto->max_size ? size : p->reply, p->proto->name,
		    p->proto->max_size);
	p->size = (uint32_t)size;
	if (l->bytes)
		p->count = (l->bytes + size * p->flows - 1) / (size * p->flows);
	else if (!p->count && !p->time_ns)
		p->count = 1000;
	if (p->count)
		p->count += p->warm;
	if (p->sched && strcmp(p->proto->name, "lapsmp"))
		die(EXIT_USAGE, "--sched %s: only lapsmp sockets have a scheduler, not %s",
		    p->sched, p->proto->name);
	if (p->cc && !strcmp(p->proto->name, "udp"))
		die(EXIT_USAGE, "--cc %s: udp has no congestion control", p->cc);
}

int main(int argc, char **argv)
{
	struct params p = {
		.proto = proto_find("lapsmp"),
		.flows = 1,
		.reply = REPLY_MIN,
		.connect_ns = 5 * NSEC_PER_SEC,
		.idle_ns = 30 * NSEC_PER_SEC,
		.port = PERF_PORT,
	};
	struct later l = { 0 };
	const char *verb;

	signal(SIGPIPE, SIG_IGN);
	if (argc > 1 && !strcmp(argv[1], "fabric"))
		return fabric_main(argc - 1, argv + 1);
	parse_options(&p, &l, argc, argv);
	verb = optind < argc ? argv[optind++] : "";
	if (!strcmp(verb, "help")) {
		fputs(usage_text, stdout);
		return 0;
	}
	if (!strcmp(verb, "clock") && optind == argc) {
		printf("%" PRIu64 "\n", now_ns());
		return 0;
	}
	if (!strcmp(verb, "server") && optind == argc)
		return server_run(&p);
	if (strcmp(verb, "client"))
		die(EXIT_USAGE, "say 'server', 'client', 'fabric' or 'clock', not '%s'; try: lapsperf --help",
		    verb);
	if (optind + 1 != argc)
		die(EXIT_USAGE, "client takes one HOST; try: lapsperf --help");
	p.host = argv[optind];
	check_client(&p, &l);
	return client_run(&p);
}
