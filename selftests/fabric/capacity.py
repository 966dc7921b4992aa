# SPDX-License-Identifier: GPL-2.0
"""How soon all flows of a file can have ended, whatever ways their packets take.

Give every link a price. A byte that is carried from A to B costs at least the cheapest
way between them, and in a second no link can take more than its rate, so

    last >= sum over flows of bytes x cheapest way / sum over links of rate x price

for any prices: each choice is a proof. A price of 1 for one host's link and of 0 for all
others is the serial bound. The best prices are the dual of the maximum concurrent flow;
they are found as in N. Young, "Randomized rounding without solving the linear program"
(SODA 1995): send all by the cheapest ways, make dear what is full, again. What was sent,
on average over all rounds, is a plan that ends in the longest time that any of its links
needs: so it is known how far the bound can be from the truth.

Flows are fluids here and all begin at once; who waits for another (AFTER) and delays are
not looked at.
"""
import heapq
import math
from collections import defaultdict
from typing import NamedTuple

from common import FabricError

SECOND = 10**9
ROUNDS = 1000
# How much dearer the fullest link gets in a round.
STEP = 0.15
# The bound and a plan are so near that more rounds are of no use.
NEAR = 1.005


class Capacity(NamedTuple):
    """In ns: no plan ends before `bound_ns`, and one ends at `plan_ns`."""
    bound_ns: float
    plan_ns: float


def cheapest(ideal, price, src, groups):
    """Cost from a node to each other one, and the last arc of the way."""
    topo = ideal.topo
    cost, last, heap = {src: 0.0}, {}, [(0.0, src)]
    while heap:
        here, node = heapq.heappop(heap)
        if here > cost[node] or (node != src and
                                 not ideal.may_pass(topo.nodes[node], groups)):
            continue
        for arc in topo.out[node]:
            there = here + price[arc]
            if there < cost.get(arc.head, math.inf):
                cost[arc.head], last[arc.head] = there, arc
                heapq.heappush(heap, (there, arc.head))
    return cost, last


def demands(ideal, flows):
    """(source, groups) -> bytes on the wire by destination; all by node's number."""
    wanted = defaultdict(lambda: defaultdict(int))
    for flow in flows:
        src, dst = ideal.nodes(flow)
        groups = (src.group, dst.group) if ideal.groups else ()
        wanted[src.index, groups][dst.index] += ideal.wire.bytes(flow.size)
    return wanted


def send_all(ideal, wanted, price):
    """By the cheapest ways: what that costs, and the bytes on each arc."""
    cost, load = 0.0, defaultdict(int)
    for (src, groups), to in wanted.items():
        costs, last = cheapest(ideal, price, src, groups)
        for dst, size in to.items():
            if dst not in costs:
                names = [ideal.topo.nodes[index].name for index in (src, dst)]
                raise FabricError('there is no way from {} to {}'.format(*names))
            cost += size * costs[dst]
            at = dst
            while at != src:
                load[last[at]] += size
                at = last[at].tail
    return cost, load


def capacity(ideal, flows, rounds=ROUNDS):
    """Of a file of flows: a Capacity."""
    wanted = demands(ideal, flows)
    arcs = [arc for out in ideal.topo.out for arc in out]
    # As if all were in use alike: long ways cost more, whatever the units.
    price = {arc: 1 / arc.link.rate for arc in arcs}
    sent, parts, bound, plan = defaultdict(float), 0.0, 0.0, math.inf
    for _ in range(rounds):
        cost, load = send_all(ideal, wanted, price)
        bound = max(bound, cost / sum(arc.link.rate * price[arc] for arc in arcs))
        # As much of everything as fills the fullest link once.
        part = 1 / max(size / arc.link.rate for arc, size in load.items())
        parts += part
        for arc, size in load.items():
            sent[arc] += size * part
            price[arc] *= math.exp(STEP * size * part / arc.link.rate)
        plan = min(plan, max(size / arc.link.rate for arc, size in sent.items()) / parts)
        if plan < bound * NEAR:
            break
    return Capacity(bound * SECOND, plan * SECOND)
