# SPDX-License-Identifier: GPL-2.0
"""What run.py --until leaves in OUT/progress: how much of each flow had arrived by when.
The same measure for all transports."""
import bisect
from typing import NamedTuple


class Line(NamedTuple):
    """ns: since the flows began. bytes: of each flow, in the order of their file."""
    ns: int
    bytes: tuple


def read(path):
    with open(path, encoding='ascii') as file:
        return [Line(int(ns), tuple(map(int, sizes)))
                for ns, *sizes in map(str.split, file)]


def got(lines, begin_ns, end_ns):
    """Bytes of each flow between the first lines that are not before these times."""
    begin, end = (lines[bisect.bisect_left(lines, ns, key=lambda line: line.ns)]
                  for ns in (begin_ns, end_ns))
    return [after - before for before, after in zip(begin.bytes, end.bytes)]


def jain(shares):
    """Jain's index: 1 if all are equal, 1 / n if one has everything."""
    return sum(shares) ** 2 / (len(shares) * sum(share ** 2 for share in shares))
