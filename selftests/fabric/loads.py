# SPDX-License-Identifier: GPL-2.0
"""Several workloads at one load, in one table: times and slowdowns, of short flows besides.

Short are those below one bandwidth-delay product (sizes.py). Over alone is what a short flow
takes as a multiple of what it takes by the same scheme in the case's twin, where no flow meets
another. The line *fair* is what flows take if only hosts' links were in the way, and shared
fairly (fair.py).
"""
import re
import statistics

import flowfile
import sizes
import tables
import topology
from common import time_ns
from fair import fair_times
from ideal import Ideal
from schemes import SCHEMES

OFFERED = re.compile(r'load asked for ([0-9.]+), in these flows ([0-9.]+)')
HEAD = ('scheme', 'mean ms', 'P99 ms', 'mean slowdown', 'P99 slowdown',
        'short flows: mean', 'P99', 'P99 / alone', 'last / limit', 'queues dropped')
# Where that one is, of a row's own columns: only cases with a twin have it.
OVER_ALONE = HEAD.index('P99 / alone') - 1


class Flows:
    """What all rows of a case are compared by."""

    def __init__(self, out):
        self.topo = topology.load(out / 'net.json')
        self.flows = flowfile.read(out / 'flows.in')
        bdp = sizes.product(self.topo, self.flows, tables.WIRES['lapsmp'])
        self.short = {flow.id for flow in self.flows if flow.size < bdp}
        # Heavy tails offer more or less than was asked for.
        self.offered = OFFERED.search((out / 'flows.in').read_text())
        self.switches = {node.name for node in self.topo.nodes if not node.host}
        self.limits = {}

    def limit(self, proto):
        if proto not in self.limits:
            self.limits[proto] = tables.limit(self.topo, self.flows, tables.WIRES[proto])
        return self.limits[proto]

    def columns(self, times, alone):
        """Of one run, the first six. @times: ns by id."""
        slow = {number: ns / alone[number] for number, ns in times.items()}
        short = [value for number, value in slow.items() if number in self.short]
        columns = []
        for values, unit in ((times.values(), 1e6), (slow.values(), 1), (short, 1)):
            columns += [statistics.fmean(values) / unit,
                        tables.percentile(values, tables.PERMILLE_99) / unit]
        return columns

    def fair(self):
        ideal = Ideal(self.topo, tables.WIRES['lapsmp'])
        return self.columns(fair_times(ideal, self.flows), self.limit('lapsmp').alone)

    def of_run(self, run, least):
        times, last = {}, 0
        for number, start, end in tables.flow_times(run):
            times[number], last = end - start, max(last, end)
        return [*self.columns(times, least.alone), last / least.last_ns,
                tables.queues(run, self.switches)[0]]

    def of_row(self, row, out):
        """Of each of its runs. @out: the case's directory."""
        least = self.limit(SCHEMES[row.scheme].proto)
        return [self.of_run(run, least) for run in tables.runs(out, row)]

    def over_alone(self, row, out, twin_out, apart_ns):
        """Of each of the row's runs the P99 over short flows: their times as multiples of what
        each took in the twin's first run, where they are @apart_ns apart. Nothing if the
        twin did not run; None if one took so long that the next was not alone."""
        twins = tables.runs(twin_out, row)
        if not twins:
            return []
        alone = took(twins[0])
        if max(alone.values()) >= apart_ns:
            return None
        return [tables.percentile([ns / alone[number] for number, ns in took(run).items()
                                   if number in self.short], tables.PERMILLE_99)
                for run in tables.runs(out, row)]


def took(run):
    """ns of each flow."""
    return {number: end - start for number, start, end in tables.flow_times(run)}


def cells(flows, case, row, out):
    """Of a row, all but its name."""
    text = [tables.spread(values) for values in zip(*flows.of_row(row, out))]
    if not text:
        return ['did not run', *[''] * (len(HEAD) - 2)]
    twin = case.twin()
    over_alone = flows.over_alone(row, out, out.parent / twin.name,
                                  time_ns(case.apart)) if twin else []
    text.insert(OVER_ALONE, 'met' if over_alone is None else
                tables.spread(over_alone) if over_alone else '')
    return text


def lines(case, rows, out):
    """Of one case: its workload's rows."""
    flows = Flows(out)
    load = f', load {float(flows.offered[2]):.2f}' if flows.offered else ''
    yield (f'| **{case.title}**{load}, {len(flows.flows)} flows, {len(flows.short)} of them short'
           + ' |' * len(HEAD))
    fair = [f'{value:.4g}' for value in flows.fair()]
    yield '| ' + ' | '.join(['*fair*', *fair, *[''] * (len(HEAD) - 1 - len(fair))]) + ' |'
    for row in rows:
        yield '| ' + ' | '.join([tables.name(out, row), *cells(flows, case, row, out)]) + ' |'


def table(grid, rows_of, out):
    """Markdown. @out: the directory that the cases have theirs in."""
    head = [f'### {grid.title}', '', '| ' + ' | '.join(HEAD) + ' |', '|---' * len(HEAD) + '|']
    return '\n'.join([*head, *(line for case in grid.cases
                               for line in lines(case, rows_of(case), out / case.name)), ''])
