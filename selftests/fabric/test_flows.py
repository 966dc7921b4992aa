# SPDX-License-Identifier: GPL-2.0
"""Tests of flows and their ideal times: python3 -m unittest"""
import collections
import contextlib
import io
import os
import random
import tempfile
import unittest

import cdf
import flowfile
import flows
import ideal
from common import FabricError
from flowfile import Flow
from test_fabric import net

WORKLOADS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'workloads')
# Eight hosts in two groups on a switch; links of a byte per ns.
NAMES = [f'h{i}' for i in range(8)]
STAR = net(' '.join(NAMES), 'r', [f'{name} r' for name in NAMES],
           **{name: {'group': f'g{i // 4}'} for i, name in enumerate(NAMES)})
# Packets of 1000 bytes in frames of 1048, as in the simulations of the LAPS paper.
WIRE = ideal.Wire(1000, 1048)


def make(*words):
    opt = flows.arguments([words[0], '-', *words[1:]])
    return opt.make(flows.Cast(STAR, opt), opt)[0]


def poisson(*words, load='0.5', duration='2ms', workload='rpc'):
    return make('poisson', '--workload', f'{WORKLOADS}/{workload}.cdf', '--load', load,
                '--duration', duration, *words)


def ends(made):
    return {(flow.src, flow.dst) for flow in made}


def file_of(made):
    """Through a file and back."""
    with tempfile.NamedTemporaryFile('w+', encoding='ascii') as file:
        flowfile.write(file, made, ['a remark'])
        file.flush()
        return flowfile.read(file.name)


class TestCdf(unittest.TestCase):
    def test_means(self):
        """Added up by hand: each step's probability times the middle of its sizes."""
        for name, mean in (('websearch', 1711250), ('storage', 40869.8)):
            self.assertAlmostEqual(cdf.load(f'{WORKLOADS}/{name}.cdf').mean(), mean, 3)

    def test_limit(self):
        points = [(0, 0), (100, 0.5), (300, 1)]
        self.assertEqual(cdf.Cdf(points).mean(), 0.5 * 50 + 0.5 * 200)
        # From 100 to 200 as before, and what was above is 200.
        self.assertEqual(cdf.Cdf(points, 200).mean(), 25 + 0.25 * 150 + 0.25 * 200)
        self.assertEqual(cdf.Cdf([(7, 0.5), (9, 1)]).mean(), 3.5 + 4)

    def test_draws(self):
        for name in ('websearch', 'datamining', 'rpc', 'hadoop', 'storage'):
            sizes, rng = cdf.load(f'{WORKLOADS}/{name}.cdf', 100000), random.Random(1)
            drawn = [sizes.draw(rng) for _ in range(20000)]
            self.assertTrue(1 <= min(drawn) and max(drawn) <= 100000)
            self.assertAlmostEqual(sum(drawn) / len(drawn) / sizes.mean(), 1, delta=0.05)

    def test_refusals(self):
        for points in ([(0, 0)], [(0, 0), (5, 0.5)], [(9, 0), (5, 1)],
                       [(0, 0.5), (5, 0.2), (6, 1)]):
            with self.assertRaises(FabricError):
                cdf.Cdf(points)


class TestPoisson(unittest.TestCase):
    def test_load(self):
        """Payload over the links' rate: of each sender, or into the one receiver."""
        for words, links in (([], 8), (['--pattern', 'all-to-one'], 1),
                             (['--pattern', 'one-to-all'], 1), (['--pattern', 'permutation'], 8)):
            for load in (0.3, 0.9):
                made = poisson('--max-size', '10K', *words, load=str(load), duration='8ms')
                offered = sum(flow.size for flow in made) / (links * 8e6)
                self.assertAlmostEqual(offered / load, 1, delta=0.05)

    def test_load_after_a_limit(self):
        made = poisson('--max-size', '50K', workload='websearch', duration='100ms')
        self.assertEqual(max(flow.size for flow in made), 50000)
        self.assertAlmostEqual(sum(flow.size for flow in made) / 800e6, 0.5, delta=0.02)

    def test_load_of_another_rate(self):
        made = poisson('--rate', '4gbit', '--max-size', '10K', duration='8ms')
        self.assertAlmostEqual(sum(flow.size for flow in made) / 64e6, 0.25, delta=0.01)

    def test_load_of_the_network(self):
        """One switch carries what its hosts' links do."""
        made, same = (poisson('--rate', rate, '--max-size', '10K', duration='1ms')
                      for rate in ('network', '8gbit'))
        self.assertAlmostEqual(len(made) / len(same), 1, delta=0.1)

    def test_times(self):
        made = poisson(duration='300us')
        starts = [flow.start_ns for flow in made]
        self.assertEqual(starts, sorted(starts))
        self.assertLess(max(starts), 300000)
        self.assertEqual([flow.id for flow in made], list(range(1, len(made) + 1)))

    def test_apart(self):
        """The same flows one at a time, of whatever length the time was."""
        made, apart = poisson(duration='300us'), poisson('--apart', '1ms', duration='300us')
        self.assertEqual([flow.start_ns for flow in apart],
                         [10**6 * i for i in range(len(made))])
        self.assertEqual([flow._replace(start_ns=0) for flow in apart],
                         [flow._replace(start_ns=0) for flow in made])
        self.assertGreater(len({flow.start_ns for flow in made}), 1)

    def test_patterns(self):
        self.assertEqual(len(ends(poisson())), 8 * 7)
        self.assertEqual({dst for _, dst in ends(poisson('--pattern', 'all-to-one'))}, {'h0'})
        self.assertEqual(ends(poisson('--pattern', 'one-to-all', '--target', 'h5')),
                         {('h5', name) for name in NAMES if name != 'h5'})
        self.assertEqual(len(ends(poisson('--inter-group'))), 8 * 4)
        self.assertEqual(len(ends(poisson('--inter-group', '--group-size', '2'))), 8 * 6)
        self.assertEqual(ends(poisson('--hosts', 'h3,h1')), {('h1', 'h3'), ('h3', 'h1')})

    def test_destinations_are_alike(self):
        made = poisson('--pattern', 'one-to-all', duration='50ms')
        found = collections.Counter(flow.dst for flow in made)
        for n in found.values():
            self.assertAlmostEqual(n * 7 / found.total(), 1, delta=0.1)

    def test_seeds(self):
        self.assertEqual(poisson(duration='300us'), poisson(duration='300us'))
        self.assertNotEqual(poisson(duration='300us'), poisson('--seed', '2', duration='300us'))

    def test_refusals(self):
        for words in (['--hosts', 'h1'], ['--hosts', 'h1,h1'], ['--hosts', 'h1,r'],
                      ['--count', '9'], ['--target', 'h9'], ['--inter-group', '--count', '4']):
            with self.assertRaises(FabricError):
                poisson(*words)


class TestBulk(unittest.TestCase):
    def test_the_paper(self):
        """All others send to the first one, or the first of them."""
        self.assertEqual(ends(make('llm', '--pattern', 'all-to-one')),
                         {(name, 'h0') for name in NAMES[1:]})
        made = make('llm', '--pattern', 'all-to-one', '--count', '6', '--size', '64M')
        self.assertEqual(ends(made), {(name, 'h0') for name in NAMES[1:6]})
        self.assertEqual({(flow.start_ns, flow.size) for flow in made}, {(0, 64000000)})
        self.assertEqual(ends(make('llm', '--pattern', 'all-to-one', '--inter-group')),
                         {(name, 'h0') for name in NAMES[4:]})

    def test_permutations(self):
        for seed in map(str, range(20)):
            for words in ([], ['--inter-group']):
                made = make('llm', '--pattern', 'permutation', '--seed', seed, *words)
                self.assertEqual(sorted(flow.src for flow in made), NAMES)
                self.assertEqual(sorted(flow.dst for flow in made), NAMES)
                for flow in made:
                    self.assertTrue(flow.src != flow.dst and (not words or (
                        NAMES.index(flow.src) < 4) != (NAMES.index(flow.dst) < 4)))

    def test_jitter(self):
        starts = [flow.start_ns for flow in make('llm', '--jitter', '5us')]
        self.assertTrue(0 <= min(starts) < 1000 and 4000 < max(starts) <= 5000)

    def test_head_start(self):
        words = 'llm', '--pattern', 'all-to-one', '--jitter', '1us'
        plain, made = make(*words), make(*words, '--head-start', '5us')
        first, *others = made
        self.assertEqual(first.src, 'h1')
        start = {flow.src: flow.start_ns for flow in plain}
        for flow in others:
            self.assertEqual(flow.start_ns, start[flow.src] + 5000)
        self.assertEqual(first.start_ns, start['h1'])


class TestAllreduce(unittest.TestCase):
    def steps(self, made):
        """Of each flow, how many are one behind the other up to it."""
        depth = {}
        for flow in made:
            for i in flow.after:
                self.assertEqual(made[i - 1].dst, flow.src)
            depth[flow.id] = 1 + max((depth[i] for i in flow.after), default=0)
        return depth

    def test_algorithms(self):
        """Flows, those that are one behind the other, and how often all bytes are sent."""
        for name, n, steps, times in (('ring', 8 * 14, 14, 14), ('all-to-all', 2 * 8 * 7, 2, 14),
                                      ('recursive-doubling', 8 * 3, 3, 24)):
            made = file_of(make('allreduce', '--algorithm', name, '--size', '8001'))
            self.assertEqual(len(made), n)
            self.assertEqual(max(self.steps(made).values()), steps)
            self.assertEqual(sum(flow.size for flow in made), times * 8001)

    def test_ring_goes_round(self):
        made = make('allreduce', '--size', '8000')
        self.assertEqual(ends(made), {(NAMES[i - 1], NAMES[i]) for i in range(8)})
        for flow in made[8:]:
            self.assertEqual(len(flow.after), 1)

    def test_doubling_waits_for_all_before(self):
        made = make('allreduce', '--algorithm', 'recursive-doubling', '--size', '8K')
        self.assertEqual({len(flow.after) for flow in made[16:]}, {2})
        with self.assertRaisesRegex(FabricError, '2, 4, 8'):
            make('allreduce', '--algorithm', 'recursive-doubling', '--size', '8K', '--count', '6')


class TestFlowFile(unittest.TestCase):
    def read(self, text):
        with tempfile.NamedTemporaryFile('w', encoding='ascii') as file:
            file.write(text)
            file.flush()
            return flowfile.read(file.name)

    def test_lines(self):
        self.assertEqual(self.read('# x\n\n3 10 a b 5 # y\n7 0 b c 6 AFTER 3\n'),
                         [Flow(3, 10, 'a', 'b', 5), Flow(7, 0, 'b', 'c', 6, (3,))])

    def test_refusals(self):
        for text in ('1 0 a b', '1 0 a a 5', '1 0 a b 0', '1 x a b 5', '2 0 a b 5\n1 0 a b 5',
                     '1 0 a b 5 AFTER 1', '1 0 a b 5\n2 0 a b 5 AFTER 1', '1 0 a b 5 LATER 1'):
            with self.assertRaisesRegex(FabricError, r':\d: '):
                self.read(text + '\n')

    def test_the_same_file_everywhere(self):
        """Its remarks name no folders."""
        with tempfile.TemporaryDirectory() as where:
            with open(f'{where}/net.json', 'w', encoding='ascii') as file:
                file.write('{"nodes": [{"name": "a", "kind": "host", "addr": "fd00::1"},'
                           '{"name": "b", "kind": "host", "addr": "fd00::2"}], "links":'
                           '[{"a": "a", "b": "b", "delay": 0, "rate": "8gbit"}]}')
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                flows.main(['llm', f'{where}/net.json', '--size', '1M'])
        self.assertEqual(out.getvalue(), '# flows.py llm net.json --size 1M\n'
                         '# 2 flows, 2000000 bytes\n1 0 a b 1000000\n2 0 b a 1000000\n')


class TestIdeal(unittest.TestCase):
    def flow_ns(self, size, topo=STAR, src='h0', dst='h1'):
        return ideal.Ideal(topo, WIRE).flow_ns(Flow(1, 0, src, dst, size))

    def test_one_path(self):
        """Two links of 1 us and a byte per ns: each frame is sent twice."""
        self.assertEqual(self.flow_ns(1000), 2000 + 2 * 1048)
        self.assertEqual(self.flow_ns(10), 2000 + 2 * 58)
        self.assertEqual(self.flow_ns(3000), 2000 + 4 * 1048)
        # The short one is behind the others when these are sent the second time.
        self.assertEqual(self.flow_ns(2010), 2000 + 3 * 1048 + 58)

    def test_unequal_links(self):
        for first, second, size, ns in (
                ('8gbit', '4gbit', 3000, 2000 + 1048 + 3 * 2096),
                ('4gbit', '8gbit', 3000, 2000 + 3 * 2096 + 1048),
                # The last frame is alone on the second link.
                ('800mbit', '8gbit', 1010, 2000 + 10480 + 580 + max(58, 1048 + 58 - 580))):
            topo = net('a b', 'r', [('a r', {'rate': first}), ('r b', {'rate': second})])
            self.assertEqual(self.flow_ns(size, topo, 'a', 'b'), ns)

    def test_fastest_path(self):
        topo = net('a b', 'r s t', ['a r', ('r s', {'delay': '9us'}), 'r t', 't s', 's b'])
        self.assertEqual(self.flow_ns(1000, topo, 'a', 'b'), 4000 + 4 * 1048)

    def test_several_paths(self):
        """Hosts of two bytes per ns over two paths of one: both are needed."""
        wide = {'rate': '16gbit'}
        links = [('a r', wide), 'r s', 's u', 'r t', 't u', ('u b', wide)]
        topo = net('a b', 'r s t u', links)
        one = ideal.Ideal(topo, WIRE)
        self.assertEqual(one.rate(topo.node('a'), topo.node('b')), 2 * 10**9)
        self.assertEqual(one.flow_ns(Flow(1, 0, 'a', 'b', 10**6)),
                         4000 + 3 * 1048 + 999 * 1048 / 2)
        topo = net('a b', 'r s t u', links, t={'transit': 'group', 'group': 'x'})
        self.assertEqual(self.flow_ns(10**6, topo, 'a', 'b'), 4000 + 3 * 1048 + 999 * 1048)

    def test_all_to_one(self):
        """Each of n equal flows takes a turn of its own, or all end with the last one."""
        found = ideal.bounds(ideal.Ideal(STAR, WIRE), [
            Flow(i, 0, f'h{i}', 'h0', 10**6) for i in range(1, 8)])
        turn, way = 1000 * 1048, 2000 + 1048
        self.assertEqual(found.last_ns, way + 7 * turn)
        self.assertEqual(found.busiest, ('h0', 'in'))
        self.assertEqual(found.shortest_mean_ns, way + 4 * turn)
        self.assertAlmostEqual(found.fair_mean_ns, way + 7 * turn, 3)

    def test_servers(self):
        jobs = [ideal.Job(0, 0, 5, 10), ideal.Job(4, 4, 5, 2), ideal.Job(50, 50, 5, 3)]
        self.assertEqual(ideal.serial_ns(10**9, jobs), 50 + 3 + 5)
        self.assertEqual(ideal.shortest_ns(10**9, jobs), [2 + 5, 12 + 5, 3 + 5])
        # From 4 on both have half: the second one has its 2 at 8, the first one the rest.
        self.assertEqual(ideal.fair_ns(10**9, jobs), [4 + 5, 12 + 5, 3 + 5])

    def test_no_schedule_is_shorter(self):
        rng = random.Random(1)
        for _ in range(50):
            jobs = [ideal.Job(t, t, 0, rng.randint(1, 100))
                    for t in (rng.randint(0, 300) for _ in range(9))]
            self.assertLessEqual(sum(ideal.shortest_ns(10**9, jobs)),
                                 sum(ideal.fair_ns(10**9, jobs)) + 1e-6)

    def test_steps(self):
        """What waits begins when what it waits for would be there."""
        made = [Flow(1, 7, 'h0', 'h1', 1000), Flow(2, 5, 'h1', 'h2', 1000, (1,))]
        self.assertEqual(ideal.Ideal(STAR, WIRE).starts(made), {1: 7, 2: 7 + 4096 + 5})


if __name__ == '__main__':
    unittest.main()
