// SPDX-License-Identifier: GPL-2.0
/*
 * lapsperf fabric: the command line, the namespaces, and the loop.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "fabric.h"
#include "info.h"
#include "lapsperf.h"
#include "number.h"
#include "util.h"

#define BEGIN_AT_ONCE	16
/* Between the first flows of two pairs of hosts. */
#define WARM_APART_NS	10000ull
/* What the beginning of all flows is a multiple of. */
#define BASE_STEP_NS	1000000ull

static const char usage_text[] =
"usage: lapsperf fabric HOSTS FLOWS [OPTION...]\n"
"\n"
"Runs the flows of a file between the hosts of another, all from one process, and\n"
"prints how long they took. A host is a line 'NAME ADDRESS': the network namespace\n"
"/run/netns/NAME. A flow is 'ID START-NS FROM TO BYTES [AFTER ID,ID...]'.\n"
"\n"
"  --proto P         lapsmp (default), tcp or mptcp\n"
"  --cc NAME         congestion control of the senders\n"
"  --sched NAME      scheduler of the senders (lapsmp)\n"
"  --beside P[:CC]   every second flow of the file is by this protocol and congestion\n"
"                    control instead\n"
"  --class BYTES:TCLASS[,BYTES:TCLASS...]\n"
"                    flows of at most BYTES are sent with this traffic class (IPv4:\n"
"                    TOS), larger ones with 0: what a program can do that knows how\n"
"                    much it will send (tcp; 8 of them, by rising BYTES)\n"
"  --chunk BYTES     that the kernel is given at once, or a message (default 256Ki)\n"
"  --sndbuf BYTES, --rcvbuf BYTES\n"
"                    socket buffers; default: lapsmp 4Mi and 64Mi, else as the\n"
"                    kernel does\n"
"  --warm BYTES      first of all, each pair of hosts that has a flow has one of so\n"
"                    many bytes, that is not counted (default 16; 0: none)\n"
"  --pool N          connections that a pair has before, if it has as many flows\n"
"                    (default 16); more are made when they are needed\n"
"  --serial          one only: a pair's flows follow each other on it, each as soon as\n"
"                    the one before is sent, as the messages of a collective do\n"
"  --subflows N      that each of these has (mptcp, with net.mptcp.pm_type 1;\n"
"                    default 1)\n"
"  --settle SECONDS  between these and the others (default 0.1)\n"
"  --begin COMMAND   run this in the middle of that time; LAPSPERF_BASE_NS tells it\n"
"                    when flows will begin, by CLOCK_MONOTONIC\n"
"  --seed N          of the ports that connections have (default 1)\n"
"  --timeout SECONDS give up after so long without progress (default 30)\n"
"  --until SECONDS   leave flows that have not ended so long after the beginning\n"
"  --trace FILE      write one line for each flow\n"
"  --progress FILE   write how many bytes of each flow have arrived, again and again\n"
"  --every SECONDS   between two lines of that (default 0.0001)\n";

enum opt {
	OPT_PROTO = 256, OPT_CC, OPT_SCHED, OPT_CHUNK, OPT_SNDBUF, OPT_RCVBUF, OPT_WARM,
	OPT_POOL, OPT_SERIAL, OPT_SUBFLOWS, OPT_SETTLE, OPT_BEGIN, OPT_SEED, OPT_TIMEOUT, OPT_TRACE,
	OPT_BESIDE, OPT_UNTIL, OPT_PROGRESS, OPT_EVERY, OPT_CLASS,
};

static const struct option options[] = {
	{ "proto", required_argument, NULL, OPT_PROTO },
	{ "cc", required_argument, NULL, OPT_CC },
	{ "sched", required_argument, NULL, OPT_SCHED },
	{ "chunk", required_argument, NULL, OPT_CHUNK },
	{ "sndbuf", required_argument, NULL, OPT_SNDBUF },
	{ "rcvbuf", required_argument, NULL, OPT_RCVBUF },
	{ "warm", required_argument, NULL, OPT_WARM },
	{ "pool", required_argument, NULL, OPT_POOL },
	{ "serial", no_argument, NULL, OPT_SERIAL },
	{ "subflows", required_argument, NULL, OPT_SUBFLOWS },
	{ "settle", required_argument, NULL, OPT_SETTLE },
	{ "begin", required_argument, NULL, OPT_BEGIN },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "trace", required_argument, NULL, OPT_TRACE },
	{ "beside", required_argument, NULL, OPT_BESIDE },
	{ "class", required_argument, NULL, OPT_CLASS },
	{ "until", required_argument, NULL, OPT_UNTIL },
	{ "progress", required_argument, NULL, OPT_PROGRESS },
	{ "every", required_argument, NULL, OPT_EVERY },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static const struct proto *parse_proto(const char *option, const char *name)
{
	const struct proto *proto = proto_find(name);

	if (!proto || !proto->reliable)
		die(EXIT_USAGE, "%s %s: take lapsmp, tcp or mptcp", option, name);
	return proto;
}

static void parse_class(struct transport *by, char *arg)
{
	char *bytes = strsep(&arg, ":");
	struct flow_class *class = &by->classes[by->n_classes];

	if (!arg)
		die(EXIT_USAGE, "--class %s: a class is BYTES:TCLASS", bytes);
	if (by->n_classes == FABRIC_CLASSES_MAX)
		die(EXIT_USAGE, "--class: at most %u classes", FABRIC_CLASSES_MAX);
	class->bytes = number_whole("--class", bytes, 1, 1ull << 62);
	class->tclass = (uint8_t)number_whole("--class", arg, 0, UINT8_MAX);
	if (by->n_classes && class->bytes <= class[-1].bytes)
		die(EXIT_USAGE, "--class %s: sizes must rise, and it follows %" PRIu64, bytes,
		    class[-1].bytes);
	by->n_classes++;
}

static void parse_classes(struct transport *by, char *arg)
{
	char *word;

	by->n_classes = 0;
	while ((word = strsep(&arg, ",")))
		parse_class(by, word);
}

/* What flows are sent by, and the sockets for it. Returns whether @opt is one of these. */
static bool parse_sockets(struct fabric_params *p, int opt, char *arg)
{
	switch (opt) {
	case OPT_PROTO:
		p->by[0].proto = parse_proto("--proto", arg);
		break;
	case OPT_CC:
		p->by[0].cc = arg;
		break;
	case OPT_SCHED:
		p->by[0].sched = arg;
		break;
	case OPT_BESIDE:
		p->by[1].proto = parse_proto("--beside", strsep(&arg, ":"));
		p->by[1].cc = arg;
		p->n_by = 2;
		break;
	case OPT_CLASS:
		parse_classes(&p->by[0], arg);
		break;
	case OPT_CHUNK:
		p->chunk = (uint32_t)number_whole("--chunk", arg, FABRIC_HDR, FABRIC_CHUNK_MAX);
		break;
	case OPT_SNDBUF:
		p->sndbuf = (int)number_whole("--sndbuf", arg, 1, 1 << 30);
		break;
	case OPT_RCVBUF:
		p->rcvbuf = (int)number_whole("--rcvbuf", arg, 1, 1 << 30);
		break;
	case OPT_WARM:
		p->warm = (uint32_t)number_whole("--warm", arg, 0, 1 << 30);
		break;
	case OPT_POOL:
		p->pool = (uint32_t)number_whole("--pool", arg, 1, 65535);
		break;
	case OPT_SERIAL:
		p->serial = true;
		break;
	case OPT_SUBFLOWS:
		p->subflows = (uint32_t)number_whole("--subflows", arg, 1, SUBFLOWS_MAX);
		break;
	case OPT_SEED:
		p->seed = (uint32_t)number_whole("--seed", arg, 0, 4294967295.0);
		break;
	default:
		return false;
	}
	return true;
}

static void parse_one(struct fabric_params *p, int opt, char *arg)
{
	switch (opt) {
	case OPT_SETTLE:
		p->settle_ns = (uint64_t)(number_any("--settle", arg, 0, 1e6) * 1e9);
		break;
	case OPT_BEGIN:
		p->begin = arg;
		break;
	case OPT_TIMEOUT:
		p->idle_ns = (uint64_t)(number_any("--timeout", arg, 0.001, 1e6) * 1e9);
		break;
	case OPT_UNTIL:
		p->until_ns = (uint64_t)(number_any("--until", arg, 0.000001, 1e6) * 1e9);
		break;
	case OPT_TRACE:
		p->trace = arg;
		break;
	case OPT_PROGRESS:
		p->progress = arg;
		break;
	case OPT_EVERY:
		p->every_ns = (uint64_t)(number_any("--every", arg, 0.000001, 1e6) * 1e9);
		break;
	case 'h':
		fputs(usage_text, stdout);
		exit(0);
	default:
		if (!parse_sockets(p, opt, arg))
			die(EXIT_USAGE, "try: lapsperf fabric --help");
	}
}

static void parse(struct fabric_params *p, int argc, char **argv)
{
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1)
		parse_one(p, opt, optarg);
	if (argc - optind != 2)
		die(EXIT_USAGE, "fabric takes HOSTS and FLOWS; try: lapsperf fabric --help");
	if (p->serial)
		p->pool = 1;
	p->hosts = argv[optind];
	p->flows = argv[optind + 1];
	if (p->by[0].sched && p->by[0].proto->stream)
		die(EXIT_USAGE, "--sched %s: only lapsmp sockets have a scheduler, not %s",
		    p->by[0].sched, p->by[0].proto->name);
	if (p->by[0].n_classes && !p->by[0].proto->stream)
		die(EXIT_USAGE, "--class: %s chooses them by itself, see net.lapsmp.express_tos",
		    p->by[0].proto->name);
	if (p->subflows > 1 && (p->n_by > 1 || strcmp(p->by[0].proto->name, "mptcp")))
		die(EXIT_USAGE, "--subflows: only mptcp has some, with nothing --beside it");
	if (p->subflows > 1 && !p->warm)
		die(EXIT_USAGE, "--subflows %u: not without --warm, which carries the first data",
		    p->subflows);
}

static int netns_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die(EXIT_RUN, "%s: %s", path, strerror(errno));
	return fd;
}

static void open_all(struct fabric *f)
{
	struct rlimit files = { .rlim_cur = 1 << 20, .rlim_max = 1 << 20 };
	static enum watch timer = WATCH_TIMER;
	struct epoll_event ev = { .events = EPOLLIN, .data.ptr = &timer };
	char path[128];
	uint32_t i;

	setrlimit(RLIMIT_NOFILE, &files);
	f->home = netns_open("/proc/self/ns/net");
	for (i = 0; i < f->n_hosts; i++) {
		snprintf(path, sizeof(path), "/run/netns/%s", f->hosts[i].name);
		f->hosts[i].netns = netns_open(path);
	}
	f->idle = xcalloc(fabric_pairs(f), sizeof(*f->idle));
	f->epoll = epoll_create1(EPOLL_CLOEXEC);
	/* epoll's own timeout may be a thousandth late. */
	f->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (f->epoll < 0 || f->timer < 0 || epoll_ctl(f->epoll, EPOLL_CTL_ADD, f->timer, &ev))
		die(EXIT_RUN, "epoll: %s", strerror(errno));
	fabric_listen(f);
}

/* With nothing under way nothing need happen. */
static uint64_t give_up_ns(const struct fabric *f)
{
	return f->n_begun > f->n_done ? f->progress_ns + f->p->idle_ns : UINT64_MAX;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void timer_set(const struct fabric *f, uint64_t until_ns)
{
	uint64_t at = earlier(earlier(fabric_next_ns(f), give_up_ns(f)),
			      earlier(f->note_ns, until_ns));
	struct itimerspec when = { 0 };

	when.it_value.tv_sec = (time_t)(at / NSEC_PER_SEC);
	when.it_value.tv_nsec = (long)(at % NSEC_PER_SEC);
	if (timerfd_settime(f->timer, TFD_TIMER_ABSTIME, &when, NULL))
		die(EXIT_RUN, "timer: %s", strerror(errno));
}

static void handle(struct fabric *f, const struct epoll_event *ev)
{
	uint64_t fired;

	switch (*(enum watch *)ev->data.ptr) {
	case WATCH_TIMER:
		if (read(f->timer, &fired, sizeof(fired)) < 0 && errno != EAGAIN)
			die(EXIT_RUN, "timer: %s", strerror(errno));
		break;
	case WATCH_RECEIVER:
		fabric_receive(f, ev->data.ptr);
		break;
	case WATCH_SENDER:
		if (ev->events & (EPOLLERR | EPOLLHUP))
			fabric_failed(f, ev->data.ptr);
		fabric_send(f, ev->data.ptr);
		break;
	}
}

/*
 * Begin what is due, but not all of it at once: to open a connection takes time, and what
 * arrives meanwhile must not wait for as long as that makes others due.
 */
static void begin_due(struct fabric *f)
{
	struct flow *flow;
	int i;

	for (i = 0; i < BEGIN_AT_ONCE; i++) {
		flow = fabric_due(f, now_ns());
		if (!flow)
			return;
		f->n_begun++;
		f->progress_ns = now_ns();
		if (!flow->warm && f->progress_ns - flow->due_ns > f->late_ns)
			f->late_ns = f->progress_ns - flow->due_ns;
		fabric_begin(f, flow);
	}
}

/* Until @n flows have ended, or it is @until_ns. Returns whether they did. */
static bool run(struct fabric *f, uint32_t n, uint64_t until_ns)
{
	struct epoll_event ev[256];
	uint64_t now;
	int got, i;

	f->progress_ns = now_ns();
	while (f->n_done < n) {
		begin_due(f);
		timer_set(f, until_ns);
		got = epoll_wait(f->epoll, ev, 256, -1);
		for (i = 0; i < got; i++)
			handle(f, &ev[i]);
		now = now_ns();
		if (now >= f->note_ns)
			fabric_progress_note(f, now);
		if (now >= until_ns || now >= give_up_ns(f))
			return false;
	}
	return true;
}

/*
 * As many flows of each pair as the file has, but at most @each. Pairs come one after the
 * other so that they do not meet, a pair's flows at once so that each takes a connection.
 */
static void warm(struct fabric *f, uint32_t each)
{
	struct {
		uint32_t flows;
		uint64_t due;
	} *pairs = xcalloc(fabric_pairs(f), sizeof(*pairs)), *pair;
	uint32_t i, n = f->n_done;
	uint64_t due = now_ns();
	const struct flow *flow;

	for (i = 0; i < f->n_file && f->p->warm; i++) {
		flow = &f->flows[i];
		pair = &pairs[fabric_pair(f, flow->by, flow->src, flow->dst)];
		if (pair->flows == each)
			continue;
		if (!pair->flows++) {
			pair->due = due;
			due += WARM_APART_NS;
		}
		f->flows[f->n_flows] = (struct flow){
			.by = flow->by, .src = flow->src, .dst = flow->dst, .warm = true,
			.size = f->p->warm > FABRIC_HDR ? f->p->warm : FABRIC_HDR,
		};
		fabric_plan(f, f->n_flows++, pair->due);
		n++;
	}
	free(pairs);
	if (!run(f, n, UINT64_MAX))
		die(EXIT_RUN, "%u of %u first flows between hosts did not end", n - f->n_done, n);
}

/* The connections that flows of the same pair at the same time will find. */
static void fill_pool(struct fabric *f)
{
	uint16_t *count = xcalloc(fabric_pairs(f), sizeof(*count));
	const struct flow *flow;
	uint32_t i;
	size_t at;

	for (i = 0; i < f->n_file; i++) {
		flow = &f->flows[i];
		at = fabric_pair(f, flow->by, flow->src, flow->dst);
		if (!flow->by->proto->stream || count[at] == f->p->pool)
			continue;
		/* The first one was made for the pair's warm flow. */
		if (count[at]++ || !f->p->warm)
			fabric_open(f, flow->by, flow->src, flow->dst);
	}
	free(count);
}

/*
 * All before the flows of the file begin: handshakes are not part of any. A connection of
 * MPTCP takes subflows only when it has carried data.
 */
static void connect_all(struct fabric *f)
{
	/* Those of the file, one for each pair and one for each connection. */
	f->flows = xrealloc(f->flows, 3 * (size_t)f->n_file * sizeof(*f->flows));
	f->heap = xcalloc(3 * (size_t)f->n_file, sizeof(*f->heap));
	warm(f, 1);
	fill_pool(f);
	if (f->p->subflows == 1)
		return;
	warm(f, f->p->pool);
	fabric_join(f);
}

static void plan_all(struct fabric *f)
{
	uint32_t i;

	/*
	 * Not any time: directories that were made before, and where, move the clock of a
	 * simulation by some tens of ns, and what a kernel does at times of its own fell elsewhere.
	 */
	f->base_ns = now_ns() + f->p->settle_ns;
	f->base_ns += BASE_STEP_NS - f->base_ns % BASE_STEP_NS;
	for (i = 0; i < f->n_file; i++)
		if (!f->flows[i].deps)
			fabric_plan(f, i, f->base_ns + f->flows[i].offset_ns);
}

/* Such as: links are to count from here on, or to fail at some time after. */
static void begin(const struct fabric *f)
{
	char base[32];

	if (!f->p->begin)
		return;
	snprintf(base, sizeof(base), "%" PRIu64, f->base_ns);
	if (setenv("LAPSPERF_BASE_NS", base, 1))
		die(EXIT_RUN, "setenv: %s", strerror(errno));
	sleep_until_ns(f->base_ns - f->p->settle_ns / 2);
	if (system(f->p->begin))
		die(EXIT_RUN, "--begin '%s' failed", f->p->begin);
}

int fabric_main(int argc, char **argv)
{
	struct fabric_params p = {
		.by[0].proto = proto_find("lapsmp"),
		.n_by = 1,
		.chunk = FABRIC_CHUNK,
		.warm = FABRIC_HDR,
		.pool = 16,
		.subflows = 1,
		.seed = 1,
		.settle_ns = NSEC_PER_SEC / 10,
		.idle_ns = 30 * NSEC_PER_SEC,
		.every_ns = FABRIC_EVERY_NS,
	};
	struct fabric f = { .p = &p, .note_ns = UINT64_MAX };
	uint64_t until_ns;
	bool done;

	parse(&p, argc, argv);
	fabric_read_hosts(&f);
	fabric_read_flows(&f);
	open_all(&f);
	connect_all(&f);
	plan_all(&f);
	begin(&f);
	fabric_progress_begin(&f);
	until_ns = p.until_ns ? f.base_ns + p.until_ns : UINT64_MAX;
	done = run(&f, f.n_flows, until_ns);
	fabric_progress_end(&f);
	fabric_report(&f);
	if (!done && now_ns() < until_ns)
		die(EXIT_RUN, "%u of %u flows did not end", f.n_flows - f.n_done, f.n_file);
	return 0;
}
