# SPDX-License-Identifier: GPL-2.0
"""How much longer than alone flows take, by their size: in bandwidth-delay products.

The product is that of a sender's links, all together, and the round trip of a full packet
and as long a way back, on the empty network, of the two farthest hosts that a flow has.
"""
import math
import statistics
from collections import Counter

import events
import flowfile
import tables
import topology
from ideal import Ideal, alone_ns
from schemes import SCHEMES

# In products: each class is of flows below its bound, and not below the one before.
BOUNDS = (1, 10, math.inf)


def product(topo, flows, wire):
    """Bytes."""
    ideal = Ideal(topo, wire)

    def one(src, dst):
        there_and_back = sum(alone_ns(wire.frame, ideal.path(*ends))
                             for ends in ((src, dst), (dst, src)))
        return topo.rate_out(src) * there_and_back / 1e9

    return max(one(topo.node(src), topo.node(dst))
               for src, dst in {(flow.src, flow.dst) for flow in flows})


def class_of(size, bdp):
    return next(i for i, bound in enumerate(BOUNDS) if size < bound * bdp)


def slowdowns(run, flows, alone, bdp):
    """Of one run: a list for each class."""
    sizes = {flow.id: flow.size for flow in flows}
    found = [[] for _ in BOUNDS]
    for number, start, end in tables.flow_times(run):
        found[class_of(sizes[number], bdp)].append((end - start) / alone[number])
    return found


def column_pair(found, which):
    """Mean and P99 of a class, of the same row's runs."""
    lists = [each[which] for each in found]
    return [tables.spread([statistics.fmean(values) for values in lists]),
            tables.spread([tables.percentile(values, tables.PERMILLE_99) for values in lists])]


def classes(flows, bdp):
    """Those that have a flow: which -> what it is called."""
    kb = [f'{bound * bdp / 1000:.0f} KB' for bound in BOUNDS[:-1]]
    names = [f'below {kb[0]}', *(f'to {bound}' for bound in kb[1:]), f'from {kb[-1]}']
    counts = Counter(class_of(flow.size, bdp) for flow in flows)
    return {i: f'{names[i]} ({counts[i]})' for i in sorted(counts)}


def table(case, rows, out):
    """Markdown. @out: the case's directory."""
    topo = topology.load(out / 'net.json')
    events.apply_first(topo, case.events)
    flows = flowfile.read(out / 'flows.in')
    bdp = product(topo, flows, tables.WIRES['lapsmp'])
    alone = {proto: tables.alone(topo, flows, wire) for proto, wire in tables.WIRES.items()}
    shown = classes(flows, bdp)
    lines = ['| slowdown of flows | ' + ' | '.join(f'{name}: mean | P99' for name in
                                                   shown.values()) + ' |',
             '|---|' + '---|' * 2 * len(shown)]
    for row in rows:
        mine = alone[SCHEMES[row.scheme].proto]
        found = [slowdowns(run, flows, mine, bdp) for run in tables.runs(out, row)]
        if found:
            lines.append('| ' + ' | '.join([row.name, *(
                cell for which in shown for cell in column_pair(found, which))]) + ' |')
    return '\n'.join([*lines, ''])
