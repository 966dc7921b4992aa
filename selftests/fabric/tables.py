# SPDX-License-Identifier: GPL-2.0
"""A case's runs as a table, with the limits that none of them can pass."""
import json
import math
import statistics
from typing import NamedTuple

import events
import flowfile
import made
import received
import topology
from capacity import capacity
from ideal import Ideal, Wire, bounds
from schemes import SCHEMES

# What a full packet has of data, and its frame; TCP's with timestamps, MPTCP's with where
# it belongs, too. lapsmp's with segments have 40 bytes less, and are measured by the same
# limit.
WIRES = {'lapsmp': Wire(1416, 1514), 'tcp': Wire(1428, 1514), 'mptcp': Wire(1404, 1514)}
# Of links: each drops what finds it full.
BANDS = ('high', 'class1', 'class2', 'class3', 'data')
# Two-sided, 95 %, by degrees of freedom.
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
PERMILLE_99 = 990


class Outcome(NamedTuple):
    """Of one run. Times in ns, slow: how many times as long as alone. early: bytes that
    wait at the receiver for what is missing, of the flow of each packet that arrives; swing:
    see received.path_swing(). These are of runs with --trace."""
    mean: float
    p99: float
    last: float
    slow_mean: float
    slow_p99: float
    retransmits: int
    drops: int
    max_queue: int
    early_mean: float = None
    early_p99: float = None
    swing: float = None


class Limit(NamedTuple):
    """Of a case, for one kind of packets. alone: ns of each flow on the empty network."""
    mean_ns: float
    last_ns: float
    alone: dict


def percentile(values, permille):
    """The smallest that at least so many do not exceed."""
    values = sorted(values)
    return values[max(0, -(-len(values) * permille // 1000) - 1)]


def alone(topo, flows, wire):
    ideal = Ideal(topo, wire)
    return {flow.id: ideal.flow_ns(flow) for flow in flows}


def limit(topo, flows, wire):
    """No scheme is faster: neither a host's links nor the network have room for it. Of flows
    that wait for others only what each takes alone: these may begin later than at once."""
    ideal = Ideal(topo, wire)
    found = bounds(ideal, flows)
    waiting = any(flow.after for flow in flows)
    return Limit(found.ideal_mean_ns if waiting else found.shortest_mean_ns,
                 max(found.last_ns, capacity(ideal, flows).bound_ns),
                 alone(topo, flows, wire))


def flow_times(run):
    """(id, began, ended) of each flow of a run that ended."""
    for line in (run / 'flows.txt').read_text().splitlines():
        if not line.startswith('#'):
            number, _, _, _, start, end = line.split()
            yield int(number), int(start), int(end)


def reordering(run):
    """early_mean, early_p99 and swing."""
    path = run / 'received'
    if not path.exists():
        return ()
    packets = received.read(path)
    early = [packet.ahead for packet in packets]
    return statistics.fmean(early), percentile(early, PERMILLE_99), received.path_swing(packets)


def queues(run, switches):
    """Packets that found a queue full, and the longest of the switches' queues in bytes."""
    links = [json.loads(line) for line in (run / 'links.json').read_text().splitlines()]
    return (sum(link[band]['queue_drops'] for link in links for band in BANDS),
            max(link['backlog']['max_bytes'] for link in links if link['ns'] in switches))


def outcome(run, flows_alone, switches):
    """Of the run in this directory. flows_alone: see Limit."""
    result = json.loads((run / 'result.json').read_text())
    took, slow, last = [], [], 0
    for number, start, end in flow_times(run):
        took.append(end - start)
        slow.append((end - start) / flows_alone[number])
        last = max(last, end)
    return Outcome(statistics.fmean(took), percentile(took, PERMILLE_99), last,
                   statistics.fmean(slow), percentile(slow, PERMILLE_99),
                   result['retransmits'], *queues(run, switches), *reordering(run))


def spread(values):
    """Mean, and what it may be off by, 95 % of the time."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return f'{mean:.4g}'
    half = STUDENT[min(len(values) - 2, len(STUDENT) - 1)] * statistics.stdev(values)
    return f'{mean:.4g} ± {half / math.sqrt(len(values)):.2g}'


def cells(outcomes, limit_ns):
    def column(field, unit):
        values = [getattr(o, field) for o in outcomes]
        return spread([v / unit for v in values]) if None not in values else ''

    return [column('mean', 1e6), column('p99', 1e6), column('last', limit_ns),
            column('slow_mean', 1), column('slow_p99', 1), column('retransmits', 1),
            column('drops', 1), column('max_queue', 1e3), column('early_mean', 1e3),
            column('early_p99', 1e3), column('swing', 1e-2)]


def runs(out, row):
    """Directories of a row's runs that ended, by seed."""
    return [path.parent for path in sorted(out.glob(f'{row.name}/*/{row.scheme}-*/done'))]


def name(out, row):
    """Of a line: the row's; and how many of its runs ended, if some did not."""
    ended = len(runs(out, row))
    failed = len(list(out.glob(f'{row.name}/*/{made.FAILED}')))
    return f'{row.name} ({ended} of {ended + failed})' if ended and failed else row.name


def table(case, rows, out):
    """Markdown. @out: the case's directory."""
    topo = topology.load(out / 'net.json')
    events.apply_first(topo, case.events)
    flows = flowfile.read(out / 'flows.in')
    switches = {node.name for node in topo.nodes if not node.host}
    lines = [f'### {case.title}', '',
             '| scheme | mean ms | P99 ms | last / limit | mean slowdown | P99 slowdown '
             '| sent again | queues dropped | longest queue KB | early KB | P99 early KB '
             '| swing % |', '|---|' + '---|' * 11]
    for proto, wire in WIRES.items():
        mine = [row for row in rows if SCHEMES[row.scheme].proto == proto]
        if not mine:
            continue
        least = limit(topo, flows, wire)
        lines.append(f'| *limit, {proto}* | {least.mean_ns / 1e6:.4g} '
                     f'| | 1 ({least.last_ns / 1e6:.4g} ms) | 1 | 1 | | | | | | |')
        for row in mine:
            outcomes = [outcome(run, least.alone, switches) for run in runs(out, row)]
            text = cells(outcomes, least.last_ns) if outcomes else ['did not run', *[''] * 10]
            lines.append('| ' + ' | '.join([name(out, row), *text]) + ' |')
    return '\n'.join([*lines, ''])
