# SPDX-License-Identifier: GPL-2.0
"""A case's runs as figures (SVG, by gnuplot): of the first seed of each row."""
import json
import pathlib
import subprocess
from collections import defaultdict

import events
import flowfile
import received
import tables
import topology
from common import FabricError
from schemes import SCHEMES

LAB = pathlib.Path(__file__).resolve().parent.parent / 'lab'
# Points of a curve: more cannot be seen.
POINTS = 200
WINDOW_US = 100

SETTINGS = '''set encoding utf8
set grid lc rgb "#dddddd"
'''
CURVES = '''set terminal svg size 760,440 font "sans-serif,12" background "white"
set key outside right
set style data steps
'''


def install():
    """gnuplot, if it is not there."""
    done = subprocess.run(['bash', '-c', '. lib.sh && . deps.sh && packages_need gnuplot-nox'],
                          cwd=LAB, check=False)
    if done.returncode:
        raise FabricError('gnuplot-nox could not be installed')


def thin(values):
    """(value, which part does not exceed it) of so many of the values, sorted."""
    values = sorted(values)
    last = len(values) - 1
    places = sorted({last * i // (POINTS - 1) for i in range(POINTS)}) if last else [0]
    return [(values[place], (place + 1) / len(values)) for place in places]


def gnuplot(script):
    done = subprocess.run(['gnuplot'], input=SETTINGS + script, text=True, capture_output=True,
                          check=False)
    if done.returncode:
        raise FabricError(f'gnuplot: {done.stderr.strip()[-300:]}')


def draw(path, settings, curves):
    """@curves: name -> points."""
    blocks = '\n\n\n'.join('\n'.join(f'{x:.6g} {y:.6g}' for x, y in points)
                           for points in curves.values())
    data = path.with_suffix('.data')
    data.write_text(blocks + '\n')
    lines = ', '.join(f'"{data}" index {i} title "{name}" noenhanced lw 1.5'
                      for i, name in enumerate(curves))
    gnuplot(f'{CURVES}set output "{path}"\n{settings}\nplot {lines}\n')


def first_runs(rows, out):
    """(row, directory) of those that ended."""
    found = ((row, tables.runs(out, row)) for row in rows)
    return [(row, runs[0]) for row, runs in found if runs]


def slowdown(case, rows, out):
    topo = topology.load(out / 'net.json')
    events.apply_first(topo, case.events)
    flows = flowfile.read(out / 'flows.in')
    alone = {proto: tables.alone(topo, flows, wire) for proto, wire in tables.WIRES.items()}
    curves = {}
    for row, run in first_runs(rows, out):
        mine = alone[SCHEMES[row.scheme].proto]
        curves[row.name] = thin([(end - start) / mine[number]
                                 for number, start, end in tables.flow_times(run)])
    return ('set logscale x\nset xlabel "times as long as alone (slowdown)"\n'
            'set ylabel "part of the flows"\nset yrange [0:1]', curves)


def early(_case, rows, out):
    curves = {row.name: thin([packet.ahead / 1000 for packet in received.read(run / 'received')])
              for row, run in first_runs(rows, out) if (run / 'received').exists()}
    return ('set xlabel "KB of a flow that wait for what is missing, when a packet arrives"\n'
            'set ylabel "part of the packets"\nset yrange [0:1]', curves)


def rate(_case, rows, out):
    curves = {}
    for row, run in first_runs(rows, out):
        if not (run / 'received').exists():
            continue
        windows = defaultdict(int)
        for packet in received.read(run / 'received'):
            windows[packet.us // WINDOW_US] += packet.size
        curves[row.name] = [(window * WINDOW_US / 1000, windows[window] * 8 / WINDOW_US / 1000)
                            for window in range(max(windows) + 1)]
    return ('set xlabel "ms"\nset ylabel "Gbit/s of data that receivers got"\nset yrange [0:*]',
            curves)


def longest_queues(run):
    """(ms since the flows began, KB) of each sample: of the nodes that were looked at."""
    base_ns = json.loads((run / 'result.json').read_text())['base_ns']
    longest = defaultdict(int)
    for line in (run / 'samples.json').read_text().splitlines():
        link = json.loads(line)
        if link['now_ns'] >= base_ns:
            ms = (link['now_ns'] - base_ns) / 1e6
            longest[ms] = max(longest[ms], link['data']['waiting_bytes'] / 1000)
    return sorted(longest.items())


def queue(_case, rows, out):
    curves = {row.name: longest_queues(run) for row, run in first_runs(rows, out)
              if (run / 'samples.json').exists()}
    return ('set xlabel "ms"\nset ylabel "KB in the longest queue"\nset yrange [0:*]', curves)


FIGURES = {'slowdown': slowdown, 'early': early, 'rate': rate, 'queue': queue}


def plot(case, rows, out, to):
    """CASE-FIGURE.svg of each of its figures that has a curve. @out: the case's directory."""
    for name in case.figures:
        settings, curves = FIGURES[name](case, rows, out)
        if curves:
            path = out / f'{case.name}-{name}.svg'
            draw(path, settings, curves)
            (to / path.name).write_bytes(path.read_bytes())
