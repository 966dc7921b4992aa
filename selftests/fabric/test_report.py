# SPDX-License-Identifier: GPL-2.0
"""Tests of what a report is made of: python3 -m unittest"""
import argparse
import json
import math
import pathlib
import random
import tempfile
import unittest
from unittest import mock

import capacity
import document
import events
import ideal
import lengths
import made
import plots
import received
import report
import run
import tables
from cases import Grid, Row, as_messages
from common import FabricError
from flowfile import Flow
from received import Packet
from schemes import SCHEMES
from test_fabric import net

# Packets without headers, so that bytes are bytes.
BARE = ideal.Wire(1000, 1000)
# Links of a byte per ns. Two ways from a to b, one of them longer.
TWO_WAYS = net('a b', 'r s t', ['a r', 'a s', 's t', 'r b', 't b'])


def limits(topo, *flows):
    return capacity.capacity(ideal.Ideal(topo, BARE), [
        Flow(i, 0, src, dst, size) for i, (src, dst, size) in enumerate(flows)])


class TestCapacity(unittest.TestCase):
    def near(self, found, ns):
        """No plan ends before, and one does not end much later."""
        self.assertLessEqual(found.bound_ns, ns * (1 + 1e-9))
        self.assertGreaterEqual(found.plan_ns, ns * (1 - 1e-9))
        self.assertGreater(found.bound_ns, ns * .97)
        self.assertLess(found.plan_ns, ns * 1.03)

    def test_one_link(self):
        self.near(limits(net('a b', '', ['a b']), ('a', 'b', 10**6)), 10**6)

    def test_two_ways(self):
        self.near(limits(TWO_WAYS, ('a', 'b', 10**6)), 5 * 10**5)

    def test_shared(self):
        """c can only take the way by r, a has two: together three quarters each."""
        topo = net('a b c', 'r s', ['a r', 'a s', 'r b', 's b', 'c r'])
        self.near(limits(topo, ('a', 'b', 10**6), ('c', 'b', 10**6)), 10**6)

    def test_a_ring_of_five(self):
        """Each to the one after the next: two links in one direction, three in the other."""
        names = 'abcde'
        topo = net('', ' '.join(names), [f'{x} {y}' for x, y in zip(names, names[1:] + 'a')],
                   **{name: {'addr': f'fd00::9:{i + 1}'} for i, name in enumerate(names)})
        pairs = [(names[i], names[(i + 2) % 5], 10**6) for i in range(5)]
        # x of each the short way, 1 - x the long one: 2 x = 3 (1 - x).
        self.near(limits(topo, *pairs), 1.2 * 10**6)

    def test_who_forwards_for_nobody(self):
        topo = net('a b c', 'r', ['a r', 'r b', 'a c', 'c b'])
        self.near(limits(topo, ('a', 'b', 10**6)), 10**6)

    def test_never_above_a_plan(self):
        rnd = random.Random(1)
        for _ in range(20):
            names = [f'r{i}' for i in range(8)]
            links = [f'{x} {y}' for x, y in zip(names, names[1:])]
            links += [' '.join(rnd.sample(names, 2)) for _ in range(6)]
            topo = net('', ' '.join(names), [(link, {'rate': rnd.randint(10**6, 10**9)})
                                             for link in dict.fromkeys(links)])
            flows = [(*rnd.sample(names, 2), rnd.randint(1, 10**6)) for _ in range(10)]
            found = limits(topo, *flows)
            self.assertLessEqual(found.bound_ns, found.plan_ns * (1 + 1e-9))
            self.assertGreater(found.bound_ns, found.plan_ns * .9)


class TestEvents(unittest.TestCase):
    def test_lines(self):
        self.assertEqual(events.lines(TWO_WAYS, ['2ms t b up rate 5000', '1us r b down']),
                         '1000 r l3 down\n1000 b l3 down\n'
                         '2000000 t l4 up rate 5000\n2000000 b l4 up rate 5000\n')

    def test_first(self):
        topo = net('a b', 'r', ['a r', 'r b'])
        events.apply_first(topo, ['0ms r b rate 2000', '1ms a r rate 3000'])
        self.assertEqual([link.rate for link in topo.links], [10**9, 2000])

    def test_refusals(self):
        wrong = 'not an event'
        for text, why in (('1ms a b', wrong), ('1ms', wrong), ('', wrong),
                          ('1ms a b down', 'no link'), ('1ms a x down', "no node 'x'"),
                          ('soon a r down', 'number')):
            with self.assertRaisesRegex(FabricError, why):
                events.lines(TWO_WAYS, [text])


class TestReceived(unittest.TestCase):
    @staticmethod
    def sent(paths):
        """A window per word: a packet of each of its letters' paths."""
        return [Packet(1000 * i + k, 0, ord(letter), 100, 0)
                for i, word in enumerate(paths) for k, letter in enumerate(word)]

    def test_swing(self):
        self.assertEqual(received.path_swing(self.sent(['ab'] * 12)), 0)
        # Shares of 1 and 0 in turn: as much off as the mean.
        self.assertEqual(received.path_swing(self.sent(['a', 'b'] * 6)), 1)
        # What begins and ends is not looked at.
        self.assertEqual(received.path_swing(self.sent(['a', *['ab'] * 10, 'b'])), 0)

    def test_too_short(self):
        self.assertIsNone(received.path_swing(self.sent(['ab'] * 9)))
        self.assertIsNone(received.path_swing([]))

    def test_swing_counts_by_bytes(self):
        steady = [p._replace(flow=1, size=300) for p in self.sent(['ab'] * 12)]
        self.assertAlmostEqual(received.path_swing(self.sent(['a', 'b'] * 6) + steady),
                               100 / (100 + 600))

    def test_share_above(self):
        self.assertEqual(received.share_above([1, 2, 2, 3], 2), .25)

    def test_read(self):
        with tempfile.TemporaryDirectory() as where:
            path = pathlib.Path(where) / 'received'
            path.write_text('5 0 3 1416 0\n6 1 2 100 2832\n')
            self.assertEqual(received.read(path),
                             [Packet(5, 0, 3, 1416, 0), Packet(6, 1, 2, 100, 2832)])


class TestTables(unittest.TestCase):
    def test_percentile(self):
        for values, permille, want in (([7], 990, 7), (range(1, 101), 990, 99),
                                       (range(1, 102), 990, 100), ([3, 1, 2], 500, 2)):
            self.assertEqual(tables.percentile(list(values), permille), want)

    def test_spread(self):
        self.assertEqual(tables.spread([2]), '2')
        self.assertEqual(tables.spread([1, 3]), '2 ± 13')
        self.assertEqual(tables.spread([1, 2, 3]), f'2 ± {4.30 / math.sqrt(3):.2g}')

    def run_of(self, where, **result):
        (where / 'result.json').write_text(json.dumps({'retransmits': 3, **result}))
        (where / 'flows.txt').write_text('# a remark\n1 a b 1000 0 4000\n2 a b 1000 1000 3000\n')
        link = {band: {'queue_drops': n} for band, n in
                (('high', 1), ('class1', 4), ('class2', 8), ('class3', 16), ('data', 2))}
        (where / 'links.json').write_text('\n'.join(json.dumps(
            {**link, 'ns': ns, 'backlog': {'max_bytes': size}})
            for ns, size in (('a', 900), ('r', 500), ('r', 700))))

    def test_outcome(self):
        with tempfile.TemporaryDirectory() as name:
            where = pathlib.Path(name)
            self.run_of(where)
            found = tables.outcome(where, {1: 2000, 2: 1000}, {'r'})
            self.assertEqual(found, tables.Outcome(3000, 4000, 4000, 2, 2, 3, 93, 700))
            (where / 'received').write_text('0 0 1 1000 0\n3 0 1 1000 3000\n')
            found = tables.outcome(where, {1: 2000, 2: 1000}, {'r'})
            self.assertEqual((found.early_mean, found.early_p99, found.swing),
                             (1500, 3000, None))

    def test_limit_knows_the_network(self):
        """Each host's own links have room; the one between the two switches has not."""
        topo = net('a b c d', 'r s', ['a r', 'b r', 'c s', 'd s', 'r s'])
        flows = [Flow(1, 0, 'a', 'c', 10**6), Flow(2, 0, 'b', 'd', 10**6)]
        self.assertAlmostEqual(tables.limit(topo, flows, BARE).last_ns, 2 * 10**6, -5)

    def test_limit_of_who_waits(self):
        """Two that share a link end one after the other; of those that wait nothing is known
        but what each takes alone."""
        topo = net('a b', '', ['a b'])
        flows = [Flow(1, 0, 'a', 'b', 10**6), Flow(2, 0, 'a', 'b', 10**6)]
        self.assertAlmostEqual(tables.limit(topo, flows, BARE).mean_ns, 1.5 * 10**6, -4)
        flows[1] = flows[1]._replace(after=(1,))
        self.assertAlmostEqual(tables.limit(topo, flows, BARE).mean_ns, 10**6, -4)


class TestLengths(unittest.TestCase):
    def test_shares(self):
        def path(peer, base, size):
            return {'peer': peer, 'conf-base-ns': base, 'tx-bytes': size}

        with tempfile.TemporaryDirectory() as name:
            where = pathlib.Path(name) / 'x' / 'seed-1' / 'lapsmp-1'
            where.mkdir(parents=True)
            (where / 'paths.json').write_text(json.dumps({
                'a': [path('b', 4360, 500), path('b', 8480, 300), path('c', 2000, 100)],
                'b': [path('a', 2000, 100), path('a', 9000, 0),
                      {'peer': 'a', 'conf-base-ns': 0, 'tx-bytes': 77}, {'peer': 'c',
                                                                         'tx-bytes': 1}]}))
            self.assertEqual(lengths.shares(where), {0: .7, 4: .3})
            (where / 'done').touch()
            self.assertEqual(lengths.table(None, [Row('x', 'lapsmp')], pathlib.Path(name)),
                             '| bytes by paths that are longer by | 0 us | 4 us |\n'
                             '|---|---|---|\n| x | 70.0 % | 30.0 % |\n')


class TestMade(unittest.TestCase):
    def test_begin(self):
        """What is of other sources goes, be it done or failed; a name says how many failed."""
        row = Row('x', 'lapsmp')
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name)
            run = out / 'x' / 'seed-1' / 'lapsmp-1'
            run.mkdir(parents=True)
            (out / 'x' / 'seed-2').mkdir()
            for version, again, want in (('old', False, 'x'), ('old', True, 'x (1 of 2)'),
                                         ('old', False, 'x (1 of 2)'), ('new', False, 'x')):
                made.begin(out, (1, 'two'), version, 'flows', 'net')
                self.assertTrue(made.is_of(out, version))
                if again:
                    (run / 'done').touch()
                    (out / 'x' / 'seed-2' / made.FAILED).touch()
                self.assertEqual(tables.name(out, row), want)
            self.assertEqual(tables.runs(out, row), [])
            self.assertFalse(made.is_of(out, 'old'))
            self.assertFalse(made.is_of(out / 'x', 'new'))


class TestDocument(unittest.TestCase):
    TEXT = 'Before\n<!-- table x -->\nold\n<!-- end -->\nafter\n<!-- table y -->\n<!-- end -->\n'

    def test_replaced(self):
        self.assertEqual(document.replaced(self.TEXT, {'x': 'new\n\n'}),
                         self.TEXT.replace('old', 'new'))
        self.assertEqual(document.replaced(self.TEXT, {}), self.TEXT)

    def test_no_place(self):
        with self.assertRaisesRegex(FabricError, 'place for: z'):
            document.replaced(self.TEXT, {'x': '', 'z': ''})

    def test_evaluation_has_a_place_for_each(self):
        text = (report.HERE.parents[1] / 'Documentation' / 'evaluation.md').read_text()
        names = [*(each.name for each in report.EVERY), report.RATIOS]
        self.assertEqual(sorted(match[1] for match in document.BLOCK.finditer(text)),
                         sorted(names))


def every_case():
    return [*(each for each in report.EVERY if not isinstance(each, Grid)),
            *(case for grid in report.GRIDS for case in grid.cases)]


class TestCases(unittest.TestCase):
    def test_names(self):
        cases = every_case()
        cases += [case.twin() for case in cases if case.apart]
        names = [each.name for each in [*cases, *report.GRIDS]]
        self.assertEqual(len(set(names)), len(names))
        for case in cases:
            rows = [row.name for row in case.rows]
            self.assertEqual(len(set(rows)), len(rows))
            self.assertLessEqual(set(case.figures), set(plots.FIGURES))
            self.assertLessEqual(set(case.tables), set(report.TABLES))
            # Only where flows are left there is what these are made of.
            self.assertEqual(bool(case.until), bool({'shares', 'beside'} & set(case.tables)))
            self.assertLessEqual({row.scheme for row in case.rows}, set(SCHEMES))


    def test_twins(self):
        """Of what one load's table is made of: the same but for when flows begin."""
        for grid in report.GRIDS:
            for case in grid.cases:
                twin = case.twin()
                self.assertEqual(twin is not None,
                                 grid.name in ('rail-load-0.8', 'dragonfly-load-0.8'))
                if twin:
                    self.assertEqual(twin.flows, f'{case.flows} --apart 1ms')
                    self.assertEqual((twin.rows, twin.options, twin.topology, twin.mem),
                                     (case.rows, case.options, case.topology, case.mem))
                    self.assertIsNone(twin.twin())

    def test_one_message(self):
        """What lapsmp is given at once is what flows are cut to; TCP has its own chunks."""
        for case in (case for grid in report.GRIDS for case in grid.cases):
            self.assertTrue(case.flows.endswith('--max-size 2M'))
            for row in case.rows:
                self.assertEqual(row.options.endswith('--chunk 2M'),
                                 SCHEMES[row.scheme].proto == 'lapsmp')
                # Of one buffer for all classes it is said in the name.
                self.assertEqual('--alpha' in row.options, row.name.endswith('-shared'))
        self.assertEqual(as_messages([Row('x', 'lapsmp', '--loss 1e-6')], '5K')[0].options,
                         '--loss 1e-6 --chunk 5K')


class TestChoice(unittest.TestCase):
    def chosen(self, *words):
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name) / 'new' / 'place'
            opt = report.parse([*words, '--out', str(out)])
            self.assertTrue(out.is_dir())
            return opt

    def test_ratios(self):
        """The table of all that has run: with the whole report, and where it is asked for."""
        for words, want in (((), True), (('--quick',), False), (('--only', 'ratios'), True),
                            (('--only', 'rail-a2o'), False),
                            (('--only', 'rail-a2o,ratios'), True)):
            self.assertEqual(self.chosen(*words).ratios, want, words)

    def test_only(self):
        opt = self.chosen('--only', 'rail-load-0.5,rail-a2o,ratios')
        self.assertEqual([case.name for case in opt.alone], ['rail-a2o'])
        self.assertEqual([grid.name for grid in opt.grids], ['rail-load-0.5'])
        self.assertEqual([case.name for case in opt.cases],
                         ['rail-a2o', *(case.name for case in opt.grids[0].cases)])
        self.assertEqual(self.chosen('--only', 'ratios').cases, [])
        opt = self.chosen('--only', 'rail-rpc-load-0.8')
        self.assertEqual([(grid.name, grid.title) for grid in opt.grids],
                         [('rail-rpc-load-0.8', next(grid.title for grid in report.GRIDS
                                                     if grid.name == 'rail-load-0.8'))])
        self.assertEqual([case.name for case in [*opt.cases, *opt.twins]],
                         ['rail-rpc-load-0.8', 'rail-rpc-load-0.8-apart'])
        with self.assertRaisesRegex(FabricError, "no case 'x'"):
            self.chosen('--only', 'x')

    def test_jobs(self):
        """Twins run for the same rows, once each, and only where their case does."""
        opt = self.chosen('--only', 'rail-load-0.8', '--seeds', '3', '--schemes', 'lapsmp,dctcp')
        found = [(case.name, row.name, seed) for case, row, seed, _ in report.jobs(opt)]
        for name in ('lapsmp', 'lapsmp-shared', 'dctcp'):
            for case, seeds in (('rail-storage-load-0.8', [1, 2, 3]),
                                ('rail-storage-load-0.8-apart', [1])):
                self.assertEqual([job[2] for job in found if job[:2] == (case, name)], seeds)
        self.assertEqual(len(found), 5 * 3 * (3 + 1))
        self.assertEqual(self.chosen('--only', 'rail-load-0.5').twins, [])


class TestLate(unittest.TestCase):
    def test_bounds(self):
        """A hundredth of what flows take, and 10 us; if some of the two did not end, the latter."""
        for late, mean, done, fine in ((100, 10000, 2, True), (101, 10000, 2, False),
                                       (10000, 10**9, 2, True), (10001, 10**9, 2, False),
                                       (0, 0, 2, True), (1, 0, 2, False),
                                       (10000, 10000, 1, True), (10001, 10000, 1, False),
                                       (10000, 0, 0, True), (10001, 0, 0, False)):
            result = {'late_ns': late, 'late_sockets': 0, 'flows': 2, 'done': done,
                      'fct_ns': {'mean': mean}}
            with self.subTest(result):
                if fine:
                    run.check_late(result)
                else:
                    with self.assertRaisesRegex(SystemExit, f'began {late} ns late'):
                        run.check_late(result)

    def test_no_connection(self):
        with self.assertRaisesRegex(SystemExit, '3 flows found no connection'):
            run.check_late({'late_ns': 0, 'late_sockets': 3, 'flows': 1, 'done': 1,
                            'fct_ns': {'mean': 9}})


class TestGather(unittest.TestCase):
    def test_one_object(self):
        """Whatever lapsctl tells of each host, by its name."""
        hosts = [argparse.Namespace(name=name) for name in ('a', 'b')]
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(run, 'call', lambda *words, **_: json.dumps(words[3]) + '\n'):
            for some in (hosts, hosts[:1], []):
                run.write_all(pathlib.Path(name) / 'x.json', some, ['path', 'show'])
                self.assertEqual(json.loads((pathlib.Path(name) / 'x.json').read_text()),
                                 {host.name: host.name for host in some})


class TestSchemes(unittest.TestCase):
    def test_limits(self):
        """Each is measured by what its packets can carry."""
        self.assertEqual({scheme.proto for scheme in SCHEMES.values()}, set(tables.WIRES))

    def sysctls(self, name, *given):
        return run.lapsmp_sysctls(argparse.Namespace(seed=2, set=given), SCHEMES[name], 3)

    def test_short_messages(self):
        """They have classes, but in the paper's halves and where it is shown without."""
        plain = {'lapsmp-paper', 'lapsmp-paper-control', 'lapsmp-paper-softmax', 'lapsmp-plain',
                 'lapsmp-auto-plain', 'lapsmp-ports-plain'}
        for name, scheme in SCHEMES.items():
            if scheme.proto == 'lapsmp':
                self.assertEqual(self.sysctls(name)['net.lapsmp.express_tos'],
                                 '0 0 0 0' if name in plain else '192 104 72 40', name)

    def test_plain(self):
        """As their models but for that one setting."""
        for name in ('lapsmp', 'lapsmp-auto', 'lapsmp-ports'):
            found = self.sysctls(f'{name}-plain')
            self.assertEqual({**found, 'net.lapsmp.express_tos': '192 104 72 40'},
                             self.sysctls(name))

    def test_settings_win(self):
        for name in ('lapsmp', 'lapsmp-plain'):
            found = self.sysctls(name, 'net.lapsmp.express_tos=40 0 0 8', 'net.lapsmp.seed=7')
            self.assertEqual((found['net.lapsmp.express_tos'], found['net.lapsmp.seed']),
                             ('40 0 0 8', '7'))
        self.assertEqual(self.sysctls('lapsmp')['net.lapsmp.seed'], 2003)

    def words(self, *names):
        args = argparse.Namespace(out=pathlib.Path('out'), flows='flows', timeout=30, seed=1,
                                  pool=32, serial=False, chunk=0, until=0)
        return run.lapsperf_words(args, [SCHEMES[name] for name in names], 'true')

    def test_classes(self):
        """DCTCP's as lapsmp's: 12 KiB with acknowledgments, 48, 128, and 512."""
        words = self.words('dctcp-class')
        self.assertEqual(words[words.index('--class') + 1],
                         '12288:192,49152:104,131072:72,524288:40')
        for name in SCHEMES:
            self.assertEqual('--class' in self.words(name), 'class' in name)

    def test_beside(self):
        """Only the first transport can have classes."""
        self.assertFalse(run.can_be_beside(SCHEMES['dctcp-class']))
        self.assertTrue(run.can_be_beside(SCHEMES['dctcp']))
        self.assertFalse(run.can_be_beside(SCHEMES['lapsmp']))

    def test_subflows(self):
        """Only MPTCP has some, and only if lapsperf may be its path manager."""
        for scheme in SCHEMES.values():
            self.assertEqual(scheme.proto == 'mptcp', scheme.subflows > 1)
            self.assertEqual(scheme.proto == 'mptcp',
                             scheme.sysctls.get('net.mptcp.pm_type') == '1')

    def test_missing_subflows(self):
        scheme = SCHEMES['mptcp-8']
        run.check_subflows(scheme, {'subflows': 8})
        run.check_subflows(SCHEMES['dctcp'], {})
        for n in (0, 7):
            with self.assertRaisesRegex(SystemExit, f'had {n} subflows'):
                run.check_subflows(scheme, {'subflows': n})


if __name__ == '__main__':
    unittest.main()
