# SPDX-License-Identifier: GPL-2.0
"""Links that change while a run is on: `TIME A B WORD...`, as `fablink at` wants it.

WORDs are those of `fablink set`, such as `down` or `rate 1250000000`, for both directions
of the first link between nodes A and B. Times count from when the flows begin.
"""
from typing import NamedTuple

import topology
from common import FabricError, time_ns


def link_between(net, a, b):
    ends = {net.node(a).index, net.node(b).index}
    for link in net.links:
        if set(link.ends) == ends:
            return link
    raise FabricError(f"there is no link between {a} and {b}")


class Event(NamedTuple):
    when_ns: int
    ends: tuple
    link: topology.Link
    words: list


def parse(net, texts):
    """In order of time."""
    found = []
    for text in texts:
        when, *ends = text.split()[:3] or [""]
        words = text.split()[3:]
        if not words:
            raise FabricError(f"'{text}' is not an event, such as '2ms r1 r2 down'")
        found.append(Event(time_ns(when), tuple(ends), link_between(net, *ends), words))
    return sorted(found, key=lambda event: event.when_ns)


def lines(net, texts):
    """A file for `fablink at`."""
    return "".join(f"{event.when_ns} {node} l{event.link.index} {' '.join(event.words)}\n"
                   for event in parse(net, texts) for node in event.ends)


def apply_first(net, texts):
    """What has happened when the flows begin, to the network's own rates."""
    for event in parse(net, texts):
        if not event.when_ns and event.words[0] == "rate":
            event.link.rate = int(event.words[1])
