# SPDX-License-Identifier: GPL-2.0
"""What two transports get that share links, half of the flows each: a table of cases whose
rows have --beside.

Measured is what receivers got in the first 10 ms after the start of the last flow, and in
the next 10, as a part of the share that each has if links are divided equally among flows.
"""
import statistics
from typing import NamedTuple

import flowfile
import progress
import tables
import topology
from schemes import SCHEMES
from shares import room

WINDOW_NS = 10 * 10**6


class Half(NamedTuple):
    """Of the flows by one of the two. first, later: their part of their share. least: that
    of the flow that has the least, later."""
    first: float
    later: float
    least: float


def half(lines, flows, which, room_per_ns):
    """Of every second flow, beginning with this one."""
    began = max(flow.start_ns for flow in flows)
    share = room_per_ns * WINDOW_NS / len(flows)
    first, later = (progress.got(lines, at, at + WINDOW_NS)[which::2]
                    for at in (began, began + WINDOW_NS))
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
    lines = [f'### {case.title}', '',
             '| flows by | beside | part of their share, 10 ms | the next 10 ms '
             '| least flow then | queues dropped | longest queue KB |', '|---|' + '---|' * 6]
    for row in rows:
        runs = tables.runs(out, row)
        for which, name in enumerate(halves(row)):
            rate = room(topo, flows, tables.WIRES[SCHEMES[name].proto])
            found = [half(progress.read(run / 'progress'), flows, which, rate) for run in runs]
            queues = [tables.queues(run, switches) for run in runs]
            text = [tables.spread(column) for column in (
                *zip(*found), [drops for drops, _ in queues],
                [longest / 1000 for _, longest in queues])] if found else ['did not run']
            other = halves(row)[1 - which]
            lines.append('| ' + ' | '.join([name, other, *text, *[''] * (5 - len(text))]) + ' |')
    return '\n'.join([*lines, ''])
