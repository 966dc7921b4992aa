#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of what a report says of shares and of sizes: python3 -m unittest"""
import contextlib
import json
import math
import pathlib
import tempfile
import unittest

import beside
import ideal
import progress
import shares
import sizes
from cases import Case, Row
from flowfile import Flow
from progress import Line
from test_fabric import net

# Packets without headers, so that bytes are bytes.
BARE = ideal.Wire(1000, 1000)
MS = 10**6
# Two senders and a receiver on a switch; links of a byte per ns, 1 us long.
STAR = net('a b c', 'r', ['a r', 'b r', 'c r'])
FLOWS = [Flow(1, 0, 'a', 'c', 10**9), Flow(2, MS // 2, 'b', 'c', 10**9)]


def steady(rates, ms):
    """Flows that get so many bytes per ns, a line for each half of a ms."""
    return [Line(i * MS // 2, tuple(round(rate * i * MS / 2) for rate in rates))
            for i in range(2 * ms + 1)]


@contextlib.contextmanager
def directory(row, flows, lines, links=()):
    """A case's directory with one run of this row."""
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name)
        (out / 'net.json').write_text(json.dumps({
            'nodes': [{'name': name, 'kind': 'host', 'addr': f'fd00::{i}'}
                      for i, name in enumerate('abc', 1)] + [{'name': 'r', 'kind': 'switch'}],
            'links': [{'a': name, 'b': 'r', 'rate': '8gbit', 'delay': '1us'}
                      for name in 'abc']}))
        (out / 'flows.in').write_text(''.join(flow.line() + '\n' for flow in flows))
        run = out / row.name / 'seed-1' / f'{row.scheme}-1'
        run.mkdir(parents=True)
        (run / 'progress').write_text(''.join(
            f"{line.ns} {' '.join(map(str, line.bytes))}\n" for line in lines))
        (run / 'links.json').write_text('\n'.join(json.dumps(
            {'ns': 'r', 'backlog': {'max_bytes': size},
             **{band: {'queue_drops': n} for band, n in
                (('high', 1), ('class1', 4), ('class2', 0), ('class3', 0), ('data', 2))}})
            for size in (7000, 5000)))
        (run / 'done').touch()
        yield out


class TestProgress(unittest.TestCase):
    def test_read(self):
        with tempfile.NamedTemporaryFile('w+') as file:
            file.write('0 0 0\n100003 16 0\n')
            file.flush()
            self.assertEqual(progress.read(file.name),
                             [Line(0, (0, 0)), Line(100003, (16, 0))])

    def test_got(self):
        lines = [Line(3, (0, 0)), Line(104, (5, 1)), Line(203, (9, 1))]
        self.assertEqual(progress.got(lines, 0, 200), [9, 1])
        # The first line that is not before.
        self.assertEqual(progress.got(lines, 4, 105), [4, 0])

    def test_jain(self):
        for got, want in (([5, 5, 5], 1), ([7, 0, 0, 0], .25), ([3, 1], 16 / 20)):
            self.assertEqual(progress.jain(got), want)


class TestShares(unittest.TestCase):
    def test_room(self):
        """Of each receiver once."""
        self.assertEqual(shares.room(STAR, FLOWS, BARE), 1)
        self.assertEqual(shares.room(STAR, FLOWS, ideal.Wire(500, 1000)), .5)

    def test_steady(self):
        found = shares.shares(steady((.6, .2), 11), FLOWS, 1)
        self.assertAlmostEqual(found.whole, .8)
        self.assertEqual([round(one, 6) for one in found.each], [.8] * 10)
        self.assertAlmostEqual(found.least, .5)
        self.assertAlmostEqual(found.most, 1.5)
        self.assertAlmostEqual(found.used, .8)

    def test_begins_with_the_last_flow(self):
        """What the first one got before does not count."""
        lines = [Line(line.ns, (line.bytes[0] + (10**8 if line.ns >= MS // 2 else 0),
                                line.bytes[1])) for line in steady((.5, .5), 11)]
        self.assertEqual(shares.shares(lines, FLOWS, 1).whole, 1)

    def test_table(self):
        row = Row('x', 'cubic')
        with directory(row, FLOWS, steady((.6, .2), 11)) as out:
            text = shares.table(Case('n', 'Title', '', ''), [row, Row('y', 'dctcp')], out)
        self.assertIn('### Title\n', text)
        # 80 % of a byte per ns, of which headers leave 1428 of 1514.
        self.assertIn(f'| x | 0.8 | 0.8 | 0.8 | 0.8 | 0.8 | 0.5 | 1.5 | {80 * 1514 / 1428:.4g} '
                      '| 14 | 7 |\n', text)
        self.assertIn('| y | did not run |', text)

    def test_longer_windows(self):
        """Ten of 2 ms; after the first of them one flow gets nothing any more."""
        row = Row('x', 'cubic')
        lines = [Line(line.ns, (line.bytes[0], min(line.bytes[1], 5 * MS // 2)))
                 for line in steady((1, 1), 22)]
        with directory(row, FLOWS, lines) as out:
            text = shares.table(Case('n', 'Title', '', '', window_ms=2), [row], out)
        self.assertIn("| Jain's index, 20 ms | ms 1 to 2 | ms 3 to 4 | ms 9 to 10 "
                      '| ms 19 to 20 |', text)
        # 20 and 2 of 20 ms.
        self.assertIn(f'| x | {22**2 / 2 / (20**2 + 2**2):.4g} | 1 | 0.5 | 0.5 | 0.5 |', text)


class TestBeside(unittest.TestCase):
    ROW = Row('x', 'lapsmp', '--chunk 1K --beside dctcp')

    def test_half(self):
        """Two of four flows, and 10 ms after 10 ms: half a byte per ns is their share."""
        lines = steady((.1, .3, .2, .4), 21)
        flows = [*FLOWS, *(flow._replace(id=flow.id + 2) for flow in FLOWS)]
        for which, mean, least in ((0, .6, .4), (1, 1.4, 1.2)):
            for found, want in zip(beside.half(lines, flows, which, 1), (mean, mean, least)):
                self.assertAlmostEqual(found, want)

    def test_halves(self):
        self.assertEqual(beside.halves(self.ROW), ('lapsmp', 'dctcp'))

    def test_table(self):
        case = Case('n', 'Title', '', '')
        with directory(self.ROW, FLOWS, steady((.5, .25), 21)) as out:
            text = beside.table(case, [self.ROW], out)
            missing = beside.table(case, [self.ROW._replace(name='y')], out)
        self.assertIn(f'| lapsmp | dctcp | {1514 / 1416:.4g} | {1514 / 1416:.4g} '
                      f'| {1514 / 1416:.4g} | 14 | 7 |\n', text)
        self.assertIn(f'| dctcp | lapsmp | {.5 * 1514 / 1428:.4g} |', text)
        self.assertIn('| lapsmp | dctcp | did not run | | | | |\n', missing.replace('  ', ' '))


class TestSizes(unittest.TestCase):
    def test_product(self):
        """A packet of 1000 bytes takes 1 us on each of two links that are 1 us long."""
        topo = net('a b', 'r', ['a r', 'r b'])
        self.assertEqual(sizes.product(topo, [Flow(1, 0, 'a', 'b', 1)], BARE), 8000)

    def test_farthest(self):
        """The pair that is farthest apart counts, and all links of the sender."""
        flows = [Flow(1, 0, 'a', 'c', 1), Flow(2, 0, 'a', 'b', 1)]
        topo = net('a b c', 'r s', ['a r', 'a s', 'r b', 'r c', 's c'])
        near = sizes.product(topo, flows[:1], BARE)
        topo = net('a b c', 'r s', ['a r', 'a s', ('r b', {'delay': '9us'}), 'r c', 's c'])
        self.assertEqual(sizes.product(topo, flows, BARE) - near, 2 * 2 * 8000)

    def test_classes(self):
        self.assertEqual([sizes.class_of(size, 100) for size in (1, 99, 100, 999, 1000, 10**9)],
                         [0, 0, 1, 1, 2, 2])

    def test_names(self):
        flows = [Flow(i, 0, 'a', 'b', size) for i, size in enumerate((10, 20, 150000, 10**7))]
        self.assertEqual(sizes.classes(flows, 100000), {
            0: 'below 100 KB (2)', 1: 'to 1000 KB (1)', 2: 'from 1000 KB (1)'})
        self.assertEqual(sizes.classes(flows[:2], 100000), {0: 'below 100 KB (2)'})

    def test_columns(self):
        found = [[[1, 2, 3], [], [4]], [[3, 4, 5], [], [4]]]
        self.assertEqual(sizes.column_pair(found, 0), ['3 ± 13', '4 ± 13'])
        self.assertEqual(sizes.column_pair(found[:1], 2), ['4', '4'])

    def test_table(self):
        row = Row('x', 'cubic')
        flows = [flow._replace(size=size) for flow, size in zip(FLOWS, (1428, 10**6))]
        with directory(row, flows, []) as out:
            (out / 'x' / 'seed-1' / 'cubic-1' / 'flows.txt').write_text(
                f'1 a c 1428 0 {2 * (2 * 1514 + 2000)}\n2 b c 1000000 0 10000000\n')
            text = sizes.table(Case('n', 'Title', '', ''), [row, Row('y', 'dctcp')], out)
        # Two links of 1514 ns and 1 us each, twice: 10 KB.
        self.assertIn('| slowdown of flows | below 10 KB (1): mean | P99 '
                      '| from 101 KB (1): mean | P99 |\n|---|---|---|---|---|\n'
                      '| x | 2 | 2 | 9.4', text)
        self.assertNotIn('| y', text)

    def test_slowdowns(self):
        with tempfile.TemporaryDirectory() as name:
            run = pathlib.Path(name)
            (run / 'flows.txt').write_text('1 a c 50 0 300\n2 b c 2000 100 600\n')
            flows = [Flow(1, 0, 'a', 'c', 50), Flow(2, 100, 'b', 'c', 2000)]
            self.assertEqual(sizes.slowdowns(run, flows, {1: 100, 2: 250}, 100),
                             [[3], [], [2]])
            self.assertEqual(len(sizes.BOUNDS), 3)
            self.assertEqual(sizes.BOUNDS[-1], math.inf)


if __name__ == '__main__':
    unittest.main()
