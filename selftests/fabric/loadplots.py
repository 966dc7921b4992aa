# SPDX-License-Identifier: GPL-2.0
"""Slowdowns by load, a figure for each fabric: a column of each workload (SVG, by gnuplot).

Of all loads of loads.py's tables that have run, whichever were asked for now.
"""
import statistics

import loads
import made
import plots

# Of Flows.columns(): what a row of the figure shows.
SHOWN = (('mean slowdown', 2), ('P99 slowdown', 3))
FAIR = 'fair'
SETTINGS = '''set terminal svg size 1150,560 font "sans-serif,11" background "white"
set style data linespoints
set logscale y
set xrange [0.4:1.1]
set yrange [1:*]
set xlabel "load"
set lmargin 10
set rmargin 1
'''


def fabric_of(grid):
    return grid.name.partition('-load-')[0]


def load_of(grid):
    return float(grid.name.rpartition('-')[2])


def workload_of(case):
    return case.title.partition(',')[0]


def points(case, rows, out):
    """Scheme -> its columns, of a case; the mean of its runs. @out: the case's directory."""
    flows = loads.Flows(out)
    found = {FAIR: flows.fair()}
    for row in rows:
        runs = flows.of_row(row, out)
        if runs:
            found[row.name] = [statistics.fmean(values) for values in zip(*runs)]
    return found


def curves(grids, version, out):
    """workload -> scheme -> [(load, columns)], by load, of runs by this @version. @out: the cases'
    directories are there."""
    found = {}
    for grid in sorted(grids, key=load_of):
        for case in grid.cases:
            if not made.is_of(out / case.name, version):
                continue
            mine = points(case, case.rows, out / case.name)
            # Without a run there is nothing to compare.
            for scheme, columns in mine.items() if len(mine) > 1 else ():
                found.setdefault(workload_of(case), {}).setdefault(scheme, []).append(
                    (load_of(grid), columns))
    return found


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
    for title, column in SHOWN:
        for place, (workload, each) in enumerate(found.items()):
            lines.append(f'set title "{workload}"')
            lines.append(f'set ylabel "{title}"' if not place else 'unset ylabel')
            drawn = []
            for scheme, along in each.items():
                # No key has it, but the file would have the data's place instead.
                drawn.append(f'"{data}" index {len(blocks)} {style[scheme]} title "{scheme}"'
                             ' noenhanced')
                blocks.append('\n'.join(f'{load:g} {columns[column]:.6g}'
                                        for load, columns in along))
            lines.append('plot ' + ', '.join(drawn))
        if title == SHOWN[0][0]:
            lines += legend(style, tics)
    return '\n'.join([*lines, 'unset multiplot', '']), '\n\n\n'.join(blocks) + '\n'


def plot(asked, known, version, out, to):
    """FABRIC-loads.svg of each fabric that one of the grids asked for is of, if two loads ran."""
    for fabric in dict.fromkeys(fabric_of(grid) for grid in asked):
        found = curves([grid for grid in known if fabric_of(grid) == fabric], version, out)
        if len({load for each in found.values() for along in each.values()
                for load, _ in along}) < 2:
            continue
        path = out / f'{fabric}-loads.svg'
        told, data = script(found, path.with_suffix('.data'))
        path.with_suffix('.data').write_text(data)
        plots.gnuplot(f'{SETTINGS}set output "{path}"\n{told}')
        (to / path.name).write_bytes(path.read_bytes())
