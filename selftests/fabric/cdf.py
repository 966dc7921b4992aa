# SPDX-License-Identifier: GPL-2.0
"""Distributions of flow sizes: lines `BYTES PROBABILITY`, linear between two lines.

PROBABILITY is that of a flow of at most so many bytes; the last one is 1. What a first
line above 0 says is the probability of just that size.
"""
import bisect
import itertools
import math

from common import FabricError


class Cdf:
    """Points of a distribution; `limit` cuts: what would be larger has that size."""

    def __init__(self, points, limit=math.inf):
        self.sizes = [size for size, _ in points]
        self.probs = [prob for _, prob in points]
        self.limit = limit
        rising = all(a <= b for line in (self.sizes, self.probs)
                     for a, b in itertools.pairwise(line))
        if len(points) < 2 or not rising or self.sizes[0] < 0 or self.probs[0] < 0 \
                or self.probs[-1] != 1:
            raise FabricError('sizes and probabilities rise, these from 0 or more to 1')

    def mean(self):
        """Of what is drawn, exactly (but for the rounding to whole bytes)."""
        total = self.probs[0] * min(self.sizes[0], self.limit)
        steps = zip(itertools.pairwise(self.sizes), itertools.pairwise(self.probs))
        for (low, high), (before, after) in steps:
            total += (after - before) * self.mean_between(low, high)
        return total

    def mean_between(self, low, high):
        """Of sizes that are equally likely from low to high, with the limit."""
        if high <= self.limit:
            return (low + high) / 2
        if low >= self.limit:
            return self.limit
        below = (self.limit - low) / (high - low)
        return below * (low + self.limit) / 2 + (1 - below) * self.limit

    def draw(self, rng):
        """A size of at least one byte, by a random.Random."""
        u = rng.random()
        i = bisect.bisect_left(self.probs, u)
        if i == 0:
            return max(1, round(min(self.sizes[0], self.limit)))
        low, high = self.sizes[i - 1], self.sizes[i]
        part = (u - self.probs[i - 1]) / (self.probs[i] - self.probs[i - 1])
        return max(1, round(min(low + part * (high - low), self.limit)))


def load(path, limit=math.inf):
    points = []
    with open(path, encoding='ascii') as file:
        for number, line in enumerate(file, 1):
            words = line.partition('#')[0].split()
            try:
                if words:
                    size, prob = map(float, words)
                    points.append((size, prob))
            except ValueError:
                raise FabricError(f'{path}:{number}: a line is BYTES PROBABILITY') from None
    try:
        return Cdf(points, limit)
    except FabricError as error:
        raise FabricError(f'{path}: {error}') from None
