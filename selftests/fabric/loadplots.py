#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Slowdowns by load, a figure for each fabric: a column of each workload (SVG, by gnuplot).

    loadplots.py Documentation/evaluation.md

Of the tables of loads.py that stand in a document, so that it shows what they say: to DOCUMENT/,
which is where report.py --write has its figures.
"""
import pathlib
import re

import document
import plots
from common import Parser, run
from loads import HEAD

# The columns that a row of the figure shows.
SHOWN = ('mean slowdown', 'P99 slowdown')
NAME = re.compile(r'(.+)-load-([0-9.]+)')
# A line above those of a workload's schemes, and how a scheme is named of which runs failed.
WORKLOAD = re.compile(r'\*\*(\w+), ')
FAILED = re.compile(r' \(\d+ of \d+\)$')
SETTINGS = '''set terminal svg size 1150,560 font "sans-serif,11" background "white"
set style data linespoints
set logscale y
set xrange [0.4:1.1]
set yrange [1:*]
set xlabel "load"
set lmargin 10
set rmargin 1
'''


def cells(line):
    return [cell.strip() for cell in line.strip().strip('|').split('|')]


def read(table):
    """(workload, scheme, columns by HEAD) of each line that has figures: means of its runs."""
    workload = None
    for line in table.splitlines():
        if not line.startswith('| '):
            continue
        found = cells(line)
        if match := WORKLOAD.match(found[0]):
            workload = match[1]
        elif workload and len(found) > 1 and re.match(r'[0-9]', found[1]):
            yield (workload, FAILED.sub('', found[0]).strip('*'),
                   {name: float(cell.split()[0]) for name, cell in zip(HEAD[1:], found[1:])
                    if re.match(r'[0-9]', cell)})


def curves(tables, fabric):
    """workload -> scheme -> [(load, columns)], by load, of what ran at two loads at least.
    @tables: text by name."""
    found = {}
    loads = sorted((float(match[2]), text) for match, text in
                   ((NAME.fullmatch(name), text) for name, text in tables.items())
                   if match and match[1] == fabric)
    for load, text in loads:
        for workload, scheme, columns in read(text):
            found.setdefault(workload, {}).setdefault(scheme, []).append((load, columns))
    found = {workload: {scheme: along for scheme, along in each.items() if len(along) > 1}
             for workload, each in found.items()}
    return {workload: each for workload, each in found.items() if each}


def fabrics(tables):
    return list(dict.fromkeys(match[1] for match in map(NAME.fullmatch, tables) if match))


def legend(style, tics):
    entries = (f'keyentry with linespoints {how} title "{scheme}" noenhanced'
               for scheme, how in style.items())
    return ['set key inside left top Left reverse samplen 2', 'set lmargin 1', 'unset title',
            'unset ylabel', 'unset border', 'unset tics', 'unset xlabel',
            'plot [] [1:2] 9 notitle, ' + ', '.join(entries),
            'unset key', 'set lmargin 10', 'set border', 'set tics', tics, 'set xlabel "load"']


def script(found, data):
    """What gnuplot is told, and the data: blocks by workload and scheme."""
    schemes = list(dict.fromkeys(scheme for each in found.values() for scheme in each))
    style = {scheme: f'lc {i} pt {i} ps 0.5 lw 1.5' for i, scheme in enumerate(schemes, 1)}
    at = sorted({load for each in found.values() for along in each.values() for load, _ in along})
    tics = f"set xtics ({', '.join(f'{load:g}' for load in at)})"
    # The last column of the first row is the legend.
    blocks, lines = [], [f'set multiplot layout {len(SHOWN)},{len(found) + 1}', 'unset key', tics]
    for title in SHOWN:
        for place, (workload, each) in enumerate(found.items()):
            lines.append(f'set title "{workload}"')
            lines.append(f'set ylabel "{title}"' if not place else 'unset ylabel')
            drawn = []
            for scheme, along in each.items():
                # No key has it, but the file would have the data's place instead.
                drawn.append(f'"{data}" index {len(blocks)} {style[scheme]} title "{scheme}"'
                             ' noenhanced')
                blocks.append('\n'.join(f'{load:g} {columns[title]:.6g}'
                                        for load, columns in along))
            lines.append('plot ' + ', '.join(drawn))
        if title == SHOWN[0]:
            lines += legend(style, tics)
    return '\n'.join([*lines, 'unset multiplot', '']), '\n\n\n'.join(blocks) + '\n'


def plot(tables, to):
    """FABRIC-loads.svg of each fabric that has tables of two loads."""
    for fabric in fabrics(tables):
        found = curves(tables, fabric)
        if not found:
            continue
        path = to / f'{fabric}-loads.svg'
        told, data = script(found, path.with_suffix('.data'))
        path.with_suffix('.data').write_text(data)
        plots.gnuplot(f'{SETTINGS}set output "{path}"\n{told}')
        path.with_suffix('.data').unlink()


def main(argv=None):
    p = Parser(description=__doc__.partition('\n')[0])
    p.add_argument('document', type=pathlib.Path, metavar='DOCUMENT.md')
    opt = p.parse_args(argv)
    to = opt.document.with_suffix('')
    plots.install()
    to.mkdir(exist_ok=True)
    plot(document.tables(opt.document.read_text()), to)
    return 0


if __name__ == '__main__':
    run(main)
