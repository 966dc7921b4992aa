# SPDX-License-Identifier: GPL-2.0
"""What the programs here share: errors of one line, units, the command line."""
import argparse
import re
import sys

TIMES = {'ns': 1, 'us': 10**3, 'ms': 10**6, 's': 10**9}
# Bytes/s. Units are those of lapsctl.
RATES = {'bit': 1 / 8, 'kbit': 1e3 / 8, 'mbit': 1e6 / 8, 'gbit': 1e9 / 8, 'tbit': 1e12 / 8,
         'Bps': 1, 'kBps': 1e3, 'MBps': 1e6, 'GBps': 1e9}
SIZES = {'': 1, 'K': 10**3, 'M': 10**6, 'G': 10**9, 'KiB': 2**10, 'MiB': 2**20, 'GiB': 2**30}


class FabricError(argparse.ArgumentTypeError):
    """What the user has to know; argparse tells it as it is, and so does run()."""


def scaled(text, units, example):
    """A number with one of the units, as a whole number of the smallest; 0 needs none."""
    match = re.fullmatch(r'(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)([A-Za-z]*)', text)
    if not match or (match[2] not in units and (match[2] or float(match[1]))):
        raise FabricError(f"'{text}' is not a number with a unit, such as {example}")
    return int(float(match[1]) * units.get(match[2], 1) + 0.5)


def time_ns(text):
    return scaled(text, TIMES, '250us, 1.5ms or 3000ns')


def rate_bytes(text):
    return scaled(text, RATES, '10gbit, 800mbit or 125000Bps')


def size_bytes(text):
    return scaled(text, SIZES, '64M, 4MiB or 1500')


class Parser(argparse.ArgumentParser):
    """As argparse's, but what is wrong is said in a line, and the exit status is 1."""

    def error(self, message):
        self.exit(1, f'{self.prog}: {message}\n')


def run(main):
    """Ends the program with what main() returns, or with 1 and what went wrong."""
    try:
        sys.exit(main())
    except (FabricError, OSError) as error:
        sys.exit(f'{sys.argv[0].rsplit("/", 1)[-1]}: {error}')
