# SPDX-License-Identifier: GPL-2.0
"""What a report consists of: cases, each a table, and what each line of it runs."""
import pathlib
from typing import NamedTuple

from flows import ALGORITHMS
from schemes import COMPARED, SCHEMES

WORKLOADS = pathlib.Path(__file__).resolve().parent / 'workloads'
RAIL = 'rail --clusters 4 --gpus 4'
DRAGONFLY = 'dragonfly --groups 5 --switches 2 --hosts 2'
FAT_TREE = 'fat-tree --ports 4'


class Row(NamedTuple):
    """A line: the scheme, and what run.py is told for it besides."""
    name: str
    scheme: str
    options: str = ''


def rows_of(*schemes):
    return tuple(Row(name, name) for name in schemes)


class Case(NamedTuple):
    """topology, flows: words for lapsctl topology generate, and for flows.py. options:
    what run.py is told for all rows. events: of links, see events.py; neither routing nor
    path computation knows of them. trace: each packet that lapsmp's receivers get.
    figures: see plots.py. tables: see report.py. until: when it ends, if flows do not.
    window_ms: of which shares.py looks at ten. mem: what the kernel that has the hosts needs,
    if that is more than report.py's. apart: how far its flows are apart in its twin, of
    which loads.py takes what each of them takes alone; '': it has none."""
    name: str
    title: str
    topology: str
    flows: str
    options: str = ''
    events: tuple = ()
    trace: bool = True
    figures: tuple = ()
    tables: tuple = ('times', 'lengths')
    until: str = ''
    window_ms: int = 1
    mem: str = ''
    apart: str = ''
    rows: tuple = rows_of(*COMPARED)

    def twin(self):
        """The same flows, which do not meet: a case for the same rows, with no table."""
        return self._replace(name=f'{self.name}-apart', title=f'{self.title}, one at a time',
                             flows=f'{self.flows} --apart {self.apart}', apart='',
                             figures=(), tables=()) if self.apart else None


def poisson(fabric, words, workload, load):
    return Case(f'{fabric}-{workload}-{load}',
                f'{fabric}, all-to-all for 2 ms, {workload} cut to 2 MB, load {load}',
                words, f'poisson --workload {WORKLOADS}/{workload}.cdf --load {load}'
                ' --duration 2ms --max-size 2M', tables=('times', 'sizes', 'lengths'))


class Grid(NamedTuple):
    """Cases that have one table together: loads.py."""
    name: str
    title: str
    cases: tuple


# Of the times that random arrivals go on for: short flows are many.
DURATIONS = {'storage': '2ms', 'websearch': '2ms', 'hadoop': '2ms', 'datamining': '2ms',
             'rpc': '250us'}
LOADED = rows_of('lapsmp', 'lapsmp-plain', 'lapsmp-auto', 'lapsmp-auto-plain', 'lapsmp-spray',
                 'lapsmp-ecmp', 'cubic', 'dctcp', 'dctcp-class', 'dctcp-plb')
# A port's buffer is one for all classes: what four more of them are good for is not that there
# is more room.
ONE_BUFFER = tuple(Row(f'{name}-shared', name, '--alpha 4')
                   for name in ('lapsmp', 'lapsmp-auto', 'dctcp-class', 'dctcp-class-20'))
SETTINGS = rows_of('dctcp-class-20') + ONE_BUFFER
# Where several ways are equally short; elsewhere these are the paths of lapsmp.
SPREAD = {'rail': rows_of('lapsmp-ports')}
# Loads at which it is measured what flows take alone, and how far apart they begin then: a
# link of 100 Gbit/s needs 0.17 ms for the largest.
APART = {0.8: '1ms'}


def as_messages(rows, size):
    """What is at most so long is one message of lapsmp's. TCP has none: there the same option
    would change how much it buffers, and when a receiver reads."""
    return tuple(row._replace(options=f'{row.options} --chunk {size}'.strip())
                 if SCHEMES[row.scheme].proto == 'lapsmp' else row for row in rows)


def loads_of(fabric, words, load, rows, durations, apart=''):
    """All workloads at a load that is a share of what the network can carry, by all ways."""
    return Grid(f'{fabric}-load-{load}',
                f'{fabric}, all-to-all, flows cut to 2 MB, {load} of what the network carries',
                tuple(Case(f'{fabric}-{workload}-load-{load}', f'{workload}, {duration}', words,
                           f'poisson --workload {WORKLOADS}/{workload}.cdf --load {load}'
                           f' --rate network --duration {duration} --max-size 2M',
                           trace=False, tables=(), apart=apart, rows=as_messages(rows, '2M'))
                      for workload, duration in durations.items()))


def loaded(fabric, words, load):
    rows = LOADED + SPREAD.get(fabric, ()) + (SETTINGS if load in APART else ())
    return loads_of(fabric, words, load, rows, DURATIONS, APART.get(load, ''))


def lasting(name, title, topology, words='', until='11ms', **more):
    """Flows to one host that do not end: how they share what is there."""
    more = {'tables': ('shares',), 'rows': rows_of('lapsmp', 'lapsmp-auto', 'lapsmp-paper', 'cubic',
                                                  'dctcp'), **more}
    return Case(name, title, topology, 'llm --pattern all-to-one --size 1G --jitter 500us '
                + words, options='--chunk 16KiB', trace=False, until=until, **more)


def star(senders):
    """And one receiver, all at one switch."""
    return f'leaf-spine --leaves 1 --spines 1 --hosts {senders + 1}'


def with_loss(case):
    return case._replace(name=f'{case.name}-loss', figures=(), options='--loss 1e-6',
                         title=f'{case.title}; one packet in a million lost on each link')


# Bars are asked of the defaults: there no network has classes for short messages.
BARRED = rows_of(*COMPARED, 'lapsmp-plain', 'lapsmp-auto-plain')

RAIL_A2O = Case('rail-a2o', 'Rail of 16: 15 senders to one, 16 MB each', RAIL,
                'llm --pattern all-to-one --size 16M', figures=('slowdown', 'early'), rows=BARRED)
DRAGONFLY_A2O = Case('dragonfly-a2o', 'Dragonfly of 20: 19 senders to one, 8 MB each',
                     DRAGONFLY, 'llm --pattern all-to-one --size 8M', rows=BARRED)
PERMUTATION = Case('dragonfly-permutation', 'Dragonfly of 20: each to another one, 16 MB',
                   DRAGONFLY, 'llm --pattern permutation --size 16M --seed 1')
WEBSEARCH = poisson('dragonfly', DRAGONFLY, 'websearch', 0.4)._replace(figures=('slowdown',))

QUICK = [
    RAIL_A2O,
    with_loss(RAIL_A2O),
    DRAGONFLY_A2O,
    PERMUTATION,
    poisson('rail', RAIL, 'storage', 0.4),
    # A group's one local link would have more than it carries from a load of 0.48 on.
    WEBSEARCH,
]


# Segments that a flow begins with.
WINDOWS = (2, 4, 8, 16, 32)
# Of the integral of what paths are fuller than others, net.lapsmp.lean_q8.
GAINS = (0, 8, 16, 32, 128)


def sweep(case, name, title, sysctl, values):
    """The default scheme, with one setting of it changed."""
    rows = tuple(Row(f'{sysctl}={value}', 'lapsmp', f'--set net.lapsmp.{sysctl}={value}')
                 for value in values)
    return case._replace(name=f'{case.name}-{name}', title=f'{case.title}: {title}', rows=rows,
                         figures=())


def halves(case):
    """The paper's law, one half of it, and none."""
    names = ('lapsmp', 'lapsmp-paper-control', 'lapsmp-paper-softmax', 'lapsmp-paper')
    return case._replace(name=f'{case.name}-paper', title=f"{case.title}: the paper's law",
                         rows=rows_of(*names), figures=())


def sweeps(case):
    return [halves(case),
            sweep(case, 'beta', 'the softmax (256: 1 for a swing of the delay)', 'beta_q8',
                  (0, 64, 128, 256, 512, 1024)),
            sweep(case, 'margin', 'the least margin in ns', 'margin_ns',
                  (0, 1000, 3000, 10000, 30000)),
            sweep(case, 'lean', 'the gain of the integral (256: 1)', 'lean_q8', GAINS),
            sweep(case, 'window', 'segments to begin with', 'initcwnd', WINDOWS)]


def grants():
    """Of flows that are one message each, some at a time, the smallest rest first."""
    rows = (Row('lapsmp', 'lapsmp'), Row('lapsmp-grants', 'lapsmp-grants'),
            *(Row(f'grants={n}', 'lapsmp', f'--set net.lapsmp.grants={n}') for n in (1, 2, 8)))
    return RAIL_A2O._replace(name='rail-a2o-grants', rows=rows, figures=(),
                             title='Rail of 16: 15 senders to one, 16 MB each, as one message:'
                             ' how many may go on at a time', options='--chunk 16M')


def alike():
    """Fairness: of one link, by the number of flows; when one has it first; and where who
    sends has not as many ways as another, or not as long ones."""
    several = rows_of('lapsmp', 'lapsmp-ports', 'lapsmp-paper', 'lapsmp-spray', 'lapsmp-auto',
                      'cubic', 'dctcp')
    return [*(lasting(f'share-{n}', f'{n} senders to one, one switch', star(n))
              for n in (2, 8, 32, 64)),
            *(lasting(f'share-slow-{n}', f'{n} senders of 100 Gbit/s to one, whose link has 10',
                      star(n), until='101ms', window_ms=10,
                      events=('0ms leaf0 h0 rate 1250000000',),
                      rows=rows_of('lapsmp', 'lapsmp-auto', 'dctcp')) for n in (8, 32)),
            lasting('share-8-late', '8 senders to one, one switch; the first one begins 5 ms'
                    ' before the others', star(8), '--head-start 5ms', '16ms'),
            lasting('share-rail', 'Rail of 16: 15 senders to one', RAIL, rows=several),
            lasting('share-fat-tree', 'Fat tree of 16: 15 senders to one', FAT_TREE,
                    rows=several)]


def paired(name, title, topology, *more):
    """Each host sends to another one and does not end: what the network is used for. The
    second to the eleventh ms count."""
    case = lasting(f'{name}-lasting', f'{title}: each to another one, flows that last', topology,
                   until='12ms', rows=rows_of('lapsmp', *more, 'lapsmp-auto', 'lapsmp-spray',
                                              'dctcp'))
    return case._replace(flows='llm --pattern permutation --size 1G --jitter 1ms --seed 1')


# Half of the flows are by the one, half by the other.
BESIDE = lasting('beside', '8 senders to one, one switch, two transports', star(8), until='21ms',
                 tables=('beside',),
                 rows=tuple(Row(f'{name}-{other}', name, f'--beside {other}')
                            for name, other in (('lapsmp', 'cubic'), ('lapsmp', 'dctcp'),
                                                ('cubic', 'dctcp'))))
# Long enough for several looks at noise, when all of lapsmp's are silent for a moment.
BESIDE_LONG = BESIDE._replace(name='beside-long', title=f'{BESIDE.title}, 100 ms each',
                              until='201ms', window_ms=10)


def beside_slow(mbit):
    """One of each, on a link whose buffer holds what took it long to send. Not for longer than
    the flows last."""
    window_ms = min(2000, 200000 // mbit)
    return lasting(f'beside-slow-{mbit}', f'2 senders, two transports, to one whose link has'
                   f' {mbit} Mbit/s', star(2),
                   until=f'{20 * window_ms + 1000}ms', window_ms=window_ms,
                   tables=('beside',),
                   rows=(Row('lapsmp-cubic', 'lapsmp', '--beside cubic'),),
                   events=(f'0ms leaf0 h0 rate {mbit * 125000}',))


# What stands before the receiver's two links, each 20 us.
QUEUES = RAIL_A2O._replace(name='rail-a2o-queue', figures=('rate', 'queue'), tables=(),
                           rows=rows_of('lapsmp', 'lapsmp-auto', 'lapsmp-spray', 'dctcp-plb'),
                           options='--sample 20000 --sample-nodes rail0,nvlink0')

# One of the two links that lead to the receiver. No routing protocol runs: who cannot
# choose another way waits.
LAST = 'nic0-0 rail0'

EQUAL = Case('fat-tree-permutation', 'Fat tree of 16, equal ways: each to another one, 16 MB',
             FAT_TREE, 'llm --pattern permutation --size 16M --seed 1')

SLOW = RAIL_A2O._replace(name='rail-a2o-slow', figures=(),
                         events=(f'0ms {LAST} rate 1250000000',),
                         title='Rail of 16: 15 senders to one; one of its two last links has'
                         ' a tenth of the rate')


def by_ports(case):
    """Where several ways are equally short: these by ports, longer ones by segments."""
    return case._replace(name=f'{case.name}-ports', figures=(),
                         title=f'{case.title}; the shortest ways by ports',
                         rows=rows_of('lapsmp-ports', 'lapsmp-ports-plain'))


def one_to_all(fabric, words):
    """The paper's AllScatter, with losses and without."""
    case = Case(f'{fabric}-o2a', f'{fabric}: one to all others, 16 MB each', words,
                'llm --pattern one-to-all --size 16M', trace=False,
                rows=rows_of(*COMPARED) + SPREAD.get(fabric, ()))
    return [case, with_loss(case)]


def allreduce(fabric, words, hosts, *algorithms):
    return [Case(f'{fabric}-allreduce-{algorithm}',
                 f'{fabric}: AllReduce of 16 MB among {hosts}, {algorithm}', words,
                 f'allreduce --algorithm {algorithm} --size 16M', trace=False, options='--serial',
                 rows=LOADED + SPREAD.get(fabric, ())) for algorithm in algorithms]


GRIDS = [loaded(fabric, words, load) for load in (0.5, 0.8, 1.0)
         for fabric, words in (('rail', RAIL), ('dragonfly', DRAGONFLY))]

FULL = [
    EQUAL,
    QUEUES,
    with_loss(DRAGONFLY_A2O),
    *one_to_all('rail', RAIL),
    *one_to_all('dragonfly', DRAGONFLY),
    *allreduce('rail', RAIL, '16', *ALGORITHMS),
    *allreduce('dragonfly', DRAGONFLY, '20', 'ring', 'all-to-all'),
    RAIL_A2O._replace(name='rail-a2o-cut', figures=('rate',),
                      events=(f'1ms {LAST} down', f'3ms {LAST} up'),
                      title='Rail of 16: 15 senders to one; one of its two last links'
                      ' swallows everything from 1 to 3 ms'),
    SLOW,
    *(by_ports(case) for case in (RAIL_A2O, SLOW, EQUAL)),
    *sweeps(RAIL_A2O),
    sweep(PERMUTATION, 'lean', 'the gain of the integral (256: 1)', 'lean_q8', GAINS),
    sweep(WEBSEARCH, 'window', 'segments to begin with', 'initcwnd', WINDOWS),
    grants(),
    *(sweep(case, 'detour', 'what longer ways are left by (256: e^-1 for twice the cost)',
            'detour_q8', (0, 1024, 2048, 4096)) for case in (RAIL_A2O, EQUAL)),
    *alike(),
    paired('fat-tree', 'Fat tree of 16', FAT_TREE, 'lapsmp-ports'),
    paired('dragonfly', 'Dragonfly of 20', DRAGONFLY),
    BESIDE,
    BESIDE_LONG,
    *(beside_slow(mbit) for mbit in (10, 100, 1000)),
]
