#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes a file of flows (flowfile.py) between the hosts of a topology file.

    flows.py poisson NET.json --workload workloads/websearch.cdf --load 0.8 --duration 10ms
    flows.py llm NET.json --pattern all-to-one --size 64M
    flows.py allreduce NET.json --algorithm ring --size 64M

The same arguments give the same file. Each sender of a Poisson process draws from a
generator of its own, so what one sends does not depend on the others.
"""
import random
import re
import statistics
import sys

import capacity
import cdf
import flowfile
import ideal
import topology
from common import FabricError, Parser, rate_bytes, run, size_bytes, time_ns
from flowfile import Flow

PATTERNS = ('all-to-all', 'all-to-one', 'one-to-all', 'permutation')
ID_FIRST = 1
SWAPS_MAX = 10000
NETWORK = 'network'
# Bytes of a stream, to find out what the network carries: so many that packets are full.
PLENTY = 10**9


class Cast:
    """Who takes part, and which of them may send to which."""

    def __init__(self, topo, opt):
        self.topo = topo
        every = topo.hosts()
        self.group = {node.name: node.group for node in every}
        if opt.group_size:
            self.group = {node.name: i // opt.group_size for i, node in enumerate(every)}
        self.names = opt.hosts.split(',') if opt.hosts else [node.name for node in every]
        for name in self.names:
            if name not in self.group:
                raise FabricError(f"'{name}' is not a host with an address")
        count = len(self.names) if opt.count is None else opt.count
        if len(set(self.names)) < len(self.names) or not 2 <= count <= len(self.names):
            raise FabricError(f'it takes 2 to {len(self.names)} hosts, each once')
        self.names = self.names[:count]
        self.inter_group = opt.inter_group
        if opt.inter_group and None in (self.group[name] for name in self.names):
            raise FabricError('not all of the hosts have a group; give --group-size N')

    def may(self, src, dst):
        return src != dst and not (self.inter_group and self.group[src] == self.group[dst])

    def target(self, name):
        if name and name not in self.names:
            raise FabricError(f"--target '{name}' does not take part")
        return name or self.names[0]

    def rate(self, name, into=False):
        node = self.topo.node(name)
        return self.topo.rate_into(node) if into else self.topo.rate_out(node)


def permute(cast, rng):
    """Each host sends to one other and receives from one: shuffled, and then swapped
    until all of them may."""
    dsts = cast.names[:]
    rng.shuffle(dsts)
    for _ in range(SWAPS_MAX):
        wrong = [i for i, src in enumerate(cast.names) if not cast.may(src, dsts[i])]
        if not wrong:
            return list(zip(cast.names, dsts))
        for i in wrong:
            j = rng.randrange(len(dsts))
            dsts[i], dsts[j] = dsts[j], dsts[i]
    raise FabricError('found no permutation of these hosts')


def streams(cast, pattern, target, rng):
    """What a pattern consists of: (whose link, whether into it, pairs of names) each."""
    target = cast.target(target)
    if pattern == 'permutation':
        return [(src, False, [(src, dst)]) for src, dst in permute(cast, rng)]
    if pattern == 'all-to-one':
        found = [(target, True, [(n, target) for n in cast.names if cast.may(n, target)])]
    elif pattern == 'one-to-all':
        found = [(target, False, [(target, n) for n in cast.names if cast.may(target, n)])]
    else:
        found = [(src, False, [(src, n) for n in cast.names if cast.may(src, n)])
                 for src in cast.names]
    if not all(pairs for _, _, pairs in found):
        raise FabricError('a host has nobody in another group')
    return found


def numbered(flows):
    """Flows by time, with ids; those of a time stay as they are."""
    return [flow._replace(id=i) for i, flow in
            enumerate(sorted(flows, key=lambda flow: flow.start_ns), ID_FIRST)]


def moved_apart(flows, apart_ns):
    """The same flows, each so much later than the one before: they do not meet if none takes
    as long."""
    return [flow._replace(start_ns=i * apart_ns) for i, flow in enumerate(flows)]


# --- random arrivals ----------------------------------------------------------------------


def carried(cast, found):
    """Bytes/s of payload that each stream can have at most if all have the same and divide
    it equally among their pairs, by whatever ways."""
    flows = [Flow(0, 0, src, dst, PLENTY // len(pairs)) for _, _, pairs in found
             for src, dst in pairs]
    wire = ideal.Wire(ideal.PAYLOAD_DEFAULT, ideal.FRAME_DEFAULT)
    return PLENTY * 1e9 / capacity.capacity(ideal.Ideal(cast.topo, wire), flows).plan_ns


def poisson(cast, opt):
    """Load is payload: bytes/s that a stream offers, over --rate, or else its host's links'."""
    sizes = cdf.load(opt.workload, opt.max_size)
    mean, flows, rates = sizes.mean(), [], []
    found = streams(cast, opt.pattern, opt.target, generator(opt, opt.pattern))
    rate = carried(cast, found) if opt.rate == NETWORK else opt.rate
    for host, into, pairs in found:
        rng = generator(opt, 'stream', host)
        rates.append(rate or cast.rate(host, into))
        between_ns = mean / (opt.load * rates[-1]) * 1e9
        now = rng.expovariate(1) * between_ns
        while now < opt.duration:
            src, dst = rng.choice(pairs)
            flows.append(Flow(0, int(now), src, dst, sizes.draw(rng)))
            now += rng.expovariate(1) * between_ns
    offered = sum(flow.size for flow in flows) / (sum(rates) * opt.duration / 1e9)
    flows, remarks = numbered(flows), [
        f'mean of the distribution {mean:.1f} bytes; load asked for {opt.load:g}, '
        f'in these flows {offered:.4f} of {len(rates)} times {statistics.fmean(rates):.0f} bytes/s']
    if opt.apart:
        flows = moved_apart(flows, opt.apart)
        remarks.append(f'that was before they were moved apart, by {opt.apart} ns each')
    return flows, remarks


def rate_or_network(text):
    return NETWORK if text == NETWORK else rate_bytes(text)


def generator(opt, *words):
    return random.Random('/'.join(map(str, (opt.seed, *words))))


# --- bulk ---------------------------------------------------------------------------------


def llm(cast, opt):
    """One flow from each sender to each of its receivers, at once, or all but the first one
    later than that."""
    jitter = generator(opt, 'jitter')
    found = streams(cast, opt.pattern, opt.target, generator(opt, opt.pattern))
    pairs = [pair for _, _, pairs in found for pair in pairs]
    return numbered(Flow(0, jitter.randint(0, opt.jitter) + (opt.head_start if i else 0),
                         src, dst, opt.size) for i, (src, dst) in enumerate(pairs)), []


class Steps:
    """Flows that begin when others have arrived."""

    def __init__(self, opt):
        self.flows, self.opt, self.jitter = [], opt, generator(opt, 'jitter')

    def send(self, src, dst, size, after=()):
        """Returns the flow's id."""
        flow = Flow(ID_FIRST + len(self.flows), self.jitter.randint(0, self.opt.jitter),
                    src, dst, size, tuple(sorted(after)))
        self.flows.append(flow)
        return flow.id


def chunk(size, n, i):
    """Bytes of the i-th of n parts of a vector that are as equal as can be."""
    i %= n
    return (i + 1) * size // n - i * size // n


def ring(names, size, steps):
    """Reduce-scatter and all-gather: in each of 2(n-1) steps, host i sends to host i+1 the
    part that it got in the step before."""
    n = len(names)
    got = [()] * n
    for step in range(2 * (n - 1)):
        ids = [steps.send(names[i], names[(i + 1) % n], chunk(size, n, i - step), got[i])
               for i in range(n)]
        got = [(ids[i - 1],) for i in range(n)]


def recursive_doubling(names, size, steps):
    """In step s, hosts whose numbers differ in bit s exchange what they have summed. That
    takes what came in all steps before: a partner may be ahead of the last one."""
    n = len(names)
    if n & (n - 1):
        raise FabricError(f'recursive doubling takes 2, 4, 8... hosts, not {n}')
    got = [()] * n
    bit = 1
    while bit < n:
        ids = [steps.send(names[i], names[i ^ bit], size, got[i]) for i in range(n)]
        got = [got[i] + (ids[i ^ bit],) for i in range(n)]
        bit *= 2


def direct(names, size, steps):
    """Each host gets its part from all others, sums it, and sends the sum to all others."""
    n = len(names)
    pairs = [(i, (i + shift) % n) for shift in range(1, n) for i in range(n)]
    got = [[] for _ in names]
    for i, j in pairs:
        got[j].append(steps.send(names[i], names[j], chunk(size, n, j)))
    for i, j in pairs:
        steps.send(names[i], names[j], chunk(size, n, i), got[i])


ALGORITHMS = {'ring': ring, 'recursive-doubling': recursive_doubling, 'all-to-all': direct}


def allreduce(cast, opt):
    if opt.size < len(cast.names):
        raise FabricError(f'--size {opt.size} is less than a byte for each host')
    steps = Steps(opt)
    ALGORITHMS[opt.algorithm](cast.names, opt.size, steps)
    return steps.flows, []


# --- the command line ---------------------------------------------------------------------


def positive(text):
    value = float(text)
    if not 0 < value < 100:
        raise FabricError(f'{text} is not above 0')
    return value


def common_arguments(parser, make):
    parser.set_defaults(make=make, inter_group=False, group_size=0, target=None)
    parser.add_argument('topology')
    parser.add_argument('--hosts', metavar='A,B,...', help='that take part (all), in this order')
    parser.add_argument('--count', type=int, metavar='N', help='only the first N of them')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('-o', '--output', metavar='FILE', help='(standard output)')


def pattern_arguments(parser):
    parser.add_argument('--pattern', choices=PATTERNS, default='all-to-all')
    parser.add_argument('--target', metavar='HOST', help='the one of all-to-one (the first)')
    parser.add_argument('--inter-group', action='store_true', help='only between groups')
    parser.add_argument('--group-size', type=int, default=0, metavar='N',
                        help="N hosts each, in the file's order, not as their group says")


def arguments(argv):
    parser = Parser(prog='flows.py', description='Writes a file of flows.')
    kinds = parser.add_subparsers(dest='kind', required=True, parser_class=Parser)
    kind = kinds.add_parser('poisson', help='random arrivals of random sizes')
    common_arguments(kind, poisson)
    pattern_arguments(kind)
    kind.add_argument('--workload', required=True, metavar='FILE.cdf')
    kind.add_argument('--load', type=positive, required=True, help='share of --rate')
    kind.add_argument('--rate', type=rate_or_network, metavar='RATE|network',
                      help="what load is a share of (the host's links)")
    kind.add_argument('--duration', type=time_ns, required=True, metavar='TIME')
    kind.add_argument('--max-size', type=size_bytes, default=float('inf'), metavar='BYTES',
                      help='larger flows are cut to this; the load stays')
    kind.add_argument('--apart', type=time_ns, default=0, metavar='TIME',
                      help='the same flows, but each begins so long after the one before')
    kind = kinds.add_parser('llm', help='one large flow for each pair, at once')
    common_arguments(kind, llm)
    pattern_arguments(kind)
    kind.add_argument('--size', type=size_bytes, default=64000000)
    kind.add_argument('--jitter', type=time_ns, default=0, metavar='TIME', help='of each start')
    kind.add_argument('--head-start', type=time_ns, default=0, metavar='TIME',
                      help='that the first flow has before the others')
    kind = kinds.add_parser('allreduce', help='steps that wait for each other')
    common_arguments(kind, allreduce)
    kind.add_argument('--algorithm', choices=ALGORITHMS, default='ring')
    kind.add_argument('--size', type=size_bytes, required=True, help='of the vector')
    kind.add_argument('--jitter', type=time_ns, default=0, metavar='TIME', help='of each start')
    return parser.parse_args(argv)


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    opt = arguments(argv)
    cast = Cast(topology.load(opt.topology), opt)
    flows, remarks = opt.make(cast, opt)
    if not flows:
        raise FabricError('there are no flows; take a longer --duration')
    # The same file wherever the others are.
    words = [re.sub('[^=]*/', '', word) for word in argv
             if word not in ('-o', '--output', opt.output)]
    remarks = ['flows.py ' + ' '.join(words), *remarks,
               f'{len(flows)} flows, {sum(flow.size for flow in flows)} bytes']
    if opt.output:
        with open(opt.output, 'w', encoding='ascii') as file:
            flowfile.write(file, flows, remarks)
    else:
        flowfile.write(sys.stdout, flows, remarks)


if __name__ == '__main__':
    run(main)
