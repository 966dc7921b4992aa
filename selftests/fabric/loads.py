# SPDX-License-Identifier: GPL-2.0
"""Several workloads at one load, in one table: times and slowdowns, of short flows besides.

Short are those below one bandwidth-delay product (sizes.py). The line *fair* is what flows
take if only hosts' links were in the way, and shared fairly (fair.py).
"""
import re
import statistics

import flowfile
import sizes
import tables
import topology
from fair import fair_times
from ideal import Ideal
from schemes import SCHEMES

OFFERED = re.compile(r'load asked for ([0-9.]+), in these flows ([0-9.]+)')
HEAD = ('scheme', 'mean ms', 'P99 ms', 'mean slowdown', 'P99 slowdown',
        'short flows: mean', 'P99', 'last / limit', 'queues dropped')


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


def lines(case, rows, out):
    """Of one case: its workload's rows."""
    flows = Flows(out)
    load = f', load {float(flows.offered[2]):.2f}' if flows.offered else ''
    yield (f'| **{case.title}**{load}, {len(flows.flows)} flows, {len(flows.short)} of them short'
           + ' |' * len(HEAD))
    yield '| ' + ' | '.join(['*fair*', *(f'{value:.4g}' for value in flows.fair()), '', '']) + ' |'
    for row in rows:
        text = [tables.spread(values) for values in zip(*flows.of_row(row, out))] or ['did not run', *[''] * 7]
        yield '| ' + ' | '.join([row.name, *text]) + ' |'


def table(grid, rows_of, out):
    """Markdown. @out: the directory that the cases have theirs in."""
    head = [f'### {grid.title}', '', '| ' + ' | '.join(HEAD) + ' |', '|---|' + '---|' * 8]
    return '\n'.join([*head, *(line for case in grid.cases
                               for line in lines(case, rows_of(case), out / case.name)), ''])
