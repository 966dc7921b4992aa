# SPDX-License-Identifier: GPL-2.0
"""How many times as long as lapsmp others take, beside the LAPS paper's figures.

The paper's are of tables III and IV and of section IV-B's text on its figures 9 and 12: ECMP
and PLB over LAPS. There ECMP is RoCEv2 with DCQCN and PFC; here it is lapsmp's own control on
one path, and DCTCP.
"""
import statistics
from typing import NamedTuple

import made
import tables

# What stands for the paper's LAPS here, where there are classes for short messages and where
# there are none; and for its ECMP and PLB, each beside those of its kind.
CLASSED = ('lapsmp', 'lapsmp-auto')
PLAIN = ('lapsmp-plain', 'lapsmp-auto-plain')
OTHERS = {'lapsmp-ecmp': CLASSED, 'dctcp': PLAIN, 'dctcp-plb': PLAIN}


class Paper(NamedTuple):
    """Of a case, of its flows' mean or P99: ECMP's and PLB's over LAPS's."""
    title: str
    case: str
    what: str
    ecmp: float
    plb: float


PAPER = (
    Paper('Rail of 64, all to one, 64 MB', 'rail64-a2o', 'mean', 564 / 162, 211 / 162),
    Paper('', 'rail64-a2o', 'P99', 617 / 175, 235 / 175),
    Paper('Rail of 64, 64 MB, a packet in a million lost', 'rail64-a2o-loss', 'mean', 580 / 162,
          219 / 162),
    Paper('', 'rail64-a2o-loss', 'P99', 645 / 175, 240 / 175),
    Paper('Rail of 16, 16 MB, a packet in a million lost', 'rail-a2o-loss', 'mean', 580 / 162,
          219 / 162),
    Paper('', 'rail-a2o-loss', 'P99', 645 / 175, 240 / 175),
    Paper('Dragonfly of 144, all to one, 64 MB', 'dragonfly144-a2o', 'mean', 1337 / 537, 661 / 537),
    Paper('', 'dragonfly144-a2o', 'P99', 1423 / 574, 690 / 574),
    Paper('Dragonfly of 20, 8 MB, a packet in a million lost', 'dragonfly-a2o-loss', 'mean',
          1340 / 538, 661 / 538),
    Paper('', 'dragonfly-a2o-loss', 'P99', 1427 / 575, 690 / 575),
    Paper('Rail of 64, data mining, load 0.8', 'rail64-datamining-load-0.8', 'mean', 3.3, 1.6),
    Paper('Rail of 64, storage, load 0.8', 'rail64-storage-load-0.8', 'P99', .67 / .12, .48 / .12),
    Paper('Rail of 16, data mining, load 0.8', 'rail-datamining-load-0.8', 'mean', 3.3, 1.6),
    Paper('Rail of 16, storage, load 0.8', 'rail-storage-load-0.8', 'P99', .67 / .12, .48 / .12),
)


def measured(out, scheme, what):
    """ns of each of a scheme's runs, by seed."""
    found = {}
    for done in sorted(out.glob(f'{scheme}/*/{scheme}-*/done')):
        times = [end - start for _, start, end in tables.flow_times(done.parent)]
        found[done.parent.parent.name] = (
            statistics.fmean(times) if what == 'mean' else
            tables.percentile(times, tables.PERMILLE_99))
    return found


def ratio(theirs, mine):
    """Of the means over the seeds that both have, as text."""
    seeds = theirs.keys() & mine.keys()
    if not seeds:
        return '-'
    return f'{sum(theirs[seed] for seed in seeds) / sum(mine[seed] for seed in seeds):.2f}'


def cell(out, what, other):
    """Over each of ours."""
    ours = OTHERS[other]
    theirs = measured(out, other, what)
    return ' and '.join(ratio(theirs, measured(out, scheme, what)) for scheme in ours)


def table(out, version):
    """Markdown, of all that has run by this @version. @out: the directory that the cases have
    theirs in."""
    lines = ['| | | ECMP, paper | lapsmp-ecmp | dctcp | PLB, paper | dctcp-plb |',
             '|---|---|---|---|---|---|---|']
    for row in PAPER:
        if not made.is_of(out / row.case, version):
            continue
        ecmp, dctcp, plb = (cell(out / row.case, row.what, other) for other in OTHERS)
        lines.append(f'| {row.title} | {row.what} | {row.ecmp:.2f} | {ecmp} | {dctcp} '
                     f'| {row.plb:.2f} | {plb} |')
    return '\n'.join([*lines, ''])
