# SPDX-License-Identifier: GPL-2.0
"""How equally flows that last share what is there: a table of cases with `until`.

Measured is what receivers got in the ten windows, of 1 ms if the case does not say
otherwise, that follow the start of the last flow.
"""
import statistics
from typing import NamedTuple

import events
import flowfile
import progress
import tables
import topology
from schemes import SCHEMES

MS = 10**6
WINDOWS = 10
SHOWN = (1, 2, 5, 10)


class Shares(NamedTuple):
    """whole, each: Jain's index of all windows together, and of each. least, most: of all
    together, as a part of an equal share. used: of what the receivers' links can carry."""
    whole: float
    each: tuple
    least: float
    most: float
    used: float


def room(topo, flows, wire):
    """Bytes of payload per ns that the flows' receivers can be given."""
    ends = {flow.dst for flow in flows}
    rate = sum(topo.rate_into(topo.node(name)) for name in ends)
    return rate * wire.payload / wire.frame / 1e9


def shares(lines, flows, room_per_ns, window_ns=MS):
    began = max(flow.start_ns for flow in flows)
    bounds = [began + i * window_ns for i in range(WINDOWS + 1)]
    all_of_it = progress.got(lines, bounds[0], bounds[-1])
    mean = statistics.fmean(all_of_it)
    return Shares(progress.jain(all_of_it),
                  tuple(progress.jain(progress.got(lines, *pair))
                        for pair in zip(bounds, bounds[1:])),
                  min(all_of_it) / mean, max(all_of_it) / mean,
                  sum(all_of_it) / (room_per_ns * WINDOWS * window_ns))


def named(i, ms):
    """The i-th window of so many ms."""
    return f'ms {i}' if ms == 1 else f'ms {(i - 1) * ms + 1} to {i * ms}'


def cells(found, queues):
    """Of the same row's runs."""
    columns = [[one.whole for one in found],
               *([one.each[i - 1] for one in found] for i in SHOWN),
               [one.least for one in found], [one.most for one in found],
               [100 * one.used for one in found],
               [drops for drops, _ in queues], [longest / 1000 for _, longest in queues]]
    return [tables.spread(column) for column in columns]


def table(case, rows, out):
    """Markdown. @out: the case's directory."""
    topo, flows = topology.load(out / 'net.json'), flowfile.read(out / 'flows.in')
    switches = {node.name for node in topo.nodes if not node.host}
    events.apply_first(topo, case.events)
    ms = case.window_ms
    head = ['scheme', f"Jain's index, {WINDOWS * ms} ms", *(named(i, ms) for i in SHOWN),
            'least share', 'largest share', 'of the links %', 'queues dropped',
            'longest queue KB']
    lines = [f'### {case.title}', '', '| ' + ' | '.join(head) + ' |',
             '|---|' + '---|' * (len(head) - 1)]
    for row in rows:
        rate = room(topo, flows, tables.WIRES[SCHEMES[row.scheme].proto])
        runs = tables.runs(out, row)
        found = [shares(progress.read(run / 'progress'), flows, rate, ms * MS) for run in runs]
        text = (cells(found, [tables.queues(run, switches) for run in runs]) if found
                else ['did not run', *[''] * (len(head) - 2)])
        lines.append('| ' + ' | '.join([tables.name(out, row), *text]) + ' |')
    return '\n'.join([*lines, ''])
