# SPDX-License-Identifier: GPL-2.0
"""How long flows take if nothing but hosts' links is in the way, and these are shared fairly.

Flows are fluids. At each moment their rates are the max-min fair ones: none can have more
without taking from one that has no more than it. Links between switches are as wide as it takes,
and nobody queues. What a flow takes on top, alone on the empty network, it takes here, too.

No scheme is bound by that: who lets short flows pass has shorter ones. It is what those
that treat all flows alike can hope for.
"""
import heapq
import math
from collections import defaultdict

SECOND = 10**9


class Pair:
    """Flows of one host to another: they all have the same rate. `each` is what every flow
    that is there has got; one is done when that has grown by its size."""

    def __init__(self, ends):
        self.ends, self.each, self.rate, self.left = ends, 0.0, 0.0, []

    def add(self, flow, size):
        heapq.heappush(self.left, (self.each + size, flow))

    def next_in(self):
        """Seconds until one of them is done."""
        return max(0.0, self.left[0][0] - self.each) / self.rate


def share(pairs, rates):
    """Gives each pair's flows their rate: the link that has least for each of its flows is
    divided, and so on with what is left."""
    room, users = {}, defaultdict(list)
    for pair in pairs:
        for end in pair.ends:
            room[end] = rates[end]
            users[end].append(pair)
    count = {end: sum(len(pair.left) for pair in of) for end, of in users.items()}
    given = set()
    while count:
        least = min(count, key=lambda end: room[end] / count[end])
        rate = room[least] / count[least]
        for pair in users[least]:
            if pair in given:
                continue
            given.add(pair)
            pair.rate = rate
            for end in pair.ends:
                room[end] = max(0.0, room[end] - rate * len(pair.left))
                count[end] -= len(pair.left)
        count = {end: n for end, n in count.items() if n}


def fair_times(ideal, flows):
    """ns of each flow, by id. Flows that wait for others begin as if those had been alone."""
    starts, rates, pairs, times = ideal.starts(flows), {}, {}, {}
    order = sorted(flows, key=lambda flow: starts[flow.id], reverse=True)
    active, now = set(), 0.0
    alone = {}
    while order or active:
        done = min(active, key=Pair.next_in, default=None)
        until = starts[order[-1].id] / SECOND if order else math.inf
        wait = done.next_in() if done else math.inf
        for pair in active:
            pair.each += pair.rate * min(wait, until - now)
        if wait < until - now:
            now += wait
            flow = heapq.heappop(done.left)[1]
            times[flow] = now * SECOND - starts[flow] + alone[flow]
            if not done.left:
                active.remove(done)
        else:
            now, flow = until, order.pop()
            src, dst = ideal.nodes(flow)
            ends = (src.name, 'out'), (dst.name, 'in')
            rates |= {ends[0]: ideal.topo.rate_out(src), ends[1]: ideal.topo.rate_into(dst)}
            size = ideal.wire.bytes(flow.size)
            alone[flow.id] = ideal.flow_ns(flow) - size * SECOND / min(rates[end] for end in ends)
            pair = pairs.setdefault(ends, Pair(ends))
            pair.add(flow.id, size)
            active.add(pair)
        share(active, rates)
    return times
