# SPDX-License-Identifier: GPL-2.0
"""Networks in files (Documentation/topology.md), and where their routing sends packets.

`lapsctl topology show FILE` says all that is wrong with a file; here only what would
lead to another network than the one that is meant.

Routing is what lapsctl's anchors rely on: least cost, all ways of equal cost, over links
that are up, never through a node that forwards for nobody. Routers know no groups, so a
node that forwards for its group forwards for all.
"""
import heapq
import ipaddress
import json
from dataclasses import dataclass

from common import FabricError, rate_bytes, time_ns

PACKET_DEFAULT = 1500
COST_MAX = 16777215
DELAY_MAX_NS = 10**10
RATE_MIN, RATE_MAX = 1000, 1250 * 10**9

VALUES = {'delay', 'rate', 'cost', 'up'}
HEAD_KEYS = {'name', 'packet', 'anchors', 'defaults', 'nodes', 'links'}
NODE_KEYS = {'name', 'kind', 'sid', 'addr', 'group', 'transit'}
LINK_KEYS = {'a', 'b', 'oneway', 'a-sid', 'b-sid'} | VALUES


@dataclass(slots=True, eq=False)
class Node:
    """A host or a switch. Addresses are text, or None."""
    index: int
    name: str
    host: bool
    addr: str
    sid: str
    group: str
    transit: str

    def addresses(self):
        """All that others send to, each once."""
        return list(dict.fromkeys(a for a in (self.addr, self.sid) if a))


@dataclass(slots=True, eq=False)
class Link:
    """A link between the nodes of two indexes; rate in bytes/s."""
    index: int
    ends: tuple
    delay_ns: int
    rate: int
    cost: int
    up: bool
    oneway: bool
    has_sid: bool


@dataclass(slots=True, eq=False)
class Arc:
    """One direction of a link: from its end 0 or 1."""
    link: Link
    end: int
    tail: int
    head: int


class Topology:
    """A network; `out` and `into` have the arcs of each node whose links are up."""

    def __init__(self, name, packet):
        self.name, self.packet = name, packet
        self.nodes, self.links, self.arcs = [], [], []
        self.by_name, self.out, self.into = {}, [], []

    def add_node(self, node):
        self.nodes.append(node)
        self.by_name[node.name] = node
        self.out.append([])
        self.into.append([])

    def add_link(self, link):
        self.links.append(link)
        a, b = link.ends
        for arc in [Arc(link, 0, a, b)] + [Arc(link, 1, b, a)] * (not link.oneway):
            self.arcs.append(arc)
            if link.up:
                self.out[arc.tail].append(arc)
                self.into[arc.head].append(arc)

    def node(self, name):
        if name not in self.by_name:
            raise FabricError(f"there is no node '{name}'")
        return self.by_name[name]

    def hosts(self):
        """Those that others can send to, in the file's order."""
        return [node for node in self.nodes if node.host and node.addr]

    def rate_out(self, node):
        """Bytes/s of all links by which it sends."""
        return sum(arc.link.rate for arc in self.out[node.index])

    def rate_into(self, node):
        return sum(arc.link.rate for arc in self.into[node.index])


# --- the file ---------------------------------------------------------------------------


def known(item, keys):
    if not isinstance(item, dict):
        raise FabricError('is not an object')
    for key in item:
        if key not in keys:
            raise FabricError(f"'{key}' is not known here")


def no_doubles(pairs):
    item = dict(pairs)
    if len(item) != len(pairs):
        raise FabricError('a member is given twice')
    return item


def typed(item, key, kind, default=None):
    value = item.get(key, default)
    # A bool is an int, too.
    if key in item and type(value) is not kind:
        raise FabricError(f'{key} is no {kind.__name__}')
    return value


def within(key, value, low, high):
    if not low <= value <= high:
        raise FabricError(f'{key} {value} is out of range; it is from {low} to {high}')
    return value


def quantity(item, key, parse, low, high):
    """A text with a unit, or a whole number of ns or bytes/s."""
    if key not in item:
        raise FabricError(f'{key} is missing, here and in defaults')
    value = item[key]
    if isinstance(value, str):
        value = parse(value)
    elif type(value) is not int:
        raise FabricError(f'{key} is neither a text with a unit nor a whole number')
    return within(key, value, low, high)


def address(item, key):
    text = typed(item, key, str)
    if text is None:
        return None
    try:
        addr = ipaddress.IPv6Address(text)
    except ValueError:
        raise FabricError(f"{key} '{text}' is no IPv6 address") from None
    # ::/96 has the unspecified address, loopback and IPv4-compatible ones.
    if addr.is_link_local or addr.is_multicast or addr.ipv4_mapped or addr.scope_id \
            or int(addr) < 2**32:
        raise FabricError(f"{key} '{text}' is not a routed address")
    return str(addr)


def word(item, key, words, default=None):
    value = typed(item, key, str, default)
    if value not in words:
        raise FabricError(f"{key} '{value}' is none of: {', '.join(words)}")
    return value


def load_node(topo, item):
    known(item, NODE_KEYS)
    name = typed(item, 'name', str)
    if not name or name in topo.by_name:
        raise FabricError(f"name '{name}' is another node's, or missing")
    host = word(item, 'kind', ('host', 'switch')) == 'host'
    transit = word(item, 'transit', ('none', 'group', 'any'), 'none' if host else 'any')
    group = typed(item, 'group', str)
    if transit == 'group' and not group:
        raise FabricError("transit is 'group', but it has no group")
    topo.add_node(Node(len(topo.nodes), name, host, address(item, 'addr'), address(item, 'sid'),
                       group, transit))


def load_link(topo, item, defaults):
    known(item, LINK_KEYS)
    ends = tuple(topo.node(typed(item, end, str)).index for end in 'ab')
    if ends[0] == ends[1]:
        raise FabricError('a and b are one node')
    values = {**defaults, **item}
    has_sid = any([address(item, 'a-sid'), address(item, 'b-sid')])
    topo.add_link(Link(len(topo.links), ends,
                       quantity(values, 'delay', time_ns, 0, DELAY_MAX_NS),
                       quantity(values, 'rate', rate_bytes, RATE_MIN, RATE_MAX),
                       within('cost', typed(values, 'cost', int, 1), 1, COST_MAX),
                       typed(values, 'up', bool, True), typed(item, 'oneway', bool, False),
                       has_sid))


def load_list(topo, root, key, load_one, *args):
    for i, item in enumerate(typed(root, key, list, [])):
        try:
            load_one(topo, item, *args)
        except FabricError as error:
            raise FabricError(f'{key}[{i}]: {error}') from None


def check_addresses(topo):
    owners = {}
    for node in topo.nodes:
        for addr in node.addresses():
            if addr in owners:
                raise FabricError(f'{addr} belongs to {owners[addr]} and to {node.name}')
            owners[addr] = node.name


def parse(text):
    """A topology from JSON."""
    root = json.loads(text, object_pairs_hook=no_doubles)
    known(root, HEAD_KEYS)
    topo = Topology(typed(root, 'name', str), typed(root, 'packet', int, PACKET_DEFAULT))
    defaults = typed(root, 'defaults', dict, {})
    known(defaults, VALUES)
    load_list(topo, root, 'nodes', load_node)
    load_list(topo, root, 'links', load_link, defaults)
    check_addresses(topo)
    return topo


def load(path):
    """A topology from a file."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    try:
        return parse(text)
    except json.JSONDecodeError as error:
        raise FabricError(f'{path}: this is not JSON: {error}') from None
    except FabricError as error:
        raise FabricError(f'{path}: {error}') from None


# --- routing ----------------------------------------------------------------------------


class Routes:
    """Next hops of least cost from every node to every other one.

    Most nodes are hosts behind one switch. The ways to such a host are those to its switch,
    and all that it sends goes there: so only the others are searched, which in a large
    fabric is a tenth of the nodes and a hundredth of the work.
    """

    def __init__(self, topo):
        self.topo = topo
        self.stubs = [self.is_stub(node) for node in topo.nodes]
        self.into = [[] if self.stubs[node.index] else
                     [arc for arc in topo.into[node.index] if not self.stubs[arc.tail]]
                     for node in topo.nodes]
        self.trees = {}

    def is_stub(self, node):
        out, into = self.topo.out[node.index], self.topo.into[node.index]
        return (node.transit == 'none' and len(out) == len(into) == 1 and
                out[0].head == into[0].tail and self.topo.nodes[out[0].head].transit != 'none')

    def tree(self, root):
        """Per node, the cost to reach node number `root` (None: no way) and the next hops."""
        if root not in self.trees:
            self.trees[root] = self.grow(root)
        return self.trees[root]

    def grow(self, root):
        """Dijkstra's method against the arcs. Costs are at least 1, so all ways of least
        cost to a node are known before it is taken from the heap."""
        nodes = self.topo.nodes
        cost, hops = [None] * len(nodes), [()] * len(nodes)
        cost[root] = 0
        heap = [(0, root)]
        while heap:
            here, node = heapq.heappop(heap)
            if here > cost[node] or (node != root and nodes[node].transit == 'none'):
                continue
            for arc in self.into[node]:
                there, old = here + arc.link.cost, cost[arc.tail]
                if old is None or there < old:
                    cost[arc.tail], hops[arc.tail] = there, (arc,)
                    heapq.heappush(heap, (there, arc.tail))
                elif there == old:
                    hops[arc.tail] += (arc,)
        return cost, hops

    def hops(self, src, dst):
        """Arcs by which node `src` sends what is for `dst`, by link; none if there is no way."""
        a, b = src.index, dst.index
        if a == b or self.cost(src, dst) is None:
            return ()
        if self.stubs[a]:
            return (self.topo.out[a][0],)
        if self.stubs[b]:
            last = self.topo.into[b][0]
            if last.tail == a:
                return (last,)
            b = last.tail
        return tuple(sorted(self.tree(b)[1][a], key=lambda arc: arc.link.index))

    def ways(self, src, dst):
        """All arcs by which what `src` sends to `dst` may come."""
        ways, seen, left = set(), {src.index}, [src.index]
        while left:
            for arc in self.hops(self.topo.nodes[left.pop()], dst):
                ways.add(arc)
                if arc.head not in seen:
                    seen.add(arc.head)
                    left.append(arc.head)
        return ways

    def cost(self, src, dst):
        """Of the way, or None."""
        a, b, ends = src.index, dst.index, 0
        if a == b:
            return 0
        if self.stubs[a]:
            ends += self.topo.out[a][0].link.cost
            a = self.topo.out[a][0].head
        if self.stubs[b]:
            ends += self.topo.into[b][0].link.cost
            b = self.topo.into[b][0].tail
        middle = self.tree(b)[0][a]
        return None if middle is None else ends + middle
