#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs a set of cases over whole fabrics with each scheme, and writes the tables.

    report.py --quick --out results/report

What a case is stands in CASES. Each run of a scheme is one of selftests/bench/fabric; a
run that is there already, of the same case, is not made again, so that a report that was
interrupted goes on where it was. The tables name the limits that no scheme can pass.
"""
import concurrent.futures
import json
import math
import pathlib
import shlex
import statistics
import subprocess
import sys
from typing import NamedTuple

import flowfile
import topology
from common import FabricError, Parser, run
from ideal import Ideal, Wire, bounds
from schemes import SCHEMES

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parent / 'bench' / 'fabric'
# What a full packet has of data, and its frame; TCP's with timestamps. lapsmp's with
# segments have 40 bytes less, and are measured by the same limit.
WIRES = {'lapsmp': Wire(1416, 1514), 'tcp': Wire(1428, 1514)}
# Two-sided, 95 %, by degrees of freedom.
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
PERMILLE_99 = 990
RAIL = 'rail --clusters 4 --gpus 4'
DRAGONFLY = 'dragonfly --groups 5 --switches 2 --hosts 2'


class Case(NamedTuple):
    """topology, flows: words for lapsctl topology generate, and for flows.py."""

    name: str
    title: str
    topology: str
    flows: str
    options: str = ''
    seeds: int = 1


def poisson(fabric, words, workload, load):
    return Case(f'{fabric}-{workload}-{load}',
                f'{fabric}, all-to-all for 2 ms, {workload} cut to 2 MB, load {load}',
                words, f'poisson --workload {HERE}/workloads/{workload}.cdf --load {load}'
                ' --duration 2ms --max-size 2M')


QUICK = [
    Case('rail-a2o', 'Rail of 16: 15 senders to one, 16 MB each', RAIL,
         'llm --pattern all-to-one --size 16M'),
    Case('rail-a2o-loss', 'the same, one packet in a million lost on each link', RAIL,
         'llm --pattern all-to-one --size 16M', '--loss 1e-6'),
    Case('dragonfly-a2o', 'Dragonfly of 20: 19 senders to one, 8 MB each', DRAGONFLY,
         'llm --pattern all-to-one --size 8M'),
    Case('dragonfly-permutation', 'Dragonfly of 20: each to another one, 16 MB', DRAGONFLY,
         'llm --pattern permutation --size 16M --seed 1'),
    poisson('rail', RAIL, 'storage', 0.4),
    # A group's one local link would have more than it carries from a load of 0.48 on.
    poisson('dragonfly', DRAGONFLY, 'websearch', 0.4),
]
FULL = [
    Case('rail64-a2o', 'Rail of 64: 63 senders to one, 64 MB each (table III)', 'rail',
         'llm --pattern all-to-one'),
    Case('dragonfly144-a2o', 'Dragonfly of 144: 107 senders to one, 64 MB each (table IV)',
         'dragonfly', 'llm --pattern all-to-one --count 108'),
]


class Outcome(NamedTuple):
    """Of one run. Times in ns, slow: how many times as long as alone."""

    mean: float
    p99: float
    last: float
    slow_mean: float
    slow_p99: float
    retransmits: int
    drops: int
    max_queue: int


def percentile(values, permille):
    """The smallest that at least so many do not exceed."""
    values = sorted(values)
    return values[max(0, -(-len(values) * permille // 1000) - 1)]


def tell(*words):
    done = subprocess.run([str(word) for word in words], check=False, text=True,
                          capture_output=True)
    if done.returncode:
        raise FabricError(f'{shlex.join(map(str, words))}: {done.stderr.strip()[-300:]}')
    return done.stdout


def prepare(case, opt):
    """The case's files, in a directory that is its own; old results that differ go."""
    out = opt.out / case.name
    out.mkdir(parents=True, exist_ok=True)
    net = out / 'net.json'
    net.write_text(tell(opt.lapsctl, 'topology', 'generate', *case.topology.split()))
    kind, *words = case.flows.split()
    tell(sys.executable, HERE / 'flows.py', kind, net, *words, '-o', out / 'flows.in')
    said = json.dumps([case, opt.version, (out / 'flows.in').read_text(), net.read_text()])
    if not (out / 'case').exists() or (out / 'case').read_text() != said:
        for old in out.glob('*/*/done'):
            old.unlink()
    (out / 'case').write_text(said)


def measure(job):
    """One run: its wall clock, or why there is none."""
    case, scheme, seed, opt = job
    case_out = opt.out / case.name
    out = case_out / scheme
    done = out / f'{scheme}-{seed}' / 'done'
    if done.exists():
        return None
    try:
        tell(BENCH, case_out / 'net.json', case_out / 'flows.in', '--scheme', scheme,
             '--seeds', seed, '--out', out, '--mem', opt.mem, '--', *case.options.split())
    except FabricError as error:
        return f'{case.name}, {scheme}, seed {seed}: {error}'
    done.touch()
    return None


def outcome(out, alone, switches):
    """Of the run in @out; @alone: ns of each flow on the empty network, by id."""
    result = json.loads((out / 'result.json').read_text())
    took, slow, last = [], [], 0
    for line in (out / 'flows.txt').read_text().splitlines():
        if line.startswith('#'):
            continue
        number, _, _, _, start, end = line.split()
        took.append(int(end) - int(start))
        slow.append(took[-1] / alone[int(number)])
        last = max(last, int(end))
    links = [json.loads(line) for line in (out / 'links.json').read_text().splitlines()]
    return Outcome(statistics.fmean(took), percentile(took, PERMILLE_99), last,
                   statistics.fmean(slow), percentile(slow, PERMILLE_99),
                   result['retransmits'],
                   sum(link[band]['queue_drops'] for link in links for band in ('high', 'data')),
                   max(link['backlog']['max_bytes'] for link in links
                       if link['ns'] in switches))


def spread(values):
    """Mean, and what it may be off by, 95 % of the time."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return f'{mean:.4g}'
    half = STUDENT[min(len(values) - 2, len(STUDENT) - 1)] * statistics.stdev(values)
    return f'{mean:.4g} +- {half / math.sqrt(len(values)):.2g}'


def row(name, outcomes, limit_ns):
    def column(field, unit):
        return spread([getattr(o, field) / unit for o in outcomes])

    return [name, column('mean', 1e6), column('p99', 1e6), column('last', limit_ns),
            column('slow_mean', 1), column('slow_p99', 1), column('retransmits', 1),
            column('drops', 1), column('max_queue', 1e3)]


def table(case, opt):
    out = opt.out / case.name
    topo = topology.load(out / 'net.json')
    flows = flowfile.read(out / 'flows.in')
    switches = {node.name for node in topo.nodes if not node.host}
    lines = [f'### {case.title}', '',
             '| scheme | mean ms | P99 ms | last / limit | mean slowdown | P99 slowdown '
             '| sent again | dropped | longest queue KB |', '|---|' + '---|' * 8]
    for proto, wire in WIRES.items():
        ideal = Ideal(topo, wire)
        limit = bounds(ideal, flows)
        alone = {flow.id: ideal.flow_ns(flow) for flow in flows}
        lines.append(f'| *limit, {proto}* | {limit.shortest_mean_ns / 1e6:.4g} '
                     f'| | 1 ({limit.last_ns / 1e6:.4g} ms) | 1 | 1 | | | |')
        for name in opt.schemes:
            if SCHEMES[name].proto != proto:
                continue
            runs = [outcome(path.parent, alone, switches)
                    for path in sorted(out.glob(f'{name}/{name}-*/done'))]
            cells = row(name, runs, limit.last_ns) if runs else [name, 'did not run', *[''] * 7]
            lines.append('| ' + ' | '.join(cells) + ' |')
    return '\n'.join([*lines, ''])


def parse(argv):
    p = Parser(description=__doc__.partition('\n')[0])
    p.add_argument('--quick', action='store_true', help='the small fabrics only')
    p.add_argument('--only', help='these cases: NAME,...')
    p.add_argument('--schemes', default=','.join(SCHEMES))
    p.add_argument('--out', type=pathlib.Path, default=pathlib.Path('results/report'))
    p.add_argument('--lapsctl', default='lapsctl')
    p.add_argument('--mem', default='4G', help="of the kernel that has a fabric's hosts")
    p.add_argument('--jobs', type=int, default=2)
    opt = p.parse_args(argv)
    opt.schemes = opt.schemes.split(',')
    for name in opt.schemes:
        if name not in SCHEMES:
            raise FabricError(f"no scheme '{name}'; there are: {' '.join(SCHEMES)}")
    opt.out = opt.out.resolve()
    # What runs are made by: one of other sources is not the same.
    opt.version = tell('git', '-C', HERE, 'describe', '--always', '--dirty', '--exclude', '*')
    opt.cases = [*QUICK] if opt.quick else [*QUICK, *FULL]
    if opt.only:
        known = {case.name: case for case in opt.cases}
        try:
            opt.cases = [known[name] for name in opt.only.split(',')]
        except KeyError as name:
            raise FabricError(f"no case {name}; there are: {' '.join(known)}") from None
    return opt


def main(argv=None):
    opt = parse(argv)
    for case in opt.cases:
        prepare(case, opt)
    jobs = [(case, scheme, seed + 1, opt) for case in opt.cases for seed in range(case.seeds)
            for scheme in opt.schemes]
    with concurrent.futures.ThreadPoolExecutor(opt.jobs) as pool:
        troubles = [trouble for trouble in pool.map(measure, jobs) if trouble]
    text = '\n'.join(table(case, opt) for case in opt.cases)
    (opt.out / 'tables.md').write_text(text)
    print(text)
    for trouble in troubles:
        print(f'report: {trouble}', file=sys.stderr)
    return 1 if troubles else 0


if __name__ == '__main__':
    run(main)
