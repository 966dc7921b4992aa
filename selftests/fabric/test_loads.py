#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of loads: what the network carries, fair shares, the table: python3 -m unittest"""
import argparse
import json
import pathlib
import shutil
import tempfile
import unittest

import flows
import ideal
import loadplots
import loads
import made
import plots
import ratios
import report
import tables
from cases import Case, Grid, Row
from fair import fair_times
from flowfile import Flow
from schemes import SCHEMES
from test_fabric import net
from test_report import every_case
from test_shares import directory

# Packets without headers, so that bytes are bytes; links of a byte per ns, 1 us long.
BARE = ideal.Wire(1000, 1000)
STAR = net('a b c d', 'r', ['a r', 'b r', 'c r', 'd r'])
US = 1000


def times(*given):
    """What flows take beyond what each takes on top of its bytes, alone: (at, src, dst, size)."""
    asked = [Flow(i, at, src, dst, size) for i, (at, src, dst, size) in enumerate(given)]
    exact = ideal.Ideal(STAR, BARE)
    found = fair_times(exact, asked)
    return [round(found[flow.id] - exact.flow_ns(flow) + flow.size) for flow in asked]


class TestFair(unittest.TestCase):
    def test_alone(self):
        self.assertEqual(times((0, 'a', 'b', 50000)), [50000])

    def test_two_to_one(self):
        """Half each until the shorter one is done; the other one has the rest alone."""
        self.assertEqual(times((0, 'a', 'c', 10000), (0, 'b', 'c', 50000)), [20000, 60000])

    def test_two_of_one_pair(self):
        self.assertEqual(times((0, 'a', 'c', 10000), (0, 'a', 'c', 50000)), [20000, 60000])

    def test_who_comes_later(self):
        """The first has 10 us alone; both then go on by halves."""
        self.assertEqual(times((0, 'a', 'c', 20000), (10 * US, 'b', 'c', 20000)),
                         [30000, 30000])

    def test_max_min(self):
        """Three into c have a third each; what the one of a leaves of a's link goes to d."""
        self.assertEqual(times((0, 'a', 'c', 30000), (0, 'b', 'c', 30000), (0, 'd', 'c', 30000),
                               (0, 'a', 'd', 40000)), [90000, 90000, 90000, 60000])

    def test_never_faster_than_alone(self):
        asked = [Flow(i, 137 * i, 'abcd'[i % 4], 'abcd'[(i + 1 + i % 3) % 4], 1 + i * i % 9973)
                 for i in range(400)]
        exact = ideal.Ideal(STAR, BARE)
        found = fair_times(exact, asked)
        self.assertEqual(len(found), len(asked))
        for flow in asked:
            self.assertGreaterEqual(found[flow.id], exact.flow_ns(flow) * (1 - 1e-6))


class TestCarried(unittest.TestCase):
    def carried(self, topo, names):
        cast = flows.Cast(topo, argparse.Namespace(group_size=0, hosts=names, count=None,
                                                   inter_group=False))
        found = flows.streams(cast, 'all-to-all', None, None)
        return flows.carried(cast, found) / 1e9 * ideal.FRAME_DEFAULT / ideal.PAYLOAD_DEFAULT

    def test_hosts_links(self):
        self.assertAlmostEqual(self.carried(STAR, 'a,b,c,d'), 1, delta=.01)

    def test_between_switches(self):
        """Of what a sends to three others, two parts pass the one link between switches, as
        of what b does: 4/3 of a stream each way."""
        topo = net('a b c d', 'r s', ['a r', 'b r', 'c s', 'd s', 'r s'])
        self.assertAlmostEqual(self.carried(topo, 'a,b,c,d'), .75, delta=.01)


class TestTable(unittest.TestCase):
    def test_table(self):
        """Two flows to one host, one of them longer than the product."""
        row = Row('x', 'lapsmp')
        case = Case('case', 'a title', '', '', rows=(row,))
        given = [Flow(1, 0, 'a', 'c', 1000), Flow(2, 0, 'b', 'c', 2 * 10**6)]
        with directory(row, given, []) as out:
            said = ('# mean of the distribution 9.0 bytes; load asked for 0.8, in these flows'
                    ' 0.756\n')
            (out / 'flows.in').write_text(said + (out / 'flows.in').read_text())
            run = out / 'x' / 'seed-1' / 'lapsmp-1'
            (run / 'flows.txt').write_text('1 a c 1000 0 9000\n2 b c 2000000 0 4000000\n')
            (run / 'result.json').write_text(json.dumps({'retransmits': 0}))
            case = case._replace(name=out.name)
            text = loads.table(Grid('g', 'Title', (case,)), lambda case: case.rows, out.parent)
        lines = text.splitlines()
        self.assertEqual(lines[0], '### Title')
        self.assertIn('**a title**, load 0.76, 2 flows, 1 of them short', lines[4])
        # 1000 bytes and 98 of headers over two links of 1 byte/ns and 1 us: 4.196 us. Shared:
        # another 1.098.
        fair, mine = ([cell.strip() for cell in line.split('|')[1:-1]] for line in lines[5:7])
        self.assertEqual(fair[0], '*fair*')
        self.assertAlmostEqual(float(fair[5]), (4196 + 1098) / 4196, 3)
        self.assertEqual(mine[0], 'x')
        self.assertAlmostEqual(float(mine[1]), 2.005, 3)
        self.assertEqual(mine[5], mine[6])
        self.assertAlmostEqual(float(mine[5]), 9000 / 4196, 3)
        # There is no twin.
        self.assertEqual((fair[7], mine[7]), ('', ''))
        self.assertEqual(mine[9], '14')


class TestTwin(unittest.TestCase):
    GIVEN = [Flow(i, 0, 'a', 'c', size) for i, size in enumerate((1000, 2000, 2 * 10**6), 1)]
    ROWS = (Row('x', 'lapsmp'), Row('y', 'dctcp'), Row('z', 'cubic'))
    CASE = Case('case', 'a title', '', 'poisson', apart='1ms', rows=ROWS)

    def run_of(self, out, row, seed, *ns):
        run = out / row.name / f'seed-{seed}' / f'{row.scheme}-{seed}'
        run.mkdir(parents=True, exist_ok=True)
        (run / 'flows.txt').write_text(''.join(
            f'{i} a c 9 {1000 * i} {1000 * i + time}\n' for i, time in enumerate(ns, 1)))
        (run / 'done').touch()
        return run

    def columns(self, out):
        """Name -> what is below the new column."""
        where = loads.HEAD.index('P99 / alone')
        grid = Grid('g', 'Title', (self.CASE._replace(name=out.name),))
        text = loads.table(grid, lambda case: case.rows, out.parent)
        rows = [line.split('|')[1:-1] for line in text.splitlines()[2:]]
        self.assertEqual({len(row) for row in rows}, {len(loads.HEAD)})
        return {row[0].strip(): row[where].strip() for row in rows}

    def test_over_alone(self):
        """Of the two short flows the one that is longer in proportion counts; the third one,
        100 times as long as alone, is not short."""
        x, y, _ = self.ROWS
        with directory(x, self.GIVEN, []) as out:
            links = (out / 'x' / 'seed-1' / 'lapsmp-1' / 'links.json').read_text()
            twin_out = out.parent / f'{out.name}-apart'
            self.addCleanup(shutil.rmtree, twin_out)
            for row, seed, *ns in ((x, 1, 5000, 6000, 10**8), (x, 2, 12000, 6000, 10**8),
                                   (y, 1, 5000, 6000, 10**8)):
                (self.run_of(out, row, seed, *ns) / 'links.json').write_text(links)
            self.run_of(twin_out, x, 1, 4000, 3000, 10**6 - 1)
            found = self.columns(out)
            # Another one, which took as long as the next one came after it.
            self.run_of(twin_out, x, 1, 4000, 3000, 2 * 10**6)
            self.assertEqual(self.columns(out)['x'], 'met')
        # Two seeds, 6000 / 3000 and 12000 / 4000, both by the twin's one.
        self.assertEqual(found['x'], tables.spread([2, 3]))
        # Its twin did not run; it did not run itself; there is nothing that could.
        self.assertEqual((found['y'], found['z'], found['*fair*']), ('', '', ''))


class TestLoadPlots(unittest.TestCase):
    ROWS = (Row('x', 'lapsmp'), Row('y', 'dctcp'))
    GRID = Grid('g', 'Title', (Case('case', 'storage, 2ms', '', '', rows=ROWS),))

    def table(self):
        """As loads.py writes it, of a flow that took twice what it takes alone; y did not run."""
        with directory(self.ROWS[0], [Flow(1, 0, 'a', 'c', 1000)], []) as out:
            run = out / 'x' / 'seed-1' / 'lapsmp-1'
            (run / 'flows.txt').write_text('1 a c 1000 0 8392\n')
            (run / 'result.json').write_text('{}')
            (run / 'done').touch()
            grid = self.GRID._replace(cases=(self.GRID.cases[0]._replace(name=out.name),))
            return loads.table(grid, lambda case: case.rows, out.parent)

    def test_read(self):
        (_, name, fair), (workload, scheme, columns) = loadplots.read(self.table())
        self.assertEqual((name, workload, scheme), ('fair', 'storage', 'x'))
        self.assertEqual(columns['mean slowdown'], 2)
        self.assertIn('P99 slowdown', fair)

    def test_spread_and_failed(self):
        head = '| scheme |\n| **hadoop, 2ms**, load 0.8 |\n'
        self.assertEqual(
            list(loadplots.read(head + '| x (2 of 3) | 0.5 | 1 ± 0.2 | 3e+02 ± 1 | 4 | |\n')),
            [('hadoop', 'x', {'mean ms': .5, 'P99 ms': 1, 'mean slowdown': 300,
                              'P99 slowdown': 4})])

    def test_curves(self):
        """By load, whatever the order of the tables; another fabric's are not among them."""
        text = self.table()
        tables_of = {'rail-load-0.8': text, 'rail-load-0.5': text, 'rail64-load-0.8': text,
                     'rail-a2o': text}
        self.assertEqual(loadplots.fabrics(tables_of), ['rail', 'rail64'])
        found = loadplots.curves(tables_of, 'rail')
        self.assertEqual(list(found), ['storage'])
        self.assertEqual(list(found['storage']), ['fair', 'x'])
        self.assertEqual(loadplots.curves(tables_of, 'rail64'), {})
        self.assertEqual([(load, columns['mean slowdown'])
                          for load, columns in found['storage']['x']], [(.5, 2), (.8, 2)])
        text, data = loadplots.script(found, 'DATA')
        # Two schemes, mean and P99.
        self.assertEqual(len(data.split('\n\n\n')), 4)
        self.assertEqual(text.count('"DATA" index'), 4)
        self.assertIn('multiplot layout 2,2', text)
        self.assertIn('set xtics (0.5, 0.8)', text)

    def test_two_loads(self):
        """Of each workload, what ran at two of them; a workload without such is not there."""
        head, cells = '| **{}, 2ms**, load 1 |\n', ' | 1 | 1 | 2 | 3 |\n'
        first = (head.format('a') + f'| x{cells}| y{cells}' + head.format('b') + f'| y{cells}'
                 + head.format('c') + f'| x{cells}')
        then = head.format('a') + f'| x{cells}' + head.format('b') + f'| y{cells}'
        found = loadplots.curves({'f-load-0.5': first, 'f-load-1.0': then}, 'f')
        self.assertEqual({workload: list(each) for workload, each in found.items()},
                         {'a': ['x'], 'b': ['y']})

    def test_names(self):
        matches = [loadplots.NAME.fullmatch(grid.name) for grid in report.GRIDS]
        self.assertEqual({(match[1], float(match[2])) for match in matches},
                         {*((fabric, load) for fabric in ('rail', 'dragonfly')
                            for load in (.5, .8, 1)),
                          ('rail64', .8), ('dragonfly144', .8)})


class TestQueues(unittest.TestCase):
    def test_longest(self):
        """Of two links at a time; nothing before the flows began."""
        with tempfile.TemporaryDirectory() as name:
            run = pathlib.Path(name)
            (run / 'result.json').write_text('{"base_ns": 1000000}')
            (run / 'samples.json').write_text('\n'.join(
                json.dumps({'now_ns': ns, 'data': {'waiting_bytes': size}})
                for ns, size in ((500000, 9000), (1000000, 0), (1000000, 2000),
                                 (3000000, 5000), (3000000, 4000))))
            self.assertEqual(plots.longest_queues(run), [(0, 2), (2, 5)])


class TestRatios(unittest.TestCase):
    def test_cell(self):
        """Who has no classes is compared with lapsmp without, of which there is a run with another
        seed; with drawn ports there is none."""
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name)
            for scheme, seed, times in (('lapsmp-plain', 1, (1000, 3000)),
                                        ('dctcp', 1, (2000, 9000)), ('lapsmp', 1, (500, 500)),
                                        ('lapsmp-ecmp', 1, (2000, 2000)),
                                        ('lapsmp-plain', 2, (7000, 7000))):
                run = out / scheme / f'seed-{seed}' / f'{scheme}-{seed}'
                run.mkdir(parents=True)
                (run / 'flows.txt').write_text(''.join(
                    f'{i} a b 9 500 {500 + ns}\n' for i, ns in enumerate(times)))
                (run / 'done').touch()
            self.assertEqual(ratios.cell(out, 'mean', 'dctcp'), '2.75 and -')
            self.assertEqual(ratios.cell(out, 'P99', 'dctcp'), '3.00 and -')
            self.assertEqual(ratios.cell(out, 'mean', 'lapsmp-ecmp'), '4.00 and -')
            self.assertEqual(ratios.cell(out, 'mean', 'dctcp-plb'), '- and -')

    def test_version(self):
        """Of other sources than those of now nothing is shown."""
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name) / ratios.PAPER[0].case
            out.mkdir()
            made.begin(out, (), 'now', '', '')
            self.assertEqual([len(ratios.table(out.parent, version).splitlines())
                              for version in ('now', 'earlier')], [4, 2])

    def test_cases(self):
        known = {case.name for case in every_case()}
        self.assertLessEqual({row.case for row in ratios.PAPER}, known)
        self.assertLessEqual({*ratios.CLASSED, *ratios.PLAIN, *ratios.OTHERS}, set(SCHEMES))


if __name__ == '__main__':
    unittest.main()
