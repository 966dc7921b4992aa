#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs cases over whole fabrics, and writes tables and figures of them.

    report.py --quick --out results/report

What a case is stands in cases.py. Each run is one of selftests/bench/fabric; one that is
there already, of the same case and sources, is not made again, so that a report that was
interrupted goes on where it was.
"""
import concurrent.futures
import hashlib
import pathlib
import shlex
import subprocess
import sys

import beside
import cases
import document
import fullsize
import lengths
import loadplots
import loads
import made
import plots
import ratios
import shares
import sizes
import tables
from common import FabricError, Parser, run
from schemes import SCHEMES

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parent / 'bench' / 'fabric'
TABLES = {'times': tables.table, 'sizes': sizes.table, 'lengths': lengths.table,
          'shares': shares.table, 'beside': beside.table}
GRIDS = [*cases.GRIDS, *fullsize.GRIDS]
EVERY = [*cases.QUICK, *cases.FULL, *fullsize.CASES, *GRIDS]
# The table beside the paper's figures: of all that has run, whatever is asked for.
RATIOS = 'ratios'
SOURCES = ('net', 'include', 'tools', 'selftests')


def tell(*words):
    done = subprocess.run([str(word) for word in words], check=False, text=True,
                          capture_output=True)
    if done.returncode:
        raise FabricError(f'{shlex.join(map(str, words))}: {done.stderr.strip()[-300:]}')
    return done.stdout


def version():
    """Of what runs are made by: one of other sources is not the same."""
    top = tell('git', '-C', HERE, 'rev-parse', '--show-toplevel').strip()
    trees = tell('git', '-C', top, 'rev-parse', *(f'HEAD:{name}' for name in SOURCES))
    changes = tell('git', '-C', top, 'diff', 'HEAD', '--', *SOURCES)
    return trees + hashlib.sha256(changes.encode()).hexdigest()


def prepare(case, opt):
    """The case's files, in a directory that is its own; old results that differ go."""
    out = opt.out / case.name
    out.mkdir(parents=True, exist_ok=True)
    net = out / 'net.json'
    net.write_text(tell(opt.lapsctl, 'topology', 'generate', *case.topology.split()))
    kind, *words = case.flows.split()
    tell(sys.executable, HERE / 'flows.py', kind, net, *words, '-o', out / 'flows.in')
    made.begin(out, case, opt.version, (out / 'flows.in').read_text(), net.read_text())


def measure(job):
    """One run: nothing, or why there is none."""
    case, row, seed, opt = job
    case_out = opt.out / case.name
    # Each run has its own: paths are computed into it.
    out = case_out / row.name / f'seed-{seed}'
    done = out / f'{row.scheme}-{seed}' / 'done'
    if done.exists():
        return None
    told = [word for event in case.events for word in ('--event', event)]
    told += [*case.options.split(), *row.options.split(), *(['--trace'] if case.trace else []),
             *(['--until', case.until] if case.until else [])]
    try:
        tell(BENCH, case_out / 'net.json', case_out / 'flows.in', '--scheme', row.scheme,
             '--seeds', seed, '--out', out, '--mem', case.mem or opt.mem, '--', *told)
    except FabricError as error:
        out.mkdir(parents=True, exist_ok=True)
        (out / made.FAILED).write_text(f'{error}\n')
        return f'{case.name}, {row.name}, seed {seed}: {error}'
    (out / made.FAILED).unlink(missing_ok=True)
    done.touch()
    return None


def rows_of(case, opt):
    return [row for row in case.rows if row.scheme in opt.schemes]


def parse(argv):
    p = Parser(description=__doc__.partition('\n')[0])
    p.add_argument('--quick', action='store_true', help='the small fabrics only')
    p.add_argument('--only', help=f'these cases: NAME,...; {RATIOS}: what others of OUT are, beside'
                   " the paper's")
    p.add_argument('--schemes', default=','.join(SCHEMES))
    p.add_argument('--seeds', type=int, default=1, help='runs of each line of a table')
    p.add_argument('--out', type=pathlib.Path, default=pathlib.Path('results/report'))
    p.add_argument('--write', type=pathlib.Path, metavar='FILE.md', help='a document whose '
                   'tables are to be replaced; figures go to a directory beside it, FILE/')
    p.add_argument('--figures', action='store_true', help='in OUT, too')
    p.add_argument('--lapsctl', default='lapsctl')
    # Little of it is used, but MPTCP has room for so many connections as it has of it.
    p.add_argument('--mem', default='12G', help="of the kernel that has a fabric's hosts")
    p.add_argument('--jobs', type=int, default=2)
    opt = p.parse_args(argv)
    opt.schemes = opt.schemes.split(',')
    for name in opt.schemes:
        if name not in SCHEMES:
            raise FabricError(f"no scheme '{name}'; there are: {' '.join(SCHEMES)}")
    if opt.seeds < 1:
        raise FabricError(f'--seeds {opt.seeds}: at least one run is needed')
    opt.out = opt.out.resolve()
    opt.out.mkdir(parents=True, exist_ok=True)
    opt.version = version()
    choose(opt)
    return opt


def choose(opt):
    """opt.cases: all that are asked for; opt.twins: their twins, which run, too; opt.grids:
    those of them that have a table together; opt.ratios: whether there is that of all that
    has run."""
    wanted = cases.QUICK if opt.quick else EVERY
    names = opt.only.split(',') if opt.only else []
    opt.ratios = RATIOS in names or not (names or opt.quick)
    if opt.only:
        known = {each.name: each for each in EVERY}
        # One of a grid's cases: that part of its table.
        known |= {case.name: grid._replace(name=case.name, cases=(case,))
                  for grid in GRIDS for case in grid.cases}
        try:
            wanted = [known[name] for name in names if name != RATIOS]
        except KeyError as name:
            raise FabricError(f"no case {name}; there are: {' '.join(known)}") from None
    opt.grids = [each for each in wanted if isinstance(each, cases.Grid)]
    opt.alone = [each for each in wanted if not isinstance(each, cases.Grid)]
    opt.cases = [*opt.alone, *(case for grid in opt.grids for case in grid.cases)]
    opt.twins = [case.twin() for case in opt.cases if case.apart]


def jobs(opt):
    """All runs: (case, row, seed, opt). Of what flows take alone one says enough."""
    found = [(case, row, seed + 1, opt) for case in opt.cases for seed in range(opt.seeds)
             for row in rows_of(case, opt)]
    return found + [(twin, row, 1, opt) for twin in opt.twins for row in rows_of(twin, opt)]


def figures(opt, written):
    """@written: tables by name; with a document, all of it counts."""
    to = opt.write.with_suffix('') if opt.write else opt.out
    if not opt.write and not opt.figures:
        return
    plots.install()
    to.mkdir(exist_ok=True)
    for case in opt.cases:
        plots.plot(case, rows_of(case, opt), opt.out / case.name, to)
    loadplots.plot(document.tables(opt.write.read_text()) if opt.write else written, to)


def section(case, opt):
    rows, out = rows_of(case, opt), opt.out / case.name
    parts = [TABLES[name](case, rows, out) for name in case.tables]
    return '\n'.join(part for part in parts if part)


def main(argv=None):
    opt = parse(argv)
    if opt.write:
        names = [each.name for each in [*opt.alone, *opt.grids]] + [RATIOS] * opt.ratios
        document.replaced(opt.write.read_text(), dict.fromkeys(names, ''))
    for case in [*opt.cases, *opt.twins]:
        prepare(case, opt)
    with concurrent.futures.ThreadPoolExecutor(opt.jobs) as pool:
        troubles = [trouble for trouble in pool.map(measure, jobs(opt)) if trouble]
    written = {case.name: section(case, opt) for case in opt.alone}
    written |= {grid.name: loads.table(grid, lambda case: rows_of(case, opt), opt.out)
                for grid in opt.grids}
    if opt.ratios:
        written[RATIOS] = ratios.table(opt.out, opt.version)
    text = '\n'.join(written.values())
    (opt.out / 'tables.md').write_text(text)
    print(text)
    if opt.write:
        document.replace(opt.write, written)
    figures(opt, written)
    for trouble in troubles:
        print(f'report: {trouble}', file=sys.stderr)
    return 1 if troubles else 0


if __name__ == '__main__':
    run(main)
