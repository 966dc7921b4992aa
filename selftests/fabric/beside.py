# SPDX-License-Identifier: GPL-2.0
"""What two transports get that share links, half of the flows each: a table of cases whose
rows have --beside.

Measured is what receivers got in the first ten windows of a case after the start of the last
flow, and in the next ten, as a part of the share that each has if links are divided equally
among flows.
"""
import statistics
from typing import NamedTuple

import events
import flowfile
import progress
import tables
import topology
from schemes import SCHEMES
from shares import MS, WINDOWS, room


class Half(NamedTuple):
    """Of the flows by one of the two. first, later: their part of their share. least: that
    of the flow that has the least, later."""
    first: float
    later: float
    least: float


def half(lines, flows, which, room_per_ns, window_ns=WINDOWS * MS):
    """Of every second flow, beginning with this one."""
    began = max(flow.start_ns for flow in flows)
    share = room_per_ns * window_ns / len(flows)
    first, later = (progress.got(lines, at, at + window_ns)[which::2]
                    for at in (began, began + window_ns))
    return Half(statistics.fmean(first) / share, statistics.fmean(later) / share,
                min(later) / share)


def halves(row):
    """Names: of both, as a row's options have them."""
    words = row.options.split()
    return row.scheme, words[words.index('--beside') + 1]


def table(case, rows, out):
    """Markdown. @out: the case's directory."""
    topo, flows = topology.load(out / 'net.json'), flowfile.read(out / 'flows.in')
    switches = {node.name for node in topo.nodes if not node.host}
    events.apply_first(topo, case.events)
    ms = WINDOWS * case.window_ms
    lines = [f'### {case.title}', '',
             f'| flows by | beside | part of their share, {ms} ms | the next {ms} ms '
             '| least flow then | queues dropped | longest queue KB |', '|---|' + '---|' * 6]
    for row in rows:
        runs = tables.runs(out, row)
        for which, name in enumerate(halves(row)):
            rate = room(topo, flows, tables.WIRES[SCHEMES[name].proto])
            found = [half(progress.read(run / 'progress'), flows, which, rate, ms * MS)
                     for run in runs]
            queues = [tables.queues(run, switches) for run in runs]
            text = [tables.spread(column) for column in (
                *zip(*found), [drops for drops, _ in queues],
                [longest / 1000 for _, longest in queues])] if found else ['did not run']
            other = halves(row)[1 - which]
            lines.append('| ' + ' | '.join([name, other, *text, *[''] * (5 - len(text))]) + ' |')
    return '\n'.join([*lines, ''])
