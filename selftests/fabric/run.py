#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs a file of flows over a fabric with one scheme, inside a lab kernel.

run.py TOPOLOGY FLOWS OUT --scheme NAME [--batches DIR] [...]

OUT gets flows.txt (when each flow began and ended), result.json, links.json (what
each queue saw) and, for lapsmp, counters.json and paths.json of its hosts. What is
not said here is in README.md.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys

import events
import topology
from common import size_bytes, time_ns
from schemes import ACK_DSCP, DSCPS, EXPRESS_TOS, SCHEMES
from watch import Sampler, Tracer

# That lapsperf may begin a flow late by, at most, and as a part of what flows take: an RPC takes
# less than the former. (Where a receiver had taken the sender's time they were 7 and 77 % late.)
LATE_NS = 10000
LATE_PART = 0.01

HERE = pathlib.Path(__file__).resolve().parent
# All nodes share the one processor's backlog, which no real network has.
BUFFERS = {"net.core.rmem_max": 1 << 28, "net.core.wmem_max": 1 << 28,
           "net.core.netdev_max_backlog": 1 << 20}


def call(*words, **more):
    done = subprocess.run(words, check=False, text=True, **more)
    if done.returncode:
        sys.exit(f"run.py: {' '.join(map(str, words))}: status {done.returncode}")
    return done.stdout


def sysctl(settings, netns=None):
    where = ["ip", "netns", "exec", netns] if netns else []
    call(*where, "busybox", "sysctl", "-q", "-w",
         *(f"{name}={value}" for name, value in settings.items()))


def hosts_of(net, flows):
    """Those that a flow begins or ends at, in the order of the topology."""
    used = set()
    for line in flows.read_text().splitlines():
        words = line.partition("#")[0].split()
        if words:
            used.update(words[2:4])
    return [node for node in net.hosts() if node.name in used]


def build(args, schemes):
    call(sys.executable, HERE / "build.py", args.topology, "--buffer", str(args.buffer),
         "--alpha", str(args.alpha),
         "--host-buffer", str(args.host_buffer), "--mtu", str(args.mtu),
         "--seed", str(args.seed), "--dscp", ",".join(map(str, DSCPS)),
         "--loss", str(args.loss),
         "--ecn", str(max(scheme.ecn_bytes for scheme in schemes)),
         "--hash-policy", str(max(scheme.hash_policy for scheme in schemes)),
         "--hash-fields", str(max(scheme.hash_fields for scheme in schemes)),
         "--links", args.out / "links",
         stdout=subprocess.DEVNULL)


def clock_offset_ns(seed, number):
    """Their kernel has one. What hosts do by each other's clocks they would all do at once."""
    return random.Random(f"{seed} {number}").randrange(1 << 32)


def lapsmp_sysctls(args, scheme, number):
    """Of the host with this number. The scheme knows better, and the command line best."""
    return {
        "net.lapsmp.seed": args.seed * 1000 + number,
        "net.lapsmp.clock_offset_ns": clock_offset_ns(args.seed, number),
        "net.lapsmp.ack_tos": ACK_DSCP << 2,
        "net.lapsmp.express_tos": EXPRESS_TOS,
        "net.lapsmp.auto_paths": 8 if scheme.paths == "auto" else 0,
        **scheme.sysctls, **dict(s.split("=", 1) for s in args.set),
    }


def set_up_lapsmp(args, scheme, hosts):
    for number, host in enumerate(hosts, 1):
        sysctl(lapsmp_sysctls(args, scheme, number), host.name)
        if scheme.paths != "auto":
            call("lapsctl", "-n", host.name, "restore",
                 args.batches / scheme.paths / f"{host.name}.batch")


def set_up(args, schemes, hosts):
    sysctl(BUFFERS)
    for scheme in schemes:
        if scheme.proto == "lapsmp":
            set_up_lapsmp(args, scheme, hosts)
        elif scheme.sysctls:
            for host in hosts:
                sysctl(scheme.sysctls, host.name)


def measure(args, schemes, net):
    watchers = []
    if args.sample:
        watchers.append(Sampler(args.out / "samples.json", args.sample, args.sample_nodes))
    if args.trace and schemes[0].proto == "lapsmp":
        watchers.append(Tracer(args.out / "received"))
    for watcher in watchers:
        watcher.start()
    result = lapsperf(args, schemes, begin(args, net))
    for watcher in watchers:
        watcher.end(result["base_ns"])
    return result


def begin(args, net):
    """What lapsperf does shortly before the flows: counters start anew, events are set."""
    if not args.event:
        return "fablink reset"
    (args.out / "events").write_text(events.lines(net, args.event))
    return (f"fablink reset && {{ fablink at {args.out}/events --links {args.out}/links"
            f" --base $LAPSPERF_BASE_NS || touch {args.out}/events-failed & }}")


def check_events(args):
    if (args.out / "events-failed").exists():
        sys.exit("run.py: not all events came about")


def classes(scheme):
    """As lapsperf has them: a DSCP is six of a traffic class's eight bits."""
    return ",".join(f"{size}:{dscp << 2}" for size, dscp in scheme.classes)


def lapsperf_words(args, schemes, begin_with):
    scheme, *others = schemes
    words = ["lapsperf", "fabric", args.out / "hosts", args.flows, "--proto", scheme.proto,
             "--trace", args.out / "flows.txt", "--timeout", str(args.timeout),
             "--seed", str(args.seed), "--pool", str(args.pool), "--begin", begin_with]
    for option in ("cc", "sched"):
        if getattr(scheme, option):
            words += [f"--{option}", getattr(scheme, option)]
    if scheme.classes:
        words += ["--class", classes(scheme)]
    for other in others:
        words += ["--beside", f"{other.proto}:{other.cc}"]
    if args.serial:
        words += ["--serial"]
    if args.chunk:
        words += ["--chunk", str(args.chunk)]
    if args.until:
        words += ["--until", str(args.until / 1e9), "--progress", args.out / "progress"]
    if scheme.subflows > 1:
        words += ["--subflows", str(scheme.subflows)]
    return words


def lapsperf(args, schemes, begin_with):
    done = subprocess.run(lapsperf_words(args, schemes, begin_with), check=False, text=True,
                          stdout=subprocess.PIPE)
    if not done.stdout:
        sys.exit(f"run.py: lapsperf ended with status {done.returncode} and said nothing")
    return json.loads(done.stdout)


def check_marks(args):
    """If a scheme lives by marks, whether a queue above its threshold had some."""
    links = [json.loads(line) for line in (args.out / "links.json").read_text().splitlines()]
    full = [link for link in links
            if 0 < link["ecn_bytes"] < link["backlog"]["max_bytes"] - 2 * args.mtu]
    if full and not any(link["ce_marks"] for link in full):
        sys.exit(f"run.py: {args.scheme}: queues were long, and nothing was marked")


def check_late(result):
    """A flow's time is the network's: not the program's, nor that of a handshake."""
    allowed_ns = LATE_NS
    # Of flows that are left at an end that is set, those that have ended are the short ones.
    if result["done"] == result["flows"]:
        allowed_ns = min(allowed_ns, LATE_PART * result["fct_ns"]["mean"])
    if result["late_ns"] > allowed_ns:
        sys.exit(f"run.py: a flow began {result['late_ns']} ns late, where at most"
                 f" {allowed_ns:.0f} are allowed: the sending process is too slow for so many"
                 " flows")
    if result["late_sockets"]:
        sys.exit(f"run.py: {result['late_sockets']} flows found no connection: raise --pool")


def check_subflows(scheme, result):
    """They were there when flows began, and none has gone."""
    if scheme.subflows > 1 and result["subflows"] != scheme.subflows:
        sys.exit(f"run.py: a connection had {result['subflows']} subflows in the end, "
                 f"not {scheme.subflows}")


def check_backlog():
    """Nothing may be lost but on links: softnet_stat's second column counts it."""
    lines = pathlib.Path("/proc/net/softnet_stat").read_text().splitlines()
    drops = sum(int(line.split()[1], 16) for line in lines)
    if drops:
        sys.exit(f"run.py: the lab's own backlog dropped {drops} packets")


def gather(args, schemes, hosts):
    links = call("fablink", "show", stdout=subprocess.PIPE)
    (args.out / "links.json").write_text(links)
    if schemes[0].proto != "lapsmp":
        return
    for name, words in (("counters", ["stats", "show"]), ("paths", ["path", "show"])):
        write_all(args.out / f"{name}.json", hosts, words)


def write_all(path, hosts, words):
    """What lapsctl tells of each host, as one JSON object, by host. Never all at once in memory: a
    process of the lab's kernel has no room for the 130,000 paths of 128 hosts."""
    with path.open("w") as out:
        out.write("{")
        for number, host in enumerate(hosts):
            told = json.loads(call("lapsctl", "-j", "-n", host.name, *words,
                                   stdout=subprocess.PIPE))
            out.write(f"{',' if number else ''}{json.dumps(host.name)}: {json.dumps(told)}")
        out.write("}\n")


def can_be_beside(scheme):
    """lapsperf has one transport's classes, the first one's."""
    return scheme.proto == "tcp" and not scheme.classes


def parse():
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    p.add_argument("topology", type=pathlib.Path)
    p.add_argument("flows", type=pathlib.Path)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--scheme", choices=SCHEMES, default="lapsmp")
    p.add_argument("--beside", choices=[name for name in SCHEMES if can_be_beside(SCHEMES[name])],
                   help="every second flow of the file is by this scheme")
    p.add_argument("--batches", type=pathlib.Path,
                   help="directories of lapsctl path compute --all --out, by schemes' paths")
    p.add_argument("--buffer", type=int, default=150000, help="bytes, of each switch's port")
    p.add_argument("--alpha", type=float, default=0,
                   help="that is of all classes together, each of which has at most so many times"
                   " what is free")
    p.add_argument("--host-buffer", type=int, default=4000000, help="bytes")
    p.add_argument("--mtu", type=int, default=1500)
    p.add_argument("--loss", type=float, default=0, help="of each link, 0 to 1")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--pool", type=int, default=32, help="connections that a pair of hosts has")
    p.add_argument("--serial", action="store_true", help="one connection, on which a pair's flows"
                   " follow each other")
    p.add_argument("--timeout", type=float, default=30, help="simulated seconds without progress")
    p.add_argument("--until", type=time_ns, default=0, metavar="TIME",
                   help="flows are left then, if they have not ended; how much of each had"
                   " arrived by when: OUT/progress")
    p.add_argument("--chunk", type=size_bytes, default=0, metavar="BYTES",
                   help="of a flow that hosts are given at once; of lapsmp, a message")
    p.add_argument("--sample", type=int, default=0, metavar="NS",
                   help="how often the queues of --sample-nodes are looked at")
    p.add_argument("--sample-nodes", default="", metavar="NODE,...")
    p.add_argument("--trace", action="store_true",
                   help="what lapsmp's receivers get, packet by packet: OUT/received")
    p.add_argument("--event", action="append", default=[], metavar="'TIME A B WORD...'",
                   help="what happens to the link between two nodes, such as '2ms r1 r2 down'")
    p.add_argument("--set", action="append", default=[], metavar="SYSCTL=VALUE",
                   help="of lapsmp's hosts")
    return p.parse_args()


def main():
    args = parse()
    schemes = [SCHEMES[name] for name in (args.scheme, args.beside) if name]
    net = topology.load(args.topology)
    hosts = hosts_of(net, args.flows)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "hosts").write_text("".join(f"{h.name} {h.addr}\n" for h in hosts))
    call("insmod", os.environ["LAPSMP_KO_DIR"] + "/sch_lapslink.ko")
    build(args, schemes)
    set_up(args, schemes, hosts)
    result = measure(args, schemes, net)
    gather(args, schemes, hosts)
    check_marks(args)
    check_backlog()
    check_late(result)
    check_subflows(schemes[0], result)
    check_events(args)
    result |= {"scheme": args.scheme, "beside": args.beside, "topology": args.topology.name,
               "seed": args.seed, "buffer": args.buffer, "alpha": args.alpha,
               "loss": args.loss, "mtu": args.mtu}
    (args.out / "result.json").write_text(json.dumps(result) + "\n")
    print(json.dumps(result))
    return 0 if result["done"] == result["flows"] or args.until else 1


if __name__ == "__main__":
    sys.exit(main())
