#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of a link's bands: one link between two hosts, as build.py makes it. Needs root, a
kernel of the lab in simulated time, and LAPSMP_KO_DIR.
"""
import json
import os
import socket
import subprocess
import tempfile
import time
import unittest

import build
import topology

NETWORK = {'nodes': [{'name': name, 'kind': 'host', 'addr': f'fd00::{name}'} for name in 'ab'],
           'links': [{'a': 'a', 'b': 'b', 'rate': '8mbit', 'delay': '1ms'}]}
BANDS = {'high': 48, 'class1': 26, 'class2': 18, 'class3': 10, 'data': 0}
PORT = 7
# With headers 462 bytes: a link takes 462 us for it, and four may wait.
SIZE = 400
LIMIT = 2000


def fablink(*words, text=''):
    return subprocess.run(['fablink', *words], input=text, text=True, capture_output=True,
                          check=False)


class TestBands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run(['insmod', f'{os.environ["LAPSMP_KO_DIR"]}/sch_lapslink.ko'], check=True)
        cls.links = tempfile.NamedTemporaryFile('w+')
        cls.addClassCleanup(cls.links.close)
        with tempfile.NamedTemporaryFile('w') as net:
            json.dump(NETWORK, net)
            net.flush()
            cls.lab = build.Lab(build.Plan(topology.load(net.name), build.arguments(
                [net.name, '--dscp', '48,26,18,10', '--host-buffer', str(LIMIT),
                 '--links', cls.links.name])))
            cls.lab.build()
        # Hosts have reported their multicast groups then.
        time.sleep(1)

    def setUp(self):
        self.sockets = {}
        self.lab.each(self.open)
        self.sockets['b'].bind(('fd00::b', PORT))
        self.sockets['b'].settimeout(1)
        self.assertEqual(fablink('set', self.links.name).returncode, 0)
        self.assertEqual(fablink('reset').returncode, 0)

    def open(self, node):
        self.sockets[node.name] = sock = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        self.addCleanup(sock.close)

    def send(self, dscp):
        sock = self.sockets['a']
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, dscp << 2)
        sock.sendto(bytes([dscp]) * SIZE, ('fd00::b', PORT))

    def came(self):
        """DSCPs of the packets, in their order."""
        found = []
        try:
            while True:
                found.append(self.sockets['b'].recv(SIZE)[0])
        except TimeoutError:
            return found

    def show(self):
        return json.loads(fablink('show', 'a').stdout)

    def test_priority_and_limits(self):
        """While one packet is sent five wait in each band, the worst first; one too many."""
        self.send(0)
        for _ in range(5):
            for dscp in reversed(BANDS.values()):
                self.send(dscp)
        self.assertEqual(self.came(), [0] + [dscp for dscp in BANDS.values() for _ in range(4)])
        link = self.show()
        self.assertEqual(link['dscp'], [48, 26, 18, 10])
        for band in BANDS:
            packets = 5 if band == 'data' else 4
            self.assertEqual(link[band], {
                'packets': packets, 'bytes': packets * (SIZE + 62), 'queue_drops': 1,
                'waiting_bytes': 0}, band)

    def change(self, text):
        done = fablink('at', '-', '--links', self.links.name, text=f'0 a l0 {text}')
        self.assertEqual(done.returncode, 0, done.stderr)
        fablink('reset')

    def test_one_buffer(self):
        """Each band may have as much as is free, or twice that; none more than is there."""
        for alpha, sent, came in ((256, '0 00000 48 48 48 26 26 18 10', '0 48 48 26 18 0 0 0 0'),
                                  (512, '0 0000000 48 48 48 26', '0 48 48 0 0 0 0 0 0'),
                                  (2**32 - 1, '0 000000000 48', '0 0 0 0 0 0 0 0 0'),
                                  (0, '0 000000000 48', '0 48 0 0 0 0 0 0 0 0')):
            self.change(f'limit {2 * LIMIT} alpha {alpha}')
            for word in sent.split():
                for _ in range(word.count('0') or 1):
                    self.send(int(word))
            self.assertEqual(self.came(), [int(word) for word in came.split()], alpha)
            link = self.show()
            self.assertEqual(link['alpha_q8'], alpha)
            self.assertEqual(sum(link[band]['queue_drops'] for band in BANDS),
                             sum(word.count('0') or 1 for word in sent.split()) - len(came.split()))

    def test_fewer(self):
        """What is not in the list is data; of two that are the same the first counts."""
        for text, dscps, bands in (('10', [10, 255, 255, 255], ('data', 'high')),
                                   ('255,48,10,48', [255, 48, 10, 48], ('class1', 'class2')),
                                   ('255', [255] * 4, ('data', 'data'))):
            self.change(f'dscp {text}')
            for dscp in (48, 10):
                self.send(dscp)
            self.assertEqual(len(self.came()), 2)
            link = self.show()
            self.assertEqual(link['dscp'], dscps)
            self.assertEqual({band: link[band]['packets'] for band in BANDS},
                             {band: bands.count(band) for band in BANDS}, text)

    def test_refusals(self):
        for text in ('64', '-1', '256', 'x', ',', '48,', ',48', '48,,18', '48,26,18,10,0'):
            done = fablink('set', '-', text=f'a l0 dscp {text}')
            self.assertEqual(done.returncode, 1, text)
            self.assertIn(f':1: dscp {text}: give one to 4 numbers', done.stderr)
        for text in ('-1', '4294967296', 'x'):
            self.assertIn(f'alpha {text}: give a number from 0 to 4294967295',
                          fablink('set', '-', text=f'a l0 alpha {text}').stderr)
        for text, why in (('limit 4000 alpha 255', 'leaves a class 1996 bytes'),
                          ('limit 4000 alpha 256 ecn 2001', 'what a class may hold, 2000'),
                          ('limit 4000 ecn 4001', 'what a class may hold, 4000')):
            self.assertIn(why, fablink('set', '-', text=f'a l0 {text}').stderr)
        for text, why in (('dscp', 'dscp has no value'), ('short-dscp 1', 'neither a key')):
            self.assertIn(why, fablink('set', '-', text=f'a l0 {text}').stderr)
        self.assertEqual(self.show()['dscp'], [48, 26, 18, 10])


if __name__ == '__main__':
    unittest.main()
