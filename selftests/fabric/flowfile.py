# SPDX-License-Identifier: GPL-2.0
"""Files of flows: a line `ID START_NS SRC DST BYTES [AFTER ID,ID...]` each.

START_NS counts from the beginning of the run or, if there is AFTER, from the moment when
the last of those flows is complete at its receiver. Ids rise, those behind AFTER are of
earlier lines, and they end at SRC: a host knows by itself when to go on, and nobody waits
in a circle. What follows # is a remark.
"""
from typing import NamedTuple

from common import FabricError


class Flow(NamedTuple):
    """Hosts by name; size in bytes of payload."""
    id: int
    start_ns: int
    src: str
    dst: str
    size: int
    after: tuple = ()

    def line(self):
        text = f'{self.id} {self.start_ns} {self.src} {self.dst} {self.size}'
        return text + (f' AFTER {",".join(map(str, self.after))}' if self.after else '')


def write(file, flows, remarks):
    for remark in remarks:
        file.write(f'# {remark}\n')
    for flow in flows:
        file.write(flow.line() + '\n')


def parse_line(words, earlier):
    if len(words) != 5 and (len(words) != 7 or words[5] != 'AFTER'):
        raise FabricError('a flow is ID START_NS SRC DST BYTES [AFTER ID,ID...]')
    try:
        after = tuple(map(int, words[6].split(','))) if len(words) == 7 else ()
        flow = Flow(int(words[0]), int(words[1]), words[2], words[3], int(words[4]), after)
    except ValueError:
        raise FabricError('ids, times and sizes are whole numbers') from None
    if flow.id < 0 or flow.start_ns < 0 or flow.size < 1 or flow.src == flow.dst:
        raise FabricError('it is negative, empty, or to its own sender')
    if earlier and flow.id <= next(reversed(earlier)):
        raise FabricError('ids must rise')
    for i in after:
        if i not in earlier or earlier[i].dst != flow.src:
            raise FabricError(f'flow {i} is not an earlier one to {flow.src}')
    return flow


def read(path):
    """The flows of a file, in its order."""
    flows = {}
    with open(path, encoding='ascii') as file:
        for number, line in enumerate(file, 1):
            words = line.partition('#')[0].split()
            if not words:
                continue
            try:
                flow = parse_line(words, flows)
            except FabricError as error:
                raise FabricError(f'{path}:{number}: {error}') from None
            flows[flow.id] = flow
    return list(flows.values())
