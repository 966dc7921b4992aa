#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes the network of a topology file: a namespace per node, a veth pair per link.

Run as root inside the lab's kernel. Nothing is resolved or negotiated afterwards: next
hops are link-local addresses that neighbour entries tell the MAC addresses of, and no
device has an address of its own. Rates, delays and queues are the qdisc's (link/), which
`fablink set` puts on all ends at once.

Starting a program is what is expensive in User-mode Linux: there is one `ip -batch` for
all namespaces, one for 400 links and one per node; sysctls and offloads are set from here.
"""
import array
import contextlib
import ctypes
import fcntl
import hashlib
import ipaddress
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

import topology
from common import FabricError, Parser, run, size_bytes

CLONE_NEWNET = 0x40000000
SIOCETHTOOL = 0x8946
# linux/ethtool.h: ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO. A queue counts frames, not
# bursts that somebody cuts later.
OFFLOADS = (0x1f, 0x24, 0x2c)
# ip keeps a file open for each name of a namespace that it has read; it may have 1024.
LINKS_AT_ONCE = 400
# IN6_ADDR_GEN_MODE_NONE: devices without link-local addresses solicit nobody.
ADDR_GEN_NONE = 1
LOSS_ONE = 2**32
# That links have, each of a DSCP: LAPSLINK_CLASSES.
CLASSES = 4
NETNS_DIR = '/run/netns'
SEED_FILE = 'ipv4/fib_multipath_hash_seed'

# TCP must not be limited by its buffers, and one run must not teach another.
HOST_SYSCTLS = [
    ('ipv4/tcp_rmem', '4096 131072 67108864'),
    ('ipv4/tcp_wmem', '4096 16384 67108864'),
    ('ipv4/tcp_no_metrics_save', 1),
    # One jiffy.
    ('ipv4/tcp_rto_min_us', 1000),
    ('ipv4/tcp_slow_start_after_idle', 0),
]


def draw(*words):
    """A number from 1 to 2^32 - 1 that the words give, always the same."""
    digest = hashlib.sha256('/'.join(map(str, words)).encode()).digest()
    return int.from_bytes(digest[:4], 'big') or 1


def dev(link):
    return f'l{link.index}'


def mac(link, end):
    """Of one end of a link: locally administered, 24 bits of index."""
    raw = bytes([2, 0]) + link.index.to_bytes(3, 'big') + bytes([end + 1])
    return raw.hex(':')


def gateway(link, end):
    """The link-local address that stands for one end of a link at the other one."""
    return str(ipaddress.IPv6Address(0xfe80 << 112 | link.index << 16 | end + 1))


class Plan:
    """All that the kernel is told, as text."""

    def __init__(self, topo, opt):
        self.topo, self.opt = topo, opt
        self.routes = topology.Routes(topo)
        self.n_routes = 0
        # Per node, the links that end there, and at which of their ends.
        self.ends = [[] for _ in topo.nodes]
        for link in topo.links:
            if link.has_sid:
                raise FabricError(f'links[{link.index}] has a SID, which is not built: '
                                  'give the nodes SIDs')
            for end in (0, 1):
                self.ends[link.ends[end]].append((link, end))

    def namespaces(self):
        return [f'netns add {node.name}' for node in self.topo.nodes]

    def sysctls(self, node):
        """Files below /proc/sys/net and what they get, before there is any device but lo,
        since later ones begin with the default."""
        opt = self.opt
        sets = [('ipv6/conf/default/accept_dad', 0), ('ipv6/conf/default/accept_ra', 0),
                ('ipv6/conf/default/addr_gen_mode', ADDR_GEN_NONE),
                # Routers report their multicast groups twice; ms, not within a second.
                ('ipv6/conf/default/mldv2_unsolicited_report_interval', 1),
                ('ipv6/conf/all/forwarding', int(node.transit != 'none')),
                ('ipv6/fib_multipath_hash_policy', opt.hash_policy),
                (SEED_FILE, draw(opt.seed, 'hash', node.name))]
        sets += [(f'ipv6/conf/{which}/seg6_enabled', 1) for which in ('all', 'default', 'lo')]
        if opt.hash_fields:
            sets.append(('ipv6/fib_multipath_hash_fields', opt.hash_fields))
        return sets + HOST_SYSCTLS * node.host

    def links(self):
        lines = []
        for link in self.topo.links:
            a, b = (self.topo.nodes[i].name for i in link.ends)
            lines.append(f'link add {dev(link)} netns {a} address {mac(link, 0)} '
                         f'mtu {self.opt.mtu} type veth peer name {dev(link)} netns {b} '
                         f'address {mac(link, 1)} mtu {self.opt.mtu}')
        return lines

    def node(self, node):
        """Of `ip -6 -batch` in the node's namespace."""
        lines = ['link set lo up']
        lines += [f'addr add {addr}/128 dev lo nodad' for addr in node.addresses()]
        for link, end in self.ends[node.index]:
            lines.append(f'link set {dev(link)} up')
            lines.append(f'neigh add {gateway(link, 1 - end)} lladdr {mac(link, 1 - end)} '
                         f'dev {dev(link)} nud permanent')
        routes = self.node_routes(node)
        self.n_routes += len(routes)
        return lines + routes

    def node_routes(self, node):
        source = f' src {node.addr or node.sid}' if node.host and node.addresses() else ''
        if self.routes.stubs[node.index]:
            hops = self.next_hops(self.topo.out[node.index])
            return [f'route add default{source}{hops}']
        lines = []
        for other in self.topo.nodes:
            hops = other.addresses() and self.routes.hops(node, other)
            if hops:
                text = self.next_hops(hops)
                lines += [f'route add {addr}/128{source}{text}' for addr in other.addresses()]
        return lines

    @staticmethod
    def next_hops(arcs):
        vias = [f' via {gateway(arc.link, 1 - arc.end)} dev {dev(arc.link)}' for arc in arcs]
        return vias[0] if len(vias) == 1 else ''.join(' nexthop' + via for via in vias)

    def queues(self):
        """Lines for `fablink set`, both ends of each link."""
        return [self.queue(link, end) for link in self.topo.links for end in (0, 1)]

    def queue(self, link, end):
        """What one end of a link sends: a host's own packets wait, a switch's are dropped."""
        opt, node = self.opt, self.topo.nodes[link.ends[end]]
        words = [node.name, dev(link), 'rate', link.rate, 'delay', link.delay_ns]
        if node.transit == 'none':
            words += ['limit', opt.host_buffer]
        else:
            words += ['limit', opt.buffer] + ['ecn', opt.ecn] * (opt.ecn > 0)
            if opt.alpha:
                words += ['alpha', round(256 * opt.alpha)]
        if opt.loss:
            words += ['loss', min(LOSS_ONE - 1, round(opt.loss * LOSS_ONE))]
        words += ['seed', draw(opt.seed, 'link', link.index, end)]
        if opt.dscp:
            words += ['dscp', ','.join(map(str, opt.dscp)), 'tcp-acks']
        # The way back of a oneway link is none.
        if not link.up or (link.oneway and end == 1):
            words.append('down')
        return ' '.join(map(str, words))


# --- the kernel -------------------------------------------------------------------------


def lines_text(lines):
    return ''.join(line + '\n' for line in lines)


def write_lines(path, lines):
    with open(path, 'w', encoding='ascii') as file:
        file.write(lines_text(lines))


def ip_batch(lines, where):
    """Runs lines in the namespace that this process is in; what fails is said with its line."""
    done = subprocess.run(['ip', '-6', '-batch', '-'], input=lines_text(lines), text=True,
                          capture_output=True, check=False)
    if done.returncode:
        at = re.search(r'Command failed .*:(\d+)', done.stderr)
        line = f" ('{lines[int(at[1]) - 1]}')" if at else ''
        raise FabricError(f'{where}: ip: {" ".join(done.stderr.split())}{line}')


def sysctl_set(path, value):
    with open(f'/proc/sys/net/{path}', 'w', encoding='ascii') as file:
        file.write(f'{value}\n')


def offloads_off(names):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for name in names:
            for cmd in OFFLOADS:
                value = array.array('I', [cmd, 0])
                request = struct.pack('16sP8x', name.encode(), value.buffer_info()[0])
                fcntl.ioctl(sock, SIOCETHTOOL, request)


class Lab:
    """Carries a plan out. Enters namespaces one after the other, and comes back."""

    def __init__(self, plan):
        self.plan = plan
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.home = os.open('/proc/self/ns/net', os.O_RDONLY)
        self.has_seed = os.path.exists(f'/proc/sys/net/{SEED_FILE}')

    def setns(self, fd):
        if self.libc.setns(fd, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f'setns: {os.strerror(ctypes.get_errno())}')

    def enter(self, node):
        fd = os.open(f'{NETNS_DIR}/{node.name}', os.O_RDONLY)
        try:
            self.setns(fd)
        finally:
            os.close(fd)

    def each(self, step):
        """Does a step in the namespace of each node."""
        try:
            for node in self.plan.topo.nodes:
                self.enter(node)
                step(node)
        finally:
            self.setns(self.home)

    def sysctls(self, node):
        for path, value in self.plan.sysctls(node):
            if path != SEED_FILE or self.has_seed:
                sysctl_set(path, value)

    def devices(self, node):
        offloads_off([dev(link) for link, _ in self.plan.ends[node.index]])
        ip_batch(self.plan.node(node), node.name)

    def queues(self):
        with contextlib.ExitStack() as stack:
            path = self.plan.opt.links or stack.enter_context(tempfile.NamedTemporaryFile()).name
            write_lines(path, self.plan.queues())
            done = subprocess.run(['fablink', 'set', path], text=True, capture_output=True,
                                  check=False)
        if done.returncode:
            raise FabricError(f'fablink set: {" ".join(done.stderr.split())}')

    def build(self):
        for program in ('ip', 'fablink'):
            if not shutil.which(program):
                raise FabricError(f'there is no program {program} in PATH')
        if not self.has_seed:
            print('build.py: this kernel has no fib_multipath_hash_seed (6.11): all routers '
                  'choose alike, and otherwise after each boot', file=sys.stderr)
        ip_batch(self.plan.namespaces(), 'namespaces')
        self.each(self.sysctls)
        links = self.plan.links()
        for i in range(0, len(links), LINKS_AT_ONCE):
            ip_batch(links[i:i + LINKS_AT_ONCE], 'links')
        self.each(self.devices)
        self.queues()


def dry_run(plan, where):
    """Writes all that would be done to files."""
    os.makedirs(f'{where}/nodes', exist_ok=True)
    texts = {'namespaces': plan.namespaces(), 'links': plan.links(), 'fablink': plan.queues(),
             'sysctls': [f'{node.name} {path} {value}' for node in plan.topo.nodes
                         for path, value in plan.sysctls(node)]}
    texts.update((f'nodes/{node.name}', plan.node(node)) for node in plan.topo.nodes)
    for name, lines in texts.items():
        write_lines(f'{where}/{name}', lines)


# --- the command line -------------------------------------------------------------------


def probability(text):
    value = float(text)
    if not 0 <= value <= 1 or 0 < value < 1 / LOSS_ONE:
        raise FabricError(f'{text} is not 0, or from 2^-32 to 1')
    return value


def alpha(text):
    if not re.fullmatch(r'[0-9]{1,4}(\.[0-9]+)?', text) or 0 < float(text) < 1 / 256:
        raise FabricError(f"'{text}' is no part of a buffer: 0, or 1/256 to 9999")
    return float(text)


def dscps(text):
    """Best first."""
    words = text.split(',')
    if len(words) > CLASSES or not all(re.fullmatch('[0-9]{1,2}', word) and int(word) < 64
                                       for word in words):
        raise FabricError(f"'{text}' is not one to {CLASSES} numbers from 0 to 63, with commas")
    return [int(word) for word in words]


def arguments(argv):
    parser = Parser(prog='build.py', description='Makes the network of a topology file.')
    parser.add_argument('topology', help='file, as of "lapsctl topology generate"')
    parser.add_argument('--buffer', type=size_bytes, default=150000, metavar='BYTES',
                        help='queue of a port of who forwards (150000)')
    parser.add_argument('--alpha', type=alpha, default=0, metavar='N',
                        help='that is of all its classes together, and each has at most N times'
                        ' what is free in it (0: each class has as much)')
    parser.add_argument('--host-buffer', type=size_bytes, default=4000000, metavar='BYTES',
                        help="queue of a host's own port (4000000)")
    parser.add_argument('--ecn', type=size_bytes, default=0, metavar='BYTES',
                        help='mark behind more queue than this, at who forwards (0: never)')
    parser.add_argument('--loss', type=probability, default=0, metavar='P',
                        help='of each packet on each link')
    parser.add_argument('--mtu', type=int, default=1500)
    parser.add_argument('--seed', type=int, default=1, help='of hashes and losses (1)')
    parser.add_argument('--dscp', type=dscps, metavar='N[,N[,N[,N]]]',
                        help="packets with the first DSCP, and TCP's bare ACKs, pass the others,"
                        " then those with the next one")
    parser.add_argument('--hash-policy', type=int, default=1, choices=range(4),
                        help='net.ipv6.fib_multipath_hash_policy (1: five-tuple)')
    parser.add_argument('--hash-fields', type=lambda text: int(text, 0), default=0, metavar='N',
                        help='net.ipv6.fib_multipath_hash_fields, for policy 3 (0: as it is)')
    parser.add_argument('--links', metavar='FILE',
                        help='keep there what "fablink set" gets, for "fablink at"')
    parser.add_argument('--dry-run', metavar='DIR', help='only write there what would be done')
    return parser.parse_args(argv)


def main(argv=None):
    opt = arguments(argv)
    start = time.monotonic()
    plan = Plan(topology.load(opt.topology), opt)
    if opt.dry_run:
        dry_run(plan, opt.dry_run)
    else:
        Lab(plan).build()
    print(f'{len(plan.topo.nodes)} nodes, {len(plan.topo.links)} links, {plan.n_routes} routes '
          f'in {time.monotonic() - start:.1f} s')


if __name__ == '__main__':
    run(main)
