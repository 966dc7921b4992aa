#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What each of a file's flows has, if all last and rates are max-min fair over all ways.

    maxmin.py NET.json FLOWS [--payload 1416] [--frame 1514] [--shortest]

Prints `ID GBIT` of payload for each flow, and their mean. Flows are fluids that may use all
ways that forwarding rules allow, at once; with --shortest only those that routers choose from,
which are what drawn ports can have. The rate that all can have together is a linear program; who
cannot have more keeps it, and the others go on (progressive filling). Debian's python3-scipy
solves the programs.
"""
import numpy
from scipy.optimize import linprog
from scipy.sparse import lil_matrix, vstack

import flowfile
import topology
from common import FabricError, Parser, run
from ideal import Ideal, Wire

# Gbit/s: what is less is the solver's.
NEAR = 0.05
SLACK = 1e-3


class Program:
    """Variables: what each flow has on each arc, flow by flow; each flow's rate; the least rate."""

    def __init__(self, ideal, flows, shortest):
        self.arcs = [arc for out in ideal.topo.out for arc in out]
        self.flows, self.n_nodes = len(flows), len(ideal.topo.nodes)
        self.first_rate = self.flows * len(self.arcs)
        self.size = self.first_rate + self.flows + 1
        self.rates = numpy.array([arc.link.rate * 8 / 1e9 for arc in self.arcs])
        self.ends = [tuple(node.index for node in ideal.nodes(flow)) for flow in flows]
        if shortest:
            routes = topology.Routes(ideal.topo)
            usable = [routes.ways(*ideal.nodes(flow)) for flow in flows]
        else:
            usable = [{arc for arc in self.arcs if self.may_use(ideal, number, arc)}
                      for number in range(self.flows)]
        self.most = [None if arc in ways else 0 for ways in usable for arc in self.arcs]
        self.conserved = self.conservation()
        self.carried = lil_matrix((len(self.arcs), self.size))
        for number in range(self.flows):
            for i in range(len(self.arcs)):
                self.carried[i, number * len(self.arcs) + i] = 1

    def may_use(self, ideal, number, arc):
        ends = self.ends[number]
        groups = tuple(ideal.topo.nodes[end].group for end in ends) if ideal.groups else ()
        return all(node in ends or ideal.may_pass(ideal.topo.nodes[node], groups)
                   for node in (arc.tail, arc.head))

    def conservation(self):
        """What comes to a node leaves it, but for a flow's ends."""
        rows = lil_matrix((self.flows * self.n_nodes, self.size))
        for number, (src, dst) in enumerate(self.ends):
            base = number * self.n_nodes
            for i, arc in enumerate(self.arcs):
                rows[base + arc.tail, number * len(self.arcs) + i] += 1
                rows[base + arc.head, number * len(self.arcs) + i] -= 1
            rows[base + src, self.first_rate + number] -= 1
            rows[base + dst, self.first_rate + number] += 1
        return rows.tocsr()

    def solve(self, want, least):
        """The most of variable `want`, if each flow has at least `least` of it, and those of
        which that is None as much as the last variable."""
        free = [number for number in range(self.flows) if least[number] is None]
        rows = lil_matrix((len(free), self.size))
        for row, number in enumerate(free):
            rows[row, self.first_rate + number] = -1
            rows[row, self.size - 1] = 1
        cost = numpy.zeros(self.size)
        cost[want] = -1
        bounds = [(0, most) for most in self.most]
        bounds += [(max(0, rate - SLACK) if rate else 0, None) for rate in least] + [(0, None)]
        done = linprog(cost, A_ub=vstack([self.carried, rows]).tocsr(),
                       b_ub=numpy.concatenate([self.rates, numpy.zeros(len(free))]),
                       A_eq=self.conserved, b_eq=numpy.zeros(self.conserved.shape[0]),
                       bounds=bounds, method='highs')
        if done.status:
            raise FabricError(f'the program has no solution: {done.message}')
        return done.x[want]


def fair_rates(ideal, flows, shortest):
    """Gbit/s on the wire, in the flows' order."""
    program = Program(ideal, flows, shortest)
    rates = [None] * len(flows)
    while None in rates:
        level = program.solve(program.size - 1, rates)
        at_least = [level if rate is None else rate for rate in rates]
        for number, rate in enumerate(rates):
            if rate is None and program.solve(program.first_rate + number,
                                              at_least) < level + NEAR:
                rates[number] = level
    return rates


def main():
    p = Parser(description=__doc__.partition('\n')[0])
    p.add_argument('topology')
    p.add_argument('flows')
    p.add_argument('--payload', type=int, default=1416)
    p.add_argument('--frame', type=int, default=1514)
    p.add_argument('--shortest', action='store_true', help='only ways that routers choose from')
    opt = p.parse_args()
    flows = flowfile.read(opt.flows)
    ideal = Ideal(topology.load(opt.topology), Wire(opt.payload, opt.frame))
    part = opt.payload / opt.frame
    rates = [rate * part for rate in fair_rates(ideal, flows, opt.shortest)]
    for flow, rate in zip(flows, rates):
        print(f'{flow.id} {rate:.2f}')
    print(f'mean {sum(rates) / len(rates):.2f}')
    return 0


if __name__ == '__main__':
    run(main)
