# SPDX-License-Identifier: GPL-2.0
"""Tests of networks and their routing, without root: python3 -m unittest

Those that compare with lapsctl need it in PATH, or its name in the environment variable
LAPSCTL; otherwise they are skipped.
"""
import contextlib
import io
import itertools
import json
import os
import random
import shutil
import subprocess
import tempfile
import unittest

import build
import ideal
import topology
from common import FabricError

LAPSCTL = os.environ.get('LAPSCTL') or shutil.which('lapsctl')
DEFAULTS = {'delay': '1us', 'rate': '8gbit'}    # a byte per ns
INFINITE = float('inf')


def net(hosts, switches, links, **more):
    """A topology; a link is 'a b' or ('a b', {...}), `more` has members of nodes."""
    nodes = [{'name': name, 'kind': 'host', 'addr': f'fd00::2:{i:x}', **more.get(name, {})}
             for i, name in enumerate(hosts.split(), 1)]
    nodes += [{'name': name, 'kind': 'switch', 'sid': f'fd00::1:{i:x}', **more.get(name, {})}
              for i, name in enumerate(switches.split(), 1)]
    made = []
    for link in links:
        ends, values = link if isinstance(link, tuple) else (link, {})
        made.append({**dict(zip('ab', ends.split())), **values})
    return topology.parse(json.dumps({'defaults': DEFAULTS, 'nodes': nodes, 'links': made}))


def lapsctl(*words):
    return subprocess.run([LAPSCTL, *words], check=True, capture_output=True, text=True).stdout


def generated(*words):
    return topology.parse(lapsctl('topology', 'generate', *words))


def hop_names(topo, src, dst):
    routes = topology.Routes(topo)
    return [topo.nodes[arc.head].name for arc in routes.hops(topo.node(src), topo.node(dst))]


DIAMOND = ['a r', 'r s', 'r t', 's u', 't u', 'u b']


class TestRouting(unittest.TestCase):
    def test_equal_costs(self):
        self.assertEqual(hop_names(net('a b', 'r s t u', DIAMOND), 'r', 'b'), ['s', 't'])

    def test_costs(self):
        links = [('r s', {'cost': 2}) if link == 'r s' else link for link in DIAMOND]
        self.assertEqual(hop_names(net('a b', 'r s t u', links), 'r', 'b'), ['t'])

    def ways(self, links):
        topo = net('a b', 'r s t u', links)
        return sorted(topo.nodes[arc.tail].name + topo.nodes[arc.head].name for arc in
                      topology.Routes(topo).ways(topo.node('a'), topo.node('b')))

    def test_ways(self):
        self.assertEqual(self.ways(DIAMOND), ['ar', 'rs', 'rt', 'su', 'tu', 'ub'])
        self.assertEqual(self.ways([('s u', {'cost': 2}) if link == 's u' else link
                                    for link in DIAMOND]), ['ar', 'rt', 'tu', 'ub'])

    def test_down_links(self):
        links = [('t u', {'up': False}) if link == 't u' else link for link in DIAMOND]
        self.assertEqual(hop_names(net('a b', 'r s t u', links), 'r', 'b'), ['s'])
        self.assertEqual(hop_names(net('a b', 'r', ['a r', ('r b', {'up': False})]), 'a', 'b'), [])

    def test_parallel_links(self):
        topo = net('a b', 'r s', ['a r', 'r s', 's r', ('r s', {'cost': 2}), 's b'])
        self.assertEqual([arc.link.index for arc in topology.Routes(topo).hops(
            topo.node('r'), topo.node('b'))], [1, 2])

    def test_oneway(self):
        topo = net('a b', 'r s', ['a r', ('r s', {'oneway': True}), 's b'])
        self.assertEqual(hop_names(topo, 'a', 'b'), ['r'])
        self.assertEqual(hop_names(topo, 'b', 'a'), [])

    def test_hosts_do_not_forward(self):
        links = ['a r', 'r h', 'h s', 's b', 'r t', ('t s', {'cost': 9})]
        self.assertEqual(hop_names(net('a b h', 'r s t', links), 'r', 'b'), ['t'])
        topo = net('a b h', 'r s t', links, h={'transit': 'any'})
        self.assertEqual(hop_names(topo, 'r', 'b'), ['h'])

    def test_routers_know_no_groups(self):
        topo = net('a b', 'r c s', ['a r', 'r c', 'c s', 's b'],
                   c={'transit': 'group', 'group': 'elsewhere'})
        self.assertEqual(hop_names(topo, 'r', 'b'), ['c'])
        with self.assertRaisesRegex(FabricError, 'no way'):
            ideal.Ideal(topo, ideal.Wire(1000, 1048)).path(topo.node('a'), topo.node('b'))

    def test_random_networks(self):
        """Against Floyd and Warshall's method, where only who forwards is passed."""
        for seed in range(20):
            rng = random.Random(seed)
            names = [f'n{i}' for i in range(12)]
            transit = {name: {'transit': rng.choice(('none', 'any', 'any'))} for name in names}
            links = [(' '.join(rng.sample(names, 2)), {'cost': rng.randint(1, 3),
                                                       'up': rng.random() < 0.9,
                                                       'oneway': rng.random() < 0.2})
                     for _ in range(24)]
            self.compare(net('', ' '.join(names), links, **transit))

    def compare(self, topo):
        every = range(len(topo.nodes))
        far = {pair: INFINITE for pair in itertools.product(every, every)}
        for arcs in topo.out:
            for arc in arcs:
                far[arc.tail, arc.head] = min(far[arc.tail, arc.head], arc.link.cost)
        for k in (k for k in every if topo.nodes[k].transit != 'none'):
            for i, j in itertools.product(every, every):
                far[i, j] = min(far[i, j], far[i, k] + far[k, j])
        routes = topology.Routes(topo)
        for i, j in itertools.permutations(every, 2):
            cost = routes.cost(topo.nodes[i], topo.nodes[j])
            self.assertEqual(INFINITE if cost is None else cost, far[i, j])
            hops = [arc for arc in topo.out[i] if far[i, j] < INFINITE and
                    (far[i, j] == arc.link.cost if arc.head == j else
                     topo.nodes[arc.head].transit != 'none' and
                     far[i, j] == arc.link.cost + far[arc.head, j])]
            self.assertCountEqual(routes.hops(topo.nodes[i], topo.nodes[j]), hops)

    @unittest.skipUnless(LAPSCTL, 'no lapsctl')
    def test_costs_are_those_of_lapsctl(self):
        for words in (['dragonfly', '--groups', '5'], ['rail', '--clusters', '3', '--gpus', '4'],
                      ['torus', '--dims', '3x4'], ['fat-tree'], ['leaf-spine']):
            with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
                file.write(lapsctl('topology', 'generate', *words))
                file.flush()
                topo = topology.load(file.name)
                routes = topology.Routes(topo)
                pairs = list(itertools.permutations(topo.hosts(), 2))
                for src, dst in random.Random(1).sample(pairs, 12):
                    found = json.loads(lapsctl('-j', 'path', 'compute', file.name, '--from',
                                               src.name, '--to', dst.name, '-k', '1',
                                               '--metric', 'cost'))
                    self.assertEqual(routes.cost(src, dst), found['paths'][0]['cost'])


class TestFile(unittest.TestCase):
    def test_values(self):
        topo = net('a b', 'r', [('a r', {'delay': '1.5us', 'rate': '100gbit'}),
                                ('r b', {'delay': 7, 'rate': 12345})])
        self.assertEqual([(link.delay_ns, link.rate, link.cost) for link in topo.links],
                         [(1500, 12500000000, 1), (7, 12345, 1)])

    def test_refusals(self):
        for link, text in (({'delay': '5'}, 'unit'), ({'rate': '1gigabit'}, 'unit'),
                           ({'cost': 0}, 'range'), ({'up': 1}, 'no bool'), ({'dely': 1}, 'known'),
                           ({'a-sid': 'fe80::1'}, 'routed'), ({'b': 'a'}, 'one node')):
            with self.assertRaisesRegex(FabricError, r'links\[0\]: .*' + text):
                net('a b', '', [('a b', link)])
        with self.assertRaisesRegex(FabricError, 'belongs to'):
            net('a b', '', [], b={'addr': 'fd00::2:1'})
        with self.assertRaisesRegex(FabricError, 'given twice'):
            topology.parse('{"nodes": [], "nodes": []}')


class TestBuild(unittest.TestCase):
    def dry_run(self, topo, *words):
        """What would be done: texts by the files' names."""
        with tempfile.TemporaryDirectory() as where:
            plan = build.Plan(topo, build.arguments(['-', *words]))
            build.dry_run(plan, where)
            texts = {}
            for folder, _, names in os.walk(where):
                for name in names:
                    with open(os.path.join(folder, name), encoding='ascii') as file:
                        texts[name] = file.read().splitlines()
            return plan, texts

    def test_texts(self):
        _, texts = self.dry_run(net('a b', 'r s t u', DIAMOND), '--ecn', '30K', '--loss', '1e-6',
                                '--dscp', '48,26,18,10')
        self.assertEqual(texts['links'][2],
                         'link add l2 netns r address 02:00:00:00:02:01 mtu 1500 type veth '
                         'peer name l2 netns t address 02:00:00:00:02:02 mtu 1500')
        self.assertIn('route add default src fd00::2:1 via fe80::2 dev l0', texts['a'])
        self.assertIn('route add fd00::2:2/128 nexthop via fe80::1:2 dev l1 '
                      'nexthop via fe80::2:2 dev l2', texts['r'])
        self.assertIn('neigh add fe80::2:2 lladdr 02:00:00:00:02:02 dev l2 nud permanent',
                      texts['r'])
        self.assertRegex(texts['fablink'][0], r'^a l0 rate 1000000000 delay 1000 limit 4000000 '
                         r'loss 4295 seed \d+ dscp 48,26,18,10 tcp-acks$')
        self.assertRegex(texts['fablink'][1], r'^r l0 .* limit 150000 ecn 30000 loss')
        _, shared = self.dry_run(net('a b', 'r s t u', DIAMOND), '--alpha', '1.5')
        self.assertRegex(shared['fablink'][1], r'^r l0 .* limit 150000 alpha 384 seed')
        self.assertNotIn('alpha', shared['fablink'][0] + texts['fablink'][1])
        seeds = [line.split()[2] for line in texts['sysctls'] if 'hash_seed' in line]
        self.assertEqual(len(set(seeds)), 6)
        self.assertIn('r ipv6/conf/all/forwarding 1', texts['sysctls'])
        self.assertIn('a ipv6/conf/all/forwarding 0', texts['sysctls'])

    def test_before_it_is_used(self):
        """Devices are up before neighbours and routes, and routes go by known neighbours."""
        _, texts = self.dry_run(net('a b', 'r s t u', DIAMOND))
        for name in 'abrstu':
            up, known = set(), set()
            for words in map(str.split, texts[name]):
                if words[:2] == ['link', 'set']:
                    up.add(words[2])
                elif words[0] == 'neigh':
                    self.assertIn(words[words.index('dev') + 1], up)
                    known.add((words[2], words[words.index('dev') + 1]))
                for i, word in enumerate(words):
                    if word == 'via':
                        self.assertIn((words[i + 1], words[i + 3]), known)

    def test_down_and_oneway(self):
        _, texts = self.dry_run(net('a b', '', [('a b', {'up': False}), ('a b', {'oneway': True})]))
        self.assertEqual([line.endswith(' down') for line in texts['fablink']],
                         [True, True, False, True])
        self.assertNotIn('route', ' '.join(texts['b']))

    def test_two_links(self):
        _, texts = self.dry_run(net('a b', 'r s', ['a r', 'a s', 'b r', 'b s']))
        self.assertIn('route add fd00::2:2/128 src fd00::2:1 nexthop via fe80::2 dev l0 '
                      'nexthop via fe80::1:2 dev l1', texts['a'])

    def test_refusals(self):
        topo = net('a b', '', [('a b', {'a-sid': 'fd00::9'})])
        with self.assertRaisesRegex(FabricError, 'SID'):
            self.dry_run(topo)
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as end:
            self.dry_run(topo, '--loss', '2')
        self.assertEqual(end.exception.code, 1)
        for text in ('', '-1', '0.001', '10000', '1e3', 'x'):
            with self.assertRaisesRegex(FabricError, 'no part of a buffer'):
                build.alpha(text)
        for text in ('', '48,', '64', '-1', '48,x', '1,2,3,4,5'):
            with self.assertRaisesRegex(FabricError, 'one to 4 numbers'):
                build.dscps(text)

    @unittest.skipUnless(LAPSCTL, 'no lapsctl')
    def test_counts(self):
        """Switches have a route to each other node, hosts one."""
        for words, nodes, links, routes in (
                (['dragonfly'], 180, 234, 36 * 179 + 144), (['rail'], 144, 192, 80 * 143 + 64),
                (['fat-tree', '--ports', '8'], 208, 384, 80 * 207 + 128),
                (['leaf-spine'], 24, 32, 8 * 23 + 16),
                # Hosts that forward, each with an address and a SID.
                (['torus', '--dims', '4x4'], 16, 32, 16 * 15 * 2)):
            plan, texts = self.dry_run(generated(*words))
            self.assertEqual((len(texts['namespaces']), len(texts['links']), plan.n_routes),
                             (nodes, links, routes))
            self.assertEqual(len(texts['fablink']), 2 * links)


if __name__ == '__main__':
    unittest.main()
