#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of lapsperf fabric's classes, of the traffic that leaves: python3 -m unittest

lapsperf is built for that. Hosts are addresses of one namespace, of our own.
"""
import collections
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / 'tools' / 'lapsperf'
BUILDS = shutil.which('make') and shutil.which('cc')
OWN_NAMESPACE = ('unshare', '--map-root-user', '--mount', '--net')
PORT = 5202
ETH_P_ALL = 3
TCP = 6


def can_have_namespaces():
    return bool(shutil.which('ip') and shutil.which('unshare')) and not subprocess.run(
        [*OWN_NAMESPACE, 'true'], check=False, capture_output=True).returncode


def segment(frame):
    """(DSCP, sender's port, sequence number, bytes of data) of TCP's to PORT, or None."""
    ip = frame[14:]
    if ip[0] >> 4 == 6:
        tos, proto, at, end = (ip[0] & 15) << 4 | ip[1] >> 4, ip[6], 40, 40 + (ip[4] << 8 | ip[5])
    else:
        tos, proto, at, end = ip[1], ip[9], (ip[0] & 15) * 4, ip[2] << 8 | ip[3]
    if proto != TCP or int.from_bytes(ip[at + 2:at + 4], 'big') != PORT:
        return None
    return tos >> 2, ip[at:at + 2], ip[at + 4:at + 8], end - at - (ip[at + 12] >> 4) * 4


def frames(capture):
    """Of those that left: their beginnings."""
    while True:
        try:
            frame, (_, _, kind, _, _) = capture.recvfrom(128)
        except BlockingIOError:
            return
        if kind == socket.PACKET_OUTGOING:
            yield frame


def data_by_dscp(capture):
    """Bytes; what was sent again counts once."""
    sent, by_dscp = set(), collections.Counter()
    for dscp, *which, size in filter(None, map(segment, frames(capture))):
        if tuple(which) not in sent and size:
            sent.add(tuple(which))
            by_dscp[dscp] += size
    return by_dscp


def inside(*words):
    """Within OWN_NAMESPACE: runs lapsperf, and prints what it says and what left."""
    def call(*command):
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout

    call('mount', '-t', 'tmpfs', 'tmpfs', '/run')
    pathlib.Path('/run/netns').mkdir()
    for name in 'ab':
        (pathlib.Path('/run/netns') / name).touch()
        call('mount', '--bind', '/proc/self/ns/net', f'/run/netns/{name}')
    call('ip', 'link', 'set', 'lo', 'up')
    for address in ('fd00::1', 'fd00::2'):
        call('ip', '-6', 'address', 'add', address, 'dev', 'lo', 'nodad')
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL)) as capture:
        capture.bind(('lo', 0))
        capture.setblocking(False)
        said = json.loads(call(*words))
        print(json.dumps([said, data_by_dscp(capture)]))


@unittest.skipUnless(BUILDS, 'no compiler')
class TestClasses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run(['make', '-s', '-C', SOURCES, f'O={cls.folder.name}'], check=True)
        cls.lapsperf = f'{cls.folder.name}/lapsperf'

    def refused(self, *words):
        """Why."""
        done = subprocess.run([self.lapsperf, 'fabric', *words, 'NO-HOSTS', 'NO-FLOWS'],
                              check=False, text=True, capture_output=True)
        self.assertEqual(done.returncode, 1)
        return done.stderr

    def test_refusals(self):
        nine = ','.join(f'{i}:0' for i in range(1, 10))
        for text, why in (('5', '5: a class is BYTES:TCLASS'), ('', 'a class is BYTES:TCLASS'),
                          ('5:1,', 'a class is BYTES:TCLASS'), ('x:1', 'x: not a number'),
                          ('5:x', 'x: not a number'), ('0:1', '0: must be from 1'),
                          ('5:256', '256: must be from 0 to 255'),
                          ('5:-1', '-1: must be from 0 to 255'),
                          ('9:1,5:2', '5: sizes must rise, and it follows 9'),
                          ('9:1,9:2', '9: sizes must rise, and it follows 9'),
                          (nine, 'at most 8 classes')):
            said = self.refused('--proto', 'tcp', '--class', text)
            self.assertRegex(said, f'^lapsperf: --class.*{why}.*\n$', text)

    def test_accepted(self):
        """What is wrong then is that there are no hosts."""
        for text in ('12Ki:192,48Ki:104,128Ki:72,512Ki:40', '5:255',
                     ','.join(f'{i}:0' for i in range(1, 9))):
            self.assertIn('NO-HOSTS: No such file', self.refused('--proto', 'tcp', '--class', text))

    def test_lapsmp(self):
        said = self.refused('--class', '5:1')
        self.assertEqual(said, 'lapsperf: --class: lapsmp chooses them by itself, see '
                         'net.lapsmp.express_tos\n')

    def left(self, hosts, *words):
        """Bytes by DSCP of flows there and back, each when the one before has arrived: those of
        a direction have one connection."""
        folder = pathlib.Path(self.folder.name)
        (folder / 'hosts').write_text(''.join(f'{name} {address}\n'
                                              for name, address in zip('ab', hosts)))
        (folder / 'flows').write_text(
            '1 0 a b 5000\n2 0 b a 999 AFTER 1\n3 0 a b 9000 AFTER 2\n'
            '4 0 b a 5001 AFTER 3\n5 0 a b 1000 AFTER 4\n6 0 b a 2000 AFTER 5\n')
        done = subprocess.run(
            [*OWN_NAMESPACE, sys.executable, '-c', 'import sys, test_lapsperf as t\n'
             't.inside(*sys.argv[1:])', self.lapsperf, 'fabric', folder / 'hosts', folder / 'flows',
             '--proto', 'tcp', '--warm', '16', '--pool', '1', '--settle', '0.05', *words],
            check=True, text=True, capture_output=True, cwd=HERE)
        said, by_dscp = json.loads(done.stdout)
        self.assertEqual((said['done'], said['sockets']), (6, 2))
        return by_dscp

    @unittest.skipUnless(can_have_namespaces(), 'no namespaces')
    def test_each_flow_has_its_class(self):
        """Up to a size, and what is larger has none; a connection's first 16 bytes, too."""
        for hosts in (('fd00::1', 'fd00::2'), ('127.0.0.1', '127.0.0.2')):
            self.assertEqual(
                self.left(hosts, '--class', '999:192,1000:104,4999:72,5000:40'),
                {'48': 2 * 16 + 999, '26': 1000, '18': 2000, '10': 5000, '0': 9000 + 5001}, hosts)

    @unittest.skipUnless(can_have_namespaces(), 'no namespaces')
    def test_no_classes(self):
        self.assertEqual(self.left(('fd00::1', 'fd00::2')),
                         {'0': 2 * 16 + 5000 + 999 + 9000 + 5001 + 1000 + 2000})


if __name__ == '__main__':
    unittest.main()
