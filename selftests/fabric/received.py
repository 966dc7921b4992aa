# SPDX-License-Identifier: GPL-2.0
"""What run.py --trace leaves in OUT/received: how out of order packets arrived, and by
which paths."""
import bisect
from collections import defaultdict
from typing import NamedTuple


class Packet(NamedTuple):
    """us: since the flows began. ahead: bytes of the flow that wait for what is missing."""
    us: int
    flow: int
    path: int
    size: int
    ahead: int


def read(path):
    with open(path, encoding='ascii') as file:
        return [Packet(*map(int, line.split())) for line in file]


def share_above(values, bound):
    """Of sorted values."""
    return 1 - bisect.bisect_right(values, bound) / len(values)


def path_swing(packets, window_us=1000):
    """Standard deviation of the paths' shares of a flow over such windows, as a part of
    their mean: averaged over the paths of all flows that lasted ten windows, by bytes. The
    first and the last window of a flow do not count."""
    flows = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for packet in packets:
        flows[packet.flow][packet.us // window_us][packet.path] += packet.size
    total = weight = 0
    for windows in flows.values():
        inner = [windows[when] for when in sorted(windows)[1:-1]]
        if len(inner) < 8:
            continue
        sums = [sum(window.values()) for window in inner]
        for path in {path for window in inner for path in window}:
            shares = [window[path] / size for window, size in zip(inner, sums)]
            mean = sum(shares) / len(shares)
            swing = (sum((share - mean) ** 2 for share in shares) / len(shares)) ** .5
            carried = sum(window[path] for window in inner)
            total += swing / mean * carried
            weight += carried
    return total / weight if weight else None
