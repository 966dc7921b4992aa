#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How fast the flows of a file can be at best.

    ideal.py NET.json FLOWS [--payload 1416] [--frame 1514] [--each]

One flow alone: from its start until the receiver has its last bit, without processing or
acknowledgments, in frames of the given size; all but the last are full. Its frames go one
behind the other along the fastest path for full ones, store and forward; the time is exact
where that path carries all that the two hosts' links do. Else the hosts use several paths:
then it is that of the last frame alone behind all other bytes, at the rate of the largest
flow that the links between the two can carry, or the hosts' links if these are slower.

All flows: each host's links are one server, into it and out of it.

 serial    no flow's last bit can be there before: the busiest server's bytes at its rate
 shortest  mean time of a flow if each server serves the one with the fewest bytes left
           first: no schedule has a lower one
 fair      mean time if each server serves all its flows equally, bit by bit

Each flow passes a server out and one in. Of the means by the one kind, by the other and
alone, the highest counts. Flows that wait for others are taken to begin as if those had
been alone.
"""
import heapq
from collections import defaultdict
from typing import NamedTuple

import flowfile
import topology
from common import FabricError, Parser, run

# lapsmp over IPv6: 1500 - 40 - 8 - 36, and Ethernet's header. TCP with timestamps: 1428.
PAYLOAD_DEFAULT, FRAME_DEFAULT = 1416, 1514
SECOND = 10**9


class Wire(NamedTuple):
    """What a packet has: payload in a full one, and bytes of that frame on the wire."""
    payload: int
    frame: int

    def packets(self, size):
        return -(-size // self.payload)

    def last(self, size):
        """Bytes of the last frame."""
        return self.frame - self.payload + size - (self.packets(size) - 1) * self.payload

    def bytes(self, size):
        return size + self.packets(size) * (self.frame - self.payload)


def send_ns(size, rate):
    return size * SECOND / rate


def alone_ns(size, arcs):
    """Of one frame over a path."""
    return sum(arc.link.delay_ns + send_ns(size, arc.link.rate) for arc in arcs)


def train_ns(wire, size, arcs):
    """Of all frames of a flow over one path. The last one, which may be short, follows
    the one before it up to some hop and is alone from there on: whichever takes longest."""
    packets, last = wire.packets(size), wire.last(size)
    if packets == 1:
        return alone_ns(last, arcs)
    best = full = slowest = 0
    rest = sum(send_ns(last, arc.link.rate) for arc in arcs)
    for arc in arcs:
        frame = send_ns(wire.frame, arc.link.rate)
        full, slowest = full + frame, max(slowest, frame)
        best = max(best, full + (packets - 2) * slowest + rest)
        rest -= send_ns(last, arc.link.rate)
    return best + sum(arc.link.delay_ns for arc in arcs)


class Ideal:
    """Ideal times on a topology, for one kind of packets."""

    def __init__(self, topo, wire):
        self.topo, self.wire = topo, wire
        # Whether it matters, for who forwards, whose packets these are.
        self.groups = any(node.transit == 'group' for node in topo.nodes)
        self.trees, self.rates = {}, {}

    @staticmethod
    def may_pass(node, groups):
        """Does it forward packets between nodes of these groups?"""
        return node.transit == 'any' or (node.transit == 'group' and node.group in groups)

    def tree(self, src, groups):
        """The last arc of the fastest path from a node to each other one."""
        topo, frame = self.topo, self.wire.frame
        time, last = {src.index: 0}, {}
        heap = [(0, src.index)]
        while heap:
            now, node = heapq.heappop(heap)
            if now > time[node] or (node != src.index and
                                    not self.may_pass(topo.nodes[node], groups)):
                continue
            for arc in topo.out[node]:
                there = now + arc.link.delay_ns + send_ns(frame, arc.link.rate)
                if there < time.get(arc.head, float('inf')):
                    time[arc.head], last[arc.head] = there, arc
                    heapq.heappush(heap, (there, arc.head))
        return last

    def path(self, src, dst):
        """Arcs of the fastest path for a full frame."""
        groups = (src.group, dst.group) if self.groups else ()
        key = (src.index, groups)
        if key not in self.trees:
            self.trees[key] = self.tree(src, groups)
        arcs, at = [], dst.index
        while at != src.index:
            if at not in self.trees[key]:
                raise FabricError(f'there is no way from {src.name} to {dst.name}')
            arcs.append(self.trees[key][at])
            at = arcs[-1].tail
        return arcs[::-1]

    def rate(self, src, dst):
        """Bytes/s that packets from one to the other can have on all paths together."""
        key = (src.index, dst.index)
        if key not in self.rates:
            want = min(self.topo.rate_out(src), self.topo.rate_into(dst))
            narrow = min(arc.link.rate for arc in self.path(src, dst)) < want
            self.rates[key] = self.largest(src, dst, want) if narrow else want
        return self.rates[key]

    def largest(self, src, dst, want):
        """The largest flow, up to `want`: Edmonds and Karp's shortest augmenting paths."""
        room = defaultdict(lambda: defaultdict(int))
        for node in self.topo.nodes:
            if node is src or self.may_pass(node, (src.group, dst.group)):
                for arc in self.topo.out[node.index]:
                    room[arc.tail][arc.head] += arc.link.rate
        total = 0
        while total < want:
            path = self.augment(room, src.index, dst.index)
            if not path:
                break
            more = min([want - total] + [room[a][b] for a, b in path])
            for a, b in path:
                room[a][b] -= more
                room[b][a] += more
            total += more
        return total

    @staticmethod
    def augment(room, src, dst):
        """The fewest hops that have room, as pairs of nodes."""
        before, queue = {src: None}, [src]
        for node in queue:
            for other, left in room[node].items():
                if left and other not in before:
                    before[other] = node
                    queue.append(other)
        if dst not in before:
            return []
        path = []
        while dst != src:
            path.append((before[dst], dst))
            dst = before[dst]
        return path

    def nodes(self, flow):
        return self.topo.node(flow.src), self.topo.node(flow.dst)

    def flow_ns(self, flow):
        """From the start of a flow that is alone to its last bit."""
        src, dst = self.nodes(flow)
        arcs, rate = self.path(src, dst), self.rate(src, dst)
        if min(arc.link.rate for arc in arcs) >= rate:
            return train_ns(self.wire, flow.size, arcs)
        last = self.wire.last(flow.size)
        return alone_ns(last, arcs) + send_ns(self.wire.bytes(flow.size) - last, rate)

    def starts(self, flows):
        """When each flow begins at the earliest, by id."""
        starts, done = {}, {}
        for flow in flows:
            starts[flow.id] = flow.start_ns + max((done[i] for i in flow.after), default=0)
            done[flow.id] = starts[flow.id] + self.flow_ns(flow)
        return starts


# --- servers ------------------------------------------------------------------------------


class Job(NamedTuple):
    """A flow at one host's links: bytes that reach them at `arrival_ns` and, once they
    have passed, take `after_ns` to the receiver."""
    start_ns: float
    arrival_ns: float
    after_ns: float
    bytes: int


def servers(ideal, flows):
    """(host, 'in' or 'out') -> its rate in bytes/s and the jobs."""
    starts, found = ideal.starts(flows), {}
    for flow in flows:
        src, dst = ideal.nodes(flow)
        arcs, start = ideal.path(src, dst), starts[flow.id]
        last, size = ideal.wire.last(flow.size), ideal.wire.bytes(flow.size)
        for node, way, rate, own in ((src, 'out', ideal.topo.rate_out(src), arcs[0]),
                                     (dst, 'in', ideal.topo.rate_into(dst), arcs[-1])):
            # The rest of the way, for the smallest frame.
            other = alone_ns(last, arcs) - send_ns(last, own.link.rate)
            job = Job(start, start, other, size)
            if way == 'in':
                job = Job(start, start + other, 0, size)
            found.setdefault((node.name, way), (rate, []))[1].append(job)
    return found


def serial_ns(rate, jobs):
    """When the last bit of all can be there: of those that arrive from some time on, not
    before the first one has, and all have passed."""
    best, left, after = 0, 0, float('inf')
    for job in sorted(jobs, key=lambda job: job.arrival_ns, reverse=True):
        left += job.bytes
        after = min(after, job.after_ns)
        best = max(best, job.arrival_ns + send_ns(left, rate) + after)
    return best


def shortest_ns(rate, jobs):
    """Each job's time, from start to last bit, with the fewest bytes left first."""
    order = sorted(jobs, key=lambda job: job.arrival_ns)
    times, waiting, now, at = [], [], 0, 0
    while at < len(order) or waiting:
        if not waiting:
            now = max(now, order[at].arrival_ns)
        while at < len(order) and order[at].arrival_ns <= now:
            heapq.heappush(waiting, (send_ns(order[at].bytes, rate), at))
            at += 1
        need, i = heapq.heappop(waiting)
        until = order[at].arrival_ns if at < len(order) else float('inf')
        if now + need > until:
            heapq.heappush(waiting, (need - (until - now), i))
            now = until
        else:
            now += need
            times.append(now + order[i].after_ns - order[i].start_ns)
    return times


def fair_ns(rate, jobs):
    """The same with equal shares. `each` is what every job that is there has got: a job is
    done when that has grown by its size."""
    order = sorted(jobs, key=lambda job: job.arrival_ns)
    times, active, now, each, at = [], [], 0, 0, 0
    while at < len(order) or active:
        until = order[at].arrival_ns if at < len(order) else float('inf')
        if active and now + (active[0][0] - each) * len(active) <= until:
            now += (active[0][0] - each) * len(active)
            each, i = heapq.heappop(active)
            times.append(now + order[i].after_ns - order[i].start_ns)
            continue
        each += (until - now) / len(active) if active else 0
        now = until
        heapq.heappush(active, (each + send_ns(order[at].bytes, rate), at))
        at += 1
    return times


def mean(values):
    return sum(values) / len(values)


class Bounds(NamedTuple):
    """Of a file of flows, in ns; `last_ns` counts from the beginning."""
    ideal_mean_ns: float
    ideal_max_ns: float
    last_ns: float
    busiest: tuple
    shortest_mean_ns: float
    fair_mean_ns: float


def bounds(ideal, flows):
    found = servers(ideal, flows)
    alone = [ideal.flow_ns(flow) for flow in flows]
    last = {key: serial_ns(*server) for key, server in found.items()}
    busiest = max(last, key=last.get)

    def highest_mean(serve):
        return max([mean(alone)] + [mean([t for key, server in found.items() if key[1] == way
                                          for t in serve(*server)]) for way in ('in', 'out')])

    return Bounds(mean(alone), max(alone), last[busiest], busiest,
                  highest_mean(shortest_ns), highest_mean(fair_ns))


# --- the command line ---------------------------------------------------------------------


def show(ideal, flows):
    found = bounds(ideal, flows)
    size = sum(flow.size for flow in flows)
    wire = sum(ideal.wire.bytes(flow.size) for flow in flows)
    print(f'flows     {len(flows)}, {size} bytes, {wire} on the wire\n'
          f'alone     mean {found.ideal_mean_ns / 1e6:.6f} ms, '
          f'longest {found.ideal_max_ns / 1e6:.6f} ms\n'
          f'serial    last after {found.last_ns / 1e6:.6f} ms ({" ".join(found.busiest)})\n'
          f'shortest  mean {found.shortest_mean_ns / 1e6:.6f} ms\n'
          f'fair      mean {found.fair_mean_ns / 1e6:.6f} ms')


def main(argv=None):
    parser = Parser(prog='ideal.py', description='How fast the flows of a file can be at best.')
    parser.add_argument('topology')
    parser.add_argument('flows')
    parser.add_argument('--payload', type=int, default=PAYLOAD_DEFAULT,
                        help=f'bytes in a full packet ({PAYLOAD_DEFAULT}: lapsmp, IPv6)')
    parser.add_argument('--frame', type=int, default=FRAME_DEFAULT,
                        help=f'bytes of its frame ({FRAME_DEFAULT})')
    parser.add_argument('--each', action='store_true', help='lines "ID NS" of flows alone')
    opt = parser.parse_args(argv)
    if not 0 < opt.payload <= opt.frame:
        raise FabricError('a frame has at least its payload, and that a byte')
    ideal = Ideal(topology.load(opt.topology), Wire(opt.payload, opt.frame))
    flows = flowfile.read(opt.flows)
    if not flows:
        raise FabricError(f'{opt.flows}: there are no flows')
    if not opt.each:
        show(ideal, flows)
        return
    for flow in flows:
        print(flow.id, f'{ideal.flow_ns(flow):.3f}')


if __name__ == '__main__':
    run(main)
